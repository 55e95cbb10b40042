package draw

import (
	"html/template"
	"iter"
	"slices"
)

// A Histogram counts values in bins on an axis. Below it, on the same axis, is
// the mean with its interval.
type Histogram struct {
	Values iter.Seq[float64]
	// Lo and Hi are the ends of the axis.
	Lo, Hi float64
	// Failed counts cases without a value, which are shown hatched in the first bin.
	Failed      int
	FailedTitle string
	// Bin describes a bin by its ends and the number of its values.
	Bin func(from, to float64, n int) string
	// Mean is nil when there is none; CI is its interval, Bounds what it could
	// be where values are missing.
	Mean       *float64
	CI, Bounds *Span
	MeanTitle  string
	// Threshold is a vertical line; nil for none.
	Threshold *float64
	Label     string
}

const bins = 20

// SVG draws the histogram.
func (h Histogram) SVG() template.HTML {
	c := &canvas{width: 380, height: 58}
	x := scale{h.Lo, h.Hi, 8, 372}
	var count [bins]int
	for v := range h.Values {
		count[min(max(int((v-h.Lo)/(h.Hi-h.Lo)*bins), 0), bins-1)]++
	}
	most := max(count[0]+h.Failed, slices.Max(count[:]), 1)
	step := (x.to - x.from) / bins
	for i, n := range count {
		tall := barHeight(n, most, 28)
		base := 32.0
		if i == 0 && h.Failed > 0 {
			f := barHeight(h.Failed, most, 28)
			c.rect("err", x.from, base-f, step-1, f, h.FailedTitle)
			base -= f
		}
		if n > 0 {
			from, to := h.Lo+float64(i)*(h.Hi-h.Lo)/bins, h.Lo+float64(i+1)*(h.Hi-h.Lo)/bins
			c.rect("bar", x.from+float64(i)*step, base-tall, step-1, tall, h.Bin(from, to, n))
		}
	}
	c.line("axis", x.from, 32.5, x.to, 32.5)
	middle := (h.Lo + h.Hi) / 2
	for _, t := range []float64{h.Lo, middle, h.Hi} {
		c.line("axis", x.at(t), 32.5, x.at(t), 35)
	}
	c.text(x.from, 57, "start", Tick(h.Lo))
	c.text((x.from+x.to)/2, 57, "middle", Tick(middle))
	c.text(x.to, 57, "end", Tick(h.Hi))
	if h.Mean != nil {
		const y = 42
		if b := h.Bounds; b != nil {
			c.line("bounds", x.at(b.Lo), y, x.at(b.Hi), y)
		}
		if h.CI != nil {
			c.rect("ci", x.at(h.CI.Lo), y-2.5, x.at(h.CI.Hi)-x.at(h.CI.Lo), 5, h.MeanTitle)
		}
		c.dot("mean", x.at(*h.Mean), y, 4, h.MeanTitle)
	}
	if t := h.Threshold; t != nil {
		c.line("threshold", x.at(*t), 0, x.at(*t), 47)
	}
	return c.svg(h.Label)
}

// barHeight keeps a single case visible among thousands.
func barHeight(n, most int, full float64) float64 {
	if n == 0 {
		return 0
	}
	return max(full*float64(n)/float64(most), 1.5)
}
