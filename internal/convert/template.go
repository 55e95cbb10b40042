package convert

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// placeholder is one of a template of promptfoo, with its filters.
var placeholder = lazyregexp.New(`\{\{-?\s*([^{}]*?)\s*-?\}\}`)

// plainName is a variable, or a path into one.
var plainName = lazyregexp.New(`^[\pL_][\pL\pN_]*(\.[\pL\pN_]+)*$`)

// A template rewrites the placeholders of a request for one prompt of the project.
type template struct {
	prompt int
	vault  *vault
	// problems are placeholders that cannot be rewritten.
	problems []string
}

// text returns a text with the placeholders of assay: {{prompt}} is what the prompt became
// for the case, {{name}} a variable of its test.
func (t *template) text(s string) string {
	var b strings.Builder
	done := 0
	for _, m := range placeholder().FindAllStringSubmatchIndex(s, -1) {
		b.WriteString(literal(s[done:m[0]]) + t.one(s[m[0]:m[1]], s[m[2]:m[3]]))
		done = m[1]
	}
	if strings.Contains(s[done:], "{%") {
		t.problems = append(t.problems, "{%")
	}
	return b.String() + literal(s[done:])
}

// one rewrites a placeholder.
func (t *template) one(whole, inner string) string {
	name, filters, _ := strings.Cut(inner, "|")
	name = strings.TrimSpace(name)
	if variable, ok := strings.CutPrefix(name, "env."); ok && filters == "" && plainName().MatchString(variable) {
		return t.vault.variable(variable)
	}
	quote := ""
	switch strings.TrimSpace(filters) {
	case "", "safe":
	case "dump", "tojson", "dump | safe":
		quote = "json "
	default:
		t.problems = append(t.problems, whole)
		return literal(strings.ReplaceAll(whole, "{{", "{{{{"))
	}
	switch {
	case name == "prompt":
		return fmt.Sprintf("{{%smetadata.prompts.%d}}", quote, t.prompt)
	case plainName().MatchString(name):
		return fmt.Sprintf("{{%smetadata.vars.%s|}}", quote, name)
	}
	t.problems = append(t.problems, whole)
	return literal(strings.ReplaceAll(whole, "{{", "{{{{"))
}

// value rewrites every text of a value. A secret in it becomes a variable.
func (t *template) value(name string, v any, hid *[]string) any {
	switch v := v.(type) {
	case string:
		if isSecret(name) && !placeholder().MatchString(v) {
			text, was := t.vault.hidden(name, v)
			if was != "" {
				*hid = append(*hid, was)
			}
			return text
		}
		return t.text(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = t.value(name, v[i], hid)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for key := range v {
			out[key] = t.value(key, v[key], hid)
		}
		return out
	}
	return v
}
