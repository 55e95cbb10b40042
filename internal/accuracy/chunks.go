package accuracy

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric/stage"
	"github.com/assay-eval/assay/stats"
)

// batchWaits are the waits before the tries of a batch after the first.
var batchWaits = []time.Duration{2 * time.Second, 2 * time.Second}

// The sources of ground truth.
const (
	byJudge = "judge"
	byHand  = "manual"
)

// labelled is a chunk with what it goes by.
type labelled struct {
	ref  ChunkRef
	text string
	// page is "" when it is not known.
	page string
	// name is the file that it is cited by.
	name string
}

// A corpus is all that can be judged, each chunk once.
type corpus struct {
	chunks []labelled
	places map[ChunkRef]int
	// indexed is how many of the chunks are in the index; those that only the
	// result has stand after them.
	indexed int
}

func (c *corpus) add(l labelled) {
	if _, twice := c.places[l.ref]; !twice {
		c.places[l.ref] = len(c.chunks)
		c.chunks = append(c.chunks, l)
	}
}

// at gives chunks of the corpus as a judge is shown them.
func (c *corpus) at(places []int) []question.Chunk {
	out := make([]question.Chunk, len(places))
	for i, at := range places {
		k := c.chunks[at]
		out[i] = question.Chunk{Document: k.ref.DocumentID, Text: k.text, Page: k.page}
	}
	return out
}

// corpus gathers the chunks of the index, and those of the result that it lacks,
// as when documents were deleted since: they can be relevant all the same.
func (e *evaluator) corpus() *corpus {
	c := &corpus{places: map[ChunkRef]int{}}
	b := builder{about: About{Describe: e.Describe}}
	if e.Chunks != nil {
		for p := range e.Chunks {
			c.add(label(b.metadata(p), p.Text))
		}
	}
	c.indexed = len(c.chunks)
	for _, q := range slices.Concat(e.result.Retrieval.PerSubQuestion, e.result.Filtered.PerSubQuestion) {
		for _, k := range q.Chunks {
			c.add(label(k.Metadata, k.Text))
		}
	}
	return c
}

func label(m Metadata, text string) labelled {
	l := labelled{ref: m.ref(), text: text, name: m.Filename}
	if m.PageNumber != nil {
		l.page = strconv.Itoa(*m.PageNumber)
	}
	return l
}

// ref names the chunk that the metadata are of.
func (m Metadata) ref() ChunkRef { return ChunkRef{m.DocumentID, m.ChunkIndex} }

