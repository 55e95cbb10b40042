package probe

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/assay-eval/assay/internal/yaml"
	"github.com/assay-eval/assay/judge"
)

// An Item is a passage with three statements that it supports, and the same three, each
// corrupted in one way. The items are invented, so that no model can rule from memory.
type Item struct {
	ID       string
	Language judge.Language
	// Question asks for everything that Statements say.
	Question string
	Passage  string
	// Statements are true by the passage.
	Statements [3]string
	// Corrupted holds the same statements with one thing changed: a number, a negation
	// and a name.
	Corrupted [3]string
}

// Answer returns the statements as one text, with the statement at the index corrupted;
// -1 for none.
func (it Item) Answer(corrupted int) string {
	parts := it.statements(corrupted)
	sep := " "
	if it.Language == judge.Chinese {
		sep = ""
	}
	return strings.Join(parts[:], sep)
}

func (it Item) subject() judge.Subject {
	return judge.Subject{Question: it.Question, Language: it.Language}
}

func sources(items ...Item) []judge.Source {
	out := make([]judge.Source, len(items))
	for i, it := range items {
		out[i] = judge.Source{Name: fmt.Sprintf("passage %d", i+1), Text: it.Passage}
	}
	return out
}

func (it Item) statements(corrupted int) [3]string {
	out := it.Statements
	if corrupted >= 0 {
		out[corrupted] = it.Corrupted[corrupted]
	}
	return out
}

//go:embed items.yaml
var itemsFile []byte

var items = sync.OnceValue(func() []Item {
	var out []Item
	if _, err := yaml.Read("items.yaml", itemsFile, &out); err != nil {
		panic(err)
	}
	return out
})

// Items returns the items, English and Chinese alternating.
func Items() []Item { return slices.Clone(items()) }
