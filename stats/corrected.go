package stats

import (
	"fmt"
	"math"
	"slices"
)

// A Judged is an item that the judge scored and that a person may have labelled. In a comparison of two systems it is
// a case, and both numbers are differences between the systems.
type Judged struct {
	Judge float64
	// Human is nil for an item without a label.
	Human *float64
	// Known is set if Human is certain, as the worst value of a system that failed is: nobody is asked, so that the item
	// is no part of the sample of labels. Its stratum does not count.
	Known bool
	// Cluster is "" for an independent item.
	Cluster string
	// Stratum is the part of the items within which the labelled ones are a random sample, from 0.
	Stratum int
}

// CorrectOptions configure [Correct].
type CorrectOptions struct {
	// Level is the level of the interval; 0 means [DefaultLevel].
	Level float64
	// Range has the smallest and the largest label; nil if there are none. The interval then
	// holds near these ends too, where few labels may all be equal.
	Range *Interval
	// Lambda fixes the weight of the judge, 0…1; nil takes the one that minimizes the variance.
	Lambda *float64
}

// A Corrected is the mean that people would give to all items, estimated from the judge's scores of all and the labels
// of some.
type Corrected struct {
	// Lambda is the weight of the judge, 0…1.
	Lambda float64  `json:"lambda"`
	Mean   float64  `json:"mean"`
	SE     float64  `json:"se"`
	CI     Interval `json:"ci"`
	// DF are the degrees of freedom of Student's quantile.
	DF float64 `json:"df"`
	// Judge is the judge's mean over all items. Human is the mean of the labels alone, weighted by stratum, with the
	// interval that they give without the judge; nil if no two labels differ.
	Judge   float64   `json:"judge"`
	Human   float64   `json:"human"`
	HumanCI *Interval `json:"human_ci"`
	// N is the number of labels, Items that of all items, with those that are known. Strata are without those.
	N      int       `json:"n"`
	Items  int       `json:"items"`
	Strata []Stratum `json:"strata"`
	// of is what [Narrowed] needs.
	of *correction
}

// A Stratum is a part of the items.
type Stratum struct {
	Items  int `json:"items"`
	Labels int `json:"labels"`
	// SD is the standard deviation of label − λ·score among the labelled items: what labels can still tell.
	SD float64 `json:"sd"`
}

const (
	// MinLabels is the smallest number of labels that correct a judge.
	MinLabels = 30
	// MinStratum is the smallest number of labels of a stratum: with fewer, its spread is not known.
	MinStratum = 2
)

// TooFewLabels is the error of [Correct] if labels are missing.
type TooFewLabels struct {
	// N is the number of labels, and More how many are missing at least.
	N, More int
	// Alike is set if there are enough labels, but they do not differ beyond what the judge says.
	Alike bool
}

// Error says how many labels there are, and how many are missing.
func (e *TooFewLabels) Error() string {
	if e.Alike {
		return fmt.Sprintf("%d labels, and all differ from the judge's score in the same way; label until two do not", e.N)
	}
	return fmt.Sprintf("%d labels: %d more are needed", e.N, e.More)
}

