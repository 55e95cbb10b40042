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
	Declining   []string
	Ambiguous   []string
	Refusing    []string
	Courtesies  string
	Attribution string
	Turn        string
	Opening     string
	Asking      string
	Question    string
	Number      []string
	Person      []string
	Function    string
	Traditional string
	Simplified  string

	declining                            []*regexp.Regexp
	refusing                             []*regexp.Regexp // without those that are ambiguous
	screens                              *text.Screens    // of declining
	courtesy, attribution, turn, opening *regexp.Regexp

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
	for _, e := range p.Declining {
		p.declining = append(p.declining, regexp.MustCompile(e))
		if !slices.ContainsFunc(p.Ambiguous, func(a string) bool { return strings.HasPrefix(e, a) }) {
			p.refusing = append(p.refusing, regexp.MustCompile(e))
		}
	}
	for _, e := range p.Refusing {
		p.refusing = append(p.refusing, regexp.MustCompile(e))
	}
	var err error
	if p.screens, err = text.NewScreens(p.Declining); err != nil {
		panic(err) // they are compiled above
	}
	p.courtesy, p.attribution = regexp.MustCompile(p.Courtesies), regexp.MustCompile(p.Attribution)
	p.turn, p.opening = regexp.MustCompile(p.Turn), regexp.MustCompile(p.Opening)
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
