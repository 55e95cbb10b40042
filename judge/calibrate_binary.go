package judge

import (
	"fmt"
	"math"
	"slices"

	"github.com/assay-eval/assay/stats"
)

// sampling is how intervals of the items with label and score are computed.
func (c *calibration) sampling() Sampling { return Sampling{c.clusters, c.o.Level, c.o.Seed} }

// binary measures the judge on labels that are yes or no.
func (c *calibration) binary() {
	b := &BinaryCalibration{Threshold: c.o.Threshold, Confusion: stats.Confuse(c.scores, c.truth, c.o.Threshold)}
	c.out.Binary = b
	b.Prevalence = float64(b.Confusion.Positives()) / float64(len(c.both))
	ruled := make([]bool, len(c.scores))
	for i, s := range c.scores {
		ruled[i] = s >= c.o.Threshold
	}
	b.Judge = c.sampling().Agreed(ruled, c.truth)
	b.BalancedAccuracy = c.sampling().Balance(ruled, c.truth).Accuracy
	d := c.sampling().Degrees(c.scores, c.truth)
	b.AUROC, b.Brier, b.ECE = d.AUROC, d.Brier, d.Error
	c.threshold(b)
	c.humans(b)
	if a := b.AUROC; a.CI != nil && a.CI.Hi < 0.5 {
		c.warn("scores fall as labels rise: is label 1 what a high score stands for?")
	}
	if b.Brier.Value == nil && c.o.Threshold > 0 && c.o.Threshold < 1 {
		c.warn("scores are not all in 0…1, and the threshold is %v: is it on their scale (--threshold)?", c.o.Threshold)
	}
}

// threshold finds the score at which the judge agrees best.
func (c *calibration) threshold(b *BinaryCalibration) {
	if p, n := b.Confusion.Positives(), b.Confusion.Negatives(); min(p, n) < minThreshold {
		b.Best.Why = fmt.Sprintf("%d labels of 1 and %d of 0: at least %d of each are needed to choose a threshold", p, n, minThreshold)
		return
	}
	best, ok := stats.BestThreshold(c.scores, c.truth)
	if !ok {
		b.Best.Why = "scores are not finite"
		return
	}
	b.Best.Value, b.Best.Resubstituted = &best.Value, &best.BalancedAccuracy
	held, ok := stats.CrossValidate(c.scores, c.truth, c.clusters, folds, c.o.Seed)
	v, defined := held.BalancedAccuracy()
	if !ok || !defined {
		b.Best.Why = fmt.Sprintf("too few clusters to cross-validate: at least %d are needed, with both labels outside of each fold", folds)
		return
	}
	b.Best.CrossValidated = &v
}

// humans compares the annotators on the items that the judge was held against.
func (c *calibration) humans(b *BinaryCalibration) {
	labels := make([][]*float64, len(c.both))
	for i, r := range c.both {
		labels[i] = r.Labels
	}
	b.Humans = c.sampling().Between(labels, c.isTrue)
}

// badge decides whether the judge is validated.
func (c *calibration) badge() {
	b := c.out.Binary
	if b == nil {
		return
	}
	if c.out.N < MinValidated {
		c.lacks("%d labelled items more (%d of %d)", MinValidated-c.out.N, c.out.N, MinValidated)
	}
	if rarer := min(b.Confusion.Positives(), b.Confusion.Negatives()); rarer < MinRarer {
		c.lacks("%d items more of the rarer label (%d of %d)", MinRarer-rarer, rarer, MinRarer)
	}
	// As few as show no difference between two runs show no agreement either.
	if n, least := stats.Clusters(c.clusters), stats.LeastClusters(1-c.o.Level); n < least {
		c.out.ClustersMissing = least - n
		c.lacks("%d clusters more (%d of %d): items of one cluster say little about others", least-n, n, least)
	}
	if b.Humans == nil {
		c.lacks("the labels of a second person (label2): agreement is measured against that of people")
		return
	}
	// Agreement that chance does not explain, and of people so many pairs that its interval lies above chance.
	people, need := b.Humans.Kappa, MinPairs
	if ci := people.CI; ci != nil && ci.Lo <= 0 && *people.Value > 0 && b.Humans.N < MinValidated {
		if more := math.Pow(1 - ci.Lo / *people.Value, 2); more <= mostPairs {
			need = max(need, int(more*float64(b.Humans.N))+1)
		}
	}
	if b.Humans.N < need {
		c.out.PairsMissing = need - b.Humans.N
		c.lacks("%d pairs more of labels by two people, label and label2 (%d of %d)", c.out.PairsMissing, b.Humans.N, need)
	} else if c.beyondChance(people, "that of people") && c.beyondChance(b.Judge.Kappa, "its kappa with people") {
		c.compare(b)
	}
	c.out.Validated = len(c.out.Lacks) == 0
}

