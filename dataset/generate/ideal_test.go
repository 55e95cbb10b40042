package generate_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset/generate"
	"github.com/assay-eval/assay/judge"
)

var passages = []assay.Passage{{ID: "p1", Text: "One. Two."}, {ID: "p2", Title: "T", Text: "Three."}}

// borneOut rules on the points by their words.
func borneOut(claim string, sources []judge.Source) judge.Finding {
	switch {
	case strings.HasPrefix(claim, "false"):
		return judge.Finding{Verdict: judge.Contradicted}
	case strings.HasPrefix(claim, "unknown"):
		return judge.Finding{}
	case strings.HasPrefix(claim, "both"):
		return together()
	case strings.HasPrefix(claim, "second") && sources[1].Text == "T\nThree.":
		return alone(1)
	}
	return alone(0)
}

func TestIdeal(t *testing.T) {
	t.Parallel()
	w, _ := writer(t, func(d data, _ int) (any, error) {
		if d.Task != "ideal" || len(d.Points) != 2 || d.Points[0].Point != "first" || !d.Points[0].Vital || d.Points[1].Vital {
			t.Errorf("the model was shown %+v", d)
		}
		return object{"answer": "First and second. "}, nil
	})
	j := ruling{
		support: borneOut,
		points:  []judge.Point{{Text: "false"}, {Text: "second", Source: 0}, {Text: "first"}, {Text: "both"}, {Text: "unknown"}},
		vital:   func(point string) judge.Weight { return judge.Weight{Known: point == "first", Vital: true} },
	}
	got, err := w.Ideal(t.Context(), j, about, passages)
	if err != nil {
		t.Fatal(err)
	}
	// A point that takes two passages is not borne out by one.
	if d := cmp.Diff([]string{"false", "both", "unknown"}, got.Dropped); d != "" {
		t.Error(d)
	}
	want := assay.Ideal{
		Answer: "First and second.", Points: []assay.Point{{Text: "first", Vital: true, Passage: "p1"}, {Text: "second", Passage: "p2"}},
		Passages: passages, Model: "scripted m", PromptHash: got.Written.PromptHash, Made: day, Hash: got.Hash,
	}
	if d := cmp.Diff(want, got.Ideal); d != "" {
		t.Error(d)
	}
	if got.Hash != got.Digest() || !strings.HasPrefix(got.Hash, "sha256:") {
		t.Errorf("hash %q", got.Hash)
	}
	// It comes back from a journal as it went in.
	raw, err := json.Marshal(got)
	var back generate.Ideal
	if err != nil || json.Unmarshal(raw, &back) != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(got, back); d != "" {
		t.Error(d)
	}
	var c assay.Case
	got.Apply(&c)
	if d := cmp.Diff(want, *c.Want.Ideal); d != "" {
		t.Error(d)
	}
	raw, err = json.Marshal(c.Metadata)
	if err != nil || !strings.Contains(string(raw), `"hash":"`+got.Hash) ||
		!strings.Contains(string(raw), `"dropped":["false","both","unknown"]`) {
		t.Errorf("metadata %s", raw)
	}
}

// The vital points are kept before the others, and those beyond twenty are told.
func TestIdealKeepsTwentyPoints(t *testing.T) {
	t.Parallel()
	w, _ := writer(t, func(data, int) (any, error) { return object{"answer": "All of it."}, nil })
	j := ruling{support: borneOut, vital: func(point string) judge.Weight {
		return judge.Weight{Known: true, Vital: point == "first 21" || point == "first 3"}
	}}
	for i := range 22 {
		j.points = append(j.points, judge.Point{Text: fmt.Sprintf("first %d", i)})
	}
	got, err := w.Ideal(t.Context(), j, about, passages)
	if err != nil || len(got.Points) != 20 || got.Points[0].Text != "first 3" || got.Points[1].Text != "first 21" ||
		!got.Points[1].Vital || got.Points[2].Vital {
		t.Errorf("%+v, %v", got.Points, err)
	}
	if d := cmp.Diff([]string{"first 20", "first 19"}, got.Spare); d != "" {
		t.Error(d)
	}
}

func TestIdealWithoutPoints(t *testing.T) {
	t.Parallel()
	w, s := writer(t, func(data, int) (any, error) { return object{"answer": "x"}, nil })
	for _, points := range [][]judge.Point{nil, {{Text: "false"}}} {
		if _, err := w.Ideal(t.Context(), ruling{support: borneOut, points: points}, about, passages); !errors.Is(err, generate.ErrNoPoints) {
			t.Errorf("%v: got %v, want that no point is left", points, err)
		}
	}
	if s.calls != 0 {
		t.Errorf("%d calls to write an answer without points", s.calls)
	}
	broken := errors.New("broken")
	if _, err := w.Ideal(t.Context(), ruling{err: broken}, about, passages); !errors.Is(err, broken) {
		t.Errorf("got %v, want the judge's error", err)
	}
	w, _ = writer(t, func(data, int) (any, error) { return object{"answer": " "}, nil })
	if _, err := w.Ideal(t.Context(), ruling{support: borneOut, points: []judge.Point{{Text: "first"}}}, about, passages); err == nil {
		t.Error("a blank ideal answer: want an error")
	}
}
