package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/store"
)

// storedRun stores a finished run with n records.
func storedRun(t *testing.T, s *store.Store, n int) assay.Header {
	t.Helper()
	half := 0.5
	h := assay.Header{ID: "run", Started: time.Unix(1, 0).UTC(), Finished: time.Unix(2, 0).UTC(), State: "finished",
		Dataset: assay.DatasetInfo{Name: "d", Cases: n}, Warnings: []string{"of the header"},
		Metrics: []assay.MetricInfo{
			{Name: "recall@5", Title: "Recall", Better: "higher", Range: [2]float64{0, 1}, Documents: assay.ByDocuments, Threshold: &half},
			{Name: "m", Title: "M", Better: "higher", Range: [2]float64{0, 1}},
		}}
	if err := s.CreateRun(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		r := assay.Record{Seq: i, Attempts: 1,
			Case: assay.Case{ID: fmt.Sprint("case ", i), Question: fmt.Sprint("What is ", i), Tags: []string{"t"},
				Critical: i == 1, Want: assay.Want{Documents: map[string]int{"a": 1}}},
			Response: &assay.Response{Answer: "so", Latency: time.Duration(i) * time.Millisecond, Warnings: []string{"cut at 7"},
				Passages: []assay.Passage{{Document: "b", Text: "text"}},
				Trace:    &assay.Trace{Stages: []assay.Stage{{Name: "retrieve", Latency: time.Millisecond}}}},
			Scores:      map[string]assay.Score{"recall@5": assay.Value(0), "m": assay.Value(float64(i) / 10)},
			Attribution: &assay.Attribution{Failed: true, Stage: "retrieve", Facts: []assay.Fact{{ID: "a", Lost: "retrieve"}}}}
		if i == 2 {
			r.Response, r.Failure = nil, &assay.Failure{Kind: "timeout", Message: "long"}
			r.Scores = map[string]assay.Score{"m": {State: assay.TargetError, Reason: "timeout"}}
		}
		if err := s.Put(t.Context(), h.ID, r); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// TestKeptFromColumns: a report from the stored columns is that of the records, whichever
// way the columns came to be missing or wrong.
func TestKeptFromColumns(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	h := storedRun(t, s, 8)
	source := stored{t.Context(), s, h.ID}
	want, err := report.Of(h, source)
	if err != nil {
		t.Fatal(err)
	}
	derived := func() bool {
		_, _, err := keptCases(t.Context(), s, h)
		if err != nil && !errors.Is(err, errDeriveAgain) {
			t.Fatal(err)
		}
		return err == nil
	}
	columns := func() []store.Column {
		all, err := s.Columns(t.Context(), h.ID, caseColumns.name)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	put := func(all []store.Column) {
		if err := s.PutColumns(t.Context(), h.ID, caseColumns.name, all); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name  string
		spoil func()
	}{
		{"none", func() {}},
		{"fewer records", func() { all := columns(); all[0].N--; put(all) }},
		{"another version", func() { all := columns(); all[0].Name = "report/0"; put(all) }},
		{"no derived", func() { put(columns()[1:]) }},
		{"cut", func() { all := columns(); all[1].Body = all[1].Body[:3]; put(all) }},
		{"a part too few", func() { put(columns()[:1]) }},
		{"no JSON", func() { all := columns(); all[0].Body = []byte("{"); put(all) }},
	} {
		name := c.name
		c.spoil()
		if derived() {
			t.Fatalf("%s: there are columns", name)
		}
		for _, again := range []bool{false, true} {
			if derived() != again {
				t.Fatalf("%s: columns stored: %v", name, !again)
			}
			got, err := Kept(t.Context(), s, h)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range report.Formats {
				if d := cmp.Diff(render(t, f, want), render(t, f, got)); d != "" {
					t.Errorf("%s, from columns %v, %s (-records +got):\n%s", name, again, f.Name, d)
				}
			}
			a, _ := json.Marshal(want.Summary)
			if b, _ := json.Marshal(got.Summary); !bytes.Equal(a, b) {
				t.Errorf("%s: summary\n%s, want\n%s", name, b, a)
			}
		}
	}
}

func render(t *testing.T, f report.Format, r *report.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(&b, r, report.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
