package server

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
)

// TestFiltersOfComparisons: changes, draws and labels are terms of the filters of a
// comparison, for the API and the page; labels of those of a run; what a label changes is
// seen at once.
func TestFiltersOfComparisons(t *testing.T) {
	b := start(t)
	b.stored("a", "11000")
	b.stored("b", "10101")
	for draw, value := range []float64{1, 0} {
		r := assay.Record{Seq: 5 + draw, Attempts: 1, Case: assay.Case{ID: "q5", Question: "What?"}, Response: &assay.Response{Answer: "b says"},
			Scores: map[string]assay.Score{"hit@1": assay.Value(value), "mrr": assay.Value(value)}}
		if draw > 0 {
			r.Case = r.Case.Repeated(draw)
		}
		if err := b.store.Put(t.Context(), "b", r); err != nil {
			t.Fatal(err)
		}
	}
	label := func(id string, value any) {
		t.Helper()
		body := map[string]any{"run_id": "b", "case_id": id, "metric": "hit@1", "how": "random"}
		if value == nil {
			body["unsure"] = true
		} else {
			body["value"] = value
		}
		b.do("POST", "/api/v1/labels", body).want(t, 201)
	}
	check := func(q string, want ...string) {
		t.Helper()
		of := url.Values{"runs": {"a,b"}, "q": {q}}.Encode()
		l := read[page[pairedCase]](t, b.do("GET", "/api/v1/comparisons/cases?"+of, nil).want(t, 200))
		var got []string
		for _, c := range l.Items {
			got = append(got, c.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", q, got, want)
		}
		names, _ := rowsOf(b.see("/compare?view=matrix&sort=dataset&" + of))
		if !slices.Equal(names, want) {
			t.Errorf("%s: the page has %q, want %q", q, names, want)
		}
	}
	check("delta(hit@1)<0", "q1")
	check("delta(hit@1)>0 -delta(mrr)>0.4", "q2")
	check("delta(mrr):none", "q5")
	check("flaky:yes", "q5")
	check("flaky:no delta(hit@1)=0", "q0", "q3")
	check("label:none", "q0", "q1", "q2", "q3", "q4", "q5")
	label("q0", 0)
	label("q1", 1)
	label("q2", nil)
	check("label:wrong", "q0")
	check("label:right,unsure", "q1", "q2")
	check("label:none", "q3", "q4", "q5")
	label("q0", 1)
	check("label:wrong")
	for _, q := range []string{"label:right", "label:right status:ok"} {
		l := read[page[caseView]](t, b.do("GET", "/api/v1/runs/b/cases?"+url.Values{"q": {q}}.Encode(), nil).want(t, 200))
		names, _ := rowsOf(b.see("/runs/b/cases?" + url.Values{"q": {q}}.Encode()))
		if l.Total != 2 || len(names) != 2 {
			t.Errorf("%s: %d cases of the run, the page has %q", q, l.Total, names)
		}
	}
	for q, want := range map[string]string{"delta(hti@1)<0": "share no metric", "delta(mrr)~x": "expected a number", "label:wrng": "did you mean"} {
		of := url.Values{"runs": {"a,b"}, "q": {q}}.Encode()
		if g := b.do("GET", "/api/v1/comparisons/cases?"+of, nil); g.StatusCode != 400 || !strings.Contains(g.text, want) {
			t.Errorf("%s: %d %s", q, g.StatusCode, g.text)
		}
		if text := b.see("/compare?view=matrix&" + of); !strings.Contains(text, want) || !strings.Contains(text, `aria-invalid="true"`) {
			t.Errorf("%s: the page does not say %q", q, want)
		}
	}
	b.do("GET", "/api/v1/comparisons/cases?runs=b,a&q=flaky:yes", nil).want(t, 200)
	for q, want := range map[string]string{"flaky:yes": "cases of one run", "delta(mrr)<0": "cases of one run"} {
		of := url.Values{"q": {q}}.Encode()
		if g := b.do("GET", "/api/v1/runs/b/cases?"+of, nil); g.StatusCode != 400 || !strings.Contains(g.text, want) {
			t.Errorf("%s of one run: %d %s", q, g.StatusCode, g.text)
		}
		if text := b.see("/runs/b/cases?" + of); !strings.Contains(text, want) {
			t.Errorf("%s of one run: the page does not say %q", q, want)
		}
	}
}

// TestPeopleDisagree: the cases of which a label contradicts the score of the run, or another
// label, are a class, if there are labels; a label that changes is seen at once.
func TestPeopleDisagree(t *testing.T) {
	b := start(t)
	b.stored("a", "110001")
	b.stored("b", "101010")
	if text := b.see("/compare?runs=a,b&view=matrix&class=disagree"); strings.Contains(text, "People disagree") || strings.Contains(text, "aria-invalid") {
		t.Error("without labels people disagree")
	}
	label := func(id, who string, value float64) {
		t.Helper()
		b.do("POST", "/api/v1/labels", map[string]any{"run_id": "b", "case_id": id, "metric": "hit@1", "how": "random", "annotator": who, "value": value}).want(t, 201)
	}
	check := func(want ...string) {
		t.Helper()
		address := "/compare?runs=a,b&view=matrix&sort=dataset&class=disagree"
		names, _ := rowsOf(b.see(address))
		got, total := b.compared("runs=a,b&class=disagree")
		for i := range got {
			got[i], _, _ = strings.Cut(got[i], " ")
		}
		chip := fmt.Sprintf(`>People disagree <b>%d</b>`, len(want))
		if !slices.Equal(names, want) || !slices.Equal(got, want) || total != len(want) || !strings.Contains(b.see(address), chip) {
			t.Errorf("the page has %q, the API %q, want %q", names, got, want)
		}
	}
	label("q0", "ann", 1)
	check()
	label("q1", "ann", 1) // the run has 0
	label("q2", "ann", 1)
	check("q1")
	label("q2", "ben", 0) // whom ann contradicts
	check("q1", "q2")
	label("q1", "ann", 0)
	check("q2")
	if names, _ := rowsOf(b.see("/compare?runs=b,a&view=matrix&class=disagree")); len(names) != 6 {
		t.Errorf("labels of the baseline: %q", names)
	}
}
