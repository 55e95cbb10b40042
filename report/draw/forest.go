package draw

import (
	"html/template"
	"math"
	"strings"
)

// A Forest is one difference with its interval on an axis around 0.
type Forest struct {
	// Diff is drawn unless None is set.
	Diff float64
	CI   *Span
	None bool
	// Shown is set when the difference is significant: its mark is full.
	// Better chooses its colour.
	Shown, Better bool
	// NoWorse is set when the difference is shown to be no worse than a tolerance: its mark
	// is a full rhombus.
	NoWorse bool
	// Estimate is set when the difference has no verdict: its mark is a hollow rhombus.
	Estimate bool
	// Reach is the value at both ends of the axis.
	Reach float64
	// Label is the difference in words.
	Label string
}

const forestWidth = 240

func forestScale(reach float64) scale { return scale{-reach, reach, 10, forestWidth - 10} }

// SVG draws the difference.
func (f Forest) SVG() template.HTML {
	c := &canvas{width: forestWidth, height: 38}
	x := forestScale(f.Reach)
	c.line("zero", x.at(0), 0, x.at(0), 38)
	if f.None {
		return c.svg(f.Label)
	}
	class := "none"
	switch {
	case f.Estimate:
		class = "estimate"
	case f.Shown && f.Better:
		class = "better"
	case f.Shown:
		class = "worse"
	}
	if f.CI != nil {
		c.line("whisker "+class, x.at(f.CI.Lo), 19, x.at(f.CI.Hi), 19)
	}
	if f.NoWorse {
		c.rhombus("point noworse", x.at(f.Diff), 19, 5.5, f.Label)
		return c.svg(f.Label)
	}
	c.dot("point "+class, x.at(f.Diff), 19, 4.5, f.Label)
	return c.svg(f.Label)
}

// Text draws the difference: a full mark where it is significant, a hollow one
// where it is not, a hollow rhombus for an estimate, a full one where it is no worse than a
// tolerance. With an odd number of columns, 0 is in the middle.
func (f Forest) Text(columns int) string {
	cells := []rune(strings.Repeat(" ", columns))
	place := func(v float64) int {
		x := int(math.Round((v/f.Reach + 1) / 2 * float64(columns-1)))
		return min(max(x, 0), columns-1)
	}
	cells[columns/2] = '│'
	if f.None {
		return string(cells)
	}
	if f.CI != nil {
		lo, hi := place(f.CI.Lo), place(f.CI.Hi)
		for x := lo; x <= hi; x++ {
			cells[x] = '─'
		}
		if lo <= columns/2 && columns/2 <= hi {
			cells[columns/2] = '┼'
		}
		cells[lo], cells[hi] = '├', '┤'
	}
	cells[place(f.Diff)] = '○'
	switch {
	case f.Estimate:
		cells[place(f.Diff)] = '◇'
	case f.Shown:
		cells[place(f.Diff)] = '●'
	case f.NoWorse:
		cells[place(f.Diff)] = '◆'
	}
	return string(cells)
}

// A ForestAxis is the axis of differences below [Forest] plots with the same reach.
type ForestAxis struct {
	Reach float64
	Label string
}

// SVG draws the axis with five ticks.
func (f ForestAxis) SVG() template.HTML {
	c := &canvas{width: forestWidth, height: 20}
	x := forestScale(f.Reach)
	c.line("axis", x.from, 0.5, x.to, 0.5)
	for i, v := range []float64{-f.Reach, -f.Reach / 2, 0, f.Reach / 2, f.Reach} {
		c.line("axis", x.at(v), 0.5, x.at(v), 4)
		label := Tick(math.Abs(v))
		if v < 0 {
			label = "−" + label
		} else if v > 0 {
			label = "+" + label
		}
		// The outer labels stay inside the picture.
		switch i {
		case 0:
			c.text(0, 16, "start", label)
		case 4:
			c.text(forestWidth, 16, "end", label)
		default:
			c.text(x.at(v), 16, "middle", label)
		}
	}
	return c.svg(f.Label)
}

// Text labels both ends of the axis and its middle.
func (f ForestAxis) Text(columns int) string {
	lo, hi := "−"+Tick(f.Reach), "+"+Tick(f.Reach)
	gap := columns/2 - len([]rune(lo))
	return lo + strings.Repeat(" ", max(gap, 1)) + "0" + strings.Repeat(" ", max(columns-columns/2-1-len(hi), 1)) + hi
}

// Reach rounds a distance up to a short number for the end of an axis.
func Reach(v float64) float64 {
	if v <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, f := range []float64{1, 1.5, 2, 3, 5, 10} {
		if v <= f*power {
			return f * power
		}
	}
	return v
}
