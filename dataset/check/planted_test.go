//go:build results

package check_test

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/dataset/check"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/rag/chunk"
	"github.com/assay-eval/assay/rag/embed"
)

// The figures that the doc comment of agreed claims: 30 cases of SciFact get the
// labels of others, drawn with a fixed seed.
func TestResultsPlantedLabels(t *testing.T) {
	t.Parallel()
	path := requiretest.Shared(t, "data/retrieval/scifact")
	d, err := dataset.Load(t.Context(), path, dataset.Options{Split: "test"})
	if err != nil {
		t.Fatal(err)
	}
	documents, err := d.Documents(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var rankings []check.Ranking
	var embedder assay.Embedder
	if embedder, err = embed.MiniLM(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{rag.Sparse, rag.Dense} {
		rankings = append(rankings, search(t, d.Cases.List(), rag.Config{
			Documents: documents, Retriever: name, TopK: 100, Generator: rag.NoGenerator,
			Chunk: chunk.Config{Method: chunk.Document}, Embedder: embedder, CacheDir: requiretest.IndexCache(t),
		}))
	}
	random := rand.New(rand.NewPCG(7, 7))
	planted := map[string]bool{}
	gold, cases := d.Cases.List(), d.Cases.List()
	for _, i := range random.Perm(len(cases))[:30] {
		other := i
		for other == i || maps.Equal(gold[other].Want.Documents, gold[i].Want.Documents) {
			other = random.IntN(len(cases))
		}
		cases[i].Want.Documents = gold[other].Want.Documents
		planted[cases[i].ID] = true
	}
	r, err := check.Run(t.Context(), check.Input{Cases: cases, Documents: documents, Rankings: rankings})
	if err != nil {
		t.Fatal(err)
	}
	right, others := 0, 0
	for _, f := range r.Findings {
		switch {
		case f.Check != "label":
		case planted[f.Cases[0]]:
			right++
		default:
			others++
		}
	}
	t.Logf("%d of 30 planted labels found, %d others", right, others)
	if right < 25 || others > 15 {
		t.Errorf("%d of 30 planted labels found, %d others; want 25 at least, and 15 at most", right, others)
	}
}

func search(t *testing.T, cases []assay.Case, cfg rag.Config) check.Ranking {
	t.Helper()
	p, err := rag.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	r := check.Ranking{Name: cfg.Retriever, Passages: map[string][]assay.Passage{}}
	for i := range cases {
		response, err := p.Ask(t.Context(), &cases[i])
		if err != nil {
			t.Fatal(err)
		}
		r.Passages[cases[i].ID] = response.Passages
	}
	return r
}
