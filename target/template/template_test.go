package template_test

import (
	"encoding/json"
	"math"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/target/template"
)

func values() map[string]any {
	return map[string]any{
		"question": `Is "A&B" <ok>?`, "top_k": 5, "empty": "", "none": nil, "yes": true,
		"metadata": map[string]any{"lang": "de", "deep": map[string]any{"n": uint64(7), "3": "three"}, "a.b": "dotted"},
		"tags":     []any{"x", "y"}, "vector": []float32{0.25, -1}, "labels": map[string]any{"k": "v"}, "words": []string{"p"},
	}
}

func TestFill(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		template any
		want     string
	}{
		{"a text", "{{question}}", `"Is \"A&B\" <ok>?"`},
		{"types are kept", []any{"{{top_k}}", "{{ yes }}", "{{none}}", "{{tags}}", "{{vector}}", "{{labels}}", "{{words}}"},
			`[5,true,null,["x","y"],[0.25,-1],{"k":"v"},["p"]]`},
		{"constants", map[string]any{"i": uint64(3), "j": -4, "f": 0.5, "b": false, "n": nil, "e": []any{}, "o": map[string]any{}, "s": ""},
			`{"b":false,"e":[],"f":0.5,"i":3,"j":-4,"n":null,"o":{},"s":""}`},
		{"within a text", "q: {{question}}, k={{top_k}} {{tags}} {{none}}!", `"q: Is \"A&B\" <ok>?, k=5 [\"x\",\"y\"] null!"`},
		{"space around makes a text", " {{top_k}}", `" 5"`},
		{"two placeholders", "{{top_k}}{{top_k}}", `"55"`},
		{"json", `{ search(text: {{json question}}, n: {{json top_k}}, v: {{ json  metadata.lang }}) }`,
			`"{ search(text: \"Is \\\"A&B\\\" <ok>?\", n: 5, v: \"de\") }"`},
		{"json alone is a text", "{{json question}}", `"\"Is \\\"A&B\\\" <ok>?\""`},
		{"paths", []any{"{{metadata.lang}}", "{{metadata.deep.n}}", "{{metadata.deep.3}}", "{{metadata.a.b}}", "{{tags.1}}", "{{labels.k}}"},
			`["de",7,"three","dotted","y","v"]`},
		{"an inner object", "{{metadata.deep}}", `{"3":"three","n":7}`},
		{"defaults", []any{"{{x|en}}", "{{x|5}}", "{{ x | a b }}", `{{x|"05"}}`, "{{x|}}", "{{x|[1]}}", "{{x|null}}", "{{none|n}}",
			"{{metadata.no.way|d}}", "{{top_k|9}}", "{{empty|e}}"}, `["en",5,"a b","05","",[1],null,"n","d",5,""]`},
		{"defaults within a text", `a {{x|en}} {{x|5.0}} {{x|"05"}} {{json x|en}} {{json x|5}}`, `"a en 5.0 05 \"en\" 5"`},
		{"braces", "{{{{question}} is {{question}}} } }}", `"{{question}} is Is \"A&B\" <ok>?} } }}"`},
		{"keys", map[string]any{"k_{{metadata.lang}}": 1, "{{tags.0}}": map[string]any{"in": "{{top_k}}"}}, `{"k_de":1,"x":{"in":5}}`},
		{"Go's lists", []string{"{{top_k}}", "b"}, `[5,"b"]`},
	} {
		tmpl, err := template.Parse(test.template)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		got, err := tmpl.Fill(values())
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if text := plainJSON(t, got); text != test.want {
			t.Errorf("%s: %s\nwant %s", test.name, text, test.want)
		}
	}
}

