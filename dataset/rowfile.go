package dataset

import (
	"errors"
	"fmt"
	"slices"
)

// A rowFile is a Parquet file: rows of values with types. Each row
// becomes an object, so that formats read it like a record of JSON. The line of a value
// is the number of its row in its file, from 1.
type rowFile struct {
	name string
	// names are those of the columns in the file, columns those of the fields that
	// options map them to.
	names, columns []string
	limits         Limits
	// bytes and values count what was read.
	bytes, values int64
	// most bounds bytes by the size of the file; 0 for a file that repeats nothing.
	most   int64
	source *parquetFile
}

// newRows makes a file of its columns.
func newRows(name string, columns []string, source *parquetFile, o Options) *rowFile {
	f := &rowFile{name: name, names: columns, columns: slices.Clone(columns), limits: o.Limits, source: source}
	for field, column := range o.Columns {
		f.rename(field, column)
	}
	return f
}

// damagedRows says that a file of rows cannot be read. The line is 0 if it is not known.
func damagedRows(name string, line int, err error) error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{File: name, Line: line, Index: -1, Problem: "Parquet: " + err.Error(), Want: "a whole file that another tool can read"}
}

// errDamaged is a problem of a file that has no better words.
var errDamaged = errors.New("the file is damaged")

// guarded calls a library that panics on some damaged files.
func guarded(fn func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the file is damaged: %v", r)
		}
	}()
	return fn()
}

// rename gives the column that is mapped to a field the name of the field.
func (f *rowFile) rename(field, column string) {
	for i, name := range f.names {
		switch {
		case columnName(name) == columnName(column):
			f.columns[i] = field
		case name == field:
			// Another column is mapped to this field.
			f.columns[i] = field + " (column)"
		}
	}
}

// checkMap returns an error if a column that is mapped to a field does not exist.
func (f *rowFile) checkMap(chosen map[string]string) error {
	for _, field := range sortedKeys(chosen) {
		column := chosen[field]
		if !slices.Contains(f.columns, field) {
			return &Error{File: f.name, Index: -1, Field: field, Problem: fmt.Sprintf("no column %q%s", column, suggest(column, f.names)),
				Want: "one of " + quoted(f.names)}
		}
	}
	return nil
}

// each calls fn with every row and its index.
func (f *rowFile) each(l *loader, fn func(*node, int) error) error {
	if err := f.checkMap(l.opts.Columns); err != nil {
		return err
	}
	index := 0
	return f.source.each(f, l, func(values []*node, m *rowMaker) error {
		n := &node{kind: object, line: m.line, fields: make([]field, len(values))}
		for i, v := range values {
			n.fields[i] = field{f.columns[i], v}
		}
		if err := f.limits.exceeded(f.bytes, f.values, l.src.name); err != nil {
			return err
		}
		index++
		return fn(n, index-1)
	})
}
