package stats

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// A Shift is a place in a series of values where their level changes.
type Shift struct {
	// At is the index of the first value after the change. The values before it are those
	// from index From, those after it end before index To.
	At, From, To int
	// Before and After are the medians of the two groups of values.
	Before, After float64
	// CI is the interval of the difference After − Before; nil if the values are too few.
	CI *Interval
	// P is the p-value, corrected for every place in the series that was looked at.
	P float64
	// Gradual is set if a straight line describes the series better than steps do. At is then
	// its middle.
	Gradual bool
}

const (
	// LeastAside is the number of values that a change must have on either side: one or two
	// that depart are outliers, which cannot be told from a change before there are more.
	LeastAside = 3
	// LeastShifts is the number of values below which no change can be shown: four values
	// that are all above four others have a p-value of 2/70, three and four one of 0.06 and
	// more.
	LeastShifts = 8
	// shiftDraws is the number of orders that a test draws, so that the least p-value is
	// 1/2000.
	shiftDraws = 1999
)

// Shifts returns the changes of level in a series of values, in order. If the values are
// exchangeable, which means that nothing changes, it returns none with a probability of at
// least level. A series with fewer than [LeastShifts] values has none, as has one with a
// value that is not finite.
//
// The statistic is the largest standardised difference of mean ranks of the values before
// and after a place, over all places with [LeastAside] values on both sides; ranks let one
// outlier count as little as it should. Its p-value is the share of random orders of the
// values that have as large a statistic, so that no distribution is assumed and ties are
// allowed for; it is exact apart from the number of orders drawn. If it is significant, the
// series is split there, and both parts are tested again (binary segmentation). A part with
// a share s of the values is tested at s·(1 − level), and its p-value divided by s: the
// parts without a change do not overlap, so that the probability of any false alarm in the
// whole series stays at 1 − level.
//
// The interval of a difference holds the values that the rank test of Mann and Whitney does
// not reject, with the normal quantile and a correction for continuity. It takes the place of
// the change as known: in simulations of steps of three standard deviations, 92 % of 95 %
// intervals hold the step with twelve values on both sides, and 83 % with four behind it.
// Changes in one direction that a straight line describes better
// than the steps, by the residual squares and Schwarz's criterion, are one gradual change.
//
// A change that is undone after a few values can remain unseen. Values that depend on their
// predecessors other than by a change of level, such as those of a slow wave, are not
// exchangeable and raise alarms.
//
// Source: Pettitt, Applied Statistics 28, 1979, with the standardisation of Lombard,
// Technometrics 29, 1987; Hodges and Lehmann, Annals of Mathematical Statistics 34, 1963;
// Phipson and Smyth, Statistical Applications in Genetics and Molecular Biology 9, 2010.
func Shifts(values []float64, level float64, seed uint64) []Shift {
	if len(values) < LeastShifts || !isLevel(level) || !finite(values) {
		return nil
	}
	s := splitter{values: rankable(values), alpha: 1 - level, rng: rand.New(rand.NewPCG(seed, 17))}
	s.split(0, len(values))
	if len(s.found) == 0 {
		return nil
	}
	slices.SortFunc(s.found, func(a, b Shift) int { return cmp.Compare(a.At, b.At) })
	if s.gradual() {
		p := s.found[0].P
		for _, f := range s.found {
			p = min(p, f.P)
		}
		s.found = []Shift{{At: len(values) / 2, P: p, Gradual: true}}
	}
	for i := range s.found {
		f := &s.found[i]
		f.To = len(values)
		if i > 0 {
			f.From = s.found[i-1].At
		}
		if i+1 < len(s.found) {
			f.To = s.found[i+1].At
		}
		f.measure(values, level)
	}
	return s.found
}

type splitter struct {
	values []float64
	alpha  float64
	rng    *rand.Rand
	found  []Shift
}

// split looks for a change in values[from:to], and in both parts if there is one.
func (s *splitter) split(from, to int) {
	n := to - from
	if n < 2*LeastAside {
		return
	}
	order, _ := ranks(s.values[from:to])
	_, observed := widest(order)
	if observed == 0 {
		return
	}
	// Places that ranks do not tell apart are told apart by the values.
	part, nudged := s.values[from:to], slices.Clone(order)
	lo, hi := slices.Min(part), slices.Max(part)
	for i, v := range part {
		nudged[i] += 1e-6 * (v - lo) / (hi - lo)
	}
	at, _ := widest(nudged)
	least := 1
	for range shiftDraws {
		s.rng.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
		if _, x := widest(order); x >= observed-tie*observed {
			least++
		}
	}
	p := float64(least) / (shiftDraws + 1) * float64(len(s.values)) / float64(n)
	if p > s.alpha {
		return
	}
	s.found = append(s.found, Shift{At: from + at, P: p})
	s.split(from, from+at)
	s.split(from+at, to)
}

// widest returns the place with the largest standardised difference of mean ranks, and the
// statistic: |Σ of the first k centred ranks|/√(k(n−k)).
func widest(ranks []float64) (at int, statistic float64) {
	n := len(ranks)
	middle, sum := float64(n+1)/2, 0.0
	for k := 1; k <= n-LeastAside; k++ {
		sum += ranks[k-1] - middle
		if k < LeastAside {
			continue
		}
		if x := sum * sum / float64(k*(n-k)); x > statistic*(1+tie) {
			at, statistic = k, x
		}
	}
	return at, statistic
}

