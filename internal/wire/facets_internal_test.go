package wire

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/query"
	"github.com/assay-eval/assay/store"
)

// TestFacets: facets count what the filters of the same names select, of all cases and of
// some, and of a run that goes on.
func TestFacets(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	h := variedRun(t, s, 90)
	index, err := IndexCases(t.Context(), s, h)
	if err != nil {
		t.Fatal(err)
	}
	list := func(index *CaseIndex, where string) *CaseList {
		t.Helper()
		q, err := query.Parse(where)
		if err != nil {
			t.Fatal(err)
		}
		l, err := SelectCases(t.Context(), s, h, index, nil, q, query.Order{})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	for _, where := range []string{"", "mrr<0.5", "ferry -tag:easy", "status:ok status:error"} {
		f, err := list(index, where).Facets(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		same := func(filter string, n int) {
			t.Helper()
			if want := list(index, where+" "+filter).Selected; n != want {
				t.Errorf("%q: %d of %s, want %d", where, n, filter, want)
			}
		}
		for _, status := range []assay.Status{assay.StatusOK, assay.StatusFailed, assay.StatusError} {
			same("status:"+string(status), f.Status[status])
		}
		for _, answer := range []assay.Correctness{assay.AnswerRight, assay.AnswerWrong, assay.AnswerUnknown} {
			same("answer:"+string(answer), f.Answers[answer])
		}
		for _, stage := range []string{"retrieve", "generate"} {
			same("stage:"+stage, f.Stages[stage])
		}
		for _, tag := range []string{"easy", "hard"} {
			same("tag:"+tag, f.Tags[tag])
		}
		for _, m := range f.Metrics {
			sum := 0
			for _, n := range m.Bins {
				sum += n
			}
			same(m.Name+":value", m.N)
			if sum != m.N || m.Low != 0 || m.High != 1 {
				t.Errorf("%q: %+v: want all values between 0 and 1", where, m)
			}
			same(m.Name+">=0.95", m.Bins[FacetBins-1])
			same(m.Name+"<0.05", m.Bins[0])
		}
		without, err := list(nil, where).Facets(t.Context())
		if d := cmp.Diff(f, without); err != nil || d != "" {
			t.Errorf("%q without an index: %v\n%s", where, err, d)
		}
	}
}

// TestFacetOfUnboundedMetric: the bins of a metric without bounds are those of its values.
func TestFacetOfUnboundedMetric(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	h := variedRun(t, s, 30)
	index, err := IndexCases(t.Context(), s, h)
	if err != nil {
		t.Fatal(err)
	}
	source := &indexSource{Table: index.cases, index: index}
	m := h.Metrics[1]
	m.Range = [2]float64{-math.MaxFloat64, math.MaxFloat64}
	all := make([]int, source.Len())
	for row := range all {
		all[row] = row
	}
	f := facetOf(m, source, all)
	low, high, n := 2.0, -1.0, 0
	for row := range all {
		if v, ok := query.Value(m, source.Score(row, m.Name)); ok {
			low, high, n = min(low, v), max(high, v), n+1
		}
	}
	if f.Low != low || f.High != high || f.N != n || f.Bins[0] == 0 || f.Bins[FacetBins-1] == 0 {
		t.Errorf("%+v: want %d values from %v to %v", f, n, low, high)
	}
	if f := facetOf(m, source, nil); f.N != 0 || f.Low != 0 || f.High != 0 {
		t.Errorf("of no case: %+v", f)
	}
}
