package stage_test

import (
	"slices"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric/stage"
)

// traced is a response of a retriever and a generator that reads all it gets.
func traced(answer string, passages ...assay.Passage) *assay.Response {
	return &assay.Response{Answer: answer, Passages: passages, Trace: &assay.Trace{Stages: []assay.Stage{
		{Name: assay.StageRetrieve, Output: raw(passages)}, {Name: assay.StageGenerate, Input: raw(passages), Output: raw(answer)},
	}}}
}

func chunkOf(id, s string) assay.Passage { return assay.Passage{ID: id, Document: "d", Text: s} }

// What is followed, how it is found in passages, and when an answer has it.
func TestFacts(t *testing.T) {
	t.Parallel()
	ideal := func(points ...assay.Point) assay.Want { return assay.Want{Ideal: &assay.Ideal{Points: points}} }
	const gold = "The lake is forty metres deep at its western end, near the old mill."
	for _, test := range []struct {
		name  string
		want  assay.Want
		r     *assay.Response
		lost  []string
		match []string
	}{
		{"vital points alone, by their passage and by their words",
			ideal(assay.Point{Text: "the lake is 40 metres deep", Vital: true, Passage: "p1"},
				assay.Point{Text: "a mill stood beside it", Vital: true}, assay.Point{Text: "it froze in 1963"}),
			traced("The lake is 40 metres deep. A mill stood beside it.", chunkOf("p1", "Depth: forty."),
				chunkOf("p2", "An old mill stood there beside the water.")),
			[]string{"", ""}, []string{"id", "text"}},
		{"all points where none is vital", ideal(assay.Point{Text: "the lake is 40 metres deep"}),
			traced("It is 41 metres deep, the lake.", chunkOf("p", "The lake is 40 metres deep.")), []string{assay.StageGenerate}, []string{"text"}},
		{"points by the passage that they were taken from",
			assay.Want{Ideal: &assay.Ideal{Points: []assay.Point{{Text: "very deep", Vital: true, Passage: "g1"}},
				Passages: []assay.Passage{{ID: "g1", Text: gold}}}},
			traced("It is very deep.", chunkOf("other", "Note. "+gold+" End.")), []string{""}, []string{"text"}},
		{"Chinese points", ideal(assay.Point{Text: "湖深四十米", Vital: true}, assay.Point{Text: "磨坊在西岸", Vital: true}),
			traced("據記載，湖深四十米。", chunkOf("p", "該湖深四十米左右，磨坊在湖的東岸。")),
			[]string{"", assay.StageRetrieve}, []string{"text", ""}},
		{"passages before documents, contained or covered by half",
			assay.Want{Passages: []string{gold, "Nothing of this is anywhere in the corpus at all."}, Documents: map[string]int{"d": 1},
				Answers: []string{"forty metres"}},
			traced("Forty metres.", chunkOf("p", "So: the lake is forty metres deep at its western en")), []string{"", assay.StageRetrieve},
			[]string{"text", ""}},
		{"documents from grade 1, also by their file's name",
			assay.Want{Documents: map[string]int{"a.md": 2, "b.md": 1, "c.md": 0}, Answers: []string{"x1"}},
			traced("It is x1.", assay.Passage{ID: "1", Source: "docs/b.md", Text: "x1"}), []string{assay.StageRetrieve, ""}, []string{"", "text"}},
		{"keywords last", assay.Want{Keywords: []string{"iron|steel", "1889", " | "}},
			traced("Of steel.", chunkOf("p", "Iron, in 1889.")), []string{"", assay.StageGenerate}, []string{"text", "text"}},
		{"without reference or keywords, a citation or a stretch of text will do", assay.Want{Documents: map[string]int{"d": 1}},
			traced("As it says [1].", chunkOf("p", gold)), []string{""}, []string{"document"}},
		{"neither", assay.Want{Documents: map[string]int{"d": 1}}, traced("Who knows [2].", chunkOf("p", gold)), nil, nil},
		{"an empty answer has nothing", assay.Want{Documents: map[string]int{"d": 1}, Answers: []string{"forty"}},
			traced(" ", chunkOf("p", gold)), []string{assay.StageGenerate}, []string{"text"}},
		{"a long reference in other words",
			assay.Want{Documents: map[string]int{"d": 1},
				Answers: []string{"The lake is, at its western end and near the mill that stood there, some 40 metres deep in summer."}},
			traced("Near the mill at its western end, where it stood, the lake is 40 metres deep in summer.", chunkOf("p", gold)), []string{""},
			[]string{"document"}},
		{"with another number", assay.Want{Documents: map[string]int{"d": 1},
			Answers: []string{"The lake is, at its western end and near the mill that stood there, some 40 metres deep in summer."}},
			traced("Near the mill at its western end, where it stood, the lake is 45 metres deep in summer.", chunkOf("p", gold)), nil, nil},
	} {
		at := explained(t, &assay.Case{ID: "c", Question: "?", Want: test.want}, test.r, stage.Options{}, nil)
		var match []string
		for _, f := range at.Facts {
			match = append(match, f.Match)
		}
		if got := lostOf(at); !slices.Equal(got, test.lost) || !slices.Equal(match, test.match) {
			t.Errorf("%s: lost %q by %q, want %q by %q", test.name, got, match, test.lost, test.match)
		}
	}
	for _, w := range []assay.Want{{}, {Answers: []string{"forty"}}, {Documents: map[string]int{"d": 0}}, {Passages: []string{}},
		{Ideal: &assay.Ideal{}}} {
		c := &assay.Case{ID: "c", Question: "?", Want: w}
		if at := explained(t, c, traced("forty", chunkOf("p", gold)), stage.Options{Untraced: true}, nil); at != nil {
			t.Errorf("%+v: nothing can be followed: %+v", w, at)
		}
	}
}

