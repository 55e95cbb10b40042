package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// certifiedLines tells what the judge of a run is worth on the questions that the metrics rest
// on, a line a question. It returns nil if the judge has no certificate on any of them.
func certifiedLines(w words.Words, h assay.Header, metrics []assay.MetricInfo) []string {
	all := h.Measured(metrics)
	if !slices.ContainsFunc(all, func(m assay.Measured) bool { return m.Certificate != nil }) {
		return nil
	}
	return mapped(assay.ByQuestion(all), func(of []assay.Measured) string { return line(w.Say("Certified", words.V{"of": of})) })
}

// judgedMetrics returns those of the metrics that rest on a judge.
func judgedMetrics(metrics []assay.MetricInfo) []assay.MetricInfo {
	return slices.DeleteFunc(slices.Clone(metrics), func(m assay.MetricInfo) bool { return !m.Judged })
}

// certifiable reports whether there is something to say of the judge of the run beside people:
// a metric is judged.
func (c *content) certifiable() bool {
	h := c.r.Header
	return h.Judge != nil && len(judgedMetrics(h.Metrics)) > 0
}

// certified are the lines of [certifiedLines] about the metrics of the run.
func (c *content) certified() []string { return certifiedLines(c.w, c.r.Header, c.r.Header.Metrics) }

// aboutJudge are the lines of [content.certified] and of [content.canaries].
func (c *content) aboutJudge() []string { return append(c.certified(), c.canaries()...) }

// certifiedNote says below a table for a page what the judge of its metrics is worth, and
// whether it is the one that it was.
func (c *content) certifiedNote() []document.Block {
	if !c.certifiable() {
		return nil
	}
	text := c.w.NotCertified("")
	if lines := c.certified(); lines != nil {
		text = strings.Join(lines, " · ")
	}
	var out []document.Block
	for _, text := range append([]string{c.w.Names().CertifiedHead + c.w.Names().Colon + text}, c.canaries()...) {
		out = append(out, document.Paragraph{Kind: document.Note, Text: document.T(text), Views: document.Page})
	}
	return out
}

// judges tells of a comparison what the judges of its runs are worth: once if that is the same
// for all of them.
func (x *compared) judges() []document.Section {
	var items []document.Fact
	for i, r := range x.c.Reports {
		h := r.Header
		if h.Judge == nil || len(judgedMetrics(x.infos())) == 0 {
			continue
		}
		lines := certifiedLines(x.w, h, x.infos())
		if lines == nil {
			lines = []string{x.w.NotCertified("")}
		}
		items = append(items, document.Fact{Name: x.c.Runs[i], Lines: document.Of(lines...)})
	}
	if len(items) == 0 {
		return nil
	}
	text := func(f document.Fact) string { return fmt.Sprint(f.Lines) }
	if len(items) == len(x.c.Runs) && !slices.ContainsFunc(items, func(f document.Fact) bool { return text(f) != text(items[0]) }) {
		items = items[:1]
		items[0].Name = x.w.Names().FactNames.Judge
	}
	return []document.Section{{ID: "judges", Title: x.w.Names().CertifiedHead, Bare: document.Glance, Blocks: facts(items)}}
}

// infos are the metrics of the comparison.
func (x *compared) infos() []assay.MetricInfo {
	return mapped(x.c.Rows, func(r summary.ComparisonRow) assay.MetricInfo { return r.MetricInfo })
}

// withinError says which of the differences that are shown are smaller than the share of wrong
// rulings of their judge. On items of which half are true that share is one less the balanced
// accuracy. If the judge errs on one run by calling true what is not, and on the other by the
// opposite, the means of its rulings differ by as much while the runs do not. Composites,
// which are means of several questions, are left out.
func (x *compared) withinError() []string {
	var out []string
	for _, row := range x.c.Rows {
		if !row.Judged || row.Name == assay.CompositeName || row.Unit != "" || row.Range != [2]float64{0, 1} {
			continue
		}
		for i, d := range row.Differences {
			worst, share, ok := x.wrongRulings(row.MetricInfo, 0, i+1)
			if ok && summary.Shown(d) && math.Abs(d.Diff) < share {
				out = append(out, visible(x.w.Say("WithinJudgeError", words.V{"metric": row.Name, "run": x.c.Runs[i+1],
					"difference": signed(row.MetricInfo, d.Diff), "question": worst, "share": fmt.Sprintf("%.2f", share)})))
			}
		}
	}
	return out
}

// wrongRulings returns the largest share of wrong rulings of the judge among the questions that
// a metric rests on, in either of two runs. ok is false if one is not certified.
func (x *compared) wrongRulings(m assay.MetricInfo, runs ...int) (question string, share float64, ok bool) {
	for _, i := range runs {
		for _, one := range x.c.Reports[i].Header.Measured([]assay.MetricInfo{m}) {
			if one.Certificate == nil || one.Certificate.BalancedAccuracy.Value == nil {
				return "", 0, false
			}
			if wrong := 1 - *one.Certificate.BalancedAccuracy.Value; question == "" || wrong > share {
				question, share = one.Question, wrong
			}
		}
	}
	return question, share, question != ""
}

// gatedJudge tells what the judge is worth on the questions of the metrics that the gate
// holds; nil if it holds none that is judged.
func (c *content) gatedJudge() []string {
	gated := judgedMetrics(c.r.Header.Metrics)
	gated = slices.DeleteFunc(gated, func(m assay.MetricInfo) bool {
		return !slices.ContainsFunc(c.r.Gate.Results, func(x gate.Result) bool { return x.Metric == m.Name })
	})
	if name := c.judgeName(); len(gated) > 0 && name != "" {
		return slices.Concat([]string{name}, certifiedLines(c.w, c.r.Header, gated), c.canaries())
	}
	return nil
}

// canaryWarnings are the warnings about canaries, in a language.
func canaryWarnings(w words.Words, h assay.Header) []string {
	var out []string
	for _, c := range h.Canaries {
		if text := w.Say("CanaryWarning", c); text != "" {
			out = append(out, line(text))
		}
	}
	return out
}

// told are the warnings of the run, those about canaries in the language of the report.
func (c *content) told() []string {
	out := slices.Clone(c.r.Summary.Warnings)
	own := canaryWarnings(c.w, c.r.Header)
	for i, english := range canaryWarnings(words.English, c.r.Header) {
		if at := slices.Index(out, english); at >= 0 {
			out[at] = own[i]
		}
	}
	return out
}

// canaries tells in a line each what the canaries of the judges have shown; with the names of
// the models if there are several.
func (c *content) canaries() []string {
	var out []string
	for _, one := range c.r.Header.Canaries {
		text := line(c.w.Canary(one))
		if len(c.r.Header.Canaries) > 1 {
			text = line(one.Provider+" "+one.Model) + c.w.Names().Colon + text
		}
		out = append(out, text)
	}
	return out
}

// doubtJudge adds a caution about each model that changed between the first run and another.
func (c *Comparison) doubtJudge(first, r *Report, name string) {
	for _, x := range assay.CanariesBetween(first.Header.Canaries, r.Header.Canaries) {
		c.Cautions = append(c.Cautions, words.Caution{Kind: words.ChangedJudge, Run: c.Runs[0], Other: name, Canary: &x})
	}
}
