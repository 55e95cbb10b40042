package summary

import (
	"math"
	"slices"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/stats"
)

const (
	// sameLatency is the relative difference up to which two median latencies count as
	// equal: two runs of the same system differ by as much.
	sameLatency = 0.1
	// leastLatency is the absolute difference up to which they count as equal: nobody
	// notices it, and a busy machine adds more to any answer.
	leastLatency = 5 * time.Millisecond
)

// primary returns the row by which runs are ranked: that of the primary metric, or
// without one the default; −1 if all metrics are estimates, which rank nothing.
func primary(rows []ComparisonRow, name string) int {
	is := func(r ComparisonRow) bool { return !r.Estimate }
	if name == "" {
		name = assay.CompositeName
	}
	first := slices.IndexFunc(rows, func(r ComparisonRow) bool { return is(r) && r.Name == name })
	return max(first, slices.IndexFunc(rows, is))
}

func (c *Comparison) rank(row int, runs []*columns.Table, seed uint64) {
	m := c.Rows[row].MetricInfo
	c.Primary, c.Standings = m.Name, nil
	for i, r := range runs {
		s := Standing{Run: c.Runs[i], Quality: c.Rows[row].Estimates[i], Cost: cost(r)}
		if l := latency(r); l.N > 0 {
			s.Latency = &l.P50
		}
		c.Standings = append(c.Standings, s)
	}
	better, gain := c.against(row, runs, seed)
	for i := range c.Standings {
		s := &c.Standings[i]
		over, by := "", math.Inf(-1)
		for j := range c.Standings {
			if i == j {
				continue
			}
			if !better[i][j] && !better[j][i] {
				s.Tied = append(s.Tied, c.Runs[j])
			}
			if g := gain[j][i]; !better[i][j] && g >= 0 && g > by && dominates(spent(runs[j], runs[i]), spent(runs[i], runs[j]), better[j][i]) {
				over, by = c.Runs[j], g
			}
		}
		s.Dominated = over
	}
}

// against returns, for every two runs, whether the first is significantly better, and by how much its mean is better;
// not a number if they share no case. Where they do not have the same cases, it is the mean over those of both.
func (c *Comparison) against(row int, runs []*columns.Table, seed uint64) (better [][]bool, gain [][]float64) {
	better, gain = make([][]bool, len(runs)), make([][]float64, len(runs))
	m, values := c.Rows[row], make([][]Value, len(runs))
	var pairs [][]stats.Pair
	for i, run := range runs {
		better[i], gain[i], values[i] = make([]bool, len(runs)), make([]float64, len(runs)), Values(m.MetricInfo, run)
		for j := range i {
			p, _ := pair(m.MetricInfo, values[j], values[i])
			pairs = append(pairs, p)
		}
	}
	tested := stats.CompareTogether(c.Test, pairs, c.Level, seed)
	for i := range runs {
		for j := range i {
			d := tested[0]
			tested = tested[1:]
			if j == 0 {
				d = m.Differences[i-1] // what the table says of the baseline
			}
			up, shown, sign := d.Diff, Shown(d), 1.0
			if m.Better == "lower" {
				sign = -1
			}
			switch old, new := m.Estimates[j], m.Estimates[i]; {
			case d.N == 0:
				up = math.NaN()
			case d.N == old.N && d.N == new.N: // also where cases are pooled
				up = new.Mean - old.Mean
			}
			gain[i][j], gain[j][i] = sign*up, -sign*up
			better[i][j], better[j][i] = shown && sign*d.Diff > 0, shown && sign*d.Diff < 0
		}
	}
	return better, gain
}

// spent is what a run costs in the cases that another one has, too.
func spent(run, other *columns.Table) (s Standing) {
	in := map[string]bool{}
	for i := range other.Len() {
		in[other.Base(i)] = true
	}
	run = run.Where(func(i int) bool { return in[run.Base(i)] })
	s.Cost = cost(run)
	if l := latency(run); l.N > 0 {
		s.Latency = &l.P50
	}
	return s
}

// dominates reports whether a, whose quality is not shown to be worse than that of b and whose mean
// is not, is no worse in cost and latency and better in something. If only one of them has a cost
// or a latency, neither dominates.
func dominates(a, b Standing, better bool) bool {
	if (a.Cost == nil) != (b.Cost == nil) || (a.Latency == nil) != (b.Latency == nil) {
		return false
	}
	if a.Cost != nil {
		if *a.Cost > *b.Cost {
			return false
		}
		better = better || *a.Cost < *b.Cost
	}
	if a.Latency != nil {
		if slower(*a.Latency, *b.Latency) {
			return false
		}
		better = better || slower(*b.Latency, *a.Latency)
	}
	return better
}

// slower reports whether a median latency is longer than another by more than two runs of
// the same system differ: by more than a tenth, and by more than 5 ms.
func slower(a, b time.Duration) bool {
	return a-b > leastLatency && float64(a) > float64(b)*(1+sameLatency)
}

// cost returns the mean cost of a response, or nil if none has one.
func cost(t *columns.Table) *int64 {
	q, ok := CostPerCase(t, stats.DefaultLevel)
	if !ok {
		return nil
	}
	mean := int64(math.Round(q.Value))
	return &mean
}

// A Quantity is what a case cost.
type Quantity struct {
	// N is the number of responses that it is of.
	N     int     `json:"n"`
	Value float64 `json:"value"`
	// CI is the interval for cases like these; nil if the cases are too few.
	CI *stats.Interval `json:"ci"`
}

// CostPerCase returns the mean cost of a response in micro-dollars, with its interval; ok is
// false if none has one, or if one has tokens and no cost: the mean of the others would be too
// low. Draws of a case are one observation.
func CostPerCase(t *columns.Table, level float64) (q Quantity, ok bool) {
	var samples []stats.Sample
	for i := range t.Len() {
		if !t.Responded(i) {
			continue
		}
		s := stats.Sample{Value: float64(t.Cost(i)), Cluster: t.Group(i)}
		if s.Cluster == "" && t.Repeated() {
			s.Cluster = t.Base(i)
		}
		if t.Unpriced(i) {
			return q, false
		}
		ok = ok || s.Value > 0
		samples = append(samples, s)
	}
	if !ok {
		return q, false
	}
	e := stats.Mean(samples, level)
	return Quantity{e.N, e.Mean, e.CI}, true
}
