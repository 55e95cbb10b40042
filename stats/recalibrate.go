package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

const (
	// MinLabels is the number of labels below which nothing is corrected or
	// recalibrated (metrics.md §3.4).
	MinLabels = 30
	// minIsotonic is the number of labels from which recalibration may follow
	// any rising curve; with fewer it would follow the noise (metrics.md §3.5).
	minIsotonic = 200
)

// A Recalibration turns a score into the probability that the label is true.
type Recalibration interface {
	// Probability is in 0…1 and never falls as the score rises.
	Probability(score float64) float64
	// Method is "isotonic" or "platt".
	Method() string
}

// Recalibrate fits an isotonic curve to 200 or more labels and a logistic one to
// fewer. It refuses below 30 labels, with one label only, and where scores fall
// as labels rise.
func Recalibrate(scores []float64, labels []bool) (Recalibration, error) {
	c := Confuse(scores, labels, math.Inf(-1))
	switch {
	case len(labels) < MinLabels:
		return nil, fmt.Errorf("%d labels: want at least %d to recalibrate", len(labels), MinLabels)
	case c.Positives() == 0 || c.Negatives() == 0:
		return nil, fmt.Errorf("all %d labels are equal: want both", len(labels))
	case len(labels) >= minIsotonic:
		return FitIsotonic(scores, labels), nil
	}
	p, ok := FitPlatt(scores, labels)
	if !ok {
		return nil, fmt.Errorf("the scores do not rise with the labels: nothing to recalibrate")
	}
	return p, nil
}

// CrossRecalibrate gives each item the probability by a [Recalibration] that was
// fitted to the items outside its fold, dealt as in [CrossValidate]. It is not ok
// with fewer groups than folds, and where the items outside a fold cannot be
// fitted.
func CrossRecalibrate(scores []float64, labels []bool, groups []string, folds int, seed uint64) (probabilities []float64, ok bool) {
	probabilities = make([]float64, len(scores))
	ok = heldOut(scores, labels, groups, folds, seed, func(s []float64, l []bool) (func(i int), bool) {
		r, err := Recalibrate(s, l)
		return func(i int) { probabilities[i] = r.Probability(scores[i]) }, err == nil
	})
	if !ok {
		return nil, false
	}
	return probabilities, true
}

// Isotonic is a rising step function: Scores in order, with the probability from
// each up to the next. Below the first it is that of the first.
type Isotonic struct {
	Scores        []float64 `json:"scores"`
	Probabilities []float64 `json:"probabilities"`
}

// FitIsotonic fits the rising function nearest to the labels by pooling adjacent
// violators; equal scores are pooled first. The lists are of one length. A score
// that is not finite is left out. Source:
// Ayer and others, Annals of Mathematical Statistics 26, 1955.
func FitIsotonic(scores []float64, labels []bool) *Isotonic {
	var order []int
	for i, s := range scores {
		if isFinite(s) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(scores[a], scores[b]) })
	type block struct{ score, sum, n float64 }
	var blocks []block
	for k, i := range order {
		if k > 0 && scores[i] == scores[order[k-1]] {
			last := &blocks[len(blocks)-1]
			last.sum += one(labels[i])
			last.n++
			continue
		}
		blocks = append(blocks, block{scores[i], one(labels[i]), 1})
	}
	var pooled []block
	for _, b := range blocks {
		for len(pooled) > 0 {
			// In whole numbers: sums and counts are.
			last := pooled[len(pooled)-1]
			if last.sum*b.n < b.sum*last.n {
				break
			}
			b = block{last.score, last.sum + b.sum, last.n + b.n}
			pooled = pooled[:len(pooled)-1]
		}
		pooled = append(pooled, b)
	}
	iso := &Isotonic{}
	for _, b := range pooled {
		iso.Scores = append(iso.Scores, b.score)
		iso.Probabilities = append(iso.Probabilities, b.sum/b.n)
	}
	return iso
}

