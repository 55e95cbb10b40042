package terminal

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/draw"
)

// A layout says how a table is made narrower.
type layout struct {
	drop  map[string]bool
	below map[string]string // the column that is put below another
	name  int
	plot  int
	// room is the width left for the ids of cases.
	room int
}

// table writes a table as wide as the terminal allows, then its notes.
func (t *writer) table(tb document.Table) {
	shown := tb
	if tb.Most > 0 && len(tb.Rows) > tb.Most {
		shown.Rows = tb.Rows[:tb.Most]
	}
	var n document.Notes
	if tb.Grouped() {
		t.grouped(shown, &n)
		return
	}
	marks := make([]string, len(shown.Rows))
	for i, r := range shown.Rows {
		marks[i] = n.Mark(r.Remarks())
	}
	g, dropped := t.fitting(shown, marks)
	for i, l := range g.lines() {
		if tb.Cut {
			l = Fit(strings.TrimRight(l, " "), t.o.Width)
		}
		if i < g.headLines() {
			l = t.bold(l)
		}
		t.println(l)
	}
	t.notes(&n)
	if tb.Omitted != nil {
		if s := tb.Omitted(len(tb.Rows)-len(shown.Rows), dropped); s != "" {
			t.paragraph(s, "  ")
		}
	}
}

func (t *writer) notes(n *document.Notes) {
	for _, s := range n.Texts() {
		t.paragraph(document.Line(s), "  ")
	}
}

// layouts returns the ways to show a table, the widest first.
func (t *writer) layouts(tb document.Table) []layout {
	most := cmp.Or(tb.NameMost, t.o.Width)
	var out []layout
	drop, below := map[string]bool{}, map[string]string{}
	add := func(name int) {
		l := layout{drop: maps.Clone(drop), below: maps.Clone(below), name: name}
		widest, least := plots(tb.Columns)
		for l.plot = widest; l.plot > least; l.plot -= 2 {
			out = append(out, l)
		}
		l.plot = least
		out = append(out, l)
	}
	add(most)
	for _, s := range tb.Steps {
		for _, id := range s.Drop {
			drop[id] = true
		}
		for _, pair := range s.Stack {
			below[pair[0]] = pair[1]
		}
		add(most)
		for name := most - 1; s.Name > 0 && name >= s.Name; name-- {
			add(name)
		}
	}
	return out
}

func plots(columns []document.Column) (widest, least int) {
	for _, c := range columns {
		widest, least = max(widest, c.Plot), max(least, c.PlotLeast)
	}
	return widest, least
}

// fitting returns the table in the first layout that fits, or else in the
// narrowest, and the number of columns that are left out.
func (t *writer) fitting(tb document.Table, marks []string) (g *grid, dropped int) {
	var l layout
	for _, l = range t.layouts(tb) {
		if g = t.columns(tb, marks, l); g.columns() <= t.o.Width {
			break
		}
	}
	if l.room = t.o.Width - g.columns() - 2; l.room >= 12 && slices.ContainsFunc(tb.Rows, hasCases) {
		g = t.columns(tb, marks, l)
	}
	return g, len(l.drop)
}

func hasCases(r document.Row) bool {
	return slices.ContainsFunc(r.Cells, func(c document.Cell) bool { return c.Cases != nil })
}

// columns makes the grid in a layout.
func (t *writer) columns(tb document.Table, marks []string, l layout) *grid {
	g := &grid{}
	at := map[string]int{}
	for i, c := range tb.Columns {
		at[c.ID] = i
	}
	hidden := func(c document.Column) bool {
		return l.drop[c.ID] || slices.Contains(slices.Collect(maps.Values(l.below)), c.ID)
	}
	for _, c := range tb.Columns {
		if hidden(c) {
			continue
		}
		head := heading(c)
		if under, ok := l.below[c.ID]; ok {
			head += "\n" + heading(tb.Columns[at[under]])
		}
		g.head, g.left = append(g.head, head), append(g.left, c.Words || c.Plot > 0)
	}
	rows := tb.Rows
	if tb.Foot != nil {
		rows = append(slices.Clone(rows), document.Row{Cells: tb.Foot})
	}
	for i, r := range rows {
		var cells []string
		for k, c := range tb.Columns {
			if hidden(c) {
				continue
			}
			s := t.cell(c, r.Cells[k], l, k == 0)
			if under, ok := l.below[c.ID]; ok {
				s = strings.TrimRight(s+"\n"+t.cell(tb.Columns[at[under]], r.Cells[at[under]], l, false), "\n")
			}
			if r.Rank == document.Whole {
				s = t.boldLines(s)
			}
			cells = append(cells, s)
		}
		if i < len(marks) {
			cells = append(cells, marks[i])
		}
		g.add(cells...)
	}
	if slices.ContainsFunc(marks, func(s string) bool { return s != "" }) {
		g.head, g.left = append(g.head, ""), append(g.left, true)
	} else {
		for i := range marks {
			g.rows[i] = g.rows[i][:len(g.head)]
		}
	}
	return g
}

