package document

import "iter"

// A Lookup is a table of cases on a page. A script searches, filters, sorts and
// opens what is in it.
type Lookup struct {
	// Script names the asset that reads the choices.
	Script  string
	Words   LookupWords
	Choices []Choice
	Columns []Column
	// Agreement is the line that opens the folded columns; "" if there are none.
	Agreement string
	// Rows are built one at a time; Shown is their number.
	Rows  iter.Seq[LookupRow]
	Shown int
	// Holds reports whether a case is in the table; nil if all are.
	Holds func(id string) bool
	Views
}

// LookupWords are the labels of a [Lookup].
type LookupWords struct {
	// Form names the form; NoScript says what a page without scripts lacks.
	Form, Search, Hint, NoScript string
	PreviousPage, NextPage       string
	PreviousCase, NextCase       string
	Close, NoCase                string
	// All counts all cases. Some counts those that are found; "#" is their number.
	All, Some string
}

// A Choice is a field of the form that filters cases: a list of options, or a
// number if it has none.
type Choice struct {
	ID, Label string
	Options   []Option
}

// An Option is one of a [Choice].
type Option struct{ Value, Text string }

// A LookupRow is one case in the table.
type LookupRow struct {
	ID string
	// Is lists the values of the options that match the row.
	Is []string
	// Place is the position of the case in the dataset.
	Place int
	Cells []Cell
	Case  Case
}
