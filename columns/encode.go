package columns

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"

	"github.com/assay-eval/assay"
)

// PartRows is the number of rows of a part, except the last one of a table.
const PartRows = 8192

// The names of encoded columns. The scores of a metric are in the column that begins with
// metricPrefix.
const (
	casesColumn  = "cases"
	answerColumn = "responses"
	metricPrefix = "m:"
)

// An Encoded is a column of a part in a form that can be stored.
type Encoded struct {
	// Name is the name of the column, Body its content, which is not compressed.
	Name string
	Body []byte
}

// Parts yields the columns of each part of a table, in its order. A table without rows has
// no part.
func (t *Table) Parts() iter.Seq[[]Encoded] {
	return func(yield func([]Encoded) bool) {
		for from := 0; from < t.Len(); from += PartRows {
			if !yield(t.part(from, min(from+PartRows, t.Len()))) {
				return
			}
		}
	}
}

func (t *Table) part(from, to int) []Encoded {
	rows := make([]int, 0, to-from)
	for i := from; i < to; i++ {
		rows = append(rows, t.row(i))
	}
	out := []Encoded{{casesColumn, t.encodeCases(rows)}, {answerColumn, t.encodeResponses(rows)}}
	for _, name := range slices.Sorted(maps.Keys(t.metrics)) {
		out = append(out, Encoded{metricPrefix + name, t.metrics[name].encode(rows)})
	}
	return out
}

// encodeCases encodes what tells the records apart: seq, id, draw, group and shape.
func (t *Table) encodeCases(rows []int) []byte {
	e := encoder{}
	e.uint(uint64(len(rows)))
	last := int64(0)
	for _, row := range rows {
		e.int(int64(t.seq[row]) - last)
		last = int64(t.seq[row])
	}
	for _, row := range rows {
		e.text(t.id[row])
	}
	for _, row := range rows {
		e.int(int64(at(t.draw, row)))
	}
	codes(&e, rows, t.group, func(code uint32) { e.text(t.groups[code]) })
	codes(&e, rows, t.shape, func(code uint32) { e.json(t.shapes[code].stored()) })
	return e.out
}

// encodeResponses encodes what is known of the responses.
func (t *Table) encodeResponses(rows []int) []byte {
	e := encoder{}
	for _, row := range rows {
		e.out = append(e.out, byte(t.flags[row]))
	}
	for _, row := range rows {
		e.text(string(at(t.answer, row)))
	}
	ints(&e, rows, t.attempts)
	ints(&e, rows, t.latency)
	ints(&e, rows, t.input)
	ints(&e, rows, t.output)
	ints(&e, rows, t.cost)
	for _, row := range rows {
		if t.flags[row]&judged != 0 {
			e.json(t.judging[row])
		}
	}
	return e.out
}

// encode encodes scores.
func (c *column) encode(rows []int) []byte {
	e := encoder{}
	for _, row := range rows {
		e.out = append(e.out, c.state[row])
	}
	floats(&e, rows, c.value)
	floats(&e, rows, c.lower)
	floats(&e, rows, c.upper)
	floats(&e, rows, c.num)
	floats(&e, rows, c.den)
	if e.has(c.reason != nil) {
		codes(&e, rows, c.reason, func(code uint32) { e.text(c.reasons[code]) })
	}
	return e.out
}

// stored is the JSON form of a shape.
type stored struct {
	Tags        []string           `json:"tags,omitempty"`
	Audio       string             `json:"audio,omitempty"`
	Want        assay.Want         `json:"want,omitzero"`
	Failure     *assay.Failure     `json:"failure,omitempty"`
	Attribution *assay.Attribution `json:"attribution,omitempty"`
	Retrieved   *assay.Retrieved   `json:"retrieved,omitempty"`
	Shows       uint16             `json:"shows,omitempty"`
}

func (s *shape) stored() stored {
	return stored{s.tags, s.audio, s.want, s.failure, s.attribution, s.retrieved, s.shows}
}

// An encoder appends values to a column.
type encoder struct{ out []byte }

func (e *encoder) uint(v uint64) { e.out = binary.AppendUvarint(e.out, v) }
func (e *encoder) int(v int64)   { e.out = binary.AppendVarint(e.out, v) }

func (e *encoder) text(s string) {
	e.uint(uint64(len(s)))
	e.out = append(e.out, s...)
}

func (e *encoder) json(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("columns: %v", err)) // the types have a JSON form
	}
	e.text(string(b))
}

// has appends whether a column has entries.
func (e *encoder) has(entries bool) bool {
	if entries {
		e.out = append(e.out, 1)
	} else {
		e.out = append(e.out, 0)
	}
	return entries
}

func ints[T int32 | int64](e *encoder, rows []int, column []T) {
	if e.has(column != nil) {
		for _, row := range rows {
			e.int(int64(column[row]))
		}
	}
}

func floats(e *encoder, rows []int, column []float64) {
	if e.has(column != nil) {
		for _, row := range rows {
			e.out = binary.LittleEndian.AppendUint64(e.out, math.Float64bits(column[row]))
		}
	}
}

// codes encodes the codes of rows, and what each of them stands for, where it is first
// used.
func codes(e *encoder, rows []int, column []uint32, put func(code uint32)) {
	local := map[uint32]uint64{}
	for _, row := range rows {
		at, known := local[column[row]]
		if !known {
			at = uint64(len(local))
			local[column[row]] = at
		}
		e.uint(at)
		if !known {
			put(column[row])
		}
	}
}
