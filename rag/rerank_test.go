package rag_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/rag"
)

// shortest is a scorer to which the shortest text is the best, on a scale below 0.
type shortest struct{ texts []string }

func (s *shortest) Identity() string { return "shortest" }

func (s *shortest) Score(_ context.Context, _ string, texts []string) (scores []float64, cut int, used assay.Usage, err error) {
	s.texts = append(s.texts, texts...)
	for _, t := range texts {
		scores = append(scores, -float64(len(t)))
	}
	return scores, 1, assay.Usage{InputTokens: 7, Cost: 3}, nil
}

// lengths are documents of 30, 20 and 10 characters that BM25 finds in this order.
func lengths() []assay.Document {
	var out []assay.Document
	for i, n := range []int{30, 20, 10} {
		out = append(out, assay.Document{ID: fmt.Sprint("d", n), Text: strings.Repeat("fee ", 3-i) + strings.Repeat("x", n-4*(3-i))})
	}
	return out
}

func TestReranker(t *testing.T) {
	t.Parallel()
	s := &shortest{}
	p, err := rag.Open(t.Context(), rag.Config{Documents: lengths(), Generator: rag.NoGenerator, Filter: rag.Reranker{Scorer: s}, Keep: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	r, err := p.Ask(t.Context(), &assay.Case{ID: "a", Question: "fee"})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.texts) != 3 {
		t.Errorf("scored %q: want three passages", s.texts)
	}
	if len(r.Passages) != 2 || r.Passages[0].Document != "d10" || r.Passages[1].Document != "d20" || r.Passages[0].Score != -10 {
		t.Errorf("%+v: want d10 before d20", r.Passages)
	}
	if r.Usage != (assay.Usage{InputTokens: 7, Cost: 3}) {
		t.Errorf("used %+v", r.Usage)
	}
	filter := r.Trace.Stages[len(r.Trace.Stages)-1]
	want := "2 of 3 passages kept; dropped d30#0 (-30); up to 1 passages are longer than the reranker reads, and were scored by their beginning"
	if filter.Name != assay.StageFilter || filter.Model != "shortest, the best 2" || filter.Note != want {
		t.Errorf("%s by %s: %s\nwant %s", filter.Name, filter.Model, filter.Note, want)
	}
	if set := p.Settings(); set["filter"] != "shortest" || set["filter_keep"] != "2" || set["filter_threshold"] != "" || set["profile"] != "" {
		t.Errorf("settings %v", set)
	}
	_, err = rag.Open(t.Context(), rag.Config{Documents: lengths(), Keep: -1})
	if err == nil || !strings.Contains(err.Error(), "expected 1 or more") {
		t.Error(err)
	}
}

// later is an embedder that knows its dimensions from the first vector, and can be told to
// fail.
type later struct {
	asked, dimensions atomic.Int64
	fails             atomic.Bool
}

func (l *later) Identity() string { return "later" }
func (l *later) Dimensions() int  { return int(l.dimensions.Load()) }

func (l *later) Embed(_ context.Context, texts []string) ([][]float32, error) {
	if l.fails.Load() {
		return nil, errors.New("away")
	}
	l.asked.Add(int64(len(texts)))
	l.dimensions.Store(2)
	out := make([][]float32, len(texts))
	for i, t := range texts {
		if out[i] = []float32{1, 0}; strings.Count(t, "fee") > 1 {
			out[i] = []float32{0, 1}
		}
	}
	return out, nil
}

// The passages are embedded when the pipeline is opened, and not before; a failure can be
// tried again.
func TestEmbedLater(t *testing.T) {
	t.Parallel()
	e := &later{}
	p, err := rag.Open(t.Context(), rag.Config{
		Documents: lengths(), Generator: rag.NoGenerator, Retriever: rag.Dense, Embedder: e, EmbedLater: true, CacheDir: t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	c := &assay.Case{ID: "a", Question: "fee fee"}
	if _, err := p.Ask(t.Context(), c); err == nil || !p.Unopened() || e.asked.Load() > 0 {
		t.Errorf("%v, %d texts embedded: want an error, and none", err, e.asked.Load())
	}
	part, err := p.Part(t.Context(), 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := part.Ask(t.Context(), c); err != nil || len(r.Passages) != 2 || e.asked.Load() != 3 || !p.Unopened() {
		t.Errorf("a part: %v, %d passages, %d texts: want 2, and 3 with the question", err, len(r.Passages), e.asked.Load())
	}
	if err := part.Close(); err != nil {
		t.Error(err)
	}
	e.fails.Store(true)
	if err := p.Open(t.Context()); err == nil || !strings.Contains(err.Error(), "embedding passages from 0 on: away") {
		t.Error(err)
	}
	e.fails.Store(false)
	for range 2 { // the second time nothing is left to do
		if err := p.Open(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	r, err := p.Ask(t.Context(), c)
	if err != nil || len(r.Passages) != 3 || r.Passages[2].Document != "d10" || e.asked.Load() != 3+3+1 {
		t.Errorf("%v, %d texts, %+v: want three passages, d10 last, and each embedded once", err, e.asked.Load(), r.Passages)
	}
}
