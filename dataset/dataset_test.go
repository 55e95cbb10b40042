package dataset_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
)

// put writes a file into a folder of the test and returns its path.
func put(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// load reads content under a short name and must succeed.
func load(t testing.TB, name, content string, o dataset.Options) *dataset.Dataset {
	t.Helper()
	o.Name = name
	d, err := dataset.Load(context.Background(), put(t, name, content), o)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return d
}

// refuse reads content under a short name, which must fail with problems, and
// returns them as lines.
func refuse(t testing.TB, name, content string, o dataset.Options) []string {
	t.Helper()
	o.Name = name
	d, err := dataset.Load(context.Background(), put(t, name, content), o)
	if err == nil {
		t.Fatalf("%s: loaded %d cases, want an error", name, d.Cases.Len())
	}
	var list dataset.Errors
	if !errors.As(err, &list) {
		t.Fatalf("%s: error %T %v, want dataset.Errors", name, err, err)
	}
	return strings.Split(err.Error(), "\n")
}

func warnings(d *dataset.Dataset) []string {
	var out []string
	for _, w := range d.Warnings {
		out = append(out, w.String())
	}
	return out
}

func diff(t testing.TB, what string, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

// noOrigin drops the positions, which are tested apart.
func noOrigin(cases []assay.Case) []assay.Case {
	out := append([]assay.Case{}, cases...)
	for i := range out {
		out[i].Origin = assay.Origin{}
	}
	return out
}

func ptr[T any](v T) *T { return &v }

// support is the example of the source document, with every field in use.
const support = `{
  "metadata": {"name": "Customer Support QA", "created": "2026-01-15", "version": "1.0"},
  "test_cases": [
    {
      "id": "tc_001",
      "question": "What is the refund policy?",
      "ground_truth": "Full refund within 30 days of purchase.",
      "expected_contexts": ["policy.md", {"id": "faq.md", "grade": 2}, {"id": "old.md", "grade": 0}],
      "reference_contexts": ["Customers get a full refund within 30 days."],
      "expected_keywords": ["30 days", "color|colour"],
      "sub_questions": ["How long?"],
      "answerable": true,
      "critical": true,
      "tags": ["billing", "policy"],
      "group": "refunds",
      "audio": "audio/1.mp3",
      "reference_transcript": "what is the refund policy",
      "metadata": {"author": "kim", "n": 3, "big": 12345678901234567890}
    },
    {
      "question": "How do I reset my password?",
      "ground_truth": ["Click 'Forgot Password'.", "Use the link."],
      "expected_contexts": [],
      "critical": false
    }
  ]
}`

func supportCases() []assay.Case {
	return []assay.Case{
		{
			ID: "tc_001", Question: "What is the refund policy?", Critical: true, Tags: []string{"billing", "policy"},
			Group: "refunds", Audio: "audio/1.mp3",
			Want: assay.Want{
				Answers: []string{"Full refund within 30 days of purchase."}, Documents: map[string]int{"policy.md": 1, "faq.md": 2, "old.md": 0},
				Passages: []string{"Customers get a full refund within 30 days."}, Keywords: []string{"30 days", "color|colour"},
				SubQuestions: []string{"How long?"}, Transcript: ptr("what is the refund policy"), Answerable: ptr(true),
			},
			// 12345678901234567890 has no exact float64 below 2^53.
			Metadata: map[string]any{"author": "kim", "n": 3.0, "big": jsonNumber("12345678901234567890")},
		},
		{
			// printf %s 'How do I reset my password?' | sha256sum | cut -c1-12
			ID: "q-" + passwordHash, Question: "How do I reset my password?",
			Want: assay.Want{Answers: []string{"Click 'Forgot Password'.", "Use the link."}, Documents: map[string]int{}},
		},
	}
}

func TestNative(t *testing.T) {
	t.Parallel()
	d := load(t, "support.json", support, dataset.Options{Now: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)})
	diff(t, "cases", noOrigin(d.Cases.List()), supportCases())
	diff(t, "origins", []assay.Origin{d.Cases.At(0).Origin, d.Cases.At(1).Origin}, []assay.Origin{
		{File: "support.json", Line: 4},
		{File: "support.json", Line: 20},
	})
	info := d.Info
	info.Hash = ""
	diff(t, "info", info, assay.DatasetInfo{
		Name: "Customer Support QA", Path: "support.json", Format: "assay", Cases: 2, Total: 2, Critical: 1,
		Created: time.Date(2026, 1, 15, 0, 0, 0, 0, time.UTC),
	})
	diff(t, "metadata", d.Metadata, map[string]any{"name": "Customer Support QA", "created": "2026-01-15", "version": "1.0"})
	diff(t, "warnings", warnings(d), []string{
		"support.json:20: reference_contexts: missing (1 of 2 cases)",
		"support.json:20: expected_keywords: missing (1 of 2 cases)",
	})
	if _, err := d.Documents(context.Background()); !errors.Is(err, dataset.ErrNoCorpus) {
		t.Errorf("documents: error %v, want ErrNoCorpus", err)
	}
}

// The same cases in every layout give the same cases and the same hash.
func TestNativeLayouts(t *testing.T) {
	t.Parallel()
	want := load(t, "support.json", support, dataset.Options{})
	const yaml = `
metadata: {name: Customer Support QA, created: 2026-01-15, version: "1.0"}
test_cases:
  - id: tc_001
    question: What is the refund policy?
    ground_truth: &answer Full refund within 30 days of purchase.
    expected_contexts:
      - policy.md
      - {id: faq.md, grade: 2}
      - id: old.md
        grade: 0
    reference_contexts: ["Customers get a full refund within 30 days."]
    expected_keywords: [30 days, color|colour]
    sub_questions: [How long?]
    answerable: true
    critical: true
    tags: [billing, policy]
    group: refunds
    audio: audio/1.mp3
    reference_transcript: what is the refund policy
    metadata: {author: kim, n: 3, big: 12345678901234567890}
  - question: >-
      How do I reset
      my password?
    ground_truth:
      - Click 'Forgot Password'.
      - "Use the link."
    expected_contexts: []
`
	compact := func(from, to int) string {
		return strings.Join(strings.Fields(strings.Join(strings.Split(support, "\n")[from-1:to], " ")), " ")
	}
	first, second := strings.TrimSuffix(compact(4, 19), ","), compact(20, 25)
	for name, content := range map[string]string{
		"lines.jsonl":     first + "\n\n" + second + "\r\n",
		"headed.jsonl":    `{"metadata": {"name": "x"}}` + "\n" + first + "\n" + second,
		"list.json":       "[" + first + ",\n" + second + "]",
		"one-line.json":   `{"test_cases": [` + first + "," + second + "]}",
		"cases.yaml":      yaml,
		"bom.json":        "\ufeff" + support,
		"crlf.json":       strings.ReplaceAll(support, "\n", "\r\n"),
		"extension.txt":   support,
		"utf16-le.json":   utf16Text(support, false),
		"utf16-be.json":   utf16Text(support, true),
		"cases.json.gz":   gzipped(t, support),
		"misleading.yaml": support,
	} {
		d := load(t, name, content, dataset.Options{})
		diff(t, name, noOrigin(d.Cases.List()), supportCases())
		if d.Info.Hash != want.Info.Hash || d.Info.Format != "assay" {
			t.Errorf("%s: format %s, hash %s, want assay and %s", name, d.Info.Format, d.Info.Hash, want.Info.Hash)
		}
	}
	diff(t, "positions in YAML", load(t, "cases.yaml", yaml, dataset.Options{}).Cases.At(1).Origin, assay.Origin{File: "cases.yaml", Line: 22})
}

func TestNativeSingleCase(t *testing.T) {
	t.Parallel()
	d := load(t, "one.json", "{\n \"question\": \"Why?\"\n}", dataset.Options{})
	if d.Cases.Len() != 1 || d.Cases.At(0).Question != "Why?" {
		t.Errorf("cases %+v, want one that asks %q", d.Cases.List(), "Why?")
	}
	diff(t, "name", d.Info.Name, "one")
}

func TestContexts(t *testing.T) {
	t.Parallel()
	const content = `[
  {
    "question": "What is the ICD-10 code for type 2 diabetes?",
    "ground_truth_contexts": ["ICD-10 code for type 2 diabetes mellitus is E11."],
    "expected_answer": "E11"
  },
  {"id": 7, "question": "糖尿病的編碼是甚麼？", "ground_truth_contexts": ["二型糖尿病的編碼是E11。", "This is a passage of twenty."]}
]`
	d := load(t, "bench.json", content, dataset.Options{})
	diff(t, "format", d.Info.Format, "contexts")
	if !strings.HasPrefix(d.Cases.At(0).ID, "q-") {
		t.Errorf("id %q, want one that is made", d.Cases.At(0).ID)
	}
	cases := noOrigin(d.Cases.List())
	cases[0].ID = ""
	diff(t, "cases", cases, []assay.Case{
		{
			Question: "What is the ICD-10 code for type 2 diabetes?",
			Want:     assay.Want{Passages: []string{"ICD-10 code for type 2 diabetes mellitus is E11."}, Answers: []string{"E11"}},
		},
		{
			ID:       "7",
			Question: "糖尿病的編碼是甚麼？",
			Want:     assay.Want{Passages: []string{"二型糖尿病的編碼是E11。", "This is a passage of twenty."}},
		},
	})
	diff(t, "warnings", warnings(d), []string{"bench.json:7: expected_answer: missing (1 of 2 cases)"})
}

func TestGold(t *testing.T) {
	t.Parallel()
	const content = `{"id": "g1", "question": "Which orders?", "expected_sources": ["orders.txt", "etl.txt", "orders.txt"], "expected_answer_contains": ["open", "closed|done"]}
{"id": "g2", "question": "Nothing?", "expected_sources": []}
`
	d := load(t, "gold.jsonl", content, dataset.Options{})
	diff(t, "format", d.Info.Format, "gold")
	diff(t, "cases", noOrigin(d.Cases.List()), []assay.Case{
		{
			ID:       "g1",
			Question: "Which orders?",
			Want:     assay.Want{Documents: map[string]int{"orders.txt": 1, "etl.txt": 1}, Keywords: []string{"open", "closed|done"}},
		},
		{ID: "g2", Question: "Nothing?", Want: assay.Want{Documents: map[string]int{}}},
	})
	diff(t, "warnings", warnings(d), []string{
		"gold.jsonl:1: expected_sources: a file is listed twice (1 of 2 cases)",
		"gold.jsonl:2: expected_answer_contains: missing (1 of 2 cases)",
	})
}

func TestStaleness(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 2, 14, 12, 0, 0, 0, time.UTC)
	set := func(created string) string {
		return `{"metadata": {"created": "` + created + `"}, "test_cases": [{"question": "a", "ground_truth": "b"}]}`
	}
	for _, c := range []struct {
		created string
		want    []string
	}{
		// 30 days and 12 hours.
		{"2026-01-15", []string{"s.json: was created 30 days ago (2026-01-15), more than 30: check that its labels still hold"}},
		{"2026-01-15T12:00:00Z", nil},
		{"2026-01-16", nil},
		{"2026-03-01", nil},
	} {
		diff(t, c.created, warnings(load(t, "s.json", set(c.created), dataset.Options{Now: now})), c.want)
	}
	// Without a date the time of the file counts, and without a clock nothing.
	path := put(t, "old.json", `[{"question": "a", "ground_truth": "b"}]`)
	if err := os.Chtimes(path, now, now.Add(-31*24*time.Hour)); err != nil {
		t.Fatal(err)
	}
	for _, o := range []dataset.Options{{Now: now, Name: "old.json"}, {Name: "old.json"}} {
		d, err := dataset.Load(context.Background(), path, o)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"old.json: was last changed 31 days ago (2026-01-14), more than 30: check that its labels still hold"}
		if o.Now.IsZero() {
			want = nil
		}
		diff(t, "old file", warnings(d), want)
	}
}

