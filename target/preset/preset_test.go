package preset_test

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/target/preset"
	"github.com/assay-eval/assay/target/reply"
	"github.com/assay-eval/assay/target/template"
)

var placeholder = regexp.MustCompile(`\{\{\s*(?:json\s+)?([\w.]+)`)

// names lists the placeholders of a decoded value, those with a default too.
func names(t *testing.T, v any) []string {
	t.Helper()
	if _, err := template.Parse(v); err != nil {
		t.Error(err)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, m := range placeholder.FindAllStringSubmatch(string(raw), -1) {
		all = append(all, m[1])
	}
	return all
}

// sample gives every value of a preset that must be given.
func sample(p preset.Preset) map[string]string {
	values := map[string]string{}
	for _, v := range p.Values {
		if v.Required {
			values[v.Name] = "x"
		}
	}
	return values
}

func TestFiles(t *testing.T) {
	t.Parallel()
	for _, want := range []string{"chroma", "qdrant", "opensearch", "weaviate", "dify", "ragflow", "langserve"} {
		if !slices.Contains(preset.Names(), want) {
			t.Errorf("no preset %s", want)
		}
	}
	for _, name := range preset.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := preset.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			if p.Title == "" || !strings.HasSuffix(p.Doc, ".") || p.Adapter != "http" || p.Method != "POST" || !strings.HasPrefix(p.Path, "/") ||
				p.Send == nil {
				t.Errorf("incomplete: %+v", p)
			}
			if u, err := url.Parse(p.Source); err != nil || u.Scheme != "https" || u.Host == "" {
				t.Errorf("source %q: want an address", p.Source)
			}
			if u, err := url.Parse(p.Endpoint); p.Endpoint != "" && (err != nil || u.Hostname() != "localhost" ||
				strings.HasSuffix(p.Endpoint, "/")) {
				t.Errorf("endpoint %q: want one on this machine: no default leaves it", p.Endpoint)
			}

			can := map[string]bool{"question": true, "id": true, "top_k": true, "embedding": true}
			unused := map[string]bool{}
			for _, v := range p.Values {
				if can[v.Name] || v.Doc == "" || v.Required && v.Default != "" || v.Secret && v.Default != "" ||
					!slices.Contains([]string{"", preset.TypeText, preset.TypeNumber, preset.TypeList}, v.Type) {
					t.Errorf("value %+v: its name is taken, or it is incomplete", v)
				}
				can[v.Name], unused[v.Name] = true, true
			}
			used := names(t, []any{p.Header, p.Send})
			for _, s := range p.Setup {
				used = append(used, names(t, s.Path)...)
				for name, path := range s.Save {
					can[name] = true
					if _, err := reply.ParsePath(path); err != nil {
						t.Error(err)
					}
				}
			}
			used = append(used, names(t, p.Path)...)
			for field, path := range p.Read {
				if _, err := reply.NewMapping(map[string]string{field: "x"}); err != nil {
					t.Errorf("read.%s: no such field", field)
				}
				used = append(used, names(t, path)...)
			}
			for _, name := range used {
				if !can[name] {
					t.Errorf("placeholder %q: nobody gives it a value", name)
				}
				delete(unused, name)
			}
			if len(unused) > 0 {
				t.Errorf("values that nothing uses: %v", unused)
			}
			if slices.Contains(names(t, p.Send), "embedding") != p.Embeds() {
				t.Errorf("Embeds() = %v", p.Embeds())
			}
			if _, answers := p.Read[reply.Answer]; len(p.Read) > 0 && answers != p.Answers {
				t.Errorf("answers: %v, but read.answer is there: %v", p.Answers, answers)
			}
			if _, err := p.Config("http://h", sample(p)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestLoadUnknown(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"qdrnat":     `unknown preset "qdrnat": did you mean "qdrant"? expected one of chroma, `,
		"Chroma":     `did you mean "chroma"?`,
		"":           `unknown preset "": expected one of`,
		"milvus":     `unknown preset "milvus": expected one of`,
		"../preset":  `unknown preset`,
		"load.go":    `unknown preset`,
		"preset\x00": `unknown preset`,
	} {
		if p, err := preset.Load(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Load(%q) = %v, %v: want %q", name, p, err, want)
		}
	}
}

func load(t *testing.T, name string) preset.Preset {
	t.Helper()
	p, err := preset.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestFill(t *testing.T) {
	t.Parallel()
	q := load(t, "qdrant")
	before, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	p, err := q.Fill(map[string]string{"collection": " docs ", "text_field": "page_content", "title_field": ""})
	if err != nil {
		t.Fatal(err)
	}
	if after, err := json.Marshal(q); err != nil || string(after) != string(before) {
		t.Errorf("Fill changed the preset: %s: want %s", after, before)
	}
	want := map[string]string{
		"passages": "result.points[]", "id": "id", "document": "id", "score": "score",
		"text": "payload.page_content", "source": "payload.source", // and no title: it was taken away
	}
	if diff := cmp.Diff(want, p.Read); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	// No api_key and no name of a vector are given.
	if len(p.Header) != 0 {
		t.Errorf("header %v: want none without a key", p.Header)
	}
	wantSend := map[string]any{"query": "{{embedding}}", "limit": "{{top_k|10}}", "with_payload": true}
	if diff := cmp.Diff(wantSend, p.Send); diff != "" {
		t.Errorf("send (-want +got):\n%s", diff)
	}
	for _, v := range p.Values {
		if want := map[string]any{"collection": "docs", "text_field": "page_content", "document": "id",
			"source_field": "source"}[v.Name]; v.Set != want {
			t.Errorf("value %s = %v: want %v", v.Name, v.Set, want)
		}
	}

	w, err := load(t, "ragflow").Fill(map[string]string{"api_key": "k", "dataset_ids": " a,, b ,", "similarity_threshold": "1e-1"})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range w.Values {
		if diff := cmp.Diff(map[string]any{"api_key": "k", "dataset_ids": []any{"a", "b"}, "similarity_threshold": json.Number("1e-1")}[v.Name],
			v.Set); diff != "" {
			t.Errorf("value %s (-want +got):\n%s", v.Name, diff)
		}
	}
}

func TestFillMistakes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		preset string
		values map[string]string
		want   []string
	}{
		{"ragflow", nil, []string{"preset ragflow: missing --value api_key=API_KEY (RAGFlow's key), --value dataset_ids=DATASET_IDS (ids of " +
			"the datasets, separated by commas)"}},
		{"ragflow", map[string]string{"api_key": "k", "dataset_ids": " , "}, []string{"missing --value dataset_ids="}},
		{"chroma", map[string]string{"colection": "docs", "zone": "eu"}, []string{
			`preset chroma: unknown value "colection": did you mean "collection"? expected one of collection, document, `,
			`preset chroma: unknown value "zone": expected one of collection`,
			"preset chroma: missing --value collection=COLLECTION (name of the collection)",
		}},
		{"weaviate-hybrid", map[string]string{"collection": "Docs", "alpha": "half"},
			[]string{`preset weaviate-hybrid: value alpha="half": expected a number`}},
		{"weaviate-hybrid", map[string]string{"collection": "Docs", "alpha": "Inf"}, []string{`value alpha="Inf": expected a number`}},
		{"weaviate-hybrid", map[string]string{"collection": "Docs", "alpha": "0x1p-2"}, []string{`value alpha="0x1p-2": expected a number`}},
		{"qdrant", map[string]string{"collection": "d", "text_field": "[["}, []string{"preset qdrant: "}},
	} {
		p := load(t, test.preset)
		_, err := p.Config("", test.values)
		if err == nil {
			t.Errorf("%s with %v: no error", test.preset, test.values)
			continue
		}
		for _, want := range test.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s with %v: %v: want %q", test.preset, test.values, err, want)
			}
		}
	}
}

