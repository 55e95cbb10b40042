package accuracy

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

// The sources of ground truth.
const (
	byJudge = "judge"
	byHand  = "manual"
)

// A corpus has each chunk that can be relevant once.
type corpus struct {
	chunks []Chunk
	// places has the place of a chunk in chunks. Manual ground truth may name
	// chunks that are not there; their places come after.
	places map[ChunkRef]int
}

// place gives the place of a chunk, and gives it one when it has none.
func (c *corpus) place(r ChunkRef) int {
	at, known := c.places[r]
	if !known {
		at = len(c.places)
		c.places[r] = at
	}
	return at
}

func (c *corpus) add(k Chunk) {
	if c.place(k.Metadata.ref()) == len(c.chunks) {
		c.chunks = append(c.chunks, k)
	}
}

// gather collects the chunks of the index, then those of the result that the index
// lacks: a deleted document may have been relevant.
//
// A result of another corpus is an error of the chunks: its retriever could not find
// what was added since, so its recall says nothing about the retriever. Where the texts of
// the same chunk differ, the index says nothing about the result, and only its own chunks count.
func (e *evaluator) gather() {
	e.corpus = newCorpus(e.Chunks, e.Describe)
	e.alone = "the target does not report its corpus"
	if k := e.corpus.otherwise(e.result.Retrieval.PerSubQuestion); k != nil {
		e.Chunks, e.Options.Corpus, e.corpus = nil, nil, newCorpus(nil, nil)
		e.alone = fmt.Sprintf("the corpus has another text as chunk %d of %s: the result was split in another way, or made with another corpus",
			k.Metadata.ChunkIndex, k.Metadata.DocumentID)
	}
	indexed := len(e.corpus.chunks)
	for _, k := range e.result.chunks() {
		e.corpus.add(k)
	}
	was, now := e.result.Corpus, e.Options.Corpus
	switch strange := len(e.corpus.chunks) - indexed; {
	case was != nil && now != nil && *was != *now:
		e.failed(Chunks, fmt.Errorf("the result was made with another corpus (%s, %s; now %s, %s): its precision and recall refer to "+
			"today's chunks; generate the result again", text.ShortHash(was.Hash), was.Chunking, text.ShortHash(now.Hash), now.Chunking))
	case e.Chunks != nil && strange > 0:
		e.failed(Chunks, fmt.Errorf("%d of the result's chunks are not in the corpus: it was made with another one; generate the result again",
			strange))
	}
}

// otherwise returns a retrieved chunk that has another text here; nil if there is none. A filter may
// shorten texts, so what it kept does not count.
func (c *corpus) otherwise(lists []SubQuestionChunks) *Chunk {
	for _, q := range lists {
		for i, k := range q.Chunks {
			at, known := c.places[k.Metadata.ref()]
			if known && k.Text != "" && text.Collapse(k.Text) != text.Collapse(c.chunks[at].Text) {
				return &q.Chunks[i]
			}
		}
	}
	return nil
}

// newCorpus holds the chunks of an index, which may be nil.
func newCorpus(index iter.Seq[assay.Passage], describe func(assay.Passage, *Metadata)) *corpus {
	c := &corpus{places: map[ChunkRef]int{}}
	if index != nil {
		b := builder{about: About{Describe: describe}}
		for p := range index {
			c.add(Chunk{Text: p.Text, Metadata: b.metadata(p)})
		}
	}
	return c
}

// chunks lists the chunks that were retrieved or kept.
func (r *Result) chunks() (out []Chunk) {
	for _, q := range slices.Concat(r.Retrieval.PerSubQuestion, r.Filtered.PerSubQuestion) {
		out = append(out, q.Chunks...)
	}
	return out
}

// shown is the chunk as a judge is shown it, under a name of its document.
func (k Chunk) shown(document string) judge.Chunk {
	out := judge.Chunk{Document: document, Text: k.Text}
	if p := k.Metadata.PageNumber; p != nil {
		out.Page = strconv.Itoa(*p)
	}
	return out
}

// ref names the chunk that the metadata belong to.
func (m Metadata) ref() ChunkRef { return ChunkRef{m.DocumentID, m.ChunkIndex} }

