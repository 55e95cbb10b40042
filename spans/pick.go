package spans

import (
	"encoding/json"
	"fmt"
	"slices"
)

// First returns the topmost span of a trace; of several, the one that began first. It is the
// zero span if the trace is empty.
func First(trace []Span) Span {
	roots := tree(trace)
	for _, n := range roots {
		if !n.missing {
			return *n.Span
		}
	}
	if len(roots) > 0 && len(roots[0].children) > 0 {
		return *roots[0].children[0].Span
	}
	return Span{}
}

// Attribute returns an attribute of the first span of a trace, by time, that has it as a text,
// a number or a bool; "" if none has.
func Attribute(trace []Span, name string) string {
	sorted := slices.Clone(trace)
	slices.SortStableFunc(sorted, func(a, b Span) int { return a.Start.Compare(b.Start) })
	for _, s := range sorted {
		switch v := s.Attributes[name].(type) {
		case string:
			if v != "" {
				return v
			}
		case bool, json.Number, float64:
			return fmt.Sprint(v)
		}
	}
	return ""
}