func TestConfig(t *testing.T) {
	t.Parallel()
	values := map[string]string{"collection": "docs"}
	for endpoint, want := range map[string]string{
		"":                             "http://localhost:6333/collections/{{collection}}/points/query",
		"https://h/qdrant/":            "https://h/qdrant/collections/{{collection}}/points/query",
		"http://h:1?timeout=5&a={{b}}": "http://h:1/collections/{{collection}}/points/query?timeout=5&a={{b}}",
	} {
		c, err := load(t, "qdrant").Config(endpoint, values)
		if err != nil || c.Endpoint != want {
			t.Errorf("endpoint %q gives %q, %v: want %q", endpoint, c.Endpoint, err, want)
		}
	}
	if _, err := load(t, "pinecone").Config("", map[string]string{"api_key": "k"}); err == nil ||
		!strings.Contains(err.Error(), "no endpoint") {
		t.Errorf("Pinecone without an endpoint: %v", err)
	}
	if c, err := load(t, "langserve").Config("", nil); err != nil || !c.Read.Empty() {
		t.Errorf("LangServe is read by %v, %v: want no paths, so that a shape is looked for", c.Read, err)
	}

	c, err := load(t, "opensearch").Config("", map[string]string{"index": "i", "authorization": "Basic dXNlcjpwYXNzd29yZA=="})
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Secrets.Scrub("a Basic dXNlcjpwYXNzd29yZA== b dXNlcjpwYXNzd29yZA== c"); got != "a [secret] b [secret] c" {
		t.Errorf("what is secret shows: %q", got)
	}
	if got := c.Header.Get("Authorization"); got != "{{authorization}}" {
		t.Errorf("header %q", got)
	}
	if got := c.Values["authorization"]; got != "Basic dXNlcjpwYXNzd29yZA==" {
		t.Errorf("value %v", got)
	}
}
