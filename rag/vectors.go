package rag

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/rag/index"
)

// segmentSize is how many passages are embedded between two writes, the maximum that a
// killed build loses: half a minute's work on two cores.
const segmentSize = 1024

// stepSize is how many passages are embedded between two progress reports: a second or
// two of work.
const stepSize = 64

// laterSize is stepSize for an embedder that is asked later: a server embeds several
// batches at once.
const laterSize = 512

// denseOf loads the dense index from the cache, or embeds the passages and stores it
// there. Vectors are always computed in segments of a fixed size, so that an
// interrupted build gives the same result. An embedder that is asked later may know its
// dimensions only from the first vector, and then there is no cache.
func (p *Pipeline) denseOf(ctx context.Context, cache indexCache) (*index.Dense, error) {
	e := p.config.Embedder
	k := p.key("floats", e.Identity(), strconv.Itoa(e.Dimensions()))
	if rows := cache.floats(k, len(p.passages)*e.Dimensions()); rows != nil {
		return index.NewDense(e.Dimensions(), rows)
	}
	data := make([]float32, 0, len(p.passages)*e.Dimensions())
	segments := (len(p.passages) + segmentSize - 1) / segmentSize
	for s := range segments {
		rows, err := p.segment(ctx, cache, k, s)
		if err != nil {
			return nil, fmt.Errorf("embedding passages from %d on: %w", s*segmentSize, err)
		}
		data = append(data, rows...)
	}
	p.config.Progress("embed", len(p.passages), len(p.passages))
	d, err := index.NewDense(e.Dimensions(), data)
	if err != nil || cache.dir == "" {
		return d, err
	}
	if err := cache.keep(k, data); err != nil {
		return nil, err
	}
	for s := range segments {
		sk := segmentKey(k, s)
		// Another process may have removed them; leftover files are harmless.
		_, _ = os.Remove(cache.path(sk)), os.Remove(cache.path(sk)+".key")
	}
	return d, nil
}

func segmentKey(k key, s int) key {
	return key{"segment", append([]string{k.String()}, strconv.Itoa(s), strconv.Itoa(segmentSize))}
}

// segment loads the vectors of one segment from the cache, or embeds it.
func (p *Pipeline) segment(ctx context.Context, cache indexCache, k key, s int) ([]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	sk := segmentKey(k, s)
	first := s * segmentSize
	last := min(first+segmentSize, len(p.passages))
	dim := p.config.Embedder.Dimensions()
	if rows := cache.floats(sk, (last-first)*dim); rows != nil {
		return rows, nil
	}
	rows := make([]float32, 0, (last-first)*dim)
	step := stepSize
	if p.config.EmbedLater {
		step = laterSize
	}
	for at := first; at < last; at += step {
		p.config.Progress("embed", at, len(p.passages))
		var texts []string
		for i := at; i < min(at+step, last); i++ {
			texts = append(texts, p.searchable(i))
		}
		vectors, err := embed(ctx, p.config.Embedder, texts)
		if err != nil {
			return nil, err
		}
		for _, v := range vectors {
			rows = append(rows, v...)
		}
	}
	if cache.dir == "" {
		return rows, nil
	}
	err := cache.keep(sk, rows)
	if errors.Is(err, fs.ErrNotExist) {
		// A process that has finished the index removes the segments, also between the
		// two writes.
		err = nil
	}
	return rows, err
}

// embed calls the embedder and checks its result.
func embed(ctx context.Context, e assay.Embedder, texts []string) ([][]float32, error) {
	vectors, err := e.Embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	if len(vectors) != len(texts) {
		return nil, fmt.Errorf("embedder %s: %d vectors for %d texts", e.Identity(), len(vectors), len(texts))
	}
	for i, v := range vectors {
		if len(v) != e.Dimensions() {
			return nil, fmt.Errorf("embedder %s: vector %d has %d numbers: expected %d", e.Identity(), i, len(v), e.Dimensions())
		}
	}
	return vectors, nil
}
