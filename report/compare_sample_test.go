package report_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
)

var (
	mrr       = assay.MetricInfo{Name: "mrr", Title: "MRR", Better: "higher", Range: ratio, Version: 1}
	hit5      = assay.MetricInfo{Name: "hit@5", Title: "Hit@5", Better: "higher", Range: ratio, Version: 1}
	precision = assay.MetricInfo{Name: "precision@5", Title: "Precision@5", Better: "higher", Range: ratio, Version: 1}
)

// strategies makes three runs of 60 cases with the metrics of retrieval: dense
// is a little better than sparse, hybrid much better on half of the cases, which
// have the tag "names". Each is dearer and slower than the one before.
func strategies(t testing.TB) *report.Comparison {
	t.Helper()
	var reports []*report.Report
	for k, name := range []string{"sparse", "dense", "hybrid"} {
		rng := rand.New(rand.NewPCG(3, uint64(k)))
		base := rand.New(rand.NewPCG(9, 9))
		h := header(name, mrr, recall, hit5, precision)
		h.ID, h.Dataset.Cases, h.Dataset.Total = fmt.Sprintf("run-%d", k), 60, 60
		var records []assay.Record
		for i := range 60 {
			// rank is where the first relevant document stands, from 1; 9 is nowhere.
			rank := 1 + base.IntN(9)
			if i < 8 {
				rank = 9
			}
			names := i%2 == 1
			switch {
			case name == "hybrid" && names:
				rank = max(1, rank-4)
			case name != "sparse" && rank < 9:
				rank = max(1, rank-rng.IntN(2)+rng.IntN(2))
			}
			found, reciprocal := 0.0, 0.0
			if rank <= 5 {
				found = 1
			}
			if rank < 9 {
				reciprocal = 1 / float64(rank)
			}
			tag := "facts"
			if names {
				tag = "names"
			}
			answer := answered("An answer by "+name+".", time.Duration(10+20*k)*time.Millisecond, passages("doc.md", "A passage."))
			answer.Usage = assay.Usage{Cost: int64(120 * (k + 1))}
			records = append(records, assay.Record{
				Seq: i, Attempts: 1, Started: start, Response: answer,
				Answer: map[float64]assay.Correctness{0: assay.AnswerWrong, 1: assay.AnswerRight}[found],
				Case:   assay.Case{ID: fmt.Sprintf("q%02d", i+1), Question: fmt.Sprintf("Which part has the number %d?", i+1), Tags: []string{tag}},
				Scores: map[string]assay.Score{"mrr": assay.Value(reciprocal), "recall@5": assay.Value(found), "hit@5": assay.Value(found),
					"precision@5": assay.Value(found / 5)},
			})
		}
		reports = append(reports, report.New(h, records))
	}
	return comparison(t, reports)
}

// remembered makes of a run what a baseline file keeps of it: the scores, by
// case, and what they were measured on.
func remembered(r *report.Report) *report.Report {
	h := assay.Header{ID: r.Header.ID, Name: "main", Version: r.Header.Version, State: "finished", Dataset: r.Header.Dataset,
		Metrics: r.Header.Metrics}
	var records []assay.Record
	for _, rec := range held(r) {
		records = append(records, assay.Record{Seq: rec.Seq, Case: assay.Case{ID: rec.Case.ID}, Scores: rec.Scores})
	}
	return report.New(h, records)
}

// repeated gives every case of a run a second draw, whose scores are those of
// the next case.
func repeated(r *report.Report) *report.Report {
	var records []assay.Record
	for i, rec := range held(r) {
		next := held(r)[(i+1)%len(held(r))]
		again := rec
		rec.Case, again.Case = rec.Case.Repeated(0), rec.Case.Repeated(1)
		again.Scores = next.Scores
		rec.Seq, again.Seq = 2*i, 2*i+1
		records = append(records, rec, again)
	}
	return report.New(r.Header, records)
}
