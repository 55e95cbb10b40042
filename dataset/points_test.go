package dataset_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
)

// madeByModel is an ideal answer that a model wrote.
func madeByModel() *assay.Ideal {
	out := &assay.Ideal{Answer: "Up to 1.8 m.", Model: "m", Passages: []assay.Passage{{ID: "p1", Text: "Boards up to 1.8 m travel free."}},
		Points: []assay.Point{{Text: "up to 1.8 m", Vital: true, Passage: "p1"}, {Text: "free", Passage: "p1"}, {Text: "as freight"}}}
	out.Hash = out.Digest()
	return out
}

// TestEditPointsKeepsWhoMadeThem: only what a person wrote or changed is theirs, also after another person's edit.
func TestEditPointsKeepsWhoMadeThem(t *testing.T) {
	was := madeByModel()
	got, err := dataset.EditPoints(was, []assay.Point{
		{Text: " free ", Passage: "p1", By: "a claim of the client"}, {Text: "up to 1.8 m", Passage: "p1"}, {Text: "surfboards too"},
	}, "wong")
	if err != nil {
		t.Fatal(err)
	}
	want := []assay.Point{{Text: "free", Passage: "p1"}, {Text: "up to 1.8 m", Passage: "p1", By: "wong"},
		{Text: "surfboards too", By: "wong"}}
	if !reflect.DeepEqual(got.Points, want) || got.Model != "m" || got.Answer != was.Answer {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if got.Hash == was.Hash || got.Hash != got.Digest() {
		t.Errorf("hash %s: want that of the new content", got.Hash)
	}
	if !reflect.DeepEqual(was, madeByModel()) {
		t.Errorf("the ideal answer before was changed: %+v", was)
	}
	next, err := dataset.EditPoints(got, []assay.Point{{Text: "surfboards too"}, {Text: "free", Passage: "p1", Vital: true}}, "li")
	if want := []assay.Point{{Text: "surfboards too", By: "wong"}, {Text: "free", Passage: "p1", Vital: true, By: "li"}}; err != nil ||
		!reflect.DeepEqual(next.Points, want) {
		t.Errorf("got %+v, %v\nwant %+v", next.Points, err, want)
	}
	// Who made a point does not move a score.
	next.Points[0].By = "someone else"
	if next.Digest() != next.Hash {
		t.Error("the digest depends on who made a point")
	}
}

func TestEditPointsWithoutAnIdealAnswer(t *testing.T) {
	got, err := dataset.EditPoints(nil, []assay.Point{{Text: "a", Passage: "anything", Vital: true}}, "wong")
	if err != nil || got.Points[0] != (assay.Point{Text: "a", Passage: "anything", Vital: true, By: "wong"}) || got.Hash != got.Digest() {
		t.Errorf("%+v, %v", got, err)
	}
	if left, err := dataset.EditPoints(got, nil, "wong"); left != nil || err != nil {
		t.Errorf("nothing left: %+v, %v", left, err)
	}
	left, err := dataset.EditPoints(madeByModel(), nil, "wong")
	if err != nil || left.Answer == "" || left.Points == nil || len(left.Points) != 0 {
		t.Errorf("an answer whose points are all gone: %+v, %v", left, err)
	}
}

func TestEditPointsNamesEveryMistake(t *testing.T) {
	_, err := dataset.EditPoints(madeByModel(), []assay.Point{
		{Text: "a"}, {Text: " \n"}, {Text: "a"}, {Text: strings.Repeat("x", dataset.MaxPoint+1)}, {Text: "b", Passage: "p9"},
	}, "wong")
	want := "point 2: no text: expected what the answer should say\npoint 3: says the same as point 1: expected each point once\n" +
		"point 4: too long: expected at most 4000 bytes\n" +
		"point 5: \"p9\" is not one of the passages: expected the id of a passage of the ideal answer, or none"
	if err == nil || err.Error() != want {
		t.Fatalf("got %v\nwant %s", err, want)
	}
	var first *dataset.PointError
	if !errors.As(err, &first) || first.At != 1 || first.Field != "text" {
		t.Errorf("the first mistake is %+v", first)
	}
}
