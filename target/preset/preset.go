// Package preset holds how common servers are asked: data files, one a server,
// that say what is sent and where the parts of the reply are.
package preset

import (
	"slices"

	"github.com/assay-eval/assay/target/template"
)

// A Preset is how one kind of server is asked.
type Preset struct {
	// Name is that of the file, without its extension.
	Name string `yaml:"-"`
	// Title is the server's own name, Doc what the preset asks of it, Source
	// where its API is described.
	Title  string `yaml:"title"`
	Doc    string `yaml:"doc"`
	Source string `yaml:"source"`
	// Adapter is "http" or "openai".
	Adapter string `yaml:"adapter"`
	Method  string `yaml:"method"`
	// Path is appended to the endpoint's address; it may hold placeholders.
	Path string `yaml:"path"`
	// Endpoint is the usual address, used when the user names none; "" when
	// there is no usual one.
	Endpoint string `yaml:"endpoint"`
	// Header is sent with every request. One with a placeholder whose value is
	// not set is left out.
	Header map[string]string `yaml:"header"`
	// Send is the body with placeholders, as decoded from YAML. An entry that is
	// nothing but a placeholder whose value is not set is left out.
	Send any `yaml:"send"`
	// Read maps fields (package reply) to paths, in which values of the user
	// stand for parts; one whose value is not set is left out. No entry at all
	// looks for a known shape.
	Read map[string]string `yaml:"read"`
	// Values are the placeholders that a user may or must set.
	Values []Value `yaml:"values"`
	// Setup are calls that are made once, before the first question.
	Setup []Step `yaml:"setup"`
	// Answers is set when the server answers; otherwise it only retrieves.
	Answers bool `yaml:"answers"`
}

// A Value is a placeholder that a user may set, or must when it is required.
type Value struct {
	Name     string `yaml:"name"`
	Doc      string `yaml:"doc"`
	Default  string `yaml:"default"`
	Required bool   `yaml:"required"`
	// Secret marks keys and passwords, which are neither shown nor kept.
	Secret bool `yaml:"secret"`
	// Type is one of the Type… constants; "" is text.
	Type string `yaml:"type"`
	// Set is the value that holds after [Preset.Fill]: a string, a json.Number
	// or a list of strings as []any; nil when there is none.
	Set any `yaml:"-"`
}

// The types of values.
const (
	TypeText   = "text"
	TypeNumber = "number"
	// TypeList is a list of texts, separated by commas.
	TypeList = "list"
)

// A Step is a call that is made once.
type Step struct {
	Method string `yaml:"method"`
	Path   string `yaml:"path"`
	Send   any    `yaml:"send"`
	// Save maps names of placeholders to paths in the reply.
	Save map[string]string `yaml:"save"`
}

// Embeds reports whether the server is asked with the vector of the question,
// which needs the embedder that made the vectors of its documents.
func (p Preset) Embeds() bool {
	t, err := template.Parse(p.Send)
	return err == nil && slices.Contains(t.Names(), "embedding")
}
