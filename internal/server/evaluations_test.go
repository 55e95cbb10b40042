package server

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assay-eval/assay/internal/accuracy"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/llm"
)

// spied is a server of models, of OpenAI's protocol, that nobody should ask.
func spied(t *testing.T) (url string, asked func() int) {
	t.Helper()
	var n atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n.Add(1)
		w.WriteHeader(http.StatusInternalServerError)
	}))
	t.Cleanup(s.Close)
	return s.URL, func() int { s.Close(); return int(n.Load()) }
}

// TestEvaluatorsAreTheServers: a request names a provider of the server, or says
// of it what is true; where it is and which key it gets is not the request's.
func TestEvaluatorsAreTheServers(t *testing.T) {
	t.Parallel()
	evil, asked := spied(t)
	own, _ := spied(t)
	secrets := map[string]string{"OWN_KEY": "sk-planted", "OWN_URL": own + "/v1", "EVIL_URL": evil, "PATH": "/bin"}
	l := laboratory(
		t, nil,
		`providers={"own":{"kind":"openai","base_url":"`+own+`/v1","key_env":"OWN_KEY"},`+
			`"other":{"kind":"ollama","base_url":"http://127.0.0.1:9"}}`,
	)
	l.server.cfg.World.Getenv = func(name string) string { return secrets[name] }
	id := l.asks("A").ResultID
	ask := func(e map[string]any) got {
		e["model_name"] = "m"
		return l.do(
			"POST", "/api/v1/test/evaluate?dimensions=chunks",
			map[string]any{"result_id": id, "evaluation_config": map[string]any{"chunk_evaluator": e}},
		)
	}
	for name, e := range map[string]map[string]any{
		"an address":                        {"base_url": evil},
		"an address with the key":           {"base_url": evil, "api_key_env": "OWN_KEY"},
		"the provider's name, elsewhere":    {"provider": "own", "base_url": evil},
		"the address, with another key":     {"base_url": own + "/v1", "api_key_env": "PATH"},
		"the address of a variable":         {"base_url_env": "EVIL_URL"},
		"a variable that is not there":      {"base_url_env": "NOTHING"},
		"the key elsewhere":                 {"provider": "other", "api_key_env": "OWN_KEY"},
		"an unknown provider":               {"provider": "evil"},
		"a kind that is not configured":     {"provider": "anthropic"},
		"a script of the fake":              {"provider": "fake"},
		"no provider, of which there are 2": {},
		"the address with a user":           {"base_url": strings.Replace(own, "http://", "http://x@", 1) + "/v1"},
	} {
		g := ask(e).want(t, 400)
		if !strings.Contains(g.text, "body.evaluation_config.chunk_evaluator") || strings.Contains(g.text, "sk-planted") {
			t.Errorf("%s: %s", name, g.text)
		}
	}
	for name, e := range map[string]map[string]any{
		"the name":                 {"provider": "own"},
		"what is true of it":       {"provider": "own", "base_url": own + "/v1/", "api_key_env": "OWN_KEY"},
		"the address":              {"base_url": own + "/v1"},
		"a variable that holds it": {"base_url_env": "OWN_URL", "api_key_env": "OWN_KEY", "enable_thinking": true},
		"the key's variable":       {"api_key_env": "OWN_KEY"},
	} {
		// It is asked, and fails.
		g := ask(e).want(t, 200)
		if r := read[accuracy.Evaluation](t, g); r.Status != "partial" || r.Provenance.Chunk != "own:m" ||
			strings.Contains(g.text, "sk-planted") {
			t.Errorf("%s: %s", name, g.text)
		}
	}
	if n := asked(); n != 0 {
		t.Errorf("%d calls of an address that a request named", n)
	}
	if strings.Contains(l.log.String(), "sk-planted") {
		t.Error("the key is in the log")
	}
	for _, list := range [][]any{{map[string]any{"model_name": "m", "provider": "own"}}, {}, {1}, make([]any, 3)} {
		for _, dimensions := range []string{"key_questions", "chunks"} {
			g := l.do(
				"POST", "/api/v1/test/evaluate?dimensions="+dimensions,
				map[string]any{"result_id": id, "evaluation_config": map[string]any{"key_questions_evaluators": list}},
			).want(t, 400)
			if !strings.Contains(g.text, "body.evaluation_config.key_questions_evaluators") {
				t.Errorf("%s: want the place of the mistake", g.text)
			}
		}
	}
	// A model that the settings name needs no provider.
	exact := l.server.judges()[0]
	_, model, _ := strings.Cut(exact, ":")
	e := read[accuracy.Evaluation](t, l.do("POST", "/api/v1/test/evaluate?dimensions=chunks", map[string]any{
		"result_id": id, "evaluation_config": map[string]any{"chunk_evaluator": map[string]any{"model_name": model}},
	}).want(t, 200))
	if e.Status != "completed" {
		t.Errorf("%+v", e)
	}
}

