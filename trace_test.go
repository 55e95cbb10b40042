package assay_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
)

func chunk(doc string, index int, text string) assay.Passage {
	return assay.Passage{ID: doc + "#" + string(rune('0'+index)), Document: doc, Index: index, Text: text}
}

func output(v any) json.RawMessage {
	b, _ := json.Marshal(v)
	return b
}

// staged is a response with two sub-questions: a#0 was kept, b#1 was dropped by
// the filter, and a#2 did not fit the prompt.
func staged() *assay.Response {
	a0, b1, a2 := chunk("a", 0, "first"), chunk("b", 1, "dropped"), chunk("a", 2, "left out")
	bare := func(p assay.Passage, score float64) assay.Passage {
		p.Text, p.Score = "", score
		return p
	}
	return &assay.Response{
		Answer: "yes", Passages: []assay.Passage{a0, a2},
		Trace: &assay.Trace{Stages: []assay.Stage{
			{Name: assay.StageTranscribe, Input: output("q.wav"), Output: output("what and why")},
			{Name: assay.StageDecompose, Output: output([]string{"what", "why"})},
			{Name: assay.StageRetrieve, SubQuestion: 1, Output: output([]assay.Passage{bare(a0, 3), b1})},
			{Name: assay.StageRetrieve, SubQuestion: 2, Output: output([]assay.Passage{bare(a2, 2), bare(a0, 1)})},
			{Name: assay.StageFilter, SubQuestion: 1, Output: output([]assay.Passage{bare(a0, 9)})},
			{Name: assay.StageFilter, SubQuestion: 2, Output: output([]assay.Passage{bare(a2, 8)})},
			{Name: assay.StageGenerate, Input: output([]assay.Passage{bare(a0, 9)}), Output: output("yes")},
		}},
	}
}

