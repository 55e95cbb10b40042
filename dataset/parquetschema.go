package dataset

import (
	"cmp"
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

// A sense is what the values of a column mean.
type sense struct {
	meaning meaning
	unit    time.Duration
}

// converted are those of the older of two descriptions, logical those of the newer one.
var (
	converted = map[int64]sense{
		5: {meaning: decimalValue}, 6: {meaning: dateValue},
		7: {timeValue, time.Millisecond}, 8: {timeValue, time.Microsecond},
		9: {momentValue, time.Millisecond}, 10: {momentValue, time.Microsecond},
		11: {meaning: unsignedValue}, 12: {meaning: unsignedValue}, 13: {meaning: unsignedValue}, 14: {meaning: unsignedValue},
	}
	logical = map[int16]meaning{5: decimalValue, 6: dateValue, 7: timeValue, 8: momentValue, 14: uuidValue, 15: halfValue}
)

// describe reads what the values of a column mean.
func (c *parquetColumn) describe(e thriftStruct) {
	old := e.number(schemaConverted) // 0 is that of a text
	c.meaning, c.unit, c.scale = converted[old].meaning, cmp.Or(converted[old].unit, time.Millisecond), e.number(schemaScale)
	c.isMap, c.isList = old == 1 || old == 2, old == 3
	kind, _ := e.inner(schemaLogical)
	if len(kind) != 1 || !kind[0].isStruct {
		return
	}
	id, inner := kind[0].id, kind[0].inner[0]
	c.isMap, c.isList = c.isMap || id == 2, c.isList || id == 3
	if m, ok := logical[id]; ok {
		c.meaning = m
	}
	switch id {
	case 5:
		c.scale = inner.number(1)
	case 7, 8:
		c.unit = time.Millisecond
		u, _ := inner.inner(2)
		for i, d := range []time.Duration{time.Millisecond, time.Microsecond, time.Nanosecond} {
			if _, ok := u.inner(int16(i + 1)); ok {
				c.unit = d
			}
		}
	case 10:
		if f := inner.field(2); f != nil && f.number == 0 {
			c.meaning = unsignedValue
		}
	}
}
