package server

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/assay-eval/assay/internal/accuracy"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/llm/llmtest"
)

// TestAC17: with a real model, on a real server of models, a question goes
// through all stages and is evaluated to its end. The model is too weak for the
// scores to mean anything: what is held here is that whatever it says becomes a
// score within its range, or a failure that is told.
func TestAC17RealModel(t *testing.T) {
	requiretest.Apart(t)
	t.Parallel()
	url := llmtest.Ollama(t)
	// Eleven chunks are two batches, and one question is one of each task: the
	// model is small, and so is the machine of a test.
	files := map[string]string{}
	for i := range 11 {
		files[fmt.Sprintf("d%02d.md", i)] = fmt.Sprintf("Item %d: the parking fee rises to %d dollars.", i, i)
	}
	corpus := folder(t, files)
	b := start(t, func(c *Config) {
		for _, kv := range [][2]string{
			{"corpus", corpus}, {"retriever", "sparse"}, {"top-k", "3"}, {"cache", "off"},
			{"providers", fmt.Sprintf(`{"local":{"kind":"ollama","base_url":%q}}`, url)},
			{"decomposer", "rule"}, {"filter", "none"}, {"generator", "local:" + llmtest.Small},
			{"judge", "local:" + llmtest.Small}, {"judge-max-tokens", "200"}, {"judge-timeout", "10m"},
		} {
			if err := c.Settings.Set(kv[0], kv[1], config.FromFlag, "test"); err != nil {
				t.Fatal(err)
			}
		}
	})
	b.server.sleep = (&lab{}).sleeps
	r := read[accuracy.Result](
		t, b.do("POST", "/api/v1/test/generate/text", map[string]any{"question": "What is the parking fee?", "profile": "C"}).want(t, 200),
	)
	if r.Response.FinalAnswer == "" || len(r.Retrieval.PerSubQuestion) == 0 || r.Prompts.GeneratePrompt == "" ||
		r.Timing.GeneratorTimeMS == 0 {
		t.Errorf("%+v", r)
	}
	ask := map[string]any{"result_id": r.ResultID, "evaluation_config": map[string]any{
		"key_questions_evaluators": []any{
			map[string]any{"model_name": llmtest.Small, "provider": "local"}, map[string]any{"model_name": llmtest.Small, "base_url": url + "/"},
		},
		"chunk_evaluator": map[string]any{"model_name": llmtest.Small, "provider": "local"},
	}}
	e := read[accuracy.Evaluation](t, b.do("POST", "/api/v1/test/evaluate", ask).want(t, 200))
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", text)
	if k := e.KeyQuestionsEvaluation; (k == nil) != (e.Status == accuracy.Failed) ||
		k != nil && (k.AverageTotal < 0 || k.AverageTotal > 100 || len(k.Evaluations) != 2) {
		t.Errorf("status %s with %+v", e.Status, k)
	}
	if e.Status != accuracy.Completed && len(e.Errors) == 0 || e.Status == accuracy.Completed && len(e.Errors) > 0 {
		t.Errorf("status %s with the errors %+v", e.Status, e.Errors)
	}
	for _, q := range e.ChunkEvaluation.PerSubQuestion {
		g := q.GroundTruth
		if g.Corpus != 11 || g.Judged != 11-missed(g.Round2IncompleteBatches) || len(g.RelevantChunks) != g.TotalRelevantChunks ||
			slices.ContainsFunc(g.RelevantChunks, func(c accuracy.ChunkRef) bool { return c.DocumentID == "" }) {
			t.Errorf("%+v", g)
		}
	}
	for _, q := range e.ResponseEvaluation.PerSubQuestion {
		if q.CompletenessScore == nil && q.Skipped == "" && len(e.Errors) == 0 {
			t.Errorf("no score and no reason: %+v", q)
		}
	}
	// The ideal answer and the comparison, whatever it found to be relevant.
	b.do(
		"PUT", "/api/v1/test/results/"+r.ResultID+"/ground-truth",
		accuracy.Truth{PerSubQuestion: []accuracy.SubQuestionTruth{{RelevantChunks: []accuracy.ChunkRef{{DocumentID: "d03.md"}}}}},
	).want(t, 200)
	q := read[accuracy.Evaluation](t, b.do("POST", "/api/v1/test/evaluate?dimensions=response", ask).want(t, 200))
	one := q.ResponseEvaluation.PerSubQuestion[0]
	if (one.CompletenessScore == nil) != (len(q.Errors) == 1) ||
		one.CompletenessScore != nil && (*one.CompletenessScore < 0 || *one.CompletenessScore > 1 || one.GroundTruthResponse == "") {
		t.Errorf("%+v with the errors %+v", one, q.Errors)
	}
	b.do("DELETE", "/api/v1/test/results/"+r.ResultID+"/ground-truth", nil).want(t, 200)
	if e.Status != accuracy.Completed {
		return // replies that could not be used are asked for again, and may differ
	}
	// The same request has the same scores, which are kept.
	again := read[accuracy.Evaluation](t, b.do("POST", "/api/v1/test/evaluate", ask).want(t, 200))
	sameScores(t, e, again)
}

// missed is how many of 11 chunks the batches had.
func missed(batches []int) int {
	n := 0
	for _, b := range batches {
		n += []int{10, 1}[b]
	}
	return n
}
