package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/web"
)

const surfboards = `{"id":"q1","question":"Can I take a surfboard?","ideal":{"answer":"Up to 1.8 m.","model":"m","points":[` +
	`{"text":"up to 1.8 m","vital":true,"passage":"p1"},{"text":"free"}],"passages":[{"id":"p1","title":"Luggage","text":"Boards up to 1.8 m."}]}}` +
	"\n" + `{"id":"q2","question":"May dogs travel?","expected_contexts":["tiber.md"]}` + "\n"

// uploaded uploads a dataset.
func (b *bench) uploaded(name, content string) {
	b.t.Helper()
	body, ct := form(b.t, name, content)
	b.do("POST", "/api/v1/datasets", body, "Content-Type", ct).want(b.t, 201)
}

const surf = "surf.jsonl"

// points returns the points of a case of surf as the page shows them.
func (b *bench) points(caseID string) web.PointsView {
	b.t.Helper()
	v, err := pageBackend{b.server}.Points(b.t.Context(), surf, caseID)
	if err != nil {
		b.t.Fatal(err)
	}
	return v
}

// save replaces the points of a case of surf that had the tag, as the page does.
func (b *bench) save(caseID, tag string, points ...assay.Point) error {
	_, err := pageBackend{b.server}.SavePoints(b.t.Context(), surf, caseID, tag, points)
	return err
}

// mustSave replaces the points of a case of surf, whichever there are.
func (b *bench) mustSave(caseID string, points ...assay.Point) {
	b.t.Helper()
	if err := b.save(caseID, b.points(caseID).Tag, points...); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) versions() page[web.DatasetVersion] {
	b.t.Helper()
	return read[page[web.DatasetVersion]](b.t, b.do("GET", "/api/v1/datasets/surf.jsonl/versions", nil).want(b.t, 200))
}

// TestPointsMakeVersions: points that a person changes are a new version with author and time; the earlier one is kept, who
// made each point stays, and points that did not change make no version.
func TestPointsMakeVersions(t *testing.T) {
	b := start(t, withRivers(t))
	b.uploaded(surf, surfboards)
	was := b.points("q1")
	if p := was.Ideal.Points; len(p) != 2 || p[0] != (assay.Point{Text: "up to 1.8 m", Vital: true, Passage: "p1"}) || was.Version != 1 {
		t.Fatalf("%+v", was)
	}
	next := []assay.Point{{Text: "free"}, {Text: "up to 1.8 m", Passage: "p1"}, {Text: "longer ones are freight"}}
	b.mustSave("q1", next...)
	is := b.points("q1")
	if p := is.Ideal.Points; is.Version != 2 || len(p) != 3 || p[0].By != "" || p[1].By != "me" || p[2].By != "me" {
		t.Errorf("%+v", is)
	}
	if is.Tag == was.Tag {
		t.Error("the tag stayed")
	}
	next[0].Text = " free"
	if b.mustSave("q1", next...); b.points("q1").Version != 2 {
		t.Errorf("the same points made version %d", b.points("q1").Version)
	}
	l := b.versions()
	if l.Total != 2 || l.Items[0].Version != 2 || l.Items[0].By != "me" || l.Items[0].Case != "q1" || l.Items[0].At.IsZero() ||
		l.Items[1].Version != 1 || l.Items[1].By != "" || l.Items[0].Hash == l.Items[1].Hash {
		t.Errorf("versions %+v", l.Items)
	}
	v := read[datasetView](t, b.do("GET", "/api/v1/datasets/surf.jsonl", nil).want(t, 200))
	old := read[datasetView](t, b.do("GET", "/api/v1/datasets/surf.jsonl@1", nil).want(t, 200))
	if v.Version != 2 || v.By != "me" || v.Hash != l.Items[0].Hash || v.Cases != 2 || old.Version != 1 || old.Hash != l.Items[1].Hash {
		t.Errorf("now %+v\nbefore %+v", v, old)
	}
	former, err := pageBackend{b.server}.Points(t.Context(), "surf.jsonl@1", "q1")
	if err != nil || len(former.Ideal.Points) != 2 || former.Locked == "" {
		t.Errorf("the earlier version has points %+v, %v", former, err)
	}
	cases, total, err := pageBackend{b.server}.PointCases(t.Context(), surf, "", 10, 0)
	if err != nil || total != 2 || cases[0] != (web.CasePoints{Case: "q1", Question: "Can I take a surfboard?", Points: 3, People: 2}) || cases[1].Points != 0 {
		t.Errorf("cases %+v, %v", cases, err)
	}
	if _, total, err := (pageBackend{b.server}).PointCases(t.Context(), surf, "DOGS", 10, 0); err != nil || total != 1 {
		t.Errorf("with a text: %d, %v", total, err)
	}
	b.do("DELETE", "/api/v1/datasets/surf.jsonl", nil).want(t, 200)
	b.do("GET", "/api/v1/datasets/surf.jsonl@1", nil).want(t, 404)
}

