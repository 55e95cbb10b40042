package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
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

// put changes points.
func (b *bench) put(path, match, points string) got {
	b.t.Helper()
	return b.do("PUT", path, `{"points":`+points+`}`, "If-Match", match, "Content-Type", "application/json")
}

const surfPoints = "/api/v1/datasets/surf.jsonl/cases/q1/points"

// TestPointsMakeVersions: points that a person changes are a new version with author and time; the earlier one is kept, who
// made each point stays, and points that did not change make no version.
func TestPointsMakeVersions(t *testing.T) {
	b := start(t, withRivers(t))
	b.uploaded("surf.jsonl", surfboards)
	g := b.do("GET", surfPoints, nil).want(t, 200)
	was := read[pointsView](t, g)
	if len(was.Points) != 2 || was.Points[0] != (pointView{Text: "up to 1.8 m", Vital: true, Passage: "p1"}) || was.Model != "m" || was.Version != 1 ||
		was.Passages[0].Title != "Luggage" {
		t.Fatalf("%+v", was)
	}
	tag := g.Header.Get("ETag")
	g = b.put(surfPoints, tag, `[{"text":"free"},{"text":"up to 1.8 m","passage":"p1"},{"text":"longer ones are freight"}]`).want(t, 200)
	is := read[pointsView](t, g)
	if is.Version != 2 || len(is.Points) != 3 || is.Points[0].By != "" || is.Points[1].By != "me" || is.Points[2].By != "me" {
		t.Errorf("%+v", is)
	}
	if next := g.Header.Get("ETag"); next == tag {
		t.Error("the ETag stayed")
	} else if again := read[pointsView](t, b.put(surfPoints, next,
		`[{"text":" free"},{"text":"up to 1.8 m","passage":"p1"},{"text":"longer ones are freight"}]`).want(t, 200)); again.Version != 2 {
		t.Errorf("the same points made version %d", again.Version)
	}
	l := read[page[datasetVersion]](t, b.do("GET", "/api/v1/datasets/surf.jsonl/versions", nil).want(t, 200))
	if l.Total != 2 || l.Items[0].Version != 2 || l.Items[0].By != "me" || l.Items[0].Case != "q1" || l.Items[0].At.IsZero() ||
		l.Items[1].Version != 1 || l.Items[1].By != "" || l.Items[0].Hash == l.Items[1].Hash {
		t.Errorf("versions %+v", l.Items)
	}
	v := read[datasetView](t, b.do("GET", "/api/v1/datasets/surf.jsonl", nil).want(t, 200))
	old := read[datasetView](t, b.do("GET", "/api/v1/datasets/surf.jsonl@1", nil).want(t, 200))
	if v.Version != 2 || v.By != "me" || v.Hash != l.Items[0].Hash || v.Cases != 2 || old.Version != 1 || old.Hash != l.Items[1].Hash {
		t.Errorf("now %+v\nbefore %+v", v, old)
	}
	if o := read[pointsView](t, b.do("GET", "/api/v1/datasets/surf.jsonl@1/cases/q1/points", nil).want(t, 200)); len(o.Points) != 2 {
		t.Errorf("the earlier version has points %+v", o.Points)
	}
	b.put("/api/v1/datasets/surf.jsonl@1/cases/q1/points", "", `[]`).want(t, 409)
	cases := read[page[casePoints]](t, b.do("GET", "/api/v1/datasets/surf.jsonl/cases", nil).want(t, 200))
	if cases.Total != 2 || cases.Items[0] != (casePoints{Case: "q1", Question: "Can I take a surfboard?", Points: 3, People: 2}) || cases.Items[1].Points != 0 {
		t.Errorf("cases %+v", cases.Items)
	}
	if l := read[page[casePoints]](t, b.do("GET", "/api/v1/datasets/surf.jsonl/cases?q=DOGS", nil).want(t, 200)); l.Total != 1 {
		t.Errorf("with a text: %+v", l)
	}
	b.do("DELETE", "/api/v1/datasets/surf.jsonl", nil).want(t, 200)
	b.do("GET", "/api/v1/datasets/surf.jsonl@1", nil).want(t, 404)
}

