// Package draw makes plots of values: as SVG for pages, and as text for
// terminals. A plot is a value that holds numbers and the words beside them;
// this package knows no language, no metric and no report. The page's style sheet
// sets the colours by class, for light and dark.
package draw

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
)

// A Plot can be drawn on a page.
type Plot interface {
	// SVG returns a complete element with a description in words.
	SVG() template.HTML
}

// A TextPlot can also be drawn on a terminal.
type TextPlot interface {
	Plot
	// Text draws the plot in the given number of columns.
	Text(columns int) string
}

// canvas collects the elements of a picture.
type canvas struct {
	b             strings.Builder
	width, height float64
}

// at formats a coordinate to a tenth of a pixel.
func at(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }

func (c *canvas) rect(class string, x, y, w, h float64, title string) {
	fmt.Fprintf(&c.b, `<rect class="%s" x="%s" y="%s" width="%s" height="%s">%s</rect>`,
		class, at(x), at(y), at(max(w, 0)), at(max(h, 0)), titled(title))
}

func (c *canvas) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&c.b, `<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`, class, at(x1), at(y1), at(x2), at(y2))
}

func (c *canvas) dot(class string, x, y, r float64, title string) {
	fmt.Fprintf(&c.b, `<circle class="%s" cx="%s" cy="%s" r="%s">%s</circle>`, class, at(x), at(y), at(r), titled(title))
}

func (c *canvas) rhombus(class string, x, y, r float64, title string) {
	fmt.Fprintf(&c.b, `<path class="%s" d="M%s %sl%s %sl%s %sl%s %sz">%s</path>`,
		class, at(x-r), at(y), at(r), at(-r), at(r), at(r), at(-r), at(r), titled(title))
}

// text writes a text whose anchor is "start", "middle" or "end".
func (c *canvas) text(x, y float64, anchor, s string) {
	fmt.Fprintf(&c.b, `<text x="%s" y="%s" text-anchor="%s">%s</text>`, at(x), at(y), anchor, template.HTMLEscapeString(s))
}

func titled(s string) string {
	if s == "" {
		return ""
	}
	return "<title>" + template.HTMLEscapeString(s) + "</title>"
}

// svg returns the whole picture; label describes it in words.
func (c *canvas) svg(label string) template.HTML { return c.as("img", label) }

// group returns the whole picture if there are links in it.
func (c *canvas) group(label string) template.HTML { return c.as("group", label) }

func (c *canvas) as(role, label string) template.HTML {
	return template.HTML(fmt.Sprintf(`<svg class="plot" viewBox="0 0 %s %s" width="%s" height="%s" role="%s" aria-label="%s">%s</svg>`,
		at(c.width), at(c.height), at(c.width), at(c.height), role, template.HTMLEscapeString(label), c.b.String()))
}

// A scale maps values to positions.
type scale struct{ lo, hi, from, to float64 }

func (s scale) at(v float64) float64 {
	if s.hi <= s.lo {
		return s.from
	}
	return s.from + (min(max(v, s.lo), s.hi)-s.lo)/(s.hi-s.lo)*(s.to-s.from)
}

// Tick formats a number on an axis without trailing zeros.
func Tick(v float64) string { return strconv.FormatFloat(math.Round(v*1e4)/1e4, 'g', 4, 64) }

// A Span is an interval on an axis.
type Span struct{ Lo, Hi float64 }
