package report

import (
	"bufio"
	"fmt"
	"io"

	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// CompareMarkdown writes the comparison: what it shows in sentences, the means
// by strategy at a glance, every difference with its interval and test, and the
// cases that changed most. By default it shows ten cases a run.
func CompareMarkdown(w io.Writer, c *Comparison, o Options) error {
	m := &markdown{r: c.Reports[0], o: o, out: bufio.NewWriter(w)}
	m.printf("# Comparison of %s\n\n%s\n", plural(len(c.Runs), "run", "runs"), inline(c.dataset()))
	shown, not := c.sentences()
	if len(shown) == 0 {
		shown = not
	}
	for _, s := range shown {
		m.printf("- %s", inline(s))
	}
	m.glance(c)
	m.differences(c)
	m.changed(c)
	m.warnings(c.Warnings)
	m.printf("\n## To reproduce\n")
	for i, r := range c.Reports {
		m.fact(inline(c.Runs[i]), fmt.Sprintf("run %s, assay %s, data set %s, seed %d, %s",
			code(r.Header.ID), code(r.Header.Version), code(r.Header.Dataset.Hash), r.Header.Seed, code(commandLine(r))))
	}
	return m.out.Flush()
}

// glance writes one row a strategy.
func (m *markdown) glance(c *Comparison) {
	head, rule := "| Strategy |", "|---|"
	for _, r := range c.Rows {
		head += " " + metricName(r.Name, r.Better) + " |"
		rule += "---:|"
	}
	m.printf("\n%s\n%s", head, rule)
	for i, name := range c.Runs {
		row := "| " + inline(name) + " |"
		for _, r := range c.Rows {
			row += " " + compact(r.MetricInfo, r.Estimates[i]) + " |"
		}
		m.printf("%s", row)
	}
	m.printf("\nEach cell holds the mean, its %s, and n.", intervals(c.Level))
}

func (m *markdown) differences(c *Comparison) {
	var n notes
	m.printf("\n## Differences from %s\n", inline(c.Runs[0]))
	m.printf("| Metric | Strategy | %s | Strategy's mean | Δ | %s | p (Holm) | Better / same / worse | n |\n|---|---|---:|---:|---:|---|---:|---:|---:|", inline(c.Runs[0]), intervals(c.Level))
	for _, r := range c.Rows {
		for i, d := range r.Differences {
			if d.N == 0 {
				m.printf("| %s | %s | – | – | – | | | | 0 |", code(r.Name), inline(c.Runs[i+1]))
				continue
			}
			m.printf("| %s%s | %s | %s | %s | %s | %s | %s | %s | %d |", code(r.Name), spaced(n.mark(plain(pairNotes(d)))), inline(c.Runs[i+1]),
				number(r.MetricInfo, d.Old), number(r.MetricInfo, d.New), escape(difference(r, d)), signedInterval(r, d.CI), pValue(d),
				fmt.Sprintf("%d / %d / %d", better(r.MetricInfo, d), d.Ties, worse(r.MetricInfo, d)), d.N)
		}
	}
	m.printf("\n`~` before a difference: it cannot be shown at this level. p is corrected for all tests of this table by Holm's method.")
	m.notes(&n)
}

// difference shows the observed difference, marked where it cannot be shown.
func difference(r summary.ComparisonRow, d stats.Comparison) string {
	if !summary.Shown(d) {
		return "~ " + signed(r.MetricInfo, d.Diff)
	}
	return signed(r.MetricInfo, d.Diff)
}

func signedInterval(r summary.ComparisonRow, ci *stats.Interval) string {
	if ci == nil {
		return "?"
	}
	return signed(r.MetricInfo, ci.Lo) + "…" + signed(r.MetricInfo, ci.Hi)
}

// changed lists, for every run, the cases that changed most.
func (m *markdown) changed(c *Comparison) {
	most := m.o.cases(10)
	for i := 1; i < len(c.Runs) && most > 0; i++ {
		changes := c.changes(i)
		if len(changes) == 0 {
			continue
		}
		m.printf("\n## Cases that changed most: %s\n\n| Case | Question | Metric | %s | %s | Δ |\n|---|---|---|---:|---:|---:|",
			inline(c.Runs[i]), inline(c.Runs[0]), inline(c.Runs[i]))
		for _, x := range changes[:min(len(changes), most)] {
			info := c.Rows[x.row].MetricInfo
			m.printf("| %s | %s | %s | %s | %s | %s |", code(x.id), inline(clip(line(x.question), 100)), code(info.Name),
				number(info, x.old), number(info, x.new), signed(info, x.new-x.old))
		}
	}
}

func commandLine(r *Report) string {
	for _, f := range provenance(r) {
		if f.name == "Command" {
			return f.value
		}
	}
	return ""
}
