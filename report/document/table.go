package document

import "github.com/assay-eval/assay/report/draw"

// A Table has columns of words and of numbers.
type Table struct {
	// ID names the table in style sheets, Name says what it holds to those who
	// do not see it; a table with a name may be wider than the page.
	ID, Name string
	Columns  []Column
	Rows     []Row
	// Foot is a last row, for pages.
	Foot []Cell
	// Steps make the table narrower where there is no room, one after the
	// other; NameMost bounds the first column on a terminal.
	Steps    []Step
	NameMost int
	// Even fills the cells of each column up to one width, for readers of the
	// plain text.
	Even bool
	// Most bounds the rows at a glance; Omitted says what was left out.
	Most    int
	Omitted func(rows, columns int) string
	// Cut lets rows that are too wide be cut.
	Cut   bool
	Views View
}

// A Column is one of a [Table].
type Column struct {
	ID   string
	Head string
	// Short heads the column on a terminal, and names its cells where a page
	// has no room for the head.
	Short string
	// Words are aligned to the left, numbers to the right.
	Words bool
	// Plot and PlotLeast are the widest and the narrowest that plots are on a
	// terminal; 0 is no plot.
	Plot, PlotLeast int
	// Most bounds the cells on a terminal, in columns; 0 does not.
	Most int
	// Role is what a page's style sheet calls the cells.
	Role string
	// Code is set when the head is read letter by letter.
	Code bool
	// Group names the group that the column is in, such as a run.
	Group string
	Views View
}

// A Step makes a table narrower: columns are left out, one column is put below
// another, the first column is cut down to so many places.
type Step struct {
	Drop  []string
	Stack [][2]string // the second below the first
	Name  int
}

// Rank says what a row is.
type Rank uint8

// The ranks of rows: one of many, the first of a group, the beginning or end of
// what the others are parts of, and the whole of them.
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
	Views View
}

// A Cell holds a text and what belongs to it.
type Cell struct {
	Text Text
	// Below stands under the text, where a page or a text has room.
	Below string
	Plot  draw.Plot
	// Cases are ids; a format shows as many as there is room for.
	Cases []string
	Mark  Mark
	// Order is what a page sorts the cell by; nil comes last.
	Order *float64
	// Shade is a class of colour.
	Shade string
	// Fold is shown when it is asked for, under a title; without a title it is
	// always shown.
	Fold      []string
	FoldTitle string
	// Remarks limit what the cell says.
	Remarks []Remark
	// Span is how many rows the cell takes; Joined is set in those below.
	Span   int
	Joined bool
}

// Cells makes cells of plain text.
func Cells(texts ...string) []Cell {
	out := make([]Cell, len(texts))
	for i, t := range texts {
		out[i] = Cell{Text: T(t)}
	}
	return out
}

// in gives the table as one view shows it.
func (t Table) in(v View) Table {
	var keep []int
	var columns []Column
	for i, c := range t.Columns {
		if c.Views.In(v) {
			keep, columns = append(keep, i), append(columns, c)
		}
	}
	var rows []Row
	for _, r := range t.Rows {
		if !r.Views.In(v) {
			continue
		}
		cells := make([]Cell, len(keep))
		for i, k := range keep {
			cells[i] = r.Cells[k]
		}
		r.Cells = cells
		rows = append(rows, r)
	}
	if t.Foot != nil {
		foot := make([]Cell, len(keep))
		for i, k := range keep {
			foot[i] = t.Foot[k]
		}
		t.Foot = foot
	}
	t.Columns, t.Rows = columns, rows
	return t
}

// Remarks gathers what limits the cells of a row.
func (r Row) Remarks() []Remark {
	var out []Remark
	for _, c := range r.Cells {
		out = append(out, c.Remarks...)
	}
	return out
}

// Remarked reports whether any row has a remark.
func (t Table) Remarked() bool {
	for _, r := range t.Rows {
		if r.Remarks() != nil {
			return true
		}
	}
	return false
}

// Grouped reports whether columns stand in groups.
func (t Table) Grouped() bool {
	for _, c := range t.Columns {
		if c.Group != "" {
			return true
		}
	}
	return false
}
