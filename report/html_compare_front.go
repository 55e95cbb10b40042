package report

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// A spot is a run in the plot of quality against something that less of is
// better.
type spot struct {
	summary.Standing
	x float64
}

// frontPlots draws quality against cost, and against latency, as far as they
// are known for two runs or more.
func frontPlots(c *Comparison) []template.HTML {
	m, ok := c.primary()
	if !ok {
		return nil
	}
	var out []template.HTML
	for _, axis := range []struct {
		name string
		of   func(summary.Standing) (float64, bool)
		tick func(float64) string
	}{
		{"cost a case", func(s summary.Standing) (float64, bool) {
			if s.Cost == nil {
				return 0, false
			}
			return float64(*s.Cost), true
		}, func(v float64) string { return caseCost(int64(math.Round(v))) }},
		{"median latency", func(s summary.Standing) (float64, bool) {
			if s.Latency == nil {
				return 0, false
			}
			return float64(*s.Latency), true
		}, func(v float64) string { return duration(time.Duration(v)) }},
	} {
		var spots []spot
		for _, s := range c.Standings {
			if x, ok := axis.of(s); ok && s.Quality.N > 0 {
				spots = append(spots, spot{s, x})
			}
		}
		if len(spots) > 1 {
			out = append(out, frontPlot(m, axis.name, spots, axis.tick))
		}
	}
	return out
}

// frontPlot draws one panel: a full mark is a run on the front, a hollow one is
// dominated, a dotted line joins runs that cannot be told apart in quality.
func frontPlot(m assay.MetricInfo, name string, spots []spot, show func(float64) string) template.HTML {
	const w, h, left, right, top, bottom = 460, 250, 46, 24, 26, 40
	p := &drawing{width: w, height: h}
	lo, hi, most := math.Inf(1), math.Inf(-1), 0.0
	for _, s := range spots {
		lo, hi, most = min(lo, s.Quality.Mean), max(hi, s.Quality.Mean), max(most, s.x)
		if ci := s.Quality.CI; ci != nil {
			lo, hi = min(lo, ci.Lo), max(hi, ci.Hi)
		}
	}
	if hi <= lo {
		lo, hi = lo-0.5, hi+0.5
	}
	x, y := scale{0, most * 1.12, left, w - right}, scale{lo, hi, h - bottom, top}
	p.line("axis", left, h-bottom+0.5, w-right, h-bottom+0.5)
	for _, v := range []float64{0, most / 2, most} {
		p.line("axis", x.at(v), h-bottom, x.at(v), h-bottom+4)
		label := show(v)
		if v == 0 {
			label = "0"
		}
		p.text(x.at(v), h-bottom+16, "middle", label)
	}
	for _, v := range []float64{lo, (lo + hi) / 2, hi} {
		p.line("axis", left, y.at(v), w-right, y.at(v))
		p.text(left-6, y.at(v)+3.5, "end", number(m, v))
	}
	p.text((left+w-right)/2, h-6, "middle", name+" (less is better)")
	p.text(2, 11, "start", line(m.Name)+" with "+intervals(spots[0].Quality.Level))
	for i, s := range spots {
		for _, o := range spots[:i] {
			if slices.Contains(s.Tied, o.Run) {
				p.line("tied", x.at(s.x), y.at(s.Quality.Mean), x.at(o.x), y.at(o.Quality.Mean))
			}
		}
	}
	words := line(m.Name) + " by " + name
	for _, s := range spots {
		class, where := "front", "on the front"
		if s.Dominated != "" {
			class, where = "behind", "dominated by "+line(s.Dominated)
		}
		said := fmt.Sprintf("%s: %s, %s, %s", line(s.Run), number(m, s.Quality.Mean), show(s.x), where)
		if ci := s.Quality.CI; ci != nil {
			p.line("whisker "+class, x.at(s.x), y.at(ci.Lo), x.at(s.x), y.at(ci.Hi))
		}
		p.dot("point "+class, x.at(s.x), y.at(s.Quality.Mean), 5, said)
		words += "; " + said
	}
	labelSpots(p, spots, x, y)
	return p.svg(words)
}

// labelSpots writes the runs' names beside their marks, none over another: to
// the side that has room, and lower where a name stands already.
func labelSpots(p *drawing, spots []spot, x, y scale) {
	type box struct{ from, to, y float64 }
	var taken []box
	for _, s := range spots {
		name := fit(line(s.Run), 22)
		long := 6.2 * float64(width(name))
		at, anchor := x.at(s.x)+9, "start"
		b := box{at, at + long, y.at(s.Quality.Mean) + 3.5}
		if b.to > p.width {
			at, anchor = x.at(s.x)-9, "end"
			b = box{at - long, at, b.y}
		}
		for slices.ContainsFunc(taken, func(o box) bool { return b.from < o.to && o.from < b.to && math.Abs(b.y-o.y) < 12 }) {
			b.y += 12
		}
		taken = append(taken, b)
		p.text(at, b.y, anchor, name)
	}
}
