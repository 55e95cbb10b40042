package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/message"
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
	if name == "seq" || text == "" {
		o.by = ""
		return o, nil
	}
	if !slices.Contains(orders, name) {
		var ok bool
		if o.metric, ok = v.metric(name); !ok {
			return o, said{message.New("Filter.NoOrder", "name", name, "hint", guess(name, v.Orders()))}
		}
	}
	return o, nil
}

// String returns the order as [ParseOrder] reads it.
func (o Order) String() string {
	name := cmp.Or(o.by, "seq")
	if o.descending {
		return "-" + name
	}
	return name
}

// Natural reports whether an order is that of the run.
func (o Order) Natural() bool { return o.by == "" && !o.descending }

// A key is what a case is ordered by: a text or a number. at is its place in the run.
type key struct {
	text   string
	number float64
	at     int
}

// key returns what a case is ordered by; ok is false if it has nothing.
func (o Order) key(s Source, row int) (k key, ok bool) {
	switch o.by {
	case "":
	case "id":
		k.text = s.ID(row)
	case "status":
		k.text = string(s.Status(row))
	case "answer":
		k.text = string(s.Answer(row))
	case "stage":
		k.text = s.Stage(row)
	case "latency":
		k.number = s.Latency(row).Seconds()
	case "cost":
		k.number = float64(s.Cost(row))
	default:
		k.number, ok = Value(o.metric, s.Score(row, o.metric.Name))
		return k, ok
	}
	return k, k != key{}
}

// A Selection collects the rows that a filter selects, in an order, and holds no more of
// them than what they are ordered by.
type Selection struct {
	filter *Filter
	order  Order
	// keys are the rows that have what they are ordered by, rest the others.
	keys []key
	rest []int
}

// NewSelection returns an empty selection.
func NewSelection(f *Filter, o Order) *Selection { return &Selection{filter: f, order: o} }

// Add adds a row of a source if the filter selects it; at is what Rows gives for it.
// Rows are added in the order of the run, in which at rises.
func (s *Selection) Add(from Source, row, at int) {
	if !s.filter.Match(from, row) {
		return
	}
	if k, ok := s.order.key(from, row); ok {
		k.at = at
		s.keys = append(s.keys, k)
	} else {
		s.rest = append(s.rest, at)
	}
}

// Rows returns the selected rows in order.
func (s *Selection) Rows() []int {
	if s.order.by == "" && s.order.descending {
		slices.Reverse(s.rest)
	}
	texts := strings.Compare
	if s.order.by == "stage" {
		texts = assay.CompareStages
	}
	slices.SortFunc(s.keys, func(a, b key) int {
		c := cmp.Or(texts(a.text, b.text), cmp.Compare(a.number, b.number))
		if s.order.descending {
			c = -c
		}
		return cmp.Or(c, a.at-b.at)
	})
	out := make([]int, 0, len(s.keys)+len(s.rest))
	for _, k := range s.keys {
		out = append(out, k.at)
	}
	return append(out, s.rest...)
}