// Without a model that judges, what needs one is a 503 that names the setting.
func TestEvaluateWithoutJudge(t *testing.T) {
	t.Parallel()
	l := laboratory(t, nil, "judge=offline")
	id := l.asks("A").ResultID
	if g := l.do("POST", "/api/v1/test/evaluate", map[string]any{"result_id": id}).want(t, 503); !strings.Contains(g.text, "set judge") {
		t.Error(g.text)
	}
	if e := l.evaluates(id, "?dimensions=audio"); e.Status != "completed" {
		t.Errorf("%+v", e)
	}
	l.do("PUT", "/api/v1/test/results/"+id+"/ground-truth", accuracy.Truth{PerSubQuestion: []accuracy.SubQuestionTruth{
		{
			SubQuestionIndex: 0, RelevantChunks: []accuracy.ChunkRef{{DocumentID: "d03.md"}},
		}, {SubQuestionIndex: 1, RelevantChunks: []accuracy.ChunkRef{}},
	}}).want(t, 200)
	if e := l.evaluates(id, "?dimensions=chunks"); e.Status != "completed" ||
		*e.ChunkEvaluation.PerSubQuestion[0].UnfilteredAccuracy.Recall != 1 {
		t.Errorf("%+v", e)
	}
}

// TestOneJudge marks twice, apart.
func TestOneJudge(t *testing.T) {
	t.Parallel()
	l := laboratory(t, nil)
	if err := l.server.cfg.Settings.Set("judge", l.server.judges()[0], config.FromFlag, "test"); err != nil {
		t.Fatal(err)
	}
	if k := l.evaluates(l.asks("A").ResultID, "?dimensions=key_questions").KeyQuestionsEvaluation; k == nil ||
		len(k.Evaluations) != 2 || k.AverageTotal != 88 {
		t.Errorf("%+v", k)
	}
}

// TestEvaluatePool judges a part of the corpus and says so.
func TestEvaluatePool(t *testing.T) {
	t.Parallel()
	script := strings.Replace(
		strict, rulings, "\n  - when: {operation: evaluate_chunk_relevance}\n    reply: {relevant_chunk_indices: [0]}\n", 1,
	)
	l := laboratory(t, map[string]string{"strict.yaml": script})
	r := l.asks("A")
	body := map[string]any{
		"result_id": r.ResultID, "evaluation_config": map[string]any{"pool": map[string]any{"sample": 5, "seed": 1}, "language": "zh"},
	}
	e := read[accuracy.Evaluation](t, l.do("POST", "/api/v1/test/evaluate?dimensions=chunks", body).want(t, 200))
	q := e.ChunkEvaluation.PerSubQuestion[0]
	if p := q.GroundTruth.Pool; p == nil || p.Sampled != 5 || p.Pooled+p.Rest != 23 || q.GroundTruth.Judged != p.Pooled+5 ||
		e.Provenance.Language != "zh" {
		t.Errorf("%+v", q.GroundTruth)
	}
	body["evaluation_config"] = map[string]any{"pool": map[string]any{"sample": -1, "seed": 1}}
	l.do("POST", "/api/v1/test/evaluate?dimensions=chunks", body).want(t, 400)
	body["evaluation_config"] = map[string]any{"language": "fr"}
	l.do("POST", "/api/v1/test/evaluate?dimensions=chunks", body).want(t, 400)
}

