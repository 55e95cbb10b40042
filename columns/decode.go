package columns

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/assay-eval/assay"
)

// ErrEncoding means that an encoded column cannot be read.
var ErrEncoding = errors.New("columns: not an encoded column")

// AddPart adds the rows of an encoded part, after those that were added before. After an
// error, which is an [ErrEncoding], the builder cannot be used any more.
func (b *Builder) AddPart(part []Encoded) error {
	body := map[string][]byte{}
	for _, c := range part {
		body[c.Name] = c.Body
	}
	n, err := b.decodeCases(body[casesColumn])
	if err != nil {
		return fmt.Errorf("%w: column %q: %w", ErrEncoding, casesColumn, err)
	}
	if err := b.decodeResponses(body[answerColumn], n); err != nil {
		return fmt.Errorf("%w: column %q: %w", ErrEncoding, answerColumn, err)
	}
	for name, body := range body {
		metric, ok := strings.CutPrefix(name, metricPrefix)
		if !ok {
			continue
		}
		c := b.metrics[metric]
		if c == nil {
			c = &column{}
			b.metrics[strings.Clone(metric)] = c
		}
		if err := c.decode(body, b.n, n); err != nil {
			return fmt.Errorf("%w: column %q: %w", ErrEncoding, name, err)
		}
	}
	b.n += n
	return nil
}

func (b *Builder) decodeCases(body []byte) (n int, err error) {
	d := decoder{in: body}
	n = d.count(PartRows)
	seq := int64(0)
	for range n {
		seq += d.int()
		b.seq = append(b.seq, int32(seq))
	}
	for range n {
		b.id = append(b.id, b.ids.keep(d.text()))
	}
	for i := range n {
		b.draw = extend(b.draw, b.n+i, int32(d.int()))
	}
	b.group = append(b.group, decodeCodes(&d, n, func() uint32 { return b.code(&b.groups, b.known.groups, d.text()) })...)
	b.shape = append(b.shape, decodeCodes(&d, n, func() uint32 { return b.storedShape(&d) })...)
	if d.err != nil {
		return 0, d.err
	}
	for i := range n {
		b.numberCase(b.n + i)
	}
	return n, d.end()
}

// storedShape adds a shape.
func (b *Builder) storedShape(d *decoder) uint32 {
	var x stored
	if text := d.text(); d.err == nil {
		d.err = json.Unmarshal([]byte(text), &x)
	}
	return b.putShape(&shape{x.Tags, x.Audio, x.Want, x.Failure, x.Attribution, x.Retrieved, x.Shows})
}

func (b *Builder) decodeResponses(body []byte, n int) error {
	d := decoder{in: body}
	from := len(b.flags)
	for range n {
		b.flags = append(b.flags, flag(d.byte()))
	}
	for i := range n {
		b.answer = extend(b.answer, b.n+i, assay.Correctness(b.ids.keep(d.text())))
	}
	decodeInts(&d, n, b.n, &b.attempts)
	decodeInts(&d, n, b.n, &b.latency)
	decodeInts(&d, n, b.n, &b.input)
	decodeInts(&d, n, b.n, &b.output)
	decodeInts(&d, n, b.n, &b.cost)
	for i := range n {
		var spent assay.Spending
		if judging := b.flags[from+i]&judged != 0; judging {
			if text := d.text(); d.err == nil {
				d.err = json.Unmarshal([]byte(text), &spent)
			}
			if b.judging == nil {
				b.judging = make([]assay.Spending, b.n+i, b.n+n)
			}
		}
		if b.judging != nil {
			b.judging = append(b.judging, spent)
		}
	}
	return d.end()
}

// decode adds the scores of n records after the row before them.
func (c *column) decode(body []byte, row, n int) error {
	for len(c.state) < row {
		c.put(absent, assay.Score{})
	}
	d := decoder{in: body}
	states := d.bytes(n)
	value := d.floats(n)
	lower, upper, num, den := d.floats(n), d.floats(n), d.floats(n), d.floats(n)
	var reasons []uint32
	if d.byte() != 0 {
		reasons = decodeCodes(&d, n, func() uint32 {
			c.withReasons()
			return code(&c.reasons, c.known, strings.Clone(d.text()))
		})
	}
	if err := d.end(); err != nil {
		return err
	}
	if value == nil && n > 0 {
		return errors.New("it has no values")
	}
	for i := range n {
		if states[i] != absent && states[i] > maxState {
			return fmt.Errorf("state %d", states[i])
		}
		s := assay.Score{Value: value[i], Lower: value[i], Upper: value[i], Num: at(num, i), Den: at(den, i)}
		if lower != nil && upper != nil {
			s.Lower, s.Upper = lower[i], upper[i]
		}
		if reasons != nil {
			s.Reason = c.reasons[reasons[i]]
		}
		c.put(states[i], s)
	}
	return nil
}

// A decoder reads what an encoder wrote. After the first error it reads zero values.
type decoder struct {
	in  []byte
	err error
}

var errShort = errors.New("it ends too early")

func (d *decoder) bytes(n int) []byte {
	if d.err == nil && n > len(d.in) {
		d.err = errShort
	}
	if d.err != nil {
		return make([]byte, n)
	}
	b := d.in[:n]
	d.in = d.in[n:]
	return b
}

func (d *decoder) byte() byte { return d.bytes(1)[0] }

func (d *decoder) uint() uint64 {
	v, n := binary.Uvarint(d.in)
	return number(d, v, n)
}

func (d *decoder) int() int64 {
	v, n := binary.Varint(d.in)
	return number(d, v, n)
}

func number[T int64 | uint64](d *decoder, v T, n int) T {
	if d.err == nil && n <= 0 {
		d.err = errShort
	}
	if d.err != nil {
		return 0
	}
	d.in = d.in[n:]
	return v
}

// count reads a number of entries, which is at most most.
func (d *decoder) count(most int) int {
	n := d.uint()
	if d.err == nil && n > uint64(most) {
		d.err = fmt.Errorf("%d entries: want at most %d", n, most)
	}
	if d.err != nil {
		return 0
	}
	return int(n)
}

func (d *decoder) text() string { return string(d.bytes(d.count(len(d.in)))) }

// floats reads n numbers; nil if the column has no entries.
func (d *decoder) floats(n int) []float64 {
	if d.byte() == 0 {
		return nil
	}
	raw := d.bytes(8 * n)
	out := make([]float64, n)
	for i := range out {
		out[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
	}
	return out
}

// end returns the first error; that something is left is one.
func (d *decoder) end() error {
	if d.err == nil && len(d.in) > 0 {
		d.err = fmt.Errorf("%d bytes too many", len(d.in))
	}
	return d.err
}

func decodeInts[T int32 | int64](d *decoder, n, rows int, column *[]T) {
	has := d.byte() != 0
	for i := range n {
		var v T
		if has {
			v = T(d.int())
		}
		*column = extend(*column, rows+i, v)
	}
}

// decodeCodes reads n codes. get reads what a new code stands for and returns the code that
// it has in the table.
func decodeCodes(d *decoder, n int, get func() uint32) []uint32 {
	out := make([]uint32, 0, n)
	var known []uint32
	for range n {
		local := d.uint()
		switch {
		case d.err != nil:
			return make([]uint32, n)
		case local == uint64(len(known)):
			known = append(known, get())
		case local > uint64(len(known)):
			d.err = fmt.Errorf("code %d of %d", local, len(known))
			return make([]uint32, n)
		}
		out = append(out, known[local])
	}
	return out
}
