package rag

import (
	"context"
	"fmt"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/rag/index"
)

// A nearest holds the hits of the dense search for all sub-questions, in order.
type nearest struct {
	lists [][]index.Hit
	// each is the time that a question took: all take the same part of the search.
	each time.Duration
}

// next returns the hits of the next question, nil if there was no search, and its time.
func (n *nearest) next() (hits []index.Hit, took time.Duration) {
	if len(n.lists) == 0 {
		return nil, 0
	}
	hits, n.lists = n.lists[0], n.lists[1:]
	return hits, n.each
}

// searchDense returns the passages whose vectors are nearest to those of the questions,
// nothing if the retriever is sparse. It embeds and searches for all of them at once.
func (w *work) searchDense(ctx context.Context, questions []string) (nearest, error) {
	c := w.config
	if !c.usesDense() || len(questions) == 0 {
		return nearest{}, nil
	}
	k := c.Depth
	if c.Retriever == Dense {
		k = c.TopK
	}
	begun := w.now()
	vectors, err := embed(ctx, c.Embedder, questions)
	if err != nil {
		return nearest{}, fmt.Errorf("embedding the question: %w", err)
	}
	lists, err := w.dense.SearchBatch(vectors, k)
	return nearest{lists, w.since(begun) / time.Duration(len(questions))}, err
}

// retrieve returns the passages for a question, best first, given the hits of the dense
// search and its time, and records the stage.
func (w *work) retrieve(question string, dense []index.Hit, took time.Duration) []found {
	c := w.config
	begun := w.now()
	hits, note := dense, ""
	switch c.Retriever {
	case Sparse:
		hits = w.sparse.Search(question, c.TopK)
	case Hybrid:
		hits, note = w.hybrid(question, dense, took)
	}
	out := w.passagesOf(hits)
	w.record(assay.StageRetrieve, w.model(), question, out, note, w.since(begun)+took)
	return out
}

// passagesOf returns the passages of hits.
func (p *Pipeline) passagesOf(hits []index.Hit) []found {
	out := make([]found, 0, len(hits))
	for _, h := range hits {
		out = append(out, found{p.passage(h.Passage, h.Score), h.Passage})
	}
	return out
}

// hybrid merges the first Depth passages of both retrievers.
func (w *work) hybrid(question string, dense []index.Hit, took time.Duration) (hits []index.Hit, note string) {
	c := w.config
	begun := w.now()
	sparse := w.sparse.Search(question, c.Depth)
	w.recordPart(Sparse, w.sparseModel(), question, sparse, w.since(begun))
	w.recordPart(Dense, w.denseModel(), question, dense, took)
	fused := index.Fuse(c.FuseK, sparse, dense)
	note = fmt.Sprintf("%d of %d passages of %d sparse and %d dense", min(c.TopK, len(fused)), len(fused), len(sparse), len(dense))
	return fused[:min(c.TopK, len(fused))], note
}

// recordPart adds the stage of one part of a hybrid retriever, up to TopK.
func (w *work) recordPart(name, model, question string, hits []index.Hit, latency time.Duration) {
	shown := hits[:min(w.config.TopK, len(hits))]
	w.record(assay.StageRetrieve+"/"+name, model, question, w.passagesOf(shown), fmt.Sprintf("the first %d of %d", len(shown), len(hits)),
		latency)
	w.trace[len(w.trace)-1].bare = true
}

// record adds a stage whose output is passages.
func (w *work) record(name, model, question string, out []found, note string, latency time.Duration) {
	w.trace = append(w.trace, stage{out: out, Stage: assay.Stage{
		Name: name, Model: model, Latency: latency, Input: raw(question), Note: note,
	}})
}
