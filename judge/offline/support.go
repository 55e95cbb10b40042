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

// supportedFrom is the estimate from which a claim counts as supported. The
// model is fitted to what people said of whole answers, so that it is where
// they are divided.
const supportedFrom = 0.5

// matching is the share of a claim's terms that a sentence must have for a
// number or a negation that differs to contradict it, not to belong to
// something else.
const matching = 0.6

// denying is the same for a negation, which is more often of something else.
const denying = 0.8

// unfound multiplies the estimate of a claim with a number or a name that no
// source has. On the training half such claims are rarely attributable (9 of
// 175 in BEGIN), and the fit, in which they are few, gives them no weight.
const unfound = 0.5

// rule estimates for each claim the probability that the sources bear it
// out. A claim that nearly matches a sentence but for a number or a negation is
// contradicted. A source is enough alone when the estimate from it alone is.
func (j *Judge) rule(ctx context.Context, s judge.Subject, in question.SupportInput) ([]judge.Finding, error) {
	claims, sources := in.Claims, in.Sources
	if len(claims) == 0 {
		return nil, ctx.Err()
	}
	texts := make([]string, len(sources))
	for i, x := range sources {
		texts[i] = x.Text
	}
	e := newEvidence(texts)
	e.support = j.support
	asked := termSet(s.Question)
	ready := make([]*claim, len(claims))
	for i, c := range claims {
		ready[i] = newClaim(c.Text, asked)
	}
	if err := j.embed(ctx, "support", ready, e); err != nil {
		return nil, err
	}
	out := make([]judge.Finding, len(claims))
	for i := range ready {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i] = e.find(ready[i], claims[i].Within, sources)
	}
	return out, nil
}

// embed gives the claims that the embedder reads, and all sentences, their
// vectors.
func (j *Judge) embed(ctx context.Context, operation string, claims []*claim, e *evidence) error {
	var texts []string
	var to []*[]float32
	for _, c := range claims {
		if reads(c.text) {
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

// find rules on one claim, within the sources listed or all.
func (e *evidence) find(c *claim, within []int, sources []judge.Source) judge.Finding {
	all := e.look(c)
	if within == nil {
		within = make([]int, len(sources))
		for i := range within {
			within[i] = i
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
		return judge.Finding{Verdict: judge.NotFound, Why: "there is no text to find it in"}
	}
	whole := together(parts)
	f := judge.Finding{Verdict: judge.NotFound, Degree: e.degree(c, whole)}
	f.Why = c.why(whole)
	if clash, words := e.clash(c, whole); clash != "" {
		// A clash is evidence against the claim that the estimate, made of
		// many small agreements, would drown.
		f.Degree = math.Min(f.Degree, supportedFrom/2)
		f.Verdict = judge.Contradicted
		f.Why = clash
		f.Quotes = []judge.Quote{{Source: e.sentences[words].source, Text: e.sentences[words].text, Alone: true}}
		return f
	}
	if f.Degree < supportedFrom {
		return f
	}
	f.Verdict = judge.Supported
	for k, p := range parts {
		if e.degree(c, p) >= supportedFrom {
			f.Quotes = append(f.Quotes, judge.Quote{Source: of[k], Text: e.sentences[p.best].text, Alone: true})
		}
	}
	if f.Quotes == nil {
		f.Quotes = e.several(parts, of)
	}
	return f
}

// several quotes the two best sources for a claim that none bears out alone.
func (e *evidence) several(parts []found, of []int) []judge.Quote {
	order := make([]int, len(parts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case parts[a].bestScore > parts[b].bestScore:
			return -1
		case parts[a].bestScore < parts[b].bestScore:
			return 1
		}
		return 0
	})
	var out []judge.Quote
	for _, k := range order[:min(2, len(order))] {
		out = append(out, judge.Quote{Source: of[k], Text: e.sentences[parts[k].best].text})
	}
	return out
}

// degree estimates how far what was found bears the claim out.
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

// features of a claim and what sources have of it.
func (e *evidence) features(c *claim, f found) []feature {
	unsupported := len(f.numbers) - count(f.numbers)
	return []feature{
		{"cosine", f.cosine},
		{"sentence terms", f.sentence},
		{"window terms", f.window},
		{"all terms", part(f.terms, 0)},
		{"all words", part(f.words, 0)},
		{"pairs", part(f.pairs, part(f.words, 0))},
		{"run", f.run},
		{"subsequence", f.common},
		{"numbers", part(f.numbers, 1)},
		{"has numbers", yes(len(f.numbers) > 0)},
		{"unsupported numbers", float64(min(unsupported, 3)) / 3},
		{"names", part(f.names, 1)},
		{"has names", yes(len(f.names) > 0)},
		{"unsupported names", float64(min(len(f.names)-count(f.names), 3)) / 3},
		{"negation", yes(c.denies(e.sentences[f.best].text))},
		{"length", math.Log1p(float64(len(c.words))) / 5},
		{"personal", yes(c.personal(f))},
		{"asked", c.asked},
	}
}

// clash tells what in a sentence that nearly matches contradicts the claim, ""
// for nothing.
func (e *evidence) clash(c *claim, f found) (why string, sentence int) {
	best := e.sentences[f.best]
	in := termSet(best.text)
	// Numbers are words too; leave those that clash out of the comparison.
	var others []string
	for _, t := range c.terms {
		if !strings.ContainsAny(t, "0123456789") {
			others = append(others, t)
		}
	}
	if len(others) == 0 || share(others, func(t string) bool { return in[t] }) < matching {
		return "", 0
	}
	for k, ok := range f.numbers {
		if !ok && otherNumber(best.text, c) {
			return fmt.Sprintf("estimate: the nearest sentence has another number than %q", c.numbers[k].Text), f.best
		}
	}
	affirmed := slices.DeleteFunc(slices.Clone(c.terms), func(t string) bool { return strings.ContainsAny(t, "不沒没未無无冇唔非") })
	if share(affirmed, func(t string) bool { return in[t] }) >= denying && c.denies(best.text) {
		return "estimate: of this claim and the nearest sentence one denies", f.best
	}
	return "", 0
}

// why says in a few words what an estimate rests on.
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

// missingOf lists the numbers and names that were not found, the first three.
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
