package report

import (
	"fmt"
	"strconv"
	"strings"
)

// sliced lists the tags over whose cases a difference can be shown.
func (t *terminal) sliced(c *Comparison) {
	all, tested := c.found()
	if tested == 0 {
		return
	}
	t.println("")
	if len(all) == 0 {
		t.paragraph(fmt.Sprintf("by tag: none of %s can be shown", plural(tested, "difference", "differences")), "  ")
		return
	}
	const most = 8
	g := &grid{head: []string{"by tag", "metric", "run", "Δ", intervals(c.Level), "p (BH)", "n"}, left: []bool{true, true, true, false, true, false, false}}
	for _, f := range all[:min(len(all), most)] {
		g.add(fit(line(f.tag), 24), fit(arrow(f.row.MetricInfo), 24), fit(line(f.run), 16), signed(f.row.MetricInfo, f.d.Diff), signedInterval(f.row, f.d.CI), pValue(f.d), strconv.Itoa(f.d.N))
	}
	t.narrow(g)
	note := ""
	if more := len(all) - most; more > 0 {
		note = fmt.Sprintf("… and %d more; ", more)
	}
	if rest := tested - len(all); rest > 0 {
		note += plural(rest, "other difference", "other differences") + " by tag cannot be shown; "
	}
	t.paragraph(note+"p is corrected over all tags (Benjamini and Hochberg)", "  ")
}

// narrow writes a table, every line cut to the terminal.
func (t *terminal) narrow(g *grid) {
	for i, l := range g.lines() {
		l = fit(strings.TrimRight(l, " "), t.o.width())
		if i < g.headLines() {
			l = t.bold(l)
		}
		t.println(l)
	}
}

// standings sets quality against cost and latency.
func (t *terminal) standings(c *Comparison) {
	if c.places() == nil {
		return
	}
	t.println("")
	g := t.standingGrid(c, "; ")
	if g.columns() > t.o.width() {
		g = t.standingGrid(c, "\n")
	}
	t.narrow(g)
}

// standingGrid makes the table of standings; between stands between what a run's
// place is and with whom it is tied.
func (t *terminal) standingGrid(c *Comparison, between string) *grid {
	m, _ := c.primary()
	g := &grid{head: []string{"run", line(m.Name), intervals(c.Level), "n"}, left: []bool{true, false, false, false}}
	if c.priced() {
		g.head, g.left = append(g.head, "cost"), append(g.left, false)
	}
	g.head, g.left = append(g.head, "latency", "standing"), append(g.left, false, true)
	for _, p := range c.places() {
		cells := []string{fit(p.Run, 20), p.Quality, p.Ends, strconv.Itoa(p.N)}
		if c.priced() {
			cells = append(cells, p.Cost)
		}
		word := p.Word
		if p.Tied != "" {
			word += between + "tied with " + p.Tied
		}
		g.add(append(cells, p.Latency, word)...)
	}
	return g
}

// changed lists, for every run, the cases that changed most.
func (t *terminal) changed(c *Comparison) {
	most := 5
	if len(c.Runs) > 2 {
		most = 3
	}
	most = t.o.cases(most)
	for i := 1; i < len(c.Runs) && most > 0; i++ {
		all := c.changes(i)
		if len(all) == 0 {
			continue
		}
		t.println("")
		shown := foremost(all, most)
		t.title(fmt.Sprintf("cases that changed most: %s → %s (%s)", line(c.Runs[0]), line(c.Runs[i]), some(len(shown), len(all))))
		var rows [][]string
		var wide [4]int
		for _, x := range shown {
			m := c.Rows[x.row].MetricInfo
			sign := "▲"
			if x.worse {
				sign = "▼"
			}
			cells := []string{sign, fit(line(x.id), 24), fit(arrow(m), 24), number(m, x.old) + " → " + number(m, x.new)}
			for k, s := range cells {
				wide[k] = max(wide[k], width(s))
			}
			rows = append(rows, append(cells, line(x.question)))
		}
		for _, r := range rows {
			s := ""
			for k, w := range wide {
				s += " " + pad(r[k], w) + " "
			}
			t.println(fit(s+" "+r[4], t.o.width()))
		}
	}
}

// missed names the cases that no run solves.
func (t *terminal) missed(c *Comparison) {
	m := c.missed()
	if len(m.ids) == 0 {
		return
	}
	t.println("")
	t.paragraph(m.line(len(c.Runs), t.o.cases(8)), "  ")
}

// settings writes what was set otherwise.
func (t *terminal) settings(c *Comparison) {
	all := c.settings()
	if len(all) == 0 {
		return
	}
	const most = 8
	t.println("")
	g := &grid{head: []string{"set otherwise"}, left: []bool{true}}
	for _, name := range c.Runs {
		g.head, g.left = append(g.head, fit(line(name), 24)), append(g.left, true)
	}
	for _, s := range all[:min(len(all), most)] {
		cells := []string{fit(line(s.Key), 28)}
		for _, v := range s.Values {
			cells = append(cells, fit(orDash(v), 28))
		}
		g.add(cells...)
	}
	t.narrow(g)
	if more := len(all) - most; more > 0 {
		t.println(fmt.Sprintf(" … and %s in the other formats", plural(more, "more setting", "more settings")))
	}
}
