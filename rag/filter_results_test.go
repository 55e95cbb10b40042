//go:build results

package rag_test

import (
	"flag"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/rag/chunk"
	"github.com/assay-eval/assay/rag/embed"
)

var update = flag.Bool("update", false, "write docs/results/filter.md anew")

const (
	// questions of each dataset are asked, the first ones that its judgments name.
	questions = 100
	// depth is how many passages of each are filtered.
	depth = 10
)

// TestResults filters what BM25 retrieves by similarity, counts what thresholds
// keep and drop, and holds the counts against docs/results/filter.md.
func TestResults(t *testing.T) {
	var b strings.Builder
	fmt.Fprintf(&b, "# The filter by similarity: what a threshold keeps\n\nThis page is written by the command at its end, and CI holds it "+
		"to that.\n\n"+
		"The first %d questions of each dataset, the first %d passages of BM25 over whole documents for each, and the relevance that "+
		"`--filter similarity` gives them with the embedder inside the program. "+
		"*Kept* is the share of the relevant passages among them that reach the threshold, *dropped* the share of the others that do not: "+
		"`filter_kept_recall` and `filter_drop_rate`, pooled.\n\n"+
		"| threshold | XQuAD, English | SciFact, English | DRCD, Traditional Chinese |\n|---|---|---|---|\n", questions, depth)
	m, err := embed.New("minilm")
	if err != nil {
		t.Fatal(err)
	}
	sets := []judged{filtered(t, m, "xquad_en", "en"), filtered(t, m, "scifact", "test"), filtered(t, m, "drcd", "test")}
	for threshold := 2.0; threshold <= 6; threshold++ {
		fmt.Fprintf(&b, "| %.0f |", threshold)
		for _, s := range sets {
			fmt.Fprintf(&b, " kept %.0f %%, dropped %.0f %% |", 100*share(s.relevant, threshold), 100*(1-share(s.others, threshold)))
		}
		b.WriteByte('\n')
	}
	b.WriteString("\nCosines of short questions and long passages are low, and the embedder knows English: in Chinese it tells hardly " +
		"anything apart, and a high threshold drops at random. " +
		"So `filter-threshold: auto` is 3 with `similarity`.\n\n## Write this page again\n\n```\ngo test -tags results -run TestResults ./rag " +
		"-update\n```\n")
	// A passage whose relevance is the threshold itself may fall on either side.
	requiretest.ResultsPage(t, "filter.md", b.String(), *update, regexp.MustCompile(`\d+`), 1)
}

// judged are the relevances of passages, apart by whether they are relevant.
type judged struct{ relevant, others []float64 }

func filtered(t *testing.T, m assay.Embedder, name, split string) judged {
	t.Helper()
	data, err := dataset.Load(t.Context(), requiretest.Shared(t, "data/retrieval/"+name), dataset.Options{Split: split})
	if err != nil {
		t.Fatal(err)
	}
	docs, err := data.Documents(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p, err := rag.Open(t.Context(), rag.Config{Documents: docs, Chunk: chunk.Config{Method: chunk.Document}, TopK: depth,
		Generator: rag.NoGenerator})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var out judged
	for i := range questions {
		c := data.Cases.At(i)
		r, err := p.Ask(t.Context(), &c)
		if err != nil {
			t.Fatal(err)
		}
		scores, _, err := rag.Similarity{Embedder: m}.Relevance(t.Context(), rag.Turn{}, c.Question, r.Passages)
		if err != nil {
			t.Fatal(err)
		}
		for j, a := range r.Passages {
			if c.Want.Documents[a.Document] > 0 {
				out.relevant = append(out.relevant, scores[j])
			} else {
				out.others = append(out.others, scores[j])
			}
		}
	}
	return out
}

// share is that of the values which reach a threshold.
func share(values []float64, threshold float64) float64 {
	n := 0
	for _, v := range values {
		if v >= threshold {
			n++
		}
	}
	return float64(n) / float64(max(len(values), 1))
}
