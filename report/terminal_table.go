package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// estimateHead heads the columns of a mean and its interval, or the one column
// in which the interval stands below the mean.
func estimateHead(level float64, below bool) []string {
	if below {
		return []string{"mean\n" + intervals(level)}
	}
	return []string{"mean", intervals(level)}
}

// estimateCells fills the columns that [estimateHead] heads.
func estimateCells(m assay.MetricInfo, e stats.Estimate, below bool) []string {
	cells := []string{mean(m, e), ends(m, e)}
	if below {
		return []string{strings.Join(cells, "\n")}
	}
	return cells
}

func (t *terminal) estimates() {
	s := t.r.Summary
	if len(s.Metrics) == 0 {
		t.println("no metric was computed")
		return
	}
	var n notes
	var marks []string
	for _, m := range estimates(s.Metrics) {
		marks = append(marks, n.mark(t.r.remarksOn(m)))
	}
	t.grid(t.estimateGrid(marks))
	t.notes(&n)
	t.println("")
}

// A layout chooses the columns of the table of estimates.
type layout struct {
	// below puts the intervals below the means, and what is wanted below the
	// status.
	below  bool
	status bool
	// counts is how many of the counts behind the means are shown.
	counts int
	// name is how wide the names may be.
	name int
}

// estimateGrid makes the table of estimates as wide as the terminal allows:
// where it is narrow, the intervals stand below the means; where it is
// narrower still, only the first of the counts is left, names are cut, and what
// the thresholds came to is left to the line about the gate.
func (t *terminal) estimateGrid(marks []string) *grid {
	w := t.o.width()
	status := thresholds(t.r.Summary.Metrics)
	for _, l := range []layout{{false, status, 3, w / 2}, {true, status, 3, w / 2}, {true, status, 1, w / 2}} {
		if g := t.estimateColumns(marks, l); g.columns() <= w {
			return g
		}
	}
	for l := (layout{true, status, 1, w / 2}); ; l.name-- {
		if l.name < 12 && l.status {
			l = layout{true, false, 1, w / 2}
		}
		if g := t.estimateColumns(marks, l); g.columns() <= w || l.name <= 8 {
			return g
		}
	}
}

// estimateColumns makes the table in a layout.
func (t *terminal) estimateColumns(marks []string, l layout) *grid {
	metrics := estimates(t.r.Summary.Metrics)
	g := &grid{}
	head := func(left bool, names ...string) {
		for _, name := range names {
			g.head, g.left = append(g.head, name), append(g.left, left)
		}
	}
	head(true, "metric")
	head(false, estimateHead(metrics[0].Level, l.below)...)
	switch {
	case l.status && l.below:
		head(true, "status\nthreshold")
	case l.status:
		head(false, "threshold")
		head(true, "status")
	}
	head(false, []string{"n", "not scored", "n/a"}[:l.counts]...)
	head(true, "")
	for i, m := range metrics {
		numbers := []string{strconv.Itoa(m.N), strconv.Itoa(unscored(m)), strconv.Itoa(m.NotApplicable + m.Abstained)}
		cells := append([]string{fit(arrow(m.MetricInfo), l.name)}, estimateCells(m.MetricInfo, m.Estimate, l.below)...)
		if l.status {
			cells = append(cells, t.statusCells(m, l.below)...)
		}
		cells = slices.Concat(cells, numbers[:l.counts], []string{marks[i]})
		if m.Name == assay.CompositeName {
			for k, c := range cells {
				cells[k] = t.boldCell(c)
			}
		}
		g.add(cells...)
	}
	return g
}

// statusCells shows what a metric wants and what came of it.
func (t *terminal) statusCells(m summary.Metric, below bool) []string {
	status := ""
	if r := t.r.ruling(m); r != nil {
		status = verdictWord(r.Verdict)
	}
	if below {
		return []string{strings.TrimRight(status+"\n"+wants(m.MetricInfo), "\n")}
	}
	return []string{wants(m.MetricInfo), status}
}

// boldCell makes each line of a cell bold.
func (t *terminal) boldCell(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = t.bold(l)
		}
	}
	return strings.Join(lines, "\n")
}

// mostTags bounds the tags on a terminal; the page shows all.
const mostTags = 12

// tags writes the table of tags with as many metrics as fit. Where not even one
// does, names are cut.
func (t *terminal) tags() {
	s := t.r.Summary
	if len(s.Tags) == 0 || len(s.Metrics) == 0 {
		return
	}
	const longest, shortest = 24, 6
	shown, name := len(s.Metrics), longest
	g := t.tagGrid(shown, name)
	for g.columns() > t.o.width() && name > shortest {
		if shown > 1 {
			shown--
		} else {
			name--
		}
		g = t.tagGrid(shown, name)
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
		t.paragraph("… "+strings.Join(more, " and ")+" more in the other formats", "  ")
	}
}

// tagGrid makes the table of tags with the first metrics. A cell holds mean, n
// and, below, the interval.
func (t *terminal) tagGrid(metrics, name int) *grid {
	s := t.r.Summary
	g := &grid{head: []string{"by tag", "cases"}, left: []bool{true, false}}
	for _, m := range estimates(s.Metrics)[:metrics] {
		g.head = append(g.head, fit(line(m.Name), name)+" (n)\n"+intervals(m.Level))
		g.left = append(g.left, false)
	}
	for _, tag := range s.Tags[:min(mostTags, len(s.Tags))] {
		cells := []string{fit(line(tag.Tag), name), strconv.Itoa(tag.Cases)}
		for _, m := range estimates(tag.Metrics)[:metrics] {
			if m.N == 0 {
				cells = append(cells, "–")
				continue
			}
			cells = append(cells, fmt.Sprintf("%s (%d)\n%s", estimated(m), m.N, ends(m.MetricInfo, m.Estimate)))
		}
		g.add(cells...)
	}
	return g
}
