package summary

import (
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/stats"
)

// Noise is how much the numbers of one system vary by chance alone, and how much of
// that is due to the target and to the judge.
type Noise struct {
	// Draws is how often each case was asked, Judgings how often the first of its
	// responses was judged.
	Draws    int `json:"draws"`
	Judgings int `json:"judgings"`
	// Cases is the number of cases, without repetitions.
	Cases int `json:"cases"`
	// Level is the confidence of the floor and of the comparisons, Power the
	// probability with which a difference should be detected.
	Level float64 `json:"level"`
	Power float64 `json:"power"`
	// Pairs is the number of comparisons of one draw with another.
	Pairs   int           `json:"pairs"`
	Metrics []MetricNoise `json:"metrics"`
	Flaky   []Flaky       `json:"flaky,omitempty"`
	// Repeat is how often each case should be asked so that, with these cases, every
	// metric detects a difference of Effect (a share of its range). It is at most
	// [MostRepeats], and 1 if there is no noise.
	Effect float64 `json:"effect"`
	Repeat int     `json:"repeat"`
}

// Silent reports whether no metric varied at all.
func (n Noise) Silent() bool {
	return !slices.ContainsFunc(n.Metrics, func(m MetricNoise) bool { return m.N > 0 && m.Floor > 0 }) && len(n.Flaky) == 0
}

// MetricNoise is the noise of one metric.
type MetricNoise struct {
	assay.MetricInfo
	// N is the number of cases with a value in two or more draws. If it is 0, no other
	// field means anything.
	N int `json:"n"`
	// Mean is the mean of the cases' means, CI its interval.
	Mean float64         `json:"mean"`
	CI   *stats.Interval `json:"ci"`
	// Cases is the standard deviation of the true values of the cases, Within that of
	// one draw about the value of its case, due to target and judge together.
	Cases  float64 `json:"sd_cases"`
	Within float64 `json:"sd_within"`
	// Target and Judge are the parts of Within: Within² = Target² + Judge², except
	// that negative estimates are 0. They are nil if the parts cannot be separated,
	// because a model judged only once. Rejudged is the number of cases that Judge is
	// estimated from.
	Target   *float64 `json:"sd_target"`
	Judge    *float64 `json:"sd_judge"`
	Rejudged int      `json:"rejudged,omitempty"`
	// Floor is the noise floor: the distance within which the means of two runs of the
	// same system over these cases lie, in a share of Level of all pairs of runs.
	// z·√2·√(Target²+Judge²)/√N.
	Floor float64 `json:"floor"`
	// Shown is the number of comparisons of one draw with another that are
	// significant, each by itself at Level; all of them are false alarms. Largest is
	// the largest difference of means observed.
	Shown   int     `json:"shown"`
	Largest float64 `json:"largest"`
	// Changed is the number of cases whose draws differ.
	Changed int    `json:"changed"`
	Needs   []Need `json:"needs,omitempty"`
}

// A Need is what is needed to detect an effect against the noise.
type Need struct {
	// Effect is a share of the metric's range, or an amount if the range is open.
	Effect float64 `json:"effect"`
	// Cases is the number of cases needed if each is asked once, Repeat how often the
	// present cases must be asked instead; 0 if no number is large enough. Both assume
	// the same difference in every case, so they are lower bounds.
	Cases  int `json:"cases"`
	Repeat int `json:"repeat"`
}

// NoisePlan is what to find out about the noise.
type NoisePlan struct {
	// Effects are shares of a metric's range. Effect is the one among them that the
	// recommendation is for.
	Effects []float64
	Effect  float64
	// Level is the confidence level; Seed seeds the random part of the tests.
	Level float64
	Seed  uint64
	// Judgings is how often the first responses were judged, at least 1. Model is set
	// if a model judges: a single judging then tells nothing about its noise.
	Judgings int
	Model    bool
}

const noisePower = 0.8

// MostRepeats is the largest recommended number of repetitions of a case. Beyond it,
// more cases are better value, because they narrow the intervals too.
const MostRepeats = 10

// NoiseOf splits the variance of repeated draws by the method of moments. records are
// those of a run that asked each case at least twice. again holds further judgings of
// the responses of its first draws, by case, each as a draw of its own.
//
// Let y be the value of a case's draw, s² the mean variance over the draws of a case,
// and j² the mean variance over the judgings of one response. The judge's variance is
// j², the target's max(0, s² − j²), that of the cases max(0, var(case means) −
// s²·mean(1/draws)). This is metrics.md, 3.2, with one more level.
func NoiseOf(metrics []assay.MetricInfo, t, again *columns.Table, p NoisePlan) Noise {
	if again == nil {
		again = columns.Of(nil)
	}
	s := Of(metrics, t, p.Level)
	out := Noise{Judgings: p.Judgings, Cases: t.Distinct(), Level: p.Level, Power: noisePower, Effect: p.Effect, Repeat: 1}
	if s.Repeats == nil {
		return out
	}
	out.Draws, out.Flaky = s.Repeats.Draws, s.Repeats.Flaky
	out.Pairs = out.Draws * (out.Draws - 1) / 2
	for i, m := range metrics {
		n := noiseOf(m, s.Metrics[i], t, again, p)
		n.Changed = s.Repeats.Metrics[i].Changed
		out.Repeat = max(out.Repeat, min(MostRepeats, n.need(p.Effect).Repeat))
		out.Metrics = append(out.Metrics, n)
	}
	out.compare(metrics, t, p)
	return out
}

