package llm_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/llm"
)

func key(t testing.TB, provider string, r llm.Request) string {
	t.Helper()
	k, _, err := llm.Key(provider, r)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// The text is written out by hand from the documentation of Key: fields sorted,
// no spaces, numbers in their shortest form, the version and the provider.
func TestKeyText(t *testing.T) {
	t.Parallel()
	half, seed := 0.50, int64(7)
	got, text, err := llm.Key("openai", llm.Request{
		Operation: "support", Model: "m", System: "s<", Messages: []llm.Message{{Role: "user", Text: "a\u2028" + llm.NonceMark}},
		Schema: json.RawMessage(`{"type": "object", "a": 1.0, "b": 1e2}`), Temperature: &half, Seed: &seed, Thinking: 3,
		Extra: map[string]any{"z": true, "b": map[string]any{"y": 1, "x": nil}}, Draw: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"draw":2,"extra":{"b":{"x":null,"y":1},"z":true},"max_tokens":4096,` +
		`"messages":[{"role":"user","text":"a\u2028\u0002nonce\u0003"}],"model":"m","provider":"openai",` +
		`"schema":{"a":1,"b":100,"type":"object"},"seed":7,"system":"s<","temperature":0.5,"thinking":3,"version":"assay.call/1"}`
	if string(text) != want {
		t.Errorf("the text is\n%s\nwant\n%s", text, want)
	}
	sum := sha256.Sum256([]byte(want))
	if got != hex.EncodeToString(sum[:]) {
		t.Errorf("key %s is not the SHA-256 of the text", got)
	}
}

func TestKeyNumbers(t *testing.T) {
	t.Parallel()
	of := func(n string) string {
		return key(t, "p", llm.Request{Model: "m", Schema: json.RawMessage(`{"n":` + n + `}`)})
	}
	for _, same := range [][]string{
		{"1", "1.0", "1e0", "10e-1", "1.000"},
		{"0", "-0", "0.0", "-0.0", "0e9"},
		{"0.1", "1e-1", "0.10"},
		{"12345678901234567890", "12345678901234567890"},
		{"1e400", "1e400"}, // no float64 holds it
	} {
		for _, n := range same {
			if of(n) != of(same[0]) {
				t.Errorf("%s and %s have different keys", n, same[0])
			}
		}
	}
	// A float64 would confuse the first two, as it would the last.
	different := []string{
		"12345678901234567890",
		"12345678901234567891",
		"0",
		"1",
		"-1",
		"0.1",
		"1e-300",
		"1e300",
		"1e400",
		"1e401",
		"9007199254740993",
		"9007199254740992",
	}
	seen := map[string]string{}
	for _, n := range different {
		k := of(n)
		if other, ok := seen[k]; ok {
			t.Errorf("%s and %s have the same key", n, other)
		}
		seen[k] = n
	}
}

func TestKeyIgnores(t *testing.T) {
	t.Parallel()
	base := llm.Request{Model: "m", Messages: []llm.Message{}, MaxTokens: llm.DefaultMaxTokens}
	for name, r := range map[string]llm.Request{
		"the operation":     {Model: "m", Operation: "claims", MaxTokens: 4096},
		"no bound":          {Model: "m"},
		"an empty extra":    {Model: "m", Extra: map[string]any{}},
		"an empty messages": {Model: "m", Messages: []llm.Message{}},
	} {
		if key(t, "p", r) != key(t, "p", base) {
			t.Errorf("%s changes the key", name)
		}
	}
}

func TestKeyRefuses(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]llm.Request{
		"NaN":        {Extra: map[string]any{"x": math.NaN()}},
		"a function": {Extra: map[string]any{"x": func() {}}},
		"a schema":   {Schema: json.RawMessage(`{`)},
	} {
		if _, _, err := llm.Key("p", r); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}

func requests() *rapid.Generator[llm.Request] {
	return rapid.Custom(func(t *rapid.T) llm.Request {
		text := rapid.SampledFrom([]string{"", "a", "b", "ab", "你", `"`, "\n", "<&>", llm.NonceMark, "null", "a\x00"})
		r := llm.Request{
			Model: text.Draw(t, "model"), System: text.Draw(t, "system"),
			MaxTokens: rapid.IntRange(1, 9).Draw(t, "max"), Thinking: rapid.IntRange(0, 3).Draw(t, "thinking"),
			Draw: rapid.IntRange(0, 3).Draw(t, "draw"),
		}
		for range rapid.IntRange(0, 3).Draw(t, "turns") {
			r.Messages = append(r.Messages, llm.Message{
				Role: rapid.SampledFrom([]string{"user", "assistant"}).Draw(t, "role"),
				Text: text.Draw(t, "text"),
			})
		}
		if rapid.Bool().Draw(t, "warm") {
			v := rapid.Float64Range(0, 2).Draw(t, "temperature")
			r.Temperature = &v
		}
		if rapid.Bool().Draw(t, "seeded") {
			v := rapid.Int64().Draw(t, "seed")
			r.Seed = &v
		}
		if rapid.Bool().Draw(t, "extra") {
			r.Extra = rapid.MapOfN(text, rapid.Just[any](map[string]any{"k": true}), 1, 3).Draw(t, "fields")
		}
		if rapid.Bool().Draw(t, "schema") {
			r.Schema = json.RawMessage(fmt.Sprintf(`{"a":%d,"b":{"c":[1,2],"d":null}}`, rapid.IntRange(0, 3).Draw(t, "a")))
		}
		return r
	})
}

// copyOf has the same content in other memory, with its maps filled in another
// order and its schema written in another way.
func copyOf(t *rapid.T, r llm.Request) llm.Request {
	r.Messages = slices.Clone(r.Messages)
	if r.Extra != nil {
		extra, keys := map[string]any{}, slices.Collect(maps.Keys(r.Extra))
		for _, k := range rapid.Permutation(keys).Draw(t, "order") {
			extra[k] = r.Extra[k]
		}
		r.Extra = extra
	}
	if r.Schema != nil {
		var v map[string]json.RawMessage
		if err := json.Unmarshal(r.Schema, &v); err != nil {
			t.Fatal(err)
		}
		r.Schema = json.RawMessage(fmt.Sprintf("{ \"b\":%s ,\n\t\"\\u0061\" : %s.0}", v["b"], v["a"]))
	}
	for _, p := range []**float64{&r.Temperature} {
		if *p != nil {
			v := **p
			*p = &v
		}
	}
	return r
}

// Equal content has equal keys; any change has another.
func TestKeyProperty(t *testing.T) {
	t.Parallel()
	changes := map[string]func(*llm.Request){
		"model":       func(r *llm.Request) { r.Model += "x" },
		"system":      func(r *llm.Request) { r.System += "x" },
		"a turn more": func(r *llm.Request) { r.Messages = append(slices.Clone(r.Messages), llm.Message{Role: "user"}) },
		"first role": func(r *llm.Request) {
			if len(r.Messages) > 0 {
				r.Messages = slices.Clone(r.Messages)
				r.Messages[0].Role += "x"
			}
		},
		"first text": func(r *llm.Request) {
			if len(r.Messages) > 0 {
				r.Messages = slices.Clone(r.Messages)
				r.Messages[0].Text += "x"
			}
		},
		"schema":     func(r *llm.Request) { r.Schema = json.RawMessage(`{"other":1}`) },
		"max tokens": func(r *llm.Request) { r.MaxTokens++ },
		"temperature": func(r *llm.Request) {
			v := -1.0
			if r.Temperature != nil {
				v = math.Nextafter(*r.Temperature, 3)
			}
			r.Temperature = &v
		},
		"seed": func(r *llm.Request) {
			v := int64(0)
			if r.Seed != nil {
				v = *r.Seed ^ 1
			}
			r.Seed = &v
		},
		"thinking": func(r *llm.Request) { r.Thinking++ },
		"extra": func(r *llm.Request) {
			extra := map[string]any{"new": 1}
			maps.Copy(extra, r.Extra)
			r.Extra = extra
		},
		"draw": func(r *llm.Request) { r.Draw++ },
	}
	rapid.Check(t, func(t *rapid.T) {
		r := requests().Draw(t, "request")
		k, _, err := llm.Key("p", r)
		if err != nil {
			t.Fatal(err)
		}
		if same, _, err := llm.Key("p", copyOf(t, r)); err != nil || same != k {
			t.Fatalf("equal content has another key (%v)", err)
		}
		if other, _, _ := llm.Key("q", r); other == k {
			t.Fatal("the provider is not part of the key")
		}
		for name, change := range changes {
			c := r
			change(&c)
			other, _, err := llm.Key("p", c)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			// Only what needs a turn may have changed nothing.
			if other == k && !(len(r.Messages) == 0 && strings.HasPrefix(name, "first")) {
				t.Fatalf("a change of %s leaves the key", name)
			}
		}
	})
}

// Whatever JSON a schema is, its key is that of its canonical text, and what is
// no JSON is refused.
func FuzzKey(f *testing.F) {
	for _, s := range []string{
		`{}`,
		`{"b":1,"a":[1.0,-0,1e5,1e-7]}`,
		`"\u0061"`,
		`[{"x":{"y":null}}]`,
		`{"a":1,"a":2}`,
		`1e999`,
		` true`,
		`{`,
		"\ufeff{}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, schema []byte) {
		r := llm.Request{Model: "m", Schema: schema}
		k, text, err := llm.Key("p", r)
		if err != nil {
			if json.Valid(schema) {
				t.Fatalf("%q is JSON and was refused: %v", schema, err)
			}
			return
		}
		var back struct{ Schema json.RawMessage }
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		again, text2, err := llm.Key("p", llm.Request{Model: "m", Schema: back.Schema})
		if err != nil || again != k || !bytes.Equal(text, text2) {
			t.Fatalf("%q: the canonical text has another key: %v\n%s\n%s", schema, err, text, text2)
		}
	})
}
