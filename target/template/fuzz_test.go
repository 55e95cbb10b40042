package template_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/target/template"
)

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`"{{question}}"`, `{"a":["{{json question}} {{x|5}}",1e400,null],"{{k}}":{"b":"{{{{"}}`, `"{{a.b.0|}}"`, `"{{ json x | {\"a\":1} }}"`,
		`"{{"`, `["}}{{a}}{"]`,
	} {
		f.Add(s, "a", "value")
	}
	f.Fuzz(func(t *testing.T, raw, name, value string) {
		d := json.NewDecoder(strings.NewReader(raw))
		d.UseNumber()
		var v any
		if d.Decode(&v) != nil {
			return
		}
		tmpl, err := template.Parse(v)
		if err != nil {
			return
		}
		values := map[string]any{"question": "q", name: value}
		for _, n := range tmpl.Names() {
			values[n] = value // a name that holds dots is found whole
		}
		first, err := tmpl.Fill(values)
		if err != nil {
			// Two keys may become one; nothing else is missing.
			if !strings.Contains(err.Error(), "there already") {
				t.Fatalf("every name has a value: %v", err)
			}
			return
		}
		if second, err := tmpl.Fill(values); err != nil || !reflect.DeepEqual(first, second) {
			t.Fatalf("first %v, then %v, %v", first, second, err)
		}
		if _, err := json.Marshal(first); err != nil {
			t.Fatalf("%#v cannot be sent: %v", first, err)
		}
	})
}

// Any text comes through as it is when its braces are doubled, and any value
// reads back from the JSON that it is put in as.
func TestEveryTextComesThrough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a{}|"]{0,12}`).Draw(t, "text")
		value := rapid.String().Draw(t, "value")
		escaped := strings.ReplaceAll(text, "{{", "{{{{")
		got, err := template.Text(escaped+"\n{{json v}}", map[string]any{"v": value})
		if err != nil {
			t.Fatalf("%q: %v", escaped, err)
		}
		before, after, _ := strings.Cut(got, "\n")
		if before != text {
			t.Fatalf("%q is %q", escaped, before)
		}
		var back string
		if err := json.Unmarshal([]byte(after), &back); err != nil || back != strings.ToValidUTF8(value, "\uFFFD") {
			t.Fatalf("%q came through as %q: %v", value, after, err)
		}
	})
}
