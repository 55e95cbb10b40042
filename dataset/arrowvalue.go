package dataset

import (
	"errors"
	"math/big"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// arrowReader makes nodes of the values of a row. It panics on values that lie outside of
// their columns.
type arrowReader struct {
	rowMaker
	stream *arrowStream
}

// row reads a row of a batch.
func (m *arrowReader) row(batch arrow.RecordBatch, i int) ([]*node, error) {
	out := make([]*node, batch.NumCols())
	for k, c := range batch.Columns() {
		of := batch.Schema().Field(k)
		value, err := m.value(&of, c, i)
		if err != nil {
			return nil, err
		}
		out[k] = value
	}
	m.file.values += int64(len(out))
	return out, nil
}

// value reads a value of a column that of describes.
func (m *arrowReader) value(of *arrow.Field, a arrow.Array, i int) (*node, error) {
	if a.IsNull(i) {
		return &node{line: m.line}, nil
	}
	switch a := a.(type) {
	case *array.Struct:
		n := &node{kind: object, line: m.line}
		for k, f := range a.DataType().(*arrow.StructType).Fields() {
			value, err := m.value(&f, a.Field(k), i)
			if err != nil {
				return nil, err
			}
			n.fields = append(n.fields, field{f.Name, value})
		}
		return n, nil
	case *array.Map:
		return m.pairs(a, i)
	case array.ListLike:
		return m.list(of, a, i)
	case *array.Dictionary:
		return m.value(of, a.Dictionary(), a.GetValueIndex(i))
	case array.ExtensionArray:
		return m.value(of, a.Storage(), i)
	}
	return m.count(m.leaf(of, a, i))
}

// list reads a list.
func (m *arrowReader) list(of *arrow.Field, a array.ListLike, i int) (*node, error) {
	start, end, err := m.within(a, i)
	if err != nil {
		return nil, err
	}
	n := &node{kind: list, line: m.line, items: make([]*node, 0, end-start)}
	inner := arrow.Field{Name: of.Name, Type: a.ListValues().DataType()}
	if t, ok := a.DataType().(arrow.ListLikeType); ok {
		inner.Metadata = t.ElemField().Metadata
	}
	for k := start; k < end; k++ {
		item, err := m.value(&inner, a.ListValues(), k)
		if err != nil {
			return nil, err
		}
		n.items = append(n.items, item)
	}
	return n, nil
}

// pairs reads a map: an object if its keys are texts or numbers, or else a list of pairs.
func (m *arrowReader) pairs(a *array.Map, i int) (*node, error) {
	start, end, err := m.within(a, i)
	if err != nil {
		return nil, err
	}
	t := a.DataType().(*arrow.MapType)
	key, item := t.KeyField(), t.ItemField()
	out, all := &node{kind: object, line: m.line}, &node{kind: list, line: m.line}
	isObject := true
	for k := start; k < end; k++ {
		name, err := m.value(&key, a.Keys(), k)
		if err != nil {
			return nil, err
		}
		value, err := m.value(&item, a.Items(), k)
		if err != nil {
			return nil, err
		}
		isObject = isObject && (name.kind == str || name.kind == number)
		out.fields = append(out.fields, field{name.text, value})
		all.items = append(all.items, &node{kind: object, line: m.line, fields: []field{{key.Name, name}, {item.Name, value}}})
	}
	if !isObject {
		return all, nil
	}
	return out, nil
}

// within returns the entries of a list. A few bytes may stand for any number of them: the
// lists of several rows may be the same entries, and entries that are all null take no
// space. Entries that are not null take a bit at least.
func (m *arrowReader) within(a array.ListLike, i int) (start, end int, err error) {
	from, to := a.ValueOffsets(i)
	if from < 0 || to < from || to > int64(a.ListValues().Len()) {
		return 0, 0, errDamaged
	}
	const some = 1 << 20
	if m.stream.items += to - from; m.stream.items > some+8*m.stream.guard.bytes {
		return 0, 0, errors.New("lists have more entries than the file has bits")
	}
	m.file.values += to - from
	return int(from), int(to), nil
}

// leaf reads a value that holds no others. One that cannot be kept is absent, and told.
func (m *arrowReader) leaf(f *arrow.Field, a arrow.Array, i int) *node {
	n := &node{line: m.line}
	// signed and unsigned read a number that stands for something else.
	signed := func(v int64, as valueKind) *node {
		as.integer(n, v, 0)
		return n
	}
	unsigned := func(v uint64) *node {
		(&valueKind{meaning: unsignedValue, unit: time.Second}).integer(n, 0, v)
		return n
	}
	dec := func(v *big.Int) *node {
		n.kind, n.text = number, decimal(v, int64(a.DataType().(arrow.DecimalType).GetScale()))
		return n
	}
	plain := valueKind{unit: time.Second}
	switch a := a.(type) {
	case *array.Null:
		return n
	case *array.Boolean:
		n.kind, n.yes = boolean, a.Value(i)
		return n
	case *array.Int8:
		return signed(int64(a.Value(i)), plain)
	case *array.Int16:
		return signed(int64(a.Value(i)), plain)
	case *array.Int32:
		return signed(int64(a.Value(i)), plain)
	case *array.Int64:
		return signed(a.Value(i), plain)
	case *array.Duration:
		return signed(int64(a.Value(i)), plain)
	case *array.Uint8:
		return unsigned(uint64(a.Value(i)))
	case *array.Uint16:
		return unsigned(uint64(a.Value(i)))
	case *array.Uint32:
		return unsigned(uint64(a.Value(i)))
	case *array.Uint64:
		return unsigned(a.Value(i))
	case *array.Float16:
		return m.float(f.Name, float64(a.Value(i).Float32()), 32)
	case *array.Float32:
		return m.float(f.Name, float64(a.Value(i)), 32)
	case *array.Float64:
		return m.float(f.Name, a.Value(i), 64)
	case *array.Decimal32:
		return dec(big.NewInt(int64(a.Value(i))))
	case *array.Decimal64:
		return dec(big.NewInt(int64(a.Value(i))))
	case *array.Decimal128:
		return dec(a.Value(i).BigInt())
	case *array.Decimal256:
		return dec(a.Value(i).BigInt())
	case *array.Date32:
		return signed(int64(a.Value(i)), valueKind{meaning: dateValue, unit: time.Second})
	case *array.Date64:
		const perDay = int64(24 * time.Hour / time.Millisecond)
		return signed(int64(a.Value(i))/perDay, valueKind{meaning: dateValue, unit: time.Second})
	case *array.Time32:
		return signed(int64(a.Value(i)), valueKind{meaning: timeValue, unit: unitOf(a)})
	case *array.Time64:
		return signed(int64(a.Value(i)), valueKind{meaning: timeValue, unit: unitOf(a)})
	case *array.Timestamp:
		return signed(int64(a.Value(i)), valueKind{meaning: momentValue, unit: unitOf(a)})
	case array.StringLike:
		return m.raw(f.Name, &plain, []byte(a.Value(i)))
	case *array.Binary:
		return m.raw(f.Name, &plain, a.Value(i))
	case *array.LargeBinary:
		return m.raw(f.Name, &plain, a.Value(i))
	case *array.BinaryView:
		return m.raw(f.Name, &plain, a.Value(i))
	case *array.FixedSizeBinary:
		if name, ok := f.Metadata.GetValue("ARROW:extension:name"); ok && name == "arrow.uuid" {
			plain.meaning = uuidValue
		}
		return m.raw(f.Name, &plain, a.Value(i))
	}
	return m.lost(f.Name, "values of type "+a.DataType().Name())
}

// unitOf returns the unit of the times in a column.
func unitOf(a arrow.Array) time.Duration {
	return a.DataType().(arrow.TemporalWithUnit).TimeUnit().Multiplier()
}
