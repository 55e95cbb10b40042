package accuracy

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric/catalog"
	"github.com/assay-eval/assay/metric/stage"
	"github.com/assay-eval/assay/run"
)

// chunkMetrics score the retriever, filterMetrics the filter: precision, recall
// and F1.
var (
	chunkMetrics  = [3]string{"chunk_precision", "chunk_recall", "chunk_f1"}
	filterMetrics = [3]string{"chunk_precision(stage=filter)", "chunk_recall(stage=filter)", "chunk_f1(stage=filter)"}
)

// recorded is a target that answers with the responses of the result, by the
// sub-question that a case names.
type recorded []assay.Response

// Ask gives the response to a sub-question.
func (r recorded) Ask(_ context.Context, c *assay.Case) (assay.Response, error) {
	i, err := strconv.Atoi(c.ID)
	if err != nil {
		return assay.Response{}, err
	}
	return r[i], nil
}

// run scores the sub-questions in one run: each is a case whose labels are its
// ground truth, and whose response is that of the result. It sets the accuracies,
// and gives what each stage lost.
func (e *evaluator) run(ctx context.Context, truths []ChunkTruth) ([]*assay.Attribution, error) {
	cfg := run.Defaults()
	var err error
	if cfg.Metrics, err = catalog.All().ParseAll(slices.Concat(chunkMetrics[:], filterMetrics[:])); err != nil {
		return nil, err
	}
	cfg.Attributor, cfg.Now, cfg.Sleep = stage.New(stage.Options{}), e.Now, e.Sleep
	responses := make(recorded, len(truths))
	cfg.Target = responses
	for i, t := range truths {
		c := assay.Case{ID: strconv.Itoa(i), Question: t.SubQuestionText}
		if t.GroundTruth.known() {
			c.Want.Documents = map[string]int{}
		}
		for _, r := range t.GroundTruth.RelevantChunks {
			c.Want.Documents[e.label(r)] = 1
		}
		if responses[i], err = e.staged(i); err != nil {
			return nil, err
		}
		cfg.Cases.Add(&c)
	}
	lost := make([]*assay.Attribution, len(truths))
	for rec, err := range run.Run(ctx, cfg) {
		if err != nil {
			return nil, err
		}
		t := &truths[rec.Seq]
		t.UnfilteredAccuracy = e.accuracyOf(refs(e.result.Retrieval.PerSubQuestion, rec.Seq), t.GroundTruth, rec.Scores, chunkMetrics)
		t.FilteredAccuracy = e.accuracyOf(refs(e.result.Filtered.PerSubQuestion, rec.Seq), t.GroundTruth, rec.Scores, filterMetrics)
		lost[rec.Seq] = rec.Attribution
	}
	return lost, nil
}

// label names a chunk as if it were a document: the metrics count labelled
// documents, and here every chunk is relevant or not.
func (e *evaluator) label(r ChunkRef) string { return strconv.Itoa(e.corpus.place(r)) }

// staged gives what the stages put out for a sub-question. Whether its answer is
// complete is for the judge of responses: the response ends with the prompt.
func (e *evaluator) staged(i int) (assay.Response, error) {
	given := refs(e.result.Filtered.PerSubQuestion, i)
	if sources := e.result.Response.SubQuestionSources; i < len(sources) {
		given = nil
		for _, m := range sources[i].Sources {
			given = append(given, m.ref())
		}
	}
	out := assay.Response{NoAnswer: true, Trace: &assay.Trace{}}
	for _, s := range []struct {
		name   string
		chunks []ChunkRef
	}{
		{assay.StageRetrieve, refs(e.result.Retrieval.PerSubQuestion, i)}, {assay.StageFilter, refs(e.result.Filtered.PerSubQuestion, i)},
		{assay.StageGenerate, given},
	} {
		out.Passages = []assay.Passage{}
		for _, r := range s.chunks {
			out.Passages = append(out.Passages, assay.Passage{Document: e.label(r)})
		}
		list, err := json.Marshal(out.Passages)
		if err != nil {
			return out, err
		}
		out.Trace.Stages = append(out.Trace.Stages, assay.Stage{Name: s.name, Input: list, Output: list})
	}
	return out, nil
}

// accuracyOf compares a list with the relevant chunks, by the scores of three
// metrics.
func (e *evaluator) accuracyOf(list []ChunkRef, g GroundTruth, scores map[string]assay.Score, by [3]string) ChunkAccuracy {
	a := ChunkAccuracy{PipelineChunks: len(list)}
	for _, r := range list {
		if slices.Contains(g.RelevantChunks, r) {
			a.RelevantInPipeline++
		}
	}
	if g.Pool != nil && g.known() {
		a.pooled(g.Pool)
		return a
	}
	for i, rate := range []**float64{&a.Precision, &a.Recall, &a.F1} {
		if s := scores[by[i]]; s.State == assay.Scored {
			*rate = &s.Value
		}
	}
	if e.Chunks == nil && g.Source == byJudge {
		a.Recall, a.F1 = nil, nil // nobody knows what was not retrieved
	}
	if g.known() && g.TotalRelevantChunks == 0 && len(list) > 0 {
		// The metrics do not apply to a case without a relevant chunk.
		a.Precision = new(float64)
	}
	return a
}

// lossWords says what happened to a chunk at each stage that can lose one.
var lossWords = []struct{ stage, words string }{
	{assay.StageRetrieve, "were not retrieved"},
	{assay.StageFilter, "were retrieved and not kept"},
	{assay.LostPack, "were kept and not in the prompt"},
}

// losses lists where relevant chunks of a sub-question were lost. completeness is
// that of the answer, nil when it is not known.
func (e *evaluator) losses(t ChunkTruth, lost *assay.Attribution, completeness *float64) (out []Loss) {
	g := t.GroundTruth
	add := func(at, format string, args ...any) {
		out = append(out, Loss{t.SubQuestionIndex, at, fmt.Sprintf(format, args...)})
	}
	switch {
	case g.TotalRelevantChunks > 0 && lost != nil:
	case g.TotalRelevantChunks == 0 && (g.Source == byHand || e.Chunks != nil && g.Judged == g.Corpus && g.Corpus > 0):
		// A part of the corpus would say nothing about the rest.
		add(assay.LostNotInIndex, "no chunk of the corpus is relevant")
		return out
	default:
		return nil
	}
	for _, s := range lossWords {
		var gone []string
		for _, r := range g.RelevantChunks {
			if slices.ContainsFunc(lost.Facts, func(f assay.Fact) bool { return f.ID == e.label(r) && f.Lost == s.stage }) {
				gone = append(gone, fmt.Sprintf("%s#%d", r.DocumentID, r.ChunkIndex))
			}
		}
		if n := len(gone); n > 0 {
			const shown = 3
			if n > shown {
				gone = append(gone[:shown], "…")
			}
			add(s.stage, "%d of %d relevant chunks %s: %s", n, g.TotalRelevantChunks, s.words, strings.Join(gone, ", "))
		}
	}
	unknown := g.TotalRelevantChunks - len(lost.Facts)
	if unknown > 0 {
		e.failed(Chunks, fmt.Errorf("sub-question %d: where %d of %d relevant chunks were lost, if they were, is unknown%s",
			t.SubQuestionIndex, unknown, g.TotalRelevantChunks, stage.WhyUnknown(lost)))
	}
	// The generator is to blame only when the prompt had everything.
	if out == nil && unknown == 0 && completeness != nil && *completeness < 1 {
		add(assay.StageGenerate, "all %d relevant chunks were in the prompt, and the completeness is %.2f", g.TotalRelevantChunks, *completeness)
	}
	return out
}
