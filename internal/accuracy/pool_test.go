package accuracy_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/accuracy"
	"github.com/assay-eval/assay/llm"
)

// TestPool judges 4 found chunks and 20 of the 96 others.
func TestPool(t *testing.T) {
	t.Parallel()
	all := corpus(100, 1, 2, 10, 30, 50, 70, 90)
	p := &answering{answer: usual}
	o, _ := options(p, all)
	o.Pool = &accuracy.Pool{Sample: 20, Seed: 3}
	r := result(t, "what?", all[:4], all[:2])
	e := evaluate(t, r, o)
	got := e.ChunkEvaluation.PerSubQuestion[0]
	g, pool := got.GroundTruth, got.GroundTruth.Pool
	if g.Judged != 24 || g.Corpus != 100 || pool.Pooled != 4 || pool.Sampled != 20 || pool.Rest != 96 || pool.RelevantPooled != 2 {
		t.Fatalf("%+v %+v", g, pool)
	}
	judged := 0
	for _, q := range p.of("evaluate_chunk_relevance") {
		judged += strings.Count(q.Messages[0].Text, "</chunk_")
	}
	if judged != 24 {
		t.Errorf("%d chunks were shown to the judge: want 24", judged)
	}
	// 2 of the pool and 96/20 for each that the sample has.
	want := 2 + 96.0/20*float64(pool.RelevantSampled)
	if math.Abs(*pool.EstimatedRelevant-want) > 1e-9 || pool.Interval[0] > want || pool.Interval[1] < want {
		t.Errorf("%v in %v: want %v", *pool.EstimatedRelevant, pool.Interval, want)
	}
	u := got.UnfilteredAccuracy
	if math.Abs(*u.Recall-2/want) > 1e-9 || *u.Precision != 0.5 || u.RecallInterval[0] > *u.Recall || u.RecallInterval[1] < *u.Recall {
		t.Errorf("%+v", u)
	}
	// The same seed draws the same, another another.
	if again := evaluate(t, r, o); fmt.Sprint(again.ChunkEvaluation.PerSubQuestion[0].GroundTruth.RelevantChunks) != fmt.Sprint(g.RelevantChunks) {
		t.Error("the same seed drew something else")
	}

	// A pool that leaves nothing out is the whole corpus.
	o.Pool.Sample = 1000
	whole := evaluate(t, r, o).ChunkEvaluation.PerSubQuestion[0]
	if *whole.GroundTruth.Pool.EstimatedRelevant != 7 || *whole.UnfilteredAccuracy.Recall != 2.0/7 ||
		*whole.GroundTruth.Pool.Interval != [2]float64{7, 7} {
		t.Errorf("%+v", whole)
	}
	// Nothing that was drawn tells nothing of the rest.
	o.Pool.Sample = 0
	none := evaluate(t, r, o).ChunkEvaluation.PerSubQuestion[0]
	if none.GroundTruth.Pool.EstimatedRelevant != nil || none.UnfilteredAccuracy.Recall != nil || *none.UnfilteredAccuracy.Precision != 0.5 {
		t.Errorf("%+v", none)
	}
}

// TestPoolDraws: each sub-question has a sample of its own.
func TestPoolDraws(t *testing.T) {
	t.Parallel()
	p := &answering{answer: func(r llm.Request) (llm.Reply, error) { return said("%s", relevant(r, "plain")) }}
	o, _ := options(p, corpus(100))
	o.Dimensions, o.Pool = []accuracy.Dimension{accuracy.Chunks}, &accuracy.Pool{Sample: 5}
	r, err := accuracy.ReadResult([]byte(`{"input":{"text":"q?"},"extracted_key_questions":["a","b"]}`))
	if err != nil {
		t.Fatal(err)
	}
	q := evaluate(t, r, o).ChunkEvaluation.PerSubQuestion
	if a, b := fmt.Sprint(q[0].GroundTruth.RelevantChunks), fmt.Sprint(q[1].GroundTruth.RelevantChunks); a == b ||
		q[0].GroundTruth.TotalRelevantChunks != 5 {
		t.Errorf("drawn were %s and %s", a, b)
	}
}

// TestPoolOfGoneChunks: what the index has lost is judged with the pool.
func TestPoolOfGoneChunks(t *testing.T) {
	t.Parallel()
	gone := chunkOf("gone", 0, "gold")
	o, _ := options(&answering{answer: usual}, corpus(10))
	o.Pool = &accuracy.Pool{Sample: 5}
	got := evaluate(t, result(t, "what?", []assay.Passage{gone}, nil), o).ChunkEvaluation.PerSubQuestion[0].GroundTruth
	if got.Pool.Pooled != 1 || got.Pool.Rest != 10 || got.Judged != 6 || got.Pool.RelevantPooled != 1 {
		t.Errorf("%+v %+v", got, got.Pool)
	}
}
