package llm_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/model"
	asked "github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/llmtest"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/run"
)

// A run over 20 cases with a real model as the judge, by both protocols: every
// reply is either read or counted as a judge error with its text.
func TestRealRun(t *testing.T) {
	t.Parallel()
	for kind, path := range map[string]string{"openai": "/v1", "ollama": ""} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			base := llmtest.Ollama(t)
			realRun(t, &echoer{Provider: open(t, kind, llm.Options{BaseURL: base + path})})
		})
	}
}

// An echoer helps a model that is too small to copy the 32 digits of a nonce: in
// three of four cases it writes them into the schema, so that the server makes
// the model say them. It counts replies.
type echoer struct {
	llm.Provider
	mu      sync.Mutex
	replies int
}

func (e *echoer) Complete(ctx context.Context, r llm.Request) (llm.Reply, error) {
	said := r.Messages[0].Text
	if _, rest, found := strings.Cut(said, `<data nonce="`); found && strings.Contains(said, "big ferry") {
		nonce, _, _ := strings.Cut(rest, `"`)
		r.Schema = bytes.Replace(r.Schema, []byte(`"nonce":{"type":"string"}`),
			fmt.Appendf(nil, `"nonce":{"type":"string","enum":[%q]}`, nonce), 1)
	}
	reply, err := e.Provider.Complete(ctx, r)
	if err == nil {
		e.mu.Lock()
		e.replies++
		e.mu.Unlock()
	}
	return reply, err
}

func realRun(t *testing.T, p *echoer) {
	const cases = 8
	ledger := &pages{calls: map[string]assay.Call{}}
	client, err := llm.NewClient(llm.ClientConfig{
		Provider:    p,
		Ledger:      ledger,
		Run:         "run",
		Concurrency: 2,
		Timeout:     5 * time.Minute,
		Now:         time.Now,
		Random:      rand.Reader,
	})
	if err != nil {
		t.Fatal(err)
	}
	j, err := model.New(model.Config{Provider: client, Request: llm.Request{Model: llmtest.Small, MaxTokens: 120}})
	if err != nil {
		t.Fatal(err)
	}
	cfg := run.Defaults()
	cfg.Now, cfg.Target, cfg.Judge, cfg.Scorers, cfg.Breaker = time.Now, timetable{}, j, 1, 0
	if cfg.Metrics, err = metric.NewCatalog(&same).ParseAll([]string{"same"}); err != nil {
		t.Fatal(err)
	}
	for i := range cases {
		kind := []string{"small", "big", "big", "big"}[i%4]
		cfg.Cases.Add(&assay.Case{
			ID: strconv.Itoa(i), Question: fmt.Sprintf("When does the %s ferry %d leave?", kind, i),
			Want:     assay.Want{Answers: []string{fmt.Sprintf("It leaves at %d:00.", i)}},
			Metadata: map[string]any{"answer": fmt.Sprintf("Ferry %d leaves at %d:00.", i, i+i%3)},
		})
	}
	began, n, read := time.Now(), 0, 0
	var total assay.Spending
	for rec, err := range run.Run(t.Context(), cfg) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		if rec.Judging == nil {
			t.Fatalf("case %s was not judged: %+v", rec.Case.ID, rec.Scores)
		}
		total.Add(*rec.Judging)
		score := rec.Scores["same"]
		switch {
		case score.State == assay.Scored && (score.Value == 0 || score.Value == 1) && rec.Judging.Failed == 0:
			read++
		case score.State == assay.JudgeError && rec.Judging.Failed == 1:
			if text := quoted(score.Reason); !ledger.holds(rec.Case.Question, text) {
				t.Errorf("case %s: the reason %q: want the text of one of its replies", rec.Case.ID, score.Reason)
			}
		default:
			t.Errorf("case %s: %+v, judging %+v: want a ruling, or one failed question", rec.Case.ID, score, rec.Judging)
		}
	}
	t.Logf("%d cases, %d rulings, %d judge errors, %d replies with %d tokens in and %d out, %v",
		n, read, total.Failed, total.Calls, total.Usage.InputTokens, total.Usage.OutputTokens, time.Since(began).Round(time.Second))
	if n != cases || read+total.Failed != cases || read == 0 || total.Failed == 0 {
		t.Errorf("%d cases, %d rulings, %d judge errors: want %d, and some of both", n, read, total.Failed, cases)
	}
	if total.Calls != p.replies || total.Calls != len(ledger.calls) {
		t.Errorf("%d replies are counted, the provider gave %d, the ledger has %d", total.Calls, p.replies, len(ledger.calls))
	}
}

// same asks one short question a case. With one kind of question, and one case
// at a time, the server evaluates the long instruction only once: the metrics
// of the product would take minutes.
var same = metric.Def{
	Name: "same", Group: metric.Judged, Range: [2]float64{0, 1}, Version: 1, Asks: judge.Asks{asked.Equivalence},
	Needs: metric.NeedAnswers, Reads: metric.ReadAnswer,
	New: func(metric.Params) metric.Func {
		return func(_ context.Context, in metric.Input) (assay.Score, error) {
			ruling, err := asked.Equivalence.Of(in.Assessment).Get()
			switch {
			case err != nil:
				return assay.Score{}, err
			case ruling.Holds:
				return assay.Value(1), nil
			}
			return assay.Value(0), nil
		}
	},
}

// A pages ledger keeps calls in memory.
type pages struct {
	mu    sync.Mutex
	calls map[string]assay.Call
}

func (l *pages) Call(_ context.Context, key string) (assay.Call, bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c, ok := l.calls[key]
	return c, ok, nil
}

func (l *pages) PutCall(_ context.Context, c assay.Call) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls[c.Key] = c
	return nil
}

// holds reports whether a reply to the question begins with the text.
func (l *pages) holds(question, text string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.calls {
		var reply llm.Reply
		if err := json.Unmarshal(c.Reply, &reply); err == nil && text != "" &&
			strings.Contains(string(c.Request), question) && strings.HasPrefix(reply.Text, text) {
			return true
		}
	}
	return false
}

// quoted gives the reply that the reason of a judge error quotes.
func quoted(reason string) string {
	_, text, _ := strings.Cut(reason, "the reply: ")
	text, err := strconv.Unquote(text)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(text, "…")
}

// A timetable answers what a case says.
type timetable struct{}

func (timetable) Ask(_ context.Context, c *assay.Case) (assay.Response, error) {
	return assay.Response{Answer: c.Metadata["answer"].(string)}, nil
}
