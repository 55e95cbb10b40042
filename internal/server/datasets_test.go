package server

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
)

// zipped makes an archive.
func zipped(t *testing.T, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range files {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestDatasetsAreUploadedAndRun(t *testing.T) {
	b := start(t, withRivers(t))
	body, ct := form(t, "mine.jsonl", `{"id":"a","question":"Which river flows through Rome?","expected_sources":["tiber.md"]}`+"\n")
	g := b.do("POST", "/api/v1/datasets", body, "Content-Type", ct).want(t, 201)
	if v := read[datasetView](t, g); v.Name != "mine.jsonl" || v.Cases != 1 || v.Format != "gold" ||
		g.Header.Get("Location") != "/api/v1/datasets/mine.jsonl" {
		t.Errorf("%+v: want one case", v)
	}
	b.do("POST", "/api/v1/datasets", body, "Content-Type", ct).want(t, 409)
	body, ct = form(t, "x.zip", zipped(t, map[string]string{
		"corpus.jsonl":   `{"_id":"d1","title":"","text":"The Tiber flows through Rome."}` + "\n",
		"queries.jsonl":  `{"_id":"q1","text":"Rome river"}` + "\n",
		"qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t1\n",
	}), "name", "beir")
	b.do("POST", "/api/v1/datasets", body, "Content-Type", ct).want(t, 201)
	if l := read[page[datasetView]](t, b.do("GET", "/api/v1/datasets", nil).want(t, 200)); l.Total != 3 || l.Items[0].From != "folder" {
		t.Errorf("%+v: want the one of the folder and two that were uploaded", l)
	}
	for _, name := range []string{"mine.jsonl", "rivers.jsonl", "beir"} {
		if v := read[datasetView](t, b.do("GET", "/api/v1/datasets/"+name, nil).want(t, 200)); v.Cases == 0 || len(v.Labels) == 0 {
			t.Errorf("%+v: want cases and labels", v)
		}
	}
	if v := b.ended(b.begin(`{"dataset":"mine.jsonl"}`)); v.State != stateFinished || v.Dataset != "mine" {
		t.Errorf("%+v: want a finished run", v)
	}
	b.do("DELETE", "/api/v1/datasets/mine.jsonl", nil).want(t, 200)
	b.do("GET", "/api/v1/datasets/mine.jsonl", nil).want(t, 404)
	b.do("DELETE", "/api/v1/datasets/rivers.jsonl", nil).want(t, 404)
}

func TestAnArchiveIsUnpackedNoFurtherThanItsLimit(t *testing.T) {
	bomb := zipped(t, map[string]string{"corpus.jsonl": strings.Repeat("\x00", 1<<20), "queries.jsonl": strings.Repeat("\x00", 1<<20)})
	for _, c := range []struct {
		limit int64
		ok    bool
	}{{2 << 20, true}, {2<<20 - 1, false}, {1 << 10, false}} {
		if err := unpackable([]byte(bomb), c.limit); (err == nil) != c.ok {
			t.Errorf("limit %d: %v, want it to pass: %t", c.limit, err, c.ok)
		}
	}
	many := map[string]string{}
	for i := range maxPacked + 1 {
		many[strings.Repeat("a", i+1)] = ""
	}
	if unpackable([]byte(zipped(t, many)), 1) == nil {
		t.Error("an archive of too many files passes")
	}
}

func TestDatasetsThatAreRefused(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	b := start(t)
	for _, c := range []struct {
		what, file, content string
		fields              []string
		says                string
	}{
		{"a broken line", "x.jsonl", `{"id":"a","question":"?"}` + "\n{\n", nil, "body.file:2"},
		{"no case", "x.json", "[]", nil, ""},
		{"another kind of file", "x.exe", "MZ", nil, "extensions"},
		{"a path for a name", "x.jsonl", "{}", []string{"name", "../x"}, "expected letters"},
		{"no archive", "x.zip", "PK", nil, "not a zip archive"},
		{"a way out", "x.zip", zipped(t, map[string]string{"../evil": "x"}), nil, "leads out"},
		{"a way out from the root", "x.zip", zipped(t, map[string]string{"/etc/evil": "x"}), nil, "leads out"},
	} {
		body, ct := form(t, c.file, c.content, c.fields...)
		if g := b.do("POST", "/api/v1/datasets", body, "Content-Type", ct).want(t, 400); !strings.Contains(g.text, c.says) {
			t.Errorf("%s: %s: want %q in it", c.what, g.text, c.says)
		}
	}
	left, err := os.ReadDir(os.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range left {
		t.Errorf("%s was left behind", e.Name())
	}
	if l := read[page[datasetView]](t, b.do("GET", "/api/v1/datasets", nil).want(t, 200)); l.Total != 0 {
		t.Errorf("%+v: want none", l)
	}
}

// linked makes an archive whose only entry is a symbolic link.
func linked(t *testing.T, name, to string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	h := &zip.FileHeader{Name: name}
	h.SetMode(0o777 | os.ModeSymlink)
	f, err := w.CreateHeader(h)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(f, to); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