func noiseOf(m assay.MetricInfo, e Metric, t, again *columns.Table, p NoisePlan) MetricNoise {
	out := MetricNoise{MetricInfo: m, Mean: e.Mean, CI: e.CI}
	var target within
	var means []float64
	var shares float64
	first := map[string]float64{}
	column := t.Metric(m.Name)
	for _, c := range gather(t) {
		values, _ := drawn(m, column, c.rows)
		s, _ := column.Numbers(c.rows[0])
		if v, ok := paired(m, s); ok && t.Responded(c.rows[0]) {
			first[c.base] = v
		}
		if len(values) < 2 {
			continue
		}
		target.add(values)
		means = append(means, meanOf(values))
		shares += 1 / float64(len(values))
	}
	if out.N = len(means); out.N == 0 {
		return out
	}
	s2 := target.variance()
	out.Within = math.Sqrt(s2)
	if out.N > 1 {
		out.Cases = math.Sqrt(max(0, variance(means)-s2*shares/float64(out.N)))
	}
	var judge within
	column = again.Metric(m.Name)
	for _, c := range gather(again) {
		values, _ := drawn(m, column, c.rows)
		if v, ok := first[c.base]; ok && len(values) > 0 {
			judge.add(append(values, v))
			out.Rejudged++
		}
	}
	j2, known := judge.variance(), out.Rejudged > 0
	if !known {
		// Without a judging model, every judging gives the same value.
		known = !p.Model || !m.Judged && m.Name != assay.CompositeName
	}
	total := s2
	if known {
		t, j := math.Sqrt(max(0, s2-j2)), math.Sqrt(j2)
		out.Target, out.Judge = &t, &j
		total = max(s2, j2)
	}
	out.Floor = stats.NoiseFloor(math.Sqrt(total), out.N, p.Level)
	for _, effect := range p.Effects {
		// The difference of two draws has twice the variance of one.
		out.Needs = append(out.Needs, need(m, math.Sqrt(2*total), effect, out.N, 1-p.Level))
	}
	return out
}

// need returns what is needed to detect an effect; it is zero if nothing is known.
func (m MetricNoise) need(effect float64) Need {
	for _, n := range m.Needs {
		if n.Effect == effect {
			return n
		}
	}
	return Need{}
}

// need finds how many cases, or draws of n cases, detect an effect.
func need(m assay.MetricInfo, sd, effect float64, n int, alpha float64) Need {
	out := Need{Effect: effect}
	delta := effect
	if width := m.Range[1] - m.Range[0]; width < math.MaxFloat64 {
		delta *= width
	}
	cases, ok := stats.SampleSize(sd, delta, alpha, noisePower)
	if ok {
		out.Cases, out.Repeat = cases, (cases+n-1)/n
	}
	return out
}

// within accumulates the variance within groups of values.
type within struct {
	ss float64
	df int
}

func (w *within) add(values []float64) {
	if len(values) > 1 {
		w.ss += variance(values) * float64(len(values)-1)
		w.df += len(values) - 1
	}
}

// variance returns the variance, or 0 if nothing is known.
func (w *within) variance() float64 {
	if w.df == 0 {
		return 0
	}
	return w.ss / float64(w.df)
}

func meanOf(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// compare tests every draw against every later one as if they were two systems.
func (n *Noise) compare(metrics []assay.MetricInfo, t *columns.Table, p NoisePlan) {
	draws := make([]*columns.Table, n.Draws)
	for d := range draws {
		draws[d] = t.Where(func(i int) bool { return t.Draw(i) == d })
	}
	for a := range draws {
		for b := a + 1; b < len(draws); b++ {
			pairs := make([][]stats.Pair, len(metrics))
			for i, m := range metrics {
				pairs[i], _ = PairsOf(m, draws[a], draws[b])
			}
			for i, c := range stats.CompareAll(pairs, p.Level, p.Seed) {
				n.Metrics[i].Largest = max(n.Metrics[i].Largest, math.Abs(c.Diff))
				if c.N > 0 && c.P < 1-p.Level {
					n.Metrics[i].Shown++
				}
			}
		}
	}
}

// Hardest returns the metric that needs the most cases to detect a difference of
// Effect, and that need; its Cases is 0 if no number is large enough. ok is false if
// no effect was requested.
func (n Noise) Hardest() (metric string, need Need, ok bool) {
	for _, m := range n.Metrics {
		switch x := m.need(n.Effect); {
		case x.Effect == 0:
		case x.Cases == 0:
			return m.Name, x, true
		case !ok || x.Cases > need.Cases:
			metric, need, ok = m.Name, x, true
		}
	}
	return metric, need, ok
}

// JudgeMoves names the metrics that the judge moves more than the target does.
func (n Noise) JudgeMoves() []string {
	var out []string
	for _, m := range n.Metrics {
		if m.N > 0 && m.Judge != nil && m.Target != nil && *m.Judge > *m.Target {
			out = append(out, m.Name)
		}
	}
	return out
}

// Undivided reports whether the parts of target and judge are unknown for some
// metric, because a model judged each response once.
func (n Noise) Undivided() bool {
	return slices.ContainsFunc(n.Metrics, func(m MetricNoise) bool { return m.N > 0 && m.Target == nil })
}
