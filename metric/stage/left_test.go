package stage_test

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric/stage"
)

// Text outranks ids: what a stage put out carries a fact only if its text does.
func TestTextOutranksIDs(t *testing.T) {
	t.Parallel()
	const (
		first   = "Tenants may move in from the first day of the month. "
		deposit = "The deposit is forty dollars and is paid back within thirty days of leaving."
	)
	full := chunkOf("d#1", first+deposit)
	cut := full
	cut.Text = first
	// prompted is a response whose generator reads something else than was retrieved.
	prompted := func(answer string, prompt any, prompts ...string) *assay.Response {
		r := traced(answer, full)
		r.Trace.Stages[1].Input = raw(prompt)
		for _, p := range prompts {
			r.Trace.Stages[1].Prompt = p
		}
		return r
	}
	documents := assay.Want{Documents: map[string]int{"d": 1}, Answers: []string{"forty dollars"}}
	for _, test := range []struct {
		name       string
		want       assay.Want
		r          *assay.Response
		lost, left string
		self       bool
	}{
		{"a whole prompt", documents, prompted("I do not know.", []assay.Passage{full}), assay.StageGenerate, assay.FactAbsent, false},
		{"a cut passage of a labelled document", documents, prompted("I do not know.", []assay.Passage{cut}),
			assay.LostPack, assay.FactPartly, false},
		{"the same by keywords", assay.Want{Documents: map[string]int{"d": 1}, Keywords: []string{"forty"}},
			prompted("I do not know.", []assay.Passage{cut}), assay.LostPack, assay.FactPartly, false},
		{"without anything that could be found, as a text that was cut", assay.Want{Documents: map[string]int{"d": 1}, Answers: []string{"yes"}},
			prompted("I do not know.", []assay.Passage{cut}), assay.UnknownChunk, "", false},
		{"what was cut was not needed", assay.Want{Documents: map[string]int{"d": 1}, Answers: []string{"yes"}},
			prompted("Yes.", []assay.Passage{cut}), "", assay.FactWhole, false},
		{"the text of a prompt", documents, prompted("I do not know.", nil, "Answer from this: "+first), assay.LostPack, assay.FactPartly, false},
		{"a whole text of a prompt", documents, prompted("I do not know.", "Answer from this: "+first+deposit),
			assay.StageGenerate, assay.FactAbsent, false},
		{"an input that is the question", documents, prompted("I do not know.", "How much?"), assay.StageGenerate, assay.FactAbsent, false},
		{"an answer that the prompt does not have", documents, prompted("Forty dollars.", []assay.Passage{cut}),
			assay.LostPack, assay.FactPartly, true},
		{"half of a labelled passage", assay.Want{Passages: []string{first + deposit}}, traced("I do not know.", chunkOf("p", first)),
			assay.StageRetrieve, assay.FactAbsent, false},
		{"more than half of it", assay.Want{Passages: []string{first + deposit}}, traced("I do not know.", chunkOf("p", deposit)),
			assay.StageRetrieve, assay.FactPartly, false},
		{"both halves in two passages", assay.Want{Passages: []string{first + deposit}},
			traced("I do not know.", chunkOf("p", first), chunkOf("q", deposit)), assay.StageGenerate, assay.FactAbsent, false},
		{"the half that has the answer", assay.Want{Passages: []string{first + deposit}, Answers: []string{"forty dollars"}},
			traced("I do not know.", chunkOf("p", deposit)), assay.StageGenerate, assay.FactAbsent, false},
		{"the half that has not", assay.Want{Passages: []string{deposit + first}, Answers: []string{"forty dollars"}},
			traced("I do not know.", chunkOf("p", "within thirty days of leaving."+first)), assay.StageRetrieve, assay.FactPartly, false},
		{"with a typing error", assay.Want{Passages: []string{first + deposit}},
			traced("I do not know.", chunkOf("p", "Tennants"+first[7:]+deposit)), assay.UnknownWords, "", false},
		{"a point by the text of its passage", assay.Want{Ideal: &assay.Ideal{
			Points: []assay.Point{{Text: "the deposit is forty dollars", Passage: "d#1"}}, Passages: []assay.Passage{full}}},
			prompted("I do not know.", []assay.Passage{cut}), assay.LostPack, assay.FactPartly, false},
	} {
		c := &assay.Case{ID: "c", Question: "?", Want: test.want}
		at := explained(t, c, test.r, stage.Options{}, nil)
		if len(at.Facts) == 0 {
			if at.Unknown != test.lost {
				t.Errorf("%s: %+v", test.name, at)
			}
			continue
		}
		if f := at.Facts[0]; f.Lost != test.lost || f.Left != test.left || f.SelfKnowledge != test.self {
			t.Errorf("%s: %+v: %s", test.name, f, at.Evidence)
		}
	}
	c := &assay.Case{ID: "c", Question: "?", Want: documents}
	at := explained(t, c, prompted("I do not know.", []assay.Passage{cut}), stage.Options{}, nil)
	if want := "the prompt had d#1 without the text of the answer"; at.Evidence != want {
		t.Errorf("%q, want %q", at.Evidence, want)
	}
	// A passage that a stage kept and cut was not dropped.
	words := assay.Want{Keywords: []string{"forty dollars"}}
	for want, stages := range map[string]string{
		`"forty dollars": the filter cut the only passage that had it: d#1`: stages(list{full}, list{cut}, list{cut}),
		`"forty dollars": the prompt cut the only passage that had it: d#1`: stages(list{full}, nil, list{cut}),
		`"forty dollars": what was retrieved had it (d#1), the prompt has no passage word for word, and the answer does not have it`: stages(list{full}, nil,
			"Context: who lets a flat takes a sum from the tenant. Question: How much is the deposit?"),
	} {
		if at := tracedAs(t, assay.Case{Question: "How much is the deposit?", Want: words}, "Ten.", stages); at == nil || at.Evidence != want {
			t.Errorf("%+v, want %q", at, want)
		}
	}
}
