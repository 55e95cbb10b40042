package stage_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric/stage"
)

// One of several labels that states the reference may be enough: the stage is unknown if the others were lost earlier.
func TestOneOfSeveralLabelsMayBeEnough(t *testing.T) {
	t.Parallel()
	c1 := assay.Passage{ID: "pass#1", Document: "pass", Text: "A yearly pass for the Harrow Library costs 35 dollars."}
	c2 := assay.Passage{ID: "racks#1", Document: "racks", Text: bicycles}
	c3 := assay.Passage{ID: "branch#1", Document: "branch", Text: "The library of Ada Brandt is the Harrow Library."}
	documents := assay.Want{Answers: []string{"35 dollars"}, Documents: map[string]int{"pass": 1, "prices": 1}}
	passages := assay.Want{Answers: []string{"35 dollars"}, Passages: []string{c1.Text, "Prices 2024: Harrow Library, 35 dollars; Larkhill Library, 29 dollars."}}
	keywords := assay.Want{Keywords: []string{"35 dollars", "yearly pass"}, Documents: map[string]int{"pass": 1, "prices": 1}}
	one := keywords
	one.Keywords = []string{"35 dollars", "Monday"}
	needed := assay.Want{Answers: []string{"35 dollars"}, Passages: []string{c1.Text, c3.Text}}
	ids := list{{ID: "pass#1", Document: "pass"}, {ID: "racks#1", Document: "racks"}}
	chunks := assay.Want{Answers: []string{"35 dollars"}, Documents: map[string]int{"pass#1": 1, "prices#1": 1, "prices#2": 1}}
	alone, several := chunks, chunks
	alone.Answers, several.Answers, several.Keywords = nil, nil, []string{"35 dollars", "Monday"}
	const question, of = "What does a yearly pass for the Harrow Library cost?", "What does a yearly pass for the library of Ada Brandt cost?"
	for name, test := range map[string]struct {
		question      string
		want          assay.Want
		in, kept, put list
		stage         string
		either        []string
	}{
		"in the prompt":          {question, documents, list{c1, c2}, list{c1, c2}, list{c1}, "", []string{"generate if", "retrieve if"}},
		"not in the prompt":      {question, documents, list{c1, c2}, list{c1, c2}, list{c2}, "", []string{"pack if", "retrieve if"}},
		"filtered":               {question, documents, list{c1, c2}, list{c2}, list{c2}, "", []string{"filter if", "retrieve if"}},
		"none retrieved":         {question, documents, list{c2}, list{c2}, list{c2}, assay.StageRetrieve, nil},
		"passages":               {question, passages, list{c1, c2}, list{c1, c2}, list{c1}, "", []string{"generate if", "retrieve if"}},
		"all keywords":           {question, keywords, list{c1, c2}, list{c1, c2}, list{c1}, "", []string{"generate if", "retrieve if"}},
		"one of the keywords":    {question, one, list{c1, c2}, list{c1, c2}, list{c1}, assay.StageRetrieve, nil},
		"the other has the name": {of, needed, list{c1, c2}, list{c1, c2}, list{c1}, assay.StageRetrieve, nil},
		"ids alone":              {question, chunks, ids, ids, ids, "", []string{"generate if", "retrieve if"}},
		"ids, filtered":          {question, chunks, ids, ids[1:], ids[1:], "", []string{"filter if", "retrieve if"}},
		"ids, no reference":      {question, alone, ids, ids, ids, "", []string{"generate if", "retrieve if"}},
		"ids, several keywords":  {question, several, ids, ids, ids, assay.StageRetrieve, nil},
		"ids, none retrieved":    {question, chunks, ids[1:], ids[1:], ids[1:], assay.StageRetrieve, nil},
		"all in the prompt":      {of, needed, list{c1, c3}, list{c1, c3}, list{c1, c3}, assay.StageGenerate, nil},
	} {
		c := &assay.Case{ID: "a", Question: test.question, Want: test.want}
		at := explained(t, c, replied(test.put, test.in, test.kept, test.put, "12 dollars"), stage.Options{}, judgedWrong)
		if at.Stage != test.stage || (test.either != nil) != (at.Unknown == assay.UnknownEnough) {
			t.Errorf("%s: stage %q, unknown %q, want %q", name, at.Stage, at.Unknown, test.stage)
		}
		for _, s := range test.either {
			if !strings.Contains(at.Evidence, s) {
				t.Errorf("%s: %q lacks %q", name, at.Evidence, s)
			}
		}
	}
}