// refs names the chunks of the sub-question at i, each once.
func refs(lists []SubQuestionChunks, i int) (out []ChunkRef) {
	if i < len(lists) {
		for _, k := range lists[i].Chunks {
			if r := k.Metadata.ref(); !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
	}
	return out
}

// chunks finds the relevant chunks of each sub-question and compares. lost has
// what each stage lost of them. Both are nil when ctx is done.
func (e *evaluator) chunks(ctx context.Context) (out *ChunkEvaluation, lost []*assay.Attribution) {
	out = &ChunkEvaluation{Status: Completed, PerSubQuestion: []ChunkTruth{}}
	judged := 0
	for i, q := range e.result.Retrieval.PerSubQuestion {
		began := e.Now()
		g, err := e.truth(ctx, i, q)
		if err != nil {
			e.failed(Chunks, fmt.Errorf("sub-question %d: %w", i, err))
			out.Status = Partial
		}
		if err == nil || g.known() {
			judged++
		}
		g.ChunkEvaluationTimeMS = e.since(began)
		out.PerSubQuestion = append(
			out.PerSubQuestion, ChunkTruth{SubQuestionIndex: q.SubQuestionIndex, SubQuestionText: q.SubQuestionText, GroundTruth: g},
		)
	}
	if len(out.PerSubQuestion) > 0 && judged == 0 {
		out.Status = Failed
	}
	lost, err := e.run(ctx, out.PerSubQuestion)
	if err != nil {
		return nil, nil
	}
	out.OverallUnfiltered = average(out.PerSubQuestion, func(t ChunkTruth) ChunkAccuracy { return t.UnfilteredAccuracy })
	out.OverallFiltered = average(out.PerSubQuestion, func(t ChunkTruth) ChunkAccuracy { return t.FilteredAccuracy })
	return out, lost
}

// truth finds the chunks that are relevant to a sub-question: manual ground truth,
// or else the rulings of the judge. The error says what could not be judged.
func (e *evaluator) truth(ctx context.Context, i int, q SubQuestionChunks) (GroundTruth, error) {
	g := GroundTruth{
		RelevantDocuments: []string{}, RelevantChunks: []ChunkRef{}, Round2IncompleteBatches: []int{}, Source: byHand,
		Corpus: len(e.corpus.chunks),
	}
	if e.Truth != nil {
		for _, t := range e.Truth.PerSubQuestion {
			if t.SubQuestionIndex == q.SubQuestionIndex {
				g.list(t.RelevantChunks)
				return g, nil
			}
		}
	}
	g.Source = byJudge
	switch {
	case e.Chunks == nil && g.Corpus == 0:
		return g, errors.New("the target reports neither its corpus nor chunks: " + storeTruth)
	case e.Chunk.Provider == nil:
		return g, errors.New("neither hand-made ground truth nor a judge of chunks")
	case g.Corpus == 0:
		return g, nil
	}
	chosen := e.choose(i)
	plan := judge.Plan{Asks: judge.Asks{question.CorpusRelevance}}
	for _, c := range chosen {
		plan.Corpus = append(plan.Corpus, e.corpus.chunks[c.at].shown(e.corpus.chunks[c.at].Metadata.DocumentID))
	}
	said, err := e.assess(ctx, e.Chunk, batchWaits, plan, q.SubQuestionText, assay.Response{})
	if err != nil {
		return g, err
	}
	batches, err := question.CorpusRelevance.Of(said).Get()
	if err != nil {
		return g, err
	}
	var relevant []ChunkRef
	pool := &PoolEstimate{}
	for b, batch := range batches {
		of := chosen[:len(batch.Rulings)]
		chosen = chosen[len(of):]
		if batch.Err != nil {
			g.Round2IncompleteBatches = append(g.Round2IncompleteBatches, b)
			err = e.Chunk.explained(batch.Err)
			continue
		}
		for j, c := range of {
			pool.count(c.drawn, batch.Rulings[j].Holds)
			if batch.Rulings[j].Holds {
				relevant = append(relevant, e.corpus.chunks[c.at].Metadata.ref())
			}
		}
	}
	g.Judged = pool.Pooled + pool.Sampled
	g.list(relevant)
	if e.Chunks != nil {
		g.suspect()
	}
	if e.Pool != nil {
		g.Pool = pool
		pool.estimate(e.Pool.Seed, g.Corpus-len(e.shown(i)))
	}
	if n := len(g.Round2IncompleteBatches); n > 0 {
		err = fmt.Errorf("%d of %d batches could not be judged; the last says: %w", n, len(batches), err)
	}
	if err == nil && e.Chunks == nil {
		err = errors.New(e.alone + ": only the result's chunks are judged, and recall is unknown: " + storeTruth)
	}
	return g, err
}

// storeTruth is how to make recall known without the corpus.
const storeTruth = "store the relevant chunks (PUT /api/v1/test/results/{result_id}/ground-truth)"

// known reports whether anything is known of the chunks' relevance.
func (g *GroundTruth) known() bool { return g.Source == byHand || g.Judged > 0 }

// list sets the relevant chunks and their documents.
func (g *GroundTruth) list(chunks []ChunkRef) {
	for _, r := range chunks {
		if slices.Contains(g.RelevantChunks, r) {
			continue
		}
		g.RelevantChunks = append(g.RelevantChunks, r)
		if !slices.Contains(g.RelevantDocuments, r.DocumentID) {
			g.RelevantDocuments = append(g.RelevantDocuments, r.DocumentID)
		}
	}
	g.TotalRelevantChunks = len(g.RelevantChunks)
}

// suspect marks a judge that found all chunks relevant, or none.
func (g *GroundTruth) suspect() {
	switch {
	case g.Judged == 0:
	case g.TotalRelevantChunks == 0:
		g.Suspicious = "none"
	case g.TotalRelevantChunks == g.Judged:
		g.Suspicious = "all"
	}
}

func average(all []ChunkTruth, of func(ChunkTruth) ChunkAccuracy) AverageAccuracy {
	var p, r, f []*float64
	for _, t := range all {
		a := of(t)
		p, r, f = append(p, a.Precision), append(r, a.Recall), append(f, a.F1)
	}
	return AverageAccuracy{mean(p), mean(r), mean(f)}
}
