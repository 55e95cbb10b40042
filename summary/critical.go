package summary

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
)

// A CheckState says what is known of a critical case.
type CheckState string

// The states of a [Check].
const (
	// CheckPassed means that something showed the case to be right.
	CheckPassed CheckState = "passed"
	// CheckFailed means that something showed the case to be wrong.
	CheckFailed CheckState = "failed"
	// Unchecked means that nothing showed either.
	Unchecked CheckState = "unchecked"
)

// A Basis is what the state of a critical case rests on.
type Basis string

// The bases.
const (
	// ByFailure: the target gave no response.
	ByFailure Basis = "no_response"
	// ByAnswer: the answer is right or wrong, or there is one and neither is known.
	ByAnswer Basis = "answer"
	// ByEvidence: the expected evidence is among the first K, in whole (passed), in part
	// (unchecked) or not at all (failed).
	ByEvidence Basis = "evidence"
	// ByRule: a rule of the gate on single cases holds for this one, or does not.
	ByRule Basis = "rule"
	// ByNothing: neither an answer nor evidence could be checked.
	ByNothing Basis = "nothing"
)

// A Check is the state of one critical case and its basis.
type Check struct {
	State CheckState `json:"state"`
	Basis Basis      `json:"basis"`
	// K is the cut-off of the evidence; 0 if it has none or the basis is another.
	K int `json:"k,omitempty"`
	// Rules are the rules that the case breaks or, if it passes by them, meets.
	Rules []string `json:"rules,omitempty"`
}

// CheckOf returns what a record shows of its case, without the rules of a gate. A case
// passes if its answer is right, and fails if that is wrong or the target gave no
// response. Where only retrieval is labelled or the target gives no answer, it passes
// if the expected evidence is among the first k, and fails if none of it is.
// Thresholds do not matter: they are on means.
func CheckOf(metrics []assay.MetricInfo, r assay.Record) Check {
	switch {
	case r.Failure != nil || r.Response == nil:
		return Check{State: CheckFailed, Basis: ByFailure}
	case r.Answer == assay.AnswerWrong:
		return Check{State: CheckFailed, Basis: ByAnswer}
	case r.Answer == assay.AnswerRight:
		return Check{State: CheckPassed, Basis: ByAnswer}
	}
	if !r.Response.NoAnswer && labelsAnswer(r.Case.Want) {
		return Check{State: Unchecked, Basis: ByAnswer}
	}
	return evidence(metrics, r)
}

// labelsAnswer reports whether a label says what the answer should be.
func labelsAnswer(w assay.Want) bool {
	return len(w.Answers) > 0 || len(w.Keywords) > 0 || w.Ideal != nil || w.Answerable != nil && !*w.Answerable
}

// Metrics of the expected evidence, by what counts as it: all of it, or any.
var (
	wholeEvidence = []string{"recall", "recall_cap", "set_recall", "passage_recall", "src_recall"}
	anyEvidence   = []string{
		"hit", "passage_hit", "src_hit", "mrr", "passage_mrr", "src_mrr", "ndcg", "passage_ndcg", "src_ndcg", "map", "src_map",
	}
)

// evidence reads from the scores how much of the expected evidence was found. Recall
// decides if it was measured, at its largest cut-off. Without it one found item is
// enough, as for the metric hit.
func evidence(metrics []assay.MetricInfo, r assay.Record) Check {
	for i, name := range slices.Concat(wholeEvidence, anyEvidence) {
		v, k, grade, ok := widest(metrics, r, name)
		if !ok {
			continue
		}
		c := Check{State: Unchecked, Basis: ByEvidence, K: k}
		switch {
		case v <= 0:
			c.State = CheckFailed
		case i >= len(wholeEvidence) || v >= mostOf(name, k, grade, r.Case.Want):
			c.State = CheckPassed
		}
		return c
	}
	return Check{State: Unchecked, Basis: ByNothing}
}

// mostOf returns the largest recall that k ranks can have: less than 1 if more
// documents have at least the grade level than that.
func mostOf(name string, k, level int, w assay.Want) float64 {
	relevant := 0
	for _, grade := range w.Documents {
		if grade >= level {
			relevant++
		}
	}
	if name != "recall" || k == 0 || relevant <= k {
		return 1 - tiny
	}
	return float64(k)/float64(relevant) - tiny
}

// tiny is more than a rounding error of a share.
const tiny = 1e-9

// widest returns the case's score of the metric at the largest cut-off; no cut-off is
// the largest, with k 0. Of equal cut-offs the least level counts, which is the least
// grade of a relevant document. ok is false if the case has no such score.
func widest(metrics []assay.MetricInfo, r assay.Record, name string) (value float64, k, level int, ok bool) {
	reach := -1
	for _, m := range metrics {
		base, params, _ := strings.Cut(m.Name, "(")
		base, cutoff, _ := strings.Cut(base, "@")
		s := r.Scores[m.Name]
		if base != name || s.State != assay.Scored {
			continue
		}
		at, err := strconv.Atoi(cutoff)
		far := at
		if err != nil {
			at, far = 0, math.MaxInt
		}
		if from := levelOf(params); far > reach || far == reach && from < level {
			reach, value, k, level, ok = far, s.Value, at, from, true
		}
	}
	return value, k, level, ok
}

// levelOf reads the level from the parameters in a metric's name: "level=2)".
func levelOf(params string) int {
	for param := range strings.SplitSeq(strings.TrimSuffix(params, ")"), ",") {
		if v, ok := strings.CutPrefix(strings.TrimSpace(param), "level="); ok {
			if n, err := strconv.Atoi(v); err == nil {
				return n
			}
		}
	}
	return 1
}

// Recount counts the critical cases by what check says of each, given its short form.
func (s *Summary) Recount(t *columns.Table, check func(assay.Record) Check) {
	s.Critical, s.CriticalFailed, s.CriticalUnchecked = 0, 0, 0
	for i := range t.Len() {
		if !t.Critical(i) {
			continue
		}
		s.Critical++
		switch check(t.Record(i)).State {
		case CheckFailed:
			s.CriticalFailed++
		case Unchecked:
			s.CriticalUnchecked++
		}
	}
}

// CriticalPassed returns the number of critical cases that passed.
func (s Summary) CriticalPassed() int { return s.Critical - s.CriticalFailed - s.CriticalUnchecked }
