package dataset

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
)

// A parquetFile holds rows of values with types. Each row becomes an object, so that formats
// read it like a record of JSON. The line of a value is the number of its row, from 1.
type parquetFile struct {
	name string
	root *parquetColumn
	file *parquet.File
	// rows are those of each row group, as declared.
	rows []int64
	// names are those of the columns in the file, columns those of the fields that
	// options map them to.
	names, columns []string
	limits         Limits
	// bytes and values count what was read, and most bounds bytes by the size of the file.
	bytes, values, most int64
}

// isParquet reports whether a file begins as a Parquet file does.
func isParquet(magic []byte) bool {
	return len(magic) >= 4 && (string(magic[:4]) == "PAR1" || string(magic[:4]) == "PARE")
}

// openParquet opens a Parquet file. It checks the sizes of all that is in it.
func openParquet(r io.ReaderAt, size int64, name string, o Options) (_ *parquetFile, err error) {
	p := &parquetFile{name: name, limits: o.Limits, most: max(leastText, textPerByte*size)}
	bad := func(err error) error { return damagedRows(name, 0, err) }
	meta, err := parquetFooter(r, size)
	if err != nil {
		return nil, bad(err)
	}
	if p.root, err = rowSchema(meta.Schema); err != nil {
		return nil, bad(err)
	}
	if err := guardParquet(r, size, meta, p.root, o.Limits, name); err != nil {
		return nil, bad(err)
	}
	for _, g := range meta.RowGroups {
		p.rows = append(p.rows, g.NumRows)
	}
	err = guarded(func() (err error) {
		p.file, err = parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
		return err
	})
	if err != nil {
		return nil, bad(err)
	}
	for _, c := range p.root.children {
		p.names = append(p.names, c.name)
	}
	p.columns = slices.Clone(p.names)
	for field, column := range o.Columns {
		p.rename(field, column)
	}
	return p, nil
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
func (f *parquetFile) rename(field, column string) {
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
func (f *parquetFile) checkMap(chosen map[string]string) error {
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
func (f *parquetFile) each(l *loader, fn func(*node, int) error) error {
	if err := f.checkMap(l.opts.Columns); err != nil {
		return err
	}
	index := 0
	for i, group := range f.file.RowGroups() {
		rows := group.Rows()
		err := f.group(l, rows, &index, f.rows[i], fn)
		if closeErr := guarded(rows.Close); err == nil && closeErr != nil {
			err = damagedRows(l.src.name, index+1, closeErr)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// group reads the rows of a row group.
func (f *parquetFile) group(l *loader, rows parquet.Rows, index *int, want int64, fn func(*node, int) error) error {
	damaged := func(err error) error { return damagedRows(l.src.name, *index+1, err) }
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
			return damaged(err)
		}
		for _, row := range batch[:n] {
			a := &rowReader{file: f, l: l, line: *index + 1, values: make([][]parquet.Value, f.root.leaves)}
			one, err := a.row(row)
			if err != nil {
				return damaged(err)
			}
			if err := f.limits.exceeded(f.bytes, f.values, l.src.name); err != nil {
				return err
			}
			*index, got = *index+1, got+1
			if err := fn(one, *index-1); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(end, io.EOF) && got != want:
			return damaged(fmt.Errorf("%d rows in a group of %d", got, want))
		case errors.Is(end, io.EOF):
			return nil
		case end != nil:
			return damaged(end)
		case n == 0:
			return damaged(errDamaged)
		}
	}
}
