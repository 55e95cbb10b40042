package dataset

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/parquet-go/parquet-go"

	"github.com/assay-eval/assay"
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

// A rowColumn is a column of a Parquet file, or a part of one.
type rowColumn struct {
	name               string
	optional, repeated bool
	// isList and isMap are set for a group that stands for a list or a map.
	isList, isMap bool
	meaning       meaning
	// scale is that of a decimal, unit that of a time.
	scale    int64
	unit     time.Duration
	children []*rowColumn
	// first is the index of the first leaf, leaves their number.
	first, leaves int
}

// meaning is what a value stands for, where its type does not tell.
type meaning uint8

const (
	plainValue meaning = iota
	unsignedValue
	decimalValue
	dateValue
	timeValue
	momentValue
	uuidValue
	halfValue
)

// Fields of an element of the schema.
const (
	schemaRepetition = 3
	schemaName       = 4
	schemaChildren   = 5
	schemaConverted  = 6
	schemaScale      = 7
	schemaLogical    = 10
)

// rowSchema builds the tree of columns from a list of its elements, parents first.
func rowSchema(elements []thriftStruct) (*rowColumn, error) {
	if len(elements) == 0 {
		return nil, errParquet
	}
	if len(elements) > maxColumns {
		return nil, fmt.Errorf("more than %d columns", maxColumns)
	}
	leaves := 0
	var build func(depth int) (*rowColumn, error)
	build = func(depth int) (*rowColumn, error) {
		if len(elements) == 0 || depth > maxDepth {
			return nil, errParquet
		}
		e := elements[0]
		elements = elements[1:]
		c := &rowColumn{name: e.text(schemaName), first: leaves}
		c.optional, c.repeated = e.number(schemaRepetition) == 1, e.number(schemaRepetition) == 2
		c.describe(e)
		n := e.number(schemaChildren)
		if n < 0 || n > int64(len(elements)) {
			return nil, errParquet
		}
		for range n {
			child, err := build(depth + 1)
			if err != nil {
				return nil, err
			}
			c.children = append(c.children, child)
		}
		if n == 0 {
			leaves++
		}
		c.leaves = leaves - c.first
		return c, nil
	}
	root, err := build(0)
	if err != nil {
		return nil, err
	}
	if len(elements) > 0 || len(root.children) == 0 {
		return nil, errParquet
	}
	return root, nil
}

// describe reads what the values of a column mean, from the older of two
// descriptions and then from the newer one.
func (c *rowColumn) describe(e thriftStruct) {
	c.unit, c.scale = time.Millisecond, e.number(schemaScale)
	if f := e.field(schemaConverted); f != nil {
		switch f.number {
		case 1, 2:
			c.isMap = true
		case 3:
			c.isList = true
		case 5:
			c.meaning = decimalValue
		case 6:
			c.meaning = dateValue
		case 7:
			c.meaning = timeValue
		case 8:
			c.meaning, c.unit = timeValue, time.Microsecond
		case 9:
			c.meaning = momentValue
		case 10:
			c.meaning, c.unit = momentValue, time.Microsecond
		case 11, 12, 13, 14:
			c.meaning = unsignedValue
		}
	}
	logical, _ := e.inner(schemaLogical)
	if len(logical) != 1 || !logical[0].isStruct {
		return
	}
	inner := logical[0].inner[0]
	unit := func() time.Duration {
		u, _ := inner.inner(2)
		for i, d := range []time.Duration{time.Millisecond, time.Microsecond, time.Nanosecond} {
			if _, ok := u.inner(int16(i + 1)); ok {
				return d
			}
		}
		return time.Millisecond
	}
	switch logical[0].id {
	case 2:
		c.isMap = true
	case 3:
		c.isList = true
	case 5:
		c.meaning, c.scale = decimalValue, inner.number(1)
	case 6:
		c.meaning = dateValue
	case 7:
		c.meaning, c.unit = timeValue, unit()
	case 8:
		c.meaning, c.unit = momentValue, unit()
	case 10:
		if f := inner.field(2); f != nil && f.number == 0 {
			c.meaning = unsignedValue
		}
	case 14:
		c.meaning = uuidValue
	case 15:
		c.meaning = halfValue
	}
}

