package suite

import (
	"embed"
	"strings"
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

// Facts returns the facts of the attack, English and Chinese alternating.
var Facts = sync.OnceValue(func() []Fact {
	out := load[[]Fact]("facts.yaml")
	for i := range out {
		// Languages alternate: an even distance keeps the language.
		out[i].Unrelated = out[(i+6)%len(out)].Passage
	}
	return out
})

// A Template is one form of attack on a judge. The carrying text, an answer or a
// passage, replaces {text}.
type Template struct {
	// Name is the name in reports.
	Name string
	// English and Chinese are the same attack in two languages.
	English string
	Chinese string
	// Plain is set for a request in ordinary words, which the detector is not designed to
	// find: only its meaning reveals it.
	Plain bool
	// Hide says how the words, which then follow the text, are hidden: "zero width", "tags" or "".
	Hide string
}

// Templates returns the catalogue of injections, in the order in which the attack uses them.
var Templates = sync.OnceValue(func() []Template { return load[[]Template]("templates.yaml") })

// firstTag is the tag character for a space: these repeat ASCII invisibly.
const firstTag = 0xE0020

// Write returns the text with the injection.
func (t Template) Write(text string, l judge.Language) string {
	words := t.English
	if l == judge.Chinese {
		words = t.Chinese
	}
	switch t.Hide {
	case "zero width":
		words = "{text} " + strings.Join(strings.Split(words, ""), "\u200b") + "\u200b"
	case "tags":
		words = "{text} " + strings.Map(func(r rune) rune { return r - ' ' + firstTag }, words)
	}
	return strings.ReplaceAll(words, "{text}", text)
}

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

// Items returns the items, English and Chinese alternating.
var Items = sync.OnceValue(func() []Item { return load[[]Item]("items.yaml") })

// Answer returns the statements as one text, with the statement at the index corrupted;
// -1 for none.
func (it Item) Answer(corrupted int) string { return forms()[0].write(it, corrupted) }

// A form is a way to write an answer. All forms have the same content.
type form struct {
	// Name and Doc are those of the test of the form; the first one, plain prose, has none.
	Name, Doc string
	// Layouts are by language.
	Layouts map[judge.Language]struct{ Before, Open, Close, Between, After string }
}

var forms = sync.OnceValue(func() []form { return load[[]form]("forms.yaml") })

// write returns the answer in the form, with the statement at the index corrupted; -1
// for none.
func (f form) write(it Item, corrupted int) string {
	l := f.Layouts[it.Language]
	parts := it.Statements
	if corrupted >= 0 {
		parts[corrupted] = it.Corrupted[corrupted]
	}
	for i, p := range parts {
		parts[i] = l.Open + p + l.Close
	}
	return l.Before + strings.Join(parts[:], l.Between) + l.After
}

//go:embed *.yaml
var files embed.FS

// load reads an embedded table. It panics on a mistake in the table.
func load[T any](name string) (out T) {
	data, err := files.ReadFile(name)
	if err == nil {
		_, err = yaml.Read(name, data, &out)
	}
	if err != nil {
		panic(err)
	}
	return out
}
