package profile_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay/rag/profile"
)

func a(t testing.TB) profile.Profile {
	t.Helper()
	p, ok := profile.Default("A")
	if !ok {
		t.Fatal("there is no profile A")
	}
	return p
}

// The eight steps are named in the source of the requirement.
func TestSteps(t *testing.T) {
	var names []string
	for _, s := range profile.Steps() {
		names = append(names, s.Name)
		if s.Doc == "" || len(s.Placeholders) == 0 {
			t.Errorf("%s: no doc or no placeholders", s.Name)
		}
		for _, h := range s.Placeholders {
			if h.Doc == "" {
				t.Errorf("%s: {{%s}} has no doc", s.Name, h.Name)
			}
		}
	}
	want := []string{
		"decompose", "decompose_format", "filter", "filter_intro", "filter_section", "filter_outro", "generate", "generate_per_subq",
	}
	if d := cmp.Diff(want, names); d != "" {
		t.Error(d)
	}
	profile.Steps()[0].Placeholders[0].Name = "changed"
	if profile.Steps()[0].Placeholders[0].Name == "changed" {
		t.Error("a caller changed the steps")
	}
}

func TestDefaults(t *testing.T) {
	hashes := map[string]string{}
	for _, name := range profile.Defaults() {
		p, ok := profile.Default(name)
		if !ok || p.Name != name || !p.IsDefault() {
			t.Fatalf("%s: %+v, %v", name, p, ok)
		}
		if err := p.Validate(); err != nil {
			t.Error(err)
		}
		if other, twice := hashes[p.Hash()]; twice {
			t.Errorf("%s puts the prompts of %s", name, other)
		}
		hashes[p.Hash()] = name
		p.Templates["decompose"] = "changed {{question}}"
		if p.IsDefault() {
			t.Errorf("%s: changed, and still the default", name)
		}
		if again, _ := profile.Default(name); !again.IsDefault() {
			t.Errorf("%s: a caller changed the default", name)
		}
	}
	if len(hashes) != 3 {
		t.Errorf("%d profiles: want A, B and C", len(hashes))
	}
	if _, ok := profile.Default("D"); ok {
		t.Error("there is a profile D")
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*profile.Profile)
		want   []string
	}{
		{"as it is", func(*profile.Profile) {}, nil},
		{"no name", func(p *profile.Profile) { p.Name = "" }, []string{`profile "": expected a name of letters`}},
		{"a path", func(p *profile.Profile) { p.Name = "../A" }, []string{`profile "../A": expected a name`}},
		{"a dot first", func(p *profile.Profile) { p.Name = ".A" }, []string{`profile ".A": expected a name`}},
		{"a long name", func(p *profile.Profile) { p.Name = strings.Repeat("a", 65) }, []string{"of at most 64 characters"}},
		{"missing", func(p *profile.Profile) { delete(p.Templates, "filter") }, []string{`profile "A": filter: missing: expected a template`}},
		{
			"unknown", func(p *profile.Profile) { p.Templates["filtr"] = "x" },
			[]string{`profile "A": unknown step "filtr": did you mean "filter"?  (all: decompose, `},
		},
		{"empty", func(p *profile.Profile) { p.Templates["filter"] = " \n" }, []string{`profile "A": filter: empty: expected a template`}},
		{
			"too long", func(p *profile.Profile) { p.Templates["filter"] = strings.Repeat("問", profile.MaxTemplate+1) },
			[]string{`filter: 20001 characters: expected at most 20000`},
		},
		{"as long as can be", func(p *profile.Profile) { p.Templates["filter"] = strings.Repeat("問", profile.MaxTemplate) }, nil},
		{"not UTF-8", func(p *profile.Profile) { p.Templates["filter"] = "a\xff" }, []string{"filter: expected UTF-8"}},
		{
			"an escape sequence", func(p *profile.Profile) { p.Templates["filter"] = "\x1b[2J" },
			[]string{"filter: a control character: expected text, tabs and line ends"},
		},
		{
			"another placeholder", func(p *profile.Profile) { p.Templates["decompose"] = "問題\n問 {{ questoin }} {{max}}" },
			[]string{
				`profile "A": decompose: line 2, column 3: unknown placeholder "questoin": ` +
					`did you mean {{question}}?  (it has: {{question}}, {{max}}, {{language}}; "{{{{" writes "{{")`,
			},
		},
		{
			"that of another step", func(p *profile.Profile) { p.Templates["decompose"] = "{{question}} {{chunks}}" },
			[]string{`decompose: line 1, column 14: unknown placeholder "chunks"  (it has: `},
		},
		{
			"not closed", func(p *profile.Profile) { p.Templates["filter"] = "a {{language" },
			[]string{`filter: line 1, column 3: "{{" is not closed`},
		},
		{
			"over lines", func(p *profile.Profile) { p.Templates["filter"] = "a {{\nlanguage}}" },
			[]string{`filter: line 1, column 3: "{{" is not closed`},
		},
		{
			"no name within", func(p *profile.Profile) { p.Templates["filter"] = "a {{ }}" },
			[]string{`filter: line 1, column 3: {{}}: expected the name of a placeholder`},
		},
		{
			"without passages", func(p *profile.Profile) { p.Templates["filter_section"] = "{{sub_question}}" },
			[]string{`filter_section: no {{chunks}}: expected it somewhere, for it is the passages`},
		},
		{
			"a quoted placeholder is none", func(p *profile.Profile) { p.Templates["decompose"] = "{{{{question}}" },
			[]string{`decompose: no {{question}}`},
		},
		{
			"all at once", func(p *profile.Profile) {
				p.Name = "a b"
				p.Templates = map[string]string{"decompose": "{{x}} {{y}}", "other": ""}
			},
			[]string{
				`profile "a b": expected a name`, `profile "a b": decompose: line 1, column 1: unknown placeholder "x"`, `decompose: line 1, column 7: unknown placeholder "y"`,
				"decompose_format: missing", "filter: missing", "filter_intro: missing", "filter_section: missing", "filter_outro: missing", "generate: missing", "generate_per_subq: missing", `unknown step "other"`,
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := a(t)
			c.change(&p)
			err := p.Validate()
			var lines []string
			if err != nil {
				lines = strings.Split(err.Error(), "\n")
			}
			if len(lines) != len(c.want) {
				t.Fatalf("%d mistakes: want %d\n%v", len(lines), len(c.want), err)
			}
			for i, want := range c.want {
				if !strings.Contains(lines[i], want) {
					t.Errorf("mistake %d: %s\nwant %s", i+1, lines[i], want)
				}
			}
		})
	}
}

