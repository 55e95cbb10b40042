package draw

import (
	"cmp"
	"html/template"
	"math"
	"strings"
)

// A Bar is a share of a whole: a full part, then a lighter part, and an optional
// mark.
type Bar struct {
	// Full and Rest are lengths on a scale from 0 to Of.
	Full, Rest, Of float64
	// Mark is a position on the scale; nil for none.
	Mark *float64
	// Width is the width of the picture in pixels; 0 means 240.
	Width float64
	// Axis adds a line below the bar.
	Axis bool
	// Thin makes the bar lower.
	Thin bool
	// FullTitle and RestTitle describe the parts, Label describes the whole bar.
	FullTitle, RestTitle, Label string
}

// SVG draws the bar.
func (b Bar) SVG() template.HTML {
	width, height, y, thick := cmp.Or(b.Width, 240), 16.0, 2.0, 12.0
	if b.Thin {
		height, y, thick = 14, 3, 8
	}
	c := &canvas{width: width, height: height}
	x := scale{0, b.Of, 1, width - 1}
	if w := x.at(b.Full) - 1; w > 0 {
		c.rect("bar", 1, y, max(w, 1), thick, b.FullTitle)
	}
	if b.Rest > 0 {
		from := x.at(b.Full)
		c.rect("err", from, y, max(x.at(b.Full+b.Rest)-from, 2), thick, b.RestTitle)
	}
	if b.Mark != nil {
		c.line("quantile", x.at(*b.Mark), 1, x.at(*b.Mark), height-1)
	}
	if b.Axis {
		c.line("axis", 1, 14.5, width-1, 14.5)
	}
	return c.svg(b.Label)
}

// Text draws the full part as full blocks and the rest as light ones. A rest,
// however small, shows.
func (b Bar) Text(columns int) string {
	if b.Of <= 0 {
		return ""
	}
	place := func(v float64) int { return int(math.Round(v / b.Of * float64(columns))) }
	full, both := place(b.Full), place(b.Full+b.Rest)
	switch {
	case b.Rest > 0 && both == full && full < columns:
		both++
	case b.Rest > 0 && both == full:
		full--
	}
	return strings.Repeat("█", full) + strings.Repeat("░", both-full)
}
