package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/draw"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// results is the table of estimates, one row per metric.
func (c *content) results() []document.Section {
	s := c.r.Summary
	out := document.Section{ID: "results", Title: c.w.Names().Results, Bare: document.Glance}
	if len(s.Metrics) == 0 {
		out.Blocks = []document.Block{document.Paragraph{Text: document.T(c.w.Names().NoMetric)}}
		return []document.Section{out}
	}
	metrics, held := estimates(s.Metrics), thresholds(s.Metrics)
	if c.o.Short {
		metrics = c.shortest(metrics)
	}
	level := c.w.Interval(percent(metrics[0].Level))
	shown := slices.ContainsFunc(metrics, hasEnds)
	said := words.V{"level": level, "failed": s.Errors > 0, "held": held, "draws": c.r.Header.Repeat > 1}
	if !shown {
		said["level"] = ""
	}
	note := c.w.Say("ResultsNote", said)
	out.Blocks = []document.Block{
		document.Paragraph{Kind: document.Note, Text: document.T(note), Views: document.Page},
		c.estimateTable(metrics, level),
	}
	out.Blocks = append(out.Blocks, c.certifiedNote()...)
	if !c.o.Short || shown {
		out.Blocks = append(out.Blocks, clusters(c.w, 0, c.r.Header)...)
	}
	out.Blocks = append(out.Blocks, leftOut(c.w, len(s.Metrics)-len(metrics))...)
	return []document.Section{out}
}

// clusters says below a table which cases of the runs are not independent.
func clusters(w words.Words, in document.Views, runs ...assay.Header) []document.Block {
	var said []string
	// The groups of one run are those of the cases, also beside a run that was begun without them.
	grouped := slices.ContainsFunc(runs, func(h assay.Header) bool { return h.Clusters != nil && h.Clusters.By != "none" })
	for _, h := range runs {
		if h.Clusters == nil || grouped && h.Clusters.By == "none" {
			continue
		}
		if s := w.Say("Clusters", *h.Clusters); !slices.Contains(said, s) {
			said = append(said, s)
		}
	}
	return mapped(said, func(s string) document.Block {
		return document.Paragraph{Kind: document.Note, Text: document.T(s), Views: in}
	})
}

func (c *content) estimateTable(metrics []summary.Metric, level string) document.Table {
	h := c.w.Names().EstimateHeads
	t := document.Table{
		ID: "metrics", NameMost: c.o.width() / 2,
		Columns: []document.Column{
			{ID: "metric", Head: h.Metric, Words: true}, {ID: "plot", Head: h.Plot, Plot: 1, Views: document.Page},
			{ID: "mean", Head: h.Mean, Role: "big"}, {ID: "ci", Head: level, Role: "ci"},
			{ID: "want", Head: h.Threshold, Role: "want"}, {ID: "status", Head: h.Status, Words: true, Role: "status"},
			{ID: "n", Head: "n"}, {ID: "unscored", Head: h.Unscored}, {ID: "none", Head: h.None},
		},
		Steps: []document.Step{
			{Stack: [][2]string{{"mean", "ci"}, {"status", "want"}}},
			{Drop: []string{"unscored", "none"}, Name: 12},
			{Drop: []string{"status", "want"}, Name: 8},
		},
	}
	for _, m := range metrics {
		t.Rows = append(t.Rows, c.estimateRow(m))
	}
	return t.Filled("ci", "want", "status")
}

// hasEnds reports whether something is shown in place of the interval of a mean.
func hasEnds(m summary.Metric) bool { return m.N >= stats.Readable || m.NearChance != "" }

