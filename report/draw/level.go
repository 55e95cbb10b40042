package draw

import (
	"html/template"
	"strings"
)

// A Level is a mean with its bounds on an axis, and the line that it should not cross.
type Level struct {
	// Lo and Hi are the ends of the axis.
	Lo, Hi float64
	// Mean is drawn with its bounds unless None is set.
	Mean   float64
	Bounds Span
	None   bool
	// Line is nil if there is none.
	Line *float64
	// Worse is set if the mean is on the wrong side of the line.
	Worse bool
	// Label is all of it in words.
	Label string
}

// SVG draws the level.
func (l Level) SVG() template.HTML {
	const width, height, base, middle = 200, 24, 20, 10
	c := &canvas{width: width, height: height}
	x := scale{l.Lo, l.Hi, 6, width - 6}
	c.line("axis", x.from, base, x.to, base)
	for _, end := range []float64{l.Lo, l.Hi} {
		c.line("axis", x.at(end), base-3, x.at(end), base)
	}
	if l.Line != nil {
		c.line("threshold", x.at(*l.Line), 1, x.at(*l.Line), base)
	}
	if !l.None {
		class := "better"
		if l.Worse {
			class = "worse"
		}
		c.line("whisker "+class, x.at(l.Bounds.Lo), middle, x.at(l.Bounds.Hi), middle)
		c.dot("point "+class, x.at(l.Mean), middle, 4, "")
	}
	return c.svg(l.Label)
}

// Days shows the means of days in a small picture, without an axis.
type Days struct {
	Marks []DayMark
	// Line is what the means should not cross; nil if there is none.
	Line *float64
	// Least is the smallest difference that takes the whole height, so that noise does not.
	Least float64
	// Label is what the picture shows in words.
	Label string
}

// A DayMark is the mean of a day, which is counted from any other.
type DayMark struct {
	Day int
	Y   float64
}

// SVG draws a line through the days and a dot at the last.
func (d Days) SVG() template.HTML {
	const width, height, room = 120, 28, 4
	c := &canvas{width: width, height: height}
	if len(d.Marks) == 0 {
		return c.svg(d.Label)
	}
	lo, hi := d.Marks[0].Y, d.Marks[0].Y
	for _, m := range d.Marks {
		lo, hi = min(lo, m.Y), max(hi, m.Y)
	}
	if d.Line != nil {
		lo, hi = min(lo, *d.Line), max(hi, *d.Line)
	}
	if more := d.Least - (hi - lo); more > 0 {
		lo, hi = lo-more/2, hi+more/2
	}
	first, last := d.Marks[0].Day, d.Marks[len(d.Marks)-1].Day
	y, x := scale{lo, hi, height - room, room}, scale{float64(first), float64(last), room, width - room}
	if first == last {
		x.from = width / 2
	}
	if d.Line != nil {
		c.line("bounds", 0, y.at(*d.Line), width, y.at(*d.Line))
	}
	var path strings.Builder
	for i, m := range d.Marks {
		path.WriteString(map[bool]string{true: "M", false: "L"}[i == 0] + at(x.at(float64(m.Day))) + " " + at(y.at(m.Y)))
	}
	c.path("spark", path.String())
	end := d.Marks[len(d.Marks)-1]
	c.dot("mean", x.at(float64(end.Day)), y.at(end.Y), 3, "")
	return c.svg(d.Label)
}
