// Package template fills in what is sent to a target: a JSON value, an address
// or a header in whose texts {{question}} and the like stand for values.
package template

// A Template is a JSON value with placeholders. A text that is one placeholder
// and nothing else becomes the value itself, with its type: "{{top_k}}" becomes
// the number 5. Within a longer text a text is put in as it is, any other value
// as JSON; "{{json question}}" puts in a quoted JSON string. Keys of objects may
// hold placeholders too. "{{metadata.lang}}" goes into objects, and
// "{{name|default}}" has a default.
type Template struct {
	root any
}

// Parse makes a template of a decoded JSON or YAML value. A placeholder that is
// not closed or has no name is an error that says where.
func Parse(v any) (*Template, error) { panic("not written yet") }

// Names lists the placeholders that have no default, sorted, each once.
func (t *Template) Names() []string { panic("not written yet") }

// Fill returns the value with everything filled in; the template is not
// changed. A placeholder without a value is an error that names it and those
// that there are.
func (t *Template) Fill(values map[string]any) (any, error) { panic("not written yet") }

// Text fills in one text, such as a header. escape, when it is not nil, is
// applied to each value, as url.PathEscape for an address.
func Text(s string, values map[string]any, escape func(string) string) (string, error) {
	panic("not written yet")
}
