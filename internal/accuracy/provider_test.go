package accuracy_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/accuracy"
	"github.com/assay-eval/assay/llm"
)

var day = time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)

// waiting notes the waits and lets none pass.
type waiting struct {
	mu    sync.Mutex
	waits []time.Duration
}

func (w *waiting) Sleep(ctx context.Context, d time.Duration) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waits = append(w.waits, d)
	return ctx.Err()
}

// answering is a provider that answers by a function, and keeps what it was
// asked.
type answering struct {
	answer func(r llm.Request) (llm.Reply, error)

	mu       sync.Mutex
	asked    []llm.Request
	now, top int
}

func (a *answering) Name() string { return "scripted" }

func (a *answering) Complete(_ context.Context, r llm.Request) (llm.Reply, error) {
	a.mu.Lock()
	a.asked = append(a.asked, r)
	a.now++
	a.top = max(a.top, a.now)
	a.mu.Unlock()
	defer func() { a.mu.Lock(); a.now--; a.mu.Unlock() }()
	return a.answer(r)
}

func (a *answering) of(operation string) (out []llm.Request) {
	for _, r := range a.asked {
		if r.Operation == operation {
			out = append(out, r)
		}
	}
	return out
}

func said(format string, args ...any) (llm.Reply, error) {
	return llm.Reply{Text: fmt.Sprintf(format, args...)}, nil
}

const (
	good    = `{"dimension_1_準確性":36,"dimension_2_完整性":20,"dimension_3_清晰度":17,"dimension_4_簡潔性":13,"total_score":99,"comments":"fine"}`
	compare = `{"comments":"misses a fee","declines":false,"completeness_level":3,"factual_accuracy_level":4}`
)

// relevant answers which chunks hold the word.
func relevant(r llm.Request, word string) string {
	var out []string
	for i, chunk := range strings.Split(r.Messages[0].Text, "<chunk_")[1:] {
		body, _, _ := strings.Cut(chunk, "</chunk_")
		if strings.Contains(body, word) {
			out = append(out, fmt.Sprint(i))
		}
	}
	return `{"relevant_chunk_indices":[` + strings.Join(out, ",") + `]}`
}

// usual answers every task as a judge would to whom "gold" is relevant.
func usual(r llm.Request) (llm.Reply, error) {
	switch r.Operation {
	case "evaluate_key_questions":
		return llm.Reply{Text: good, Thinking: "let me see"}, nil
	case "evaluate_chunk_relevance":
		return said("%s", relevant(r, "gold"))
	case "evaluate_ideal_response":
		return said("The ideal answer [d1].")
	}
	return said("%s", compare)
}

// chunkOf is a passage of a document.
func chunkOf(document string, index int, text string) assay.Passage {
	return assay.Passage{ID: fmt.Sprintf("%s#%d", document, index), Document: document, Source: document + ".md", Index: index, Text: text}
}

// corpus has n chunks, of which those of the given places are gold.
func corpus(n int, gold ...int) []assay.Passage {
	var out []assay.Passage
	for i := range n {
		text := fmt.Sprintf("plain %d", i)
		for _, g := range gold {
			if g == i {
				text = fmt.Sprintf("gold %d", i)
			}
		}
		out = append(out, chunkOf(fmt.Sprintf("d%d", i/5+1), i%5, text))
	}
	return out
}

// scored gives a passage a score.
func scored(p assay.Passage, score float64) assay.Passage {
	p.Score = score
	return p
}

// result is one of a pipeline that found and kept passages of the corpus.
func result(t *testing.T, question string, found, kept []assay.Passage) accuracy.Result {
	t.Helper()
	if kept == nil {
		kept = []assay.Passage{}
	}
	r := assay.Response{Answer: "An answer [1].", Passages: kept, Trace: &assay.Trace{Stages: []assay.Stage{
		{Name: assay.StageDecompose, Model: "rule", Output: marshal(t, []string{question})},
		{Name: assay.StageRetrieve, SubQuestion: 1, Output: marshal(t, found)},
		{Name: assay.StageFilter, SubQuestion: 1, Model: "f", Output: marshal(t, kept)},
		{Name: assay.StageGenerate, Model: "g", Input: marshal(t, kept), Output: marshal(t, "An answer [1].")},
	}}}
	return accuracy.FromResponse(accuracy.About{ResultID: "r1", Profile: "A", Created: day, Question: question}, &r)
}

// options evaluate everything with one provider.
func options(p llm.Provider, chunks []assay.Passage) (accuracy.Options, *waiting) {
	w := &waiting{}
	m := accuracy.Model{Name: "m", Provider: p, Base: llm.Request{Model: "m"}}
	second := m
	second.Name, second.Base.Draw = "m2", 1
	return accuracy.Options{
		KeyQuestions: []accuracy.Model{m, second}, Chunk: m, Response: m, EvaluationID: "e1",
		Chunks: func(yield func(assay.Passage) bool) {
			for _, c := range chunks {
				if !yield(c) {
					return
				}
			}
		},
		Now: func() time.Time { return day }, Sleep: w.Sleep,
	}, w
}
