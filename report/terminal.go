package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
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
		if i == 0 {
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

// notes numbers the remarks under a table; the same remark has one number.
type notes struct{ texts []string }

var superscripts = [...]string{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"}

func superscript(n int) string {
	var b strings.Builder
	for _, d := range strconv.Itoa(n) {
		b.WriteString(superscripts[d-'0'])
	}
	return b.String()
}

// mark gives the marks of the remarks, "¹ ²".
func (n *notes) mark(texts []string) string {
	var numbers []int
	for _, s := range texts {
		i := slices.Index(n.texts, s)
		if i < 0 {
			i = len(n.texts)
			n.texts = append(n.texts, s)
		}
		numbers = append(numbers, i+1)
	}
	slices.Sort(numbers)
	marks := make([]string, len(numbers))
	for i, k := range numbers {
		marks[i] = superscript(k)
	}
	return strings.Join(marks, " ")
}

func (t *terminal) notes(n *notes) {
	for i, s := range n.texts {
		t.paragraph(superscript(i+1)+" "+line(s), "  ")
	}
}

// remarksOn gathers what limits an estimate.
func remarksOn(m summary.Metric) []string {
	var out []string
	if m.MetricInfo.Estimate {
		out = append(out, "an estimate by formula: no judge has read the answers")
	}
	if m.TargetErrors > 0 && m.Better == "higher" {
		out = append(out, fmt.Sprintf("the target failed in %s: counted as the worst value, left out of “answered”", plural(m.TargetErrors, "case", "cases")))
	}
	if m.Failed > 0 && m.Bounds != nil {
		out = append(out, fmt.Sprintf("whatever the %s that could not be scored: %s", plural(m.Failed, "case", "cases"), interval(m.MetricInfo, m.Bounds)))
	}
	return append(out, m.Warnings...)
}

func (t *terminal) estimates() {
	s := t.r.Summary
	if len(s.Metrics) == 0 {
		t.println("no metric was computed")
		return
	}
	var n notes
	g := &grid{
		head: []string{"metric", "mean", "±" + percent(s.Metrics[0].Level), "n", "failed", "n/a"},
		left: []bool{true, false, false, false, false, false},
	}
	errors := slices.ContainsFunc(s.Metrics, func(m summary.Metric) bool { return m.Answered != nil })
	if errors {
		g.head, g.left = append(g.head, "answered (n)"), append(g.left, false)
	}
	g.head, g.left = append(g.head, ""), append(g.left, true)
	for _, m := range s.Metrics {
		cells := []string{
			fit(arrow(m.MetricInfo), t.o.width()/2), estimated(m), half(m.MetricInfo, m.Estimate),
			strconv.Itoa(m.N), strconv.Itoa(failures(m)), strconv.Itoa(m.NotApplicable + m.Abstained),
		}
		if errors {
			cells = append(cells, answeredMean(m))
		}
		g.add(append(cells, n.mark(remarksOn(m)))...)
	}
	t.grid(g)
	t.notes(&n)
	t.println("")
}

// arrow gives the metric's name, marked where less is better.
func arrow(m assay.MetricInfo) string {
	if m.Better == "lower" {
		return line(m.Name) + " ↓"
	}
	return line(m.Name)
}

// failures counts the cases that the target or the evaluator failed. Where less
// is better, Failed holds both already.
func failures(m summary.Metric) int {
	if m.Better == "lower" {
		return m.Failed
	}
	return m.Failed + m.TargetErrors
}

// answeredMean shows the mean over the cases that the target answered, with
// their number, where it differs from the mean over all.
func answeredMean(m summary.Metric) string {
	if m.Answered == nil {
		return ""
	}
	n := m.N
	if m.Better == "higher" {
		n -= m.TargetErrors
	}
	return fmt.Sprintf("%s (%d)", number(m.MetricInfo, *m.Answered), n)
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
	if s.Errors > 0 {
		g = append(g, [2]string{"errors", fmt.Sprintf("%d of %s: %s", s.Errors, plural(s.Cases, "case", "cases"), failureKinds(t.r.Records))})
	}
	if s.Failed > 0 {
		g = append(g, [2]string{"failed", fmt.Sprintf("%d of %s missed a threshold", s.Failed, plural(s.Cases, "case", "cases"))})
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
	if l.N == 0 || l.Mean == 0 && l.P99 == 0 {
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
		parts = append(parts, dollars(u.Cost))
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

// mostTags bounds the tags on a terminal; the page shows all.
const mostTags = 12

func (t *terminal) tags() {
	s := t.r.Summary
	if len(s.Tags) == 0 || len(s.Metrics) == 0 {
		return
	}
	for shown := len(s.Metrics); shown > 0; shown-- {
		g := t.tagGrid(shown)
		lines := g.lines()
		if shown > 1 && width(lines[0]) > t.o.width() {
			continue
		}
		t.println("")
		t.grid(g)
		var more []string
		if n := len(s.Tags) - mostTags; n > 0 {
			more = append(more, plural(n, "tag", "tags"))
		}
		if n := len(s.Metrics) - shown; n > 0 {
			more = append(more, plural(n, "metric", "metrics"))
		}
		if more != nil {
			t.println(" … " + strings.Join(more, " and ") + " more in the other formats")
		}
		return
	}
}

// tagGrid makes the table of tags with the first metrics. A cell holds mean,
// half of the interval, and n.
func (t *terminal) tagGrid(metrics int) *grid {
	g := &grid{head: []string{"by tag", "cases"}, left: []bool{true, false}}
	for _, m := range t.r.Summary.Metrics[:metrics] {
		g.head = append(g.head, line(m.Name)+" (n)")
		g.left = append(g.left, false)
	}
	for _, tag := range t.r.Summary.Tags[:min(mostTags, len(t.r.Summary.Tags))] {
		cells := []string{fit(line(tag.Tag), 24), strconv.Itoa(tag.Cases)}
		for _, m := range tag.Metrics[:metrics] {
			if m.N == 0 {
				cells = append(cells, "–")
				continue
			}
			cells = append(cells, fmt.Sprintf("%s %s (%d)", estimated(m), half(m.MetricInfo, m.Estimate), m.N))
		}
		g.add(cells...)
	}
	return g
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
	t.println(t.bold(fmt.Sprintf(" lowest cases (%d of %d without full marks)", len(shown), len(low))))
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
