package assay_test

import (
	"testing"

	"github.com/assay-eval/assay"
)

// TestSubject: what people see makes the subject, and nothing else does.
func TestSubject(t *testing.T) {
	t.Parallel()
	record := func(question, answer string, passages ...string) assay.Record {
		r := assay.Record{Case: assay.Case{ID: "q", Question: question}, Response: &assay.Response{Answer: answer}}
		for _, p := range passages {
			r.Response.Passages = append(r.Response.Passages, assay.Passage{Text: p})
		}
		return r
	}
	base := record("q", "a", "one", "two")
	// Computed once, by the description: it must never change, or labels are not found.
	if got, want := assay.Subject(base), "7d2fbb"; got[:6] != want {
		t.Errorf("the subject begins with %s, want %s", got[:6], want)
	}
	other := base
	other.Seq, other.Case.ID, other.Case.Tags, other.Scores = 7, "r", []string{"x"}, map[string]assay.Score{"m": assay.Value(1)}
	other.Response = &assay.Response{Answer: "a", Latency: 5, Passages: []assay.Passage{{Text: "one", ID: "p", Score: 3}, {Text: "two"}}}
	if assay.Subject(other) != assay.Subject(base) {
		t.Error("what people do not see changes the subject")
	}
	none, noAnswer := assay.Record{Case: base.Case}, record("q", "")
	noAnswer.Response.NoAnswer = true
	byID := record("q", "a", "", "two")
	byID.Response.Passages[0].ID = "one"
	seen := map[string]int{assay.Subject(base): -1}
	for i, r := range []assay.Record{
		record("Q", "a", "one", "two"), record("q", "b", "one", "two"), record("q", "a", "two", "one"), record("q", "a", "onetwo"),
		record("q", "a", "one"), record("q", ""), none, record("qa", "", "one", "two"), byID,
	} {
		if before, ok := seen[assay.Subject(r)]; ok {
			t.Errorf("records %d and %d have one subject", before, i)
		}
		seen[assay.Subject(r)] = i
	}
	if assay.Subject(none) != assay.Subject(noAnswer) {
		t.Error("no response, and a response that has no answer, show the same")
	}
}
