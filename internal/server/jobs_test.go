package server

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/accuracy"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/store"
)

// evaluations starts a job and gives it.
func (b *bench) evaluations(body any, headers ...string) JobView {
	b.t.Helper()
	g := b.do("POST", "/api/v1/test/evaluations", body, headers...).want(b.t, 202)
	v := read[JobView](b.t, g)
	if g.Header.Get("Location") != "/api/v1/jobs/"+v.ID || g.Header.Get("Retry-After") == "" {
		b.t.Errorf("location %q, retry after %q: want those of job %q", g.Header.Get("Location"), g.Header.Get("Retry-After"), v.ID)
	}
	return v
}

// waits asks until something is so.
func (b *bench) waits(what string, is func() bool) {
	b.t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Fatalf("not within a minute: %s", what)
		}
	}
}

// job is a job as it is now.
func (b *bench) job(id string) JobView {
	b.t.Helper()
	return read[JobView](b.t, b.do("GET", "/api/v1/jobs/"+id, nil).want(b.t, 200))
}

// done waits until a job has ended.
func (b *bench) done(id string) (v JobView) {
	b.t.Helper()
	b.waits("the end of the job", func() bool {
		v = b.job(id)
		return v.ended()
	})
	return v
}

// batch is what came of a job.
func (b *bench) batch(id string) jobResult {
	b.t.Helper()
	return read[jobResult](b.t, b.do("GET", "/api/v1/jobs/"+id+"/result", nil).want(b.t, 200))
}

