package dataset

import (
	"time"

	"github.com/parquet-go/parquet-go"
)

// rowReader assembles a row from the values of its leaves, of which each tells how
// many of the optional and repeated levels above it are there (its definition level)
// and which list it continues (its repetition level).
type rowReader struct {
	rowMaker
	values [][]parquet.Value
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
			return errDamaged
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
		return nil, errDamaged
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
			return nil, errDamaged
		}
		a.values[c.first] = a.values[c.first][1:]
		return a.count(a.leaf(c, v))
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
		return a.float(c.name, float64(v.Float()), 32)
	case parquet.Double:
		return a.float(c.name, v.Double(), 64)
	default:
		return a.raw(c.name, &c.valueKind, v.ByteArray())
	}
	return n
}
