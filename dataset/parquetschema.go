package dataset

import (
	"cmp"
	"fmt"
	"time"

	"github.com/parquet-go/parquet-go/deprecated"
	pq "github.com/parquet-go/parquet-go/format"
)

// A parquetColumn is a column of a Parquet file, or a part of one.
type parquetColumn struct {
	name               string
	optional, repeated bool
	// isList and isMap are set for a group that stands for a list or a map.
	isList, isMap bool
	// meaning says what the values stand for where their type does not, scale is that of a
	// decimal, and unit that of a time.
	meaning  meaning
	scale    int64
	unit     time.Duration
	children []*parquetColumn
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

// rowSchema builds the tree of columns from a list of its elements, parents first.
func rowSchema(elements []pq.SchemaElement) (*parquetColumn, error) {
	if len(elements) == 0 {
		return nil, errDamaged
	}
	if len(elements) > maxColumns {
		return nil, fmt.Errorf("more than %d columns", maxColumns)
	}
	leaves := 0
	var build func(depth int) (*parquetColumn, error)
	build = func(depth int) (*parquetColumn, error) {
		if len(elements) == 0 || depth > maxDepth {
			return nil, errDamaged
		}
		e := &elements[0]
		elements = elements[1:]
		c := &parquetColumn{name: e.Name, first: leaves}
		c.optional, c.repeated = e.RepetitionType.V == pq.Optional, e.RepetitionType.V == pq.Repeated
		c.describe(e)
		n := int(e.NumChildren.V)
		if n < 0 || n > len(elements) {
			return nil, errDamaged
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
		return nil, errDamaged
	}
	return root, nil
}

// A sense is what the values of a column mean.
type sense struct {
	meaning meaning
	unit    time.Duration
}

// converted are those of the older of two descriptions.
var converted = map[deprecated.ConvertedType]sense{
	deprecated.Decimal: {meaning: decimalValue}, deprecated.Date: {meaning: dateValue},
	deprecated.TimeMillis: {timeValue, time.Millisecond}, deprecated.TimeMicros: {timeValue, time.Microsecond},
	deprecated.TimestampMillis: {momentValue, time.Millisecond}, deprecated.TimestampMicros: {momentValue, time.Microsecond},
	deprecated.Uint8: {meaning: unsignedValue}, deprecated.Uint16: {meaning: unsignedValue},
	deprecated.Uint32: {meaning: unsignedValue}, deprecated.Uint64: {meaning: unsignedValue},
}

// describe reads what the values of a column mean.
func (c *parquetColumn) describe(e *pq.SchemaElement) {
	old := e.ConvertedType.V // 0 is that of a text
	c.meaning, c.unit, c.scale = converted[old].meaning, cmp.Or(converted[old].unit, time.Millisecond), int64(e.Scale.V)
	c.isMap, c.isList = old == deprecated.Map || old == deprecated.MapKeyValue, old == deprecated.List
	switch t := e.LogicalType.Value.(type) {
	case *pq.MapType:
		c.isMap = true
	case *pq.ListType:
		c.isList = true
	case *pq.DecimalType:
		c.meaning, c.scale = decimalValue, int64(t.Scale)
	case *pq.DateType:
		c.meaning = dateValue
	case *pq.TimeType:
		c.meaning, c.unit = timeValue, unitOf(t.Unit)
	case *pq.TimestampType:
		c.meaning, c.unit = momentValue, unitOf(t.Unit)
	case *pq.IntType:
		if !t.IsSigned {
			c.meaning = unsignedValue
		}
	case *pq.UUIDType:
		c.meaning = uuidValue
	case *pq.Float16Type:
		c.meaning = halfValue
	}
}

func unitOf(u pq.TimeUnit) time.Duration {
	switch u.Value.(type) {
	case *pq.MicroSeconds:
		return time.Microsecond
	case *pq.NanoSeconds:
		return time.Nanosecond
	}
	return time.Millisecond
}
