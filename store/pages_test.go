package store_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/store/storetest"
)

// typical returns a record as runs have them: ten passages, eight scores.
func typical(seq int, random *rand.Rand) assay.Record {
	r := assay.Record{
		Seq: seq, Attempts: 1, Started: storetest.Header(1).Started,
		Case: assay.Case{
			ID: fmt.Sprintf("q%05d", seq), Question: fmt.Sprintf("What does paragraph %d of the treaty say about the duties of parties?", seq),
			Tags: []string{[]string{"easy", "hard"}[seq%2]}, Want: assay.Want{Answers: []string{strings.Repeat("The parties shall. ", 10)}},
		},
		Response: &assay.Response{Answer: strings.Repeat("It says that the parties shall inform each other. ", 6), Latency: 1234567},
		Scores:   map[string]assay.Score{},
	}
	for i := range 10 {
		r.Response.Passages = append(r.Response.Passages, assay.Passage{ID: fmt.Sprint(i), Document: "treaty",
			Text: strings.Repeat("text of the treaty ", 40)})
	}
	for _, name := range []string{"ndcg@10", "mrr", "hit@3", "precision@5", "recall@5", "faithfulness", "answer_correctness",
		"citation_recall"} {
		r.Scores[name] = assay.Value(random.Float64())
	}
	return r
}

// What a page of a run of 10,000 cases costs, and one of 10,000 runs.
func BenchmarkPage(b *testing.B) {
	benchmarkPage(b, filepath.Join(b.TempDir(), "assay.db"))
}

func benchmarkPage(b *testing.B, ref string) {
	s, err := store.Open(b.Context(), ref)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	const runs, cases = 10_000, 10_000
	for n := range runs {
		if err := s.CreateRun(b.Context(), storetest.Header(n)); err != nil {
			b.Fatal(err)
		}
	}
	id := storetest.Header(77).ID
	random := rand.New(rand.NewPCG(1, 2))
	for seq := 0; seq < cases; seq += 200 {
		var recs []assay.Record
		for i := range 200 {
			recs = append(recs, typical(seq+i, random))
		}
		if err := s.Put(b.Context(), id, recs...); err != nil {
			b.Fatal(err)
		}
	}
	for _, offset := range []int{0, cases - 50} {
		b.Run(fmt.Sprint("cases/", offset), func(b *testing.B) {
			for b.Loop() {
				n := 0
				for _, err := range s.Briefs(b.Context(), id, 50, offset) {
					if n++; err != nil {
						b.Fatal(err)
					}
				}
				if n != 50 {
					b.Fatal(n)
				}
			}
		})
	}
	b.Run("case", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Record(b.Context(), id, "q07777"); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("since", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.RecordsSince(b.Context(), id, 5000, 50); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, offset := range []int{0, runs - 50} {
		b.Run(fmt.Sprint("runs/", offset), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := s.RunPage(b.Context(), store.RunQuery{Limit: 50, Offset: offset}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("run", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Run(b.Context(), id); err != nil {
				b.Fatal(err)
			}
		}
	})
}
