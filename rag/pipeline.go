package rag

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/rag/chunk"
	"github.com/assay-eval/assay/rag/index"
)

// A Pipeline answers questions from a corpus. It is safe for concurrent use.
type Pipeline struct {
	config   Config
	passages []passage
	sparse   *index.BM25 // nil for dense
	// dense is nil for sparse, and before the passages are embedded.
	dense *index.Dense

	// frequencies caches, by term, how many passages contain it; see frequency.
	frequencies sync.Map
	// places maps ids to passages.
	places func() map[string]int

	// open is read-locked by every question, so that Close waits for them.
	open   sync.RWMutex
	closed bool
}

var (
	_ assay.Staged = (*Pipeline)(nil)
	_ assay.Index  = (*Pipeline)(nil)
)

// Open splits and indexes the corpus, or loads the index from the config's CacheDir if
// an earlier run stored it for the same corpus, chunker, retriever and embedder. With
// EmbedLater the passages are not embedded yet: see [Pipeline.Open].
// Errors: an invalid field of the config, the embedder's, a cache folder that cannot be
// written, ctx's.
func Open(ctx context.Context, config Config) (*Pipeline, error) {
	c, err := config.withDefaults()
	if err != nil {
		return nil, err
	}
	if c.CorpusHash == "" {
		c.CorpusHash = HashDocuments(c.Documents)
	}
	p := &Pipeline{config: c}
	p.places = sync.OnceValue(p.placesByID)
	cache := indexCache{c.CacheDir}
	p.passages, err = passagesOf(c, cache, func() ([]passage, error) { return split(ctx, c) })
	if err != nil {
		return nil, err
	}
	if len(p.passages) == 0 {
		return nil, fmt.Errorf("the corpus has no text in its %d documents", len(c.Documents))
	}
	if c.usesSparse() {
		if p.sparse, err = p.sparseOf(ctx, cache); err != nil {
			return nil, err
		}
	}
	if c.usesDense() && !c.EmbedLater {
		if p.dense, err = p.denseOf(ctx, cache); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Open embeds the passages if that was left to it, once. Without it the pipeline of an
// EmbedLater config cannot be asked.
func (p *Pipeline) Open(ctx context.Context) error {
	p.open.Lock()
	defer p.open.Unlock()
	if p.closed || p.dense != nil || !p.config.usesDense() {
		return nil
	}
	d, err := p.denseOf(ctx, indexCache{})
	p.dense = d
	return err
}

// Unopened reports whether questions need [Pipeline.Open] first.
func (p *Pipeline) Unopened() bool {
	p.open.RLock()
	defer p.open.RUnlock()
	return p.dense == nil && p.config.usesDense()
}

// Part returns an opened pipeline over the first n passages, or over all if n is 0, which
// asks an embedder for the vectors of these; nil is that of the pipeline. It is for trying
// an embedder and for estimates; nothing of it is cached. The caller closes it.
func (p *Pipeline) Part(ctx context.Context, n int, e assay.Embedder) (*Pipeline, error) {
	out := &Pipeline{config: p.config, passages: p.passages}
	out.config.CacheDir, out.config.Progress = "", func(string, int, int) {}
	if e != nil {
		if out.config.Embedder != nil {
			out.config.Embedder = e
		}
		if _, ok := out.config.Filter.(Similarity); ok {
			out.config.Filter = Similarity{Embedder: e}
		}
	}
	if n > 0 {
		out.passages = p.passages[:min(n, len(p.passages))]
	}
	out.places = sync.OnceValue(out.placesByID)
	if out.config.usesSparse() {
		var err error
		if out.sparse, err = out.sparseOf(ctx, indexCache{}); err != nil {
			return nil, err
		}
	}
	return out, out.Open(ctx)
}

// key returns the cache key of something derived from the passages and further inputs.
func (p *Pipeline) key(kind string, more ...string) key {
	c := p.config
	return key{kind, append([]string{c.CorpusHash, c.Chunk.String(), fmt.Sprint(chunk.Version), fmt.Sprint(len(p.passages))}, more...)}
}

// sparseOf loads the BM25 index from the cache, or builds it and stores it there.
func (p *Pipeline) sparseOf(ctx context.Context, cache indexCache) (*index.BM25, error) {
	k := p.key("bm25", number(p.config.BM25.K1), number(p.config.BM25.B))
	if cache.has(k) {
		if x, err := index.OpenBM25(cache.path(k)); err == nil && x.Len() == len(p.passages) && x.Params() == p.config.BM25 {
			return x, nil
		}
	}
	x, err := index.BuildBM25(p.searchables(ctx, "index"), p.config.BM25)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if cache.dir == "" {
		return x, nil
	}
	if err := x.WriteFile(cache.path(k)); err != nil {
		return nil, err
	}
	return x, cache.label(k)
}

// Corpus identifies the pipeline's corpus.
func (p *Pipeline) Corpus() assay.CorpusInfo {
	c := p.config
	return assay.CorpusInfo{Path: c.CorpusPath, Hash: c.CorpusHash, Documents: len(c.Documents), Passages: len(p.passages)}
}

// Close waits for questions in progress and releases the index's memory. It may be
// called twice.
func (p *Pipeline) Close() error {
	p.open.Lock()
	defer p.open.Unlock()
	p.closed, p.dense = true, nil
	return nil
}

// now and since measure latencies, which are 0 without a clock.
func (p *Pipeline) now() (t time.Time) {
	if p.config.Now != nil {
		t = p.config.Now()
	}
	return t
}

func (p *Pipeline) since(t time.Time) time.Duration {
	if p.config.Now == nil {
		return 0
	}
	return p.config.Now().Sub(t)
}

// raw encodes a value of a trace.
func raw(v any) json.RawMessage {
	// strings and passages with finite scores can always be encoded
	b, _ := json.Marshal(v)
	return b
}
