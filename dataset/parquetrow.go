package dataset

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/parquet-go/parquet-go"

	"github.com/assay-eval/assay"
)

// rowReader assembles a row from the values of its leaves, of which each tells how
// many of the optional and repeated levels above it are there (its definition level)
// and which list it continues (its repetition level).
type rowReader struct {
	file *parquetFile
	l    *loader
	line int
	// bytes counts the text of the row.
	bytes  int
	values [][]parquet.Value
}

// row reads the columns of a row.
func (a *rowReader) row(row parquet.Row) (*node, error) {
	for _, v := range row {
		c := v.Column()
		if c < 0 || c >= len(a.values) {
			return nil, errDamaged
		}
		a.values[c] = append(a.values[c], v)
	}
	a.file.values += int64(len(row))
	out := &node{kind: object, line: a.line}
	for i, c := range a.file.root.children {
		value, err := a.read(c, 0, 0)
		if err != nil {
			return nil, err
		}
		out.fields = append(out.fields, field{a.file.columns[i], value})
	}
	for _, rest := range a.values {
		if len(rest) > 0 {
			return nil, errDamaged
		}
	}
	return out, nil
}

// next returns the value that the first leaf of a column is at.
func (a *rowReader) next(c *parquetColumn) (parquet.Value, bool) {
	if rest := a.values[c.first]; len(rest) > 0 {
		return rest[0], true
	}
	return parquet.Value{}, false
}

// skip passes over one value of every leaf, which says that nothing is there.
func (a *rowReader) skip(c *parquetColumn) error {
	for i := c.first; i < c.first+c.leaves; i++ {
		if len(a.values[i]) == 0 {
			return errDamaged
		}
		a.values[i] = a.values[i][1:]
	}
	return nil
}

// read reads a column below rep repeated and def optional or repeated levels.
func (a *rowReader) read(c *parquetColumn, rep, def int) (*node, error) {
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
func (a *rowReader) content(c *parquetColumn, rep, def int) (*node, error) {
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
func (a *rowReader) leaf(c *parquetColumn, v parquet.Value) *node {
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
		return a.raw(c, v.ByteArray())
	}
	return n
}

// lost returns an absent value for one that cannot be kept, with a warning.
func (a *rowReader) lost(column, what string) *node {
	a.l.warn(assay.Origin{File: a.l.src.name, Line: a.line}, column, what+": taken as absent")
	return &node{line: a.line}
}

// count adds a value to the size of the row and of the file.
func (a *rowReader) count(n *node) (*node, error) {
	a.bytes += len(n.text)
	a.file.bytes += int64(len(n.text))
	if a.bytes > maxLine {
		return nil, fmt.Errorf("the row is longer than %d MB", maxLine>>20)
	}
	if most := a.file.most; a.file.bytes > most {
		return nil, fmt.Errorf("the texts up to this row are longer than %d MB, too much for a file of this size: split it, or write it as JSON Lines", most>>20)
	}
	return n, nil
}

// raw reads bytes: text, unless the kind of the value says something else.
func (a *rowReader) raw(c *parquetColumn, b []byte) *node {
	n := &node{line: a.line}
	switch {
	case c.meaning == decimalValue:
		n.kind, n.text = number, decimal(bigInt(b), c.scale)
	case c.meaning == uuidValue && len(b) == 16:
		n.kind, n.text = str, uuid.UUID(b).String()
	case c.meaning == halfValue && len(b) == 2:
		return a.float(c.name, half(uint16(b[0])|uint16(b[1])<<8), 32)
	case !utf8.Valid(b):
		return a.lost(c.name, "bytes that are not text")
	default:
		n.kind, n.text = str, string(b)
	}
	return n
}

// float reads a number. NaN is how data frames write that there is none.
func (a *rowReader) float(column string, v float64, bits int) *node {
	n := &node{line: a.line}
	switch {
	case math.IsNaN(v):
	case math.IsInf(v, 0):
		return a.lost(column, "an infinite number")
	default:
		n.kind, n.text = number, strconv.FormatFloat(v, 'f', -1, bits)
	}
	return n
}

// integer reads a whole number, which may stand for something else.
func (c *parquetColumn) integer(n *node, v int64, unsigned uint64) {
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
