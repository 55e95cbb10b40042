package upload_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/target/upload"
	"github.com/assay-eval/assay/target/upload/nextcloudtest"
)

const journalHead = `{"assay":"corpus journal","version":1,"kind":"nextcloud","endpoint":"https://host/","into":"notes of ` +
	`a","at":"2026-11-21T19:00:00Z"}` + "\n"

func entry(document, remote, title string) string {
	return fmt.Sprintf(`{"document":%q,"remote":%q,"title":%q,"hash":"sha256:%064d","at":"2026-11-21T19:00:00Z"}`+"\n", document, remote,
		title, 0)
}

func TestReadJournal(t *testing.T) {
	t.Parallel()
	j, err := upload.ReadJournal(strings.NewReader(journalHead+entry("a", "1", "a A")+entry("b", "2", "same")+entry("c", "3", "same")+
		entry("a", "9", "a A2")+entry("d", "10", "1")+entry("e", "11", "")+entry("f", "11", "")+`{"document":"e","rem`), "j")
	if err != nil {
		t.Fatal(err)
	}
	destination := upload.Destination{Kind: "nextcloud", Endpoint: "https://host/", Into: "notes of a"}
	if j.Destination != destination || len(j.Entries) != 7 {
		t.Errorf("%+v with %d entries", j.Destination, len(j.Entries))
	}
	// "same" is the title of two; "1" is the title of d and the id of a. What a
	// had before it was replaced may still be in an index.
	want := map[string]string{"1": "a", "9": "a", "a A": "a", "a A2": "a", "2": "b", "3": "c", "10": "d"}
	if d := cmp.Diff(want, j.DocumentMap()); d != "" {
		t.Errorf("map (-want +got):\n%s", d)
	}
	for _, empty := range []string{"", `{"assay":"corpus jou`} {
		j, err := upload.ReadJournal(strings.NewReader(empty), "j")
		if err != nil || len(j.DocumentMap()) != 0 || j.Destination != (upload.Destination{}) {
			t.Errorf("%q: %+v, %v", empty, j, err)
		}
	}
}

func TestReadJournalProblems(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"q0\t1\n":              "j:1: not a journal of assay corpus upload",
		"{}\n":                 "j:1: not a journal of assay corpus upload",
		"\ufeff" + journalHead: "j:1: not a journal",
		strings.Replace(journalHead, `"version":1`, `"version":2`, 1): "j:1: version 2: expected 1",
		strings.Replace(journalHead, `"nextcloud"`, `""`, 1):          "j:1: kind: missing",
		journalHead + "\n":                                                  "j:2: unexpected end of JSON",
		journalHead + entry("", "1", ""):                                    "j:2: document: missing",
		journalHead + entry("a", "1", "") + entry("b", "", ""):              `j:3: document "b": remote: missing`,
		journalHead + strings.Replace(entry("a", "1", ""), "a256", "a1", 1): `j:2: document "a": hash "sha1:`,
		journalHead + `{"document":1}` + "\n":                               "j:2: json: cannot unmarshal number",
		journalHead + strings.TrimSpace(entry("a", "1", "")) + " {}\n":      "j:2: invalid character '{' after",
		journalHead + "\xff\n":                                              "j:2: invalid character",
		journalHead + strings.Repeat("x", 1<<21) + "\n":                     "j:2: invalid character",
	} {
		if _, err := upload.ReadJournal(strings.NewReader(in), "j"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.120q: error %v\nwant %s", in, err, want)
		}
	}
}

func FuzzReadJournal(f *testing.F) {
	f.Add([]byte(journalHead + entry("a", "1", "t") + entry("b", "2", "u")))
	f.Add([]byte(journalHead + `{"document":"e","rem`))
	f.Add([]byte("\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		j, err := upload.ReadJournal(bytes.NewReader(data), "j")
		if err != nil {
			return
		}
		// What a killed process had written is a beginning of the same journal.
		whole := data[:bytes.LastIndexByte(data, '\n')+1]
		again, err := upload.ReadJournal(bytes.NewReader(whole), "j")
		if err != nil || len(again.Entries) != len(j.Entries) || !maps.Equal(again.DocumentMap(), j.DocumentMap()) {
			t.Errorf("without the torn line: %v, %d entries instead of %d", err, len(again.Entries), len(j.Entries))
		}
	})
}