// TestGenerateTarget asks a system that the configuration names, in writing and
// by a recording, and evaluates it against hand-made truth.
func TestGenerateTarget(t *testing.T) {
	t.Parallel()
	heard := ""
	remote := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Question string }
		_ = json.NewDecoder(r.Body).Decode(&q)
		heard = q.Question
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"answer":"five dollars","contexts":[{"id":"x#0","document":"x","text":"the fee is five","score":0.9}]}`))
	}))
	t.Cleanup(remote.Close)
	l := laboratory(t, nil)
	named := "configs:\n  remote:\n    adapter: http\n    endpoint: " + remote.URL + "\n    send: {question: '{{question}}'}\n"
	if err := l.server.cfg.Settings.File("assay.yaml", []byte(named)); err != nil {
		t.Fatal(err)
	}
	r := read[accuracy.Result](
		t,
		l.do("POST", "/api/v1/test/generate/text", map[string]any{"question": "the fee?", "profile": "A", "target": "remote"}).want(t, 200),
	)
	if r.Target != "remote" || heard != "the fee?" || r.Response.FinalAnswer != "five dollars" ||
		r.Retrieval.TotalChunksRetrieved != 1 || r.Retrieval.PerSubQuestion[0].Chunks[0].Metadata.DocumentID != "x" {
		t.Errorf("%q %+v", heard, r)
	}
	r = read[accuracy.Result](t, l.speaks("q.wav", wave(1), "profile", "A", "target", "remote").want(t, 200))
	if heard != asked || r.Input.Text != asked || r.InputType != "audio" || r.Prompts.Models.ASR == "" {
		t.Errorf("%q %+v", heard, r)
	}
	// The system does not report its corpus: only what it found can be judged.
	e := l.evaluates(r.ResultID, "?dimensions=chunks")
	if e.Status != "partial" || len(e.Errors) == 0 || !strings.Contains(e.Errors[0].Message, "does not report its corpus") {
		t.Errorf("%+v", e)
	}
	remote.Close()
	body := map[string]any{"question": "the fee?", "profile": "A", "target": "remote"}
	if g := l.do("POST", "/api/v1/test/generate/text", body); g.StatusCode != 502 {
		t.Errorf("%d %s", g.StatusCode, g.text)
	}
}

// Without documents there is nothing to ask.
func TestGenerateWithoutDocuments(t *testing.T) {
	t.Parallel()
	b := start(t)
	g := b.do("POST", "/api/v1/test/generate/text", map[string]any{"question": "q?", "profile": "A"}).want(t, 409)
	if !strings.Contains(g.text, "/api/v1/documents") {
		t.Error(g.text)
	}
}

// TestScopesOfAccuracy: what costs money needs the scope run, what is deleted
// admin.
func TestScopesOfAccuracy(t *testing.T) {
	t.Parallel()
	b := start(t)
	for pattern, want := range map[string]Scope{
		"POST " + prefix + "/test/generate/text":                   ScopeRun,
		"POST " + prefix + "/test/generate/audio":                  ScopeRun,
		"POST " + prefix + "/test/evaluate":                        ScopeRun,
		"GET " + prefix + "/test/results":                          ScopeRead,
		"GET " + prefix + "/test/results/{result_id}":              ScopeRead,
		"DELETE " + prefix + "/test/results/{result_id}":           ScopeAdmin,
		"PUT " + prefix + "/test/results/{result_id}/ground-truth": ScopeRun,
		"DELETE " + prefix + "/test/evaluations/{evaluation_id}":   ScopeAdmin,
	} {
		if got := b.server.scopes[pattern]; got != want {
			t.Errorf("%s: scope %q, want %q", pattern, got, want)
		}
	}
}

// TestEvaluationSchema: the contract says what may be null.
func TestEvaluationSchema(t *testing.T) {
	t.Parallel()
	b := start(t)
	var contract struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct {
					AnyOf []map[string]any `json:"anyOf"`
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(b.do("GET", "/openapi.json", nil).want(t, 200).text), &contract); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"audio_evaluation", "key_questions_evaluation", "chunk_evaluation", "response_evaluation"} {
		if any := contract.Components.Schemas["Evaluation"].Properties[p].AnyOf; len(any) != 2 || any[1]["type"] != "null" {
			t.Errorf("%s: %v", p, any)
		}
	}
}

// What no database takes is refused.
func TestResultLabels(t *testing.T) {
	t.Parallel()
	l := laboratory(t, nil)
	l.do("POST", "/api/v1/test/generate/text", map[string]any{"question": "q?", "profile": "A", "label": "a\x00b"}).want(t, 400)
	l.speaks("q.wav", wave(1), "profile", "A", "label", "\xff").want(t, 400)
	l.do(
		"POST", "/api/v1/test/evaluate?dimensions=audio",
		map[string]any{"results": map[string]any{"result_id": "\x00", "input": map[string]any{"text": "q?"}}},
	).want(t, 400)
}

// The server's setting pins the language of the judges, a request overrides it, and a
// mixed question is Chinese.
func TestEvaluationLanguage(t *testing.T) {
	t.Parallel()
	for setting, want := range map[string]string{"judge-language=auto": "en", "judge-language=zh": "zh"} {
		l := laboratory(t, nil, setting)
		id := l.asks("A").ResultID
		if e := l.evaluates(id, "?dimensions=audio"); e.Provenance.Language != want {
			t.Errorf("%s: %s", setting, e.Provenance.Language)
		}
		for language, body := range map[string]map[string]any{
			"en": {"result_id": id, "evaluation_config": map[string]any{"language": "en"}},
			"zh": {"results": map[string]any{"input": map[string]any{"text": "請問1065戶同889戶喺邊？"}}},
		} {
			g := l.do("POST", "/api/v1/test/evaluate?dimensions=audio", body).want(t, 200)
			if e := read[accuracy.Evaluation](t, g); e.Provenance.Language != language {
				t.Errorf("%s: %s, want %s", setting, e.Provenance.Language, language)
			}
		}
	}
}

// What a request says of thinking goes before the extra fields of the definition, and
// what it leaves out is left to the model.
func TestThinkingOfRequest(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	for name, c := range map[string]struct {
		ask             *bool
		thinking, limit int
		extra           string
	}{
		"on":  {&yes, thinkingTokens, 100 + thinkingTokens, ""},
		"off": {&no, llm.NoThinking, 100, ""},
		"":    {nil, 0, 100, "enable_thinking"},
	} {
		m := accuracy.Model{Base: llm.Request{MaxTokens: 100, Extra: map[string]any{"enable_thinking": false}}}
		think(&m, c.ask)
		if m.Base.Thinking != c.thinking || m.Base.MaxTokens != c.limit || llm.ThinkingIn(m.Base.Extra) != c.extra {
			t.Errorf("%q: %+v", name, m.Base)
		}
	}
}
