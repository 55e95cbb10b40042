package wire_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/query"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/store"
)

// TestSelectCases: lists are the same whether they are filtered, ordered or as they are,
// and the pages of a list are its parts, also beyond what is read at once.
func TestSelectCases(t *testing.T) {
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	h := assay.Header{
		ID: "20261121-133409123-abcdefgh", State: "running", Started: time.Date(2026, 11, 21, 13, 34, 9, 0, time.UTC),
		Metrics: []assay.MetricInfo{{Name: "mrr", Better: "higher", Range: [2]float64{0, 1}}}, Config: map[string]string{"gate.critical": "all"},
	}
	if err := s.CreateRun(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	const n = 450
	var records []assay.Record
	for i := range n {
		records = append(records, assay.Record{
			Seq: i, Case: assay.Case{ID: fmt.Sprintf("c%d", i), Question: "q", Tags: []string{[]string{"even", "odd"}[i%2]}},
			Attempts: 1, Started: h.Started,
			Response: &assay.Response{Passages: []assay.Passage{{ID: "p"}}}, Scores: map[string]assay.Score{"mrr": assay.Value(float64(n-i) / n)},
		})
	}
	if err := s.Put(t.Context(), h.ID, records...); err != nil {
		t.Fatal(err)
	}
	list := func(h assay.Header, where, sort string) (*wire.CaseList, error) {
		q, err := query.Parse(where)
		if err != nil {
			t.Fatal(err)
		}
		order, err := query.ParseOrder(sort, wire.CaseVocabulary(h))
		if err != nil {
			t.Fatal(err)
		}
		return wire.SelectCases(t.Context(), s, h, nil, nil, q, order)
	}
	for _, test := range []struct {
		where, sort              string
		selected                 int
		first, second, last, end int
	}{
		{"", "", n, 0, 1, n - 1, n},
		{"critical:yes", "", n, 0, 1, n - 1, n},
		{"", "mrr", n, n - 1, n - 2, 0, -1},
		{"tag:odd", "-seq", n / 2, n - 1, n - 3, 1, -1},
		{"tag:odd", "", n / 2, 1, 3, n - 1, n + 1},
	} {
		l, err := list(h, test.where, test.sort)
		if err != nil || l.Recorded != n || l.Selected != test.selected {
			t.Errorf("%q by %q: %+v, %v: want %d", test.where, test.sort, l, err, test.selected)
			continue
		}
		for _, whole := range []bool{false, true} {
			var got []assay.Record
			for r, err := range l.Read(t.Context(), 0, 0, whole) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, r)
			}
			if len(got) != test.selected || got[0].Seq != test.first || got[1].Seq != test.second || got[len(got)-1].Seq != test.last {
				t.Errorf("%q by %q: %d from %d: want %d from %d, %d to %d", test.where, test.sort, len(got), got[0].Seq, test.selected,
					test.first, test.second, test.last)
			}
			if !got[0].Case.Critical || (got[0].Response.Passages != nil) != whole {
				t.Errorf("%q by %q: %+v: want a critical case, whole %t", test.where, test.sort, got[0], whole)
			}
			for r, err := range l.Read(t.Context(), 1, 210, whole) {
				if err != nil || r.Seq != got[210].Seq {
					t.Errorf("%q by %q: %d, %v after 210: want %d", test.where, test.sort, r.Seq, err, got[210].Seq)
				}
			}
			for range l.Read(t.Context(), 5, test.selected, whole) {
				t.Errorf("%q by %q: a case after the last", test.where, test.sort)
			}
		}
	}
	// A tag that no case has is an error once no case can come any more.
	if l, err := list(h, "-tag:evn", ""); err != nil || l.Selected != n {
		t.Errorf("%+v, %v: want all cases of a run that goes on", l, err)
	}
	h.Finished = h.Started
	want := `column 6: no case has the tag "evn": did you mean "even"?`
	if _, err := list(h, "-tag:evn", ""); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v: want the tag that is meant", err)
	}
}
