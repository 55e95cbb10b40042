// Package filled writes stores with generated runs, for measurements: their cases have five
// passages, eight metrics, tags, a trace and some failures, about 5 kB each.
package filled

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
)

// metrics are those of the generated runs.
var metrics = []string{"hit@5", "mrr", "ndcg@5", "precision@5", "recall@5", "token_f1", "answer_correctness", "faithfulness"}

// begun is the time of the generated runs.
var begun = time.Date(2026, 11, 1, 8, 0, 0, 0, time.UTC)

// Write writes runs over the same cases into a new store and returns their ids.
func Write(ctx context.Context, file string, cases int, names []string) (ids []string, err error) {
	s, err := store.Open(ctx, file)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	for run, name := range names {
		h := header(run, name, cases)
		if err := s.CreateRun(ctx, h); err != nil {
			return nil, err
		}
		unlock, err := s.Lock(ctx, h.ID)
		if err != nil {
			return nil, err
		}
		questions, answers := rand.New(rand.NewPCG(1, 0)), rand.New(rand.NewPCG(2, uint64(run)))
		for at := 0; at < cases; at += batch {
			records := make([]assay.Record, min(batch, cases-at))
			for i := range records {
				records[i] = record(at+i, questions, answers)
			}
			if err := s.Put(ctx, h.ID, records...); err != nil {
				return nil, err
			}
		}
		if err := unlock(); err != nil {
			return nil, err
		}
		ids = append(ids, h.ID)
	}
	return ids, nil
}

// Small adds finished runs of one case to a store, an hour apart.
func Small(ctx context.Context, file string, runs int) error {
	s, err := store.Open(ctx, file)
	if err != nil {
		return err
	}
	defer s.Close()
	questions, answers := rand.New(rand.NewPCG(3, 0)), rand.New(rand.NewPCG(4, 0))
	for i := range runs {
		h := header(0, fmt.Sprintf("small %d", i), 1)
		h.ID = fmt.Sprintf("20261001-080000000-small%05d", i)
		h.Started = begun.Add(time.Duration(i-2*runs) * time.Hour)
		h.Finished = h.Started.Add(time.Minute)
		if err := s.CreateRun(ctx, h); err != nil {
			return err
		}
		if err := s.Put(ctx, h.ID, record(0, questions, answers)); err != nil {
			return err
		}
	}
	return nil
}

// batch is how many records are written at once.
const batch = 500

func header(run int, name string, cases int) assay.Header {
	h := assay.Header{
		ID: fmt.Sprintf("2026110%d-080000000-benchrun", run+1), Name: name, Started: begun, Finished: begun.Add(time.Hour), State: "finished",
		Version: "bench", Seed: 7, Dataset: assay.DatasetInfo{Name: "bench", Hash: "sha256:00", Cases: cases},
		Target: assay.TargetInfo{Adapter: "recorded"}, Config: map[string]string{"level": "0.95"},
	}
	threshold := 0.05
	for i, m := range metrics {
		info := assay.MetricInfo{Name: m, Title: m, Better: "higher", Range: [2]float64{0, 1}, Version: 1}
		if i == len(metrics)-1 {
			info.Threshold = &threshold
		}
		h.Metrics = append(h.Metrics, info)
	}
	return h
}

// record returns a case and what the run made of it. One case in 200 has no response,
// one in 500 is critical.
func record(i int, questions, answers *rand.Rand) assay.Record {
	r := assay.Record{Seq: i, Attempts: 1, Scores: map[string]assay.Score{}, Case: assay.Case{
		ID: fmt.Sprintf("q%d", i), Question: "What does the " + words(questions, 12) + "?", Critical: i%500 == 0,
		Tags: []string{fmt.Sprintf("topic-%d", i%12), []string{"short", "long"}[i%2]},
		Want: assay.Want{Answers: []string{words(questions, 20)}, Documents: map[string]int{fmt.Sprintf("d%d", i*10): 1}},
	}}
	if answers.IntN(200) == 0 {
		r.Failure = &assay.Failure{Kind: "timeout", Message: "no response within 30s"}
		for _, m := range metrics {
			r.Scores[m] = assay.Score{State: assay.TargetError, Reason: "the target gave no response"}
		}
		return r
	}
	p := &assay.Response{Answer: words(answers, 40), Latency: time.Duration(50+answers.IntN(900)) * time.Millisecond}
	for rank := range 5 {
		p.Passages = append(p.Passages, assay.Passage{ID: fmt.Sprintf("p%d", rank), Document: fmt.Sprintf("d%d", i*10+answers.IntN(10)),
			Text: words(answers, 100), Score: 1 / float64(rank+1)})
	}
	asked, _ := json.Marshal(r.Case.Question) // texts can be written
	p.Trace = &assay.Trace{Stages: []assay.Stage{
		{Name: assay.StageRetrieve, Model: "bm25", Latency: 4 * time.Millisecond, Input: asked},
		{Name: assay.StageGenerate, Model: "bench", Latency: 40 * time.Millisecond, Input: asked},
	}}
	r.Response = p
	for _, m := range metrics {
		r.Scores[m] = assay.Value(float64(answers.IntN(101)) / 100)
	}
	return r
}

// words returns n words of a vocabulary of a few thousand.
func words(r *rand.Rand, n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = syllables[r.IntN(len(syllables))] + syllables[r.IntN(len(syllables))] + syllables[r.IntN(len(syllables))]
	}
	return strings.Join(out, " ")
}

var syllables = strings.Fields("ba ce di fo gu ha ji ko lu ma ne pi ro su te vo")
