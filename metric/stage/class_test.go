package stage_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric/stage"
)

// What many questions share names a class of them. A value does not, nor does what a question repeats.
func TestClasses(t *testing.T) {
	t.Parallel()
	var cases assay.Cases
	for i := range 6 {
		for _, label := range []string{"SUPPORT", "30 days"} {
			cases.Add(&assay.Case{ID: fmt.Sprint(label, i), Question: fmt.Sprintf("Claim %d?", i), Want: assay.Want{Answers: []string{label}}})
		}
		cases.Add(&assay.Case{ID: fmt.Sprint("k", i), Question: fmt.Sprintf("Topic %d?", i), Want: assay.Want{Keywords: []string{"eligible"}}})
		cases.Add(&assay.Case{ID: fmt.Sprint("a", i), Question: "Who leads the team?", Want: assay.Want{Answers: []string{"Ada Brandt"}}})
	}
	if classes := stage.Classes(&cases); len(classes) != 2 || !classes["support"] || !classes["eligible"] {
		t.Errorf("%v", classes)
	}
}

// A label that names a class is not looked for in texts: neither is it missed there, nor found by chance, nor known from
// memory. The labels of evidence decide.
func TestClassesAreNotFollowed(t *testing.T) {
	t.Parallel()
	evidence := assay.Passage{ID: "d#3", Document: "d", Text: "In this cohort, recurrence under statins fell by a fifth over five years."}
	other := assay.Passage{ID: "f#1", Document: "f", Text: "Statins and stroke: grants support the second trial in Norway, whose risk is lower."}
	o := stage.Options{Classes: map[string]bool{"support": true}}
	for name, test := range map[string]struct {
		want           assay.Want
		stage, unknown string
		kept           list
	}{
		"document":           {assay.Want{Documents: map[string]int{"d": 1}}, "", assay.UnknownChunk, list{evidence, other}},
		"document, absent":   {assay.Want{Documents: map[string]int{"x": 1}}, assay.StageRetrieve, "", list{evidence, other}},
		"chunk":              {assay.Want{Documents: map[string]int{"d#3": 1}}, assay.StageFilter, "", list{other}},
		"passage":            {assay.Want{Passages: []string{evidence.Text}}, assay.StageFilter, "", list{other}},
		"nothing to follow":  {assay.Want{}, "", "", list{other}},
		"keyword and answer": {assay.Want{Keywords: []string{"Support"}}, "", "", list{other}},
	} {
		c := &assay.Case{Question: "Statins lower the risk of a second stroke in Norway.", Want: test.want}
		c.Want.Answers = []string{"SUPPORT"}
		at := explained(t, c, replied(nil, list{evidence, other}, test.kept, test.kept, "CONTRADICT"), o, judgedWrong)
		if at == nil && test.stage+test.unknown != "" || at != nil && (at.Stage != test.stage || at.Unknown != test.unknown) {
			t.Errorf("%s: %+v, want %q, unknown for %q", name, at, test.stage, test.unknown)
		}
		at = explained(t, c, replied(nil, list{evidence}, list{}, list{}, "SUPPORT"), o, map[string]assay.Score{"answer_correctness": assay.Value(1)})
		if at != nil && len(at.Facts) > 0 && at.Facts[0].SelfKnowledge {
			t.Errorf("%s: %+v is known from memory", name, at)
		}
	}
}

// A reference answer whose words no labelled passage has is no text to look for, and a passage of a labelled document
// that shares no word with the question may say the answer in other words, too.
func TestReferencesInOtherWordsThanTheEvidence(t *testing.T) {
	t.Parallel()
	const question = "Statins lower the risk of a second stroke in Norway."
	evidence := assay.Passage{ID: "d#3", Document: "d", Text: "Among those given the drug, recurrence fell by a fifth over five years."}
	for name, want := range map[string]assay.Want{
		"document": {Documents: map[string]int{"d": 1}, Answers: []string{"SUPPORT"}},
		"passage":  {Passages: []string{"It is known: among those given the drug, recurrence fell by a third over six years."}, Answers: []string{"SUPPORT"}},
	} {
		if at := tracedAs(t, assay.Case{Question: question, Want: want}, "CONTRADICT", stages(list{evidence}, nil, list{evidence})); at == nil || at.Stage != "" {
			t.Errorf("%s: %+v", name, at)
		}
	}
}