// stored stores copies of a result under new ids, with different questions.
func (l *lab) stored(r accuracy.Result, n int) (ids []string) {
	l.t.Helper()
	for i := range n {
		id, err := l.server.newID()
		if err != nil {
			l.t.Fatal(err)
		}
		r.ResultID, r.Input.Text = id, fmt.Sprintf("%s (%d)", asked, i)
		if err := l.server.keep(l.t.Context(), store.KindResult, id, r.Label, "text A", r); err != nil {
			l.t.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}

// TestAnEvaluationAsAJob evaluates one result in the background: the evaluation is that of
// the synchronous form.
func TestAnEvaluationAsAJob(t *testing.T) {
	t.Parallel()
	l := laboratory(t, nil)
	r := l.asks("A")
	want := l.evaluates(r.ResultID, "")
	v := l.evaluations(map[string]any{"result_id": r.ResultID})
	if v.State != stateQueued && v.State != stateRunning || v.Kind != jobOfOne || v.Total != 1 {
		t.Errorf("%+v: want a job that has begun", v)
	}
	v = l.done(v.ID)
	if v.State != stateFinished || v.Done != 1 || v.Failed != 0 || v.Started == nil || v.Finished == nil || v.Error != "" {
		t.Errorf("%+v: want a finished job", v)
	}
	e := read[accuracy.Evaluation](t, l.do("GET", v.Result, nil).want(t, 200))
	if e.ModelReplies.Cached != e.ModelReplies.Total {
		t.Errorf("%+v: want the replies of the first evaluation", e.ModelReplies)
	}
	for _, of := range []*accuracy.Evaluation{&e, &want} {
		of.EvaluationID, of.CreatedAt, of.Timing, of.ModelReplies = "", time.Time{}, accuracy.EvaluationTiming{}, accuracy.ModelReplies{}
		for i := range of.KeyQuestionsEvaluation.Evaluations {
			of.KeyQuestionsEvaluation.Evaluations[i].TimeMS = 0
		}
	}
	if a, b := fmt.Sprintf("%+v", accuracy.MemberOf(&e, &r)), fmt.Sprintf("%+v", accuracy.MemberOf(&want, &r)); a != b {
		t.Errorf("%s, want %s", a, b)
	}
	l.do("GET", "/api/v1/jobs/"+v.ID+"/result", nil).want(t, 409)
	for name, body := range map[string]string{
		"nothing": `{}`, "two": `{"result_id":"` + r.ResultID + `","select":{}}`, "none": `{"result_ids":[]}`,
		"twice": `{"result_ids":["` + r.ResultID + `","` + r.ResultID + `"]}`, "a misspelt field": `{"select":{"lable":"x"}}`,
		"a bad evaluator": `{"select":{},"evaluation_config":{"chunk_evaluator":{"model_name":"m","provider":"evil"}}}`,
	} {
		if g := l.do("POST", "/api/v1/test/evaluations", body).want(t, 400); !strings.Contains(g.text, "body") {
			t.Errorf("%s: %s", name, g.text)
		}
	}
	l.do("POST", "/api/v1/test/evaluations", map[string]any{"result_id": v.ID}).want(t, 404)
	l.do("POST", "/api/v1/test/evaluations", map[string]any{"select": map[string]any{"label": "no such"}}).want(t, 422)
	l.do("POST", "/api/v1/jobs/"+v.ID+"/cancel", nil).want(t, 409)
	l.do("POST", "/api/v1/jobs/"+v.ID+"/resume", nil).want(t, 409)
	for _, path := range []string{"", "/result", "/evaluations"} {
		l.do("GET", "/api/v1/jobs/"+r.ResultID+path, nil).want(t, 404)
	}
	// A result that the request holds is evaluated too.
	text := l.do("GET", "/api/v1/test/results/"+r.ResultID, nil).want(t, 200).text
	inline := l.done(l.evaluations(map[string]any{"results": json.RawMessage(text), "dimensions": []string{"audio"}}).ID)
	if inline.State != stateFinished || !strings.HasPrefix(inline.Result, "/api/v1/test/evaluations/") {
		t.Errorf("%+v: want an evaluation", inline)
	}
	l.do("DELETE", "/api/v1/jobs/"+v.ID, nil).want(t, 200)
	l.do("GET", "/api/v1/jobs/"+v.ID, nil).want(t, 404)
	l.do("GET", v.Result, nil).want(t, 200)
}

// TestABatchWithBrokenMembers evaluates 200 results of which three cannot be: they are
// counted, and the others have their means.
func TestABatchWithBrokenMembers(t *testing.T) {
	t.Parallel()
	l := laboratory(t, nil)
	r := l.asks("A")
	ids := l.stored(r, 197)
	one := l.evaluates(r.ResultID, "?dimensions=key_questions")
	for i := range 3 {
		id, err := l.server.newID()
		if err != nil {
			t.Fatal(err)
		}
		ids = slices.Insert(ids, 50*(i+1), id)
	}
	v := l.evaluations(map[string]any{"result_ids": ids, "dimensions": []string{"key_questions"}})
	v = l.done(v.ID)
	if v.State != stateFinished || v.Kind != jobOfMany || v.Done != 200 || v.Total != 200 || v.Failed != 3 {
		t.Errorf("%+v: want 200 results done, 3 of which failed", v)
	}
	b := read[jobResult](t, l.do("GET", v.Result, nil).want(t, 200))
	if b.Results != 200 || b.Completed != 197 || b.NotEvaluated != 3 || b.Total != 200 || len(b.Failures) != 1 ||
		b.Failures[0].Count != 3 || b.Failures[0].Reason != "no such result" || len(b.Failures[0].ResultIDs) != 3 {
		t.Errorf("%+v: want 197 evaluations and 3 failures of one reason", b.Failures)
	}
	for _, m := range b.Metrics {
		value := accuracy.MemberOf(&one, &r).Values[m.Metric]
		if m.Dimension != accuracy.KeyQuestions {
			t.Errorf("%s was not asked for", m.Metric)
		}
		if m.N != 197 || m.Failed != 3 || m.NotApplicable != 0 || m.Mean == nil || max(*m.Mean-value, value-*m.Mean) > 1e-9 ||
			m.Interval != nil || m.Bounds == nil || m.Bounds[0] >= *m.Mean {
			t.Errorf("%+v: want the mean %g of 197 equal values, with bounds", m, value)
		}
	}
	if len(b.Metrics) != 5 {
		t.Errorf("%d metrics, want those of one dimension", len(b.Metrics))
	}
	failed := read[page[accuracy.Member]](t, l.do("GET", b.Evaluations+"?status=not_evaluated", nil).want(t, 200))
	all := read[page[accuracy.Member]](t, l.do("GET", b.Evaluations+"?limit=500", nil).want(t, 200))
	if failed.Total != 3 || all.Total != 200 || failed.Items[0].EvaluationID != "" {
		t.Errorf("%d failed of %d: want 3 of 200", failed.Total, all.Total)
	}
	for _, m := range all.Items {
		if m.EvaluationID != "" {
			l.do("GET", "/api/v1/test/evaluations/"+m.EvaluationID, nil).want(t, 200)
			break
		}
	}
	// A selection is of those that there are.
	r.Label = "another"
	l.stored(r, 5)
	few := l.done(l.evaluations(`{"select":{"label":"another","profile":"A","input_type":"text"},"dimensions":["audio"]}`).ID)
	if few.Total != 5 || few.State != stateFinished {
		t.Errorf("%+v: want the results with the label", few)
	}
	if b := l.batch(few.ID); b.Metrics[0].N != 0 || b.Metrics[0].Mean != nil || b.Metrics[0].NotApplicable != 5 {
		t.Errorf("%+v: want that there is nothing to measure", b.Metrics)
	}
	l.do("POST", "/api/v1/test/evaluations", `{"select":{"label":"another","profile":"B"}}`).want(t, 422)
}

// A gatedModel is a server of models that marks key questions, as often as it is let.
type gatedModel struct {
	url string
	let chan struct{}

	mu sync.Mutex
	// asked counts the calls by the question that they are about.
	asked map[string]int
	// broken has the questions that are not marked.
	broken map[string]bool
}

var numbered = regexp.MustCompile(`question number \d+`)

func newGatedModel(t *testing.T) *gatedModel {
	t.Helper()
	g := &gatedModel{let: make(chan struct{}, 10_000), asked: map[string]int{}, broken: map[string]bool{}}
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		select {
		case <-g.let:
		case <-t.Context().Done():
		}
		question := numbered.FindString(string(text))
		g.mu.Lock()
		g.asked[question]++
		broken := g.broken[question]
		g.mu.Unlock()
		if broken {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		marks := `{"dimension_1_準確性":40,"dimension_2_完整性":20,"dimension_3_清晰度":20,"dimension_4_簡潔性":10,"comments":"good"}`
		_ = json.NewEncoder(w).Encode(map[string]any{
			"model": "m", "usage": map[string]any{"prompt_tokens": 100, "completion_tokens": 10},
			"choices": []any{map[string]any{"finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": marks}}},
		})
	}))
	t.Cleanup(h.Close)
	g.url = h.URL
	return g
}

