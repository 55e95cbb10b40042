package dataset_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
)

// text draws what tends to break formats: quotes, brackets, line ends, colons,
// what looks like another type, control characters, any letter.
func text() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{
			"null", "true", "~", "5", "1e3", "0x1f", "1_000", "2026-01-15", "a: b", "- a", "a #b", "#a", "'", "\"", "\\", "[a]",
			"{a}", "a\nb", "a\r\nb", "a\tb", " a ", "a:", "&a", "*a", "!a", "|", ">", "%a", "@a", "`a`",
			"\u2028", "\u0085", "\ufeffa", "a\u0007b", "\u007f", "日本語", "😀", "a, b", "---", "...", "? a", "=", "<<", "é",
			"y", "No", ".nan", "a  b", "null ", "x\u00a0",
		}),
		rapid.String(),
		rapid.StringN(1, 20, -1),
	).Filter(func(s string) bool { return strings.TrimSpace(s) != "" && utf8.ValidString(s) })
}

// cases draws cases with distinct ids and every label.
func cases() *rapid.Generator[[]assay.Case] {
	maybe := func(g *rapid.Generator[[]string]) *rapid.Generator[[]string] {
		return rapid.OneOf(rapid.Just([]string(nil)), g)
	}
	texts := maybe(rapid.SliceOfN(text(), 0, 3))
	long := maybe(rapid.SliceOfN(rapid.Map(text(), func(s string) string { return s + " and what makes it long enough" }), 0, 2))
	words := maybe(rapid.SliceOfN(text().Filter(func(s string) bool {
		for _, alt := range strings.Split(s, "|") {
			if strings.TrimSpace(alt) == "" {
				return false
			}
		}
		return true
	}), 0, 3))
	one := rapid.Custom(func(t *rapid.T) assay.Case {
		c := assay.Case{
			ID: text().Draw(t, "id"), Question: text().Draw(t, "question"), Critical: rapid.Bool().Draw(t, "critical"),
			Group: rapid.OneOf(rapid.Just(""), text()).Draw(t, "group"), Audio: rapid.OneOf(rapid.Just(""), text()).Draw(t, "audio"),
			Want: assay.Want{
				Answers:      texts.Draw(t, "answers"),
				Passages:     long.Draw(t, "passages"),
				Keywords:     words.Draw(t, "keywords"),
				SubQuestions: texts.Draw(t, "sub-questions"),
			},
		}
		if tags := texts.Draw(t, "tags"); len(tags) > 0 {
			c.Tags = tags
		}
		if rapid.Bool().Draw(t, "documents") {
			c.Want.Documents = rapid.MapOfN(text(), rapid.IntRange(-1, 3), 0, 3).Draw(t, "grades")
			for document, grade := range c.Want.Documents {
				if grade > 1 {
					c.Want.Subtopics = map[string][]string{document: {"price", "date"}}
				}
			}
		}
		if rapid.Bool().Draw(t, "transcript") {
			c.Want.Transcript = ptr(rapid.OneOf(rapid.Just(""), text()).Draw(t, "spoken"))
		}
		c.Language = rapid.SampledFrom([]string{"", "en", "zh-Hant"}).Draw(t, "language")
		if rapid.Bool().Draw(t, "answerable") {
			c.Want.Answerable = ptr(rapid.Bool().Draw(t, "answer"))
		}
		if rapid.Bool().Draw(t, "ideal") {
			ideal := &assay.Ideal{Answer: text().Draw(t, "ideal answer"), Points: []assay.Point{}}
			for i := range rapid.IntRange(0, 2).Draw(t, "ground truth") {
				ideal.Passages = append(ideal.Passages, assay.Passage{
					ID:    strconv.Itoa(i),
					Title: text().Draw(t, "title"),
					Text:  text().Draw(t, "ground"),
					Index: i,
					Score: rapid.Float64Range(-9, 9).Draw(t, "score"),
				})
				ideal.Points = append(ideal.Points, assay.Point{
					Text:    text().Draw(t, "point"),
					Vital:   rapid.Bool().Draw(t, "vital"),
					Passage: strconv.Itoa(i),
				})
			}
			if rapid.Bool().Draw(t, "written by a model") {
				ideal.Model, ideal.PromptHash, ideal.Hash = text().Draw(t, "model"), "sha256:0", "sha256:1"
				ideal.Made = time.Unix(rapid.Int64Range(0, 1<<32).Draw(t, "made"), 5000).UTC()
			}
			c.Want.Ideal = ideal
		}
		if rapid.Bool().Draw(t, "metadata") {
			c.Metadata = map[string]any{
				text().Draw(t, "key"): any(text().Draw(t, "value")),
				"n":                   rapid.Float64Range(-1e300, 1e300).Draw(t, "number"),
				"l":                   []any{true, nil, []any{}, map[string]any{"x": 1.0}, []any{2.0}},
			}
		}
		return c
	})
	return rapid.SliceOfNDistinct(one, 1, 4, func(c assay.Case) string { return c.ID })
}

