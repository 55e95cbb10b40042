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
			text += " – " + excerpt(b.w, line(s.Reason), b.most.passage)
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
		why := document.Cell{Text: document.T(excerpt(b.w, line(s.Reason), b.most.passage))}
		for _, e := range b.evidence(observed(info, s)) {
			why.Fold = append(why.Fold, e[0].Text)
		}
		t.Rows = append(t.Rows, document.Row{Cells: []document.Cell{{Text: document.Text{name}}, value, why}})
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
			item.Text = append(item.Text, document.Span{Text: ": " + excerpt(b.w, line(s.Reason), b.most.passage)})
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
