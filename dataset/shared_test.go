package dataset_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/requiretest"
)

// The counts are those of other tools: wc -l of the corpora, and the lines and
// distinct queries of the judgments (cut -f1 | sort -u | wc -l).
func TestSharedCollections(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, split                         string
		cases, judgments, documents, answer int
	}{
		{"scifact", "test", 300, 339, 5183, 0},
		{"scifact", "train", 809, 919, 5183, 0},
		{"drcd", "test", 3493, 3493, 2000, 3493},
		{"drcd", "dev", 3524, 3524, 2000, 3524},
		{"xquad_en", "", 1190, 1190, 240, 1190},
	} {
		path := requiretest.Shared(t, "data/retrieval/"+c.name)
		d, err := dataset.Load(context.Background(), path, dataset.Options{Split: c.split})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		documents, err := d.Documents(context.Background())
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		judgments, answers := 0, 0
		for _, one := range d.Cases.All() {
			judgments += len(one.Want.Documents)
			if one.Want.Answers != nil {
				answers++
			}
		}
		diff(t, c.name+" "+c.split, []int{d.Cases.Len(), judgments, len(documents), answers}, []int{c.cases, c.judgments, c.documents, c.answer})
		if len(d.Warnings) > 0 {
			t.Errorf("%s: warnings %q, want none", c.name, warnings(d))
		}
	}
}

// TestSharedTREC reads scifact's judgments in the format of TREC, with topics
// made of its queries, and finds the same labels as in the format of BEIR.
func TestSharedTREC(t *testing.T) {
	t.Parallel()
	d, err := dataset.Load(context.Background(), requiretest.Shared(t, "data/retrieval/scifact"), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, c := range d.Cases.All() {
		b.WriteString(c.ID + "\t" + c.Question + "\n")
	}
	topics := load(t, "topics.tsv", b.String(), dataset.Options{Qrels: requiretest.Shared(t, "data/oracles/trec_eval/scifact.qrels")})
	if topics.Info.Hash != d.Info.Hash {
		t.Errorf("hash %s of %d topics, want %s of %d", topics.Info.Hash, topics.Cases.Len(), d.Info.Hash, d.Cases.Len())
	}
}

// Recorded answers of other collections have the fields of Ragas. One of
// them holds questions that are empty, which are found.
func TestSharedAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                   string
		cases, responses, errs int
		first                  string
	}{
		{name: "mtrag.jsonl", cases: 477, responses: 477},
		{name: "nomiracl.jsonl", cases: 1000, responses: 1000},
		{name: "nq301.jsonl", cases: 1490, responses: 1490},
		{name: "ragchecker_pairs.jsonl", cases: 280},
		{name: "begin.jsonl", errs: 2, first: `begin.jsonl:4132: case "begin_dev_cmu-94": question: empty string: expected a question`},
		{name: "clapnq_dev.jsonl", cases: 600, responses: 600},
	} {
		path := requiretest.Shared(t, "data/answers/"+c.name)
		d, err := dataset.Load(context.Background(), path, dataset.Options{Name: c.name})
		if c.errs > 0 {
			list, ok := err.(dataset.Errors)
			if !ok || len(list) != c.errs || list[0].Error() != c.first {
				t.Errorf("%s: error %v, want %d problems, first %s", c.name, err, c.errs, c.first)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		diff(t, c.name, []any{d.Info.Format, d.Cases.Len(), len(d.Responses)}, []any{"ragas", c.cases, c.responses})
	}
}

// The bundled and the written examples load.
func TestBundled(t *testing.T) {
	t.Parallel()
	path := filepath.Join(requiretest.Root(), "internal", "quickstart", "gold.json")
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	d, err := dataset.Load(context.Background(), path, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s := d.Stats(); s.Cases < 30 || s.Unanswerable == 0 || s.CJK == 0 {
		t.Errorf("%+v, want at least 30 cases, some Chinese, some without an answer", s)
	}
}

func BenchmarkLoadSciFact(b *testing.B) {
	path := requiretest.Shared(b, "data/retrieval/scifact")
	for b.Loop() {
		if _, err := dataset.Load(context.Background(), path, dataset.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
