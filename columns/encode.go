package columns

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
)

// PartRows is the number of rows of a part, except the last one of a table.
const PartRows = 8192

// ErrEncoding means that a part cannot be read.
var ErrEncoding = errors.New("columns: not an encoded part")

// Parts yields the parts of a table, in its order, in a form that can be stored; they are not
// compressed. A table without rows has no part.
func (t *Table) Parts() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for from := 0; from < t.Len(); from += PartRows {
			part := NewBuilder()
			rows := make([]int, min(PartRows, t.Len()-from))
			for i := range rows {
				rows[i] = t.row(from + i)
			}
			part.addRows(t.data, rows)
			if !yield(encoded(part.data)) {
				return
			}
		}
	}
}

// AddPart adds the rows of a part, after those that were added before. After an error, which
// is an [ErrEncoding], the builder cannot be used any more.
func (b *Builder) AddPart(body []byte) (err error) {
	var part data
	if err := decoded(body, &part); err != nil {
		return err
	}
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("%w: its columns do not fit: %v", ErrEncoding, problem)
		}
	}()
	rows := make([]int, len(part.Seqs))
	for i := range rows {
		rows[i] = i
	}
	b.addRows(&part, rows)
	return nil
}

// addRows adds rows of other columns.
func (b *Builder) addRows(from *data, rows []int) {
	groups, shapes := map[uint32]uint32{}, map[uint32]uint32{}
	first := b.n
	for _, row := range rows {
		n := b.n
		b.Seqs, b.IDs, b.Flags = append(b.Seqs, from.Seqs[row]), append(b.IDs, b.ids.keep(from.IDs[row])), append(b.Flags, from.Flags[row])
		b.Draws, b.Attempts = extend(b.Draws, n, at(from.Draws, row)), extend(b.Attempts, n, at(from.Attempts, row))
		b.Answers = extend(b.Answers, n, at(from.Answers, row))
		b.Latencies, b.Costs = extend(b.Latencies, n, at(from.Latencies, row)), extend(b.Costs, n, at(from.Costs, row))
		b.Inputs, b.Outputs = extend(b.Inputs, n, at(from.Inputs, row)), extend(b.Outputs, n, at(from.Outputs, row))
		b.Judging = extend(b.Judging, n, at(from.Judging, row))
		b.GroupOf = append(b.GroupOf, translated(groups, from.GroupOf[row], func(code uint32) uint32 {
			return b.code(&b.Groups, b.known.groups, from.Groups[code])
		}))
		b.ShapeOf = append(b.ShapeOf, translated(shapes, from.ShapeOf[row], func(code uint32) uint32 { return b.putShape(from.Shapes[code]) }))
		b.numberCase(n)
		b.n++
	}
	for name, c := range from.Metrics {
		to := b.metric(name)
		for i, row := range rows {
			if s, ok := c.score(row); ok {
				s.Reason = strings.Clone(s.Reason)
				to.add(first+i, s)
			}
		}
	}
}

// translated returns the code here of a code of other columns; put returns it for the first time.
func translated(known map[uint32]uint32, code uint32, put func(uint32) uint32) uint32 {
	here, ok := known[code]
	if !ok {
		here = put(code)
		known[code] = here
	}
	return here
}

// GobEncode implements [gob.GobEncoder]. JSON tells false and no texts from no label, which gob
// does not.
func (s shape) GobEncode() ([]byte, error) { return json.Marshal(s) }

// GobDecode implements [gob.GobDecoder].
func (s *shape) GobDecode(body []byte) error { return json.Unmarshal(body, s) }

func encoded(v any) []byte {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		panic(fmt.Sprintf("columns: %v", err)) // the types can be encoded
	}
	return b.Bytes()
}

func decoded(body []byte, into any) error {
	if err := gob.NewDecoder(bytes.NewReader(body)).Decode(into); err != nil {
		return fmt.Errorf("%w: %w", ErrEncoding, err)
	}
	return nil
}
