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
	labels := make([]stats.Sample, len(c.both))
	for i, item := range c.both {
		labels[i] = stats.Sample{Value: c.worth(c.labels[i]), Cluster: item.Cluster}
	}
	options := stats.CorrectOptions{Level: c.o.Level}
	switch {
	case binary:
		options.Range = &stats.Interval{Lo: 0, Hi: 1}
	case c.o.Scale != nil:
		options.Range = &stats.Interval{Lo: float64(c.o.Scale[0]), Hi: float64(c.o.Scale[1])}
	}
	r.Labels = stats.Mean(labels, c.o.Level)
	if options.Range != nil {
		r.Labels = stats.MeanWithin(labels, *options.Range, c.o.Level)
	}
	items := c.population()
	c.uncorrected(items)

	why := func(format string, args ...any) { r.Why = append(r.Why, fmt.Sprintf(format, args...)) }
	if c.out.N < stats.MinLabels {
		why("uncalibrated: %d labelled items: %d more are needed to correct the judge", c.out.N, stats.MinLabels-c.out.N)
		return
	}
	if len(c.rest) < 2 {
		why("%d items with a score and no label: nothing to correct beyond the labels", len(c.rest))
		return
	}
	p, err := stats.Correct(items, options)
	if err != nil {
		why("the judge cannot be corrected: %v", err)
		return
	}
	r.PPI = &p
	if more, ok := stats.MoreLabels(p, 0.5); ok {
		r.LabelsForHalf = &more
	}
}

// worth is a label as the mean of a run counts it: 0 or 1 if labels are yes or
// no, else its level.
func (c *calibration) worth(label float64) float64 {
	switch {
	case c.out.Binary == nil:
		return label
	case c.isTrue(label):
		return 1
	}
	return 0
}

// population returns the items that have a score, those with a label first, on the scale of
// what labels are worth.
func (c *calibration) population() (items []stats.Judged) {
	// Labels in 0…1 are on the scale of the scores already.
	onScale := func(s float64) float64 { return s }
	if c.out.Binary == nil {
		onScale = c.onScale
	}
	for i, b := range c.both {
		label := c.worth(c.labels[i])
		items = append(items, stats.Judged{Human: &label, Judge: onScale(c.scores[i]), Cluster: b.Cluster})
	}
	for _, u := range c.rest {
		items = append(items, stats.Judged{Judge: onScale(*u.Score), Cluster: u.Cluster})
	}
	return items
}

// uncorrected says what the judge makes of the run.
func (c *calibration) uncorrected(items []stats.Judged) {
	sum, passed, n := 0.0, 0.0, float64(len(items))
	for _, it := range items {
		sum += it.Judge
		if it.Judge >= c.o.Threshold {
			passed++
		}
	}
	c.out.Run.Score = figure(sum/n, true, "")
	c.out.Run.Passed = figure(passed/n, c.out.Binary != nil, "labels are graded")
}

// doubt warns of what may make the figures wrong.
func (c *calibration) doubt() {
	if c.out.Unscored > 0 {
		c.warn("%d labels have no score (%d judge errors): if these are the hard ones, the judge looks better than it is", c.out.Unscored,
			c.out.JudgeErrors)
	}
	if len(c.rest) == 0 {
		return
	}
	if c.out.Run.PPI != nil {
		c.warn("the corrected figures hold only if the labelled cases are a random sample of all")
	}
	var rest []float64
	for _, r := range c.rest {
		rest = append(rest, *r.Score)
	}
	a, va := meanAndVariance(c.scores)
	b, vb := meanAndVariance(rest)
	// A smaller difference is printed as none, or is the rounding of equal scores.
	if d := a - b; math.Abs(d) >= 0.005 && d*d > unlike*unlike*(va+vb) && va+vb > 0 {
		c.out.Unlike = &d
		c.warn("the judge scores the labelled cases %+.2f on average against the others, more than chance allows: they do not look like a "+
			"random sample", d)
	}
}

// meanAndVariance returns a mean and the variance of that mean.
func meanAndVariance(values []float64) (mean, variance float64) {
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
