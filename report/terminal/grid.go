package terminal

import (
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// A grid is a table for a terminal without rules between its columns. Its cells
// must be visible text. Escape sequences for colours take no width, Chinese
// characters take two columns.
type grid struct {
	head []string
	rows [][]string
	// left marks the columns of words, which are aligned to the left. The others
	// hold numbers.
	left []bool
}

func (g *grid) add(cells ...string) { g.rows = append(g.rows, cells) }

// headLines counts the lines of the heading.
func (g *grid) headLines() int {
	most := 1
	for _, h := range g.head {
		most = max(most, 1+strings.Count(h, "\n"))
	}
	return most
}

// double gives the heading and every row a second line, to match other grids whose cells have
// two lines.
func (g *grid) double() {
	for _, cells := range append([][]string{g.head}, g.rows...) {
		if !slices.ContainsFunc(cells, func(s string) bool { return strings.Contains(s, "\n") }) {
			cells[0] += "\n "
		}
	}
}

// columns is the number of columns that the grid takes on a terminal.
func (g *grid) columns() int {
	most := 0
	for _, l := range g.lines() {
		most = max(most, width(strings.TrimRight(l, " ")))
	}
	return most
}

// lines gives the lines of the grid, of equal width.
func (g *grid) lines() []string {
	t := table.NewWriter()
	style := table.StyleDefault
	style.Options = table.OptionsNoBordersAndSeparators
	style.Box.PaddingLeft, style.Box.PaddingRight = " ", " "
	style.Format.Header, style.Format.HeaderAlign = text.FormatDefault, text.AlignDefault
	t.SetStyle(style)
	var columns []table.ColumnConfig
	for i, left := range g.left {
		align := text.AlignRight
		if left {
			align = text.AlignLeft
		}
		columns = append(columns, table.ColumnConfig{Number: i + 1, Align: align, AlignHeader: align})
	}
	t.SetColumnConfigs(columns)
	t.AppendHeader(row(g.head))
	for _, r := range g.rows {
		t.AppendRow(row(r))
	}
	return strings.Split(t.Render(), "\n")
}

// Table returns a table without spaces around it. left marks the columns of words; the others hold
// numbers.
func Table(head []string, rows [][]string, left []bool) string {
	g := grid{head: head, rows: rows, left: left}
	var b strings.Builder
	for _, l := range g.lines() {
		b.WriteString(strings.TrimRight(strings.TrimPrefix(l, " "), " ") + "\n")
	}
	return b.String()
}

func row(cells []string) table.Row {
	out := make(table.Row, len(cells))
	for i, c := range cells {
		out[i] = c
	}
	return out
}

// width is the number of columns that a line takes on a terminal.
func width(s string) int { return text.StringWidthWithoutEscSequences(s) }

// pad fills a line with spaces to w columns.
func pad(s string, w int) string { return text.Pad(s, w, ' ') }

// Fit cuts a line to w columns, with "…" for the rest.
func Fit(s string, w int) string {
	if width(s) <= w {
		return s
	}
	used := 0
	for i, r := range s {
		if used += text.RuneWidth(r); used > w-1 {
			return strings.TrimRight(s[:i], " ") + "…"
		}
	}
	return s
}

// wrap breaks a line into lines of at most w columns, at spaces and beside wide
// characters. Lines after the first are indented.
func wrap(s string, w int, indent string) []string {
	var out []string
	at := ""
	for i, word := range strings.Fields(s) {
		space := " "
		if i == 0 {
			space = ""
		}
		for _, piece := range pieces(word) {
			if at != "" && width(at)+len(space)+width(piece) > w {
				out = append(out, at)
				at, space = indent, ""
			}
			at += space + piece
			space = ""
		}
	}
	return append(out, at)
}

// Wide punctuation that may not begin or may not end a line.
const (
	closing = "，。、；：？！）」』】》…％"
	opening = "（「『【《"
)

// pieces splits a word where a line may break: beside a wide character, such as
// a Chinese one, but not before closing or after opening punctuation.
func pieces(word string) []string {
	var out []string
	start, last := 0, rune(0)
	for i, r := range word {
		wide := text.RuneWidth(r) > 1 || text.RuneWidth(last) > 1
		if i > 0 && wide && !strings.ContainsRune(closing, r) && !strings.ContainsRune(opening, last) {
			out = append(out, word[start:i])
			start = i
		}
		last = r
	}
	return append(out, word[start:])
}

// Columns is the number of columns that a line takes on a terminal.
func Columns(s string) int { return width(s) }
