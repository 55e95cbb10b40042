package report

import (
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
)

// ruledClaims are the claims of an answer with the rulings of a judge by the passages. The
// zero value has none.
type ruledClaims struct {
	list     []ruledClaim
	response *assay.Response
	// by names the metric that lists them.
	by string
	// all is set if every claim of the answer is among them.
	all bool
	// estimate is set if a formula ruled.
	estimate bool
}

// A ruledClaim is a claim with its places that the response has.
type ruledClaim struct {
	assay.Evidence
	ruling document.Ruling
}

// claimQuestions are the questions of metrics that list claims of the answer with rulings by the
// passages. The first lists all claims, the others those that they count. Other metrics rule by
// the reference answer, or on sentences.
var claimQuestions = []assay.LabelQuestion{assay.LabelSupported, assay.LabelFounded, assay.LabelUncontradicted}

// rulingOf returns the ruling that a kind of evidence of [claimQuestions] stands for.
func rulingOf(kind string) (r document.Ruling, ok bool) {
	switch kind {
	case assay.KindSupported, "split":
		return document.Supported, true
	case "contradicted":
		return document.Contradicted, true
	case "unsupported", "hallucinated":
		return document.Unsupported, true
	case "unknown":
		return document.NoRuling, true
	}
	return "", false
}

// claimsOf returns the claims that a metric of the first of [claimQuestions] lists.
func claimsOf(h assay.Header, rec assay.Record) ruledClaims {
	if rec.Response == nil {
		return ruledClaims{}
	}
	for _, q := range claimQuestions {
		for _, m := range h.Metrics {
			if !ruled(m) || Described(m).LabelQuestion != q {
				continue
			}
			score := rec.Scores[m.Name]
			out := ruledClaims{response: rec.Response, by: m.Name, estimate: m.Estimate}
			for _, e := range score.Evidence {
				if ruling, ok := rulingOf(e.Kind); ok {
					e.Spans = slices.DeleteFunc(slices.Clone(e.Spans), func(s assay.Span) bool {
						_, has := rec.Response.Words(s)
						return !has
					})
					out.list = append(out.list, ruledClaim{e, ruling})
					// Records of earlier versions list only the claims without support.
					out.all = out.all || e.Kind == assay.KindSupported
				}
			}
			out.all = q == assay.LabelSupported && (out.all || score.Value == 0)
			if out.list != nil {
				return out
			}
		}
	}
	return ruledClaims{}
}

// has reports whether a claim is in the list.
func (l ruledClaims) has(e assay.Evidence) bool {
	return slices.ContainsFunc(l.list, func(x ruledClaim) bool { return x.Kind == e.Kind && x.Text == e.Text && x.Where == e.Where })
}

// passages returns the ranks of the passages whose words a ruling rests on, each once.
func (x ruledClaim) passages() []int {
	var out []int
	for _, s := range x.Spans {
		if s.Passage > 0 && !slices.Contains(out, s.Passage) {
			out = append(out, s.Passage)
		}
	}
	return out
}

// marks returns the words of claims in a passage, or, for 0, in the answer.
func (b *caseContent) marks(passage int) []document.Highlight {
	var out []document.Highlight
	for i, x := range b.ruled.list {
		place, first := 0, true
		for _, s := range x.Spans {
			if s.Passage > 0 {
				place++
			}
			if s.Passage != passage {
				continue
			}
			m := document.Highlight{Start: s.Start, End: s.End, Claim: i + 1, Ruling: x.ruling}
			if passage > 0 {
				m.Place = place
			} else {
				m.Label, m.More, first = b.claimLabel(i), !first, false
			}
			out = append(out, m)
		}
	}
	return out
}

func (b *caseContent) claimLabel(i int) string {
	x := b.ruled.list[i]
	return b.w.ClaimLabel(i+1, b.w.RulingWord(string(x.ruling)), x.passages())
}

// claimList adds the claims of the answer with their rulings.
func (b *caseContent) claimList() {
	if b.ruled.list == nil {
		return
	}
	n := b.w.Names().ClaimNames
	var items []document.Claim
	for i, x := range b.ruled.list {
		c := document.Claim{Ruling: x.ruling, Word: b.w.RulingWord(string(x.ruling)), Label: b.claimLabel(i), Text: x.Text, Where: x.Where,
			Said: slices.ContainsFunc(x.Spans, func(s assay.Span) bool { return s.Passage == 0 })}
		for _, s := range x.Spans {
			if said, ok := b.ruled.response.Words(s); ok && s.Passage > 0 {
				c.Places = append(c.Places, document.Place{Passage: b.w.Say("PassageRank", words.V{"n": s.Passage}), Words: said})
			}
		}
		if !c.Said {
			c.Remarks = append(c.Remarks, n.NotSaid)
		}
		if c.Places == nil && (x.ruling == document.Supported || x.ruling == document.Contradicted) {
			c.Remarks = append(c.Remarks, n.NoWords)
		}
		items = append(items, c)
	}
	var blocks []document.Block
	if !b.ruled.all {
		blocks = append(blocks, document.Paragraph{Kind: document.Note, Text: document.T(b.w.Say("SomeClaims", words.V{"metric": b.ruled.by}))})
	}
	if b.ruled.estimate {
		blocks = append(blocks, document.Paragraph{Kind: document.Note, Text: document.T(n.Estimated)})
	}
	b.say(n.Title, b.w.ClaimCounts(b.countRulings()), append(blocks, document.Claims{Items: items})...)
}

// countRulings counts the claims by ruling.
func (b *caseContent) countRulings() map[string]int {
	out := map[string]int{}
	for _, x := range b.ruled.list {
		out[string(x.ruling)]++
	}
	return out
}
