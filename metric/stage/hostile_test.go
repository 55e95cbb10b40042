package stage_test

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric/stage"
)

// Inputs that a careless search by text, or by ids, is misled by.
func TestHostileEvidence(t *testing.T) {
	t.Parallel()
	const (
		head = "Tenants may move in from the first day of the month of June. "
		tail = "The deposit is forty dollars and is paid back within thirty days."
		zh   = "租客可於六月首日遷入有關單位並須出示身份證明文件。"
		zh2  = "按金為四十元，於退租後三十日內全數退還予租客本人。"
	)
	passages := func(texts ...string) assay.Want { return assay.Want{Passages: texts} }
	for _, test := range []struct {
		name       string
		want       assay.Want
		passages   []assay.Passage
		lost, left string
	}{
		{"half of the fact twice", passages(head + tail), []assay.Passage{chunkOf("p", head+head)}, assay.StageRetrieve, assay.FactAbsent},
		{"the longer half twice", passages(head + tail), []assay.Passage{chunkOf("p", tail+tail), chunkOf("q", tail)},
			assay.StageRetrieve, assay.FactPartly},
		{"a chunker that cut it within a word", passages(head + tail),
			[]assay.Passage{chunkOf("p", (head + tail)[:70]), chunkOf("q", (head + tail)[70:])}, assay.StageGenerate, assay.FactAbsent},
		{"in three pieces", passages(head + tail),
			[]assay.Passage{chunkOf("p", (head + tail)[:45]), chunkOf("q", (head + tail)[45:90]), chunkOf("r", (head + tail)[90:])},
			assay.StageGenerate, assay.FactAbsent},
		{"Chinese, whole", passages(zh + zh2), []assay.Passage{chunkOf("p", zh+zh2)}, assay.StageGenerate, assay.FactAbsent},
		{"Chinese, one half", passages(zh + zh2), []assay.Passage{chunkOf("p", zh+zh)}, assay.UnknownWords, ""},
		{"Chinese, split", passages(zh + zh2), []assay.Passage{chunkOf("p", (zh + zh2)[:60]), chunkOf("q", (zh + zh2)[60:])},
			assay.StageGenerate, assay.FactAbsent},
		{"another amount", passages(tail), []assay.Passage{chunkOf("p", "The deposit is fifty dollars and is paid back within thirty days.")},
			assay.UnknownWords, ""},
		{"another amount in digits", passages("The deposit is 40 dollars and is paid back within 30 days of the day on which you leave us."),
			[]assay.Passage{chunkOf("p", "The deposit is 50 dollars and is paid back within 30 days of the day on which you leave us.")},
			assay.UnknownWords, ""},
		{"another amount in Chinese", passages(zh + zh2),
			[]assay.Passage{chunkOf("p", zh+"按金為五十元，於退租後三十日內全數退還予租客本人。")},
			assay.UnknownWords, ""},
		{"a keyword in other digits", assay.Want{Keywords: []string{"1,000 dollars"}},
			[]assay.Passage{chunkOf("p", "It costs one thousand dollars.")},
			assay.StageGenerate, assay.FactAbsent},
		{"a keyword in other digits, in Chinese", assay.Want{Keywords: []string{"40元"}}, []assay.Passage{chunkOf("p", "按金為四十元。")},
			assay.StageGenerate, assay.FactAbsent},
		{"a reference answer in other digits", assay.Want{Documents: map[string]int{"d": 1}, Answers: []string{"$40"}},
			[]assay.Passage{chunkOf("p", head+tail)}, assay.StageGenerate, assay.FactAbsent},
		{"a point in other digits", assay.Want{Ideal: &assay.Ideal{Points: []assay.Point{{Text: "the deposit is 40 dollars"}}}},
			[]assay.Passage{chunkOf("p", head+tail)}, assay.StageGenerate, assay.FactAbsent},
		{"a point with another amount", assay.Want{Ideal: &assay.Ideal{Points: []assay.Point{{Text: "the deposit is fifty dollars"}}}},
			[]assay.Passage{chunkOf("p", head+tail)}, assay.StageRetrieve, assay.FactAbsent},
	} {
		c := &assay.Case{ID: "c", Question: "?", Want: test.want}
		r := traced("I do not know.", test.passages...)
		at := explained(t, c, r, stage.Options{}, nil)
		if at == nil || len(at.Facts) == 0 {
			if at == nil || at.Unknown != test.lost {
				t.Errorf("%s: not followed: %+v", test.name, at)
			}
			continue
		}
		if f := at.Facts[0]; f.Lost != test.lost || f.Left != test.left {
			t.Errorf("%s: lost at %q, left %q, want %q, %q: %s", test.name, f.Lost, f.Left, test.lost, test.left, at.Evidence)
		}
	}
}

