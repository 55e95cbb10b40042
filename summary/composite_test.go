package summary_test

import (
	"maps"
	"math"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// Four cases of a composite of a (40 %), b (40 %), c (20 %) and d (0): the first has all
// parts, the second lacks a, the third lacks a and b, and the fourth failed. c is then
// 20 %, 1/3 and all, 23/45 on average; d is no part.
func TestShares(t *testing.T) {
	t.Parallel()
	weights := map[string]float64{assay.CompositeName: 0, "a": 0.4, "b": 0.4, "c": 0.2, "d": 0}
	var metrics []assay.MetricInfo
	for _, name := range []string{assay.CompositeName, "a", "b", "c", "d"} {
		metrics = append(metrics, assay.MetricInfo{Name: name, Better: "higher", Range: [2]float64{0, 1}, Weight: weights[name]})
	}
	none := assay.None("no label")
	failed := assay.Score{State: assay.TargetError}
	var records []assay.Record
	for _, s := range [][]assay.Score{
		{assay.Value(1), assay.Value(1), assay.Value(1), assay.Value(1), assay.Value(1)},
		{assay.Value(1), none, assay.Value(1), assay.Value(1), none},
		{assay.Value(1), none, {State: assay.Abstained}, assay.Value(1), assay.Value(1)},
		{failed, failed, failed, failed, failed},
	} {
		r := assay.Record{Response: &assay.Response{}, Scores: map[string]assay.Score{}}
		for i, m := range metrics {
			r.Scores[m.Name] = s[i]
		}
		records = append(records, r)
	}
	if got := summary.Shares(metrics, records[1]); !maps.Equal(got, map[string]float64{"b": 0.4 / (0.4 + 0.2), "c": 0.2 / (0.4 + 0.2)}) {
		t.Errorf("shares %v, want two thirds and one", got)
	}
	if got := summary.Shares(metrics, records[3]); got != nil {
		t.Errorf("shares %v of a case without a composite", got)
	}
	s := of(metrics, records, stats.DefaultLevel)
	want := map[string]float64{"a": 0.4 / 3, "b": (0.4 + 2./3) / 3, "c": 23. / 45}
	for _, m := range s.Metrics {
		w, ok := want[m.Name]
		if (m.Share != nil) != ok || ok && math.Abs(*m.Share-w) > 1e-12 {
			t.Errorf("%s has the share %v, want %v %t", m.Name, m.Share, w, ok)
		}
	}
	if names, _ := summary.Unweighed(s.Metrics); names != nil {
		t.Errorf("%v are in no score: want none", names)
	}
	s = of(metrics, records[2:], stats.DefaultLevel)
	if names, weight := summary.Unweighed(s.Metrics); len(names) != 2 || names[0] != "a" || names[1] != "b" || weight != 0.8 {
		t.Errorf("%v with %v of the weights are in no score: want a and b with 0.8", names, weight)
	}
}
