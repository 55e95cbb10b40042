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
func patterns() []pattern { return table().Patterns }

// forgeries are those of [Forged].
func forgeries() []pattern { return table().Forgeries }

type patternTable struct {
	Parts               map[string]string
	Patterns, Forgeries []pattern
}

var table = sync.OnceValue(func() patternTable {
	table := load[patternTable]("patterns.yaml")
	var parts []string
	for name, expression := range table.Parts {
		parts = append(parts, "{"+name+"}", expression)
	}
	replacer := strings.NewReplacer(parts...)
	for _, list := range [][]pattern{table.Patterns, table.Forgeries} {
		for i, p := range list {
			list[i].expression = regexp.MustCompile(replacer.Replace(strings.Join(p.Find, "|")))
		}
	}
	return table
})
