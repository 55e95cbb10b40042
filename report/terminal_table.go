package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
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
	for _, m := range s.Metrics {
		marks = append(marks, n.mark(remarksOn(m)))
	}
	t.grid(t.estimateGrid(marks))
	t.notes(&n)
	t.println("")
}

// estimateGrid makes the table of estimates as wide as the terminal allows:
// where it is narrow, the intervals stand below the means; where it is
// narrower still, only the counts behind the means are left, and names are cut.
func (t *terminal) estimateGrid(marks []string) *grid {
	w := t.o.width()
	for _, below := range []bool{false, true} {
		if g := t.estimateColumns(marks, below, 3, w/2); g.columns() <= w {
			return g
		}
	}
	for name := w / 2; ; name-- {
		if g := t.estimateColumns(marks, true, 1, name); g.columns() <= w || name <= 8 {
			return g
		}
	}
}

// estimateColumns makes the table with the first of the counts and names of at
// most the given width.
func (t *terminal) estimateColumns(marks []string, below bool, counts, name int) *grid {
	metrics := t.r.Summary.Metrics
	g := &grid{head: slices.Concat([]string{"metric"}, estimateHead(metrics[0].Level, below), []string{"n", "not scored", "n/a"}[:counts], []string{""})}
	for i := range g.head {
		g.left = append(g.left, i == 0 || i == len(g.head)-1)
	}
	for i, m := range metrics {
		numbers := []string{strconv.Itoa(m.N), strconv.Itoa(unscored(m)), strconv.Itoa(m.NotApplicable + m.Abstained)}
		g.add(slices.Concat([]string{fit(arrow(m.MetricInfo), name)}, estimateCells(m.MetricInfo, m.Estimate, below), numbers[:counts], []string{marks[i]})...)
	}
	return g
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
	for _, m := range s.Metrics[:metrics] {
		g.head = append(g.head, fit(line(m.Name), name)+" (n)\n"+intervals(m.Level))
		g.left = append(g.left, false)
	}
	for _, tag := range s.Tags[:min(mostTags, len(s.Tags))] {
		cells := []string{fit(line(tag.Tag), name), strconv.Itoa(tag.Cases)}
		for _, m := range tag.Metrics[:metrics] {
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