func TestHash(t *testing.T) {
	p := a(t)
	renamed := p
	renamed.Name = "other"
	if p.Hash() != renamed.Hash() {
		t.Error("another name is another hash")
	}
	seen := map[string]string{p.Hash(): "as it is"}
	for _, s := range profile.Steps() {
		h := p.With(s.Name, p.Templates[s.Name]+" ").Hash()
		if other, twice := seen[h]; twice {
			t.Errorf("a change of %s has the hash of %s", s.Name, other)
		}
		seen[h] = s.Name
	}
	// What moves from one template to the next is another profile.
	x := profile.Profile{Templates: map[string]string{"a": "1", "b": "2"}}
	for _, a := range []string{"1 1 b 1 2", "1\nb 2", "1\n1 b 1 2"} {
		if y := (profile.Profile{Templates: map[string]string{"a": a}}); x.Hash() == y.Hash() {
			t.Errorf("%q: two profiles have one hash", a)
		}
	}
}

func TestJSON(t *testing.T) {
	p := a(t).With("filter", "a < b & c > d\n\"問\"")
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		Name      string
		Templates map[string]string
		Hash      string
		Default   bool
	}
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	if v.Name != "A" || v.Hash != p.Hash() || v.Default || !maps.Equal(v.Templates, p.Templates) {
		t.Errorf("%s", data)
	}
	var back profile.Profile
	if err := json.Unmarshal(data, &back); err != nil || !back.Equal(p) || back.Name != p.Name {
		t.Errorf("%v, %v", back, err)
	}
	first, second := strings.Index(string(data), `"decompose"`), strings.Index(string(data), `"generate_per_subq"`)
	if first < 0 || second < first {
		t.Errorf("want the steps in their order: %s", data)
	}
	if data, _ := json.Marshal(a(t)); !strings.HasSuffix(string(data), `"default":true}`) {
		t.Errorf("%s", data)
	}
}

