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

var terminalFormat = Format{
	Name: "terminal", Ext: ".txt", Media: "text/plain; charset=utf-8",
	Doc:   "a summary for a person at a terminal",
	Write: Terminal, Compare: CompareTerminal, Gate: GateTerminal,
}

// Terminal writes a summary for a person: the estimates with their intervals
// and counts, latency, critical cases, where answers are lost, results by tag, the lowest cases, and
// what limits all this as footnotes. By default it shows the five lowest cases.
func Terminal(w io.Writer, r *Report, o Options) error {
	t := &terminal{r: r, o: o, out: bufio.NewWriter(w)}
	t.header()
	t.estimates()
	t.facts()
	t.gate()
	t.lost()
	t.tags()
	t.cases()
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
	cases := casesAsked(h, r.Summary)
	if n := criticalCases(r); n > 0 {
		cases += fmt.Sprintf(" (%d critical)", n)
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
	for i, l := range t.r.gateLines() {
		g = append(g, [2]string{[]string{"gate", ""}[min(i, 1)], l})
	}
	for i, l := range repeatLines(s) {
		g = append(g, [2]string{[]string{"draws", ""}[min(i, 1)], l})
	}
	if l := latencyLine(t.r.Header, s.Latency); l != "" {
		g = append(g, [2]string{"latency", l})
	}
	if c := costLine(t.r.Header, s); c != "" {
		g = append(g, [2]string{"cost", c})
	}
	if j := judgingLine(t.r.Header, s); j != "" {
		g = append(g, [2]string{"judge", j})
	}
	if s.Errors > 0 {
		g = append(g, [2]string{"errors", fmt.Sprintf("%d of %s: %s", s.Errors, answersAsked(t.r.Header, s), failureKinds(t.r.Records))})
	}
	if s.Failed > 0 {
		g = append(g, [2]string{"below", fmt.Sprintf("%d of %s below threshold", s.Failed, answersAsked(t.r.Header, s))})
	}
	if s.Critical > 0 {
		g = append(g, [2]string{"critical", criticalLine(s)})
		for _, l := range t.failedCritical() {
			g = append(g, [2]string{"", l})
		}
	}
	const margin = 10
	for _, f := range g {
		// A line without a name goes on where the last one ended, and what is
		// left of it stands to the right.
		indent := ""
		if f[0] == "" || f[0] == "gate" {
			indent = "  "
		}
		for i, l := range wrap(f[1], t.o.width()-margin, indent) {
			if i > 0 {
				f[0] = ""
			}
			t.println(pad(" "+f[0], margin) + l)
		}
	}
}

// failedCritical says why critical cases did not pass.
func (t *terminal) failedCritical() []string {
	var out []string
	for _, rec := range t.r.Records {
		if w := why(t.r.Header.Metrics, rec); rec.Case.Critical && w != "" {
			out = append(out, clip(line(rec.Case.ID), 40)+" "+statusWord(summary.Status(t.r.Header.Metrics, rec))+": "+w)
		}
	}
	const most = 5
	if n := len(out) - most; n > 0 {
		out = append(out[:most:most], fmt.Sprintf("… and %d more", n))
	}
	return out
}

func latencyLine(h assay.Header, l summary.Latency) string {
	if l.N == 0 {
		return ""
	}
	s := fmt.Sprintf("mean %s · p50 %s · p95 %s · p99 %s · n %d", duration(l.Mean), duration(l.P50), duration(l.P95), duration(l.P99), l.N)
	if l.Slow > 0 {
		s += " · " + slowLine(h, l.Slow)
	}
	return s
}

func usageLine(u assay.Usage) string {
	var parts []string
	if u.Cost != 0 {
		parts = append(parts, assay.Dollars(u.Cost))
	}
	if l := tokensLine(u); l != "" {
		parts = append(parts, l)
	}
	return strings.Join(parts, " · ")
}

func tokensLine(u assay.Usage) string {
	if u.InputTokens+u.OutputTokens == 0 {
		return ""
	}
	return fmt.Sprintf("%d tokens in, %d out", u.InputTokens, u.OutputTokens)
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

// cases lists the cases that failed with what they missed, then those that lost
// most with what they scored.
func (t *terminal) cases() {
	failed, low := split(t.r.low())
	f, l := t.o.bounded(len(failed), len(low), 8, 5)
	t.println("")
	if f > 0 {
		t.title(fmt.Sprintf("failed cases (%s)", some(f, len(failed))))
		t.list(failed[:f])
	}
	if l > 0 {
		t.title(fmt.Sprintf("lowest cases (%d of %d %s)", l, len(low), lowest(low)))
		t.list(low[:l])
	}
}

// some counts what is shown: "3", or "8 of 30".
func some(shown, of int) string {
	if shown == of {
		return fmt.Sprint(of)
	}
	return fmt.Sprintf("%d of %d", shown, of)
}

func (t *terminal) list(cases []lowCase) {
	for _, c := range cases {
		t.println(fit(fmt.Sprintf(" %s  %s  %s", line(c.Case.ID), c.word(), line(c.Case.Question)), t.o.width()))
		if c.Failure != nil {
			t.println(fit("   "+line(c.Failure.Message), t.o.width()))
		}
	}
	t.println("")
}

func (t *terminal) warnings() {
	for _, w := range t.r.Summary.Warnings {
		t.paragraph("warning: "+line(w), "  ")
	}
}
