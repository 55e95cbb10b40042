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

// supportedFrom is the estimate from which a claim counts as supported. The model is
// fitted to human labels, so half of the people would agree there.
const supportedFrom = 0.5

// matching is the share of a claim's terms that a sentence must have for a different
// number to contradict the claim, instead of belonging to something else.
const matching = 0.6

// denying is the same for a negation, which belongs to something else more often.
const denying = 0.8

// unfound is a factor for claims with a number or a name that no source has. Such
// claims are rarely attributable in the training half (9 of 175 in BEGIN), but there
// are too few of them to affect the fit.
const unfound = 0.5

// rule estimates the probability that the sources support each claim. A claim that
// nearly matches a sentence except for a number or a negation is contradicted. A source
// supports a claim alone if the estimate from it alone is high enough.
func (j *Judge) rule(ctx context.Context, s judge.Subject, in question.SupportInput) ([]judge.Finding, error) {
	if len(in.Claims) == 0 {
		return nil, ctx.Err()
	}
	if err := unmeasured(ofFaithfulness, s); err != nil {
		return nil, err
	}
	e := newEvidence(textsOf(in.Sources))
	e.support = j.support
	claims := make([]*claim, len(in.Claims))
	for i, c := range in.Claims {
		claims[i] = newClaim(c.Text)
	}
	if err := j.embed(ctx, "support", claims, e); err != nil {
		return nil, err
	}
	threshold, labelled := j.thresholds.Of(s, supportedFrom)
	out := make([]judge.Finding, len(claims))
	for i, c := range claims {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		all := e.look(c)
		rule := func(threshold float64) judge.Finding {
			f := e.find(c, all, in.Claims[i].Within, threshold)
			if labelled {
				f = settled(f, threshold)
			}
			return f
		}
		out[i] = rule(threshold.At)
		out[i].Ends = judge.Ends(threshold, rule)
	}
	return out, nil
}

// settled turns an estimate into a ruling, and keeps the estimate as its score.
func settled(f judge.Finding, threshold float64) judge.Finding {
	estimate := f.Degree
	f.Score, f.Degree = &estimate, 0
	if f.Verdict == judge.Supported {
		f.Degree = 1
	}
	f.Why += fmt.Sprintf("; estimate %.2f, support from %.2f on", estimate, threshold)
	return f
}

func textsOf(sources []judge.Source) []string {
	texts := make([]string, len(sources))
	for i, x := range sources {
		texts[i] = x.Text
	}
	return texts
}

// embed sets the vectors of the claims in Latin script and, if there is one, of all
// sentences.
func (j *Judge) embed(ctx context.Context, operation string, claims []*claim, e *evidence) error {
	var texts []string
	var to []*[]float32
	for _, c := range claims {
		if latin(c.text) {
			texts, to = append(texts, c.text), append(to, &c.vector)
		}
	}
	if len(to) == 0 {
		return ctx.Err()
	}
	for i := range e.sentences {
		texts, to = append(texts, e.sentences[i].text), append(to, &e.sentences[i].vector)
	}
	vectors, err := j.vectors(ctx, operation, texts)
	for i, v := range vectors {
		*to[i] = v
	}
	return err
}

// find rules on one claim by what was found in all sources, within the listed ones; nil means
// all. It is supported from the threshold on.
func (e *evidence) find(c *claim, all []found, within []int, threshold float64) judge.Finding {
	if within == nil {
		for i := range all {
			within = append(within, i)
		}
	}
	var parts []found
	var of []int
	for _, i := range within {
		if i >= 0 && i < len(all) && all[i].best >= 0 && !slices.Contains(of, i) {
			parts, of = append(parts, all[i]), append(of, i)
		}
	}
	if len(parts) == 0 {
		return judge.Finding{Verdict: judge.NotFound, Why: "the sources have no text"}
	}
	whole := together(parts)
	f := judge.Finding{Verdict: judge.NotFound, Degree: e.degree(c, whole), Why: c.why(whole)}
	contradiction := e.contradiction(c, whole)
	if contradiction != "" {
		// In the estimate the many agreements would outweigh a contradiction.
		f.Degree = math.Min(f.Degree, supportedFrom/2)
	}
	switch {
	case f.Degree >= threshold:
		return e.supported(c, f, parts, of, threshold)
	case contradiction != "":
		best := e.sentences[whole.best]
		f.Verdict, f.Why = judge.Contradicted, contradiction
		f.Quotes = []judge.Quote{{Source: best.source, Text: best.text, Alone: true}}
	}
	return f
}

