package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

const (
	// MinLabels is the minimum number of labels for correction or recalibration.
	MinLabels = 30
	// minIsotonic is the minimum number of labels for isotonic recalibration;
	// with fewer it would fit noise.
	minIsotonic = 200
)

// A Recalibration maps a score to the probability that the label is true.
type Recalibration interface {
	// Probability is in 0…1 and does not decrease with the score.
	Probability(score float64) float64
	// Method is "isotonic" or "platt".
	Method() string
}

// Recalibrate fits an isotonic curve to 200 or more labels and a logistic one to
// fewer. It returns an error below 30 labels, if all labels are equal, or if the
// scores do not rise with the labels.
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

// CrossRecalibrate returns the probability of each item under a [Recalibration]
// fitted to the items outside its fold; folds are assigned as in [CrossValidate].
// ok is false with fewer groups than folds, or if a fit fails.
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

// Isotonic is a non-decreasing step function: Scores in ascending order, each
// with the probability that applies up to the next. Below the first score, the
// first probability applies.
type Isotonic struct {
	Scores        []float64 `json:"scores"`
	Probabilities []float64 `json:"probabilities"`
}

// FitIsotonic fits the non-decreasing function nearest to the labels by pooling
// adjacent violators; equal scores are pooled first. The lists must have the same
// length. Scores that are not finite are ignored. Source: Ayer and others, Annals
// of Mathematical Statistics 26, 1955.
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
			// Exact, because sums and counts are whole numbers.
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

// Probability is that of the last step that starts at or below the score; 0 if
// there are no steps.
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

// Method returns "isotonic".
func (*Isotonic) Method() string { return "isotonic" }

// Platt is the logistic curve 1/(1 + exp(−(Slope·score + Intercept))).
type Platt struct {
	Slope     float64 `json:"slope"`
	Intercept float64 `json:"intercept"`
}

// FitPlatt fits a logistic curve by Newton's method to the targets (n₊+1)/(n₊+2)
// and 1/(n₋+2) instead of 1 and 0, which keeps it finite if a score separates the
// labels. ok is false unless both labels occur, the scores are finite and not all
// equal, and the curve rises. Sources: Platt 1999; Lin, Lin and Weng, Machine
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
	// Normalize scores to 0…1, so that the same step sizes fit every scale.
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

// logistic minimizes the cross-entropy, which is convex, by Newton steps that are
// halved until they descend.
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
		// The ridge keeps the matrix invertible and does not move the minimum.
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

// Probability is the value of the curve at the score.
func (p *Platt) Probability(score float64) float64 {
	return 1 / (1 + math.Exp(-(p.Slope*score + p.Intercept)))
}

// Method returns "platt".
func (*Platt) Method() string { return "platt" }
