package dataset

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

// parquetFile is the source of the rows of a Parquet file.
type parquetFile struct {
	root *rowColumn
	file *parquet.File
	// rows are those of each row group, as declared.
	rows []int64
}

// isParquet reports whether a file begins as a Parquet file does.
func isParquet(magic []byte) bool {
	return len(magic) >= 4 && (string(magic[:4]) == "PAR1" || string(magic[:4]) == "PARE")
}

// openParquet opens a Parquet file. It checks the sizes of all that is in it.
func openParquet(r io.ReaderAt, size int64, name string, o Options) (_ *rowFile, err error) {
	p := &parquetFile{}
	bad := func(err error) error { return damagedRows(name, 0, err) }
	meta, err := parquetFooter(r, size)
	if err != nil {
		return nil, bad(err)
	}
	if p.root, err = rowSchema(meta.list(fileSchema)); err != nil {
		return nil, bad(err)
	}
	if err := guardParquet(r, size, meta, p.root, o.Limits, name); err != nil {
		return nil, bad(err)
	}
	for _, g := range meta.list(fileRowGroups) {
		p.rows = append(p.rows, g.number(groupRows))
	}
	err = guarded(func() (err error) {
		p.file, err = parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
		return err
	})
	if err != nil {
		return nil, bad(err)
	}
	var names []string
	for _, c := range p.root.children {
		names = append(names, c.name)
	}
	f := newRows(name, names, p, o)
	f.most = max(leastText, textPerByte*size)
	return f, nil
}

// each calls fn with the values of every row, in the order of the columns.
func (p *parquetFile) each(f *rowFile, l *loader, fn func([]*node, *rowMaker) error) error {
	index := 0
	for i, group := range p.file.RowGroups() {
		rows := group.Rows()
		err := p.group(f, l, rows, &index, p.rows[i], fn)
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
func (p *parquetFile) group(f *rowFile, l *loader, rows parquet.Rows, index *int, want int64, fn func([]*node, *rowMaker) error) error {
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
			a := &rowReader{rowMaker{file: f, l: l, line: *index + 1}, make([][]parquet.Value, p.root.leaves)}
			one, err := a.row(p.root, row)
			if err != nil {
				return damaged(err)
			}
			if err := fn(one, &a.rowMaker); err != nil {
				return err
			}
			*index, got = *index+1, got+1
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

// row reads the columns of a row.
func (a *rowReader) row(root *rowColumn, row parquet.Row) ([]*node, error) {
	for _, v := range row {
		c := v.Column()
		if c < 0 || c >= len(a.values) {
			return nil, errDamaged
		}
		a.values[c] = append(a.values[c], v)
	}
	a.file.values += int64(len(row))
	out := make([]*node, len(root.children))
	for i, c := range root.children {
		value, err := a.read(c, 0, 0)
		if err != nil {
			return nil, err
		}
		out[i] = value
	}
	for _, rest := range a.values {
		if len(rest) > 0 {
			return nil, errDamaged
		}
	}
	return out, nil
}
