package embed

import (
	"context"
	"sync"

	"github.com/assay-eval/assay"
)

// memoTexts bounds what a memo keeps: with 384 dimensions about 50 MB.
const memoTexts = 1 << 15

// Memo returns an embedder that caches vectors, since metrics and generators embed the
// same sentences for many cases. A full cache is emptied: the simplest rule that bounds
// its memory, and suitable for work that proceeds through a corpus.
func Memo(e assay.Embedder) assay.Embedder {
	return &memo{Embedder: e, known: map[string][]float32{}}
}

type memo struct {
	assay.Embedder
	mu    sync.Mutex
	known map[string][]float32
}

type unkept struct{}

// Unkept returns a context with which a memo keeps no vector that it computes: what is
// tried before a run must not make its first cases faster.
func Unkept(ctx context.Context) context.Context { return context.WithValue(ctx, unkept{}, true) }

// Embed computes the texts that are not cached. Two concurrent calls may both compute a
// text, with the same vector.
func (m *memo) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	var missing []string
	asked := map[string]bool{}
	m.mu.Lock()
	for i, t := range texts {
		if out[i] = m.known[t]; out[i] == nil && !asked[t] {
			missing = append(missing, t)
			asked[t] = true
		}
	}
	m.mu.Unlock()
	if missing == nil {
		return out, ctx.Err()
	}
	vectors, err := m.Embedder.Embed(ctx, missing)
	if err != nil {
		return nil, err
	}
	fresh := make(map[string][]float32, len(missing))
	for i, t := range missing {
		fresh[t] = vectors[i]
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.known)+len(fresh) > memoTexts && ctx.Value(unkept{}) == nil {
		m.known = map[string][]float32{}
	}
	for i, t := range texts {
		if out[i] == nil {
			out[i] = fresh[t]
		}
	}
	if len(fresh) <= memoTexts && ctx.Value(unkept{}) == nil {
		for t, v := range fresh {
			m.known[t] = v
		}
	}
	return out, nil
}