func plainJSON(t *testing.T, v any) string {
	t.Helper()
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

// What is kept of a template is nobody else's.
func TestParseSharesNothing(t *testing.T) {
	t.Parallel()
	source := map[string]any{"fixed": []any{map[string]any{"a": 1}}}
	tmpl, err := template.Parse(source)
	if err != nil {
		t.Fatal(err)
	}
	source["fixed"].([]any)[0].(map[string]any)["a"] = 2
	first, err := tmpl.Fill(values())
	if err != nil {
		t.Fatal(err)
	}
	first.(map[string]any)["fixed"].([]any)[0].(map[string]any)["a"] = 3
	second, err := tmpl.Fill(values())
	if err != nil {
		t.Fatal(err)
	}
	if got := plainJSON(t, second); got != `{"fixed":[{"a":1}]}` {
		t.Error(got)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	tmpl, err := template.Parse(map[string]any{"{{k}}": []any{"{{question}} {{json metadata.lang}}", "{{question}}", "{{{{no}}", "{{d|x}}",
		map[string]any{"a": "{{top_k}}"}}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"k", "metadata.lang", "question", "top_k"}, tmpl.Names()); diff != "" {
		t.Error(diff)
	}
	// A placeholder with a default uses its value, too; one in doubled braces is none.
	for value, want := range map[string]bool{"question": true, "metadata": true, "d": true, "k": true, "no": false, "lang": false, "": false} {
		if tmpl.Uses("other", value) != want {
			t.Errorf("uses %q: %v, want %v", value, !want, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		template any
		want     string
	}{
		{"a {{question", `placeholder "{{question" is not closed: expected }} after its name, or {{{{ for two braces`},
		{"{{question}", `placeholder "{{question}" is not closed`},
		{"{{}}", `placeholder "{{}}" has no name: expected one such as {{question}}`},
		{"{{ |x}}", `placeholder "{{ |x}}" has no name`},
		{"{{{question}}}", `placeholder "{{{question}}": a name cannot contain braces`},
		{`{{"a": 1}}`, `a name cannot contain braces, quotation marks`},
		{"{{a..b}}", `a name is missing beside a dot`},
		{"{{.a}}", `a name is missing beside a dot`},
		{map[string]any{"messages": []any{"", map[string]any{"content": "{{x"}}}, `messages[1].content: placeholder "{{x" is not closed`},
		{map[string]any{"a": map[string]any{"{{": 1}}, `a.{{: placeholder "{{" is not closed`},
		{map[string]any{"a": math.NaN()}, `json: unsupported value: NaN`},
		{[]any{func() {}}, `json: unsupported type`},
	} {
		if _, err := template.Parse(test.template); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: error %v\nwant %s", test.template, err, test.want)
		}
	}
}

func TestFillErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ template, want string }{
		{"{{questoin}}", `unknown placeholder "questoin": did you mean "question"? (there are: empty, labels, metadata, none, question, tags, ` +
			`top_k, vector, words, yes)`},
		{"{{xyz}}", `unknown placeholder "xyz": (there are: empty, `},
		{"a {{metadata.lnag}}", `placeholder "metadata.lnag": metadata has no "lnag": did you mean "lang"? (there are: a.b, deep, lang)`},
		{"{{metadata.deep.x}}", `placeholder "metadata.deep.x": metadata.deep has no "x"`},
		{"{{question.x}}", `placeholder "question.x": question is text, which has no elements`},
		{"{{none.x}}", `none is null, which has no elements`},
		{"{{top_k.x}}", `top_k is a number`},
		{"{{tags.2}}", `placeholder "tags.2": no element "2" in tags, a list of 2`},
		{"{{tags.x}}", `no element "x" in tags`},
	} {
		tmpl, err := template.Parse([]any{test.template})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tmpl.Fill(values()); err == nil || !strings.HasPrefix(err.Error(), test.want) && !strings.Contains(err.Error(),
			": "+test.want) {
			t.Errorf("%s: error %v\nwant %s", test.template, err, test.want)
		}
	}
	tmpl, err := template.Parse(map[string]any{"{{a}}": 1, "{{b}}": 2})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tmpl.Fill(map[string]any{"a": "same", "b": "same"}); err == nil ||
		!strings.Contains(err.Error(), `"same" becomes a key that already exists`) {
		t.Errorf("two keys that become one: %v", err)
	}
	if _, err := tmpl.Fill(nil); err == nil || !strings.HasSuffix(err.Error(), "there are none") {
		t.Errorf("no values: %v", err)
	}
	bad := map[string]any{"n": math.Inf(1), "f": func() {}}
	for _, text := range []string{"a {{n}}", "{{json f}}"} {
		tmpl, err := template.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := tmpl.Fill(bad); err == nil || !strings.Contains(err.Error(), `unsupported`) {
			t.Errorf("%s: %v, %v: want an error that says that JSON has no word for it", text, v, err)
		}
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"Bearer {{metadata.lang}}": "Bearer de", "": "", "{{{{": "{{"} {
		if got, err := template.Text(text, values()); err != nil || got != want {
			t.Errorf("%q: %q, %v\nwant %q", text, got, err, want)
		}
	}
	for _, text := range []string{"{{", "{{nobody}}"} {
		if got, err := template.Text(text, values()); err == nil {
			t.Errorf("%q: %q and no error", text, got)
		}
	}
}

// A value stays where the address has its placeholder: it neither leads out of the path, however often a server
// decodes it, nor adds a parameter.
func TestAddress(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ address, value, want string }{
		{"/q/{{v}}/{{x|5}}", `Is "A&B" <ok>?`, "/q/Is%20%22A&B%22%20%3Cok%3E%3F/5"},
		{"/q?k={{x|a b}}&t={{v}}", "c&d=../e", "/q?k=a+b&t=c%26d%3D..%2Fe"},
		{"/v1/{{v}}/a?t={{v}}", "docs/a..b.md", "/v1/docs%2Fa..b.md/a?t=docs%2Fa..b.md"},
		{"/v1/{{v}}/a", "100% ...", "/v1/100%25%20.../a"},
		{"/v1/../{{{{", "", "/v1/../{{"}, // its author wrote it
		{"/v1/{{v}}/secret", "..", ""},
		{"/v1/{{v}}", ".", ""},
		{"/v1/a{{v}}/secret", "/../..", ""},
		{"/v1/{{v}}/secret", `a\..\..`, ""},
		{"/v1/{{v}}/secret", "%2e%2E", ""},
		{"/v1/{{v}}/secret", "%zz%252f%252E%252e%5c", ""},
		{"/v1/{{v}}/secret", "..;x=1", ""},
		{"/v1/.{{v}}/secret", ".", ""},
		{"/v1/{{v}}{{v}}/secret?q={{v}}", ".", ""},
		{"/v1/{{x|..}}/secret", "", ""},
	} {
		p, err := template.ParsePattern(test.address)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Address(map[string]any{"v": test.value})
		if test.want == "" && (err == nil || !strings.Contains(err.Error(), "leads to another address: it must be in the query")) {
			t.Errorf("%s with %q: %q, %v, want an error", test.address, test.value, got, err)
		}
		if test.want != "" && (err != nil || got != test.want) {
			t.Errorf("%s with %q: %q, %v, want %q", test.address, test.value, got, err, test.want)
		}
	}
}