// calls is the number of calls so far; none of them was about what another was about, but
// for the two draws of the judge.
func (g *gatedModel) calls(t *testing.T) (n int) {
	t.Helper()
	g.mu.Lock()
	defer g.mu.Unlock()
	for question, calls := range g.asked {
		if n += calls; calls > 2 {
			t.Errorf("%q: %d calls, want the two draws", question, calls)
		}
	}
	return n
}

func (g *gatedModel) open(n int) {
	for range n {
		g.let <- struct{}{}
	}
}

// judging makes the model the judge of a server. A call costs 0.0011 dollars.
func (g *gatedModel) judging(t *testing.T) func(*Config) {
	prices := filepath.Join(folder(t, map[string]string{
		"prices.yaml": "prices:\n  - {provider: own, model: m, input: 10, output: 10}\n",
	}), "prices.yaml")
	return func(c *Config) {
		for _, kv := range []string{
			`providers={"own":{"kind":"openai","base_url":"` + g.url + `/v1"}}`, "judge=own:m", "prices=" + prices,
		} {
			key, v, _ := strings.Cut(kv, "=")
			if err := c.Settings.Set(key, v, config.FromFlag, "test"); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// questions stores results of so many questions.
func (b *bench) questions(n int) (ids []string) {
	b.t.Helper()
	for i := range n {
		id, err := b.server.newID()
		if err != nil {
			b.t.Fatal(err)
		}
		r := accuracy.Result{ResultID: id, InputType: accuracy.TextInput, Profile: "A", CreatedAt: epoch}
		r.Input.Text = fmt.Sprintf("What is question number %d?", i)
		r.ExtractedKeyQuestions = []string{r.Input.Text}
		if err := b.server.keep(b.t.Context(), store.KindResult, id, "", "text A", r); err != nil {
			b.t.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}

// TestAJobThatAServerLeftIsFinishedByTheNext stops a server in the middle of a batch: calls
// in flight are finished, and no call is made twice by the next server.
func TestAJobThatAServerLeftIsFinishedByTheNext(t *testing.T) {
	model := newGatedModel(t)
	first := start(t, model.judging(t))
	ids := first.questions(6)
	v := first.evaluations(map[string]any{"result_ids": ids, "dimensions": []string{"key_questions"}, "refresh": true})
	waiting := first.evaluations(map[string]any{"result_id": ids[0], "dimensions": []string{"key_questions"}})
	model.open(3)
	first.waits("three calls", func() bool { return first.job(v.ID).Cost >= 0.0033-1e-9 })
	first.server.Stop()
	// Calls in flight are finished: two for each of four results, and what was answered.
	model.open(100)
	first.server.Wait()
	if n := model.calls(t); n > 10 {
		t.Errorf("%d calls, want those in flight at the stop and no more", n)
	}
	for _, id := range []string{v.ID, waiting.ID} {
		var kept JobView
		if err := first.server.readItem(t.Context(), kindJob, id, &kept); err != nil || kept.State != stateQueued || kept.Finished != nil {
			t.Errorf("%+v (%v): want a job that waits for the next server", kept, err)
		}
	}
	first.do("POST", "/api/v1/test/evaluations", map[string]any{"result_ids": ids}).want(t, 503)

	second := startOn(t, first.store, model.judging(t))
	if v = second.done(v.ID); v.State != stateFinished || v.Done != 6 || v.Failed != 0 {
		t.Errorf("%+v: want a finished job", v)
	}
	if n := model.calls(t); n != 12 || v.Cost < 0.0132-1e-9 || v.Cost > 0.0132+1e-9 {
		t.Errorf("%d calls for %g dollars: want each once", n, v.Cost)
	}
	if w := second.done(waiting.ID); w.State != stateFinished || w.Cost != 0 {
		t.Errorf("%+v: want a finished job that had nothing to pay for", w)
	}
	b := second.batch(v.ID)
	if m := b.Metrics[0]; m.Metric != "key_questions_evaluation.average_total" || m.N != 6 || *m.Mean != 90 {
		t.Errorf("%+v: want the mean of six", m)
	}
}

// TestAJobWhoseBudgetIsSpentGoesOn: the job fails with that reason, keeps no evaluation that lacks
// what was not asked, and is resumed with a higher limit.
func TestAJobWhoseBudgetIsSpentGoesOn(t *testing.T) {
	model := newGatedModel(t)
	model.open(100)
	first := start(t, model.judging(t), func(c *Config) {
		if err := c.Settings.Set("max-cost", "0.0005", config.FromFlag, "test"); err != nil {
			t.Fatal(err)
		}
	})
	ids := first.questions(3)
	v := first.done(first.evaluations(map[string]any{"result_ids": ids, "dimensions": []string{"key_questions"}}).ID)
	if v.State != stateFailed || v.Done != 0 || !strings.Contains(v.Error, "a higher limit lets it go on") {
		t.Errorf("%+v: want a job that failed by its budget", v)
	}
	first.server.Stop()
	first.server.Wait()
	second := startOn(t, first.store, model.judging(t))
	second.do("POST", "/api/v1/jobs/"+v.ID+"/resume", nil).want(t, 202)
	if v = second.done(v.ID); v.State != stateFinished || v.Done != 3 || v.Failed != 0 || v.Error != "" {
		t.Errorf("%+v: want a finished job", v)
	}
	if n := model.calls(t); n != 6 {
		t.Errorf("%d calls, want 6", n)
	}
}

// TestAJobIsCancelledAndGoesOn cancels a batch in the middle, and another that waits.
func TestAJobIsCancelledAndGoesOn(t *testing.T) {
	model := newGatedModel(t)
	b := start(t, model.judging(t))
	ids := b.questions(8)
	v := b.evaluations(map[string]any{"result_ids": ids, "dimensions": []string{"key_questions"}})
	waiting := b.evaluations(map[string]any{"result_ids": ids[:2], "dimensions": []string{"key_questions"}})
	b.do("POST", "/api/v1/jobs/"+waiting.ID+"/cancel", nil).want(t, 202)
	if w := b.done(waiting.ID); w.State != stateCancelled || w.Done != 0 {
		t.Errorf("%+v: want a cancelled job", w)
	}
	if r := b.batch(waiting.ID); r.Results != 0 || r.Total != 2 || r.Metrics[0].N != 0 {
		t.Errorf("%+v: want nothing done", r)
	}
	// One result is done when three of the four have not both of their marks.
	model.open(5)
	b.waits("a result", func() bool { return b.job(v.ID).Done > 0 })
	b.do("DELETE", "/api/v1/jobs/"+v.ID, nil).want(t, 409)
	b.do("GET", "/api/v1/jobs/"+v.ID+"/result", nil).want(t, 409)
	b.do("POST", "/api/v1/jobs/"+v.ID+"/cancel", nil).want(t, 202)
	model.open(20)
	v = b.done(v.ID)
	if v.State != stateCancelled || v.Done < 1 || v.Done > 6 || v.Finished == nil {
		t.Errorf("%+v: want a cancelled job with what was done", v)
	}
	if n := model.calls(t); n > 2*(v.Done+jobWidth) || v.Cost < 0.0011*float64(n)-1e-9 {
		t.Errorf("%d calls for %g dollars: want that the calls end and count", n, v.Cost)
	}
	if r := b.batch(v.ID); r.Results != v.Done || r.State != stateCancelled || r.Completed != v.Done {
		t.Errorf("%+v: want what was done", r)
	}
	model.open(20)
	b.do("POST", "/api/v1/jobs/"+v.ID+"/resume", nil).want(t, 202)
	if v = b.done(v.ID); v.State != stateFinished || v.Done != 8 {
		t.Errorf("%+v: want a finished job", v)
	}
	if n := model.calls(t); n != 16 {
		t.Errorf("%d calls, want each once", n)
	}
	if r := b.batch(v.ID); r.Results != 8 || r.State != stateFinished || r.Metrics[0].Interval != nil {
		t.Errorf("%+v: want eight results; equal points have no interval", r)
	}
}

// TestTwoClientsWithOneKey starts one job for two clients that send the same key at once.
func TestTwoClientsWithOneKey(t *testing.T) {
	model := newGatedModel(t)
	b := start(t, model.judging(t))
	body := map[string]any{"result_ids": b.questions(2), "dimensions": []string{"key_questions"}}
	jobs := make(chan string)
	for range 2 {
		go func() {
			for {
				g := b.do("POST", "/api/v1/test/evaluations", body, "Idempotency-Key", "k")
				if g.StatusCode == http.StatusConflict && g.Header.Get("Retry-After") != "" {
					continue // the other is being answered
				}
				var v JobView
				if err := json.Unmarshal([]byte(g.text), &v); err != nil || g.StatusCode != http.StatusAccepted ||
					g.Header.Get("Location") == "" || g.Header.Get("Retry-After") == "" {
					t.Errorf("status %d: %s", g.StatusCode, g.text)
				}
				jobs <- v.ID
				return
			}
		}()
	}
	one, two := <-jobs, <-jobs
	if one != two {
		t.Errorf("jobs %s and %s, want one", one, two)
	}
	model.open(4)
	b.done(one)
	if all := read[page[JobView]](t, b.do("GET", "/api/v1/jobs?state=finished", nil).want(t, 200)); all.Total != 1 || model.calls(t) != 4 {
		t.Errorf("%d jobs with %d calls, want one", all.Total, model.calls(t))
	}
	if all := read[page[JobView]](t, b.do("GET", "/api/v1/jobs?state=running", nil).want(t, 200)); all.Total != 0 {
		t.Errorf("%d jobs run, want none", all.Total)
	}
}

// TestAJobOfAServerThatDied is adopted by the server that is asked for it.
func TestAJobOfAServerThatDied(t *testing.T) {
	model := newGatedModel(t)
	b := start(t, model.judging(t))
	model.open(100)
	ids := b.questions(2)
	v := b.done(b.evaluations(map[string]any{"result_ids": ids, "dimensions": []string{"key_questions"}}).ID)
	// As a process leaves it that is killed behind the first result.
	v.State, v.Finished, v.Result = stateRunning, nil, ""
	if err := b.server.putJob(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	items, _, err := b.store.Items(t.Context(), kindJobMember, store.ItemQuery{Parent: v.ID})
	if err != nil {
		t.Fatal(err)
	}
	for kind, id := range map[string]string{kindJobMember: items[0].ID, kindJobResult: v.ID} {
		if err := b.store.DeleteItem(t.Context(), kind, id); err != nil {
			t.Fatal(err)
		}
	}
	release, err := b.store.Claim(t.Context(), kindJob+"-"+v.ID)
	if err != nil {
		t.Fatal(err)
	}
	if v := b.job(v.ID); v.State != stateRunning {
		t.Errorf("%+v: want the job of another server", v)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if v = b.done(v.ID); v.State != stateFinished || v.Done != 2 || model.calls(t) != 4 {
		t.Errorf("%+v after %d calls: want that it is finished at no cost", v, model.calls(t))
	}
}
