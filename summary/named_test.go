package summary_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// Scores that compare names stand only if the target's names are those of the labels.
func TestNamed(t *testing.T) {
	t.Parallel()
	metrics := []assay.MetricInfo{
		{Name: "recall@5", Documents: assay.ByDocuments, Weight: 0.5}, {Name: "chunk_recall", Documents: assay.ByPassages},
		{Name: "lost_at.retrieve", Documents: assay.ByFacts}, {Name: "token_f1", Weight: 0.5}, {Name: assay.CompositeName},
	}
	for _, c := range []struct {
		name    string
		cases   int
		passage func(i int) assay.Passage
		corpus  bool
		hint    string
	}{
		{"ids of one case", 1, func(int) assay.Passage { return assay.Passage{ID: "u1"} }, false, "read.document"},
		{"the id of another case's document", 2, func(i int) assay.Passage { return assay.Passage{ID: fmt.Sprintf("d%d#1", 1-i)} }, false, ""},
		{"the wrong documents of few cases", 4, func(int) assay.Passage { return assay.Passage{Document: "x"} }, false, ""},
		{"unknown documents of many cases", 5, func(int) assay.Passage { return assay.Passage{Document: "x"} }, false, "--set document-map"},
		{"of a known corpus", 5, func(int) assay.Passage { return assay.Passage{Document: "x"} }, true, ""},
		{"titles", 1, func(int) assay.Passage { return assay.Passage{ID: "u1", Title: "d0 - title"} }, false, `titles such as "d0 - title" begin with labels, and names do not`},
		{"longer names", 1, func(int) assay.Passage { return assay.Passage{ID: "d0 - x", Title: "d0"} }, false, `names such as "d0 - x" begin with labels`},
		{"one case that names its document", 5, func(i int) assay.Passage { return assay.Passage{ID: fmt.Sprintf("d%d", i*i*i)} }, false, ""},
	} {
		var records []assay.Record
		for i := range c.cases {
			scores := map[string]assay.Score{}
			for _, m := range metrics {
				scores[m.Name] = assay.Value(0)
			}
			records = append(records, assay.Record{
				Seq: i, Scores: scores,
				Case:     assay.Case{ID: fmt.Sprint(i), Want: assay.Want{Documents: map[string]int{fmt.Sprintf("d%d", i): 1}}},
				Response: &assay.Response{Passages: []assay.Passage{c.passage(i)}},
				Attribution: &assay.Attribution{
					Failed: true, Stage: assay.StageRetrieve, Facts: []assay.Fact{{ID: "d", Lost: assay.StageRetrieve}},
				},
			})
		}
		got := named(t, metrics, records, c.corpus)
		for _, m := range metrics {
			s := got[0].Scores[m.Name]
			none := c.hint != "" && m.Name != "token_f1"
			if none != (s.State == assay.NotApplicable) || none && !strings.Contains(s.Reason, c.hint) {
				t.Errorf("%s: %s is %v %q", c.name, m.Name, s.State, s.Reason)
			}
		}
		if (got[0].Attribution == nil) != (c.hint != "") {
			t.Errorf("%s: attribution %v", c.name, got[0].Attribution)
		}
		if records[0].Scores["recall@5"].State != assay.Scored || records[0].Attribution == nil {
			t.Errorf("%s: the given records changed", c.name)
		}
	}
}

// A filter may drop every labelled chunk: the retriever's list names them.
func TestNamedByAnyStage(t *testing.T) {
	t.Parallel()
	record := assay.Record{
		Case: assay.Case{Want: assay.Want{Documents: map[string]int{"d1#0": 1}}},
		Response: &assay.Response{Passages: []assay.Passage{{ID: "d5#1"}}, Trace: &assay.Trace{Stages: []assay.Stage{
			{Name: assay.StageRetrieve, Output: []byte(`[{"id": "d1#0"}, {"id": "d5#1"}]`)},
			{Name: assay.StageFilter, Output: []byte(`[{"id": "d5#1"}]`)},
		}}},
		Attribution: &assay.Attribution{Failed: true, Stage: assay.StageFilter, Facts: []assay.Fact{{ID: "d1#0", Lost: assay.StageFilter}}},
	}
	other := assay.Record{Case: record.Case, Response: &assay.Response{Passages: []assay.Passage{{ID: "d5#1"}}}}
	for name, records := range map[string][]assay.Record{"alone": {record}, "after others": {other, record}} {
		if got := named(t, nil, records, false); got[len(got)-1].Attribution == nil {
			t.Errorf("%s: nothing is followed", name)
		}
	}
	record.Response.Passages, other.Attribution = nil, record.Attribution
	if got := named(t, nil, []assay.Record{record, other}, false); got[1].Attribution == nil {
		t.Error("everything dropped: nothing is followed")
	}
}

func named(t *testing.T, metrics []assay.MetricInfo, records []assay.Record, corpus bool) (out []assay.Record) {
	t.Helper()
	why, err := summary.Unnamed(func(yield func(assay.Record, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
	}, corpus)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if why != "" {
			r = summary.Unname(metrics, r, why)
		}
		out = append(out, r)
	}
	return out
}

