package rag

import (
	"context"
	"fmt"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/rag/index"
)

// retrieve returns the passages for a question, best first, and records the stage.
func (w *work) retrieve(ctx context.Context, question string) ([]found, error) {
	c := w.config
	begun := w.now()
	var hits []index.Hit
	var err error
	note := ""
	switch c.Retriever {
	case Sparse:
		hits = w.sparse.Search(question, c.TopK)
	case Dense:
		hits, err = w.searchDense(ctx, question, c.TopK)
	default:
		hits, note, err = w.hybrid(ctx, question)
	}
	if err != nil {
		return nil, err
	}
	out := w.passagesOf(hits)
	w.record(assay.StageRetrieve, w.model(), question, out, note, w.since(begun))
	return out, nil
}

// passagesOf returns the passages of hits.
func (p *Pipeline) passagesOf(hits []index.Hit) []found {
	out := make([]found, 0, len(hits))
	for _, h := range hits {
		out = append(out, found{p.passage(h.Passage, h.Score), h.Passage})
	}
	return out
}

// searchDense returns the k passages whose vectors are nearest to the question's.
func (p *Pipeline) searchDense(ctx context.Context, question string, k int) ([]index.Hit, error) {
	vectors, err := embed(ctx, p.config.Embedder, []string{question})
	if err != nil {
		return nil, fmt.Errorf("embedding the question: %w", err)
	}
	return p.dense.Search(vectors[0], k)
}

// hybrid merges the first Depth passages of both retrievers.
func (w *work) hybrid(ctx context.Context, question string) (hits []index.Hit, note string, err error) {
	c := w.config
	begun := w.now()
	sparse := w.sparse.Search(question, c.Depth)
	w.recordPart(Sparse, w.sparseModel(), question, sparse, begun)
	begun = w.now()
	dense, err := w.searchDense(ctx, question, c.Depth)
	if err != nil {
		return nil, "", err
	}
	w.recordPart(Dense, w.denseModel(), question, dense, begun)
	fused := index.Fuse(c.FuseK, sparse, dense)
	note = fmt.Sprintf("%d of %d passages of %d sparse and %d dense", min(c.TopK, len(fused)), len(fused), len(sparse), len(dense))
	return fused[:min(c.TopK, len(fused))], note, nil
}

// recordPart adds the stage of one part of a hybrid retriever, up to TopK.
func (w *work) recordPart(name, model, question string, hits []index.Hit, begun time.Time) {
	latency := w.since(begun)
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
