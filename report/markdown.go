package report

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/summary"
)

var markdownFormat = Format{
	Name: "markdown", Ext: ".md", Media: "text/markdown; charset=utf-8",
	Doc:   "tables and the lowest cases, for a pull request",
	Write: Markdown, Compare: CompareMarkdown, Gate: GateMarkdown,
}

// Markdown writes the report for a pull request or a wiki: facts, estimates with
// what came of their thresholds, latency, where answers are lost, the critical cases, the failed cases
// and then the lowest ones with all that is known about them, results by tag,
// warnings, and what is needed to reproduce the run. By default it shows 20
// cases, and up to 50 that failed.
func Markdown(w io.Writer, r *Report, o Options) error {
	m := &markdown{r: r, o: o, out: bufio.NewWriter(w)}
	m.header()
	m.estimates()
	m.gateTable()
	m.lost()
	m.repeats()
	m.critical()
	m.cases()
	m.tags()
	m.warnings(r.Summary.Warnings)
	m.reproduce()
	return m.out.Flush()
}

type markdown struct {
	r   *Report
	o   Options
	out *bufio.Writer
}

// printf writes a line; bufio keeps the first error until Flush.
func (m *markdown) printf(format string, args ...any) { fmt.Fprintf(m.out, format+"\n", args...) }

func (m *markdown) fact(name, value string) {
	if value != "" {
		m.printf("- **%s:** %s", name, value)
	}
}

func (m *markdown) header() {
	h, s := m.r.Header, m.r.Summary
	m.printf("# Evaluation of %s\n", inline(m.r.title()))
	m.fact("Date", timestamp(h.Started))
	m.fact("Run", code(h.ID)+", "+inline(h.State))
	m.fact("Data set", inline(h.Dataset.Name))
	m.fact("Adapter", inline(h.Target.Adapter))
	m.fact("Endpoint", inline(h.Target.Endpoint))
	m.fact("Corpus", inline(corpusLine(h.Corpus)))
	cases := fmt.Sprintf("%d (%d critical)", s.Cases, s.Critical)
	if h.Repeat > 1 {
		cases = casesAsked(h, s)
	} else if s.Cases < h.Dataset.Cases {
		cases += fmt.Sprintf(", %d not evaluated", h.Dataset.Cases-s.Cases)
	}
	m.fact("Cases", cases)
	m.fact("Outcome", outcome(s))
	m.gate()
	if !h.Finished.IsZero() {
		m.fact("Duration", duration(h.Finished.Sub(h.Started)))
	}
	if b := billOf(h, s); b.told() {
		m.fact("Estimated cost", escape(b.estimated()))
		actual := []string{b.actual()}
		if u := tokensLine(s.Usage); u != "" {
			actual = append(actual, "target "+u)
		}
		m.fact("Actual cost", escape(strings.Join(slices.DeleteFunc(actual, func(s string) bool { return s == "" }), " · ")))
	} else {
		m.fact("Cost", usageLine(s.Usage))
	}
	m.fact("Judge", inline(judgingLine(h, s)))
}

// gate says what the gate came to.
func (m *markdown) gate() {
	lines := m.r.gateLines()
	switch len(lines) {
	case 0:
		return
	case 1:
		word, rest, _ := strings.Cut(lines[0], " · ")
		m.fact("Gate", "**"+word+"** – "+inline(rest))
		return
	}
	m.fact("Gate", "**"+verdictWord(m.r.Gate.Verdict)+"**")
	for _, l := range lines {
		m.printf("  - %s", inline(l))
	}
}

// outcome counts the cases by status.
func outcome(s summary.Summary) string {
	return fmt.Sprintf("%d ok, %d below threshold, %s", s.OK, s.Failed, plural(s.Errors, "error", "errors"))
}

func (m *markdown) estimates() {
	s := m.r.Summary
	m.printf("\n## Summary\n")
	if len(s.Metrics) == 0 {
		m.printf("No metric was computed.")
		return
	}
	var n notes
	status := thresholds(s.Metrics)
	head, rule := "", ""
	if status {
		head, rule = " Threshold | Status |", "---:|---|"
	}
	m.printf("| Metric | Mean | %s |%s n | Not scored | Not applicable |\n|---|---:|---|%s---:|---:|---:|", intervals(s.Metrics[0].Level), head, rule)
	for _, e := range estimates(s.Metrics) {
		name, value, outcome := metricName(e.Name, e.Better), estimated(e), ""
		if e.Name == assay.CompositeName {
			name, value = "**"+name+"**", "**"+value+"**"
		}
		if status {
			outcome = m.outcome(e)
		}
		m.printf("| %s%s | %s | %s |%s %d | %d | %d |", name, spaced(n.mark(m.r.remarksOn(e))),
			value, ends(e.MetricInfo, e.Estimate), outcome, e.N, unscored(e), e.NotApplicable+e.Abstained)
	}
	m.notes(&n)
	if l := latencyLine(m.r.Header, s.Latency); l != "" {
		m.printf("\n**Latency:** %s", l)
	}
	if len(m.r.Stages) > 0 {
		m.printf("\n| Stage | Mean | p50 | p95 | n |\n|---|---:|---:|---:|---:|")
		for _, st := range m.r.Stages {
			m.printf("| %s | %s | %s | %s | %d |", inline(st.Name), duration(st.Mean), duration(st.P50), duration(st.P95), st.N)
		}
	}
}

