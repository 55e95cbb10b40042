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

	"github.com/assay-eval/assay"
)

// A valueKind tells what the values of a column stand for, where their type does not.
type valueKind struct {
	meaning meaning
	// scale is that of a decimal, unit that of a time.
	scale int64
	unit  time.Duration
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

// A rowMaker makes nodes of the values of a row, and counts them.
type rowMaker struct {
	file *rowFile
	l    *loader
	line int
	// bytes counts the text of the row.
	bytes int
}

// lost returns an absent value in the place of one that cannot be kept, which is told.
func (m *rowMaker) lost(column, what string) *node {
	m.l.warn(assay.Origin{File: m.l.src.name, Line: m.line}, column, what+": taken as absent")
	return &node{line: m.line}
}

// count adds a value to the size of the row and of the file.
func (m *rowMaker) count(n *node) (*node, error) {
	m.bytes += len(n.text)
	m.file.bytes += int64(len(n.text))
	if m.bytes > maxLine {
		return nil, fmt.Errorf("the row is longer than %d MB", maxLine>>20)
	}
	if most := m.file.most; most > 0 && m.file.bytes > most {
		return nil, fmt.Errorf("the texts up to this row are longer than %d MB, too much for a file of this size: split it, or write it as JSON Lines", most>>20)
	}
	return n, nil
}

// raw reads bytes: text, unless the kind of the value says something else.
func (m *rowMaker) raw(column string, c *valueKind, b []byte) *node {
	n := &node{line: m.line}
	switch {
	case c.meaning == decimalValue:
		n.kind, n.text = number, decimal(bigInt(b), c.scale)
	case c.meaning == uuidValue && len(b) == 16:
		n.kind, n.text = str, uuid.UUID(b).String()
	case c.meaning == halfValue && len(b) == 2:
		return m.float(column, half(uint16(b[0])|uint16(b[1])<<8), 32)
	case !utf8.Valid(b):
		return m.lost(column, "bytes that are not text")
	default:
		n.kind, n.text = str, string(b)
	}
	return n
}

// float reads a number. NaN is how data frames write that there is none.
func (m *rowMaker) float(column string, v float64, bits int) *node {
	n := &node{line: m.line}
	switch {
	case math.IsNaN(v):
	case math.IsInf(v, 0):
		return m.lost(column, "an infinite number")
	default:
		n.kind, n.text = number, strconv.FormatFloat(v, 'g', -1, bits)
	}
	return n
}

// integer reads a whole number, which may stand for something else.
func (c *valueKind) integer(n *node, v int64, unsigned uint64) {
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
