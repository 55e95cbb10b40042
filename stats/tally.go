package stats

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// resampledClusters is the largest number of clusters of a pooled ratio that are all
// resampled.
const resampledClusters = 2_000

// A Tally collects the counts of independent cases for a pooled ratio. It keeps equal
// counts once, so that its memory grows with the number of different counts. The zero
// value is empty.
type Tally struct {
	// first are the first counts, in order.
	first []ratioCount
	times map[ratioCount]int
	n     int
	// broken is set by a count that is not finite.
	broken bool
}

// Add adds the counts of a case, such as errors and words.
func (t *Tally) Add(num, den float64) {
	if !isFinite(num) || !isFinite(den) {
		t.broken = true
		return
	}
	c := ratioCount{num, den}
	if len(t.first) < resampledClusters {
		t.first = append(t.first, c)
	}
	if t.times == nil {
		t.times = map[ratioCount]int{}
	}
	t.times[c]++
	t.n++
}

// Ratio returns the interval of [PooledRatio] for all counts of a ratio from 0 on, each a cluster of its own.
//
// Up to 2,000 counts it is the same interval. Above, its bounds are
// the quantiles of the same bootstrap distribution from an Edgeworth expansion. A
// resample's ratio is at most x if and only if its sum of Num − x·Den is at most 0
// (Davison, Hinkley, Bootstrap Methods and their Application, 1997, section 9.5). That sum
// is of independent draws, and its distribution is expanded to terms of order 1/n (Hall,
// The Bootstrap and Edgeworth Expansion, 1992, section 2.4). The bounds have no Monte Carlo
// error, and differ from those of infinitely many resamples by less than that of 10,000,
// which is about 1 % of the interval's width.
//
// The expansion is used if the sum's skewness is at most 0.1. It is larger if, say, fewer
// than a hundred of all counts have a Num. Then there are 10,000 resamples, which draw how many are
// of the counts that have a Num, and then these; the Den of the others has its normal
// limit if the skewness of its sum is at most 0.1, and is drawn else.
func (t *Tally) Ratio(level float64, seed uint64) *Interval {
	if t.n < 2 || t.broken || !isLevel(level) {
		return nil
	}
	if t.n <= resampledClusters {
		counts := make([]Count, t.n)
		for i, c := range t.first {
			counts[i] = Count{Num: c.num, Den: c.den}
		}
		return PooledRatio(counts, Interval{0, math.MaxFloat64}, level, seed)
	}
	all := make([]repeated, 0, len(t.times))
	for c, n := range t.times {
		all = append(all, repeated{c, float64(n)})
	}
	slices.SortFunc(all, func(a, b repeated) int { return cmp.Or(cmp.Compare(a.num, b.num), cmp.Compare(a.den, b.den)) })
	ci, ok := expandedRatio(all, level)
	if !ok {
		ci = sparseRatio(all, float64(t.n), level, seed)
	}
	ci.holdRare(all, level, false)
	return ci
}

// repeated is a count with the number of cases that have it.
type repeated struct {
	ratioCount
	times float64
}

// mostSkewed bounds the skewness of a sum whose distribution is expanded. Terms that the
// expansion lacks are then below its cube.
const mostSkewed = 0.1

// jointMoments are the moments about the means of a count's error e = Num − R·Den and its Den,
// of the ratio R of all: [p][q] is the mean of e^p (Den − mean)^q.
type jointMoments [5][5]float64

// expandedRatio returns the interval by Edgeworth expansion. ok is false if it may be
// inaccurate.
func expandedRatio(all []repeated, level float64) (ci *Interval, ok bool) {
	var n, num, den float64
	for _, c := range all {
		n, num, den = n+c.times, num+c.times*c.num, den+c.times*c.den
	}
	ratio, mean := num/den, den/n
	if !(den > 0) || !isFinite(ratio) {
		return nil, false
	}
	var m jointMoments
	for _, c := range all {
		e, d := c.num-ratio*c.den, c.den-mean
		for p, ep := 0, c.times/n; p <= 4; p, ep = p+1, ep*e {
			for q, term := 0, ep; p+q <= 4; q, term = q+1, term*d {
				m[p][q] += term
			}
		}
	}
	if m[2][0] <= 1e-24*ratio*ratio*mean*mean {
		return nil, true
	}
	// Resamples whose Den are 0 must be as good as impossible.
	const surelyPositive = 8
	if mean*math.Sqrt(n) < surelyPositive*math.Sqrt(m[0][2]) {
		return nil, false
	}
	lo, okLo := m.quantile((1-level)/2, n, mean)
	hi, okHi := m.quantile((1+level)/2, n, mean)
	if !okLo || !okHi || !isFinite(lo) || !isFinite(hi) {
		return nil, false
	}
	return &Interval{ratio + lo, ratio + hi}, true
}