// rowReader assembles a row from the values of its leaves, of which each tells how
// many of the optional and repeated levels above it are there (its definition level)
// and which list it continues (its repetition level).
type rowReader struct {
	file   *rowFile
	l      *loader
	line   int
	values [][]parquet.Value
	// bytes counts the text of the row.
	bytes int
}

// next returns the value that the first leaf of a column is at.
func (a *rowReader) next(c *rowColumn) (parquet.Value, bool) {
	if rest := a.values[c.first]; len(rest) > 0 {
		return rest[0], true
	}
	return parquet.Value{}, false
}

// skip passes over one value of every leaf, which says that nothing is there.
func (a *rowReader) skip(c *rowColumn) error {
	for i := c.first; i < c.first+c.leaves; i++ {
		if len(a.values[i]) == 0 {
			return errParquet
		}
		a.values[i] = a.values[i][1:]
	}
	return nil
}

// read reads a column below rep repeated and def optional or repeated levels.
func (a *rowReader) read(c *rowColumn, rep, def int) (*node, error) {
	if !c.optional && !c.repeated {
		return a.content(c, rep, def)
	}
	def++
	v, ok := a.next(c)
	if !ok {
		return nil, errParquet
	}
	there := v.DefinitionLevel() >= def
	if c.optional {
		if !there {
			return &node{line: a.line}, a.skip(c)
		}
		return a.content(c, rep, def)
	}
	rep++
	n := &node{kind: list, line: a.line}
	if !there {
		return n, a.skip(c)
	}
	for {
		item, err := a.content(c, rep, def)
		if err != nil {
			return nil, err
		}
		n.items = append(n.items, item)
		if v, ok := a.next(c); !ok || v.RepetitionLevel() != rep {
			return n, nil
		}
	}
}

// content reads a column that is there.
func (a *rowReader) content(c *rowColumn, rep, def int) (*node, error) {
	if len(c.children) == 0 {
		v, ok := a.next(c)
		if !ok {
			return nil, errParquet
		}
		a.values[c.first] = a.values[c.first][1:]
		n := a.leaf(c, v)
		if a.bytes > maxLine {
			return nil, fmt.Errorf("the row is longer than %d MB", maxLine>>20)
		}
		return n, nil
	}
	n := &node{kind: object, line: a.line}
	for _, child := range c.children {
		value, err := a.read(child, rep, def)
		if err != nil {
			return nil, err
		}
		n.fields = append(n.fields, field{child.name, value})
	}
	if len(c.children) != 1 || !c.children[0].repeated {
		return n, nil
	}
	// A list is a group of a repeated group of the element; older writers leave the
	// inner group out, unless the element is one.
	only := c.children[0]
	items := n.fields[0].value
	switch {
	case c.isList && len(only.children) == 1 && only.name != "array" && only.name != c.name+"_tuple":
		for i, item := range items.items {
			items.items[i] = item.fields[0].value
		}
		return items, nil
	case c.isList:
		return items, nil
	case c.isMap && len(only.children) == 2:
		n.fields = nil
		for _, item := range items.items {
			key := item.fields[0].value
			if key.kind != str && key.kind != number {
				return items, nil
			}
			n.fields = append(n.fields, field{key.text, item.fields[1].value})
		}
	}
	return n, nil
}