func asJSON(p profile.Profile) []byte {
	data, err := json.Marshal(p)
	if err != nil {
		panic(err)
	}
	return data
}

func TestParse(t *testing.T) {
	p := a(t)
	for _, c := range []struct{ file, data, want string }{
		{"p.json", string(asJSON(p)), ""},
		{"p.yaml", string(p.YAML()), ""},
		{"p.txt", string(asJSON(p)), ""},
		{"p.yaml", strings.ReplaceAll(string(p.YAML()), "\n", "\r\n"), ""},
		{"p.json", "\ufeff" + string(asJSON(p)), ""},
		{"p.json", `{"name":"A","template":{}}`, `p.json: json: unknown field "template"`},
		{"p.json", `{} {}`, `p.json: more than one JSON value`},
		{"p.yaml", "name: A\nsteps: {}\n", `p.yaml:2: `},
		{"p.yaml", "name: A\n", "p.yaml: profile \"A\": decompose: missing: expected a template\np.yaml: profile \"A\": decompose_format: missing"},
	} {
		got, err := profile.Parse(c.file, []byte(c.data))
		switch {
		case c.want == "" && (err != nil || !got.Equal(p) || got.Name != "A"):
			t.Errorf("%s: %v %v", c.file, err, cmp.Diff(p, got))
		case c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)):
			t.Errorf("%s: %q: %v\nwant %s", c.file, c.data, err, c.want)
		}
	}
}

// Any profile that is valid reads back as it was written.
func TestFilesReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, _ := profile.Default("C")
		p.Name = "x"
		extra := rapid.StringOf(rapid.OneOf(rapid.SampledFrom([]rune("\n\n\t -#:'\"|>%&*!\\{}[],?問")), rapid.Rune())).Draw(t, "extra")
		for _, s := range profile.Steps() {
			before := rapid.Bool().Draw(t, "before")
			if before {
				p = p.With(s.Name, extra+p.Templates[s.Name])
			} else {
				p = p.With(s.Name, p.Templates[s.Name]+extra)
			}
		}
		if p.Validate() != nil {
			t.Skip("not valid")
		}
		for file, data := range map[string][]byte{"p.json": asJSON(p), "p.yaml": p.YAML()} {
			got, err := profile.Parse(file, data)
			if err != nil || !got.Equal(p) {
				t.Fatalf("%s: %v\n%s\n%s", file, err, cmp.Diff(p.Templates, got.Templates), data)
			}
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, name := range profile.Defaults() {
		p, _ := profile.Default(name)
		f.Add("p.json", asJSON(p))
		f.Add("p.yaml", p.YAML())
	}
	f.Fuzz(func(t *testing.T, file string, data []byte) {
		p, err := profile.Parse(file, data)
		if err != nil {
			return
		}
		for file, data := range map[string][]byte{"p.json": asJSON(p), "p.yaml": p.YAML()} {
			if again, err := profile.Parse(file, data); err != nil || !again.Equal(p) || again.Name != p.Name {
				t.Errorf("%s: %v\n%s", file, err, data)
			}
		}
	})
}

func TestFind(t *testing.T) {
	if s, err := profile.Find("filter_intro"); err != nil || s.Name != "filter_intro" {
		t.Errorf("%v, %v", s, err)
	}
	if _, err := profile.Find("filter_inro"); err == nil || !strings.Contains(err.Error(), `did you mean "filter_intro"?`) {
		t.Error(err)
	}
	if !slices.Equal(profile.Defaults(), []string{"A", "B", "C"}) {
		t.Error(profile.Defaults())
	}
}