// Of few cases, names that differ from labels in their form alone are not compared, and other
// names may just be of the wrong documents.
func TestNamedOfFewCases(t *testing.T) {
	t.Parallel()
	metrics := []assay.MetricInfo{{Name: "recall@5", Documents: assay.ByDocuments}}
	for name, want := range map[string]assay.State{
		"doc1.txt": assay.NotApplicable, "DOC1": assay.NotApplicable, "a/doc1.md": assay.NotApplicable, "doc2": assay.Scored, "doc1": assay.Scored,
	} {
		for _, corpus := range []bool{false, true} {
			var records []assay.Record
			for _, document := range []string{"other", name} {
				records = append(records, assay.Record{
					Case:     assay.Case{Want: assay.Want{Documents: map[string]int{"doc1": 1, "doc9": 0}}},
					Response: &assay.Response{Passages: []assay.Passage{{Document: document}}},
					Scores:   map[string]assay.Score{"recall@5": assay.Value(0)},
				})
			}
			if corpus {
				want = assay.Scored
			}
			for _, r := range named(t, metrics, records, corpus) {
				if s := r.Scores["recall@5"]; s.State != want || want != assay.Scored && !strings.Contains(s.Reason, `"doc1`) && !strings.Contains(s.Reason, name) {
					t.Errorf("%s with a corpus %v: %v %s, want %v", name, corpus, s.State, s.Reason, want)
				}
			}
		}
	}
}

// Labelled texts are found by their words, whatever the documents are called.
func TestNamedKeepsTexts(t *testing.T) {
	t.Parallel()
	metrics := []assay.MetricInfo{{Name: "chunk_recall", Documents: assay.ByPassages}, {Name: "lost_at.retrieve", Documents: assay.ByFacts}}
	record := assay.Record{
		Case:        assay.Case{Want: assay.Want{Documents: map[string]int{"d": 1}, Passages: []string{"a text"}}},
		Response:    &assay.Response{Passages: []assay.Passage{{ID: "u"}}},
		Scores:      map[string]assay.Score{"chunk_recall": assay.Value(1), "lost_at.retrieve": assay.Value(1)},
		Attribution: &assay.Attribution{Failed: true, Facts: []assay.Fact{{Text: "a text", Lost: assay.StageRetrieve}}},
	}
	got := named(t, metrics, []assay.Record{record}, false)[0]
	if got.Scores["chunk_recall"].State != assay.Scored || got.Scores["lost_at.retrieve"].State != assay.Scored ||
		len(got.Attribution.Facts) != 1 {
		t.Errorf("%+v", got)
	}
	// A ladder shows what it does without names.
	record.Attribution = &assay.Attribution{
		Failed: true, Stage: assay.StageRetrieve, Facts: []assay.Fact{{ID: "d", Lost: assay.StageRetrieve}}, Ladder: &assay.Ladder{},
	}
	got = named(t, metrics, []assay.Record{record}, false)[0]
	if a := got.Attribution; a == nil || a.Stage != assay.StageRetrieve || a.Facts != nil {
		t.Errorf("%+v", a)
	}
}

func TestAlike(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		label, passage string
		want           bool
	}{
		{"Geb\u00fchren.md", "Gebu\u0308hren.md", true}, {"0B5C-aa", "0b5c-AA#3", true}, {"docs/a.md", "a.md", true}, {"007", "7", true},
		{"docs/a.md", "other/a.md", false}, {"a.md", "b.md", false}, {"a.md", "docs/a.md", false}, {"", "0", false},
		{"doc1", "doc1.txt", true}, {"doc1.txt", "doc1", true}, {"docs/doc1.txt", "doc1", true}, {"doc1", "other/doc1.PDF", true}, {"doc1.txt", "Doc1_3", true},
		{"a.md#3", "a.md#4", false}, {"a.md#3", "a.md#30", false}, {"a.md#3", "A.md#3", true}, {"https://a.io/b?p=1", "https://a.io/b?p=2", false},
		{"doc1.md", "doc1.txt", false}, {"v1", "v1.2", false}, {"ASP", "ASP.NET", false}, {"docs/doc1", "other/doc1.txt", false},
		{"https://a.io/b", "https://a.io/b/", true}, {"https://a.io/b", "http://www.a.io/b?utm_source=c", true}, {"https://a.io/b/", "https://a.io/b/index.html", true},
		{"docs/a.md", `C:\data\docs\a.md`, true}, {"docs/a.md", "file:///srv/docs/a.md", true},
		{"/srv/docs/a.md", "docs/a.md", true}, {"old_town.md", "old-town.md", true}, {"new town.md", "new_town.md", true}, {"a.html", "a.htm", true},
		{"https://a.io/b", "https://a.io/c", false}, {"https://a.io/b", "https://c.io/b", false}, {"docs/a.md", "src/mydocs/a.md", false},
		{"C# Guide.pdf", "C.pdf", false}, {"C#", "C# Guide.pdf", false}, {"x#2", "x", false}, {"cards.md#3", "cards.md#4", false}, {"faq", "faq?.md", false},
		{"https://a.io/b#c", "http://a.io/b", true}, {"Q&amp;A.md", "Q&A.md", true}, {"a%26b.md", "a&b.md", true}, {"C# Guide.pdf", "c#-guide.pdf", true}, {"a b.md", "a-b.md?v=2", true},
		{"returns.md", "returns.md ", true}, {"4f2b9c1e8a774d0b9b1e2f6d0c9a1111", "4f2b9c1e-8a77-4d0b-9b1e-2f6d0c9a1111", true}, {"chunk:42", "42", true},
		{"chunk:42", "43", false}, {"order:42", "42", false},
	} {
		r := assay.Record{
			Case:     assay.Case{Want: assay.Want{Documents: map[string]int{c.label: 1}}},
			Response: &assay.Response{Passages: []assay.Passage{{ID: c.passage}}},
		}
		if got := summary.Alike(&r); (got != nil) != c.want {
			t.Errorf("%q, %q: %q", c.label, c.passage, got)
		}
	}
	r := assay.Record{
		Case:     assay.Case{Want: assay.Want{Documents: map[string]int{"art-7": 1, "art-7-1": -1}}},
		Response: &assay.Response{Passages: []assay.Passage{{ID: "art-7-1"}}},
	}
	if got := summary.Alike(&r); got != nil {
		t.Errorf("another document: %q", got)
	}
}