func (c *content) estimateRow(m summary.Metric) document.Row {
	name := document.Cell{Text: c.metric(m), Remarks: c.remarksOn(m)}
	for _, text := range slices.SortedFunc(maps.Keys(m.Reasons), func(a, b string) int {
		return cmp.Or(m.Reasons[b]-m.Reasons[a], cmp.Compare(a, b))
	}) {
		name.Fold = append(name.Fold, c.answers(m.Reasons[text])+": "+reasonText(c.w, text, 200))
	}
	name.FoldTitle = c.w.Names().WhyMissing
	if n := len(name.Remarks); n > 0 {
		name.FoldTitle = c.w.Say("Remarks", words.V{"n": n})
	}
	missing := document.Cell{Text: document.T(itoa(m.Failed))}
	var verdict document.Text
	if v := c.r.ruling(m); v != nil {
		verdict = document.Text{c.verdict(v.Verdict)}
	}
	if m.Failed > 0 {
		missing.Mark = document.Bad
	}
	row := document.Row{Cells: document.Cells(name, c.histogram(m), estimated(m), ends(c.w, m.MetricInfo, m.Estimate), wants(m.MetricInfo), verdict,
		m.N, missing, m.NotApplicable+m.Abstained)}
	if m.Name == assay.CompositeName {
		row.Rank = document.Whole
	}
	return row
}

// metric returns the name of a metric with the notes on it.
func (c *content) metric(m summary.Metric) document.Text {
	estimate := m.MetricInfo.Estimate
	s := document.Span{Text: m.Name, Title: m.Title, Style: document.Metric, Lower: m.Better == "lower", Estimate: estimate}
	if s.Lower {
		s.Notes = append(s.Notes, c.w.Names().LowerIsBetter)
	}
	if estimate {
		s.Notes = append(s.Notes, c.w.Names().EstimateWord)
	}
	if w := c.weight(m); w != "" {
		s.Notes = append(s.Notes, c.w.Say("Weight", words.V{"share": w}))
	}
	return document.Text{s}
}

// verdict returns a verdict for readers.
func (c *content) verdict(v gate.Verdict) document.Span {
	return document.Span{Text: c.w.Verdict(v), Style: document.Verdict, Mark: verdictMark(v)}
}

func verdictMark(v gate.Verdict) document.Mark {
	switch v {
	case gate.Pass:
		return document.Good
	case gate.Fail:
		return document.Bad
	}
	return document.Unsure
}

// histogram plots the scores of the cases, with the mean and its interval below.
func (c *content) histogram(m summary.Metric) draw.Plot {
	info := m.MetricInfo
	h := draw.Histogram{Threshold: m.Threshold}
	h.Lo, h.Hi = span(info)
	column := c.r.Cases.Metric(m.Name)
	h.Values = func(yield func(float64) bool) {
		for i := range c.r.Cases.Len() {
			if s, _ := column.Numbers(i); s.State == assay.Scored && !yield(s.Value) {
				return
			}
		}
	}
	for i := range c.r.Cases.Len() {
		switch s, _ := column.Numbers(i); {
		case s.State == assay.Scored:
			if m.Range[1] >= math.MaxFloat64 {
				h.Hi = max(h.Hi, s.Value)
			}
		case s.State == assay.TargetError && m.Better == "higher":
			h.Failed++
		}
	}
	h.FailedTitle = c.w.Say("FailedByTarget", words.V{"n": h.Failed, "draws": c.r.Header.Repeat > 1})
	h.Bin = func(from, to float64, n int) string {
		return c.w.Range(number(info, from), number(info, to)) + ": " + c.answers(n)
	}
	label := c.w.Names().NoValue
	if m.N > 0 {
		h.Mean, h.CI = &m.Mean, spanOf(m.CI)
		if open(info, m.Estimate) {
			h.Bounds = spanOf(m.Bounds)
		}
		h.MeanTitle = c.w.Say("MeanLabel", words.V{"mean": number(info, m.Mean), "level": percent(m.Level), "ends": spanEnds(info, m.CI)})
		label = h.MeanTitle
	}
	if m.Threshold != nil {
		label += c.w.Say("ThresholdLabel", words.V{"want": wants(info)})
	}
	h.Label = line(m.Title) + ": " + label
	return h
}

func spanOf(i *stats.Interval) *draw.Span {
	if i == nil {
		return nil
	}
	return &draw.Span{Lo: i.Lo, Hi: i.Hi}
}

// spanEnds returns both ends of an interval, or nil if it is not known.
func spanEnds(m assay.MetricInfo, i *stats.Interval) []string {
	if i == nil {
		return nil
	}
	return []string{number(m, i.Lo), number(m, i.Hi)}
}

