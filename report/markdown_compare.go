package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// CompareMarkdown writes the comparison for a pull request: a table of the
// usual retrieval metrics at a glance, what the comparison shows in sentences,
// every mean and every difference with its interval and test, then tags, cost
// and latency, the cases that changed most and those that no run solves, and
// what was set otherwise. By default it shows ten cases a run.
func CompareMarkdown(w io.Writer, c *Comparison, o Options) error {
	m := &markdown{r: c.Reports[0], o: o, out: bufio.NewWriter(w)}
	m.printf("# Comparison of %s\n", plural(len(c.Runs), "run", "runs"))
	m.strategies(c)
	m.printf("%s\n", inline(c.dataset()))
	m.found(c)
	m.glance(c)
	m.differences(c)
	m.lostCompared(c)
	m.sliced(c)
	m.standings(c)
	m.changed(c)
	m.missed(c)
	m.settings(c)
	m.warnings(c.Warnings)
	m.printf("\n## To reproduce\n")
	for i := range c.Reports {
		m.fact(inline(c.Runs[i]), c.origin(i, code))
	}
	return m.out.Flush()
}

// found lists what the comparison shows, as far as a comment has room.
func (m *markdown) found(c *Comparison) {
	lead, more := c.lead(20)
	for _, s := range lead {
		m.printf("- %s", inline(s))
	}
	if more > 0 {
		m.printf("- … and %d more in the tables", more)
	}
}

// glance writes one row a strategy.
func (m *markdown) glance(c *Comparison) {
	head, rule := "| Strategy |", "|---|"
	for _, r := range c.Rows {
		head += " " + metricName(r.Name, r.Better) + " |"
		rule += "---:|"
	}
	m.printf("\n## All means\n\n%s\n%s", head, rule)
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
	m.printf("| Metric | Strategy | %s | Strategy's mean | Δ | %s | p (Holm) | Better / same / worse | Detects | n |\n|---|---|---:|---:|---:|---|---:|---:|---:|---:|", inline(c.Runs[0]), intervals(c.Level))
	for _, r := range c.Rows {
		for i, d := range r.Differences {
			if d.N == 0 {
				m.printf("| %s | %s | – | – | – | | | | | 0 |", code(r.Name), inline(c.Runs[i+1]))
				continue
			}
			m.printf("| %s%s | %s | %s | %s | %s | %s | %s | %s | %s | %d |", code(r.Name), spaced(n.mark(plain(pairNotes(d)))), inline(c.Runs[i+1]),
				number(r.MetricInfo, d.Old), number(r.MetricInfo, d.New), escape(difference(r, d)), signedInterval(r, d.CI), pValue(d), counts(r.MetricInfo, d), mde(d), d.N)
		}
	}
	m.printf("\n`~` before a difference: it cannot be shown at this level. p is corrected for all %s of this table by Holm's method%s. Detects: the smallest difference that is %s.", plural(c.Tests, "test", "tests"), c.uncorrected(), powerNote)
	m.notes(&n)
}

// difference shows the observed difference, marked where it cannot be shown.
func difference(r summary.ComparisonRow, d stats.Comparison) string {
	if !summary.Shown(d) {
		return "~ " + signed(r.MetricInfo, d.Diff)
	}
	return signed(r.MetricInfo, d.Diff)
}

// signedInterval shows the interval of a difference; "?" when there is none.
func signedInterval(r summary.ComparisonRow, ci *stats.Interval) string {
	if ci == nil {
		return "?"
	}
	return summary.Ends(r.MetricInfo, *ci)
}

// sliced lists the tags over whose cases a difference can be shown.
func (m *markdown) sliced(c *Comparison) {
	all, tested := c.found()
	if tested == 0 {
		return
	}
	const most = 20
	m.printf("\n## By tag\n")
	if len(all) == 0 {
		m.printf("None of %s by tag can be shown (p %s).", plural(tested, "difference", "differences"), sliceNote)
		return
	}
	m.printf("| Tag | Metric | Strategy | Δ | %s | p | n |\n|---|---|---|---:|---|---:|---:|", intervals(c.Level))
	for _, f := range all[:min(len(all), most)] {
		m.printf("| %s | %s | %s | %s | %s | %s | %d |", inline(f.tag), code(f.row.Name), inline(f.run), signed(f.row.MetricInfo, f.d.Diff), signedInterval(f.row, f.d.CI), pValue(f.d), f.d.N)
	}
	more := ""
	if n := len(all) - most; n > 0 {
		more = fmt.Sprintf("%d more can be shown, ", n)
	}
	m.printf("\nOf %s, %s%d cannot be shown. p is %s.", plural(tested, "difference", "differences"), more, tested-len(all), sliceNote)
}

