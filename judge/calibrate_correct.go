package judge

import (
	"fmt"
	"math"

	"github.com/assay-eval/assay/stats"
)

// correct estimates what people would say of all items that have a score.
func (c *calibration) correct() {
	r := &c.out.Run
	binary := c.out.Binary != nil
	value := func(label float64) float64 {
		if !binary {
			return label
		}
		if c.isTrue(label) {
			return 1
		}
		return 0
	}
	var labels []stats.Sample
	for _, i := range c.all {
		labels = append(labels, stats.Sample{Value: value(*i.first()), Cluster: i.Cluster})
	}
	r.Labels = stats.Mean(labels, c.o.Level)

	// Labels in 0…1 are on the scale of the scores already.
	onScale := func(s float64) float64 { return s }
	if !binary {
		onScale = c.onScale
	}
	var sum float64
	var labelled []stats.Labelled
	passed := 0
	count := func(score float64) {
		sum += onScale(score)
		if score >= c.o.Threshold {
			passed++
		}
	}
	for i, b := range c.both {
		labelled = append(labelled, stats.Labelled{Human: value(c.labels[i]), Judge: onScale(c.scores[i]), Cluster: b.Cluster})
		count(c.scores[i])
	}
	var rest []stats.Sample
	for _, u := range c.rest {
		rest = append(rest, stats.Sample{Value: onScale(*u.Score), Cluster: u.Cluster})
		count(*u.Score)
	}
	n := len(labelled) + len(rest)
	r.Score = figure(sum/float64(n), true, "")
	share := float64(passed) / float64(n)
	r.Passed = figure(share, binary, "labels are graded")

	why := func(format string, args ...any) { r.Why = append(r.Why, fmt.Sprintf(format, args...)) }
	if c.out.N < stats.MinLabels {
		why("uncalibrated: %d labelled items: want %d more to correct the judge", c.out.N, stats.MinLabels-c.out.N)
		return
	}
	if len(rest) < 2 {
		why("%d items with a score and no label: nothing to correct beyond the labels", len(rest))
	} else if p, ok := stats.PPI(labelled, rest, stats.PPIOptions{Level: c.o.Level}); ok {
		r.PPI = &p
	} else {
		why("PPI++: all items are of one cluster")
	}
	if !binary {
		return
	}
	if g, ok := stats.RoganGladen(share, n, c.out.Binary.Confusion, c.o.Level); ok {
		r.RoganGladen = &g
	} else {
		why("Rogan–Gladen: at %v the judge is no better than chance, or one label is missing", c.o.Threshold)
	}
}

// doubt warns of what may make the figures wrong.
func (c *calibration) doubt() {
	if c.out.Unscored > 0 {
		c.warn("%d labels have no score (%d judge errors): if these are the hard ones, the judge looks better than it is", c.out.Unscored, c.out.JudgeErrors)
	}
	if len(c.rest) == 0 {
		return
	}
	c.warn("the corrected figures hold only if the labelled cases are a random sample of all")
	var rest []float64
	seen := map[string]bool{}
	for _, r := range c.rest {
		rest = append(rest, *r.Score)
		seen[r.Cluster] = true
	}
	a, va := meanAndError(c.scores)
	b, vb := meanAndError(rest)
	if d := a - b; d*d > unlike*unlike*(va+vb) && va+vb > 0 {
		c.warn("the judge scores the labelled cases %+.2f on average against the others, more than chance allows: they do not look like a random sample", d)
	}
	for _, cluster := range c.clusters {
		if cluster != "" && seen[cluster] {
			c.warn("some clusters, such as %q, have labelled and unlabelled cases: the interval of PPI++ is a little off", cluster)
			break
		}
	}
}

// meanAndError gives the mean and its variance.
func meanAndError(values []float64) (mean, variance float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	if n < 2 {
		return mean, math.Inf(1)
	}
	for _, v := range values {
		variance += (v - mean) * (v - mean) / (n - 1) / n
	}
	return mean, variance
}
