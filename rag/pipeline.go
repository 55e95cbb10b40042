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
	sparse   *index.BM25  // nil for dense
	dense    *index.Dense // nil for sparse

	// frequencies holds, by term, how many passages have it; see frequency.
	frequencies sync.Map
	// places holds the passages by their ids.
	places func() map[string]int

	// open is held for reading by every question, so that Close waits for them.
	open   sync.RWMutex
	closed bool
}

var (
	_ assay.Staged = (*Pipeline)(nil)
	_ assay.Index  = (*Pipeline)(nil)
)

// Open splits and indexes the corpus, or takes what a run before left in the
// config's CacheDir for the same corpus, chunker, retriever and embedder.
// Errors: a field of the config that is wrong, the embedder's, a cache folder
// that cannot be written, ctx's.
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
	shelf := shelf{c.CacheDir}
	p.passages, err = passagesOf(c, shelf, func() ([]passage, error) { return split(ctx, c) })
	if err != nil {
		return nil, err
	}
	if len(p.passages) == 0 {
		return nil, fmt.Errorf("the corpus has no text in its %d documents", len(c.Documents))
	}
	if c.usesSparse() {
		if p.sparse, err = p.sparseOf(ctx, shelf); err != nil {
			return nil, err
		}
	}
	if c.usesDense() {
		if p.dense, err = p.denseOf(ctx, shelf); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// key names something made of the passages, and of more.
func (p *Pipeline) key(kind string, more ...string) key {
	c := p.config
	return key{kind, append([]string{c.CorpusHash, c.Chunk.String(), fmt.Sprint(chunk.Version), fmt.Sprint(len(p.passages))}, more...)}
}

// sparseOf gets the BM25 index from the shelf, or builds it and puts it there.
func (p *Pipeline) sparseOf(ctx context.Context, shelf shelf) (*index.BM25, error) {
	k := p.key("bm25", number(p.config.BM25.K1), number(p.config.BM25.B))
	if shelf.has(k) {
		if x, err := index.OpenBM25(shelf.path(k)); err == nil && x.Len() == len(p.passages) && x.Params() == p.config.BM25 {
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
	if shelf.dir == "" {
		return x, nil
	}
	if err := x.WriteFile(shelf.path(k)); err != nil {
		return nil, err
	}
	return x, shelf.label(k)
}

// Corpus identifies what the pipeline answers from.
func (p *Pipeline) Corpus() assay.CorpusInfo {
	c := p.config
	return assay.CorpusInfo{Path: c.CorpusPath, Hash: c.CorpusHash, Documents: len(c.Documents), Passages: len(p.passages)}
}

// Close waits for the questions being answered and gives the index's memory
// back. Closing twice is harmless.
func (p *Pipeline) Close() error {
	p.open.Lock()
	defer p.open.Unlock()
	if p.closed {
		return nil
	}
	p.closed = true
	if p.dense == nil {
		return nil
	}
	return p.dense.Close()
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
	// Strings and passages of finite scores have no way to fail.
	b, _ := json.Marshal(v)
	return b
}
