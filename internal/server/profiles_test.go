package server

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/rag/profile"
)

// shown gives a profile as the server shows it.
func (b *bench) shown(name string) profileWhole {
	b.t.Helper()
	return read[profileWhole](b.t, b.do("GET", "/api/v1/profiles/"+name, nil).want(b.t, 200))
}

// keeps puts templates under a name.
func (b *bench) keeps(name string, templates map[string]string) got {
	b.t.Helper()
	return b.do("PUT", "/api/v1/profiles/"+name, map[string]any{"templates": templates})
}

func TestProfilesAreListed(t *testing.T) {
	b := start(t)
	b.keeps("minutes", b.shown("B").Templates).want(t, 200)
	b.keeps("C", profile.Profile{Templates: b.shown("C").Templates}.With("filter", "Score from 0 to 10.").Templates).want(t, 200)
	all := read[page[profileView]](t, b.do("GET", "/api/v1/profiles", nil).want(t, 200))
	var got []string
	for _, v := range all.Items {
		got = append(got, fmt.Sprintf("%s %t %v", v.Name, v.Default, v.Changed))
	}
	if want := "A true [] B true [] C false [filter] minutes false []"; strings.Join(got, " ") != want || all.Total != 4 {
		t.Errorf("%q of %d, want %q", got, all.Total, want)
	}
	if all.Items[3].Hash != all.Items[1].Hash || all.Items[0].Hash == all.Items[1].Hash {
		t.Errorf("%+v: want one hash for the same prompts, and others for others", all.Items)
	}
	part := read[page[profileView]](t, b.do("GET", "/api/v1/profiles?limit=1&offset=2", nil).want(t, 200))
	if len(part.Items) != 1 || part.Items[0].Name != "C" || part.Total != 4 || part.Offset != 2 {
		t.Errorf("%+v: want C of 4", part)
	}
}

// What a GET gave is sent back with another template; then it is reset.
func TestAProfileIsChangedAndReset(t *testing.T) {
	b := start(t)
	was := b.shown("A")
	if len(was.Templates) != 8 || !was.Default || !strings.HasPrefix(was.Hash, "sha256:") {
		t.Fatalf("%+v: want eight templates", was)
	}
	sent := was
	sent.Templates = profile.Profile{Templates: was.Templates}.With("filter", "One.\r\nTwo.").Templates
	now := read[profileWhole](t, b.do("PUT", "/api/v1/profiles/A", sent).want(t, 200))
	if now.Templates["filter"] != "One.\nTwo." || now.Templates["generate"] != was.Templates["generate"] || now.Default ||
		now.Hash == was.Hash {
		t.Errorf("%+v: want another filter, another hash, and no default", now)
	}
	if again := b.shown("A"); again.Hash != now.Hash {
		t.Errorf("hash %s, want %s", again.Hash, now.Hash)
	}
	for range 2 {
		if back := read[profileWhole](t, b.do("POST", "/api/v1/profiles/A/reset", nil).want(t, 200)); back.Hash != was.Hash || !back.Default {
			t.Errorf("%+v: want what it was", back)
		}
	}
	// A profile of one's own comes with nothing, and is deleted.
	b.keeps("mine", was.Templates).want(t, 200)
	b.do("POST", "/api/v1/profiles/mine/reset", nil).want(t, 404)
	b.do("DELETE", "/api/v1/profiles/mine", nil).want(t, 200)
	b.do("DELETE", "/api/v1/profiles/mine", nil).want(t, 404)
	b.do("GET", "/api/v1/profiles/mine", nil).want(t, 404)
	if g := b.do("DELETE", "/api/v1/profiles/A", nil).want(t, 409); !strings.Contains(g.text, "/api/v1/profiles/A/reset") {
		t.Errorf("%s: want what can be done", g.text)
	}
}

