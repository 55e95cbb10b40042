package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/assay-eval/assay/internal/accuracy"
	"github.com/assay-eval/assay/internal/requiretest"
)

// plan is the plan for accuracy testing.
func plan(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(requiretest.Shared(t, "sources/001_0656903b556fa81c.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// planned decodes the JSON of the plan that follows a text.
func planned[T any](t *testing.T, after string) (out T) {
	t.Helper()
	_, text, _ := strings.Cut(plan(t), after)
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&out); err != nil {
		t.Fatalf("after %q: %v", after, err)
	}
	return out
}

// TestSourceExternalPipeline asks a pipeline that replies with the example of the plan
// for accuracy testing, and evaluates its result: nothing of the reply is lost, and
// what its chunks cannot show is unknown.
func TestSourceExternalPipeline(t *testing.T) {
	t.Parallel()
	reply := planned[json.RawMessage](t, "Response (TestGenerateResult):\n")
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

// TestSourceEvaluation evaluates a recording in all four dimensions: the pipeline has the
// chunks, the judges give the marks, and people the relevant chunks of the plan's example,
// whose numbers come out.
func TestSourceEvaluation(t *testing.T) {
	t.Parallel()
	want := planned[accuracy.Evaluation](t, "Response (TestEvaluationResult):\n")
	chunks, marks := want.ChunkEvaluation.PerSubQuestion[0], want.KeyQuestionsEvaluation
	reply := planned[accuracy.Result](t, "Response (TestGenerateResult):\n")
	of := func(kept []accuracy.Chunk, d string, i int) []accuracy.Chunk {
		c := kept[0]
		c.Metadata.DocumentID, c.Metadata.ChunkIndex, c.Text = d, i, fmt.Sprint(c.Text, d, i)
		return append(kept, c)
	}
	retrieved, filtered := &reply.Retrieval.PerSubQuestion[0].Chunks, &reply.Filtered.PerSubQuestion[0].Chunks
	for _, c := range chunks.GroundTruth.RelevantChunks {
		*retrieved, *filtered = of(*retrieved, c.DocumentID, c.ChunkIndex), of(*filtered, c.DocumentID, c.ChunkIndex)
	}
	*retrieved, *filtered = (*retrieved)[1:], (*filtered)[1:] // without the example itself
	for i := chunks.UnfilteredAccuracy.RelevantInPipeline; i < chunks.UnfilteredAccuracy.PipelineChunks; i++ {
		*retrieved = of(*retrieved, "other", i)
	}
	reply.ExtractedKeyQuestions = reply.ExtractedKeyQuestions[:1]
	remote := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(reply)
	}))
	t.Cleanup(remote.Close)

	// The transcript lacks one of eleven characters.
	said := regexp.MustCompile(`"reference_transcript": "(.+?)"`).FindStringSubmatch(plan(t))[1]
	judge := func(i int) string {
		m := marks.Evaluations[i].Scores
		return fmt.Sprintf(`
rules:
  - when: {operation: evaluate_key_questions}
    reply: {dimension_1_準確性: %g, dimension_2_完整性: %g, dimension_3_清晰度: %g, dimension_4_簡潔性: %g, total_score: 1, comments: %q}
  - when: {operation: evaluate_ideal_response}
    reply: 三項 [meeting_minutes_2026-05-25.pdf]
  - when: {operation: evaluate_response_comparison}
    reply: {comments: one is missing, declines: false, completeness_level: 3, factual_accuracy_level: 4}
`, m.Accuracy, m.Completeness, m.Clarity, m.Conciseness, marks.Evaluations[i].Comments)
	}
	l := laboratory(t, map[string]string{"strict.yaml": judge(0), "mild.yaml": judge(1), "said.yaml": "clip.wav: " + strings.Replace(said, "咗", "", 1) + "\n"})
	if err := l.server.cfg.Settings.File("assay.yaml", []byte("configs:\n  legco:\n    adapter: http\n    endpoint: "+remote.URL+"\n")); err != nil {
		t.Fatal(err)
	}
	r := read[accuracy.Result](t, l.speaks("clip.wav", wave(1), "profile", "A", "target", "legco", "reference_transcript", said).want(t, 200))
	if r.InputType != "audio" || r.Input.ASRLanguage != "yue" || r.Input.Text == said || r.Timing.ASRTimeMS == nil {
		t.Errorf("%+v %+v", r.Input, r.Timing)
	}
	at := "/api/v1/test/results/" + r.ResultID
	l.do("PUT", at+"/ground-truth", accuracy.Truth{PerSubQuestion: []accuracy.SubQuestionTruth{{RelevantChunks: chunks.GroundTruth.RelevantChunks}}}).
		want(t, 200)
	e := l.evaluates(r.ResultID, "")
	if e.Status != "completed" || len(e.Errors) > 0 {
		t.Errorf("%s %+v", e.Status, e.Errors)
	}
	if a := e.AudioEvaluation; a == nil || a.CER == nil || !near(*a.CER, 1.0/11) || a.Deletions != 1 || a.Hits != 10 || a.ReferenceLength != 11 {
		t.Errorf("%+v", a)
	}
	if k := e.KeyQuestionsEvaluation; k == nil || k.AverageScores != marks.AverageScores || k.AverageTotal != marks.AverageTotal ||
		k.Evaluations[0].TotalScore != marks.Evaluations[0].TotalScore || k.Evaluations[1].TotalScore != marks.Evaluations[1].TotalScore {
		t.Errorf("%+v", k)
	}
	got := e.ChunkEvaluation.PerSubQuestion[0]
	got.UnfilteredAccuracy.RecallInterval, got.FilteredAccuracy.RecallInterval = nil, nil
	for name, pair := range map[string][2]any{
		"unfiltered": {chunks.UnfilteredAccuracy, got.UnfilteredAccuracy}, "filtered": {chunks.FilteredAccuracy, got.FilteredAccuracy},
		"overall": {[]any{want.ChunkEvaluation.OverallUnfiltered, want.ChunkEvaluation.OverallFiltered},
			[]any{e.ChunkEvaluation.OverallUnfiltered, e.ChunkEvaluation.OverallFiltered}},
	} {
		if d := cmp.Diff(pair[0], pair[1], cmpopts.EquateApprox(0, 1e-9)); d != "" {
			t.Errorf("%s (-plan +evaluation):\n%s", name, d)
		}
	}
	// A request cannot define the providers of the plan, which the server does not have.
	config := planned[map[string]any](t, "Purpose: Read a results JSON and run all four evaluation dimensions.\nRequest:\n")
	config["result_id"] = r.ResultID
	if g := l.do("POST", "/api/v1/test/evaluate", config).want(t, 400); !strings.Contains(g.text, "match no configured provider") {
		t.Error(g.text)
	}
	// Every listing of the plan answers, and what is deleted is gone.
	paths := strings.NewReplacer("{result_id}", r.ResultID, "{eval_id}", e.EvaluationID)
	for _, method := range []string{"GET", "DELETE"} {
		rows := regexp.MustCompile(`(?m)^`+method+` \|\n(/api/v1/\S+) \|$`).FindAllStringSubmatch(plan(t), -1)
		slices.Reverse(rows) // with a result its evaluations go
		for _, row := range rows {
			l.do(method, paths.Replace(row[1]), nil).want(t, 200)
		}
		if len(rows) < 2 {
			t.Errorf("%d paths with %s", len(rows), method)
		}
	}
	l.do("GET", at, nil).want(t, 404)
	l.do("GET", "/api/v1/test/evaluations/"+e.EvaluationID, nil).want(t, 404)
}
