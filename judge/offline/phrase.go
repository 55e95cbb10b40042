package offline

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/internal/yaml"
)

// phrases are the words and expressions of phrases.yaml.
type phrases struct {
	Declining   []*regexp.Regexp
	Ambiguous   []string
	Refusing    []*regexp.Regexp
	Courtesies  *regexp.Regexp
	Attribution *regexp.Regexp
	Turn        *regexp.Regexp
	Opening     *regexp.Regexp
	Evasive     *regexp.Regexp
	Denials     *regexp.Regexp
	Answering   *regexp.Regexp
	Clauses     *regexp.Regexp
	Asking      string
	Question    string
	Number      []string
	Person      []string
	Possibly    []string
	Spelled     map[string]int
	Function    string
	Traditional string
	Simplified  string

	screens *text.Screens // of Declining

	question, function map[string]bool
	asking             *strings.Replacer
	simplified         map[rune]rune
}

//go:embed phrases.yaml
var phrasesFile []byte

// known returns the phrases, prepared at the first use.
var known = sync.OnceValue(func() *phrases {
	p := &phrases{simplified: map[rune]rune{}}
	if _, err := yaml.Read("phrases.yaml", phrasesFile, p); err != nil {
		panic(err)
	}
	var declining []string
	for _, e := range p.Declining {
		declining = append(declining, e.String())
		if !slices.ContainsFunc(p.Ambiguous, func(a string) bool { return strings.HasPrefix(e.String(), a) }) {
			p.Refusing = append(p.Refusing, e)
		}
	}
	var err error
	if p.screens, err = text.NewScreens(declining); err != nil {
		panic(err) // they are compiled above
	}
	p.question, p.function = text.Set(p.Question), text.Set(p.Function)
	var spaced []string
	for w := range strings.FieldsSeq(p.Asking) {
		spaced = append(spaced, w, " ")
	}
	p.asking = strings.NewReplacer(spaced...)
	to := []rune(strings.ReplaceAll(p.Simplified, " ", ""))
	for i, r := range []rune(strings.ReplaceAll(p.Traditional, " ", "")) {
		p.simplified[r] = to[i]
	}
	return p
})
