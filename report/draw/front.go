package draw

import (
	"html/template"
	"math"
	"slices"
)

// A Front plots the quality of several runs against a quantity of which less is
// better, such as cost.
type Front struct {
	Spots []Spot
	// XTick and YTick format values on the axes, XName and YName name the axes.
	XTick, YTick func(float64) string
	XName, YName string
	Label        string
}

// A Spot is one run.
type Spot struct {
	// Name is shown beside the mark and is NameColumns wide on a terminal.
	Name        string
	NameColumns int
	X, Y        float64
	CI          *Span
	// Behind is set when another run is better: the mark is hollow.
	Behind bool
	// Tied are the indexes in Spots of runs that do not differ in quality.
	Tied  []int
	Title string
}

// SVG draws the runs, with a dotted line between those that are tied.
func (f Front) SVG() template.HTML {
	const w, h, left, right, top, bottom = 460, 250, 46, 24, 26, 40
	c := &canvas{width: w, height: h}
	lo, hi, most := math.Inf(1), math.Inf(-1), 0.0
	for _, s := range f.Spots {
		lo, hi, most = min(lo, s.Y), max(hi, s.Y), max(most, s.X)
		if s.CI != nil {
			lo, hi = min(lo, s.CI.Lo), max(hi, s.CI.Hi)
		}
	}
	if hi <= lo {
		lo, hi = lo-0.5, hi+0.5
	}
	x, y := scale{0, most * 1.12, left, w - right}, scale{lo, hi, h - bottom, top}
	c.line("axis", left, h-bottom+0.5, w-right, h-bottom+0.5)
	for _, v := range []float64{0, most / 2, most} {
		c.line("axis", x.at(v), h-bottom, x.at(v), h-bottom+4)
		label := f.XTick(v)
		if v == 0 {
			label = "0"
		}
		c.text(x.at(v), h-bottom+16, "middle", label)
	}
	for _, v := range []float64{lo, (lo + hi) / 2, hi} {
		c.line("axis", left, y.at(v), w-right, y.at(v))
		c.text(left-6, y.at(v)+3.5, "end", f.YTick(v))
	}
	c.text((left+w-right)/2, h-6, "middle", f.XName)
	c.text(2, 11, "start", f.YName)
	for i, s := range f.Spots {
		for _, k := range s.Tied {
			if k < i {
				c.line("tied", x.at(s.X), y.at(s.Y), x.at(f.Spots[k].X), y.at(f.Spots[k].Y))
			}
		}
	}
	for _, s := range f.Spots {
		class := "front"
		if s.Behind {
			class = "behind"
		}
		if s.CI != nil {
			c.line("whisker "+class, x.at(s.X), y.at(s.CI.Lo), x.at(s.X), y.at(s.CI.Hi))
		}
		c.dot("point "+class, x.at(s.X), y.at(s.Y), 5, s.Title)
	}
	f.names(c, x, y)
	return c.svg(f.Label)
}

// names writes the names of the runs beside their marks without overlaps: on the
// side that has room, and lower if another name is there.
func (f Front) names(c *canvas, x, y scale) {
	type box struct{ from, to, y float64 }
	var taken []box
	for _, s := range f.Spots {
		long := 6.2 * float64(s.NameColumns)
		at, anchor := x.at(s.X)+9, "start"
		b := box{at, at + long, y.at(s.Y) + 3.5}
		if b.to > c.width {
			at, anchor = x.at(s.X)-9, "end"
			b = box{at - long, at, b.y}
		}
		for slices.ContainsFunc(taken, func(o box) bool { return b.from < o.to && o.from < b.to && math.Abs(b.y-o.y) < 12 }) {
			b.y += 12
		}
		taken = append(taken, b)
		c.text(at, b.y, anchor, s.Name)
	}
}