// rankable rounds values, so that those within a rounding error of each other are equal: a
// mean that was summed in another order is the same mean.
func rankable(values []float64) []float64 {
	unit := 0.0
	for _, v := range values {
		unit = max(unit, math.Abs(v)*tie)
	}
	out := slices.Clone(values)
	for i := range out {
		if unit > 0 {
			out[i] = math.Round(out[i] / unit)
		}
	}
	return out
}

// gradual reports whether a straight line describes all values better than the steps found, which have a
// level before and after each: by the residual squares, and by Schwarz's criterion if the steps have more levels
// than the line has parameters. Ranks would make a line of any large step.
func (s *splitter) gradual() bool {
	n := float64(len(s.values))
	ends := []int{0}
	for _, f := range s.found {
		ends = append(ends, f.At)
	}
	ends = append(ends, len(s.values))
	all, steps, was, up, down := mean(s.values), 0.0, 0.0, true, true
	for i := 1; i < len(ends); i++ {
		part := s.values[ends[i-1]:ends[i]]
		level := mean(part)
		for _, v := range part {
			steps += (v - level) * (v - level)
		}
		up, down = up && (i == 1 || level > was), down && (i == 1 || level < was)
		was = level
	}
	if !up && !down {
		return false
	}
	var xy, xx, yy float64
	for i, v := range s.values {
		x, y := float64(i)-(n-1)/2, v-all
		xy, xx, yy = xy+x*y, xx+x*x, yy+y*y
	}
	return n*math.Log((yy-xy*xy/xx)/yy+tie)+2*math.Log(n) < n*math.Log(steps/yy+tie)+float64(1+len(s.found))*math.Log(n)
}

func mean(values []float64) (m float64) {
	for _, v := range values {
		m += v / float64(len(values))
	}
	return m
}

// measure fills in the medians and the interval.
func (f *Shift) measure(values []float64, level float64) {
	before, after := slices.Sorted(slices.Values(values[f.From:f.At])), slices.Sorted(slices.Values(values[f.At:f.To]))
	f.Before, _ = Quantile(before, 0.5)
	f.After, _ = Quantile(after, 0.5)
	n, m := float64(len(before)), float64(len(after))
	k := int(math.Floor(n*m/2 - zQuantile((1+level)/2)*math.Sqrt(n*m*(n+m+1)/12) - 0.5))
	if k < 0 {
		return
	}
	diffs := make([]float64, 0, len(before)*len(after))
	for _, a := range before {
		for _, b := range after {
			diffs = append(diffs, b-a)
		}
	}
	slices.Sort(diffs)
	if !finite(diffs) {
		return
	}
	d := f.After - f.Before
	// The difference of the medians is not the one that the test would estimate; an interval
	// that reaches a little further covers no less.
	f.CI = &Interval{min(diffs[k], d), max(diffs[len(diffs)-1-k], d)}
}

// A Spread is how far values of a series differ from each other without a change of level.
type Spread struct {
	// SD is the standard deviation, N the number of differences between successive values
	// that it is of.
	SD float64
	N  int
	// Half is half of the width of the band around the level in which a value is expected,
	// at the level that was asked for.
	Half float64
}

// LeastSpread is the number of differences below which their spread says too little.
const LeastSpread = 5

// SpreadOf returns the spread of a series from its successive differences, without those
// across the shifts. ok is false if there are fewer than [LeastSpread] of them, or with a
// value that is not finite, or so large that its square is not.
//
// The variance is half of the mean squared difference, so that a slow drift hardly adds to
// it. Differences beyond four robust standard deviations, 1.4826 times the median size of
// a difference, are left out as outliers, at most a third of all, and none if more than
// half of the differences are 0. The band is Student's for a further value around a mean of as many
// values, with the degrees of freedom 2N²/(3N − 1).
//
// Source: von Neumann, Kent, Bellinson and Hart, Annals of Mathematical Statistics 12, 1941.
func SpreadOf(values []float64, shifts []Shift, level float64) (w Spread, ok bool) {
	if !finite(values) || !isLevel(level) {
		return w, false
	}
	var sizes []float64
	for i := 1; i < len(values); i++ {
		if !slices.ContainsFunc(shifts, func(s Shift) bool { return s.At == i && !s.Gradual }) {
			sizes = append(sizes, math.Abs(values[i]-values[i-1]))
		}
	}
	slices.Sort(sizes)
	if len(sizes) < LeastSpread {
		return w, false
	}
	least := len(sizes) - len(sizes)/3
	if typical, _ := Quantile(sizes, 0.5); typical > 0 {
		for len(sizes) > least && sizes[len(sizes)-1] > 4*1.4826*typical {
			sizes = sizes[:len(sizes)-1]
		}
	}
	w.N = len(sizes)
	for _, d := range sizes {
		w.SD += d * d / float64(2*w.N)
	}
	w.SD = math.Sqrt(w.SD)
	n := float64(w.N)
	w.Half = TQuantile((1+level)/2, 2*n*n/(3*n-1)) * w.SD * math.Sqrt(1+1/(n+1))
	if !isFinite(w.Half) {
		return Spread{}, false
	}
	return w, true
}