// tags is the table of estimates by tag.
func (c *content) tags() []document.Section {
	s := c.r.Summary
	if len(s.Metrics) == 0 || !slices.ContainsFunc(s.Tags, func(t summary.Slice) bool { return t.Cases > 1 }) {
		return nil
	}
	metrics := estimates(s.Metrics)
	t := document.Table{
		ID: "heat", Name: c.w.Names().TagsTitle, NameMost: 24, Most: mostTags, Cut: true,
		Columns: []document.Column{{ID: "tag", Head: c.w.Names().Tag, Short: c.w.Names().ByTag, Words: true, Most: 24},
			{ID: "cases", Head: c.w.Names().CasesHead}},
		Omitted: func(tags, metrics int) string { return c.w.Say("MoreTags", words.V{"tags": tags, "metrics": metrics}) },
	}
	level, heads := "", ""
	for _, tag := range s.Tags {
		if tag.Cases >= stats.Readable {
			level = c.w.Interval(percent(metrics[0].Level))
			heads = "\n" + level
		}
	}
	for i, m := range metrics {
		name, head := line(m.Name), approximate(m.MetricInfo)
		t.Columns = append(t.Columns, document.Column{ID: name, Head: head, Code: true, Short: head + " (n)" + heads})
		if i > 0 {
			t.Steps = slices.Insert(t.Steps, 0, document.Step{Drop: []string{name}})
		}
	}
	t.Steps = append(t.Steps, document.Step{Name: 6})
	for _, tag := range s.Tags {
		cells := document.Cells(tag.Tag, tag.Cases)
		for _, m := range estimates(tag.Metrics) {
			cells = append(cells, c.tagCell(m))
		}
		t.Rows = append(t.Rows, document.Row{Cells: cells})
	}
	return []document.Section{{ID: "tags", Title: c.w.Names().TagsTitle, Nav: c.w.Names().TagsNav, Bare: document.Glance, Blocks: []document.Block{
		document.Paragraph{Text: document.T(c.w.Say("TagsNote", words.V{"level": level, "shaded": false})), Views: document.Reading},
		document.Paragraph{Kind: document.Note, Text: document.T(c.w.Say("TagsNote", words.V{"level": level, "shaded": true})), Views: document.Page}, t,
	}}}
}

// mostTags is how many tags a glance shows.
const mostTags = 12

func (c *content) tagCell(m summary.Metric) document.Cell {
	if m.N == 0 {
		return document.Cell{Text: document.T("–")}
	}
	cell := document.Cell{
		Text: document.T(estimated(m) + " (" + itoa(m.N) + ")"), Shade: "h" + itoa(min(int(way(m.MetricInfo, m.Mean)*10), 9)),
	}
	if hasEnds(m) {
		cell.Below = ends(c.w, m.MetricInfo, m.Estimate)
	}
	return cell
}

// remarksOn returns the limitations of an estimate and other notes on it.
func (c *content) remarksOn(m summary.Metric) []document.Remark {
	var out []document.Remark
	if p := c.parts(); m.Name == assay.CompositeName && p != "" {
		out = append(out, document.Remark{Alone: c.w.Say("CompositeOf", words.V{"parts": p})})
	}
	unsure := false
	if v := c.r.ruling(m); v != nil && v.Reason != nil && (v.Verdict == gate.Inconclusive || v.Got == nil) {
		unsure = v.Verdict == gate.Inconclusive && v.Bounds != nil
		out = append(out, document.Remark{Alone: c.w.Verdict(v.Verdict) + ": " + v.Reason.In(c.w)})
	}
	if m.MetricInfo.Estimate {
		out = append(out, document.Remark{Alone: c.w.Names().FormulaEstimate})
	}
	if m.TargetErrors > 0 {
		out = append(out, c.targetFailed(m))
	}
	// The gate's reason for being undecided says the same.
	if open(m.MetricInfo, m.Estimate) && !unsure {
		shared := c.w.Say("Possible", words.V{"failed": m.Failed})
		if m.OpenThreshold {
			shared = c.w.Say("Reason.OnThreshold", nil)
		}
		bounds := interval(m.MetricInfo, m.Bounds)
		out = append(out, document.Remark{Alone: shared + ": " + bounds, Shared: shared, Own: line(m.Name) + " " + bounds})
	}
	for _, w := range m.Warnings {
		// One remark serves warnings that differ only in the number of cases.
		alone, shared := c.w.Limit(w), c.w.Limit(w.General())
		if w.Kind == stats.FewCases && m.N < stats.Readable {
			alone = c.w.Say("WithoutInterval", words.V{"limit": alone, "least": stats.Readable})
			shared = c.w.Say("WithoutInterval", words.V{"limit": shared, "least": stats.Readable})
		}
		out = append(out, document.Remark{Alone: alone, Shared: shared})
	}
	return out
}

