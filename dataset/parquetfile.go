package dataset

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
)

// A rowFile is a Parquet file: rows of values with types, of which each becomes an
// object, so that formats read it like a record of JSON. The line of a value is the
// number of its row, from 1.
type rowFile struct {
	name string
	root *rowColumn
	// columns are the names of the columns, as options map them to fields.
	columns []string
	file    *parquet.File
	// rows are those of each row group, as declared.
	rows   []int64
	limits Limits
	// bytes and values count what was read.
	bytes, values int64
}

// isRows reports whether a file begins as a Parquet file does.
func isRows(magic []byte) bool { return string(magic) == "PAR1" || string(magic) == "PARE" }

const wholeParquet = "a whole file that another tool can read"

// openRows opens a Parquet file. It checks the sizes of all that is in it.
func openRows(r io.ReaderAt, size int64, name string, o Options) (_ *rowFile, err error) {
	bad := func(err error) error {
		var e *Error
		if errors.As(err, &e) {
			return e
		}
		return &Error{File: name, Index: -1, Problem: "Parquet: " + err.Error(), Want: wholeParquet}
	}
	meta, err := parquetFooter(r, size)
	if err != nil {
		return nil, bad(err)
	}
	f := &rowFile{name: name, limits: o.Limits}
	if f.root, err = rowSchema(meta.list(fileSchema)); err != nil {
		return nil, bad(err)
	}
	if err := guardParquet(r, size, meta, f.root, o.Limits, name); err != nil {
		return nil, bad(err)
	}
	for _, g := range meta.list(fileRowGroups) {
		f.rows = append(f.rows, g.number(groupRows))
	}
	err = guarded(func() (err error) {
		f.file, err = parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
		return err
	})
	if err != nil {
		return nil, bad(err)
	}
	for _, c := range f.root.children {
		f.columns = append(f.columns, c.name)
	}
	for field, column := range o.Columns {
		f.rename(field, column)
	}
	return f, nil
}

// guarded calls the library, which panics on some damaged files.
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
	for i, c := range f.root.children {
		switch {
		case columnName(c.name) == columnName(column):
			f.columns[i] = field
		case c.name == field:
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
			names := f.names()
			return &Error{File: f.name, Index: -1, Field: field, Problem: fmt.Sprintf("no column %q%s", column, suggest(column, names)),
				Want: "one of " + quoted(names)}
		}
	}
	return nil
}

// names are the names of the columns in the file.
func (f *rowFile) names() []string {
	var out []string
	for _, c := range f.root.children {
		out = append(out, c.name)
	}
	return out
}

// each calls fn with every row and its index.
func (f *rowFile) each(l *loader, fn func(*node, int) error) error {
	if err := f.checkMap(l.opts.Columns); err != nil {
		return err
	}
	index := 0
	for i, group := range f.file.RowGroups() {
		rows := group.Rows()
		err := f.group(l, rows, &index, f.rows[i], fn)
		if closeErr := guarded(rows.Close); err == nil && closeErr != nil {
			err = f.damaged(index, closeErr)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *rowFile) damaged(index int, err error) error {
	return &Error{File: f.name, Line: index + 1, Index: -1, Problem: "Parquet: " + err.Error(), Want: wholeParquet}
}

// group reads the rows of a row group.
func (f *rowFile) group(l *loader, rows parquet.Rows, index *int, want int64, fn func(*node, int) error) error {
	// A row of the batch is valid until the next batch.
	batch := make([]parquet.Row, 64)
	for got := int64(0); ; {
		n := 0
		var end error
		err := guarded(func() error {
			n, end = rows.ReadRows(batch)
			return nil
		})
		if err != nil {
			return f.damaged(*index, err)
		}
		for _, row := range batch[:n] {
			one, err := f.row(l, row, *index)
			if err != nil {
				var e *Error
				if errors.As(err, &e) {
					return e
				}
				return f.damaged(*index, err)
			}
			if err := fn(one, *index); err != nil {
				return err
			}
			*index, got = *index+1, got+1
		}
		switch {
		case errors.Is(end, io.EOF) && got != want:
			return f.damaged(*index, fmt.Errorf("%d rows in a group of %d", got, want))
		case errors.Is(end, io.EOF):
			return nil
		case end != nil:
			return f.damaged(*index, end)
		case n == 0:
			return f.damaged(*index, errParquet)
		}
	}
}

// row makes an object of the values of a row.
func (f *rowFile) row(l *loader, row parquet.Row, index int) (*node, error) {
	a := &rowReader{file: f, l: l, line: index + 1, values: make([][]parquet.Value, f.root.leaves)}
	for _, v := range row {
		c := v.Column()
		if c < 0 || c >= len(a.values) {
			return nil, errParquet
		}
		a.values[c] = append(a.values[c], v)
	}
	f.values += int64(len(row))
	n := &node{kind: object, line: a.line}
	for i, c := range f.root.children {
		value, err := a.read(c, 0, 0)
		if err != nil {
			return nil, err
		}
		n.fields = append(n.fields, field{f.columns[i], value})
	}
	for _, rest := range a.values {
		if len(rest) > 0 {
			return nil, errParquet
		}
	}
	return n, f.limits.exceeded(f.bytes, f.values, f.name)
}
