package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

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

// certificates are the certificates of the run's judge in full.
func (c *content) certificates() []document.Section {
	w, all := c.w, c.r.Header.Certificates
	if len(all) == 0 {
		return nil
	}
	s := document.Section{ID: "certificates", Title: w.Names().CertificatesTitle}
	s.Blocks = []document.Block{document.Paragraph{Kind: document.Note, Text: document.T(w.Names().CertificatesNote)}}
	for _, one := range all {
		title := line(w.Say("Certified", words.V{"of": []assay.Measured{{Question: one.Question, Language: one.Language, Certificate: &one}}}))
		all := certificateFacts(w, one)
		s.Blocks = append(s.Blocks, document.Paragraph{Text: document.T(title), Views: document.Glance},
			document.List{Items: listed(w, all), Views: document.Glance},
			document.Fold{Title: title, Blocks: facts(all), Views: document.Reading | document.Page})
	}
	return []document.Section{s}
}

// listed are facts as a list, for names that are too long for the column of a terminal.
func listed(w words.Words, all []document.Fact) []document.Item {
	var out []document.Item
	for _, f := range all {
		for _, l := range f.Lines {
			out = append(out, document.Item{Text: document.Join(document.T(f.Name+w.Names().Colon), l)})
		}
	}
	return out
}

// certificateFacts are all parts of a certificate.
func certificateFacts(w words.Words, c assay.Certificate) []document.Fact {
	n := w.Names().CertificateNames
	var out factList
	add := out.add
	figure := func(name string, f assay.Figure) {
		add(name, cmp.Or(words.Figure(f), line(f.Why)))
	}
	add(n.Judge, modelName(c.Judge))
	add(n.Date, c.Date.UTC().Format(time.DateOnly)+" · assay "+line(c.Version)+" · "+w.Interval(percent(c.Level)))
	add(n.Items, w.Say("CertifiedItems", words.V{"items": c.Items, "clusters": c.Clusters, "usable": c.Usable}))
	figure(n.Balanced, c.BalancedAccuracy)
	figure(n.Sensitivity, c.Sensitivity)
	figure(n.Specificity, c.Specificity)
	figure(n.Kappa, c.Kappa)
	figure(n.PeopleKappa, c.PeopleKappa)
	figure(n.AUROC, c.AUROC)
	figure(n.Brier, c.Brier)
	figure(n.Calibration, c.CalibrationError)
	if c.Threshold != nil {
		add(n.Threshold, words.Figure(assay.Figure{Value: c.Threshold, CI: c.ThresholdCI}))
	}
	add(n.Unusable, cmp.Or(share(c.Unusable), line(c.Unusable.Why)))
	cost := ""
	if c.Cost != nil {
		cost = caseCost(int64(math.Round(*c.Cost * 1e6)))
	}
	add(n.Cost, w.Say("CertifiedCost", words.V{"cost": cost, "time": duration(time.Duration(c.Seconds * float64(time.Second)))}))
	var worse, data []string
	for _, s := range c.Slices {
		if s.Worse {
			worse = append(worse, line(w.Say("CertifiedSlice", s)))
		}
	}
	for _, d := range c.Data {
		data = append(data, line(w.Say("CertifiedData", words.V{"name": d.Name, "hash": d.Hash, "items": d.Items})))
	}
	add(n.Worse, worse...)
	add(n.Data, data...)
	return out
}

// share formats a figure as a percentage: "1.3 % (0.8…2.0)"; "" if it is undefined.
func share(f assay.Figure) string {
	if f.Value == nil {
		return ""
	}
	text := fmt.Sprintf("%.1f %%", 100**f.Value)
	if f.CI != nil {
		text += fmt.Sprintf(" (%.1f…%.1f)", 100*f.CI[0], 100*f.CI[1])
	}
	return text
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
