package reply_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/assay-eval/assay/target/reply"
	"github.com/google/go-cmp/cmp"
)

// decode reads JSON as the adapters do.
func decode(t testing.TB, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// encode writes a value for comparison; keys are sorted.
func encode(t testing.TB, v any) string {
	t.Helper()
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

func TestFind(t *testing.T) {
	t.Parallel()
	const text = `{
		"answer": "A", "none": null, "empty": [], "zero": 0, "a.b": {"c]": 1}, "": "blank", "*": "star", "it's": 5,
		"choices": [{"message": {"content": "x"}}, {"message": {"content": "y"}}, {}],
		"columns": [["a", null, "c"]], "hollow": [[], []], "nulls": [null, null],
		"said": [{"by": "user", "text": "a"}, {"by": "bot", "text": "b"}, {"by": "bot", "text": "c", "from": {"role": "x"}}, "d"],
		"classes": {"B": [2, 3], "A": [1]}, "0": "key"}`
	for _, c := range []struct {
		path  string
		want  string
		found bool
	}{
		{"answer", `["A"]`, true},
		{"$.answer", `["A"]`, true},
		{" answer ", `["A"]`, true},
		{"zero", `[0]`, true},
		{"none", `null`, false},
		{"missing", `null`, false},
		{"answer.text", `null`, false},
		{"answer[]", `null`, false},
		// A list is one value, its elements are many.
		{"empty", `[[]]`, true},
		{"empty[]", `[]`, true},
		{"empty[0]", `null`, false},
		{"choices[0].message.content", `["x"]`, true},
		{"choices.1.message.content", `["y"]`, true},
		{"choices[-2].message.content", `["y"]`, true},
		{"choices[-4]", `null`, false},
		{"choices[3]", `null`, false},
		{"choices[].message.content", `["x","y"]`, true},
		{"choices[*].message.content", `["x","y"]`, true},
		{`$['choices'][ 0 ]["message"].content`, `["x"]`, true},
		{"choices[].delta", `null`, false},
		// The elements with a value are a list.
		{"said[by=bot][].text", `["b","c"]`, true},
		{"said[by=bot][-1].text", `["c"]`, true},
		{"said[by=bot|user][].text", `["a","b","c"]`, true},
		{"said[from.role=*][].text", `["c"]`, true},
		{"said[by=nobody][].text", `null`, false},
		{"answer[by=bot]", `null`, false},
		{"choices.message", `null`, false},
		{"columns[0][]", `["a","c"]`, true},
		{"columns[][]", `["a","c"]`, true},
		{"hollow[][]", `[]`, true},
		{"nulls[]", `null`, false},
		{"empty[].a.b", `[]`, true},
		{`["a.b"]["c]"]`, `[1]`, true},
		{`[""]`, `["blank"]`, true},
		{`["*"]`, `["star"]`, true},
		{`['it\'s']`, `[5]`, true},
		{"classes.*[]", `[1,2,3]`, true}, // by key
		{"choices.*.message.content", `["x","y"]`, true},
		{"0", `["key"]`, true},
	} {
		p, err := reply.ParsePath(c.path)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		if p.String() != strings.TrimSpace(c.path) {
			t.Errorf("%q is written %q", c.path, p.String())
		}
		got, found := p.Find(decode(t, text))
		want := decode(t, c.want)
		if w, ok := want.([]any); found != c.found || ok && !cmp.Equal(w, append([]any{}, got...)) || !ok && got != nil {
			t.Errorf("%s: got %v, %v; want %s, %v", c.path, got, found, c.want, c.found)
		}
	}
	// The whole value, of any kind.
	if p, _ := reply.ParsePath("$"); true {
		if got, ok := p.Find("text"); !ok || len(got) != 1 || got[0] != "text" {
			t.Errorf("$ finds %v", got)
		}
	}
}

func TestParsePathProblems(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":        `path "": is empty: expected one such as "answer" or "$" for the whole reply`,
		"  ":      `path "  ": is empty: expected one such as "answer" or "$" for the whole reply`,
		".a":      `path ".a": position 1: a dot at the start: expected a key`,
		"a..b":    `path "a..b": position 2: a dot without a key: expected one, or ["…"] for a key that holds dots`,
		"a.":      `path "a.": position 2: a dot without a key: expected one, or ["…"] for a key that holds dots`,
		"$.":      `path "$.": position 2: a dot without a key: expected one, or ["…"] for a key that holds dots`,
		"a[0":     `path "a[0": position 2: "[" without "]"`,
		"a]":      `path "a]": position 2: "]" without "[": expected a key that holds brackets as ["…"]`,
		"a[x]":    `path "a[x]": position 2: "x" in brackets: expected a number, nothing, key=value, or a key in quotes`,
		"a[1.5]":  `path "a[1.5]": position 2: "1.5" in brackets: expected a number, nothing, key=value, or a key in quotes`,
		`a["b`:    `path "a[\"b": position 2: a key in quotes that does not end: expected '"'`,
		`a["b"x]`: `path "a[\"b\"x]": position 2: a quoted key without "]": expected one after it`,
		"a[0]b":   `path "a[0]b": position 5: 'b' after a bracket: expected a dot, a bracket or the end`,
		"a[999999999999999999999]": `path "a[999999999999999999999]": position 2: "999999999999999999999" in brackets: expected a number, ` +
			`nothing, key=value, or a key in quotes`,
	} {
		if _, err := reply.ParsePath(in); err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", in, err, want)
		}
	}
}

func FuzzParsePath(f *testing.F) {
	for _, s := range []string{"a.b[0][]", `["a\"b"]`, "$", "$.a", "a[-1].*", "a[", "..", "é.ü"} {
		f.Add(s, `{"a": [{"b": null}, [1]], "é": {"ü": 1}}`)
	}
	f.Fuzz(func(t *testing.T, path, text string) {
		p, err := reply.ParsePath(path)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "path ") {
				t.Errorf("%q: %v", path, err)
			}
			return
		}
		// What is written is parsed to the same.
		again, err := reply.ParsePath(p.String())
		var v any
		if json.Unmarshal([]byte(text), &v) != nil {
			v = text
		}
		a, okA := p.Find(v)
		b, okB := again.Find(v)
		if err != nil || okA != okB || !cmp.Equal(a, b) || len(a) > 0 && !okA {
			t.Errorf("%q finds %v %v, %q finds %v %v: %v", path, a, okA, p, b, okB, err)
		}
		for _, v := range a {
			if v == nil {
				t.Errorf("%q finds a null", path)
			}
		}
	})
}
