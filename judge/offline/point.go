package offline

import (
	"cmp"
	"context"
	"slices"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

// extract takes the sentences of the sources that answer the question most
// likely, by the estimate of the passage that they would make alone. Those that
// make level 2 are vital.
func (j *Judge) extract(ctx context.Context, s judge.Subject, sources []judge.Source) ([]judge.Point, error) {
	const most = 8
	var sentences []judge.Source
	var of []int
	seen := map[string]bool{}
	for i, x := range sources {
		for _, p := range sentenceSpans(x.Text) {
			t := claimOf(p.Of(x.Text))
			if key := bare(t); !seen[key] && checkworthy(p.Of(x.Text), t, bare(s.Question)) {
				seen[key] = true
				sentences, of = append(sentences, judge.Source{Text: t}), append(of, i)
			}
		}
	}
	grades, err := j.grade(ctx, s, sentences)
	if err != nil {
		return nil, err
	}
	order := make([]int, len(sentences))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(grades[b].Degree, grades[a].Degree) })
	var out []judge.Point
	for _, i := range order[:min(most, len(order))] {
		if grades[i].Level == 0 && out != nil {
			break
		}
		out = append(out, judge.Point{Text: sentences[i].Text, Vital: out == nil || grades[i].Level >= 2, Source: of[i]})
	}
	return out, nil
}

// assign estimates how far the answer makes each point: the share of what the
// point says beyond the question that the answer says as well. Of the measures
// without a model, keyword recall agrees best with people on completeness.
func (j *Judge) assign(ctx context.Context, s judge.Subject, in question.AssignInput) ([]judge.Assignment, error) {
	points, answer := in.Points, in.Answer
	asked := termSet(s.Question)
	e := newEvidence([]string{answer})
	ready := make([]*claim, len(points))
	for i, p := range points {
		ready[i] = newClaim(p, asked)
	}
	if err := j.embed(ctx, "assign", ready, e); err != nil {
		return nil, err
	}
	out := make([]judge.Assignment, len(points))
	for i, c := range ready {
		f := e.look(c)[0]
		out[i] = judge.Assignment{Known: true, Credit: credit(c, f, asked), Why: c.why(f)}
		if f.best >= 0 && out[i].Credit > 0 {
			out[i].Quote = e.sentences[f.best].text
		}
	}
	return out, ctx.Err()
}

// credit is the share of the point's terms beyond the question that were found;
// of all its terms when it has no other.
func credit(c *claim, f found, asked map[string]bool) float64 {
	n, all := 0, 0
	for i, t := range c.terms {
		if asked[t] {
			continue
		}
		all++
		if f.terms[i] {
			n++
		}
	}
	if all == 0 {
		return part(f.terms, 0)
	}
	return ratio(n, all)
}
