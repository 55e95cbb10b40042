package report

import (
	"math"
	"strconv"
	"strings"
)

// lost writes where answers are lost: a sentence, the waterfall of the facts,
// the wrong answers by stage, and what the ladder mends.
func (t *terminal) lost() {
	w := t.r.Summary.Waterfall
	f := newLostFall(w)
	if f == nil {
		return
	}
	t.println("")
	t.title(strings.ToLower(lostTitle))
	t.paragraph(f.Lead, "  ")
	if f.Facts != "" {
		t.paragraph(f.Facts, "  ")
	}
	// A run that lost nothing has said so.
	if f.Rows != nil && (w.Failed > 0 || w.Answered < w.Facts) {
		t.println("")
		t.grid(t.fallGrid(f, intervals(w.Level)))
	}
	if f.Failed != nil {
		t.println("")
		t.grid(t.verdictGrid(f, intervals(w.Level)))
	}
	if f.Rungs != nil {
		t.println("")
		t.grid(t.ladderGrid(f, intervals(w.Level)))
		t.paragraph(ladderNote(w), "  ")
	}
	for _, n := range f.Notes {
		t.paragraph("note: "+n, "  ")
	}
}

// fallGrid makes the waterfall as wide as the terminal allows: the bars shrink
// first, then the share of what came in goes, then the interval stands below.
func (t *terminal) fallGrid(f *lostFall, level string) *grid {
	const longest, shortest = 48, 10
	var g *grid
	for _, l := range []struct{ rate, below bool }{{true, false}, {false, false}, {false, true}} {
		for bar := longest; bar >= shortest; bar -= 2 {
			if g = fallColumns(f, level, bar, l.rate, l.below); g.columns() <= t.o.width() {
				return g
			}
		}
	}
	return g
}

func fallColumns(f *lostFall, level string, bar int, rate, below bool) *grid {
	g := &grid{head: []string{"stage", "", "left", "lost"}, left: []bool{true, true, false, false}}
	if below {
		g.head, g.left = append(g.head, "share\n"+level), append(g.left, false)
	} else {
		g.head, g.left = append(g.head, "share", level), append(g.left, false, false)
	}
	if rate {
		g.head, g.left = append(g.head, "of what came"), append(g.left, false)
	}
	for _, r := range f.Rows {
		lost := ""
		if !r.End {
			lost = strconv.Itoa(r.Lost)
		}
		cells := []string{fit(r.Name, 20), fallBar(r, bar), strconv.Itoa(r.Kept), lost}
		if below {
			cells = append(cells, strings.TrimRight(r.Share+"\n"+r.Interval, "\n"))
		} else {
			cells = append(cells, r.Share, r.Interval)
		}
		if rate {
			cells = append(cells, r.Rate)
		}
		g.add(cells...)
	}
	return g
}

// fallBar draws what is left as a full bar and what the stage lost as a light
// one behind it. What is lost, however little, shows.
func fallBar(r lostRow, places int) string {
	at := func(n int) int { return int(math.Round(float64(n) / float64(r.All) * float64(places))) }
	kept, both := at(r.Kept), at(r.Kept+r.Lost)
	switch {
	case r.Lost > 0 && both == kept && kept < places:
		both++
	case r.Lost > 0 && both == kept:
		kept--
	}
	return strings.Repeat("█", kept) + strings.Repeat("░", both-kept)
}

// verdictGrid lists the wrong answers by stage, with the first of their ids.
func (t *terminal) verdictGrid(f *lostFall, level string) *grid {
	g := &grid{head: []string{"wrong answers", "n", "share", level, "which"}, left: []bool{true, false, false, false, true}}
	for _, v := range f.Failed {
		g.add(fit(v.Name, 20), strconv.Itoa(v.N), v.Share, v.Interval, "")
	}
	room := t.o.width() - g.columns() - 2
	if room < 12 {
		return g
	}
	for i, v := range f.Failed {
		g.rows[i][4] = someIDs(v.IDs, room)
	}
	return g
}

// someIDs names as many cases as there is room for.
func someIDs(ids []string, room int) string {
	out := ""
	for i, id := range ids {
		next := fit(line(id), 24)
		if i > 0 {
			next = out + ", " + next
		}
		if i+1 < len(ids) && width(next)+3 > room || width(next) > room {
			if out == "" {
				return fit(next, room)
			}
			return out + ", …"
		}
		out = next
	}
	return out
}

// ladderGrid shows what is right with more and more stages replaced, with bars as
// long as there is room for.
func (t *terminal) ladderGrid(f *lostFall, level string) *grid {
	var g *grid
	for places := 24; places >= 4; places -= 2 {
		if g = ladderColumns(f, level, places); g.columns() <= t.o.width() {
			break
		}
	}
	return g
}

func ladderColumns(f *lostFall, level string, places int) *grid {
	g := &grid{head: []string{"right with", "", "right", "gain", level}, left: []bool{true, true, false, false, false}}
	for i, r := range f.Rungs {
		ink := "█"
		if i == len(f.Rungs)-1 {
			ink = "░"
		}
		bar := strings.Repeat(ink, int(math.Round(r.Share*float64(places))))
		g.add(fit(rungWord(i, len(f.Rungs), r.Name), 20), bar, r.Right, r.Gain, r.Interval)
	}
	return g
}

// rungWord names rung i of n: the output of which stage is now right too.
func rungWord(i, n int, name string) string {
	switch i {
	case 0:
		return "as it is"
	case n - 1:
		return "still wrong"
	}
	return "+ right " + name
}
