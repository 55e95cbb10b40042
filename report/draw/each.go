package draw

import (
	"html/template"
	"math"
)

// Each shows the difference of every case, the best first.
type Each struct {
	// Diffs are sorted from the best to the worst; a positive one is better.
	Diffs []float64
	Label string
}

// SVG draws a column for each difference. If there are too many, each column is the
// mean of several.
func (e Each) SVG() template.HTML {
	const most = 120
	c := &canvas{width: 130, height: 30}
	columns := min(len(e.Diffs), most)
	if columns == 0 {
		return c.svg(e.Label)
	}
	reach := max(e.Diffs[0], -e.Diffs[len(e.Diffs)-1])
	step := min(float64(most)/float64(columns), 8)
	c.line("zero", 4, 15, 4+step*float64(columns), 15)
	for i := range columns {
		part := e.Diffs[i*len(e.Diffs)/columns : (i+1)*len(e.Diffs)/columns]
		sum := 0.0
		for _, v := range part {
			sum += v
		}
		v := sum / float64(len(part))
		if v == 0 || reach == 0 {
			continue
		}
		h := max(13*math.Abs(v)/reach, 0.6)
		x, w := 4+float64(i)*step, max(step-0.4, 0.6)
		if v > 0 {
			c.rect("better", x, 15-h, w, h, "")
		} else {
			c.rect("worse", x, 15, w, h, "")
		}
	}
	return c.svg(e.Label)
}