// standings sets quality against cost and latency.
func (m *markdown) standings(c *Comparison) {
	places := c.places()
	info, _ := c.primary()
	if places == nil {
		return
	}
	m.printf("\n## Quality, cost and latency\n\n| Strategy | %s | Cost a case | Median latency | Standing | Cannot be told apart from |\n|---|---:|---:|---:|---|---|", code(info.Name))
	for _, p := range places {
		quality := p.Quality
		if p.N > 0 {
			quality = fmt.Sprintf("%s [%s] (%d)", p.Quality, p.Ends, p.N)
		}
		m.printf("| %s | %s | %s | %s | %s | %s |", inline(p.Run), quality, p.Cost, p.Latency, inline(p.Word), inline(p.Tied))
	}
	m.printf("\nA run is dominated when another is no worse in anything and better in something; a difference in quality counts when it can be shown.")
}

// changed lists, for every run, the cases that changed most.
func (m *markdown) changed(c *Comparison) {
	most := m.o.cases(10)
	for i := 1; i < len(c.Runs) && most > 0; i++ {
		changes := c.changes(i)
		if len(changes) == 0 {
			continue
		}
		asked := slices.ContainsFunc(changes, func(x change) bool { return x.question != "" })
		head, rule := "| Case |", "|---|"
		if asked {
			head, rule = head+" Question |", rule+"---|"
		}
		m.printf("\n## Cases that changed most: %s\n\n%s Metric | %s | %s | Δ |\n%s---|---:|---:|---:|", inline(c.Runs[i]), head, inline(c.Runs[0]), inline(c.Runs[i]), rule)
		for _, x := range foremost(changes, most) {
			info := c.Rows[x.row].MetricInfo
			row := "| " + code(clip(x.id, 80)) + " |"
			if asked {
				row += " " + inline(clip(line(x.question), 100)) + " |"
			}
			m.printf("%s %s | %s | %s | %s |", row, code(info.Name), number(info, x.old), number(info, x.new), signed(info, x.new-x.old))
		}
	}
}

// missed names the cases that no run solves.
func (m *markdown) missed(c *Comparison) {
	x := c.missed()
	if len(x.ids) == 0 {
		return
	}
	m.printf("\n## Cases that no run solves: %d of %d\n\nIn every run %s.", len(x.ids), x.of, inline(x.by()))
	most := m.o.cases(20)
	var names []string
	for _, id := range x.ids[:min(most, len(x.ids))] {
		names = append(names, code(clip(id, 80)))
	}
	if more := len(x.ids) - most; more > 0 && most > 0 {
		names = append(names, fmt.Sprintf("… %d more", more))
	}
	if names != nil {
		m.printf("\n%s", strings.Join(names, ", "))
	}
}

// settings writes what was set otherwise.
func (m *markdown) settings(c *Comparison) {
	all := c.settings()
	if len(all) == 0 {
		return
	}
	const most = 30
	head, rule := "| Setting |", "|---|"
	for _, name := range c.Runs {
		head += " " + inline(name) + " |"
		rule += "---|"
	}
	m.printf("\n## Set otherwise\n\n%s\n%s", head, rule)
	for _, s := range all[:min(len(all), most)] {
		row := "| " + code(s.Key) + " |"
		for _, v := range s.Values {
			if v = orDash(clip(v, 120)); v != "–" {
				v = code(v)
			}
			row += " " + v + " |"
		}
		m.printf("%s", row)
	}
	if more := len(all) - most; more > 0 {
		m.printf("\n… and %s in the other formats", plural(more, "more setting", "more settings"))
	}
}