// Ids with the separators that chunkers use, against labels that begin alike.
func TestHostileIDs(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		id   string
		want string
	}{
		{"doc", "doc"}, {"doc#3", "doc"}, {"doc:3", "doc"}, {"doc_3", "doc_3"}, {"doc_3#1", "doc_3"}, {"doc_3_1", "doc_3"},
		{"doc_4", "doc"}, {"doc_31", "doc"}, {"document", ""}, {"doc-3", "doc"}, {"DOC#3", ""}, {"doc/3", "doc"},
	} {
		c := &assay.Case{ID: "c", Question: "?", Want: assay.Want{Documents: map[string]int{"doc": 1, "doc_3": 1}}}
		at := explained(t, c, traced("As it says [1].", assay.Passage{ID: test.id, Text: "Some text."}), stage.Options{}, nil)
		got := ""
		if at != nil {
			for _, f := range at.Facts {
				if f.Lost == "" {
					got += f.ID
				}
			}
		}
		if got != test.want {
			t.Errorf("%s names %q, want %q", test.id, got, test.want)
		}
	}
}

// A reference answer alone is followed if it can be found by its words.
func TestReferenceAnswers(t *testing.T) {
	t.Parallel()
	lake := chunkOf("p", "The lake is forty metres deep, and 1,065 boats cross it. It was Samuel Gerber's.")
	road := chunkOf("q", "The road is closed.")
	for _, test := range []struct {
		answers []string
		has     assay.Passage
		lost    string
		traced  bool
	}{
		{[]string{"40 metres"}, lake, assay.StageGenerate, true},
		{[]string{"40 metres"}, road, assay.StageRetrieve, true},
		{[]string{"1065 boats"}, lake, assay.StageGenerate, true},
		{[]string{"Sam Gerber", "Samuel Gerber"}, lake, assay.StageGenerate, true},
		{[]string{"Samuel Gerber."}, road, assay.StageRetrieve, true},
		{[]string{"四十米"}, chunkOf("p", "湖深40米。"), assay.StageGenerate, true},
		{[]string{"湖水"}, chunkOf("p", "湖水很深。"), assay.StageGenerate, true},
		{[]string{"yes"}, lake, "", false},
		{[]string{"40"}, lake, "", false},
		{[]string{"he"}, lake, "", false},
		{[]string{"湖"}, lake, "", false},
		{[]string{""}, lake, "", false},
		{[]string{"Samuel Gerber", "yes"}, lake, "", false},
		{[]string{"The lake is forty metres deep, and many boats cross it in summer."}, lake, "", false},
	} {
		c := &assay.Case{ID: "c", Question: "?", Want: assay.Want{Answers: test.answers}}
		if got := stage.Labelled(c.Want); got != test.traced {
			t.Errorf("%q is labelled: %v", test.answers, got)
		}
		a := stage.New(stage.Options{})
		if a.Traces(c) != test.traced {
			t.Errorf("%q is traced: %v", test.answers, !test.traced)
		}
		at := explained(t, c, traced("I do not know.", test.has), stage.Options{}, nil)
		switch {
		case !test.traced:
			if at != nil {
				t.Errorf("%q: %+v", test.answers, at)
			}
		case at == nil || len(at.Facts) != 1 || at.Facts[0].Lost != test.lost || at.Stage != test.lost:
			t.Errorf("%q: %+v, want lost at %s", test.answers, at, test.lost)
		}
	}
	// What the corpus does not have word for word is not known to be missing.
	c := &assay.Case{ID: "c", Question: "?", Want: assay.Want{Answers: []string{"Samuel Gerber"}}}
	o := stage.Options{Index: &pipe{corpus: []assay.Passage{road}}}
	if at := explained(t, c, traced("I do not know.", road), o, nil); at != nil || stage.New(o).Traces(c) {
		t.Errorf("an answer that the corpus lacks: %+v", at)
	}
	o.Index = &pipe{corpus: []assay.Passage{road, lake}}
	if at := explained(t, c, traced("I do not know.", road), o, nil); at == nil || at.Stage != assay.StageRetrieve {
		t.Errorf("an answer that the corpus has: %+v", at)
	}
}

// A text that has a reference answer and is not about the question may have it by chance.
func TestReferenceAnswerByChance(t *testing.T) {
	t.Parallel()
	c := &assay.Case{ID: "c", Question: "In which year was the dam above the lake raised?", Want: assay.Want{Answers: []string{"1979"}}}
	for s, lost := range map[string]string{
		"The dam was raised in 1979, and the lake grew.": assay.StageGenerate,
		"The band was founded in 1979 and broke up.":     "",
		"水壩於一九七九年加高，湖面其後擴大。":                             assay.StageGenerate,
	} {
		if at := explained(t, c, traced("I do not know.", chunkOf("p", s)), stage.Options{}, judgedWrong); at == nil || at.Stage != lost {
			t.Errorf("%q: %+v, want %s", s, at, lost)
		}
	}
}
