package server

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFolderNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"gold.jsonl": true, "my questions (2).jsonl": true, "問題集.jsonl": true, "Fähren, Züge+Busse_1.csv": true, "2024": true,
		"é.jsonl": true, strings.Repeat("a", 128): true, strings.Repeat("渡", 128): true, "e\u0301.jsonl": true,
		"": false, strings.Repeat("a", 129): false, ".hidden": false, "..": false, " a": false, "a ": false, "-a": false, "\u0301a": false,
		"gold@2.jsonl": false, "a%41.jsonl": false, "a/b": false, `a\b`: false, "a?b": false, "a#b": false, "a\x00": false, "a\nb": false,
		"a\u202eb": false, "a\u00a0b": false, "a\xff": false, "<b>": false, "a:b": false, "a~b": false,
	} {
		if got := folderName(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}

// TestDatasetsOfAnyScript: files of the folder with spaces and letters of other scripts are datasets
// like others. Those with other names are told at the start and to whoever names them.
func TestDatasetsOfAnyScript(t *testing.T) {
	const row = `{"id":"a","question":"Which river flows through Rome?","expected_sources":["tiber.md"]}` + "\n"
	dir := t.TempDir()
	fine := []string{"my questions (2).jsonl", "問題集.jsonl"}
	odd := []string{"gold@2.jsonl", "a%41.jsonl"}
	for _, name := range append(append([]string{".hidden.jsonl", "notes.txt"}, fine...), odd...) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(row), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := start(t, withRivers(t), func(c *Config) { c.Datasets = dir })
	log := b.log.String()
	for _, name := range odd {
		if !strings.Contains(log, `"name":"`+name+`"`) {
			t.Errorf("the log at the start does not tell of %s: %s", name, log)
		}
		g := b.do("POST", "/api/v1/runs", map[string]any{"dataset": name}).want(t, 400)
		if !strings.Contains(g.text, "cannot be used") || !strings.Contains(g.text, "letters and digits of any script") {
			t.Errorf("a run of %s: %s", name, g.text)
		}
		b.do("GET", "/api/v1/datasets/"+url.PathEscape(name), nil).want(t, 404)
	}
	if n := strings.Count(log, "left out"); n != len(odd) {
		t.Errorf("%d lines about names, want %d: %s", n, len(odd), log)
	}
	l := read[page[datasetView]](t, b.do("GET", "/api/v1/datasets", nil).want(t, 200))
	if l.Total != len(fine) {
		t.Errorf("%+v: want %q", l, fine)
	}
	for _, name := range fine {
		at := url.PathEscape(name)
		if v := read[datasetView](t, b.do("GET", "/api/v1/datasets/"+at, nil).want(t, 200)); v.Name != name || v.Cases != 1 {
			t.Errorf("%+v: want the case of %s", v, name)
		}
		b.see("/datasets/" + at)
		b.do("GET", "/api/v1/datasets/"+at+"/versions", nil).want(t, 200)
		if text := b.see("/datasets/" + at); !strings.Contains(text, name) {
			t.Errorf("the page of %s does not name it", name)
		}
		if v := b.ended(b.begin(`{"dataset":"` + name + `"}`)); v.State != stateFinished || v.Dataset != strings.TrimSuffix(name, ".jsonl") {
			t.Errorf("%+v: want a finished run of %s", v, name)
		}
	}
}
