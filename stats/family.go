package stats

import (
	"cmp"
	"iter"
	"math"
	"slices"
)

// CompareTogether is [CompareBy] for comparisons that are read side by side, such
// as several metrics over the same cases: the probability that any difference is
// called significant although there is none is at most 1 − level. Each is
// significant if PAdjusted is below 1 − level, which is exactly if CI excludes 0.
//
// The statistic of a comparison is |S|/√Σs², where s are the sums of its clusters'
// differences, in the test of [SignedRank] of their signed ranks, and S is the sum
// of these. PAdjusted is the probability, under the sign patterns of the test, that
// the largest statistic is at least the observed one, where the comparisons with a
// larger observed statistic are left out (step-down max-T); it is at least P. All
// comparisons have the same patterns: a case, or a cluster, is flipped in all of
// them together. That accounts for how they depend on each other, so that metrics
// which say nearly the same cost little. Pairs belong together if they have the
// same Cluster or, without one, the same Case; those without either belong to those
// in the same place. Up to 20 clusters that differ in any comparison all patterns
// are counted. Ties count half where they do in [CompareAll]. Comparisons with the same
// statistic have the same PAdjusted, in whatever order they come.
//
// CI are simultaneous intervals: each at the level that the (1 − level)-quantile of
// the largest statistic leaves to its comparison. Where only the step-down test
// rejects, the near end is moved to 0, which is then excluded. The correction
// of two systems is exact if it makes no difference which of the two is called new; of more
// than two it is an approximation, which is close from about 20 clusters on.
//
// Source: Westfall and Young, Resampling-Based Multiple Testing, 1993; Romano and
// Wolf, JASA 100, 2005.
func CompareTogether(test Test, metrics [][]Pair, level float64, seed uint64) []Comparison {
	f := &family{test: test, level: level, seed: seed}
	for _, pairs := range metrics {
		f.add(pairs)
	}
	if f.tested < 2 {
		return CompareBy(test, metrics, level, seed)
	}
	f.decide()
	out := make([]Comparison, len(metrics))
	for i := range f.members {
		out[i] = f.members[i].Comparison
	}
	return out
}

// A family holds comparisons that are tested together.
type family struct {
	test    Test
	level   float64
	seed    uint64
	members []member
	// tested counts the members that have a pair.
	tested int
	// The unit of a cluster, a case, or a place: what is flipped together.
	clusters, cases map[string]int
	places          map[int]int
	units           int
	// kept are the drawn sums by member if they all fit in one batch.
	kept map[int]*flips
}

// A member is a comparison of a family.
type member struct {
	Comparison
	pairs []Pair
	d     differences
	// terms are what the sign patterns flip, size the numbers of pairs, by unit.
	terms, size []float64
	// norm is √Σs² of the terms, t the statistic, slack how much rounding can
	// change it.
	norm, t, slack float64
}

func (f *family) add(pairs []Pair) {
	if f.clusters == nil {
		f.clusters, f.cases, f.places = map[string]int{}, map[string]int{}, map[int]int{}
	}
	m := member{d: subtract(pairs, 0), pairs: finitePairs(pairs)}
	m.Comparison = m.d.describe(f.level)
	if m.N > 0 {
		f.tested++
	}
	at := make([]int, len(m.pairs))
	for i, p := range m.pairs {
		at[i] = f.unit(p, i)
	}
	m.terms, m.size = make([]float64, f.units), make([]float64, f.units)
	steps := m.ranks(f.test)
	for i, u := range at {
		m.terms[u] += steps[i]
		m.size[u]++
	}
	// The sum of a cluster that is a rounding error is 0, as in the test.
	apart := make([]float64, f.units)
	for i, u := range at {
		apart[u] += math.Abs(steps[i])
	}
	total, squares, scale := 0.0, 0.0, 0.0
	for u, s := range m.terms {
		if math.Abs(s) <= tie*apart[u] {
			s, m.terms[u] = 0, 0
		}
		total, squares, scale = total+s, squares+s*s, scale+math.Abs(s)
	}
	if m.norm = math.Sqrt(squares); m.norm > 0 {
		m.t, m.slack = math.Abs(total)/m.norm, leeway(scale)/m.norm
	}
	f.members = append(f.members, m)
}

// unit returns the index of what a pair is flipped with.
func (f *family) unit(p Pair, place int) int {
	switch {
	case p.Cluster != "":
		return indexOf(f.clusters, p.Cluster, &f.units)
	case p.Case != "":
		return indexOf(f.cases, p.Case, &f.units)
	}
	return indexOf(f.places, place, &f.units)
}

func indexOf[K comparable](at map[K]int, key K, next *int) int {
	i, seen := at[key]
	if !seen {
		i = *next
		at[key] = i
		*next++
	}
	return i
}

