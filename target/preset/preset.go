// Package preset holds how common servers are asked: data files, one a server,
// that say what is sent and where the parts of the reply are.
package preset

import (
	"github.com/assay-eval/assay/target/reply"
	"github.com/assay-eval/assay/target/template"
)

// A Preset is how one kind of server is asked.
type Preset struct {
	// Name is that of the file, without its extension.
	Name string
	// Title is the server's own name, Doc what the preset asks of it, Source
	// where its API is described.
	Title, Doc, Source string
	// Adapter is "http" or "openai".
	Adapter string
	Method  string
	// Path is appended to the endpoint's address; it may hold placeholders.
	Path string
	// Endpoint is the usual address, used when the user names none.
	Endpoint string
	Header   map[string]string
	// Send is the body with placeholders, as decoded from YAML.
	Send any
	// Read maps fields (package reply) to paths.
	Read map[string]string
	// Values are the placeholders that a user may or must set.
	Values []Value
	// Setup are calls that are made once, before the first question.
	Setup []Step
	// Answers is set when the server answers; otherwise it only retrieves.
	Answers bool
}

// A Value is a placeholder that a user may set, or must when it has no default.
type Value struct {
	Name, Doc, Default string
	Required           bool
}

// A Step is a call that is made once.
type Step struct {
	Method, Path string
	Send         any
	// Save maps names of placeholders to paths in the reply.
	Save map[string]string
}

// Names lists the presets, sorted.
func Names() []string { panic("not written yet") }

// Load gives a preset; an unknown name is an error that lists those that there
// are.
func Load(name string) (Preset, error) { panic("not written yet") }

var (
	_ = template.Text
	_ = reply.Fields
)