// Correct estimates the mean that people would give to the population of which the items are a sample. With W_k the
// share of stratum k among the items, Y the labels and F the judge's scores,
//
//	θ = Σ_k W_k·( λ·mean_k(F of all) + mean_k(Y − λF of the labelled) )
//
// which for one stratum is PPI++ with λ/(1+n/N) in the place of λ, N being the items without a label. λ
// minimizes the variance, and is the same in all strata, because few labels a stratum would fit one of its own too
// closely:
//
//	λ = Σ_k c_k·cov_k(Y,F) / Σ_k c_k·var_k(F of all),  c_k = W_k²·(1/n_k − 1/N_k), clipped to 0…1
//
// The variance is the sum of the squared influences of the clusters (of items, if they are independent), where item i of
// stratum k has
//
//	z_i = (λ·(F_i − mean_k F) + θ_k − θ)/N + [labelled]·(W_k/n_k)·√(n_k/(n_k−1))·(e_i − mean_k e),  e = Y − λF
//
// times G/(G−1) with G clusters that hold labels instead of the root if there are clusters. It counts the labels as a
// sample of the items and the items as a sample of a population, so that with labels of all items it is the variance of
// their mean. Clusters may hold labelled and other items. The quantile is Student's with the degrees of freedom of
// Welch and Satterthwaite over the strata, one less for λ.
//
// The labelled items must be a random sample within each stratum; the share that is labelled may differ between strata.
// A biased judge only widens the interval. Items whose value is known are a stratum of their own, all of it labelled: they
// count as a part of the sample of the population, and not as labels. The error is a [*TooFewLabels] below [MinLabels] labels, unless all items are
// labelled, or below [MinStratum] in a stratum, and if no two labels differ from λ times the score in another way.
//
// Sources: Angelopoulos, Duchi and Zrnic, arXiv 2311.01453 (PPI++); Fisch, Maynez, Hofer, Dhingra, Globerson and Cohen,
// arXiv 2406.04291 (strata); Cochran, Sampling Techniques, 3rd ed., §5.4, §12.2 (strata, samples in two phases).
func Correct(items []Judged, o CorrectOptions) (c Corrected, err error) {
	if o.Level == 0 {
		o.Level = DefaultLevel
	}
	if !isLevel(o.Level) {
		return c, fmt.Errorf("level %v: expected a number between 0 and 1", o.Level)
	}
	if o.Lambda != nil && !(*o.Lambda >= 0 && *o.Lambda <= 1) {
		return c, fmt.Errorf("lambda %v: expected a number from 0 to 1", *o.Lambda)
	}
	t, err := tallied(items)
	if err != nil {
		return c, err
	}
	if err := t.enough(); err != nil {
		return c, err
	}
	t.level, t.possible, c.of = o.Level, o.Range, t
	c.Lambda = t.lambda()
	if o.Lambda != nil {
		c.Lambda = *o.Lambda
	}
	tuned := o.Lambda == nil && c.Lambda > 0
	c.Mean, c.SE, c.DF = t.estimate(c.Lambda, tuned)
	c.N, c.Items, c.Strata = t.n, len(items), t.states(c.Lambda)
	if o.Range == nil && (c.SE <= rounding || t.alike(c.Lambda)) {
		return Corrected{}, &TooFewLabels{N: t.n, Alike: true}
	}
	c.CI = around(c.Mean, c.SE, c.DF, o.Level)
	var se, df float64
	c.Human, se, df = t.estimate(0, false)
	switch {
	case o.Range != nil:
		c.CI = t.within(c.Mean, c.Lambda, c.Strata)
		ci := t.within(c.Human, 0, c.Strata)
		c.HumanCI = &ci
	case se > rounding:
		ci := around(c.Human, se, df, o.Level)
		c.HumanCI = &ci
	}
	for _, s := range t.strata {
		c.Judge += s.share * s.all.mean
	}
	return c, nil
}

// within returns the interval that a corrected mean would have with the labels of the strata,
// if further ones were like those that there are.
func (t *correction) within(mean, lambda float64, strata []Stratum) Interval {
	var items []bag
	var groups []cluster
	scores := make([]Sample, len(t.items))
	least, most := math.Inf(1), math.Inf(-1)
	at := grouping{}
	for i, it := range t.items {
		scores[i] = Sample{it.Judge, it.Cluster}
		least, most = min(least, it.Judge), max(most, it.Judge)
		if it.Human == nil {
			continue
		}
		k := t.stratum(it)
		s, times := t.strata[k], 1.0
		if k != t.known {
			times = float64(strata[k].Labels) / s.human.n
		}
		w := s.share / (s.human.n * times)
		v := w * (*it.Human - lambda*it.Judge)
		items = append(items, bag{v, w, times})
		g := at.index(it.Cluster, len(groups))
		if g == len(groups) {
			groups = append(groups, cluster{})
		}
		groups[g].sum, groups[g].n = groups[g].sum+v, groups[g].n+w
	}
	se, _ := standardError(scores, meanOf(scores))
	return correctedWithin(mean, items, groups, t.possible.Lo-lambda*most, t.possible.Hi-lambda*least,
		zQuantile((1+t.level)/2)*lambda*se, t.level, *t.possible)
}

