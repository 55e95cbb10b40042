package accuracy

import (
	"math/rand/v2"
	"slices"

	"github.com/assay-eval/assay/metric/stage"
	"github.com/assay-eval/assay/stats"
)

// poolLevel is the confidence level of what is estimated from a sample.
const poolLevel = 0.95

// A candidate is a chunk of the corpus that is judged.
type candidate struct {
	at int
	// drawn is set when the chunk is one of a random sample.
	drawn bool
}

// shown gives the places of the chunks that the pipeline retrieved or kept for a
// sub-question.
func (e *evaluator) shown(i int) map[int]bool {
	out := map[int]bool{}
	for _, r := range slices.Concat(refs(e.result.Retrieval.PerSubQuestion, i), refs(e.result.Filtered.PerSubQuestion, i)) {
		out[e.corpus.place(r)] = true
	}
	return out
}

// choose gives the chunks to judge, in the order of the corpus: all of them, or
// with a pool those that the pipeline showed and a sample of the rest. The same
// seed draws the same sample for the same sub-question.
func (e *evaluator) choose(i int) (out []candidate) {
	shown := e.shown(i)
	var rest []int
	for at := range e.corpus.chunks {
		if e.Pool == nil || shown[at] {
			out = append(out, candidate{at: at})
		} else {
			rest = append(rest, at)
		}
	}
	if e.Pool != nil {
		order := rand.New(rand.NewPCG(e.Pool.Seed, uint64(i))).Perm(len(rest))
		for _, j := range order[:min(e.Pool.Sample, len(rest))] {
			out = append(out, candidate{rest[j], true})
		}
		slices.SortFunc(out, func(a, b candidate) int { return a.at - b.at })
	}
	return out
}

// count counts a chunk that was judged.
func (e *PoolEstimate) count(drawn, relevant bool) {
	all, hits := &e.Pooled, &e.RelevantPooled
	if drawn {
		all, hits = &e.Sampled, &e.RelevantSampled
	}
	*all++
	if relevant {
		*hits++
	}
}

// estimate sets what follows from the sample for the rest of the corpus. A batch
// that failed is not a part of the sample.
func (e *PoolEstimate) estimate(seed uint64, rest int) {
	e.Seed, e.Rest = seed, rest
	if n, interval, ok := stats.SampledTotal(e.RelevantPooled, e.RelevantSampled, e.Sampled, rest, poolLevel); ok {
		e.EstimatedRelevant, e.Interval = &n, &interval
	}
}

// pooled sets the rates of a list when the number of relevant chunks is an
// estimate, which no label can be: the formulas are those of the chunk metrics.
// Recall divides by the estimate, so it has a bias of its own, and an interval as
// good as that of the estimate.
func (a *ChunkAccuracy) pooled(pool *PoolEstimate) {
	hits := float64(a.RelevantInPipeline)
	o := stage.Overlap{Relevant: hits, Listed: float64(a.PipelineChunks), Found: hits}
	if pool.EstimatedRelevant != nil {
		o.Labels = *pool.EstimatedRelevant
	}
	a.Precision, a.Recall, a.F1 = known(o.Precision()), known(o.Recall()), known(o.F1())
	if a.Recall == nil || pool.Rest == 0 {
		return
	}
	low, high := o, o
	low.Labels, high.Labels = pool.Interval[1], pool.Interval[0]
	a.RecallInterval = &[2]float64{0, 1}
	a.RecallInterval[0], _ = low.Recall()
	if v, ok := high.Recall(); ok {
		a.RecallInterval[1] = v
	}
}

// known gives a value that is null where it is undefined.
func known(v float64, ok bool) *float64 {
	if !ok {
		return nil
	}
	return &v
}