// What is written in assay's own format is read back to the last bit.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"assay", "jsonl", "yaml"} {
		path := filepath.Join(dir, name)
		rapid.Check(t, func(t *rapid.T) {
			want := cases().Draw(t, "cases")
			d := &dataset.Dataset{Cases: assay.CasesOf(want...), Info: assay.DatasetInfo{Name: "drawn"}, Metadata: map[string]any{"version": "1"}}
			var b bytes.Buffer
			lost, err := dataset.Write(&b, d, name)
			if err != nil || lost != nil {
				t.Fatalf("error %v, lost %q", err, lost)
			}
			if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			got, err := dataset.Load(context.Background(), path, dataset.Options{})
			if err != nil {
				t.Fatalf("%v\n%s", err, b.Bytes())
			}
			if d := cmp.Diff(want, noOrigin(got.Cases.List())); d != "" {
				t.Fatalf("(-written +read):\n%s\n%s", d, b.Bytes())
			}
			if got.Info.Hash != dataset.Hash(assay.CasesOf(want...)) {
				t.Fatalf("hash %s, want %s", got.Info.Hash, dataset.Hash(assay.CasesOf(want...)))
			}
			if d := cmp.Diff(map[string]any{"name": "drawn", "version": "1"}, got.Metadata); d != "" {
				t.Fatal(d)
			}
		})
	}
}

func TestWriteYAML(t *testing.T) {
	t.Parallel()
	d := load(t, "support.json", support, dataset.Options{})
	var b bytes.Buffer
	if _, err := dataset.Write(&b, d, "yaml"); err != nil {
		t.Fatal(err)
	}
	diff(t, "yaml", b.String(), `metadata:
  created: "2026-01-15"
  name: Customer Support QA
  version: "1.0"
test_cases:
  - id: tc_001
    question: What is the refund policy?
    ground_truth: Full refund within 30 days of purchase.
    expected_contexts:
      - id: faq.md
        grade: 2
      - id: old.md
        grade: 0
      - policy.md
    reference_contexts:
      - Customers get a full refund within 30 days.
    expected_keywords:
      - "30 days"
      - "color|colour"
    sub_questions:
      - How long?
    answerable: true
    critical: true
    tags:
      - billing
      - policy
    group: refunds
    audio: audio/1.mp3
    reference_transcript: what is the refund policy
    metadata:
      author: kim
      big: 12345678901234567890
      "n": 3
  - id: q-`+passwordHash+`
    question: How do I reset my password?
    ground_truth:
      - Click 'Forgot Password'.
      - Use the link.
    expected_contexts: []
`)
}

func TestWriteSaysWhatIsLost(t *testing.T) {
	t.Parallel()
	d := load(t, "support.json", support, dataset.Options{})
	var b bytes.Buffer
	if _, err := dataset.Write(&b, d, "yml"); err == nil || !strings.Contains(err.Error(), `unknown form "yml"`) {
		t.Errorf("error %v, want one about the form", err)
	}
	dir := filepath.Join(t.TempDir(), "beir")
	const lacks = `form beir: 1 of 2 cases has no expected_contexts: "q-` + passwordHash + `"`
	if _, err := dataset.WriteBEIR(t.Context(), dir, d, nil); err == nil || err.Error() != lacks {
		t.Errorf("error %v, want %s", err, lacks)
	}
	d.Cases = d.Cases.Where(func(i int) bool { return i == 0 })
	lost, err := dataset.WriteBEIR(t.Context(), dir, d, nil)
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "lost", lost, []string{
		"reference texts (1 of 1 case)", "keywords (1 of 1 case)", "key questions (1 of 1 case)", "marks of what is answerable (1 of 1 case)",
		"transcripts (1 of 1 case)", "critical marks (1 of 1 case)", "tags (1 of 1 case)", "recordings (1 of 1 case)",
	})
}

func TestWriteBEIR(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d, err := dataset.Load(ctx, directory(t, small()), dataset.Options{Name: "small"})
	if err != nil {
		t.Fatal(err)
	}
	documents, err := d.Documents(ctx)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "new", "copy")
	lost, err := dataset.WriteBEIR(ctx, dir, d, documents)
	if err != nil || lost != nil {
		t.Fatalf("error %v, lost %q", err, lost)
	}
	again, err := dataset.Load(ctx, dir, dataset.Options{Name: "small"})
	if err != nil {
		t.Fatal(err)
	}
	// The empty answer is gone from the metadata: it never was an answer.
	want := smallCases()
	want[0].Metadata = map[string]any{"answers": []any{"two", "deux"}}
	diff(t, "cases", again.Cases.List(), want)
	diff(t, "hash", again.Info.Hash, d.Info.Hash)
	got, err := again.Documents(ctx)
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "documents", got, documents)
	if _, err := dataset.WriteBEIR(ctx, dir, d,
		documents); err == nil || !strings.HasSuffix(err.Error(), "already exists: expected a new directory") {
		t.Errorf("error %v, want one about the directory", err)
	}
	d.Cases = d.Cases.Change(func(_ int, c *assay.Case) { c.ID = "a\tb" })
	if _, err := dataset.WriteBEIR(ctx, dir+"2", d,
		documents); err == nil || !strings.Contains(err.Error(), `id "a\tb": expected one without tabs`) {
		t.Errorf("error %v, want one about the id", err)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(dir), "*"))
	if err != nil || len(left) != 1 {
		t.Errorf("%q is left, want the first directory only", left)
	}
}