func around(mean, se, df, level float64) Interval {
	q := TQuantile((1+level)/2, df)
	return Interval{mean - q*se, mean + q*se}
}

// moments of numbers.
type moments struct{ n, mean, ss float64 }

func (m *moments) add(v float64) {
	m.n++
	d := v - m.mean
	m.mean += d / m.n
	m.ss += d * (v - m.mean)
}

func (m moments) variance() float64 {
	if m.n < 2 {
		return 0
	}
	return m.ss / (m.n - 1)
}

// A tallied stratum has the moments that the estimates need.
type talliedStratum struct {
	share float64
	// all are the judge's scores of all items; judge and human those of the labelled ones.
	all, judge, human moments
	// both is the sum of the products of the deviations of labels and scores.
	both float64
}

// residual returns the variance of label − λ·score.
func (s talliedStratum) residual(lambda float64) float64 {
	if s.human.n < 2 {
		return 0
	}
	return max(s.human.ss-2*lambda*s.both+lambda*lambda*s.judge.ss, 0) / (s.human.n - 1)
}

type correction struct {
	items  []Judged
	strata []talliedStratum
	// level is that of the interval, possible the range of the labels.
	level    float64
	possible *Interval
	// n is the number of labels; known is the stratum of the items that are known, which is the last, or −1.
	n, known int
	// clusters is the number of clusters that hold labelled items; clustered is set if one of them has several items.
	clusters  int
	clustered bool
}

func tallied(items []Judged) (*correction, error) {
	t := &correction{items: items, known: -1}
	size := map[string]int{}
	labelled := map[string]bool{}
	most := -1
	for _, it := range items {
		if it.Stratum < 0 || it.Stratum > len(items) {
			return nil, fmt.Errorf("stratum %d: expected a number from 0 to %d", it.Stratum, len(items))
		}
		if !(math.Abs(it.Judge) <= 1e100) || it.Human != nil && !(math.Abs(*it.Human) <= 1e100) {
			return nil, fmt.Errorf("a score or label is no number within ±1e100")
		}
		if it.Known && it.Human == nil {
			return nil, fmt.Errorf("a known item has no value")
		}
		if !it.Known {
			most = max(most, it.Stratum)
		}
	}
	t.strata = make([]talliedStratum, most+1)
	if slices.ContainsFunc(items, func(it Judged) bool { return it.Known }) {
		t.known, t.strata = most+1, append(t.strata, talliedStratum{})
	}
	for _, it := range items {
		s := &t.strata[t.stratum(it)]
		s.all.add(it.Judge)
		s.share += 1 / float64(len(items))
		if it.Cluster != "" {
			size[it.Cluster]++
			t.clustered = t.clustered || size[it.Cluster] > 1
		}
		if it.Human == nil {
			continue
		}
		if !it.Known {
			t.n++
			if it.Cluster == "" || !labelled[it.Cluster] {
				t.clusters++
				labelled[it.Cluster] = true
			}
		}
		before := s.judge.mean
		s.judge.add(it.Judge)
		s.human.add(*it.Human)
		s.both += (it.Judge - before) * (*it.Human - s.human.mean)
	}
	return t, nil
}

// stratum returns the stratum of an item.
func (t *correction) stratum(it Judged) int {
	if it.Known {
		return t.known
	}
	return it.Stratum
}

