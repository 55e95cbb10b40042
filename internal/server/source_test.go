package server

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/internal/accuracy"
	"github.com/assay-eval/assay/internal/require"
)

// TestSourceExternalPipeline asks a pipeline that replies with the example of the plan
// for accuracy testing, and evaluates its result: nothing of the reply is lost, and
// what its chunks cannot show is unknown.
func TestSourceExternalPipeline(t *testing.T) {
	t.Parallel()
	plan, err := os.ReadFile(require.Shared(t, "sources/001_0656903b556fa81c.txt"))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(plan), "Response (TestGenerateResult):\n")
	var reply json.RawMessage
	if err := json.NewDecoder(strings.NewReader(after)).Decode(&reply); err != nil {
		t.Fatal(err)
	}
	remote := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(reply)
	}))
	t.Cleanup(remote.Close)
	l := laboratory(t, map[string]string{"strict.yaml": `
rules:
  - when: {operation: evaluate_chunk_relevance}
    reply: {relevant_chunk_indices: [0]}
  - when: {operation: evaluate_ideal_response}
    reply: 三項 [meeting_minutes_2026-05-25.pdf]
  - when: {operation: evaluate_response_comparison}
    reply: {comments: one is missing, declines: false, completeness_level: 3, factual_accuracy_level: 4}
`})
	named := "configs:\n  legco:\n    adapter: http\n    endpoint: " + remote.URL + "\n    send: {question: '{{question}}', profile: A}\n"
	if err := l.server.cfg.Settings.File("assay.yaml", []byte(named)); err != nil {
		t.Fatal(err)
	}
	body := map[string]any{"question": "立法會今日討論咗咩議題?", "profile": "A", "target": "legco", "label": "Test run for LegCo meeting 2026-05-25"}
	got := read[accuracy.Result](t, l.do("POST", "/api/v1/test/generate/text", body).want(t, 200))
	var want accuracy.Result
	if err := json.Unmarshal(reply, &want); err != nil {
		t.Fatal(err)
	}
	for name, pair := range map[string][2]any{
		"retrieved": {want.Retrieval.PerSubQuestion[0], got.Retrieval.PerSubQuestion[0]},
		"filtered":  {want.Filtered.PerSubQuestion[0], got.Filtered.PerSubQuestion[0]},
		"prompted":  {want.Response.SubQuestionSources[0].Sources[0].PageNumber, got.Response.SubQuestionSources[0].Sources[0].PageNumber},
		"answer":    {want.Response.FinalAnswer, got.Response.FinalAnswer},
		"questions": {want.ExtractedKeyQuestions, got.ExtractedKeyQuestions},
		"timing":    {want.Timing, got.Timing},
	} {
		if d := cmp.Diff(pair[0], pair[1]); d != "" {
			t.Errorf("%s (-reply +result):\n%s", name, d)
		}
	}
	k := got.Retrieval.PerSubQuestion[0].Chunks[0]
	if m := k.Metadata; *k.Distance != 0.1245 || *m.PageNumber != 1 || m.StrategyType != "token" || m.ChunkFilePath != "/data/chunks/abc-123_37.pdf" ||
		!m.UploadDate.Equal(time.Date(2026, 5, 25, 8, 0, 0, 0, time.UTC)) || got.Timing.TotalTimeMS != 2490 {
		t.Errorf("%+v", k)
	}

	e := l.evaluates(got.ResultID, "?dimensions=chunks,response")
	if e.Status != "partial" || len(e.Errors) == 0 || !strings.Contains(e.Errors[0].Message, "recall is unknown") {
		t.Errorf("%s %+v", e.Status, e.Errors)
	}
	found := e.ChunkEvaluation.PerSubQuestion[0].UnfilteredAccuracy
	if found.Precision == nil || *found.Precision != 1 || found.Recall != nil || found.F1 != nil || found.PipelineChunks != 1 {
		t.Errorf("%+v", found)
	}
	if r := e.ResponseEvaluation.PerSubQuestion[0]; r.CompletenessScore == nil || *r.CompletenessScore != 0.75 {
		t.Errorf("%+v", r)
	}
	// Where nothing is relevant there is nothing to compare.
	none := want
	none.Retrieval.PerSubQuestion, none.Filtered.PerSubQuestion = nil, nil
	none.Response.SubQuestionSources, none.Target = nil, "legco"
	e = read[accuracy.Evaluation](t, l.do("POST", "/api/v1/test/evaluate?dimensions=chunks,response", map[string]any{"results": none}).want(t, 200))
	if e.ResponseEvaluation.Status == "completed" || e.ChunkEvaluation.Status != "failed" || e.Status != "partial" {
		t.Errorf("%s, chunks %s, response %s: want nothing completed", e.Status, e.ChunkEvaluation.Status, e.ResponseEvaluation.Status)
	}
}
