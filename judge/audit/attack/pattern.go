package attack

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/internal/yaml"
)

// A pattern matches one form of text addressed to a judge. It is matched against a view
// of a text, in lower case.
type pattern struct {
	Kind  Kind
	Reach reach
	// Find are the alternatives of the expression.
	Find       []string
	expression *regexp.Regexp
}

type patternTable struct {
	Parts map[string]string
	// Patterns are ordered by specificity: the first match decides the kind of an overlap.
	// Forgeries are those of [Forged].
	Patterns, Forgeries []pattern
	// screens are those of both lists, with one expression for each alternative of a
	// pattern, in order.
	screens *text.Screens
}

// likely returns the patterns and the forgeries that may match in a text. Their literals
// are looked for first, because the expressions take many times as long.
func (t *patternTable) likely(s string) (patterns, forgeries []pattern) {
	may, at := t.screens.May(s), 0
	of := func(list []pattern) (out []pattern) {
		for _, p := range list {
			if slices.Contains(may[at:at+len(p.Find)], true) {
				out = append(out, p)
			}
			at += len(p.Find)
		}
		return out
	}
	patterns = of(t.Patterns)
	return patterns, of(t.Forgeries)
}

//go:embed patterns.yaml
var patternsFile []byte

var table = sync.OnceValue(func() *patternTable {
	var table patternTable
	if _, err := yaml.Read("patterns.yaml", patternsFile, &table); err != nil {
		panic(err) // a mistake in the table
	}
	var parts []string
	for name, expression := range table.Parts {
		parts = append(parts, "{"+name+"}", expression)
	}
	replacer := strings.NewReplacer(parts...)
	var alternatives []string
	for _, list := range [][]pattern{table.Patterns, table.Forgeries} {
		for i, p := range list {
			list[i].expression = regexp.MustCompile(replacer.Replace(strings.Join(p.Find, "|")))
			for _, alternative := range p.Find {
				alternatives = append(alternatives, replacer.Replace(alternative))
			}
		}
	}
	var err error
	if table.screens, err = text.NewScreens(alternatives); err != nil {
		panic("attack: " + err.Error()) // they are compiled above
	}
	return &table
})