// refs names the chunks of a list, each once.
func refs(chunks []Chunk) []ChunkRef {
	var out []ChunkRef
	for _, k := range chunks {
		if r := k.Metadata.ref(); !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	return out
}

// A truth is what was found out about the chunks.
type truth struct {
	evaluation *ChunkEvaluation
	corpus     *corpus
	// judged is set when a model was asked.
	judged bool
}

// chunks finds the relevant chunks of each sub-question, and compares.
func (e *evaluator) chunks(ctx context.Context) truth {
	k := truth{evaluation: &ChunkEvaluation{Status: Completed, PerSubQuestion: []ChunkTruth{}}, corpus: e.corpus()}
	done, tried := 0, 0
	for i, q := range e.result.Retrieval.PerSubQuestion {
		var filtered []Chunk
		if i < len(e.result.Filtered.PerSubQuestion) {
			filtered = e.result.Filtered.PerSubQuestion[i].Chunks
		}
		found, left := refs(q.Chunks), refs(filtered)
		began := e.Now()
		truth, relevant, err := e.truth(ctx, i, q, slices.Concat(found, left), k.corpus)
		if ctx.Err() != nil {
			return k
		}
		tried++
		if truth.Source == byJudge {
			k.judged = true
		}
		if err != nil {
			e.failed(Chunks, fmt.Errorf("sub-question %d: %w", i, err))
			k.evaluation.Status = Partial
		}
		if truth.Source == byHand || truth.Judged > 0 || truth.Corpus == 0 {
			done++
		}
		truth.ChunkEvaluationTimeMS = e.since(began)
		entry := ChunkTruth{
			SubQuestionIndex: q.SubQuestionIndex, SubQuestionText: q.SubQuestionText, GroundTruth: truth,
			UnfilteredAccuracy: accuracyOf(found, relevant, truth.Pool), FilteredAccuracy: accuracyOf(left, relevant, truth.Pool),
		}
		k.evaluation.PerSubQuestion = append(k.evaluation.PerSubQuestion, entry)
	}
	if tried > 0 && done == 0 {
		k.evaluation.Status = Failed
	}
	k.evaluation.OverallUnfiltered = average(k.evaluation.PerSubQuestion, func(t ChunkTruth) ChunkAccuracy { return t.UnfilteredAccuracy })
	k.evaluation.OverallFiltered = average(k.evaluation.PerSubQuestion, func(t ChunkTruth) ChunkAccuracy { return t.FilteredAccuracy })
	return k
}

// truth finds out which chunks are relevant to a sub-question: by hand where
// somebody said it, else by the judge. The error tells of what was not judged.
func (e *evaluator) truth(
	ctx context.Context, i int, q SubQuestionChunks, shown []ChunkRef, c *corpus,
) (GroundTruth, map[ChunkRef]bool, error) {
	g := GroundTruth{
		RelevantDocuments: []string{}, RelevantChunks: []ChunkRef{}, Round2IncompleteBatches: []int{}, Source: byHand, Corpus: len(c.chunks),
	}
	relevant := map[ChunkRef]bool{}
	if hand := e.byHand(q.SubQuestionIndex); hand != nil {
		for _, r := range hand.RelevantChunks {
			relevant[r] = true
		}
		g.list(hand.RelevantChunks)
		return g, relevant, nil
	}
	g.Source = byJudge
	switch {
	case e.Chunks == nil:
		return g, nil, errors.New("the target does not tell its chunks: want hand-made ground truth")
	case missing(e.Chunk):
		return g, nil, errors.New("neither hand-made ground truth nor a judge of chunks")
	case len(c.chunks) == 0:
		return g, nil, nil
	}
	chosen, drawn := e.choose(i, shown, c)
	batches := slices.Collect(slices.Chunk(chosen, question.BatchSize))
	found, failed := e.batches(ctx, q.SubQuestionText, batches, c)
	var problem error
	sampled, hits := 0, 0
	for b, rulings := range found {
		if failed[b] != nil {
			g.Round2IncompleteBatches = append(g.Round2IncompleteBatches, b)
			problem = failed[b]
			continue
		}
		for j, at := range batches[b] {
			g.Judged++
			relevant[c.chunks[at].ref] = rulings[j].Holds
			if drawn[at] {
				sampled++
				if rulings[j].Holds {
					hits++
				}
			}
		}
	}
	var all []ChunkRef
	for _, k := range c.chunks {
		if relevant[k.ref] {
			all = append(all, k.ref)
		}
	}
	g.list(all)
	g.suspect()
	if e.Pool != nil {
		g.pool(*e.Pool, len(c.chunks)-(len(chosen)-len(drawn)), sampled, hits)
	}
	if g.Judged == 0 {
		// Of nothing that was judged nothing is known, and no score is 0.
		relevant = nil
	}
	if n := len(g.Round2IncompleteBatches); n > 0 {
		problem = fmt.Errorf("%d of %d batches could not be judged; the last says: %w", n, len(batches), problem)
	}
	return g, relevant, problem
}

// byHand gives the hand-made truth about a sub-question, nil when there is none.
func (e *evaluator) byHand(index int) *SubQuestionTruth {
	if e.Truth == nil {
		return nil
	}
	for i, t := range e.Truth.PerSubQuestion {
		if t.SubQuestionIndex == index {
			return &e.Truth.PerSubQuestion[i]
		}
	}
	return nil
}

// choose gives the places of the chunks to judge in the corpus, in order, and
// which of them were drawn: all and none, or with a pool those that the pipeline
// showed and a sample of the rest.
func (e *evaluator) choose(i int, shown []ChunkRef, c *corpus) (chosen []int, drawn map[int]bool) {
	drawn = map[int]bool{}
	var rest []int
	for at, k := range c.chunks {
		if e.Pool == nil || slices.Contains(shown, k.ref) {
			chosen = append(chosen, at)
		} else {
			rest = append(rest, at)
		}
	}
	if e.Pool != nil {
		for _, j := range sample(len(rest), e.Pool.Sample, e.Pool.Seed, uint64(i)) {
			chosen = append(chosen, rest[j])
			drawn[rest[j]] = true
		}
		slices.Sort(chosen)
	}
	return chosen, drawn
}

// batches has batches judged, some at once. Of one that failed there is why.
func (e *evaluator) batches(ctx context.Context, about string, batches [][]int, c *corpus) (found [][]judge.Ruling, failed []error) {
	found, failed = make([][]judge.Ruling, len(batches)), make([]error, len(batches))
	j, err := e.judge(e.Chunk, batchWaits)
	var g errgroup.Group
	g.SetLimit(e.Concurrency)
	for b, places := range batches {
		g.Go(func() error {
			if failed[b] = err; err == nil {
				found[b], failed[b] = question.ChunkRelevance.Ask(ctx, j, e.about(about), c.at(places))
				failed[b] = e.Chunk.explained(failed[b])
			}
			return nil
		})
	}
	_ = g.Wait() // what failed is in failed
	return found, failed
}

// list sets the relevant chunks and the documents that they are of.
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

// suspect marks a judge that found everything, or nothing, to be relevant.
func (g *GroundTruth) suspect() {
	switch {
	case g.Judged == 0:
	case g.TotalRelevantChunks == 0:
		g.Suspicious = "none"
	case g.TotalRelevantChunks == g.Judged:
		g.Suspicious = "all"
	}
}

// poolLevel is the confidence level of what is estimated from a sample.
const poolLevel = 0.95

// sample draws k of n numbers without replacement, in order. The same seed and
// stream draw the same.
func sample(n, k int, seed, stream uint64) []int {
	order := rand.New(rand.NewPCG(seed, stream)).Perm(n)
	out := order[:max(0, min(k, n))]
	slices.Sort(out)
	return out
}

// pool sets what follows from a sample. A batch that failed takes what was drawn
// in it out of the sample.
func (g *GroundTruth) pool(p Pool, rest, sampled, hits int) {
	e := &PoolEstimate{
		Pooled: g.Judged - sampled, Sampled: sampled, Rest: rest, Seed: p.Seed,
		RelevantPooled: g.TotalRelevantChunks - hits, RelevantSampled: hits,
	}
	if n, interval, ok := stats.SampledTotal(e.RelevantPooled, hits, sampled, rest, poolLevel); ok {
		e.EstimatedRelevant, e.Interval = &n, &interval
	}
	g.Pool = e
}

// accuracyOf compares a list with the relevant chunks. With a pool the number of
// relevant chunks is the estimate: recall, which divides by it, then has a bias
// of its own, and an interval as good as that of the estimate.
func accuracyOf(list []ChunkRef, relevant map[ChunkRef]bool, pool *PoolEstimate) ChunkAccuracy {
	a := ChunkAccuracy{PipelineChunks: len(list)}
	for _, r := range list {
		if relevant[r] {
			a.RelevantInPipeline++
		}
	}
	if relevant == nil {
		return a
	}
	hits := float64(a.RelevantInPipeline)
	o := stage.Overlap{Relevant: hits, Listed: float64(len(list)), Found: hits}
	switch {
	case pool == nil:
		for _, yes := range relevant {
			if yes {
				o.Labels++
			}
		}
	case pool.EstimatedRelevant != nil:
		o.Labels = *pool.EstimatedRelevant
	}
	a.Precision, a.Recall, a.F1 = known(o.Precision()), known(o.Recall()), known(o.F1())
	if a.Recall != nil && pool != nil && pool.Rest > 0 {
		low, high := o, o
		low.Labels, high.Labels = pool.Interval[1], pool.Interval[0]
		a.RecallInterval = &[2]float64{0, 1}
		a.RecallInterval[0], _ = low.Recall()
		if v, ok := high.Recall(); ok {
			a.RecallInterval[1] = v
		}
	}
	return a
}

// known gives a value that is null where it is undefined.
func known(v float64, ok bool) *float64 {
	if !ok {
		return nil
	}
	return &v
}

func average(all []ChunkTruth, of func(ChunkTruth) ChunkAccuracy) AverageAccuracy {
	var p, r, f []*float64
	for _, t := range all {
		a := of(t)
		p, r, f = append(p, a.Precision), append(r, a.Recall), append(f, a.F1)
	}
	return AverageAccuracy{mean(p), mean(r), mean(f)}
}

// losses are the stages that can lose a chunk, with words for it.
var losses = []struct{ stage, words string }{
	{assay.StageRetrieve, "were not retrieved"},
	{assay.StageFilter, "were retrieved and not kept"},
	{assay.LostPack, "were kept and not in the prompt"},
}

// attribute says where relevant chunks, or what they say, were lost.
func attribute(r *Result, chunks *ChunkEvaluation, responses *ResponseEvaluation) []Loss {
	if chunks == nil {
		return nil
	}
	var out []Loss
	for i, t := range chunks.PerSubQuestion {
		g := t.GroundTruth
		lost := func(at, format string, args ...any) {
			out = append(out, Loss{t.SubQuestionIndex, at, fmt.Sprintf(format, args...)})
		}
		if g.TotalRelevantChunks == 0 {
			// Of a part of the corpus nothing follows for the whole.
			if g.Source == byHand || g.Judged == g.Corpus && g.Corpus > 0 {
				lost(assay.LostNotInIndex, "no chunk of the corpus is relevant")
			}
			continue
		}
		var kept, given []ChunkRef
		if i < len(r.Filtered.PerSubQuestion) {
			kept = refs(r.Filtered.PerSubQuestion[i].Chunks)
		}
		given = kept
		if i < len(r.Response.SubQuestionSources) {
			given = nil
			for _, m := range r.Response.SubQuestionSources[i].Sources {
				given = append(given, m.ref())
			}
		}
		left := g.TotalRelevantChunks
		for at, gone := range stage.LostItems(g.RelevantChunks, refs(r.Retrieval.PerSubQuestion[i].Chunks), kept, given) {
			if len(gone) > 0 {
				lost(losses[at].stage, "%d of %d relevant chunks %s: %s", len(gone), g.TotalRelevantChunks, losses[at].words, some(gone))
			}
			left -= len(gone)
		}
		// What is missing in the answer can be the generator's only when it had
		// everything.
		if responses != nil && i < len(responses.PerSubQuestion) && left == g.TotalRelevantChunks {
			if q := responses.PerSubQuestion[i]; q.CompletenessScore != nil && *q.CompletenessScore < 1 {
				lost(assay.StageGenerate, "all %d relevant chunks were in the prompt, and the completeness is %.2f", left, *q.CompletenessScore)
			}
		}
	}
	return out
}

// some names the first three chunks.
func some(chunks []ChunkRef) string {
	const shown = 3
	out := ""
	for i, c := range chunks[:min(shown, len(chunks))] {
		if i > 0 {
			out += ", "
		}
		out += fmt.Sprintf("%s#%d", c.DocumentID, c.ChunkIndex)
	}
	if len(chunks) > shown {
		out += ", …"
	}
	return out
}
