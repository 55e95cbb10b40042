package preset_test

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/metric/catalog"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/rag/chunk"
	"github.com/assay-eval/assay/rag/embed"
	"github.com/assay-eval/assay/run"
	"github.com/assay-eval/assay/target/preset/chromatest"
)

// A shelf is a small part of SciFact: cases, all that is relevant to them, and
// other documents.
type shelf struct {
	cases     []assay.Case
	documents []assay.Document
	vectors   [][]float32
	embedder  assay.Embedder
}

func someScifact(t *testing.T) shelf {
	t.Helper()
	d, err := dataset.Load(t.Context(), requiretest.Shared(t, "data/retrieval/scifact"), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	documents, err := d.Documents(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	questions, others := 20, 30
	if requiretest.Race {
		questions, others = 10, 10
	}
	s := shelf{cases: d.Cases.List()[:questions]}
	relevant := map[string]bool{}
	for _, c := range s.cases {
		for id := range c.Want.Documents {
			relevant[id] = true
		}
	}
	for _, doc := range documents {
		if others--; relevant[doc.ID] || others >= 0 {
			s.documents = append(s.documents, doc)
		}
	}
	minilm, err := embed.New("minilm")
	if err != nil {
		t.Fatal(err)
	}
	s.embedder = embed.Memo(minilm)
	texts := make([]string, len(s.documents))
	for i, doc := range s.documents {
		// As the built-in pipeline does.
		texts[i] = doc.Title + " " + doc.Text
	}
	if s.vectors, err = s.embedder.Embed(t.Context(), texts); err != nil {
		t.Fatal(err)
	}
	return s
}

// near is how close two cosines are that count as a tie: Chroma computes in
// single precision, and its distances differ in the seventh digit.
const near = 1e-5

// A real Chroma server, asked through the preset.
func TestChroma(t *testing.T) {
	t.Parallel()
	address := chromatest.Start(t, requiretest.Env(t, "ASSAY_CHROMA"))
	s := someScifact(t)
	chromatest.Fill(t, address, "scifact", s.documents, s.vectors)
	h := open(t, "chroma", address, map[string]string{"collection": "scifact"}, s.embedder, chromaK)
	t.Run("search", func(t *testing.T) { s.search(t, h) })
	t.Run("run", func(t *testing.T) { s.run(t, h) })
	t.Run("missing", func(t *testing.T) {
		_, err := open(t, "chroma", address, map[string]string{"collection": "nothing"}, s.embedder, chromaK).Ask(t.Context(), &s.cases[0])
		if err == nil || !strings.Contains(err.Error(), "[nothing] does not exist") {
			t.Errorf("a collection that is not there: %v", err)
		}
	})
}

// chromaK is the number of passages that are asked for.
const chromaK = 10

// search checks that the documents are those that an exact search over the same
// vectors finds, with their own texts.
func (s shelf) search(t *testing.T, h assay.Target) {
	byID := map[string]int{}
	for i, d := range s.documents {
		byID[d.ID] = i
	}
	for _, c := range s.cases {
		question, err := s.embedder.Embed(t.Context(), []string{c.Question})
		if err != nil {
			t.Fatal(err)
		}
		cosines := make([]float64, len(s.documents))
		for i, v := range s.vectors {
			for j := range v {
				cosines[i] += float64(v[j]) * float64(question[0][j])
			}
		}
		best := slices.Clone(cosines)
		slices.SortFunc(best, func(a, b float64) int { return cmp.Compare(b, a) })

		got, err := h.Ask(t.Context(), &c)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Passages) != chromaK || !got.NoAnswer {
			t.Fatalf("case %s: %d passages, no answer %v: want %d and true", c.ID, len(got.Passages), got.NoAnswer, chromaK)
		}
		seen := map[int]bool{}
		for rank, p := range got.Passages {
			i, ok := byID[p.Document]
			if !ok || seen[i] {
				t.Fatalf("case %s: passage %d is of document %q: unknown, or there twice", c.ID, rank, p.Document)
			}
			seen[i] = true
			if math.Abs(cosines[i]-best[rank]) > near {
				t.Errorf("case %s: passage %d is %s with cosine %.6f: the exact search has one of %.6f there", c.ID, rank, p.Document, cosines[i],
					best[rank])
			}
			d := s.documents[i]
			want := assay.Passage{ID: d.ID, Document: d.ID, Text: d.Text}
			if i%2 == 0 {
				want.Source, want.Title = d.ID+".txt", d.Title
			}
			if p != want {
				t.Errorf("case %s: passage %+v: want %+v", c.ID, p, want)
			}
		}
	}
}

// run checks that a whole run gives the figures of the built-in dense retriever
// over the same documents.
func (s shelf) run(t *testing.T, h assay.Target) {
	builtin, err := rag.Open(t.Context(), rag.Config{
		Documents: s.documents, Retriever: rag.Dense, Chunk: chunk.Config{Method: chunk.Document},
		Embedder: s.embedder, TopK: chromaK, Generator: rag.NoGenerator,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer builtin.Close()

	want, got := means(t, s.cases, builtin), means(t, s.cases, h)
	for name, w := range want {
		if w == 0 || math.Abs(got[name]-w) > 1e-9 {
			t.Errorf("%s: %.6f through Chroma, %.6f built in", name, got[name], w)
		}
	}
	t.Logf("%d cases, %d documents: %v", len(s.cases), len(s.documents), got)
}

// means runs the engine and gives the mean of each metric.
func means(t *testing.T, cases []assay.Case, target assay.Target) map[string]float64 {
	t.Helper()
	metrics, err := catalog.All().ParseAll([]string{"recall@1", "recall@10", "ndcg@10"})
	if err != nil {
		t.Fatal(err)
	}
	cfg := run.Defaults()
	cfg.Cases, cfg.Target, cfg.Metrics, cfg.Now, cfg.Concurrency = assay.CasesOf(cases...), target, metrics, time.Now, 4
	sum, n := map[string]float64{}, 0
	for rec, err := range run.Run(context.WithoutCancel(t.Context()), cfg) {
		if err != nil {
			t.Fatal(err)
		}
		if rec.Failure != nil {
			t.Fatalf("case %s: %s", rec.Case.ID, rec.Failure.Message)
		}
		n++
		for name, score := range rec.Scores {
			if score.State != assay.Scored {
				t.Fatalf("case %s: %s: %s %s", rec.Case.ID, name, score.State, score.Reason)
			}
			sum[name] += score.Value
		}
	}
	if n != len(cases) || len(sum) != len(metrics) {
		t.Fatalf("%d records with scores of %d metrics: want %d and %d", n, len(sum), len(cases), len(metrics))
	}
	for name := range sum {
		sum[name] /= float64(n)
	}
	return sum
}