// ranks returns what the test sums for each pair: its scaled difference, or its
// signed rank.
func (m *member) ranks(test Test) []float64 {
	out := make([]float64, len(m.d.samples))
	for i, s := range m.d.samples {
		out[i] = s.Value
	}
	if test == SignedRank && len(m.d.groups) == len(m.d.samples) {
		return signedRanks(out)
	}
	return out
}

// differing returns the terms of all members in the units in which any of them is
// not 0; ok is false if these are too many to enumerate.
func (f *family) differing() (terms [][]cluster, ok bool) {
	terms = make([][]cluster, len(f.members))
	n := 0
	for u := range f.units {
		if !slices.ContainsFunc(f.members, func(m member) bool { return m.term(u) != 0 }) {
			continue
		}
		if n++; n > exactClusters {
			return nil, false
		}
		for i, m := range f.members {
			terms[i] = append(terms[i], cluster{sum: m.term(u)})
		}
	}
	return terms, true
}

// term is that of a unit, which may have come up after the member was added.
func (m *member) term(u int) float64 {
	if u >= len(m.terms) {
		return 0
	}
	return m.terms[u]
}

// decide fills in the tests, their correction and the intervals.
func (f *family) decide() {
	order := make([]int, len(f.members))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(f.members[a].t, f.members[b].t) })
	// Rounding must not decide between equal statistics.
	next := func(at int) bool {
		a, b := &f.members[order[at-1]], &f.members[order[at]]
		return b.t > a.t+a.slack+b.slack
	}
	var most []float64
	var tied []int
	at := 0
	step := func(i int, p *flips) {
		m := &f.members[i]
		if most == nil {
			most = make([]float64, len(p.sum))
		}
		m.raise(most, p)
		m.tested(p, f.test)
		// All with the same statistic are raised before any is looked at.
		tied = append(tied, i)
		if at++; at == len(order) || next(at) {
			for _, i := range tied {
				f.members[i].PAdjusted = f.members[i].exceeded(most, p)
			}
			tied = nil
		}
	}
	if terms, ok := f.differing(); ok {
		for _, i := range order {
			p := newFlips(terms[i])
			p.exact, p.sum = true, signedSums(terms[i], func(g cluster) float64 { return g.sum })
			step(i, p)
		}
	} else {
		f.draw(order, step)
	}
	above := 0.0
	for to, i := range slices.Backward(order) {
		above, tied = max(above, f.members[i].PAdjusted), append(tied, i)
		if to > 0 && !next(to) {
			continue
		}
		p := above
		for _, i := range tied {
			p = max(p, f.members[i].P)
		}
		for _, i := range tied {
			f.members[i].PAdjusted = p
		}
		tied = nil
	}
	if isLevel(f.level) {
		f.intervals()
	}
}

// raise raises the largest statistic of every pattern to at least the member's.
func (m *member) raise(most []float64, p *flips) {
	if m.norm > 0 {
		for b, s := range p.sum {
			most[b] = max(most[b], math.Abs(s)/m.norm)
		}
	}
}

// exceeded returns the share of patterns in which the largest statistic is as large as the
// observed one.
func (m *member) exceeded(most []float64, p *flips) float64 {
	if m.t <= m.slack {
		return 1
	}
	over, ties := 0, 0
	for _, v := range most {
		switch {
		case v > m.t+m.slack:
			over++
		case v >= m.t-m.slack:
			ties++
		}
	}
	if !m.d.binary {
		return p.share(over + ties)
	}
	return p.midShare(over, ties)
}

// tested fills in the test of the member alone.
func (m *member) tested(p *flips, test Test) {
	if m.N > 0 {
		m.d.judge(&m.Comparison, p)
	}
	m.retest(test, m.pairs)
}

// draw passes on the same random sign patterns of the members in the given order.
func (f *family) draw(order []int, use func(i int, p *flips)) {
	for now := range slices.Chunk(order, batch) {
		drawn := f.kept
		if drawn == nil {
			drawn = f.drawBatch(now)
		}
		if len(order) <= batch {
			f.kept = drawn
		}
		for _, i := range now {
			use(i, drawn[i])
		}
	}
}

func (f *family) drawBatch(now []int) map[int]*flips {
	var terms [][]float64
	add := func(v []float64) int {
		v = append(slices.Clip(v), make([]float64, f.units-len(v))...)
		at := slices.IndexFunc(terms, func(t []float64) bool { return slices.Equal(t, v) })
		if at < 0 {
			at, terms = len(terms), append(terms, v)
		}
		return at
	}
	at := make([][2]int, len(now))
	for k, i := range now {
		at[k] = [2]int{add(f.members[i].terms), add(f.members[i].size)}
	}
	sums := signSums(terms, f.seed)
	out := map[int]*flips{}
	for k, i := range now {
		p := newFlips(f.members[i].d.groups)
		p.sum, p.size = sums[at[k][0]], sums[at[k][1]]
		out[i] = p
	}
	return out
}

// A critical value is what no statistic of a family exceeds with probability 1 − alpha.
type critical struct {
	alpha float64
	// value is the quantile of the largest statistic.
	value float64
	// score is the level that it leaves to an interval which is not from the
	// patterns, least the level that any dependence leaves (Bonferroni).
	score, least float64
}