func TestTraceTellsWhatEachStagePutOut(t *testing.T) {
	r := staged()
	if text, ok := r.Transcript(); text != "what and why" || !ok {
		t.Errorf("transcript %q, %v", text, ok)
	}
	if qs, ok := r.SubQuestions(); !ok || len(qs) != 2 || qs[1] != "why" {
		t.Errorf("sub-questions %q, %v", qs, ok)
	}
	ids := func(ps []assay.Passage, ok bool) (out []string) {
		if !ok {
			return []string{"not told"}
		}
		for _, p := range ps {
			out = append(out, p.ID+":"+p.Text)
		}
		return out
	}
	for name, test := range map[string]struct{ got, want []string }{
		// The first of each sub-question comes before the second of any; a#0
		// keeps its best rank.
		"retrieve": {ids(r.StagePassages(assay.StageRetrieve)), []string{"a#0:first", "a#2:left out", "b#1:dropped"}},
		"filter":   {ids(r.StagePassages(assay.StageFilter)), []string{"a#0:first", "a#2:left out"}},
		"given":    {ids(r.Given()), []string{"a#0:first"}},
		"unknown":  {ids(r.StagePassages("rerank")), []string{"not told"}},
	} {
		if diff := cmp.Diff(test.want, test.got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	each, _ := r.StagePassagesEach(assay.StageRetrieve)
	if len(each) != 2 || each[1][1].ID != "a#0" || each[1][1].Score != 1 || each[1][1].Text != "first" {
		t.Errorf("the second sub-question's passages are %+v", each)
	}
}

// Filters that follow each other keep what the last one keeps; those of several sub-questions
// keep what each keeps.
func TestLastFilterCounts(t *testing.T) {
	a, b, c := chunk("a", 0, "first"), chunk("b", 0, "second"), chunk("c", 0, "third")
	stage := func(name string, n int, ps ...assay.Passage) assay.Stage {
		return assay.Stage{Name: name, SubQuestion: n, Output: output(append([]assay.Passage{}, ps...))}
	}
	const retrieve, filter = assay.StageRetrieve, assay.StageFilter
	for name, test := range map[string]struct {
		stages []assay.Stage
		want   string
	}{
		"rerank, filter":         {[]assay.Stage{stage(retrieve, 0, a, b, c), stage(filter, 0, a, b), stage(filter, 0, b)}, "b"},
		"the last keeps none":    {[]assay.Stage{stage(retrieve, 0, a, b), stage(filter, 0, a), stage(filter, 0)}, ""},
		"the last is unknown":    {[]assay.Stage{stage(retrieve, 0, a, b), stage(filter, 0, a), {Name: filter}}, "a"},
		"two searches, then":     {[]assay.Stage{stage(retrieve, 1, a), stage(retrieve, 2, b), stage(filter, 0, a, b), stage(filter, 0, b)}, "b"},
		"each of a search":       {[]assay.Stage{stage(retrieve, 0, a), stage(retrieve, 0, b), stage(filter, 0, a), stage(filter, 0, b)}, "ab"},
		"after each search":      {[]assay.Stage{stage(retrieve, 0, a, b), stage(filter, 0, a), stage(retrieve, 0, a, c), stage(filter, 0, a)}, "a"},
		"two of each question":   {[]assay.Stage{stage(filter, 1, a, b), stage(filter, 1, a), stage(filter, 2, b, c), stage(filter, 2, c)}, "ac"},
		"each, then all at once": {[]assay.Stage{stage(filter, 1, a), stage(filter, 2, b), stage(filter, 0, b)}, "b"},
	} {
		got := ""
		ps, ok := (&assay.Response{Trace: &assay.Trace{Stages: test.stages}}).StagePassages(filter)
		for _, p := range ps {
			got += p.Document
		}
		if !ok {
			got = "unknown"
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestTraceThatTellsNothing(t *testing.T) {
	empty := output([]assay.Passage{})
	for name, test := range map[string]struct {
		r  *assay.Response
		ok bool
	}{
		"no response": {nil, false},
		"no trace":    {&assay.Response{}, false},
		"no output":   {&assay.Response{Trace: &assay.Trace{Stages: []assay.Stage{{Name: assay.StageRetrieve}}}}, false},
		"null": {&assay.Response{Trace: &assay.Trace{Stages: []assay.Stage{{Name: assay.StageRetrieve, Output: output(nil)}}}},
			false},
		"a text": {&assay.Response{Trace: &assay.Trace{Stages: []assay.Stage{{Name: assay.StageRetrieve, Output: output("x")}}}},
			false},
		"nothing retained": {&assay.Response{Trace: &assay.Trace{Stages: []assay.Stage{{Name: assay.StageRetrieve, Output: empty}}}}, true},
	} {
		ps, ok := test.r.StagePassages(assay.StageRetrieve)
		if ok != test.ok || len(ps) != 0 || ok && ps == nil {
			t.Errorf("%s: %v, %v", name, ps, ok)
		}
		if _, ok := test.r.Transcript(); ok {
			t.Errorf("%s: has a transcript", name)
		}
		if _, ok := test.r.SubQuestions(); ok {
			t.Errorf("%s: has sub-questions", name)
		}
	}
}

func TestSamePassage(t *testing.T) {
	for _, test := range []struct {
		p, q assay.Passage
		want bool
	}{
		{assay.Passage{ID: "a"}, assay.Passage{ID: "a", Text: "other"}, true},
		{assay.Passage{ID: "a", Text: "same"}, assay.Passage{ID: "b", Text: "same"}, false},
		{assay.Passage{Document: "d", Index: 1}, assay.Passage{Document: "d", Index: 1, ID: "x"}, true},
		{assay.Passage{Document: "d", Index: 1}, assay.Passage{Document: "d", Index: 2}, false},
		{assay.Passage{Text: " same\n"}, assay.Passage{Text: "same"}, true},
		{assay.Passage{}, assay.Passage{}, false},
	} {
		if got := test.p.Same(test.q); got != test.want || test.q.Same(test.p) != test.want {
			t.Errorf("%+v and %+v: %v", test.p, test.q, got)
		}
	}
}

// What Interleave gives is what the definition says, written the slow way.
func TestInterleaveIsByRankThenByList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		passage := rapid.Custom(func(t *rapid.T) assay.Passage {
			p := assay.Passage{Document: rapid.SampledFrom([]string{"a", "b", ""}).Draw(t, "document"), Index: rapid.IntRange(0, 2).Draw(t, "index"),
				Text: rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "text")}
			if rapid.Bool().Draw(t, "named") {
				p.ID = p.Document + "#" + p.Text
			}
			return p
		})
		lists := rapid.SliceOfN(rapid.SliceOfN(passage, 0, 6), 0, 3).Draw(t, "lists")
		want := []assay.Passage{}
		for rank := range 6 {
			for _, l := range lists {
				if rank >= len(l) {
					continue
				}
				there := false
				for _, p := range want {
					there = there || p.Same(l[rank])
				}
				if !there {
					want = append(want, l[rank])
				}
			}
		}
		if diff := cmp.Diff(want, assay.Interleave(lists)); diff != "" {
			t.Fatal(diff)
		}
	})
}