// TestRunsKeepTheirVersion: a run over a version shows its cases after the points changed, and a run that names the
// earlier version asks its cases.
func TestRunsKeepTheirVersion(t *testing.T) {
	b := start(t, withRivers(t))
	b.uploaded(surf, surfboards)
	first := b.ended(b.begin(`{"dataset":"surf.jsonl"}`))
	b.mustSave("q1", assay.Point{Text: "free"})
	second := b.ended(b.begin(`{"dataset":"surf.jsonl"}`))
	third := b.ended(b.begin(`{"dataset":"surf.jsonl@1"}`))
	points := func(run string) string {
		rec := b.do("GET", "/api/v1/runs/"+run+"/cases/q1", nil).want(t, 200)
		var v struct {
			Case struct {
				Want struct {
					Ideal struct{ Points []struct{ Text string } }
				}
			}
		}
		if err := json.Unmarshal([]byte(rec.text), &v); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(v.Case.Want.Ideal.Points)
	}
	if a, b, c := points(first.ID), points(second.ID), points(third.ID); a != "[{up to 1.8 m} {free}]" || b != "[{free}]" || c != a {
		t.Errorf("points of the runs: %s, %s, %s", a, b, c)
	}
	// A run that is resumed finds its version by the hash.
	d, err := b.server.datasetWith(t.Context(), surf, b.versions().Items[1].Hash)
	if err != nil || d.kept.Info.Version != 1 || !d.former {
		t.Errorf("by the hash: %+v, %v", d, err)
	}
}

// TestTwoEditorsOfPoints: the second of two is told what the first wrote, and editors of two cases do not disturb each other.
func TestTwoEditorsOfPoints(t *testing.T) {
	b := start(t)
	b.uploaded(surf, surfboards)
	tag := b.points("q1").Tag
	b.mustSave("q2", assay.Point{Text: "only on a leash", Vital: true})
	b.mustSave("q1", assay.Point{Text: "first"})
	var conflict *web.PointsConflict
	if err := b.save("q1", tag, assay.Point{Text: "second"}); !errors.As(err, &conflict) ||
		!strings.Contains(err.Error(), "by me, version 3 of the dataset") || conflict.Is.Ideal.Points[0].Text != "first" {
		t.Errorf("the second editor is told %v", err)
	}
	if v := b.points("q1"); len(v.Ideal.Points) != 1 || v.Ideal.Points[0].Text != "first" || v.Version != 3 {
		t.Errorf("%+v", v)
	}
	// Of many at once with the same tag, one is kept, and the others are told.
	tag = b.points("q1").Tag
	var all sync.WaitGroup
	saved := make([]bool, 8)
	for i := range saved {
		all.Go(func() {
			err := b.save("q1", tag, assay.Point{Text: fmt.Sprint("editor ", i)})
			if saved[i] = err == nil; err != nil && !errors.As(err, new(*web.PointsConflict)) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if l := b.versions(); l.Total != 4 || slices.Index(saved, true) < 0 {
		t.Errorf("%d versions after %v, want 4", l.Total, saved)
	}
}

func TestPointsThatAreRefused(t *testing.T) {
	b := start(t, withRivers(t))
	b.uploaded(surf, surfboards)
	tag := b.points("q1").Tag
	for _, c := range []struct {
		points []assay.Point
		says   string
	}{
		{[]assay.Point{{Text: "a"}, {Text: " "}}, "points[1].text"},
		{[]assay.Point{{Text: "a"}, {Text: "a"}}, "says the same as point 1"},
		{[]assay.Point{{Text: "a", Passage: "p9"}}, "points[0].passage"},
		{make([]assay.Point, 101), "100"},
	} {
		if err := b.save("q1", tag, c.points...); !errors.As(err, new(web.FormError)) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: %v, want %q in it", c.points, err, c.says)
		}
	}
	b.uploaded("table.csv", "id,question,ground_truth,contexts,answer\nq1,Why?,because,[],So.\n")
	for _, c := range []struct {
		name, id, tag string
		status        int
	}{
		{surf, "q9", tag, http.StatusNotFound}, {"no.jsonl", "q1", tag, http.StatusNotFound}, {"../x", "q1", tag, http.StatusNotFound},
		{"rivers.jsonl", "q1", tag, http.StatusConflict}, {"surf.jsonl@1", "q1", tag, http.StatusNotFound},
		{"table.csv", "q1", "none", http.StatusConflict}, // its recorded responses would be lost
	} {
		_, err := pageBackend{b.server}.SavePoints(t.Context(), c.name, c.id, c.tag, []assay.Point{{Text: "a"}})
		var problem huma.StatusError
		if !errors.As(err, &problem) || problem.GetStatus() != c.status {
			t.Errorf("%s %s: %v, want status %d", c.name, c.id, err, c.status)
		}
	}
}
