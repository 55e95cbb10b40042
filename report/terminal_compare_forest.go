package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// forest writes the differences as a plot, a line for each metric and run:
//
//	recall@5  │  ├──●──┤  +0.177 ▲ +0.141…+0.213
//
// The mark is full where the difference can be shown and hollow where it
// cannot. Metrics of one unit share an axis. Where it is asked for, a line ends
// with the cases that got better, stayed and got worse.
func (t *terminal) forest(c *Comparison, counted bool) {
	reach, units := reaches(c)
	for _, unit := range units {
		if reach[unit] > 0 {
			t.forestOf(c, unit, niceReach(reach[unit]), counted)
		}
	}
}

// reaches gives, by unit, how far from 0 the differences and their intervals
// lie, and the units in their order.
func reaches(c *Comparison) (reach map[string]float64, units []string) {
	reach = map[string]float64{}
	for _, row := range c.Rows {
		if _, ok := reach[row.Unit]; !ok {
			units = append(units, row.Unit)
		}
		far := reach[row.Unit]
		for _, d := range row.Differences {
			far = max(far, math.Abs(d.Diff))
			if d.CI != nil {
				far = max(far, math.Abs(d.CI.Lo), math.Abs(d.CI.Hi))
			}
		}
		reach[row.Unit] = far
	}
	return reach, units
}

// A forestLine is one difference in the plot.
type forestLine struct {
	row    summary.ComparisonRow
	d      stats.Comparison
	labels []string // the metric, then the run where there are several
	number string
	counts string
}

func (t *terminal) forestOf(c *Comparison, unit string, reach float64, counted bool) {
	const shortest, longest = 21, 81
	var lines []forestLine
	var wide [2]int
	numbers, tallies := 0, 0
	for _, row := range c.Rows {
		if row.Unit != unit {
			continue
		}
		for i, d := range row.Differences {
			l := forestLine{row: row, d: d, labels: []string{fit(arrow(row.MetricInfo), 24), ""}, number: forestNumber(row, d)}
			if counted && d.N > 0 {
				l.counts = strings.ReplaceAll(counts(row.MetricInfo, d), " ", "")
			}
			if i > 0 {
				l.labels[0] = ""
			}
			if len(c.Runs) > 2 {
				l.labels[1] = fit(line(c.Runs[i+1]), 16)
			}
			for k, s := range l.labels {
				wide[k] = max(wide[k], width(s))
			}
			numbers, tallies = max(numbers, width(l.number)), max(tallies, width(l.counts))
			lines = append(lines, l)
		}
	}
	if tallies > 0 {
		for i := range lines {
			lines[i].number = pad(lines[i].number, numbers) + "  " + lines[i].counts
		}
		numbers += 2 + tallies
	}
	left := 1 + wide[0] + 1
	if wide[1] > 0 {
		left += wide[1] + 1
	}
	room := t.o.width() - left - 1
	// An odd number of places has one in the middle for 0.
	places := (min(max(room-numbers-1, shortest), longest) - 1) | 1
	t.println("")
	heading := "difference from " + line(c.Runs[0]) + ", " + intervals(c.Level)
	if unit != "" {
		heading += ", in " + line(unit)
	}
	heading += " (● can be shown, ○ cannot)"
	if tallies > 0 {
		heading += ", cases better/same/worse"
	}
	t.title(heading)
	for _, l := range lines {
		s := " " + pad(l.labels[0], wide[0]) + " "
		if wide[1] > 0 {
			s += pad(l.labels[1], wide[1]) + " "
		}
		s += t.tint(l.row.MetricInfo, l.d, forestPlot(l.d, reach, places))
		if room-places-1 >= numbers {
			s += " " + l.number
		}
		t.println(s)
	}
	t.println(strings.Repeat(" ", left) + forestTicks(reach, places))
}

// forestNumber shows a difference with its interval: "+0.177 ▲ +0.141…+0.213".
// The sign in the middle says whether the new run is better.
func forestNumber(row summary.ComparisonRow, d stats.Comparison) string {
	if d.N == 0 {
		return "no case in common"
	}
	sign := "~"
	if summary.Shown(d) {
		sign = shownSign(row.MetricInfo, d)
	}
	return fmt.Sprintf("%*s %s %s", 7, signed(row.MetricInfo, d.Diff), sign, signedInterval(row, d.CI))
}

// improves reports whether the mean of the new run is the better one.
func improves(m assay.MetricInfo, d stats.Comparison) bool {
	return (d.Diff > 0) == (m.Better != "lower")
}

// shownSign marks a difference that can be shown as better or worse.
func shownSign(m assay.MetricInfo, d stats.Comparison) string {
	if improves(m, d) {
		return "▲"
	}
	return "▼"
}

// forestPlot draws a difference with its interval on places columns from −reach
// to reach.
func forestPlot(d stats.Comparison, reach float64, places int) string {
	cells := []rune(strings.Repeat(" ", places))
	at := func(v float64) int {
		x := int(math.Round((v/reach + 1) / 2 * float64(places-1)))
		return min(max(x, 0), places-1)
	}
	cells[places/2] = '│'
	if d.N == 0 {
		return string(cells)
	}
	if d.CI != nil {
		lo, hi := at(d.CI.Lo), at(d.CI.Hi)
		for x := lo; x <= hi; x++ {
			cells[x] = '─'
		}
		if lo <= places/2 && places/2 <= hi {
			cells[places/2] = '┼'
		}
		cells[lo], cells[hi] = '├', '┤'
	}
	cells[at(d.Diff)] = '○'
	if summary.Shown(d) {
		cells[at(d.Diff)] = '●'
	}
	return string(cells)
}

// forestTicks labels both ends of the axis and its middle.
func forestTicks(reach float64, places int) string {
	lo, hi := "−"+tick(reach), "+"+tick(reach)
	gap := places/2 - width(lo)
	return lo + strings.Repeat(" ", max(gap, 1)) + "0" + strings.Repeat(" ", max(places-places/2-1-width(hi), 1)) + hi
}

// tint colours what has a shape already: a difference that can be shown.
func (t *terminal) tint(m assay.MetricInfo, d stats.Comparison, s string) string {
	if !t.o.Colour || !summary.Shown(d) {
		return s
	}
	colour := "31"
	if improves(m, d) {
		colour = "32"
	}
	return "\x1b[" + colour + "m" + s + "\x1b[0m"
}
