package treceval

import (
	"math"

	"github.com/assay-eval/assay/stats"
)

// A Result holds the values of all measures for all queries of a run.
type Result struct {
	// Name is the name of the run file, Tag the run tag in it.
	Name, Tag string
	Measures  []Measure
	// Queries are the queries of the judgments, in byte order; with [Options.Answered]
	// those that the run has.
	Queries []Query
	// Missing counts the judged queries that are missing from the run; FirstMissing is
	// the first of them in byte order.
	Missing      int
	FirstMissing string
	// Unjudged counts the queries of the run that have no judgments and are
	// left out; FirstUnjudged is the first of them in byte order.
	Unjudged      int
	FirstUnjudged string
	// Own counts the results that were dropped because their document has the id of the query.
	Own int

	cells []cell
	// judged is the number of judged queries.
	judged int
	// rising counts the queries whose scores rise from line to line.
	rising int
	// unfound is a judged document if no result of the run has a judgment.
	unfound string
	// relevant is the number of judgments above 0; nil with [Options.Answered].
	relevant *int
}

// A Query is one query of a result.
type Query struct {
	ID string
	// Missing is set if the run has no results for the query.
	Missing bool
}

// Value returns the value of a measure for a query, both given by index; ok is
// false if the measure does not apply to the query or has no numeric value.
func (r *Result) Value(query, measure int) (v float64, ok bool) {
	c := r.cells[query*len(r.Measures)+measure]
	return c.value, c.ok && r.Measures[measure].kind.perQuery()
}

// Text returns the value of a text measure for a query, both given by index.
func (r *Result) Text(query, measure int) string {
	return r.cells[query*len(r.Measures)+measure].text
}

// A Summary is the value of a measure over all queries.
type Summary struct {
	// Value is the mean, the geometric mean or the sum; OK is false if the
	// measure has no such value.
	Value float64
	OK    bool
	// N is the number of queries that Value is computed from.
	N int
	// Estimate is set if Value is a mean.
	Estimate *stats.Estimate
}

// Summary returns the value of a measure, given by index, over all queries. Level is the confidence level.
func (r *Result) Summary(measure int, level float64) Summary {
	m := r.Measures[measure]
	switch m.kind {
	case queries:
		return Summary{Value: float64(len(r.Queries)), OK: true, N: len(r.Queries)}
	case text, tag:
		return Summary{}
	}
	var samples []stats.Sample
	sum, answered, lo, hi := 0.0, 0.0, 0.0, 0.0
	missing := 0
	for q, query := range r.Queries {
		c := r.cells[q*len(r.Measures)+measure]
		if !c.ok {
			continue
		}
		sum, lo, hi = sum+c.value, lo+c.ends[0], hi+c.ends[1]
		if query.Missing {
			missing++
		} else {
			answered += c.value
		}
		if m.kind == mean {
			samples = append(samples, stats.Sample{Value: c.value})
		}
	}
	switch m.kind {
	case total:
		return Summary{Value: sum, OK: true, N: len(r.Queries)}
	case geometric:
		return Summary{Value: math.Exp(sum / float64(len(r.Queries))), OK: true, N: len(r.Queries)}
	}
	e := stats.Mean(samples, level)
	e.NotApplicable = len(r.Queries) - len(samples)
	e.TargetErrors = missing
	if n := len(samples) - missing; missing > 0 && n > 0 {
		a := answered / float64(n)
		e.Answered = &a
	}
	if e.CI != nil && m.unit != nil {
		n := float64(len(samples))
		ci := e.CI.Clip(min(e.Mean, lo/n), max(e.Mean, hi/n))
		e.CI = &ci
	}
	return Summary{Value: e.Mean, OK: e.N > 0, N: e.N, Estimate: &e}
}