// quantile returns the quantile p of the ratio of a resample of n, as the difference h from
// the ratio of all. The sum of e − h·(Den − mean) − h·mean is then at most 0 with the
// probability p.
func (m *jointMoments) quantile(p, n, mean float64) (h float64, ok bool) {
	// The moments hardly depend on h: each round gains digits of √n.
	const rounds = 20
	for range rounds {
		sd := math.Sqrt(m.about(h, 2))
		skewness, excess := m.about(h, 3)/(sd*sd*sd)/math.Sqrt(n), (m.about(h, 4)/(sd*sd*sd*sd)-3)/n
		if !(math.Abs(skewness) <= mostSkewed && math.Abs(excess) <= mostSkewed*mostSkewed) {
			return 0, false
		}
		h = edgeworthQuantile(p, skewness, excess) * sd / math.Sqrt(n) / mean
	}
	return h, true
}

// about returns the moment of e − h·(Den − mean) of an order.
func (m *jointMoments) about(h float64, order int) float64 {
	sum, factor := 0.0, 1.0
	for q := range order + 1 {
		sum += factor * m[order-q][q]
		// The next binomial coefficient, and power of −h.
		factor *= -h * float64(order-q) / float64(q+1)
	}
	return sum
}

// edgeworthQuantile returns the quantile of a standardised sum with a skewness and an excess
// kurtosis, by the expansion of Cornish and Fisher to the order of the expansion above.
func edgeworthQuantile(p, skewness, excess float64) float64 {
	z := zQuantile(p)
	return z + skewness*(z*z-1)/6 + excess*(z*z*z-3*z)/24 - skewness*skewness*(2*z*z*z-5*z)/36
}

// sparseRatio is the interval by resampling, of counts few of which differ from 0 in Num.
func sparseRatio(all []repeated, n, level float64, seed uint64) *Interval {
	var drawn, others []repeated
	var rest float64
	var den sampleMoments
	for _, c := range all {
		switch {
		case c.num != 0:
			drawn = append(drawn, c)
		case c.den != 0:
			others = append(others, c)
			fallthrough
		default:
			rest += c.times
			den.add(c.den, c.times)
		}
	}
	normal := rest > 0 && den.skewness() <= mostSkewed
	if !normal {
		drawn = append(drawn, others...)
	}
	// list has each count that is drawn as often as there are cases with it.
	var list []ratioCount
	for _, c := range drawn {
		for range int(c.times) {
			list = append(list, c.ratioCount)
		}
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	count := newBinomialDraw(int(n), float64(len(list))/n)
	return ratiosOf(level, func() (num, sum float64) {
		k := float64(count.draw(rng))
		for range int(k) {
			c := list[rng.IntN(len(list))]
			num, sum = num+c.num, sum+c.den
		}
		if normal {
			sum += (n-k)*den.mean() + math.Sqrt((n-k)*den.variance())*rng.NormFloat64()
		}
		return num, sum
	})
}

// sampleMoments are the sums of powers of values.
type sampleMoments struct{ n, sum, squares, cubes float64 }

func (m *sampleMoments) add(v, times float64) {
	m.n, m.sum, m.squares, m.cubes = m.n+times, m.sum+times*v, m.squares+times*v*v, m.cubes+times*v*v*v
}

func (m *sampleMoments) mean() float64 { return m.sum / m.n }

func (m *sampleMoments) variance() float64 { return max(0, m.squares/m.n-m.mean()*m.mean()) }

// skewness returns the size of the skewness of the sum of as many values.
func (m *sampleMoments) skewness() float64 {
	sd, mean := math.Sqrt(m.variance()), m.mean()
	if sd <= 1e-9*math.Abs(mean) {
		return 0
	}
	return math.Abs(m.cubes/m.n-3*mean*m.squares/m.n+2*mean*mean*mean) / (sd * sd * sd) / math.Sqrt(m.n)
}
