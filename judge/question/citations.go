package question

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
)

// maxCites is how many passages that one sentence cites are judged. A sentence
// that cites more is a list of everything, and costs as much.
const maxCites = 5

// Citations has an entry for each sentence of the answer, with at most five of
// the passages that it cites.
var Citations = about(judge.Question[[]judge.Cited]{
	Name: "citations", Title: "support of the sentences by what they cite", Tasks: []judge.AnyTask{Support}, When: hasPassages,
	Find: citations,
})

// citations holds each sentence of the answer against the passages it cites, in
// one task. Only passages that are cited are sent, wherever they stand in the
// list: what is cited is what is asked about.
func citations(ctx context.Context, h *judge.Hearing) ([]judge.Cited, error) {
	cited := Cite(h.Response.Answer, len(h.Response.Passages))
	for i := range cited {
		c := &cited[i]
		if n := len(c.Cites); n > maxCites {
			h.Warn(fmt.Sprintf("sentence %d of the answer cites %d passages: the judge saw the first %d", c.Sentence, n, maxCites))
			c.Cites = c.Cites[:maxCites]
		}
	}
	all := judge.SourcesOf(h.Response.Passages, 0)
	place := map[int]int{}
	var sources []judge.Source
	var back []int
	var claims []judge.Claim
	var asked []int
	for i := range cited {
		c := &cited[i]
		if len(c.Cites) == 0 {
			c.Finding = judge.Finding{Why: "it cites no passage"}
			if len(c.Invalid) > 0 {
				c.Finding.Why = "it cites passages that do not exist"
			}
			continue
		}
		claim := judge.Claim{Text: text.WithoutCitations(c.Text), Sentence: c.Sentence}
		for _, p := range c.Cites {
			if _, ok := place[p]; !ok {
				place[p] = len(sources)
				sources, back = append(sources, all[p]), append(back, p)
			}
			claim.Within = append(claim.Within, place[p])
		}
		claims, asked = append(claims, claim), append(asked, i)
	}
	findings, err := hold(ctx, h, claims, sources)
	if err != nil {
		return nil, err
	}
	for i, f := range findings {
		f.Quotes, f.Contrary, f.Parts = placed(f.Quotes, back), placed(f.Contrary, back), placed(f.Parts, back)
		cited[asked[i]].Finding = f
	}
	return cited, nil
}

// placed returns the quotes with the sources that the places in a list stand for.
func placed(quotes []judge.Quote, back []int) (out []judge.Quote) {
	for _, q := range quotes {
		if q.Source >= 0 && q.Source < len(back) {
			q.Source = back[q.Source]
			out = append(out, q)
		}
	}
	return out
}

// Cite parts an answer into sentences and tells which of n passages each cites by number;
// see [text.Citations]. The findings are empty.
func Cite(answer string, n int) []judge.Cited {
	var out []judge.Cited
	for _, c := range text.Citations(answer, n) {
		out = append(out, judge.Cited{Sentence: c.Sentence, Text: c.Text, Cites: c.Cites, Invalid: c.Invalid})
	}
	return out
}