func heading(c document.Column) string {
	return cmp.Or(c.Short, document.LowerFirst(document.Line(c.Head)))
}

// cell shows one cell in a layout.
func (t *writer) cell(c document.Column, cell document.Cell, l layout, first bool) string {
	if cell.Joined {
		return ""
	}
	if p, ok := cell.Plot.(draw.TextPlot); ok && c.Plot > 0 {
		return t.tint(cell.Mark, p.Text(l.plot))
	}
	if cell.Cases != nil {
		return someIDs(cell.Cases, l.room)
	}
	s := plain(cell.Text)
	if c.Most > 0 {
		s = Fit(s, c.Most)
	}
	if first {
		s = Fit(s, l.name)
	}
	if cell.Below != "" && c.Plot == 0 {
		s += "\n" + document.Line(cell.Below)
	}
	return s
}

// tint colours a significant difference, which its sign or mark shows too.
func (t *writer) tint(m document.Mark, s string) string {
	if !t.o.Colour || m != document.Good && m != document.Bad {
		return s
	}
	colour := "31"
	if m == document.Good {
		colour = "32"
	}
	return "\x1b[" + colour + "m" + s + "\x1b[0m"
}

// boldLines makes each line of a cell bold.
func (t *writer) boldLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = t.bold(l)
		}
	}
	return strings.Join(lines, "\n")
}

// someIDs lists as many ids of cases as fit.
func someIDs(ids []string, room int) string {
	if room < 12 {
		return ""
	}
	out := ""
	for i, id := range ids {
		next := Fit(document.Line(id), 24)
		if i > 0 {
			next = out + ", " + next
		}
		if i+1 < len(ids) && width(next)+3 > room || width(next) > room {
			if out == "" {
				return Fit(next, room)
			}
			return out + ", …"
		}
		out = next
	}
	return out
}

// grouped writes a table with groups of columns: as many groups side by side as
// fit, to the right of the names of the rows.
func (t *writer) grouped(tb document.Table, n *document.Notes) {
	var names []string
	var blocks [][]string
	head := 0
	for _, l := range t.layouts(tb) {
		*n = document.Notes{}
		names, blocks, head = t.groups(tb, l, n)
		room := widest(names) + widest(blocks[0]) + 1
		if len(blocks) > 1 {
			room += widest(blocks[1]) + 1
		}
		if room <= t.o.Width {
			break
		}
	}
	for i := 0; len(blocks) > 0; i++ {
		if i > 0 {
			t.println("")
		}
		blocks = blocks[t.side(names, blocks, head):]
	}
	t.println("")
	t.notes(n)
}

// groups returns the column of names, a block of lines for each group, and the
// number of lines of the heading.
func (t *writer) groups(tb document.Table, l layout, n *document.Notes) (names []string, blocks [][]string, head int) {
	for from := 0; from < len(tb.Columns); {
		group := tb.Columns[from].Group
		to := from
		for to < len(tb.Columns) && tb.Columns[to].Group == group {
			to++
		}
		part := document.Table{Columns: tb.Columns[from:to]}
		marks := make([]string, len(tb.Rows))
		for i, r := range tb.Rows {
			row := document.Row{Rank: r.Rank, Cells: r.Cells[from:to]}
			part.Rows = append(part.Rows, row)
			marks[i] = n.Mark(row.Remarks())
		}
		g := t.columns(part, marks, l)
		if len(l.below) > 0 {
			g.double()
		}
		lines := g.lines()
		head = max(head, 1+g.headLines())
		if group == "" {
			names = slices.Insert(lines, 0, "")
		} else {
			blocks = append(blocks, slices.Insert(lines, 0, " "+Fit(document.Line(group), max(width(lines[0])-2, 12))))
		}
		from = to
	}
	return names, blocks, head
}

// side writes the names and beside them as many blocks as fit the width, at least
// one. It returns how many it wrote. The first head lines are the heading.
func (t *writer) side(names []string, blocks [][]string, head int) int {
	rows := make([]string, len(names))
	for i, s := range names {
		rows[i] = pad(s, widest(names))
	}
	used, count := widest(names), 0
	for _, b := range blocks {
		w := widest(b)
		if count > 0 && used+1+w > t.o.Width {
			break
		}
		used += 1 + w
		count++
		for i := range rows {
			rule := " "
			if i < head {
				rule = "│"
			}
			rows[i] += rule + pad(b[i], w)
		}
	}
	for i, s := range rows {
		if i < head {
			s = t.bold(strings.TrimRight(s, " "))
		}
		t.println(s)
	}
	return count
}

func widest(lines []string) int {
	w := 0
	for _, l := range lines {
		w = max(w, width(l))
	}
	return w
}
