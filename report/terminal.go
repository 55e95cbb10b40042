package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// Terminal writes a summary for a person: the estimates with their intervals
// and counts, latency, critical cases, results by tag, the lowest cases, and
// what limits all this as footnotes. By default it shows the five lowest cases.
func Terminal(w io.Writer, r *Report, o Options) error {
	t := &terminal{r: r, o: o, out: bufio.NewWriter(w)}
	t.header()
	t.estimates()
	t.facts()
	t.tags()
	t.lowest()
	t.warnings()
	if o.Page != "" {
		t.println("report: " + line(o.Page))
	}
	return t.out.Flush()
}

type terminal struct {
	r   *Report
	o   Options
	out *bufio.Writer
}

func (t *terminal) println(s string) {
	// bufio keeps the first error until Flush.
	fmt.Fprintln(t.out, strings.TrimRight(s, " "))
}

// paragraph writes a text broken to the width of the terminal.
func (t *terminal) paragraph(s, indent string) {
	for _, l := range wrap(s, t.o.width(), indent) {
		t.println(l)
	}
}

func (t *terminal) grid(g *grid) {
	for i, l := range g.lines() {
		if i < g.headLines() {
			l = t.bold(l)
		}
		t.println(l)
	}
}

func (t *terminal) bold(s string) string {
	if !t.o.Colour {
		return s
	}
	return "\x1b[1m" + strings.TrimRight(s, " ") + "\x1b[0m"
}

// title writes a line in bold, broken to the width of the terminal.
func (t *terminal) title(s string) {
	for _, l := range wrap(s, t.o.width()-1, "  ") {
		t.println(t.bold(" " + l))
	}
}

func (t *terminal) header() {
	h := t.r.Header
	t.paragraph(t.bold(strings.Join(headline(t.r), " · ")), "  ")
	state := line(h.State)
	if !h.Finished.IsZero() {
		state += " " + timestamp(h.Finished) + " in " + duration(h.Finished.Sub(h.Started))
	}
	t.paragraph(fmt.Sprintf("run %s %s", line(h.ID), state), "  ")
	t.println("")
}

// headline names the data set, the target and the corpus.
func headline(r *Report) []string {
	h := r.Header
	cases := plural(r.Summary.Cases, "case", "cases")
	if r.Summary.Cases < h.Dataset.Cases {
		cases = fmt.Sprintf("%d of %d cases", r.Summary.Cases, h.Dataset.Cases)
	}
	if r.Summary.Critical > 0 {
		cases += fmt.Sprintf(" (%d critical)", r.Summary.Critical)
	}
	parts := []string{line(h.Dataset.Name), cases, targetLine(h.Target)}
	if c := corpusLine(h.Corpus); c != "" {
		parts = append(parts, "corpus "+c)
	}
	return parts
}

func targetLine(t assay.TargetInfo) string {
	parts := []string{t.Adapter}
	if t.Endpoint != "" {
		parts = append(parts, t.Endpoint)
	}
	if v := t.Settings["retriever"]; v != "" {
		parts = append(parts, v)
	}
	return line(strings.Join(parts, " "))
}

func (t *terminal) notes(n *notes) {
	for i, s := range n.texts() {
		t.paragraph(superscript(i+1)+" "+line(s), "  ")
	}
}

// arrow gives the metric's name, marked where less is better.
func arrow(m assay.MetricInfo) string {
	if m.Better == "lower" {
		return line(m.Name) + " ↓"
	}
	return line(m.Name)
}

func estimated(m summary.Metric) string { return mean(m.MetricInfo, m.Estimate) }

// facts writes the lines about latency, cost, failures and critical cases.
func (t *terminal) facts() {
	s := t.r.Summary
	var g [][2]string
	if l := latencyLine(s.Latency); l != "" {
		g = append(g, [2]string{"latency", l})
	}
	if c := usageLine(s.Usage); c != "" {
		g = append(g, [2]string{"cost", c})
	}
	if j := judgingLine(t.r.Header, s); j != "" {
		g = append(g, [2]string{"judge", j})
	}
	if s.Errors > 0 {
		g = append(g, [2]string{"errors", fmt.Sprintf("%d of %s: %s", s.Errors, plural(s.Cases, "case", "cases"), failureKinds(t.r.Records))})
	}
	if s.Failed > 0 {
		g = append(g, [2]string{"below", fmt.Sprintf("%d of %s below threshold", s.Failed, plural(s.Cases, "case", "cases"))})
	}
	if s.Critical > 0 {
		g = append(g, [2]string{"critical", criticalLine(s)})
	}
	const margin = 10
	for _, f := range g {
		for i, l := range wrap(f[1], t.o.width()-margin, "") {
			if i > 0 {
				f[0] = ""
			}
			t.println(pad(" "+f[0], margin) + l)
		}
	}
}

func latencyLine(l summary.Latency) string {
	if l.N == 0 {
		return ""
	}
	s := fmt.Sprintf("mean %s · p50 %s · p95 %s · p99 %s · n %d", duration(l.Mean), duration(l.P50), duration(l.P95), duration(l.P99), l.N)
	if l.Slow > 0 {
		s += fmt.Sprintf(" · slow %d", l.Slow)
	}
	return s
}

func usageLine(u assay.Usage) string {
	var parts []string
	if u.Cost != 0 {
		parts = append(parts, assay.Dollars(u.Cost))
	}
	if u.InputTokens+u.OutputTokens > 0 {
		parts = append(parts, fmt.Sprintf("%d tokens in, %d out", u.InputTokens, u.OutputTokens))
	}
	return strings.Join(parts, " · ")
}

// failureKinds counts the kinds of failures, the most frequent first.
func failureKinds(records []assay.Record) string {
	count := map[string]int{}
	for _, r := range records {
		if r.Failure != nil {
			count[line(r.Failure.Kind)]++
		}
	}
	kinds := slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(count[b]-count[a], strings.Compare(a, b)) })
	for i, k := range kinds {
		kinds[i] = fmt.Sprintf("%s %d", k, count[k])
	}
	return strings.Join(kinds, ", ")
}

func criticalLine(s summary.Summary) string {
	return fmt.Sprintf("%d of %d passed", s.Critical-s.CriticalFailed, s.Critical)
}

// lowest lists the cases that lost most, with what they scored.
func (t *terminal) lowest() {
	low := t.r.low()
	shown := low[:min(len(low), t.o.cases(5))]
	if len(shown) == 0 {
		t.println("")
		return
	}
	t.println("")
	t.title(fmt.Sprintf("lowest cases (%d of %d without full marks)", len(shown), len(low)))
	for _, c := range shown {
		t.println(fit(fmt.Sprintf(" %s  %s  %s", line(c.Case.ID), c.word(), line(c.Case.Question)), t.o.width()))
	}
	t.println("")
}

func (t *terminal) warnings() {
	for _, w := range t.r.Summary.Warnings {
		t.paragraph("warning: "+line(w), "  ")
	}
}
