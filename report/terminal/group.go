package terminal

import (
	"slices"
	"strings"

	"github.com/assay-eval/assay/report/document"
)

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
		if len(l.below) > 0 && group == "" {
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