// One labelled passage that was retrieved is not another in other words.
func TestOneLabelledPassageIsNotAnother(t *testing.T) {
	t.Parallel()
	one, other := "The first train to Varra leaves at 6:40 from track two.", "The fare of the first train to Varra is 18 euros in second class."
	c := assay.Case{Question: "When does the first train to Varra leave, and what is its fare?", Want: assay.Want{Passages: []string{one, other}}}
	if at := tracedAs(t, c, "At noon.", found(one)); at == nil || at.Unknown == assay.UnknownWords {
		t.Errorf("%+v", at)
	}
}

// A retrieved text that is about the question may have a labelled passage in other words: as questions and answers, a
// list or a row. One that is about something else has not.
func TestLabelledPassageRewritten(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ question, passage, text, stage string }{
		{"Who approves the purchase of machines?", "Machines for the workshop are expensive. No purchase is made before Maria Falk, who heads finance, has signed.",
			"Q: Who approves machine purchases? A: Maria Falk.", ""},
		{"What do students pay for the tour?", "The tour of the caves costs 12 euros. Those who study and show a card get it for a third less, at 8 euros.",
			"Tour prices\n- adults: 12 EUR\n- students: 8 EUR", ""},
		{"Why was the bridge closed?", "Inspectors found cracks in two of the piers last autumn. Since then no vehicle has been allowed on the bridge.",
			"bridge;closed;reason=pier cracks", ""},
		{"Who approves the purchase of machines?", "Machines for the workshop are expensive. No purchase is made before Maria Falk, who heads finance, has signed.",
			"The cafeteria opens at noon on working days.", assay.StageRetrieve},
	} {
		for _, answers := range [][]string{nil, {"Whatever is said there holds for all of the members of it."}} {
			c := assay.Case{Question: test.question, Want: assay.Want{Passages: []string{test.passage}, Answers: answers}}
			if at := tracedAs(t, c, "Please ask the office.", found(test.text)); at == nil || at.Stage != test.stage {
				t.Errorf("%q: %+v, want %q", test.text, at, test.stage)
			}
		}
	}
}

// The document of a labelled chunk is no other evidence, whether the chunk was retrieved or not.
func TestDocumentOfALabelledChunk(t *testing.T) {
	t.Parallel()
	const id = "-796e-4a32-9ae4-45508201e2bd"
	chunk := func(first, document string) assay.Passage { return assay.Passage{ID: first + id, Document: document} }
	found := list{chunk("3a", "agent.md"), chunk("1b", "agent.md"), chunk("7c", "limits.md")}
	numbered := list{{ID: "agent.md#1", Document: "agent.md"}, {ID: "limits.md#1", Document: "limits.md"}}
	for name, test := range map[string]struct {
		labels      []string
		found, kept list
		lost        []string
	}{
		"kept":                    {[]string{"agent.md", "3a" + id}, found, found, []string{assay.StageGenerate}},
		"dropped by the filter":   {[]string{"agent.md", "3a" + id}, found, found[1:], []string{assay.StageFilter}},
		"not retrieved":           {[]string{"agent.md", "9d" + id}, found, found, []string{assay.StageRetrieve}},
		"nothing of its document": {[]string{"other.md", "9d" + id}, found, found, []string{assay.StageRetrieve}},
		"of another document":     {[]string{"agent.md#2", "limits.md"}, numbered, numbered[:1], nil},
		"two documents":           {[]string{"agent.md", "other.md"}, found, found[2:], nil},
	} {
		w := assay.Want{Documents: map[string]int{}}
		for _, label := range test.labels {
			w.Documents[label] = 1
		}
		c := &assay.Case{ID: "c", Question: "Which port is open?", Want: w}
		at := explained(t, c, replied(nil, test.found, test.kept, test.kept, "None."), stage.Options{}, judgedWrong)
		if got := lostOf(at); test.lost != nil && (!slices.Equal(got, test.lost) || at.Unknown != "") || test.lost == nil && !slices.Contains(got, assay.StageRetrieve) {
			t.Errorf("%s: %+v, want %q", name, at, test.lost)
		}
	}
}