// Probability is that of the last step which begins at or below the score; 0 for
// a fit to nothing.
func (f *Isotonic) Probability(score float64) float64 {
	if len(f.Scores) == 0 {
		return 0
	}
	i, found := slices.BinarySearch(f.Scores, score)
	if !found {
		i = max(0, i-1)
	}
	return f.Probabilities[i]
}

// Method is "isotonic".
func (*Isotonic) Method() string { return "isotonic" }

// Platt is the logistic curve 1/(1 + exp(−(Slope·score + Intercept))).
type Platt struct {
	Slope     float64 `json:"slope"`
	Intercept float64 `json:"intercept"`
}

// FitPlatt fits a logistic curve by Newton's method to targets (n₊+1)/(n₊+2) and
// 1/(n₋+2) in place of 1 and 0, which keeps it finite where a score separates the
// labels. It is not ok unless both labels occur, the scores are finite and not
// all equal, and the curve rises. Sources: Platt 1999; Lin, Lin and Weng, Machine
// Learning 68, 2007.
func FitPlatt(scores []float64, labels []bool) (p *Platt, ok bool) {
	c := Confuse(scores, labels, math.Inf(-1))
	if c.Positives() == 0 || c.Negatives() == 0 {
		return nil, false
	}
	lo, hi := slices.Min(scores), slices.Max(scores)
	if !(hi > lo) || math.IsInf(hi-lo, 0) {
		return nil, false
	}
	high := float64(c.Positives()+1) / float64(c.Positives()+2)
	low := 1 / float64(c.Negatives()+2)
	// Scores are brought to 0…1, so that one scale of steps fits all.
	x, y := make([]float64, len(scores)), make([]float64, len(scores))
	for i, s := range scores {
		x[i] = (s - lo) / (hi - lo)
		y[i] = low
		if labels[i] {
			y[i] = high
		}
	}
	a, b := logistic(x, y)
	p = &Platt{Slope: a / (hi - lo), Intercept: b - a*lo/(hi-lo)}
	if !(a > 0 && isFinite(p.Slope) && isFinite(p.Intercept)) {
		return nil, false
	}
	return p, true
}

// logistic minimises the cross-entropy, which is convex, by Newton's steps that
// are halved until they go down.
func logistic(x, y []float64) (a, b float64) {
	loss := func(a, b float64) float64 {
		sum := 0.0
		for i, v := range x {
			z := a*v + b
			// log(1+exp(z)) − y·z, without overflow.
			sum += max(z, 0) + math.Log1p(math.Exp(-math.Abs(z))) - y[i]*z
		}
		return sum
	}
	now := loss(0, 0)
	for range 100 {
		// The ridge keeps the matrix invertible, and does not move the minimum.
		const ridge = 1e-12
		haa, hbb, hab, ga, gb := ridge, ridge, 0.0, 0.0, 0.0
		for i, v := range x {
			p := 1 / (1 + math.Exp(-(a*v + b)))
			w := p * (1 - p)
			haa, hab, hbb = haa+w*v*v, hab+w*v, hbb+w
			ga, gb = ga+(p-y[i])*v, gb+(p-y[i])
		}
		if math.Abs(ga) < 1e-10 && math.Abs(gb) < 1e-10 {
			break
		}
		det := haa*hbb - hab*hab
		da, db := -(hbb*ga-hab*gb)/det, -(haa*gb-hab*ga)/det
		step := 1.0
		for ; step > 1e-10; step /= 2 {
			if next := loss(a+step*da, b+step*db); next < now {
				a, b, now = a+step*da, b+step*db, next
				break
			}
		}
		if step <= 1e-10 {
			break
		}
	}
	return a, b
}

// Probability is the height of the curve at the score.
func (p *Platt) Probability(score float64) float64 {
	return 1 / (1 + math.Exp(-(p.Slope*score + p.Intercept)))
}

// Method is "platt".
func (*Platt) Method() string { return "platt" }
