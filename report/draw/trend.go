package draw

import (
	"fmt"
	"html/template"
	"math"
)

// A Trend shows a quantity in one run after the other, earliest first, with the same distance
// between any two.
type Trend struct {
	Marks []TrendMark
	Bands []TrendBand
	Cuts  []TrendCut
	// Dates are written below the axis, where there is room.
	Dates []string
	// Lo and Hi are the ends of the scale that must not be passed.
	Lo, Hi float64
	YTick  func(float64) string
	YName  string
	Label  string
}

// A TrendMark is a run.
type TrendMark struct {
	Y  float64
	CI *Span
	// Line joins the marks of the same line in their order; each has a shape of its own.
	Line int
	// Aside is set if the run is not part of its line: the mark is hollow.
	Aside bool
	// Title describes the run, Address is where it leads.
	Title, Address string
}

// A TrendBand is where runs from one mark to another are expected.
type TrendBand struct {
	From, To int
	// Level is its middle, Half half of its width.
	Level, Half float64
}

// A TrendCut is a vertical line before the mark with an index.
type TrendCut struct {
	At int
	// Class is "better", "worse", "none" or, for runs that cannot be compared with those
	// before, "other".
	Class string
	// Text stands at its top; Title describes it, Address is where it leads, or "".
	Text, Title, Address string
}

// trendShapes is the number of shapes of marks.
const trendShapes = 4

// SVG draws the runs.
func (t Trend) SVG() template.HTML {
	const h, left, right, top, bottom = 300, 48, 16, 36, 30
	w := min(1120, max(560, float64(left+right+18*len(t.Marks))))
	c := &canvas{width: w, height: h}
	lo, hi := t.extent()
	y := scale{lo, hi, h - bottom, top}
	step := (w - left - right) / float64(max(1, len(t.Marks)))
	x := func(i float64) float64 { return left + step*(i+0.5) }
	for _, v := range ticks(lo, hi) {
		c.line("grid", left, y.at(v), w-right, y.at(v))
		c.text(left-6, y.at(v)+3.5, "end", t.YTick(v))
	}
	c.text(2, 11, "start", t.YName)
	for _, b := range t.Bands {
		from, to := x(float64(b.From))-step/2, x(float64(b.To))+step/2
		c.rect("band", from, y.at(b.Level+b.Half), to-from, max(1, y.at(b.Level-b.Half)-y.at(b.Level+b.Half)), "")
		c.line("level", from, y.at(b.Level), to, y.at(b.Level))
	}
	last := map[int]int{}
	for i, m := range t.Marks {
		if m.Aside {
			continue
		}
		if k, ok := last[m.Line]; ok {
			c.line("trail", x(float64(k)), y.at(t.Marks[k].Y), x(float64(i)), y.at(m.Y))
		}
		last[m.Line] = i
	}
	t.dates(c, x, h-bottom, w-right)
	free := -1.0 // where the last text above ended
	for _, cut := range t.Cuts {
		at := x(float64(cut.At) - 0.5)
		c.link(cut.Address, cut.Title, func() { c.line("cut "+cut.Class, at, top-10, at, h-bottom) })
		long := 6 * float64(len([]rune(cut.Text)))
		if at-long/2 > free {
			c.text(max(at, long/2+left), top-14, "middle", cut.Text)
			free = at + long/2 + 6
		}
	}
	for i, m := range t.Marks {
		at := x(float64(i))
		c.link(m.Address, m.Title, func() {
			class := "run"
			if m.Aside {
				class = "aside"
			}
			if m.CI != nil {
				c.line("whisker "+class, at, y.at(m.CI.Lo), at, y.at(m.CI.Hi))
			}
			c.shape("point "+class, m.Line%trendShapes, at, y.at(m.Y), min(4.5, max(2.5, step/3)))
		})
	}
	return c.group(t.Label)
}

// extent returns the ends of the axis.
func (t Trend) extent() (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	take := func(from, to float64) { lo, hi = min(lo, from), max(hi, to) }
	for _, m := range t.Marks {
		take(m.Y, m.Y)
		if m.CI != nil {
			take(m.CI.Lo, m.CI.Hi)
		}
	}
	for _, b := range t.Bands {
		take(b.Level-b.Half, b.Level+b.Half)
	}
	if lo > hi {
		return 0, 1
	}
	room := (hi - lo) / 20
	if room == 0 {
		room = max(math.Abs(hi)/20, 1e-3)
	}
	return max(lo-room, t.Lo), min(hi+room, t.Hi)
}

// ticks returns the multiples of 1, 2 or 5 times a power of ten on an axis: four to ten.
func ticks(lo, hi float64) (out []float64) {
	step := math.Pow(10, math.Floor(math.Log10((hi-lo)/4)))
	for _, times := range []float64{5, 2} {
		if times*step <= (hi-lo)/4 {
			step *= times
			break
		}
	}
	for k := math.Ceil(lo/step - 1e-9); k*step <= hi+1e-9*step; k++ {
		out = append(out, k*step)
	}
	return out
}

// dates writes the dates that have room, the last one in any case.
func (t Trend) dates(c *canvas, x func(float64) float64, base, end float64) {
	const room = 74
	c.line("axis", x(-0.5), base+0.5, end, base+0.5)
	limit := math.Inf(1)
	for i := len(t.Dates) - 1; i >= 0; i-- {
		at := x(float64(i))
		if i > 0 && t.Dates[i] == t.Dates[i-1] || at > limit {
			continue
		}
		limit = at - room
		c.line("axis", at, base, at, base+4)
		c.text(min(max(at, 34), end-20), base+18, "middle", t.Dates[i])
	}
}

// shape draws a mark: a dot, a square, a rhombus or a triangle.
func (c *canvas) shape(class string, kind int, x, y, r float64) {
	switch kind {
	case 0:
		c.dot(class, x, y, r, "")
	case 1:
		c.rect(class, x-r, y-r, 2*r, 2*r, "")
	case 2:
		c.rhombus(class, x, y, r*1.3, "")
	default:
		fmt.Fprintf(&c.b, `<path class="%s" d="M%s %sl%s %sl%s 0z"/>`, class, at(x), at(y-1.2*r), at(1.2*r), at(2.1*r), at(-2.4*r))
	}
}

// link makes what draw adds a link to an address, if there is one, with a title. The same
// address stands in a table, so that the keyboard need not go through the picture.
func (c *canvas) link(address, title string, draw func()) {
	if address == "" {
		c.b.WriteString("<g>" + titled(title))
		draw()
		c.b.WriteString("</g>")
		return
	}
	escaped := template.HTMLEscapeString(title)
	fmt.Fprintf(&c.b, `<a href="%s" tabindex="-1" aria-label="%s">%s`, template.HTMLEscapeString(address), escaped, titled(title))
	draw()
	c.b.WriteString("</a>")
}