// supported quotes the sources that support a claim, by what was found in each: those that do
// so alone, else the two with the nearest sentences.
func (e *evidence) supported(c *claim, f judge.Finding, parts []found, of []int, threshold float64) judge.Finding {
	f.Verdict, f.Singly = judge.Supported, true
	for k, p := range parts {
		if e.degree(c, p) >= threshold {
			f.Quotes = append(f.Quotes, judge.Quote{Source: of[k], Text: e.sentences[p.best].text, Alone: true})
		}
	}
	if f.Quotes == nil {
		for _, k := range descending(len(parts), func(k int) float64 { return parts[k].bestScore })[:min(2, len(parts))] {
			f.Quotes = append(f.Quotes, judge.Quote{Source: of[k], Text: e.sentences[parts[k].best].text})
		}
	}
	return f
}

// degree estimates how far what was found supports the claim.
func (e *evidence) degree(c *claim, f found) float64 {
	m := &supportByWords
	if c.vector != nil {
		m = e.support
	}
	p := m.probability(e.features(c, f))
	if count(f.numbers) < len(f.numbers) || count(f.names) < len(f.names) {
		p *= unfound
	}
	return p
}

// features returns the features of a claim and what sources share with it.
func (e *evidence) features(c *claim, f found) []feature {
	unsupported := len(f.numbers) - count(f.numbers)
	return []feature{
		{"cosine", f.cosine},
		{"sentence terms", f.sentence},
		{"window terms", f.window},
		{"all terms", part(f.terms, 0)},
		{"all words", part(f.words, 0)},
		{"pairs", part(f.pairs, part(f.words, 0))},
		{"subsequence", f.common},
		{"numbers", part(f.numbers, 1)},
		{"unsupported numbers", float64(min(unsupported, 3)) / 3},
		{"names", part(f.names, 1)},
		{"unsupported names", float64(min(len(f.names)-count(f.names), 3)) / 3},
		{"negation", indicator(c.denies(e.sentences[f.best].text))},
		{"personal", indicator(c.personal(f))},
	}
}

// contradiction says how the best sentence contradicts the claim, "" if it does not.
func (e *evidence) contradiction(c *claim, f found) string {
	best := e.sentences[f.best]
	in := termSet(best.text)
	// Numbers are words too; the comparison leaves them out.
	var others []string
	for _, t := range c.terms {
		if !strings.ContainsAny(t, "0123456789") {
			others = append(others, t)
		}
	}
	if len(others) == 0 || share(others, in) < matching {
		return ""
	}
	for k, ok := range f.numbers {
		if !ok && otherNumber(best.text, c) {
			return fmt.Sprintf("estimate: the nearest sentence has another number than %q", c.numbers[k].Text)
		}
	}
	affirmed := slices.DeleteFunc(slices.Clone(c.terms), func(t string) bool { return strings.ContainsAny(t, "不沒没未無无冇唔非") })
	if share(affirmed, in) >= denying && c.denies(best.text) {
		return "estimate: either this claim or the nearest sentence is negated"
	}
	return ""
}

// why says what an estimate is based on.
func (c *claim) why(f found) string {
	s := fmt.Sprintf("estimate: %d of %d terms found", count(f.terms), len(f.terms))
	if c.vector != nil {
		s += fmt.Sprintf(", nearest sentence %.2f", f.cosine)
	}
	if missing := missingOf(c, f); missing != "" {
		s += "; not found: " + missing
	}
	return s
}

// missingOf lists the first three numbers and names that were not found.
func missingOf(c *claim, f found) string {
	var out []string
	for k, ok := range f.numbers {
		if !ok {
			out = append(out, c.numbers[k].Text)
		}
	}
	for k, ok := range f.names {
		if !ok {
			out = append(out, c.names[k])
		}
	}
	return strings.Join(out[:min(3, len(out))], ", ")
}
