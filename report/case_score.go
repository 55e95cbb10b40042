package report

import (
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// scores adds the scores of the case with their thresholds and the evidence for them.
// The judge's observations have a part of their own.
func (b *caseContent) scores() {
	var items []document.Item
	for _, info := range ordered(b.r.Header.Metrics) {
		s, ok := b.Record.Scores[info.Name]
		if !ok {
			continue
		}
		text := ": " + b.held(info, s)
		if s.Reason != "" && !reasoned(info, s) {
			text += " – " + reasonText(b.w, s.Reason, b.most.passage)
		}
		item := document.Item{Text: document.Join(document.C(info.Name), document.T(text))}
		if !ruled(info) {
			item.Sub = b.evidence(s.Evidence)
		}
		items = append(items, item)
	}
	b.say(b.w.Names().CaseNames.Scores, "", document.List{Items: items})
}

// scoreTable adds a table of the case's scores to a page, each with its reason and its
// evidence.
func (b *caseContent) scoreTable() {
	n := b.w.Names().PageNames
	t := document.Table{ID: "scores"}
	t.Columns = []document.Column{{Head: n.Metric, Words: true}, {Head: n.Score}, {Head: n.Reason, Words: true}}
	shares := summary.Shares(b.r.Header.Metrics, b.Record)
	for _, info := range leading(b.r.Header.Metrics) {
		s, ok := b.Record.Scores[info.Name]
		if !ok {
			continue
		}
		name := document.Span{Text: info.Name, Style: document.Metric, Title: info.Title, Estimate: info.Estimate}
		if share := shares[info.Name]; share > 0 {
			name.Notes = []string{b.w.Say("Weight", words.V{"share": percentage(share)})}
		}
		value := document.Cell{Text: document.T(b.held(info, s))}
		if summary.Misses(info, s) || s.State == assay.TargetError {
			value.Mark = document.Bad
		}
		if s.State == assay.Scored && s.Lower != s.Upper {
			value.Below = number(info, s.Lower) + "…" + number(info, s.Upper)
		}
		why := document.Cell{Text: document.T(reasonText(b.w, s.Reason, b.most.passage))}
		for _, e := range b.evidence(observed(info, s)) {
			why.Fold = append(why.Fold, e[0].Text)
		}
		t.Add(name, value, why)
	}
	if t.Rows != nil {
		b.say(b.w.Names().CaseNames.Scores, "", t)
	}
}

// reasoned reports whether a score's reason belongs to the judge's reasoning. The
// reason for a missing score is shown in place of the score.
func reasoned(info assay.MetricInfo, s assay.Score) bool {
	return ruled(info) && s.State == assay.Scored
}

// reasoning adds what the judge observed, except for the unsupported claims.
func (b *caseContent) reasoning() {
	n := b.w.Names().CaseNames
	var items []document.Item
	for _, info := range ordered(b.r.Header.Metrics) {
		s := b.Record.Scores[info.Name]
		evidence := observed(info, s)
		reason := reasoned(info, s) && s.Reason != ""
		if !ruled(info) || len(evidence) == 0 && !reason {
			continue
		}
		item := document.Item{Text: document.C(info.Name), Sub: b.evidence(evidence)}
		if reason {
			item.Text = append(item.Text, document.Span{Text: ": " + reasonText(b.w, s.Reason, b.most.passage)})
		}
		items = append(items, item)
	}
	title := n.Reasoning
	if j := b.r.Header.Judge; j != nil && j.Estimate {
		title = n.Estimates
	}
	b.list(title, "", items, 0, false)
}

// claims adds the claims of the answer that nothing supports.
func (b *caseContent) claims() {
	var items []document.Item
	for _, x := range unsupported(b.r.Header.Metrics, b.Record) {
		if b.ruled.has(x.Evidence) {
			continue
		}
		items = append(items, document.Items(b.w.Say("Claim", words.V{"Text": excerpt(b.w, line(x.Text), b.most.passage),
			"Kind": line(x.Kind), "Where": line(x.Where), "By": x.By}))...)
	}
	b.list(b.w.Names().CaseNames.Claims, "", items, b.most.claims, false)
}

func (b *caseContent) evidence(list []assay.Evidence) []document.Text {
	var out []document.Text
	for i, e := range list {
		if i == b.most.evidence {
			return append(out, document.T(b.w.More(len(list)-i)))
		}
		s := e.Kind + ": " + excerpt(b.w, line(e.Text), b.most.passage)
		if e.Where != "" {
			s += " (" + e.Where + ")"
		}
		out = append(out, document.T(s))
	}
	return out
}

// A claim is a claim of the answer that nothing supports or that something
// contradicts.
type claim struct {
	assay.Evidence
	// By names the metrics that found it. The passages may support a claim that the
	// reference answer does not.
	By []string
}

func isClaim(e assay.Evidence) bool { return e.Kind == "unsupported" || e.Kind == "contradicted" }

// unsupported returns the claims of the answer for which the judge found no support.
// Several metrics check the same claims; each claim is listed once.
func unsupported(metrics []assay.MetricInfo, r assay.Record) []claim {
	var out []claim
	for _, m := range metrics {
		if !ruled(m) {
			continue
		}
		for _, e := range r.Scores[m.Name].Evidence {
			if !isClaim(e) {
				continue
			}
			i := slices.IndexFunc(out, func(c claim) bool { return c.Kind == e.Kind && c.Text == e.Text && c.Where == e.Where })
			if i < 0 {
				i = len(out)
				out = append(out, claim{Evidence: e})
			}
			if name := line(m.Name); !slices.Contains(out[i].By, name) {
				out[i].By = append(out[i].By, name)
			}
		}
	}
	return out
}

// observed returns the evidence for a score without its claims: those that [unsupported]
// returns, and those with support.
func observed(m assay.MetricInfo, s assay.Score) []assay.Evidence {
	if !ruled(m) {
		return s.Evidence
	}
	return slices.DeleteFunc(remarked(s), isClaim)
}

// remarked returns the evidence for a score without the claims that have support.
func remarked(s assay.Score) []assay.Evidence {
	return slices.DeleteFunc(slices.Clone(s.Evidence), func(e assay.Evidence) bool { return e.Kind == assay.KindSupported })
}

// ruled reports whether the metric itself rests on rulings of a judge.
func ruled(m assay.MetricInfo) bool { return m.Judged && m.Name != assay.CompositeName }

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

// passages returns the ranks of the passages whose words a ruling rests on, each once: not of those
// that say otherwise.
func (x ruledClaim) passages() []int {
	var out []int
	for _, s := range x.Spans {
		if s.Passage > 0 && !s.Against && !slices.Contains(out, s.Passage) {
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
			if s.Against {
				m.Ruling = document.Contradicted
			}
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
