package model_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/model"
	"github.com/assay-eval/assay/llm"
)

// A scripted provider answers by a function of the question's data. {{nonce}}
// in a reply becomes the nonce of the call.
type scripted struct {
	reply func(task string, data map[string]any, repair bool) (string, error)
	stop  string

	mu       sync.Mutex
	requests []llm.Request
	// gate holds all calls until it is closed.
	gate chan struct{}
}

var block = regexp.MustCompile(`(?s)<data nonce="[^"]*">\n([^\n]*)\n</data`)

func dataOf(r llm.Request) map[string]any {
	var out map[string]any
	if m := block.FindStringSubmatch(r.Messages[0].Text); m == nil || json.Unmarshal([]byte(m[1]), &out) != nil {
		panic(fmt.Sprintf("no data in %q", r.Messages[0].Text))
	}
	return out
}

func (s *scripted) Name() string { return "scripted" }

func (s *scripted) Complete(_ context.Context, r llm.Request) (llm.Reply, error) {
	s.mu.Lock()
	n := len(s.requests)
	s.requests = append(s.requests, r)
	s.mu.Unlock()
	if s.gate != nil {
		<-s.gate
	}
	nonce := fmt.Sprintf("%016x", n+1)
	text, err := s.reply(r.Operation, dataOf(r), strings.Contains(fmt.Sprint(r.Messages), "cannot be used") ||
		strings.Contains(fmt.Sprint(r.Messages), "cut off"))
	if err != nil {
		return llm.Reply{}, err
	}
	stop := s.stop
	if stop == "" {
		stop = "end"
	}
	return llm.Reply{Text: strings.ReplaceAll(text, "{{nonce}}", nonce), Nonce: nonce, Stop: stop, Usage: llm.Usage{Input: 10, Output: 1},
		Cost: 3, Priced: true}, nil
}

func (s *scripted) calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

// inTurn answers with the texts one after the other.
func inTurn(texts ...string) *scripted {
	n := 0
	return &scripted{reply: func(string, map[string]any, bool) (string, error) {
		if n++; n > len(texts) {
			return "", &llm.Error{Kind: llm.KindRequest, Provider: "scripted", Message: "no more replies"}
		}
		return texts[n-1], nil
	}}
}

// items writes a reply.
func items(list ...string) string {
	return `{"nonce":"{{nonce}}","items":[` + strings.Join(list, ",") + `]}`
}

func newJudge(t *testing.T, p llm.Provider, change ...func(*model.Config)) *model.Judge {
	t.Helper()
	c := model.Config{Provider: p, Request: llm.Request{Model: "m"}}
	for _, f := range change {
		f(&c)
	}
	j, err := model.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// metered gives a context and what was counted in it.
func metered() (context.Context, func() (assay.Spending, []string)) {
	m := &judge.Meter{}
	return judge.WithMeter(context.Background(), m), m.Total
}

func rawOf(err error) string {
	var e *judge.Error
	if errors.As(err, &e) {
		return e.Raw
	}
	return "no *judge.Error"
}

var about = judge.Subject{Question: "How tall is the tower, and when did it open?", Language: judge.English}

func idsOf(data map[string]any, field string) []int {
	var out []int
	list, _ := data[field].([]any)
	for _, v := range list {
		m, _ := v.(map[string]any)
		id, _ := m["id"].(float64)
		out = append(out, int(id))
	}
	return out
}