// Every mistake is answered with its place and what would be right, and nothing
// is changed.
func TestAProfileThatIsWrongChangesNothing(t *testing.T) {
	b := start(t)
	was := b.shown("A")
	with := func(step, template string) map[string]string {
		return profile.Profile{Templates: was.Templates}.With(step, template).Templates
	}
	without := with("filter", "x")
	delete(without, "filter")
	for _, c := range []struct {
		name, path string
		body       any
		want       []string
	}{
		{
			"another placeholder", "A", map[string]any{"templates": with("decompose", "{{question}} {{languge}}")},
			[]string{`"body.templates.decompose"`, `unknown placeholder \"languge\": did you mean {{language}}?`},
		},
		{
			"not closed", "A", map[string]any{"templates": with("generate", "{{sections}} {{question")},
			[]string{`"body.templates.generate"`, "is not closed"},
		},
		{
			"without what it needs", "A", map[string]any{"templates": with("filter_section", "{{sub_question}}")},
			[]string{`"body.templates.filter_section"`, "no {{chunks}}"},
		},
		{
			"another step", "A", map[string]any{"templates": with("filtr", "x")},
			[]string{`"body.templates.filtr"`, `unknown step \"filtr\": did you mean \"filter\"?`},
		},
		{"a step too few", "A", map[string]any{"templates": without}, []string{`"body.templates.filter"`, "missing: expected a template"}},
		{"empty", "A", map[string]any{"templates": with("filter", " \n")}, []string{`"body.templates.filter"`, "empty"}},
		{
			"too long", "A", map[string]any{"templates": with("filter", strings.Repeat("問", profile.MaxTemplate+1))},
			[]string{`"body.templates.filter"`, "at most 20000"},
		},
		{
			"a control character", "A", map[string]any{"templates": with("filter", "a\x00b")},
			[]string{`"body.templates.filter"`, "control character"},
		},
		{"no string", "A", `{"templates":{"filter":7}}`, []string{`body.templates.filter`}},
		{"no templates", "A", `{}`, []string{"templates"}},
		{"all of them at once", "A", `{"templates":{}}`, []string{`"body.templates.decompose"`, `"body.templates.generate_per_subq"`}},
		{"another field", "A", map[string]any{"templates": was.Templates, "template": "x"}, []string{"body.template"}},
		{"two names", "A", map[string]any{"templates": was.Templates, "name": "B"}, []string{`"body.name"`, `expected \"A\"`}},
		{"a name that is none", "a%20b", map[string]any{"templates": was.Templates}, []string{`"path.name"`, "expected a name of letters"}},
		{"a path", "..%2Fa", map[string]any{"templates": was.Templates}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := b.do("PUT", "/api/v1/profiles/"+c.path, c.body)
			if g.StatusCode != 400 {
				t.Fatalf("status %d, want 400: %s", g.StatusCode, g.text)
			}
			for _, want := range c.want {
				if !strings.Contains(g.text, want) {
					t.Errorf("%s: want %s", g.text, want)
				}
			}
		})
	}
	if now := b.shown("A"); now.Hash != was.Hash {
		t.Errorf("profile A is another now: %+v", now)
	}
	if all := read[page[profileView]](t, b.do("GET", "/api/v1/profiles", nil).want(t, 200)); all.Total != 3 {
		t.Errorf("%+v: want A, B and C alone", all)
	}
}

// What is asked after a change has the new prompts and the new hash, be it by a
// question or by a run.
func TestAProfileThatChangedIsAsked(t *testing.T) {
	l := laboratory(t, nil)
	_, datasets := rivers(t)
	l.server.cfg.Datasets = datasets
	was := l.asks("A")
	p := l.shown("A")
	now := read[profileWhole](
		t,
		l.keeps(
			"A", profile.Profile{Templates: p.Templates}.With("generate", "Planted words. {{question}}\n\n{{sections}}").Templates,
		).want(t, 200),
	)
	r := l.asks("A")
	if strings.Contains(was.Prompts.GeneratePrompt, "Planted words.") || !strings.Contains(r.Prompts.GeneratePrompt, "Planted words.") {
		t.Errorf("the prompt was %q and is %q: want the new one", was.Prompts.GeneratePrompt, r.Prompts.GeneratePrompt)
	}
	if was.Prompts.ProfileHash != p.Hash || r.Prompts.ProfileHash != now.Hash || p.Hash == now.Hash {
		t.Errorf("hashes %s and %s, want %s and %s", was.Prompts.ProfileHash, r.Prompts.ProfileHash, p.Hash, now.Hash)
	}
	// Runs have it too, and profiles of other names.
	l.keeps("mine", now.Templates).want(t, 200)
	for _, name := range []string{"A", "mine"} {
		id := l.begin(
			map[string]any{"dataset": "rivers.jsonl", "config": map[string]any{"profile": name, "metrics": []string{"hit@1"}, "judge": "offline"}},
		)
		if v := l.ended(id); v.State != stateFinished {
			t.Fatalf("%+v: want a finished run", v)
		}
		g := l.do("GET", "/api/v1/runs/"+id+"/cases/tc_1", nil).want(t, 200)
		h, err := l.store.Run(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(fmt.Sprint(h.Target), now.Hash[len("sha256:"):][:8]) && !strings.Contains(g.text, "Planted words.") {
			t.Errorf("profile %s: %+v %s: want the templates of the store", name, h.Target, g.text)
		}
	}
	g := l.do("POST", "/api/v1/runs", `{"dataset":"rivers.jsonl","config":{"profile":"mime"}}`).want(t, 400)
	if !strings.Contains(g.text, `did you mean \"mine\"?`) {
		t.Errorf("%s: want the nearest", g.text)
	}
}

// Reading needs read, changing needs admin.
func TestProfilesAndScopes(t *testing.T) {
	b := start(t, func(c *Config) { c.Tokens = true })
	var body map[string]any
	for _, c := range []struct {
		scope Scope
		get   int
		set   int
	}{{ScopeRead, 200, 403}, {ScopeRun, 200, 403}, {ScopeAdmin, 200, 200}} {
		_, b.token = b.issue(c.scope, time.Time{})
		p := read[profileWhole](t, b.do("GET", "/api/v1/profiles/A", nil).want(t, c.get))
		body = map[string]any{"templates": p.Templates}
		b.do("PUT", "/api/v1/profiles/A", body).want(t, c.set)
		b.do("PUT", "/api/v1/profiles/new", body).want(t, c.set)
		b.do("POST", "/api/v1/profiles/A/reset", nil).want(t, c.set)
		b.do("DELETE", "/api/v1/profiles/new", nil).want(t, c.set)
	}
	b.token = ""
	b.do("GET", "/api/v1/profiles", nil).want(t, http.StatusUnauthorized)
}
