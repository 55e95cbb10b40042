package judged

import (
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

const (
	alce         = "ALCE (Gao et al., EMNLP 2023)"
	citationEdge = "An answer that declines or is empty has the state abstained. Sentences count that make a claim or cite something: greetings and the like do not. " +
		"Read are [1], [2][3], [1, 2], [1-3] and 【1】, a mark behind the full stop with the sentence before it; of the passages that one sentence cites the first five are judged. " +
		"A number that no passage has is a wrong citation. "
)

// A citing sentence is one that counts, with the ruling on what it cites.
type citing struct {
	judge.Cited
	supported float64
	known     bool
}

// citings gives the sentences that count; or the score that stands instead.
func citings(in metric.Input) ([]citing, *assay.Score, error) {
	r, err := question.Answer.Of(in.Assessment).Get()
	if err != nil {
		return nil, nil, err
	}
	if r.Kind.Declines() {
		s := abstained(r.Kind)
		return nil, &s, nil
	}
	cited, err := question.Citations.Of(in.Assessment).Get()
	if err != nil {
		return nil, nil, err
	}
	claims := map[int]bool{}
	for _, c := range r.Claims {
		claims[c.Sentence] = true
	}
	var out []citing
	for _, c := range cited {
		// A claim whose sentence is not known may be of any.
		if len(c.Cites)+len(c.Invalid) == 0 && !claims[c.Sentence] && !claims[0] {
			continue
		}
		one := citing{Cited: c, known: true}
		if len(c.Cites) > 0 {
			one.supported, one.known = credit(c.Finding)
		}
		out = append(out, one)
	}
	if out == nil {
		s := assay.None(noClaims)
		return nil, &s, nil
	}
	return out, nil, nil
}

// needed tells whether a passage that a sentence cites bears it out: alone, or
// with others none of which suffices without it. The others suffice when one of
// them does so alone, or when the judge quotes words of them only.
func (c citing) needed(passage int) bool {
	if len(c.Cites) == 1 {
		return true
	}
	quoted, othersAlone := false, false
	for _, q := range c.Finding.Quotes {
		switch {
		case q.Source == passage && q.Alone:
			return true
		case q.Source == passage:
			quoted = true
		case q.Alone && slices.Contains(c.Cites, q.Source):
			othersAlone = true
		}
	}
	return quoted && !othersAlone
}

// first grades the first citation of a sentence: 1 when it supports the
// sentence alone, 0.5 when it does so with others, else 0.
func (c citing) first() (v float64, known bool) {
	if len(c.Cites) == 0 {
		return 0, true
	}
	if !c.known {
		return 0, false
	}
	for _, q := range c.Finding.Quotes {
		if q.Source == c.Cites[0] {
			if q.Alone {
				return c.supported, true
			}
			v = c.supported / 2
		}
	}
	return v, true
}

// unsupportedSentences lists the sentences that what they cite does not bear
// out.
func unsupportedSentences(sentences []citing) []assay.Evidence {
	var out []assay.Evidence
	for _, c := range sentences {
		e := assay.Evidence{Text: reasoned(start(c.Text), c.Finding.Why), Where: fmt.Sprintf("sentence %d", c.Sentence)}
		switch {
		case !c.known:
			e.Kind = "unknown"
		case len(c.Cites)+len(c.Invalid) == 0:
			e.Kind = "uncited"
		case c.supported < 0.5:
			e.Kind = "unsupported"
		case c.Finding.Split():
			e.Kind = "split"
		case len(c.Invalid) > 0:
			e.Kind = "no such passage"
		default:
			continue
		}
		if v := votesOf(c.Finding.Votes); v != "" {
			e.Where += ", " + v
		}
		out = append(out, e)
	}
	return out
}

// cites tells whether any sentence cites anything.
func cites(sentences []citing) bool {
	return slices.ContainsFunc(sentences, func(c citing) bool { return len(c.Cites)+len(c.Invalid) > 0 })
}
