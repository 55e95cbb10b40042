package dataset

import (
	"fmt"
	"time"
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
func rowSchema(elements []thriftStruct) (*parquetColumn, error) {
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
		e := elements[0]
		elements = elements[1:]
		c := &parquetColumn{name: e.text(schemaName), first: leaves}
		c.optional, c.repeated = e.number(schemaRepetition) == 1, e.number(schemaRepetition) == 2
		c.describe(e)
		n := e.number(schemaChildren)
		if n < 0 || n > int64(len(elements)) {
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

// describe reads what the values of a column mean, from the older of two
// descriptions and then from the newer one.
func (c *parquetColumn) describe(e thriftStruct) {
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