func TestMadeIDs(t *testing.T) {
	t.Parallel()
	d := load(t, "x.json",
		`[{"question": "a", "ground_truth": "1"}, {"question": "b", "ground_truth": "1"}, {"question": "a", "ground_truth": "2"}, {"question": "a", "ground_truth": "3"}]`, dataset.Options{})
	// printf a | sha256sum is ca978112ca1b…, printf b 3e23e8160039….
	var ids []string
	for _, c := range d.Cases.All() {
		ids = append(ids, c.ID)
	}
	diff(t, "ids", ids, []string{"q-ca978112ca1b", "q-3e23e8160039", "q-ca978112ca1b-2", "q-ca978112ca1b-3"})
	diff(t, "warnings", warnings(d),
		[]string{"x.json:1: question: repeats the question of an earlier case, and neither has an id (2 of 4 cases)"})
	// An id that is given has precedence over one that would be made.
	d = load(t, "x.json",
		`[{"question": "a", "ground_truth": "1"}, {"id": "q-ca978112ca1b", "question": "b", "ground_truth": "1"}]`, dataset.Options{})
	diff(t, "id", d.Cases.At(0).ID, "q-ca978112ca1b-2")
}

func TestFormats(t *testing.T) {
	t.Parallel()
	var names []string
	for _, f := range dataset.Formats() {
		names = append(names, f.Name)
		if f.Title == "" || f.Doc == "" {
			t.Errorf("format %q is not described", f.Name)
		}
	}
	if sorted := slices.Sorted(slices.Values(names)); len(slices.Compact(sorted)) != len(names) {
		t.Errorf("a format is listed twice: %q", names)
	}
	diff(t, "names", dataset.FormatNames(), names)
}
