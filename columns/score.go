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
func (t *Table) Metric(name string) Column { return Column{t, t.metrics[name]} }

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
	if c.c.state[row] == absent {
		return n, false
	}
	value := c.c.value[row]
	n = Numbers{State: assay.State(c.c.state[row]), Value: value, Lower: value, Upper: value, Num: at(c.c.num, row), Den: at(c.c.den, row)}
	if c.c.lower != nil {
		n.Lower, n.Upper = c.c.lower[row], c.c.upper[row]
	}
	return n, true
}

// Reason returns why row i has no value of the metric, "" if it has one.
func (c Column) Reason(i int) string {
	if c.c == nil || c.c.reason == nil {
		return ""
	}
	return c.c.reasons[c.c.reason[c.t.row(i)]]
}

// absent is the state of a record without a score. maxState is the greatest of the others.
const (
	absent   = 0xff
	maxState = uint8(assay.JudgeError)
)

// A column has the scores of one metric by the position of their records. Lower, upper,
// numerator and denominator are nil as long as every score has the usual ones: its value,
// and 0.
type column struct {
	state        []uint8
	value        []float64
	lower, upper []float64
	num, den     []float64
	// reason has indexes into reasons, of which the first is "".
	reason  []uint32
	reasons []string
	known   map[string]uint32
}

// clip returns a column with the scores so far, to which others are appended apart.
func (c *column) clip() *column {
	out := *c
	out.state, out.value = slices.Clip(c.state), slices.Clip(c.value)
	out.lower, out.upper, out.num, out.den = slices.Clip(c.lower), slices.Clip(c.upper), slices.Clip(c.num), slices.Clip(c.den)
	out.reason, out.reasons = slices.Clip(c.reason), slices.Clip(c.reasons)
	return &out
}

func (c *column) score(row int) (s assay.Score, ok bool) {
	if row >= len(c.state) || c.state[row] == absent {
		return s, false
	}
	s = assay.Score{State: assay.State(c.state[row]), Value: c.value[row], Num: at(c.num, row), Den: at(c.den, row)}
	s.Lower, s.Upper = s.Value, s.Value
	if c.lower != nil {
		s.Lower, s.Upper = c.lower[row], c.upper[row]
	}
	if c.reason != nil {
		s.Reason = c.reasons[c.reason[row]]
	}
	return s, true
}

// add adds the score of the record at a position, after those of all positions before.
func (c *column) add(row int, s assay.Score) {
	for len(c.state) < row {
		c.put(absent, assay.Score{})
	}
	if s.State == assay.Scored {
		s.Reason = ""
	}
	c.put(uint8(s.State), s)
}

func (c *column) put(state uint8, s assay.Score) {
	n := len(c.state)
	c.state, c.value = append(c.state, state), append(c.value, s.Value)
	if c.lower == nil && (s.Lower != s.Value || s.Upper != s.Value) {
		c.lower, c.upper = slices.Clone(c.value[:n]), slices.Clone(c.value[:n])
	}
	if c.lower != nil {
		c.lower, c.upper = append(c.lower, s.Lower), append(c.upper, s.Upper)
	}
	c.num, c.den = extend(c.num, n, s.Num), extend(c.den, n, s.Den)
	if c.reason == nil && s.Reason != "" {
		c.withReasons()
		c.reason = make([]uint32, n, cap(c.state))
	}
	if c.reason != nil {
		c.reason = append(c.reason, code(&c.reasons, c.known, s.Reason))
	}
}

// withReasons prepares the column for reasons.
func (c *column) withReasons() {
	if c.reasons == nil {
		c.reasons, c.known = []string{""}, map[string]uint32{"": 0}
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