// TestTornJournal cuts a journal at every byte of its last lines, as a kill may:
// the upload goes on, and everything is there once.
func TestTornJournal(t *testing.T) {
	t.Parallel()
	s := nextcloudtest.New(t, time.Now)
	docs := documents(3)
	c := config(t, notes(t, s), docs)
	send(t, c)
	whole, err := os.ReadFile(c.Journal)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range len(whole) {
		if err := os.WriteFile(c.Journal, whole[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		lines := max(strings.Count(string(whole[:cut]), "\n")-1, 0)
		res := send(t, c)
		if res.Known != lines || res.Found != 3-lines || len(s.Notes()) != 3 {
			t.Fatalf("cut at %d: %+v, %d notes", cut, res, len(s.Notes()))
		}
		if got := len(readJournal(t, c.Journal).DocumentMap()); got != 6 {
			t.Fatalf("cut at %d: the map has %d entries", cut, got)
		}
	}
}

// TestLongTear has a torn line that is longer than what is written in its place.
func TestLongTear(t *testing.T) {
	t.Parallel()
	s := nextcloudtest.New(t, time.Now)
	docs := documents(2)
	c := config(t, notes(t, s), docs[:1])
	send(t, c)
	f, err := os.OpenFile(c.Journal, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(`{"document":"` + strings.Repeat("x", 5000))
	}
	if err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	c.Documents = docs
	if res := send(t, c); res.Known != 1 || res.Added != 1 {
		t.Errorf("%+v", res)
	}
	data, err := os.ReadFile(c.Journal)
	if err != nil || strings.Contains(string(data), "xxx") || len(readJournal(t, c.Journal).Entries) != 2 {
		t.Errorf("%v: the journal is\n%s", err, data)
	}
}

func TestJournalOfAnother(t *testing.T) {
	t.Parallel()
	s, other := nextcloudtest.New(t, time.Now), nextcloudtest.New(t, time.Now)
	docs := documents(2)
	c := config(t, notes(t, s), docs)
	send(t, c)
	c.Sink = notes(t, other)
	want := "belongs to nextcloud " + s.URL + nextcloudtest.Path + " (notes of alice in BEIR/few); use another one for nextcloud " + other.URL
	for name, do := range map[string]func() error{
		"upload":  func() error { _, err := upload.Upload(context.Background(), c); return err },
		"preview": func() error { _, err := upload.Preview(context.Background(), c); return err },
	} {
		if err := do(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if other.Count("GET")+other.Count("POST") != 0 {
		t.Error("the other system was asked")
	}
	// A file that is not a journal is not changed.
	if err := os.WriteFile(c.Journal, []byte("precious\nlines"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := upload.Upload(context.Background(), c); err == nil || !strings.Contains(err.Error(), ":1: not a journal") {
		t.Errorf("error %v", err)
	}
	if data, err := os.ReadFile(c.Journal); err != nil || string(data) != "precious\nlines" {
		t.Errorf("the file holds %q, %v", data, err)
	}
}

// TestJournalLocked starts an upload while another one writes the journal.
func TestJournalLocked(t *testing.T) {
	t.Parallel()
	s := nextcloudtest.New(t, time.Now)
	c := config(t, notes(t, s), documents(3))
	inner := c
	var err error
	asked := false
	c.Progress = func(what string, _, _ int) {
		if what == "uploading" && !asked {
			asked = true
			_, err = upload.Upload(context.Background(), inner)
		}
	}
	send(t, c)
	if err == nil || !strings.Contains(err.Error(), "another upload is writing it") {
		t.Errorf("error %v", err)
	}
}

// TestDurable looks at the journal from inside: when a document counts, its
// line is in the file.
func TestDurable(t *testing.T) {
	t.Parallel()
	s := nextcloudtest.New(t, time.Now)
	c := config(t, notes(t, s), documents(60))
	c.Now = func() time.Time { return time.Date(2026, 11, 21, 20, 0, 0, 0, time.FixedZone("", 3600)) }
	c.Progress = func(what string, done, _ int) {
		if what != "uploading" {
			return
		}
		data, err := os.ReadFile(c.Journal)
		if lines := strings.Count(string(data), "\n") - 1; err != nil || lines < done {
			t.Errorf("%d documents count and %d lines are there (%v)", done, lines, err)
		}
	}
	send(t, c)
	if at := readJournal(t, c.Journal).Entries[0].At; at.String() != "2026-11-21 19:00:00 +0000 UTC" {
		t.Errorf("written at %v", at)
	}
}
