package generate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset/generate"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/llm"
)

// data is the block of a request that holds the material.
type data struct {
	Task, Kind, Question string
	Count                int
	Documents, Passages  []struct {
		ID   int
		Text string
	}
	Points []struct {
		ID    int
		Point string
		Vital bool
	}
}

// scripted is a provider that answers by a function of the material. turn
// counts the messages: 1, and 3 when a reply is to be mended.
type scripted struct {
	answer func(d data, turn int) (any, error)

	mu    sync.Mutex
	calls int
	// system is the system prompt of the last call.
	system string
	// limit is the token limit of the last request.
	limit int
}

func (s *scripted) Name() string { return "scripted" }

func (s *scripted) Complete(_ context.Context, r llm.Request) (llm.Reply, error) {
	s.mu.Lock()
	s.calls++
	s.system = r.System
	s.limit = r.MaxTokens
	s.mu.Unlock()
	_, block, _ := strings.Cut(r.Messages[0].Text, "\n{")
	block, _, _ = strings.Cut("{"+block, "\n")
	var d data
	if err := json.Unmarshal([]byte(block), &d); err != nil {
		return llm.Reply{}, fmt.Errorf("the material cannot be read: %w: %s", err, block)
	}
	out, err := s.answer(d, len(r.Messages))
	if err != nil {
		return llm.Reply{}, err
	}
	raw, err := json.Marshal(out)
	text := `{"nonce":"\u0002nonce\u0003",` + strings.TrimPrefix(string(raw), "{")
	return llm.Reply{Text: text, Nonce: llm.NonceMark, Usage: llm.Usage{Input: 10, Output: 5}}, err
}

type object = map[string]any

var day = time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)

func writer(t *testing.T, answer func(d data, turn int) (any, error)) (*generate.Writer, *scripted) {
	t.Helper()
	s := &scripted{answer: answer}
	w, err := generate.New(generate.Config{Provider: s, Base: llm.Request{Model: "m"}, Now: func() time.Time { return day }})
	if err != nil {
		t.Fatal(err)
	}
	return w, s
}

// ruling is a judge whose rulings are functions.
type ruling struct {
	points  []judge.Point
	vital   func(point string) judge.Weight
	support func(claim string, sources []judge.Source) judge.Finding
	grade   func(question, passage string) judge.Grade
	err     error
}

func (ruling) Info() assay.JudgeInfo { return assay.JudgeInfo{Provider: "ruling"} }

func (j ruling) Ask(ctx context.Context, t judge.AnyTask, s judge.Subject, given any) (any, error) {
	return judge.NewAnswers(
		question.Support.By(j.Support), question.Grade.By(j.Relevance), question.Extract.By(j.Points),
		question.Weigh.By(j.Weigh),
	).Ask(ctx, t, s, given)
}

func (r ruling) Support(_ context.Context, _ judge.Subject, in question.SupportInput) ([]judge.Finding, error) {
	claims, sources := in.Claims, in.Sources
	var out []judge.Finding
	for _, c := range claims {
		f := r.support(c.Text, sources)
		if len(c.Within) == 1 && len(f.Quotes) > 1 { // one of those that say it together
			f = judge.Finding{Verdict: judge.NotFound}
		}
		out = append(out, f)
	}
	return out, r.err
}

func (r ruling) Relevance(_ context.Context, s judge.Subject, passages []judge.Source) ([]judge.Grade, error) {
	var out []judge.Grade
	for _, p := range passages {
		out = append(out, r.grade(s.Question, p.Text))
	}
	return out, r.err
}

func (r ruling) Points(context.Context, judge.Subject, []judge.Source) ([]judge.Point, error) {
	return r.points, r.err
}

func (r ruling) Weigh(_ context.Context, _ judge.Subject, points []string) ([]judge.Weight, error) {
	var out []judge.Weight
	for _, p := range points {
		if r.vital == nil {
			out = append(out, judge.Weight{Known: true})
		} else {
			out = append(out, r.vital(p))
		}
	}
	return out, r.err
}

// alone is the finding of a claim that one source bears out.
func alone(source int) judge.Finding {
	return judge.Finding{Verdict: judge.Supported, Degree: 1, Quotes: []judge.Quote{{Source: source, Text: "x"}}}
}

// together is the finding of a claim that takes two sources.
func together() judge.Finding {
	return judge.Finding{Verdict: judge.Supported, Degree: 1, Quotes: []judge.Quote{{Source: 0, Text: "x"}, {Source: 1, Text: "y"}}}
}
