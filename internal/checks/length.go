package checks

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// lengthUnits are the units of a length, with how many an answer has.
var lengthUnits = []struct {
	name string
	of   func(s string) int
}{
	{"characters", utf8.RuneCountInString},
	{"words", func(s string) int { return len(strings.Fields(s)) }},
	{"sentences", func(s string) int { return len(text.Sentences(s)) }},
}

func unitOf(c assay.Check) int {
	name := c.Of
	if name == "" {
		name = "words"
	}
	for i, u := range lengthUnits {
		if u.name == name {
			return i
		}
	}
	return -1
}

func validLength(c assay.Check) error {
	if unitOf(c) < 0 {
		return &Problem{"of", fmt.Sprintf("%q", text.Shorten(c.Of, 80)), "characters, words or sentences"}
	}
	if c.Min == nil && c.Max == nil {
		return &Problem{"max", "missing", "min, max or both"}
	}
	if err := amount("min", c.Min); err != nil {
		return err
	}
	if err := amount("max", c.Max); err != nil {
		return err
	}
	if c.Min != nil && c.Max != nil && *c.Min > *c.Max {
		return &Problem{"min", fmt.Sprintf("%v, more than max, which is %v", *c.Min, *c.Max), "a range such as min 10, max 80"}
	}
	return nil
}

func length(_ *meter, c assay.Check, answer string, _ float64) (bool, string) {
	unit := lengthUnits[unitOf(c)]
	n := float64(unit.of(answer))
	switch {
	case c.Min != nil && n < *c.Min:
		return false, fmt.Sprintf("has %v %s, fewer than %v", n, unit.name, *c.Min)
	case c.Max != nil && n > *c.Max:
		return false, fmt.Sprintf("has %v %s, more than %v", n, unit.name, *c.Max)
	}
	return true, ""
}
