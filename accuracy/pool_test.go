package accuracy_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/accuracy"
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
	if *whole.GroundTruth.Pool.EstimatedRelevant != 7 || *whole.UnfilteredAccuracy.Recall != 2.0/7 || *whole.GroundTruth.Pool.Interval != [2]float64{7, 7} {
		t.Errorf("%+v", whole)
	}
	// Nothing that was drawn tells nothing of the rest.
	o.Pool.Sample = 0
	none := evaluate(t, r, o).ChunkEvaluation.PerSubQuestion[0]
	if none.GroundTruth.Pool.EstimatedRelevant != nil || none.UnfilteredAccuracy.Recall != nil || *none.UnfilteredAccuracy.Precision != 0.5 {
		t.Errorf("%+v", none)
	}
}

// TestEstimate holds the interval to tables of the hypergeometric distribution
// worked out by hand, and its coverage to the level by simulation.
func TestEstimate(t *testing.T) {
	t.Parallel()
	// 1 of 2 drawn from 4 is relevant. P(at least 1 | K=1) = 1/2, P(at most 1 |
	// K=3) = 1/2, P(at most 1 | K=4) = 0, P(at least 1 | K=0) = 0: 1 to 3.
	if v, i, ok := accuracy.Estimate(5, 1, 2, 4); !ok || v != 5+2 || i != [2]float64{6, 8} {
		t.Errorf("got %v %v %v", v, i, ok)
	}
	// None of 10 drawn from 20: P(none | K) = C(20−K,10)/C(20,10) is 0.0433 for
	// K = 4 and 0.0163 for K = 5.
	if v, i, ok := accuracy.Estimate(0, 0, 10, 20); !ok || v != 0 || i != [2]float64{0, 4} {
		t.Errorf("got %v %v %v", v, i, ok)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ rest, relevant, n int }{{200, 0, 40}, {200, 3, 40}, {200, 50, 40}, {200, 199, 40}, {30, 7, 10}, {1000, 12, 100}} {
		const draws = 2000
		covered, sum := 0, 0.0
		for range draws {
			x := 0
			for _, at := range rng.Perm(c.rest)[:c.n] {
				if at < c.relevant {
					x++
				}
			}
			v, i, _ := accuracy.Estimate(0, x, c.n, c.rest)
			sum += v
			if i[0] <= float64(c.relevant) && float64(c.relevant) <= i[1] {
				covered++
			}
		}
		// Five standard errors of the simulation.
		p := float64(c.relevant) / float64(c.rest)
		se := float64(c.rest) * math.Sqrt(p*(1-p)/float64(c.n)*float64(c.rest-c.n)/float64(c.rest-1)/draws)
		if mean := sum / draws; math.Abs(mean-float64(c.relevant)) > 5*se+1e-9 {
			t.Errorf("%+v: the mean of the estimates is %v: it has a bias", c, mean)
		}
		if rate := float64(covered) / draws; rate < 0.95-5*math.Sqrt(0.95*0.05/draws) {
			t.Errorf("%+v: the interval holds the truth in %v of the draws: want 0.95 or more", c, rate)
		}
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
	if a, b := fmt.Sprint(q[0].GroundTruth.RelevantChunks), fmt.Sprint(q[1].GroundTruth.RelevantChunks); a == b || q[0].GroundTruth.TotalRelevantChunks != 5 {
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
