package offline

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

// A probe is a pair of sentences that one thing tells apart, or only the wording.
type probe struct {
	kind, question, reference, answer string
	same                              bool
}

// probes are the pairs of docs/results/offline-judge.md. No weight was fitted to them.
var probes = []probe{
	{"verbatim", "Who sued whom?", "Acme sued Borel in Paris over the patent.", "Acme sued Borel in Paris over the patent.", true},
	{"longer, and right", "Who sued whom?", "Acme sued Borel.", "According to the court records of that year, Acme sued " +
		"Borel, and the case was widely reported in the newspapers.", true},
	{"passive", "Who sued whom?", "Acme sued Borel in Paris over the patent.", "Borel was sued by Acme in Paris over the patent.", true},
	{"paraphrase", "How long does a refund take?", "Refunds are paid within five days.", "You get your money back in less than a week.", true},
	{"swapped role", "Who sued whom?", "Acme sued Borel in Paris over the patent.", "Borel sued Acme in Paris over the patent.", false},
	{"other order", "Who sued whom?", "Acme sued Borel in Paris over the patent.", "In Paris, Acme sued Borel over the patent.", true},
	{"swapped role", "Who sued whom?", "Acme sued Borel in Paris over the patent.",
		"Acme was sued by Borel in Paris over the patent.", false},
	{"swapped role", "What happened in court?", "Acme sued Borel.", "Borel sued Acme.", false},
	{"modal", "What about the price?", "The committee may raise the price of tickets.",
		"The committee will raise the price of tickets.", false},
	{"modal", "What about the price?", "The drug might cause severe headaches.", "The drug must cause severe headaches.", false},
	{"name of the passage", "Who founded the firm?", "The firm was founded by Alice Borel in 1957 in Lyon.",
		"The firm was founded by Carl Doyle in 1957 in Lyon.", false},
	{"name of the passage", "Where is the office?", "The main office of the company is in Lyon near the river.",
		"The main office of the company is in Paris near the river.", false},
	{"negation", "Are refunds paid?", "Refunds are paid for damaged goods.", "Refunds are not paid for damaged goods.", false},
	{"number", "When was it founded?", "The firm was founded in 1957.", "The firm was founded in 1975.", false},
}

func equivalenceOf(t *testing.T, j *Judge, p probe) judge.Ruling {
	t.Helper()
	r, err := question.Compare.Ask(context.Background(), j, judge.Subject{Question: p.question},
		question.CompareInput{Answer: p.answer, References: []string{p.reference}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// An answer that alters a reference is not called correct; a longer right one and a
// passive are. A free paraphrase is beyond words, and may be missed.
func TestProbesOfEquivalence(t *testing.T) {
	t.Parallel()
	j := New(nil)
	for _, p := range probes {
		r := equivalenceOf(t, j, p)
		t.Logf("%s: %.3f %s", p.kind, r.Degree, r.Why)
		if r.Holds && !p.same || p.same && !r.Holds && p.kind != "paraphrase" {
			t.Errorf("%s: %q for %q: %.3f, %s", p.kind, p.answer, p.reference, r.Degree, r.Why)
		}
	}
}

// What an answer adds does not lower its estimate.
func TestLengthDoesNotCount(t *testing.T) {
	t.Parallel()
	j := New(nil)
	short := equivalenceOf(t, j, probe{question: "Where is it?", reference: "Landover, Maryland", answer: "Landover, Maryland"})
	long := equivalenceOf(t, j, probe{question: "Where is it?", reference: "Landover, Maryland",
		answer: "The stadium, which opened in the summer of that year, is to be found in Landover, Maryland, not far from the river."})
	if short.Degree != long.Degree {
		t.Errorf("%.3f short, %.3f long: want the same", short.Degree, long.Degree)
	}
}

// In a language in which agreement with people was never measured, faithfulness and
// equivalence are declined, with the reason, and not estimated.
func TestDeclinesWhatWasNotMeasured(t *testing.T) {
	t.Parallel()
	j, s := New(nil), judge.Subject{Question: "門票多少錢？", Language: judge.Chinese}
	_, support := question.Support.Ask(context.Background(), j, s, question.SupportInput{
		Claims: []judge.Claim{{Text: "成人票價為五元。"}}, Sources: []judge.Source{{Text: "成人票價為五元。"}}})
	_, same := question.Compare.Ask(context.Background(), j, s, question.CompareInput{Answer: "五元。", References: []string{"五元。"}})
	for what, err := range map[string]error{"support": support, "equivalence": same} {
		var declined *judge.DeclinedError
		if !errors.As(err, &declined) || !strings.Contains(declined.Reason, "never measured against people") {
			t.Errorf("%s: %v, want that it is declined", what, err)
		}
	}
}