// outcome fills the cells of what is wanted of a metric and what came of it.
func (m *markdown) outcome(e summary.Metric) string {
	r := m.r.ruling(e)
	switch {
	case r == nil:
		return " – | – |"
	case r.Verdict == gate.Pass:
		return fmt.Sprintf(" %s | %s |", wants(e.MetricInfo), verdictWord(r.Verdict))
	}
	return fmt.Sprintf(" %s | **%s** |", wants(e.MetricInfo), verdictWord(r.Verdict))
}

func metricName(name, better string) string {
	if better == "lower" {
		return code(name) + " (lower is better)"
	}
	return code(name)
}

func spaced(s string) string {
	if s == "" {
		return ""
	}
	return " " + s
}

func (m *markdown) notes(n *notes) {
	texts := n.texts()
	if texts != nil {
		m.printf("")
	}
	for i, s := range texts {
		m.printf("%s %s  ", superscript(i+1), inline(s))
	}
}

func (m *markdown) critical() {
	s := m.r.Summary
	if s.Critical == 0 {
		return
	}
	m.printf("\n## Critical cases: %s\n", criticalLine(s))
	for _, rec := range m.r.Records {
		if !rec.Case.Critical {
			continue
		}
		word, reason := "passed", ""
		if status := summary.Status(m.r.Header.Metrics, rec); status != assay.StatusOK {
			word = "**" + strings.ToUpper(statusWord(status)) + "**"
			reason = " – " + inline(why(m.r.Header.Metrics, rec))
		}
		m.printf("- %s %s: %s%s", word, code(rec.Case.ID), inline(clip(line(rec.Case.Question), 160)), reason)
	}
}

func (m *markdown) tags() {
	s := m.r.Summary
	if len(s.Tags) == 0 || len(s.Metrics) == 0 {
		return
	}
	m.printf("\n## Results by tag\n\nEach cell holds the mean, its %s, and n.\n", intervals(s.Metrics[0].Level))
	head, rule := "| Tag | Cases |", "|---|---:|"
	for _, e := range estimates(s.Metrics) {
		head += " " + code(e.Name) + " |"
		rule += "---:|"
	}
	m.printf("%s\n%s", head, rule)
	for _, t := range s.Tags {
		row := fmt.Sprintf("| %s | %d |", inline(t.Tag), t.Cases)
		for _, e := range estimates(t.Metrics) {
			row += " " + compact(e.MetricInfo, e.Estimate) + " |"
		}
		m.printf("%s", row)
	}
}

func (m *markdown) warnings(warnings []string) {
	if len(warnings) == 0 {
		return
	}
	m.printf("\n## Warnings\n")
	for _, w := range warnings {
		m.printf("- %s", inline(w))
	}
}

// reproduce lists everything that can move a number.
func (m *markdown) reproduce() {
	m.printf("\n## To reproduce\n")
	for _, f := range provenance(m.r) {
		m.fact(f.name, code(f.value))
	}
	if len(m.r.Header.Config) > 0 {
		m.printf("\n<details><summary>Configuration</summary>\n\n| Setting | Value |\n|---|---|")
		for _, k := range slices.Sorted(maps.Keys(m.r.Header.Config)) {
			m.printf("| %s | %s |", code(k), code(m.r.Header.Config[k]))
		}
		m.printf("\n</details>")
	}
}

// A fact is a named value.
type fact struct{ name, value string }

// provenance lists what is needed to do a run again, without the config.
func provenance(r *Report) []fact {
	h := r.Header
	facts := []fact{
		{"Command", shellLine(h.Command)},
		{"assay", h.Version},
		{"Seed", strconv.FormatUint(h.Seed, 10)},
		{"Data set", strings.TrimSpace(h.Dataset.Path + " " + h.Dataset.Hash)},
	}
	if c := h.Corpus; c != nil {
		facts = append(facts, fact{"Corpus", strings.TrimSpace(c.Path + " " + c.Hash)})
	}
	if h.Embedder != "" {
		facts = append(facts, fact{"Embedder of the metrics", h.Embedder})
	}
	for _, k := range slices.Sorted(maps.Keys(h.Target.Settings)) {
		facts = append(facts, fact{"Target " + k, h.Target.Settings[k]})
	}
	facts = append(facts, judgeFacts(h.Judge)...)
	var versions []string
	for _, m := range h.Metrics {
		versions = append(versions, fmt.Sprintf("%s v%d", m.Name, m.Version))
	}
	facts = append(facts, fact{"Metrics", strings.Join(versions, ", ")})
	return slices.DeleteFunc(facts, func(f fact) bool { return f.value == "" })
}