// TestRunsKeepTheirVersion: a run over a version shows its cases after the points changed, and a run that names the
// earlier version asks its cases.
func TestRunsKeepTheirVersion(t *testing.T) {
	b := start(t, withRivers(t))
	b.uploaded("surf.jsonl", surfboards)
	first := b.ended(b.begin(`{"dataset":"surf.jsonl"}`))
	b.put(surfPoints, "", `[{"text":"free"}]`).want(t, 200)
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
	d, err := b.server.datasetWith(t.Context(), "surf.jsonl", read[page[datasetVersion]](t,
		b.do("GET", "/api/v1/datasets/surf.jsonl/versions", nil).want(t, 200)).Items[1].Hash)
	if err != nil || d.kept.Info.Version != 1 || !d.former {
		t.Errorf("by the hash: %+v, %v", d, err)
	}
}

// TestTwoEditorsOfPoints: the second of two is told what the first wrote, and editors of two cases do not disturb each other.
func TestTwoEditorsOfPoints(t *testing.T) {
	b := start(t)
	b.uploaded("surf.jsonl", surfboards)
	tag := b.do("GET", surfPoints, nil).want(t, 200).Header.Get("ETag")
	b.put("/api/v1/datasets/surf.jsonl/cases/q2/points", `"none"`, `[{"text":"only on a leash","vital":true}]`).want(t, 200)
	b.put(surfPoints, tag, `[{"text":"first"}]`).want(t, 200)
	g := b.put(surfPoints, tag, `[{"text":"second"}]`).want(t, 412)
	if !strings.Contains(g.text, "by me, version 3 of the dataset") || !strings.Contains(g.text, `"first"`) {
		t.Errorf("the second editor is told %s", g.text)
	}
	v := read[pointsView](t, b.do("GET", surfPoints, nil).want(t, 200))
	if len(v.Points) != 1 || v.Points[0].Text != "first" || v.Version != 3 {
		t.Errorf("%+v", v)
	}
	// Of many at once with the same ETag, one is kept, and the others are told.
	tag = b.do("GET", surfPoints, nil).want(t, 200).Header.Get("ETag")
	var all sync.WaitGroup
	codes := make([]int, 8)
	for i := range codes {
		all.Go(func() { codes[i] = b.put(surfPoints, tag, fmt.Sprintf(`[{"text":"editor %d"}]`, i)).StatusCode })
	}
	all.Wait()
	slices.Sort(codes)
	l := read[page[datasetVersion]](t, b.do("GET", "/api/v1/datasets/surf.jsonl/versions", nil).want(t, 200))
	if l.Total != 4 || codes[0] != 200 || codes[1] != 412 || codes[7] != 412 {
		t.Errorf("%d versions after %v, want 4", l.Total, codes)
	}
}

func TestPointsThatAreRefused(t *testing.T) {
	b := start(t, withRivers(t))
	b.uploaded("surf.jsonl", surfboards)
	for _, c := range []struct {
		path, points string
		status       int
		says         string
	}{
		{surfPoints, `[{"text":"a"},{"text":" "}]`, 400, "body.points[1].text"},
		{surfPoints, `[{"text":"a"},{"text":"a"}]`, 400, "says the same as point 1"},
		{surfPoints, `[{"text":"a","passage":"p9"}]`, 400, "body.points[0].passage"},
		{surfPoints, `[` + strings.Repeat(`{"text":"a"},`, 100) + `{"text":"a"}]`, 400, "100"},
		{"/api/v1/datasets/surf.jsonl/cases/q9/points", `[]`, 404, "q9"},
		{"/api/v1/datasets/no.jsonl/cases/q1/points", `[]`, 404, "no.jsonl"},
		{"/api/v1/datasets/..%2Fx/cases/q1/points", `[]`, 404, ""},
		{"/api/v1/datasets/rivers.jsonl/cases/q1/points", `[]`, 409, "folder"},
	} {
		if g := b.put(c.path, "", c.points).want(t, c.status); !strings.Contains(g.text, c.says) {
			t.Errorf("%s %s: %s, want %q in it", c.path, c.points, g.text, c.says)
		}
	}
	b.uploaded("table.csv", "question,ground_truth,contexts,answer\nWhy?,because,[],So.\n")
	if g := b.put("/api/v1/datasets/table.csv/cases/1/points", "", `[{"text":"a"}]`); g.StatusCode == http.StatusOK {
		t.Errorf("recorded responses are lost: %s", g.text)
	}
}
