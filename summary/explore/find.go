package explore

import (
	"cmp"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// A Finding is what looking through the slices of a run came to.
type Finding struct {
	// Looked counts the slices that have enough cases with a value inside and outside, of
	// which each was tested.
	Looked int
	// Cases counts the cases, Valued those that have a value: in a comparison, in both runs.
	Cases, Valued int
	// Level is 1 less the false discovery rate, and the level of the intervals.
	Level float64
	// Departures are the slices that were found and that no slice before them explains. The worse
	// slices come first. What explains most of the variance comes first of these, and last of
	// the better ones.
	Departures []Departure
}

// Size returns roughly how much memory the finding takes, in bytes.
func (f Finding) Size() int {
	size := 100
	for _, d := range f.Departures {
		size += (1 + len(d.Also)) * (300 + 8*len(d.in))
	}
	return size
}

// A Departure is a slice on which the metric departs from the other cases.
type Departure struct {
	Slice
	// Also are slices that share more than nine tenths of the cases, and depart, too.
	Also []Slice
	// N counts the cases of the slice with a value.
	N int
	// Mean is that of the slice, Rest that of the other cases, Diff is Mean − Rest. In a
	// comparison these are means of the changes from the baseline.
	Mean, Rest, Diff float64
	// CI is the interval of Diff, and Within that of Mean in a comparison: nil if the
	// clusters are too few. Both hold for all departures together.
	CI, Within *stats.Interval
	// P is the p-value of the slice alone, Q the one that counts for all slices.
	P, Q float64
	// Worse is set if the metric is worse on the slice than on the others.
	Worse bool
}

// folded is the overlap above which two slices are listed as one.
const folded = 0.9

// Find looks for slices on which a metric departs from the other cases of the run.
func (s *Slices) Find(m assay.MetricInfo, t *columns.Table, level float64) Finding {
	samples := s.samples(t, func(yield func(id string, v float64, group string)) {
		for _, v := range summary.Values(m, t) {
			if v.Known > 0 {
				yield(v.Case, v.Mean, v.Group)
			}
		}
	})
	return s.look(m, samples, level, false)
}

// FindChanges looks for slices on which a metric changes otherwise than on the other cases,
// between a baseline and the run of the slices.
func (s *Slices) FindChanges(m assay.MetricInfo, old, new *columns.Table, level float64) Finding {
	pairs, _ := summary.PairsOf(m, old, new)
	samples := s.samples(new, func(yield func(id string, v float64, group string)) {
		for _, p := range pairs {
			yield(p.Case, p.New-p.Old, p.Cluster)
		}
	})
	return s.look(m, samples, level, true)
}

// A sample is the value of a case.
type sample struct {
	stats.Sample
	// number is that of the case in the table.
	number int
}

// samples numbers the cases of values. They come in the order of the cases, or in any.
func (s *Slices) samples(t *columns.Table, values func(yield func(id string, v float64, group string))) []sample {
	var numbers map[string]int
	next := 0
	var out []sample
	values(func(id string, v float64, group string) {
		for next < len(s.at) && s.at[next] < 0 {
			next++
		}
		k := next
		if k == len(s.at) || t.Base(int(s.at[k])) != id {
			if numbers == nil {
				numbers = make(map[string]int, len(s.at))
				for k, row := range s.at {
					if row >= 0 {
						numbers[t.Base(int(row))] = k
					}
				}
			}
			at, ok := numbers[id]
			if !ok {
				return
			}
			k = at
		}
		next = k + 1
		out = append(out, sample{stats.Sample{Value: v, Cluster: group}, k})
	})
	return out
}

// look tests every slice against the other cases. The p-values are corrected by
// [stats.BenjaminiHochberg]. Slices overlap, so that the tests depend on each other: of
// statistics that depend positively the rate holds (Benjamini and Yekutieli, Ann. Stat. 29,
// 2001), and for two-sided tests of correlated means simulations find it no larger
// (Reiner-Benaim, Biom. J. 49, 2007), as do the tests of this package. The intervals are
// those of the same rate (Benjamini and Yekutieli, JASA 100, 2005).
func (s *Slices) look(m assay.MetricInfo, samples []sample, level float64, changes bool) Finding {
	out := Finding{Level: level, Valued: len(samples)}
	for _, row := range s.at {
		if row >= 0 {
			out.Cases++
		}
	}
	plain := make([]stats.Sample, len(samples))
	for i, x := range samples {
		plain[i] = x.Sample
	}
	whole, differ := stats.NewWhole(plain)
	var looked []Departure
	var p []float64
	at, contrasts := []int32{}, []stats.Contrast{}
	for i := range s.list {
		one := &s.list[i]
		at = one.positions(samples, at[:0])
		if len(at) < LeastCases || len(samples)-len(at) < LeastCases {
			continue
		}
		out.Looked++
		if !differ {
			continue
		}
		c := whole.Part(at)
		looked = append(looked, Departure{Slice: *one, N: c.N, Mean: c.Mean, Rest: c.RestMean, Diff: c.Diff, P: c.P,
			Worse: (c.Diff > 0) == (m.Better == "lower")})
		p, contrasts = append(p, c.P), append(contrasts, c)
	}
	found := 0
	adjusted := stats.BenjaminiHochberg(p)
	for i := range looked {
		looked[i].Q = adjusted[i]
		if adjusted[i] < 1-level {
			found++
		}
	}
	corrected := 1 - (1-level)*float64(found)/float64(max(1, len(p)))
	for i := range looked {
		d := &looked[i]
		if d.Q >= 1-level {
			continue
		}
		widest := widthOf(m)
		if changes {
			at = d.positions(samples, at[:0])
			d.Within = withinOf(plain, at, corrected, widest)
			widest *= 2
		}
		d.CI = contrasts[i].Interval(corrected, widest, true)
		out.Departures = append(out.Departures, *d)
	}
	out.explain(samples)
	return out
}

// positions appends the positions of the samples that the slice has.
func (s *Slice) positions(samples []sample, to []int32) []int32 {
	for i, x := range samples {
		if s.has(x.number) {
			to = append(to, int32(i))
		}
	}
	return to
}

// withinOf returns the interval of the mean of some values, nil if there is none.
func withinOf(all []stats.Sample, at []int32, level, widest float64) *stats.Interval {
	part := make([]stats.Sample, len(at))
	for i, k := range at {
		part[i] = all[k]
	}
	t, ok := stats.PairedT(part, level)
	if !ok || t.Constant {
		return nil
	}
	ci := t.CI.Clip(-widest, widest)
	return &ci
}

// widthOf is the distance between the ends of a metric's range.
func widthOf(m assay.MetricInfo) float64 {
	if !summary.Bounded(m) {
		return math.MaxFloat64 / 4
	}
	return m.Range[1] - m.Range[0]
}

// explain lists the departures that those already listed do not explain. It starts with the
// slice that explains most of the variance, so that large slices come before their fragments.
// Then it centers the values inside and outside of that slice and tests the others again: what
// departed only because it lies in a listed slice, or outside of one, is dropped. p-values are
// corrected for all looked slices each time.
func (f *Finding) explain(samples []sample) {
	left := make([]stats.Sample, len(samples))
	for i, x := range samples {
		left[i] = x.Sample
	}
	rest := f.Departures
	f.Departures = nil
	var better []Departure
	for len(rest) > 0 {
		d := f.strongest(rest)
		rest = slices.DeleteFunc(rest, func(r Departure) bool {
			same := r.Worse == d.Worse && r.overlap(&d.Slice) > folded
			if same && !slices.Equal(r.in, d.in) {
				d.Also = append(d.Also, r.Slice)
			}
			return same
		})
		if d.Worse {
			f.Departures = append(f.Departures, d)
		} else {
			better = append(better, d)
		}
		rest = f.unexplained(&d.Slice, samples, left, rest)
	}
	slices.Reverse(better)
	f.Departures = append(f.Departures, better...)
}

// strongest returns the departure that explains most of the variance, or one of nearly the
// same cases whose kind says more. Of a slice and the other cases it returns the worse.
func (f *Finding) strongest(of []Departure) Departure {
	explains := func(d Departure) float64 { return d.Diff * d.Diff * float64(d.N) * float64(f.Valued-d.N) }
	best := slices.MaxFunc(of, func(a, b Departure) int {
		if x, y := explains(a), explains(b); math.Abs(x-y) > 1e-9*x {
			return cmp.Compare(x, y)
		}
		return summary.TrueFirst(b.Worse, a.Worse)
	})
	// The list is in the order of the kinds.
	i := slices.IndexFunc(of, func(d Departure) bool { return d.Worse == best.Worse && d.overlap(&best.Slice) > folded })
	return of[i]
}

// unexplained centers the values left inside and outside of a listed slice, and returns the
// departures of which a difference is left.
func (f *Finding) unexplained(listed *Slice, samples []sample, left []stats.Sample, of []Departure) []Departure {
	var sum, n [2]float64
	side := func(i int) int {
		if listed.has(samples[i].number) {
			return 1
		}
		return 0
	}
	for i := range left {
		sum[side(i)] += left[i].Value
		n[side(i)]++
	}
	for i := range left {
		left[i].Value -= sum[side(i)] / n[side(i)]
	}
	whole, differ := stats.NewWhole(left)
	if !differ {
		return nil
	}
	// Slices that did not depart stay in the correction, with p = 1.
	p := make([]float64, f.Looked)
	for i := range p {
		p[i] = 1
	}
	signs := make([]bool, len(of))
	var at []int32
	for i := range of {
		at = of[i].positions(samples, at[:0])
		c := whole.Part(at)
		p[i], signs[i] = c.P, (c.Diff > 0) == (of[i].Diff > 0)
	}
	adjusted := stats.BenjaminiHochberg(p)
	out := of[:0]
	for i, d := range of {
		if signs[i] && adjusted[i] < 1-f.Level {
			out = append(out, d)
		}
	}
	return out
}
