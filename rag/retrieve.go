package rag

import (
	"context"
	"fmt"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/rag/index"
)

// retrieve finds the passages for a question, best first, and records how.
func (p *Pipeline) retrieve(ctx context.Context, question string, trace *assay.Trace) ([]index.Hit, error) {
	c := p.config
	begun := p.now()
	var hits []index.Hit
	var err error
	note := ""
	switch c.Retriever {
	case Sparse:
		hits = p.sparse.Search(question, c.TopK)
	case Dense:
		hits, err = p.searchDense(ctx, question, c.TopK)
	default:
		hits, note, err = p.hybrid(ctx, question, trace)
	}
	if err != nil {
		return nil, err
	}
	p.record(trace, assay.StageRetrieve, p.model(), question, hits, note, p.since(begun))
	return hits, nil
}

// searchDense finds the k passages whose vectors are nearest the question's.
func (p *Pipeline) searchDense(ctx context.Context, question string, k int) ([]index.Hit, error) {
	vectors, err := embed(ctx, p.config.Embedder, []string{question})
	if err != nil {
		return nil, fmt.Errorf("embedding the question: %w", err)
	}
	return p.dense.Search(vectors[0], k)
}

// hybrid merges the first Depth passages of both retrievers.
func (p *Pipeline) hybrid(ctx context.Context, question string, trace *assay.Trace) (hits []index.Hit, note string, err error) {
	c := p.config
	begun := p.now()
	sparse := p.sparse.Search(question, c.Depth)
	p.recordPart(trace, Sparse, p.sparseModel(), question, sparse, begun)
	begun = p.now()
	dense, err := p.searchDense(ctx, question, c.Depth)
	if err != nil {
		return nil, "", err
	}
	p.recordPart(trace, Dense, p.denseModel(), question, dense, begun)
	fused := index.Fuse(c.FuseK, sparse, dense)
	note = fmt.Sprintf("%d of %d passages of %d sparse and %d dense", min(c.TopK, len(fused)), len(fused), len(sparse), len(dense))
	return fused[:min(c.TopK, len(fused))], note, nil
}

// recordPart adds the stage of one of hybrid's retrievers, as far as TopK.
func (p *Pipeline) recordPart(trace *assay.Trace, name, model, question string, hits []index.Hit, begun time.Time) {
	latency := p.since(begun)
	shown := hits[:min(p.config.TopK, len(hits))]
	p.record(trace, assay.StageRetrieve+"/"+name, model, question, shown, fmt.Sprintf("the first %d of %d", len(shown), len(hits)), latency)
}

// record adds a stage whose output is passages without their texts.
func (p *Pipeline) record(trace *assay.Trace, name, model, question string, hits []index.Hit, note string, latency time.Duration) {
	out := make([]assay.Passage, 0, len(hits))
	for _, h := range hits {
		a := p.passage(h.Passage, h.Score)
		a.Text, a.Title, a.Source = "", "", ""
		out = append(out, a)
	}
	trace.Stages = append(trace.Stages, assay.Stage{
		Name: name, Model: model, Latency: latency, Input: raw(question), Output: raw(out), Note: note,
	})
}
