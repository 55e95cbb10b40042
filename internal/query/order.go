package query

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// An Order is an order of cases. The zero value is that of the run.
type Order struct {
	by         string
	metric     assay.MetricInfo
	descending bool
}

// orders are the orders beside those by a metric.
var orders = []string{"seq", "id", "status", "answer", "stage", "latency", "cost"}

// Orders lists what cases can be ordered by.
func (v Vocabulary) Orders() []string { return append(slices.Clone(orders), v.metrics()...) }

// ParseOrder reads an order: one of [Vocabulary.Orders], with the prefix "-" for
// descending; "" is that of the run. Ties are in the order of the run, and cases without
// a value come last.
func ParseOrder(text string, v Vocabulary) (Order, error) {
	name, descending := strings.CutPrefix(text, "-")
	o := Order{by: name, descending: descending}
	if m, ok := v.metric(name); ok && !slices.Contains(orders, name) {
		o.by, o.metric = metricName, m
		return o, nil
	}
	if name == "seq" || text == "" {
		o.by = ""
		return o, nil
	}
	if !slices.Contains(orders, name) {
		return o, fmt.Errorf("no order %q: %s", name, guess(name, v.Orders()))
	}
	return o, nil
}

// Natural reports whether an order is that of the run.
func (o Order) Natural() bool { return o.by == "" && !o.descending }

// A Key is what a case is ordered by.
type Key struct {
	text   string
	number float64
	absent bool
}

// Key returns what a case is ordered by.
func (o Order) Key(s Source, row int) Key {
	value := func(v float64, ok bool) Key { return Key{number: v, absent: !ok} }
	switch o.by {
	case "id":
		return Key{text: s.ID(row)}
	case "status":
		return Key{text: string(s.Status(row))}
	case "answer":
		answer := string(s.Answer(row))
		return Key{text: answer, absent: answer == ""}
	case "stage":
		stage := s.Stage(row)
		return Key{text: stage, absent: stage == ""}
	case "latency":
		return value(s.Latency(row).Seconds(), s.Latency(row) != 0)
	case "cost":
		return value(float64(s.Cost(row)), s.Cost(row) != 0)
	case metricName:
		return value(Value(o.metric, s.Score(row, o.metric.Name)))
	}
	return Key{}
}

// Compare compares two cases by their keys, 0 for a tie.
func (o Order) Compare(a, b Key) int {
	var out int
	switch {
	case a.absent && b.absent:
		return 0
	case a.absent:
		return 1
	case b.absent:
		return -1
	case o.by == "stage":
		out = assay.CompareStages(a.text, b.text)
	default:
		out = cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.text, b.text))
	}
	if o.descending {
		return -out
	}
	return out
}

// A Selection collects the rows that a filter selects, in an order, and holds no more of
// them than their keys.
type Selection struct {
	filter *Filter
	order  Order
	rows   []selected
}

type selected struct {
	at  int
	key Key
}

// NewSelection returns an empty selection.
func NewSelection(f *Filter, o Order) *Selection { return &Selection{filter: f, order: o} }

// Add adds a row of a source if the filter selects it; at is what Rows gives for it.
// Rows are added in the order of the run.
func (s *Selection) Add(from Source, row, at int) {
	if s.filter.Match(from, row) {
		s.rows = append(s.rows, selected{at, s.order.Key(from, row)})
	}
}

// Rows returns the selected rows in order.
func (s *Selection) Rows() []int {
	switch {
	case s.order.by == "" && s.order.descending:
		slices.Reverse(s.rows)
	case !s.order.Natural():
		slices.SortStableFunc(s.rows, func(a, b selected) int { return s.order.Compare(a.key, b.key) })
	}
	out := make([]int, len(s.rows))
	for i, r := range s.rows {
		out[i] = r.at
	}
	return out
}