func TestPattern(t *testing.T) {
	t.Parallel()
	p, err := template.ParsePattern("http://h/{{a|x?y}}/b?q={{question}}&r=1?{{a}}")
	if err != nil {
		t.Fatal(err)
	}
	before, after, found := p.Cut("?")
	path, err1 := before.Fill(map[string]any{}, nil)
	query, err2 := after.Fill(map[string]any{"question": "?", "a": 1}, url.QueryEscape)
	if !found || err1 != nil || err2 != nil || path != "http://h/x?y/b" || query != "q=%3F&r=1?1" {
		t.Errorf("%q and %q, %v, %v %v: want the cut at the first ? outside of placeholders", path, query, found, err1, err2)
	}
	if diff := cmp.Diff([]string{"question", "a"}, p.Names()); diff != "" || p.Constant() {
		t.Errorf("constant %v, names:\n%s", p.Constant(), diff)
	}
	plain, err := template.ParsePattern("no {{{{ placeholder")
	if err != nil || !plain.Constant() || plain.String() != "no {{{{ placeholder" {
		t.Errorf("%q constant %v, %v", plain, plain.Constant(), err)
	}
	if rest, _, found := plain.Cut("?"); found || rest.String() != plain.String() {
		t.Errorf("cut %q where there is nothing to cut", rest)
	}
}