// newCritical sorts the largest statistics of the patterns.
func newCritical(most []float64, exact bool, alpha float64, tested int) critical {
	c := critical{alpha: alpha, least: alpha / float64(tested)}
	p := &flips{sum: most, exact: exact}
	slices.Sort(most)
	slices.Reverse(most)
	c.value = most[min(p.needed(alpha), len(most))-1]
	// Few clusters have few different statistics. Ties count half here, and the
	// quantile is interpolated: the next larger one alone would be much too large.
	c.score = c.least
	n, last, at := float64(len(most)), 0.0, 0.0
	for from := 0; from < len(most); {
		to := from + 1
		for to < len(most) && most[to] >= most[from]-1e-9 {
			to++
		}
		mid := float64(from+to) / 2 / n
		if mid >= alpha {
			if from > 0 {
				at = most[from] + (at-most[from])*(mid-alpha)/(mid-last)
				c.score = min(alpha, max(c.least, 2*zSurvival(at)))
			}
			break
		}
		last, at, from = mid, most[from], to
	}
	return c
}

// intervals fills in the simultaneous intervals. Their critical value is that of the
// differences from each mean: the test of no difference takes the means for chance,
// and would take metrics that all improve for more alike than they are.
func (f *family) intervals() {
	var most []float64
	exact := false
	f.whole(func(m *member, p *flips) {
		if most == nil {
			most, exact = make([]float64, len(p.sum)), p.exact
		}
		for b, v := range m.centred(p) {
			most[b] = max(most[b], v)
		}
	})
	if most == nil {
		return
	}
	c := newCritical(most, exact, 1-f.level, f.tested)
	flip := false
	for i := range f.members {
		m := &f.members[i]
		switch {
		case !m.bounded():
			m.CI = nil
		case m.Test == StudentT:
			if t, ok := PairedT(changes(m.pairs), 1-c.score); ok {
				m.CI = &t.CI
			}
			m.agree()
		case m.d.scored():
			at := c.score
			if m.norm == 0 || !m.d.binary {
				at = c.least
			}
			m.CI = m.d.boundedOf(c.alpha, at)
			m.agree()
		default:
			flip = true
		}
	}
	defer func() {
		for i := range f.members {
			m := &f.members[i]
			if m.Test != StudentT {
				m.d.widen(&m.Comparison, c.alpha, c.least)
			}
			m.detect(c.score)
		}
	}()
	if flip {
		f.whole(func(m *member, p *flips) {
			if m.Test != StudentT && !m.d.scored() {
				m.flipInterval(p, c)
			}
		})
	}
}

// bounded reports whether the member can have an interval.
func (m *member) bounded() bool { return m.N > 0 && len(m.d.groups) > 1 && m.Test != SignedRank }

// whole passes on the sign patterns of all units, for each member that can have an
// interval.
func (f *family) whole(use func(m *member, p *flips)) {
	var order []int
	for i := range f.members {
		if f.members[i].bounded() {
			order = append(order, i)
		}
	}
	if f.units > exactClusters {
		f.draw(order, func(i int, p *flips) { use(&f.members[i], p) })
		return
	}
	for _, i := range order {
		m := &f.members[i]
		groups := make([]cluster, f.units)
		for u := range m.terms {
			groups[u] = cluster{m.terms[u], m.size[u]}
		}
		use(m, enumerate(groups))
	}
}

// centred yields, for every pattern, the statistic of the differences from their mean.
func (m *member) centred(p *flips) iter.Seq2[int, float64] {
	return func(yield func(int, float64) bool) {
		mean, squares := p.total/p.n, 0.0
		for u, s := range m.terms {
			s -= mean * m.size[u]
			squares += s * s
		}
		norm := math.Sqrt(squares)
		if norm <= tie*m.norm {
			return
		}
		for b, s := range p.sum {
			if !yield(b, math.Abs(s-mean*p.size[b])/norm) {
				return
			}
		}
	}
}

// agree makes the interval agree with the corrected test.
func (m *member) agree() {
	if m.CI != nil {
		agree(m.CI, m.Diff, m.PAdjusted < 1-m.Level)
	}
}

// flipInterval inverts the member's test at the level at which its statistic exceeds
// the critical value.
func (m *member) flipInterval(p *flips, c critical) {
	over := 0
	for _, v := range m.centred(p) {
		if v > c.value+1e-9 {
			over++
		}
	}
	// One whose clusters are too few to reach the critical value would have no
	// interval, but needs none that is wider than Bonferroni's.
	m.CI = m.d.flipOf(p, min(c.alpha, max(c.least, p.share(over+1))))
	if m.CI == nil && m.PAdjusted < c.alpha {
		// Only the step-down test rejects, with too few patterns for the first step.
		m.CI = m.d.flipOf(p, c.alpha)
	}
	m.agree()
}
