package attack

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A pattern matches one form of text addressed to a judge. It is matched against a view
// of a text, in lower case.
type pattern struct {
	Kind  Kind
	Reach reach
	// Triggers are strings of which every match contains one: searching for them first
	// is many times faster than the expression.
	Triggers []string
	// Find are the alternatives of the expression.
	Find       []string
	expression *regexp.Regexp
}

func (p pattern) triggered(s string) bool {
	return slices.ContainsFunc(p.Triggers, func(t string) bool { return strings.Contains(s, t) })
}

// patterns are ordered by specificity: the first match decides the kind of an overlap.
var patterns = sync.OnceValue(func() []pattern {
	table := load[struct {
		Parts    map[string]string
		Patterns []pattern
	}]("patterns.yaml")
	var parts []string
	for name, expression := range table.Parts {
		parts = append(parts, "{"+name+"}", expression)
	}
	replacer := strings.NewReplacer(parts...)
	for i, p := range table.Patterns {
		table.Patterns[i].expression = regexp.MustCompile(replacer.Replace(strings.Join(p.Find, "|")))
	}
	return table.Patterns
})