// Of a document in several chunks, those that hold the answer carry it.
func TestBearingChunks(t *testing.T) {
	t.Parallel()
	p := &pipe{corpus: []assay.Passage{
		{ID: "d#0", Document: "d", Text: "Of lakes in general."}, {ID: "d#1", Document: "d", Index: 1, Text: "It is forty metres deep."},
		{ID: "e#0", Document: "e", Text: "Other things."},
	}}
	c := &assay.Case{ID: "c", Question: "?", Want: assay.Want{Documents: map[string]int{"d": 1}, Answers: []string{"forty metres"}}}
	at := explained(t, c, traced("I do not know.", p.corpus[0]), stage.Options{Index: p}, nil)
	if at.Stage != assay.StageRetrieve || at.Evidence != "none of the 1 passages retrieved has it, as d#1 does" {
		t.Errorf("%+v", at)
	}
	at = explained(t, c, traced("I do not know.", p.corpus[1]), stage.Options{Index: p}, nil)
	if at.Stage != assay.StageGenerate {
		t.Errorf("%+v", at)
	}
}

// What the judge said of an answer counts before its words.
func TestJudged(t *testing.T) {
	t.Parallel()
	follow := func(w assay.Want, said *judge.Assessment, answer string) *assay.Attribution {
		c := &assay.Case{ID: "c", Question: "?", Want: w}
		r := traced(answer, chunkOf("p", "The lake is 40 metres deep, they say. It froze in 1963."))
		at, err := stage.New(stage.Options{}).Follow(t.Context(), c, r, said)
		if err != nil || at == nil {
			t.Fatal(at, err)
		}
		return at
	}
	w := assay.Want{Ideal: &assay.Ideal{Points: []assay.Point{{Text: "the lake is 40 metres deep", Vital: true},
		{Text: "it froze in 1963", Vital: true}}}}
	said := &judge.Assessment{}
	question.Points.Set(said, judge.Known([]judge.Assignment{{Known: true, Credit: 1}, {Known: true, Credit: 0.5}}))
	at := follow(w, said, "Two score metres; and it froze in 1963.")
	if got := lostOf(at); !slices.Equal(got, []string{"", assay.StageGenerate}) || at.Facts[0].Match != "judge" {
		t.Errorf("%+v", at.Facts)
	}
	// What was generated and not shown, the judge has not seen.
	c := &assay.Case{ID: "c", Question: "?", Want: w}
	r := traced("The lake is 40 metres deep. It froze in 1963.", chunkOf("p", "The lake is 40 metres deep, they say. It froze in 1963."))
	r.Answer = "The lake is 40 metres deep."
	at, err := stage.New(stage.Options{}).Follow(t.Context(), c, r, said)
	if err != nil || !slices.Equal(lostOf(at), []string{"", assay.LostPresent}) {
		t.Errorf("%+v, %v", at, err)
	}
	// A ruling that is missing leaves it to the words.
	question.Points.Set(said, judge.Known([]judge.Assignment{{}, {}}))
	if got := lostOf(follow(w, said, "it froze in 1963")); !slices.Equal(got, []string{assay.StageGenerate, ""}) {
		t.Errorf("%q", got)
	}
	w = assay.Want{Documents: map[string]int{"d": 1}, Answers: []string{"40 metres"}}
	said = &judge.Assessment{}
	question.Equivalence.Set(said, judge.Known(judge.Ruling{Holds: true, Degree: 1}))
	if got := lostOf(follow(w, said, "two score metres")); !slices.Equal(got, []string{""}) {
		t.Errorf("%q", got)
	}
	question.Equivalence.Set(said, judge.Known(judge.Ruling{}))
	if got := lostOf(follow(w, said, "not 40 metres")); !slices.Equal(got, []string{assay.StageGenerate}) {
		t.Errorf("%q", got)
	}
}