// asked are the strata whose items are labelled by people.
func (t *correction) asked() []talliedStratum {
	if t.known < 0 {
		return t.strata
	}
	return t.strata[:t.known]
}

// enough returns an error if labels are missing.
func (t *correction) enough() error {
	e := &TooFewLabels{N: t.n}
	rest := 0.0
	for _, s := range t.asked() {
		rest += s.all.n - s.human.n
	}
	if rest > 0 {
		e.More = max(MinLabels-t.n, 0)
	} else {
		e.More = max(2-t.n, 0)
	}
	lacking := 0
	for _, s := range t.strata {
		lacking += max(int(min(MinStratum, s.all.n)-s.human.n), 0)
	}
	e.More = max(e.More, lacking)
	if e.More == 0 && t.clusters < 2 {
		e.More = 1
	}
	if e.More > 0 {
		return e
	}
	return nil
}

func (t *correction) lambda() float64 {
	var both, spread float64
	for _, s := range t.strata {
		if s.human.n < 2 {
			continue
		}
		c := s.share * s.share * (1/s.human.n - 1/s.all.n)
		both += c * s.both / (s.human.n - 1)
		spread += c * s.all.variance()
	}
	if !(spread > 0) || !(both > 0) {
		return 0
	}
	return min(both/spread, 1)
}

// estimate returns the mean, its standard error and the degrees of freedom.
func (t *correction) estimate(lambda float64, tuned bool) (mean, se, df float64) {
	level := make([]float64, len(t.strata))
	for k, s := range t.strata {
		level[k] = lambda*s.all.mean + s.human.mean - lambda*s.judge.mean
		mean += s.share * level[k]
	}
	total := float64(len(t.items))
	sums := make([]float64, 0, len(t.items))
	at := grouping{}
	for _, it := range t.items {
		k := t.stratum(it)
		s := &t.strata[k]
		z := (lambda*(it.Judge-s.all.mean) + level[k] - mean) / total
		if it.Human != nil {
			e := *it.Human - s.human.mean - lambda*(it.Judge-s.judge.mean)
			w := s.share / s.human.n
			if !t.clustered && s.human.n > 1 {
				w *= math.Sqrt(s.human.n / (s.human.n - 1))
			}
			z += w * e
		}
		i := at.index(it.Cluster, len(sums))
		if i == len(sums) {
			sums = append(sums, 0)
		}
		sums[i] += z
	}
	for _, z := range sums {
		se += z * z
	}
	g := float64(t.clusters)
	if t.clustered {
		se *= g / (g - 1)
	}
	return mean, math.Sqrt(se), t.freedom(lambda, tuned)
}

// freedom returns the degrees of freedom: those of the clusters, or of Welch and Satterthwaite over the strata.
func (t *correction) freedom(lambda float64, tuned bool) float64 {
	var sum, parts float64
	for _, s := range t.strata {
		if s.human.n < 2 {
			continue
		}
		v := s.share * s.share * s.residual(lambda) / s.human.n
		sum += v
		parts += v * v / (s.human.n - 1)
	}
	df := float64(t.n - len(t.asked()))
	if welch := sum * sum / parts; isFinite(welch) { // huge values overflow
		df = min(df, welch)
	}
	if t.clustered {
		df = min(df, float64(t.clusters-len(t.asked())))
	}
	if tuned {
		df--
	}
	return max(df, 1)
}

// alike reports whether no two labels of a stratum differ from λ times the score in another way, while items of it have
// no label.
func (t *correction) alike(lambda float64) bool {
	rest := false
	for _, s := range t.strata {
		if s.residual(lambda) > rounding*rounding {
			return false
		}
		rest = rest || s.human.n < s.all.n
	}
	return rest
}

func (t *correction) states(lambda float64) []Stratum {
	out := make([]Stratum, len(t.asked()))
	for k, s := range t.asked() {
		out[k] = Stratum{int(s.all.n), int(s.human.n), math.Sqrt(s.residual(lambda))}
	}
	return out
}
