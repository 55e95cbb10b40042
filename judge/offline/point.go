package offline

import (
	"cmp"
	"context"
	"slices"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

// extract returns the sentences of the sources that most probably answer the
// question, each graded like a passage. Sentences of level 2 and above are vital.
func (j *Judge) extract(ctx context.Context, s judge.Subject, sources []judge.Source) ([]judge.Point, error) {
	const most = 8
	var sentences []judge.Source
	var of []int
	seen := map[string]bool{}
	for i, x := range sources {
		for _, p := range sentenceSpans(x.Text) {
			t := claimOf(p.Of(x.Text))
			if key := wordsOnly(t); !seen[key] && checkworthy(p.Of(x.Text), t, wordsOnly(s.Question)) {
				seen[key] = true
				sentences, of = append(sentences, judge.Source{Text: t}), append(of, i)
			}
		}
	}
	grades, err := j.grade(ctx, s, sentences)
	if err != nil {
		return nil, err
	}
	order := descending(len(sentences), func(i int) float64 { return grades[i].Degree })
	var out []judge.Point
	for _, i := range order[:min(most, len(order))] {
		if grades[i].Level == 0 && out != nil {
			break
		}
		out = append(out, judge.Point{Text: sentences[i].Text, Vital: out == nil || grades[i].Level >= 2, Source: of[i]})
	}
	return out, nil
}

// assign estimates how far the answer makes each point: the share of the point's
// terms, without those of the question, that the answer has. Of the measures without
// a model, keyword recall agrees best with people on completeness.
func (j *Judge) assign(ctx context.Context, s judge.Subject, in question.AssignInput) ([]judge.Assignment, error) {
	if err := unmeasured(ofCompleteness, s); err != nil {
		return nil, err
	}
	asked := termSet(s.Question)
	e := newEvidence([]string{in.Answer})
	claims := make([]*claim, len(in.Points))
	for i, p := range in.Points {
		claims[i] = newClaim(p)
	}
	if err := j.embed(ctx, "assign", claims, e); err != nil {
		return nil, err
	}
	out := make([]judge.Assignment, len(claims))
	for i, c := range claims {
		f := e.look(c)[0]
		out[i] = judge.Assignment{Known: true, Credit: credit(c, f, asked), Why: c.why(f)}
		if f.best >= 0 && out[i].Credit > 0 {
			out[i].Quote = e.sentences[f.best].text
		}
	}
	return out, ctx.Err()
}

// credit is the share of the point's terms, without those of the question, that were
// found; the share of all its terms if it has no other.
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

// descending returns the indexes of n values, the largest first.
func descending(n int, value func(int) float64) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(value(b), value(a)) })
	return order
}
