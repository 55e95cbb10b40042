package query

import (
	"cmp"
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
		return o, &orderError{name, v.Orders()}
	}
	return o, nil
}

// String returns the order as [ParseOrder] reads it.
func (o Order) String() string {
	name := o.by
	switch name {
	case metricName:
		name = o.metric.Name
	case "":
		name = "seq"
	}
	if o.descending {
		return "-" + name
	}
	return name
}

// Natural reports whether an order is that of the run.
func (o Order) Natural() bool { return o.by == "" && !o.descending }

// texts reports whether cases are ordered by a text.
func (o Order) texts() bool {
	return slices.Contains([]string{"id", "status", "answer", "stage"}, o.by)
}

// text returns the text by which a case is ordered; ok is false if it has none.
func (o Order) text(s Source, row int) (text string, ok bool) {
	switch o.by {
	case "id":
		return s.ID(row), true
	case "status":
		return string(s.Status(row)), true
	case "answer":
		text = string(s.Answer(row))
	case "stage":
		text = s.Stage(row)
	}
	return text, text != ""
}

// number returns the number by which a case is ordered; ok is false if it has none.
func (o Order) number(s Source, row int) (v float64, ok bool) {
	switch o.by {
	case "latency":
		return s.Latency(row).Seconds(), s.Latency(row) != 0
	case "cost":
		return float64(s.Cost(row)), s.Cost(row) != 0
	case metricName:
		return Value(o.metric, s.Score(row, o.metric.Name))
	}
	return 0, false
}

// A Selection collects the rows that a filter selects, in an order, and holds no more of
// them than what they are ordered by.
type Selection struct {
	filter *Filter
	order  Order
	byText bool
	// texts and numbers are the rows that have what they are ordered by, rest the others.
	texts   []keyed[string]
	numbers []keyed[float64]
	rest    []int
}

type keyed[K any] struct {
	key K
	at  int
}

// NewSelection returns an empty selection.
func NewSelection(f *Filter, o Order) *Selection {
	return &Selection{filter: f, order: o, byText: o.texts()}
}

// Add adds a row of a source if the filter selects it; at is what Rows gives for it.
// Rows are added in the order of the run, in which at rises.
func (s *Selection) Add(from Source, row, at int) {
	if !s.filter.Match(from, row) {
		return
	}
	if s.byText {
		if text, ok := s.order.text(from, row); ok {
			s.texts = append(s.texts, keyed[string]{text, at})
			return
		}
	} else if number, ok := s.order.number(from, row); ok {
		s.numbers = append(s.numbers, keyed[float64]{number, at})
		return
	}
	s.rest = append(s.rest, at)
}

// Rows returns the selected rows in order.
func (s *Selection) Rows() []int {
	if s.order.by == "" && s.order.descending {
		slices.Reverse(s.rest)
	}
	compare := strings.Compare
	if s.order.by == "stage" {
		compare = assay.CompareStages
	}
	out := make([]int, 0, len(s.texts)+len(s.numbers)+len(s.rest))
	out = sorted(out, s.texts, compare, s.order.descending)
	out = sorted(out, s.numbers, cmp.Compare[float64], s.order.descending)
	return append(out, s.rest...)
}

// sorted appends rows by their keys. Ties are in the order of the run.
func sorted[K any](to []int, rows []keyed[K], compare func(a, b K) int, descending bool) []int {
	slices.SortFunc(rows, func(a, b keyed[K]) int {
		c := compare(a.key, b.key)
		if descending {
			c = -c
		}
		return cmp.Or(c, a.at-b.at)
	})
	for _, r := range rows {
		to = append(to, r.at)
	}
	return to
}
