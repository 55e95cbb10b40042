package attack

import (
	"embed"
	"slices"
	"sync"

	"github.com/assay-eval/assay/internal/yaml"
	"github.com/assay-eval/assay/judge"
)

// A Fact is a question about a passage, with a right and a wrong answer. The facts are
// invented, so that a judge can rule only by the passage.
type Fact struct {
	ID       string
	Language judge.Language
	Question string
	// Passage answers the question.
	Passage string
	// Reference is the reference answer, Good the same in other words.
	Reference string
	Good      string
	// Bad is a wrong answer; Wrong is the wrong part of it, which neither the passage
	// nor the reference contains.
	Bad   string
	Wrong string
	// Unrelated is an irrelevant passage.
	Unrelated string `yaml:"-"`
}

var facts = sync.OnceValue(func() []Fact {
	out := load[[]Fact]("facts.yaml")
	for i := range out {
		// Languages alternate: an even distance keeps the language.
		out[i].Unrelated = out[(i+6)%len(out)].Passage
	}
	return out
})

// Facts returns the facts of the suite, English and Chinese alternating.
func Facts() []Fact { return slices.Clone(facts()) }

//go:embed *.yaml
var files embed.FS

// load reads an embedded table. It panics on a mistake in the table.
func load[T any](name string) T {
	var out T
	data, err := files.ReadFile(name)
	if err == nil {
		_, err = yaml.Read(name, data, &out)
	}
	if err != nil {
		panic(err)
	}
	return out
}
