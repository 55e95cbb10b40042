package wire

import (
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/internal/query"
	"github.com/assay-eval/assay/report"
)

// FacetBins is the number of equal parts of a metric's range in which its values are
// counted.
const FacetBins = 20

// Facets count the cases of a list by what they can be selected by.
type Facets struct {
	// Status counts by status, Answers by whether the case is right, Stages by the stage
	// that a wrong answer is attributed to, Tags by tag. A case can have several tags.
	Status  map[assay.Status]int
	Answers map[assay.Correctness]int
	Stages  map[string]int
	Tags    map[string]int
	// Metrics are those of the run, in its order.
	Metrics []MetricFacet
}

// A MetricFacet counts the values of a metric.
type MetricFacet struct {
	Name string
	// Low and High are the bounds of the bins: those of the metric's range, or the least
	// and the greatest value if the range is unbounded.
	Low, High float64
	// Bins has the number of values in each part between them, N their sum; the other cases
	// have none.
	Bins [FacetBins]int
	N    int
}

// Facets counts the selected cases.
func (c *CaseList) Facets(ctx context.Context) (Facets, error) {
	index, err := c.indexed(ctx)
	if err != nil {
		return Facets{}, err
	}
	q := c.query.String()
	index.choosing.Lock()
	kept, ok := index.counted[q] // its pages and orders have the same
	index.choosing.Unlock()
	if ok && !c.fleeting {
		return kept, nil
	}
	source, rows := index.rows(c)
	out := Facets{Status: map[assay.Status]int{}, Answers: map[assay.Correctness]int{}, Stages: map[string]int{}, Tags: map[string]int{}}
	for _, row := range rows {
		out.Status[source.Status(row)]++
		out.Answers[source.Answer(row)]++
		if stage := source.Stage(row); stage != "" {
			out.Stages[stage]++
		}
		for _, tag := range source.Tags(row) {
			out.Tags[tag]++
		}
	}
	for _, m := range c.h.Metrics {
		out.Metrics = append(out.Metrics, facetOf(m, source, rows))
	}
	if !c.fleeting {
		index.choosing.Lock()
		defer index.choosing.Unlock()
		remember(index.counted, q, out)
	}
	return out, nil
}

// rows returns the rows of the selected cases, in their order.
func (x *CaseIndex) rows(c *CaseList) (*indexSource, []int) {
	source := &indexSource{Table: x.cases, index: x}
	var rows []int
	for _, seq := range c.seqs {
		if row, ok := x.cases.RowOf(seq); ok {
			rows = append(rows, row)
		}
	}
	if c.seqs == nil {
		for row := range source.Len() {
			rows = append(rows, row)
		}
	}
	return source, rows
}

// indexed returns the index of the run; that of a run which goes on is made of the cases so
// far.
func (c *CaseList) indexed(ctx context.Context) (*CaseIndex, error) {
	if c.index != nil {
		return c.index, nil
	}
	build, texts := columns.NewBuilder(), &columns.Texts{}
	for r, err := range c.from.Briefs(ctx, c.h.ID, 0, 0) {
		if err != nil {
			return nil, err
		}
		build.Add(&r)
		texts.Add(&r)
	}
	out := newCaseIndex(c.h, build.Table(), report.Derived{})
	out.texts = texts
	return out, nil
}

func facetOf(m assay.MetricInfo, source *indexSource, rows []int) MetricFacet {
	out := MetricFacet{Name: m.Name, Low: m.Range[0], High: m.Range[1]}
	values := make([]float64, 0, len(rows))
	column := source.Metric(m.Name)
	for _, row := range rows {
		n, _ := column.Numbers(row)
		if v, ok := query.Value(m, assay.Score{State: n.State, Value: n.Value}); ok {
			values = append(values, v)
		}
	}
	out.N = len(values)
	if bounded := out.Low > -math.MaxFloat64 && out.High < math.MaxFloat64; !bounded {
		out.Low, out.High = 0, 0
		if out.N > 0 {
			out.Low, out.High = slices.Min(values), slices.Max(values)
		}
	}
	var edges [FacetBins + 1]float64
	for i := range edges {
		edges[i] = out.Edge(i)
	}
	for _, v := range values {
		at := 0
		if out.High > out.Low {
			at = max(0, min(FacetBins-1, int((v-out.Low)/(out.High-out.Low)*FacetBins)))
			// A filter with the edges of a bin selects what the bin counts.
			for at > 0 && query.Holds(v, "<", edges[at]) {
				at--
			}
			for at < FacetBins-1 && query.Holds(v, ">=", edges[at+1]) {
				at++
			}
		}
		out.Bins[at]++
	}
	return out
}

// Edge returns the least value of a bin; that of the bin FacetBins is High. It has few
// digits, so that filters can be written with it.
func (m MetricFacet) Edge(bin int) float64 {
	v := m.Low + float64(bin)*(m.High-m.Low)/FacetBins
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	if err != nil {
		return v
	}
	return short
}
