package columns

import (
	"slices"

	"github.com/assay-eval/assay"
)

// A Column has the scores of one metric, for the rows of a table.
type Column struct {
	t *Table
	c *column
}

// Metric returns the scores of a metric. A metric that no record has a score of has a
// column, too.
func (t *Table) Metric(name string) Column { return Column{t, t.Metrics[name]} }

// Score returns the score of row i, without evidence and, if it was scored, without a
// reason. ok is false if the record has no score of the metric.
func (c Column) Score(i int) (s assay.Score, ok bool) {
	if c.c == nil {
		return s, false
	}
	return c.c.score(c.t.row(i))
}

// Numbers are the parts of a score that are no text.
type Numbers struct {
	State                         assay.State
	Value, Lower, Upper, Num, Den float64
}

// Numbers returns the numbers of the score of row i. ok is false if the record has no score
// of the metric.
func (c Column) Numbers(i int) (n Numbers, ok bool) {
	if c.c == nil {
		return n, false
	}
	row := c.t.row(i)
	if c.c.State[row] == absent {
		return n, false
	}
	value := c.c.Value[row]
	n = Numbers{State: assay.State(c.c.State[row]), Value: value, Lower: value, Upper: value, Num: at(c.c.Num, row), Den: at(c.c.Den, row)}
	if c.c.Lower != nil {
		n.Lower, n.Upper = c.c.Lower[row], c.c.Upper[row]
	}
	return n, true
}

// Reason returns why row i has no value of the metric, "" if it has one.
func (c Column) Reason(i int) string {
	if c.c == nil || c.c.Reason == nil {
		return ""
	}
	return c.c.Reasons[c.c.Reason[c.t.row(i)]]
}

// unproven is the evidence that short forms keep.
var unproven = []assay.Evidence{{Kind: assay.KindUnproven}}

// absent is the state of a record without a score.
const absent = 0xff

// A column has the scores of one metric by the position of their records. Lower, upper,
// numerator and denominator are nil as long as every score has the usual ones: its value,
// and 0.
type column struct {
	State        []uint8
	Value        []float64
	Lower, Upper []float64
	Num, Den     []float64
	// Unproven marks scores with evidence of [assay.KindUnproven].
	Unproven []bool
	// Reason has indexes into Reasons, of which the first is "".
	Reason  []uint32
	Reasons []string
	known   map[string]uint32
}

// clip returns a column with the scores so far, to which others are appended apart.
func (c *column) clip() *column {
	out := *c
	out.State, out.Value = slices.Clip(c.State), slices.Clip(c.Value)
	out.Lower, out.Upper, out.Num, out.Den = slices.Clip(c.Lower), slices.Clip(c.Upper), slices.Clip(c.Num), slices.Clip(c.Den)
	out.Reason, out.Reasons = slices.Clip(c.Reason), slices.Clip(c.Reasons)
	out.Unproven = slices.Clip(c.Unproven)
	return &out
}

func (c *column) score(row int) (s assay.Score, ok bool) {
	if row >= len(c.State) || c.State[row] == absent {
		return s, false
	}
	s = assay.Score{State: assay.State(c.State[row]), Value: c.Value[row], Num: at(c.Num, row), Den: at(c.Den, row)}
	s.Lower, s.Upper = s.Value, s.Value
	if c.Lower != nil {
		s.Lower, s.Upper = c.Lower[row], c.Upper[row]
	}
	if c.Reason != nil {
		s.Reason = c.Reasons[c.Reason[row]]
	}
	if at(c.Unproven, row) {
		s.Evidence = unproven
	}
	return s, true
}

// add adds the score of the record at a position, after those of all positions before.
func (c *column) add(row int, s assay.Score) {
	for len(c.State) < row {
		c.put(absent, assay.Score{})
	}
	if s.State == assay.Scored {
		s.Reason = ""
	}
	c.put(uint8(s.State), s)
}

func (c *column) put(state uint8, s assay.Score) {
	n := len(c.State)
	c.State, c.Value = append(c.State, state), append(c.Value, s.Value)
	if c.Lower == nil && (s.Lower != s.Value || s.Upper != s.Value) {
		c.Lower, c.Upper = slices.Clone(c.Value[:n]), slices.Clone(c.Value[:n])
	}
	if c.Lower != nil {
		c.Lower, c.Upper = append(c.Lower, s.Lower), append(c.Upper, s.Upper)
	}
	c.Num, c.Den = extend(c.Num, n, s.Num), extend(c.Den, n, s.Den)
	c.Unproven = extend(c.Unproven, n, s.Unproven())
	if c.Reason == nil && s.Reason != "" {
		c.Reasons, c.known = []string{""}, map[string]uint32{"": 0}
		c.Reason = make([]uint32, n, cap(c.State))
	}
	if c.Reason != nil {
		c.Reason = append(c.Reason, code(&c.Reasons, c.known, s.Reason))
	}
}

// extend appends v to a column of n entries, which stays nil as long as all are the zero
// value.
func extend[T comparable](column []T, n int, v T) []T {
	var zero T
	if column == nil && v == zero {
		return nil
	}
	if column == nil {
		column = make([]T, n, 2*n+1)
	}
	return append(column, v)
}

// code returns the index of a text among the distinct ones.
func code(texts *[]string, known map[string]uint32, s string) uint32 {
	at, ok := known[s]
	if !ok {
		at = uint32(len(*texts))
		*texts, known[s] = append(*texts, s), at
	}
	return at
}
