package offline

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

// equivalentFrom is the estimate from which an answer counts as equivalent.
const equivalentFrom = 0.5

// compare estimates the probability that people would accept the answer as
// equivalent to a reference; the best reference counts. The estimate asks what the
// answer has of the reference and not what it adds, so that a long right answer counts
// as much as a short one. A near copy that alters the reference is not equivalent.
func (j *Judge) compare(ctx context.Context, s judge.Subject, in question.CompareInput) (judge.Ruling, error) {
	if err := unmeasured(ofEquivalence, s); err != nil {
		return judge.Ruling{}, err
	}
	asked := termSet(s.Question)
	a := newClaim(claimOf(in.Answer))
	var refs []*claim
	for _, r := range in.References {
		if hasWord(r) {
			refs = append(refs, newClaim(claimOf(r)))
		}
	}
	if !hasWord(in.Answer) || len(refs) == 0 {
		return judge.Ruling{Why: "the answer or every reference is empty"}, ctx.Err()
	}
	e := newEvidence([]string{in.Answer})
	out := judge.Ruling{Degree: -1}
	for _, r := range refs {
		p, why := equivalence.probability(e.equivalenceFeatures(a, r, asked)), firstWords(r.text)+" is the nearest reference"
		if altered := a.alters(r, asked); altered != "" {
			// In the estimate the many agreements would outweigh one difference.
			p, why = math.Min(p, equivalentFrom/2), altered
		}
		if p > out.Degree {
			out.Degree, out.Why = p, "estimate: "+why
		}
	}
	if declines(claimOf(in.Answer)) {
		out.Degree, out.Why = 0, "the answer declines"
	}
	threshold, labelled := j.thresholds.Of(s, equivalentFrom)
	rule := func(threshold float64) judge.Ruling {
		r := out
		r.Holds = r.Degree >= threshold
		if labelled {
			r.Why += fmt.Sprintf("; estimate %.2f, equivalent from %.2f on", r.Degree, threshold)
			r.Degree = indicator(r.Holds)
		}
		return r
	}
	ruled := rule(threshold.At)
	ruled.Ends = judge.Ends(threshold, rule)
	return ruled, ctx.Err()
}

// equivalenceFeatures returns the features of an answer, which is the evidence, and
// a reference.
func (e *evidence) equivalenceFeatures(a, r *claim, asked map[string]bool) []feature {
	f := e.look(r)[0]
	fresh := beyond(r.terms, asked)
	if len(fresh) == 0 {
		fresh = r.terms
	}
	joined, ref := " "+strings.Join(a.words, " ")+" ", " "+strings.Join(r.words, " ")+" "
	last := ""
	if n := len(r.words); n > 0 {
		last = stem(r.words[n-1])
	}
	return []feature{
		{"contained", indicator(strings.Contains(joined, ref))},
		{"recall", share(fresh, e.sources[0].terms)},
		{"words", part(f.words, 0)},
		{"run", f.run},
		{"numbers", part(f.numbers, 1)},
		{"names", part(f.names, 1)},
		{"last word", indicator(last != "" && e.sources[0].terms[last])},
	}
}

// beyond returns the terms that the question does not have.
func beyond(terms []string, asked map[string]bool) []string {
	return slices.DeleteFunc(slices.Clone(terms), func(t string) bool { return asked[t] })
}

// firstWords returns the beginning of a text in quotes, enough to recognise it.
func firstWords(s string) string {
	const enough = 40
	for i := range s {
		if i >= enough {
			return `"` + s[:i] + `…"`
		}
	}
	return `"` + s + `"`
}