// beyondChance reports whether a kappa is above chance with its interval.
func (c *calibration) beyondChance(kappa Figure, whose string) bool {
	switch {
	case kappa.Value == nil:
		c.lacks("a defined kappa: %s has none", whose)
	case kappa.CI == nil:
		c.lacks("an interval of kappa: %s has none, because there are too few clusters", whose)
	case kappa.CI.Lo <= 0:
		c.lacks("agreement: %s is %.2f (%.2f to %.2f), which can be chance", whose, *kappa.Value, kappa.CI.Lo, kappa.CI.Hi)
	default:
		return true
	}
	return false
}

// compare holds the judge's agreement with people against that of people.
func (c *calibration) compare(b *BinaryCalibration) {
	name, own, people := "kappa", b.Judge.Kappa, b.Humans.Kappa
	if max(b.Prevalence, 1-b.Prevalence) > OneSided {
		name, own, people = "AC1", b.Judge.AC1, b.Humans.AC1
	}
	switch {
	case own.CI == nil || people.CI == nil:
		c.lacks("an interval of %s", name)
	case own.CI.Lo < *people.Value-humanGap:
		c.lacks("agreement: its %s with people is at least %.2f, that of people %.2f (%.2f to %.2f): expected no less than %.2f", name, own.CI.Lo,
			*people.Value, people.CI.Lo, people.CI.Hi, *people.Value-humanGap)
		c.out.Worse = own.CI.Hi < people.CI.Lo
	}
}

// grade measures the judge on graded labels.
func (c *calibration) grade() {
	g := &GradedCalibration{}
	c.out.Graded = g
	for _, l := range c.labels {
		g.Mean += l / float64(len(c.labels))
	}
	if s := c.o.Scale; s != nil && s[1] > 1 && !slices.ContainsFunc(c.labels, func(l float64) bool { return l != 0 && l != 1 }) {
		c.warn("all labels are 0 or 1, as those of yes and no, and count as levels of the scale %d to %d", s[0], s[1])
	}
	const constant = "the labels or the scores are all equal"
	measures := []Measure{
		{&g.Spearman, constant, paired(stats.Spearman, c.scores, c.labels)},
		{&g.Pearson, constant, paired(stats.Pearson, c.scores, c.labels)},
	}
	judged, given, why := c.levels()
	if why != "" {
		g.Kappa.Why = why
	} else {
		measures = append(measures, Measure{&g.Kappa, constant, func(items []int) (float64, bool) {
			return stats.WeightedKappa(Pick(judged, items), Pick(given, items), c.o.Scale[0], c.o.Scale[1], stats.Quadratic)
		}})
	}
	c.sampling().Take(measures...)
	units := make([][]float64, len(c.both))
	for i, r := range c.both {
		for _, l := range r.Labels {
			if l != nil {
				units[i] = append(units[i], *l)
			}
		}
	}
	c.sampling().Take(Measure{&g.Alpha, "no items with the labels of two people, or all are equal", func(items []int) (float64, bool) {
		return stats.Alpha(Pick(units, items), stats.OrdinalDistance)
	}})
	if s := g.Spearman; s.CI != nil && s.CI.Hi < 0 {
		c.warn("scores fall as labels rise: is a high label what a high score stands for?")
	}
}

// levels brings scores of 0…1 and labels onto the declared scale.
func (c *calibration) levels() (judged, given []int, why string) {
	if c.o.Scale == nil {
		return nil, nil, "the scale of the labels is not declared"
	}
	lo, hi := c.o.Scale[0], c.o.Scale[1]
	for i, l := range c.labels {
		if l != math.Trunc(l) || l < float64(lo) || l > float64(hi) {
			return nil, nil, fmt.Sprintf("the label %v of %q is no level of %d to %d", l, c.both[i].Case, lo, hi)
		}
		s := c.scores[i]
		if !c.levelled && !(s >= 0 && s <= 1) {
			return nil, nil, "scores are not all in 0…1"
		}
		judged = append(judged, int(math.Round(c.onScale(s))))
		given = append(given, int(l))
	}
	return judged, given, ""
}

// onScale brings a score of 0…1 onto the declared scale, if there is one.
func (c *calibration) onScale(score float64) float64 {
	if c.o.Scale == nil || c.levelled {
		return score
	}
	return float64(c.o.Scale[0]) + score*float64(c.o.Scale[1]-c.o.Scale[0])
}
