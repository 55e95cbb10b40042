package document

import (
	"slices"
	"strconv"

	"github.com/assay-eval/assay/report/draw"
)

// A Table has columns of words and of numbers.
type Table struct {
	// ID is the table's class in style sheets. Name describes it to screen readers;
	// a table with a name may be wider than the page.
	ID, Name string
	Columns  []Column
	Rows     []Row
	// Foot is a last row that only pages show.
	Foot []Cell
	// Steps make the table narrower, one after the other, until it fits. NameMost
	// bounds the first column on a terminal.
	Steps    []Step
	NameMost int
	// Most bounds the rows on a terminal; Omitted says what was left out.
	Most    int
	Omitted func(rows, columns int) string
	// Cut allows cutting rows that are too wide.
	Cut bool
	Views
}

// A Column is one of a [Table].
type Column struct {
	ID   string
	Head string
	// Short is the heading on a terminal, and the name of the cells on a narrow
	// page.
	Short string
	// Words are aligned to the left, numbers to the right.
	Words bool
	// Plot and PlotLeast are the greatest and the least width of plots on a
	// terminal; 0 for no plot.
	Plot, PlotLeast int
	// Most bounds the width of the cells on a terminal; 0 for no bound.
	Most int
	// Role is the class of the cells in style sheets.
	Role string
	// Code is set if the heading is code, such as the name of a metric.
	Code bool
	// Group is the group of the column, such as a run.
	Group string
	// Metric is the metric of the column in a [Lookup] that shows one at a time.
	Metric string
	// Folded is set if a [Lookup] shows the column only when it is opened.
	Folded bool
	Views  Views
}

// A Step makes a table narrower: it drops columns, stacks one column below
// another, or cuts the first column to Name characters.
type Step struct {
	Drop  []string
	Stack [][2]string // the second below the first
	Name  int
}

// Rank is the role of a row.
type Rank uint8

// The ranks of rows: an ordinary row, the first row of a group, the first or last
// step of a sequence, and the total.
const (
	Part Rank = iota
	First
	End
	Whole
)

// A Row has a cell for every column.
type Row struct {
	Rank  Rank
	Cells []Cell
}

// A Cell holds a text and its additions.
type Cell struct {
	Text Text
	// Below is put under the text if there is room.
	Below string
	Plot  draw.Plot
	// Cases are ids; a format shows as many as fit.
	Cases []string
	// Query is the filter that selects the cases that the cell counts; "" if it counts none.
	Query string
	Mark  Mark
	// Order is the value by which a page sorts; nil comes last.
	Order *float64
	// Shade is a class of colour.
	Shade string
	// Fold is shown when FoldTitle is opened; without a title it is always shown.
	Fold      []string
	FoldTitle string
	// Remarks are caveats about the cell.
	Remarks []Remark
	// Span is how many rows the cell takes; Joined is set in those below.
	Span   int
	Joined bool
}

// Cells returns a cell for each value: a text, a number, a plot, or a cell itself.
func Cells(values ...any) []Cell {
	out := make([]Cell, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case string:
			out[i].Text = T(v)
		case int:
			out[i].Text = T(strconv.Itoa(v))
		case Text:
			out[i].Text = v
		case Span:
			out[i].Text = Text{v}
		case draw.Plot:
			out[i].Plot = v
		default:
			out[i] = v.(Cell)
		}
	}
	return out
}

// Add adds a row of [Cells].
func (t *Table) Add(values ...any) { t.Rows = append(t.Rows, Row{Cells: Cells(values...)}) }

// only returns the table with some of its columns.
func (t Table) only(keep func(Column) bool) Table {
	of := func(cells []Cell) (kept []Cell) {
		for i, c := range t.Columns {
			if keep(c) {
				kept = append(kept, cells[i])
			}
		}
		return kept
	}
	out := t
	out.Columns, out.Rows = slices.DeleteFunc(slices.Clone(t.Columns), func(c Column) bool { return !keep(c) }), slices.Clone(t.Rows)
	for i := range out.Rows {
		out.Rows[i].Cells = of(out.Rows[i].Cells)
	}
	if t.Foot != nil {
		out.Foot = of(t.Foot)
	}
	return out
}

// Without returns the table without a column.
func (t Table) Without(id string) Table {
	t = t.only(func(c Column) bool { return c.ID != id })
	t.Steps = slices.Clone(t.Steps)
	for i := range t.Steps {
		t.Steps[i].Stack = slices.DeleteFunc(slices.Clone(t.Steps[i].Stack), func(pair [2]string) bool { return pair[1] == id })
	}
	return t
}

// Filled returns the table without those of the columns that say nothing: each cell is empty or a dash.
func (t Table) Filled(ids ...string) Table {
	for _, id := range ids {
		k := slices.IndexFunc(t.Columns, func(c Column) bool { return c.ID == id })
		if !slices.ContainsFunc(t.Rows, func(r Row) bool { c := r.Cells[k]; return c.Text != nil && c.Text[0].Text != "–" || c.Below != "" }) {
			t = t.Without(id)
		}
	}
	return t
}

// Remarks returns the remarks of all cells.
func (r Row) Remarks() []Remark {
	var out []Remark
	for _, c := range r.Cells {
		out = append(out, c.Remarks...)
	}
	return out
}

// Grouped reports whether the columns form groups.
func (t Table) Grouped() bool {
	return slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Group != "" })
}