// leaf reads a value. One that cannot be kept is absent, and told.
func (a *rowReader) leaf(c *rowColumn, v parquet.Value) *node {
	n := &node{line: a.line}
	if v.IsNull() {
		return n
	}
	lost := func(what string) *node {
		a.l.warn(assay.Origin{File: a.file.name, Line: a.line}, c.name, what+": taken as absent")
		return n
	}
	switch v.Kind() {
	case parquet.Boolean:
		n.kind, n.yes = boolean, v.Boolean()
	case parquet.Int32:
		c.integer(n, int64(v.Int32()), uint64(uint32(v.Int32())))
	case parquet.Int64:
		c.integer(n, v.Int64(), uint64(v.Int64()))
	case parquet.Int96:
		// Nanoseconds of the day, and the Julian day.
		raw := v.Int96()
		nanos := int64(uint64(raw[1])<<32 | uint64(raw[0]))
		const epoch = 2440588
		n.kind, n.text = str, time.Unix((int64(raw[2])-epoch)*86400, nanos).UTC().Format(time.RFC3339Nano)
	case parquet.Float:
		return floatNode(n, float64(v.Float()), 32, lost)
	case parquet.Double:
		return floatNode(n, v.Double(), 64, lost)
	default:
		b := v.ByteArray()
		switch {
		case c.meaning == decimalValue:
			n.kind, n.text = number, decimal(bigInt(b), c.scale)
		case c.meaning == uuidValue && len(b) == 16:
			n.kind, n.text = str, uuid.UUID(b).String()
		case c.meaning == halfValue && len(b) == 2:
			return floatNode(n, half(uint16(b[0])|uint16(b[1])<<8), 32, lost)
		case !utf8.Valid(b):
			return lost("bytes that are not text")
		default:
			n.kind, n.text = str, string(b)
		}
	}
	a.bytes += len(n.text)
	a.file.bytes += int64(len(n.text))
	return n
}

// integer reads a whole number, which may stand for something else.
func (c *rowColumn) integer(n *node, v int64, unsigned uint64) {
	n.kind = str
	perSecond := int64(time.Second / c.unit)
	switch c.meaning {
	case dateValue:
		n.text = time.Unix(v*86400, 0).UTC().Format(time.DateOnly)
	case momentValue:
		n.text = time.Unix(v/perSecond, v%perSecond*int64(c.unit)).UTC().Format(time.RFC3339Nano)
	case timeValue:
		n.text = time.Unix(v/perSecond, v%perSecond*int64(c.unit)).UTC().Format("15:04:05.999999999")
	case decimalValue:
		n.kind, n.text = number, decimal(big.NewInt(v), c.scale)
	case unsignedValue:
		n.kind, n.text = number, strconv.FormatUint(unsigned, 10)
	default:
		n.kind, n.text = number, strconv.FormatInt(v, 10)
	}
}

// floatNode reads a number. NaN is how data frames write that there is none.
func floatNode(n *node, v float64, bits int, lost func(string) *node) *node {
	switch {
	case math.IsNaN(v):
	case math.IsInf(v, 0):
		return lost("an infinite number")
	default:
		n.kind, n.text = number, strconv.FormatFloat(v, 'g', -1, bits)
	}
	return n
}

// bigInt reads a number in two's complement, the first byte the highest.
func bigInt(b []byte) *big.Int {
	v := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0] >= 0x80 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return v
}

// decimal writes v/10^scale.
func decimal(v *big.Int, scale int64) string {
	digits := new(big.Int).Abs(v).String()
	// No writer has more than 76 digits.
	if scale = min(max(scale, 0), 100); scale > 0 {
		if missing := int(scale) + 1 - len(digits); missing > 0 {
			digits = strings.Repeat("0", missing) + digits
		}
		at := len(digits) - int(scale)
		digits = digits[:at] + "." + digits[at:]
	}
	if v.Sign() < 0 {
		return "-" + digits
	}
	return digits
}

// half reads a number of 16 bits.
func half(b uint16) float64 {
	sign, exponent, fraction := 1.0, int(b>>10&0x1f), float64(b&0x3ff)
	if b&0x8000 != 0 {
		sign = -1
	}
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		if fraction != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}
