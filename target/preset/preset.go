// Package preset holds the request and reply formats of common servers, one YAML file
// per server.
package preset

import (
	"slices"

	"github.com/assay-eval/assay/target/template"
)

// A Preset describes how one kind of server is called.
type Preset struct {
	// Name is the file name without its extension.
	Name string `yaml:"-"`
	// Title is the server's own name, Doc describes the request, Source is the address
	// of the API's documentation.
	Title  string `yaml:"title"`
	Doc    string `yaml:"doc"`
	Source string `yaml:"source"`
	// Adapter is "http" or "openai".
	Adapter string `yaml:"adapter"`
	Method  string `yaml:"method"`
	// Path is appended to the endpoint's address; it may hold placeholders.
	Path string `yaml:"path"`
	// Endpoint is the default address; "" if there is none.
	Endpoint string `yaml:"endpoint"`
	// Header is sent with every request. A header with an unset placeholder is omitted.
	Header map[string]string `yaml:"header"`
	// Send is the body with placeholders, as decoded from YAML. An entry that consists
	// only of an unset placeholder is omitted.
	Send any `yaml:"send"`
	// Read maps fields (package reply) to paths, which may contain values of the user;
	// a path with an unset value is omitted. If it is empty, a known shape is detected.
	Read map[string]string `yaml:"read"`
	// Values are the placeholders that a user may or must set.
	Values []Value `yaml:"values"`
	// Setup lists calls that are made once, before the first question.
	Setup []Step `yaml:"setup"`
	// Answers is set if the server generates answers; otherwise it only retrieves.
	Answers bool `yaml:"answers"`
}

// A Value is a placeholder that a user may set, or must set if it is required.
type Value struct {
	Name     string `yaml:"name"`
	Doc      string `yaml:"doc"`
	Default  string `yaml:"default"`
	Required bool   `yaml:"required"`
	// Secret marks keys and passwords, which are neither shown nor stored.
	Secret bool `yaml:"secret"`
	// Type is one of the Type… constants; "" is text.
	Type string `yaml:"type"`
	// Set is the value after [Preset.Fill]: a string, a json.Number or a list of
	// strings as []any; nil if unset.
	Set any `yaml:"-"`
}

// The types of values.
const (
	TypeText   = "text"
	TypeNumber = "number"
	// TypeList is a comma-separated list of texts.
	TypeList = "list"
)

// A Step is a GET request that is made once.
type Step struct {
	Path string `yaml:"path"`
	// Save maps placeholder names to paths in the reply.
	Save map[string]string `yaml:"save"`
}

// Embeds reports whether requests hold the question's vector, which requires the
// embedder that made the document vectors.
func (p Preset) Embeds() bool {
	t, err := template.Parse(p.Send)
	return err == nil && slices.Contains(t.Names(), "embedding")
}