// targetFailed returns how cases count in which the target failed and the mean over
// the others if it differs.
func (c *content) targetFailed(m summary.Metric) document.Remark {
	draws := c.r.Header.Repeat > 1
	if m.Better == "lower" {
		return document.Remark{Alone: c.w.TargetFailed(m.TargetErrors, "", 0, draws)}
	}
	if m.Answered == nil {
		return document.Remark{Alone: c.w.TargetFailed(m.TargetErrors, draw.Tick(m.Range[0]), 0, draws)}
	}
	shared := c.w.TargetFailed(m.TargetErrors, draw.Tick(m.Range[0]), m.N-m.TargetErrors, draws)
	value := number(m.MetricInfo, *m.Answered)
	return document.Remark{Alone: shared + ": " + value, Shared: shared, Own: line(m.Name) + " " + value}
}

// ordered puts the composite first; the others keep their order.
func ordered(metrics []assay.MetricInfo) []assay.MetricInfo {
	return first(metrics, func(m assay.MetricInfo) bool { return m.Name == assay.CompositeName })
}

// estimates returns the estimates of a run or of a tag, the composite first.
func estimates(metrics []summary.Metric) []summary.Metric {
	return first(metrics, func(m summary.Metric) bool { return m.Name == assay.CompositeName })
}

// apart returns the composite, or nil if there is none, and the other metrics.
func apart(metrics []assay.MetricInfo) (whole *assay.MetricInfo, others []assay.MetricInfo) {
	for i, m := range metrics {
		if m.Name == assay.CompositeName {
			whole = &metrics[i]
		} else {
			others = append(others, m)
		}
	}
	return whole, others
}

// first returns a copy with the first wanted element moved to the front.
func first[T any](list []T, wanted func(T) bool) []T {
	i := slices.IndexFunc(list, wanted)
	if i <= 0 {
		return list
	}
	return slices.Concat(list[i:i+1], list[:i], list[i+1:])
}

// weight returns the share that a metric had in the composite, "40 %", or "" if it is no
// part of it.
func (c *content) weight(m summary.Metric) string {
	if m.Weight <= 0 || m.Name == assay.CompositeName {
		return ""
	}
	set := percentage(m.Weight)
	if m.Share == nil || percentage(*m.Share) == set {
		return set
	}
	return c.w.Say("WeightUsed", words.V{"used": percentage(*m.Share), "set": set})
}

func percentage(share float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.1f", 100*share), "0"), ".") + " %"
}

// parts returns what the composite is made of: "faithfulness 40 %, …". It returns ""
// if there are no weights.
func (c *content) parts() string {
	var out []string
	for _, m := range c.r.Summary.Metrics {
		if w := c.weight(m); w != "" {
			out = append(out, line(m.Name)+" "+w)
		}
	}
	return strings.Join(out, ", ")
}

// weights identifies a composite: one with other parts or weights is another metric,
// and so is one with a part that was measured on no case.
func weights(r *Report) string {
	gone, _ := summary.Unweighed(r.Summary.Metrics)
	var out []string
	for _, m := range r.Header.Metrics {
		if m.Weight > 0 && m.Name != assay.CompositeName && !slices.Contains(gone, m.Name) {
			out = append(out, fmt.Sprintf("%s %.6f v%d %s", m.Name, m.Weight, m.Version, m.Scheme))
		}
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}
