package storetest

import (
	"testing"

	"github.com/assay-eval/assay"
)

// formerNames: a run that was stored under the former name of a metric is read under its
// present one, and its checksums hold.
func formerNames(t *testing.T, p Place) {
	s := open(t, p)
	h := Header(1)
	h.Metrics = []assay.MetricInfo{{Name: "umbrela_mrr@5"}, {Name: "mrr"}}
	r := Record(0)
	r.Scores = map[string]assay.Score{"umbrela_mrr@5": assay.Value(0.5), "mrr": assay.Value(1)}
	if err := s.CreateRun(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	if err := s.Put(t.Context(), h.ID, r); err != nil {
		t.Fatal(err)
	}
	got, err := s.Run(t.Context(), h.ID)
	if err != nil || got.Metrics[0].Name != "graded_mrr@5" || got.Metrics[1].Name != "mrr" {
		t.Errorf("metrics %+v, %v: want graded_mrr@5 and mrr", got.Metrics, err)
	}
	rec, err := s.Record(t.Context(), h.ID, r.Case.ID)
	if err != nil || len(rec.Scores) != 2 || rec.Scores["graded_mrr@5"].Value != 0.5 || rec.Scores["mrr"].Value != 1 {
		t.Errorf("scores %+v, %v: want graded_mrr@5 and mrr", rec.Scores, err)
	}
}
