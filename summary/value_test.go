package summary_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/summary"
)

func TestValues(t *testing.T) {
	t.Parallel()
	ratio := assay.MetricInfo{Name: "m", Better: "higher", Range: [2]float64{0, 1}}
	lower := assay.MetricInfo{Name: "m", Better: "lower", Range: [2]float64{0, 1}}
	open := assay.MetricInfo{Name: "m", Better: "lower", Range: [2]float64{0, math.MaxFloat64}}
	boundless := assay.MetricInfo{Name: "m", Better: "higher", Range: [2]float64{-math.MaxFloat64, math.MaxFloat64}}
	unread := assay.Score{State: assay.JudgeError, Reason: "unreadable"}
	// The judge ruled on 3 of 5 claims: two bear out, one does not.
	partly := assay.Score{State: assay.JudgeError, Lower: 0.4, Upper: 0.8}
	// It ruled on 5 of 6, and 4 bear out: the value is 4/5, and 4/6 to 5/6 is
	// what it could be.
	mostly := assay.Score{State: assay.Scored, Value: 0.8, Lower: 4. / 6, Upper: 5. / 6}
	failed := assay.Score{State: assay.TargetError}
	one := func(id string, s assay.Score) assay.Record {
		return assay.Record{Case: assay.Case{ID: id}, Scores: map[string]assay.Score{"m": s}}
	}
	drawn := func(c assay.Case, scores ...assay.Score) []assay.Record {
		var out []assay.Record
		for i, s := range scores {
			out = append(out, assay.Record{Case: c.Repeated(i), Scores: map[string]assay.Score{"m": s}})
		}
		return out
	}
	known := func(id string, v float64) summary.Value {
		return summary.Value{Case: id, Mean: v, Known: 1, Draws: 1, Lower: v, Upper: v}
	}
	for _, test := range []struct {
		name    string
		metric  assay.MetricInfo
		records []assay.Record
		want    []summary.Value
	}{
		{"nothing", ratio, nil, nil},
		{"known", ratio, []assay.Record{one("a", assay.Value(0.5)), one("b", assay.Value(0))}, []summary.Value{known("a", 0.5), known("b", 0)}},
		{"what does not apply is left out", ratio,
			[]assay.Record{one("a", assay.None("no label")), one("b", assay.Score{State: assay.Abstained}),
				one("c", assay.Value(1))}, []summary.Value{known("c", 1)}},
		{"a target that fails has the worst value", ratio, []assay.Record{one("a", failed)},
			[]summary.Value{{Case: "a", Known: 1, Draws: 1, Failed: 1}}},
		{"where less is better it has none", lower, []assay.Record{one("a", failed)}, []summary.Value{{Case: "a", Draws: 1, Upper: 1}}},
		{"a judge that failed leaves the range", ratio, []assay.Record{one("a", unread)}, []summary.Value{{Case: "a", Draws: 1, Upper: 1}}},
		{"a score that is missing does too", ratio, []assay.Record{{Case: assay.Case{ID: "a"}}},
			[]summary.Value{{Case: "a", Draws: 1, Upper: 1}}},
		{"a judge that ruled on a part leaves less", ratio, []assay.Record{one("a", partly)},
			[]summary.Value{{Case: "a", Draws: 1, Lower: 0.4, Upper: 0.8}}},
		{"and on most of it too", ratio, []assay.Record{one("a", mostly)},
			[]summary.Value{{Case: "a", Mean: 0.8, Known: 1, Draws: 1, Lower: 4. / 6, Upper: 5. / 6}}},
		{"bounds that do not hold the value say nothing", ratio, []assay.Record{one("a", assay.Score{State: assay.Scored, Value: 0.5})},
			[]summary.Value{known("a", 0.5)}},
		// (1 + 0 + 0.5)/3
		{"draws are averaged", ratio, drawn(assay.Case{ID: "a"}, assay.Value(1), assay.Value(0), assay.Value(0.5)),
			[]summary.Value{{Case: "a", Mean: 0.5, Known: 3, Draws: 3, Lower: 0.5, Upper: 0.5}}},
		// Known: (1 + 0.5)/2; with the third at 0.4 and at 0.8: 1.9/3 and 2.3/3.
		{"a draw that is not known", ratio, drawn(assay.Case{ID: "a"}, assay.Value(1), partly, assay.Value(0.5)),
			[]summary.Value{{Case: "a", Mean: 0.75, Known: 2, Draws: 3, Lower: 1.9 / 3, Upper: 2.3 / 3}}},
		{"a draw that declines does not count", ratio, drawn(assay.Case{ID: "a"}, assay.Value(1), assay.Score{State: assay.Abstained}),
			[]summary.Value{known("a", 1)}},
		{"groups stay", ratio, drawn(assay.Case{ID: "a", Group: "g"}, assay.Value(1)),
			[]summary.Value{{Case: "a", Group: "g", Mean: 1, Known: 1, Draws: 1, Lower: 1, Upper: 1}}},
		{"a group named after a case stays one", ratio,
			append(drawn(assay.Case{ID: "a", Group: "a"}, assay.Value(1)), one("b", assay.None("")),
				assay.Record{Case: assay.Case{ID: "c", Group: "a"}}),
			[]summary.Value{{Case: "a", Group: "a", Mean: 1, Known: 1, Draws: 1, Lower: 1, Upper: 1}, {Case: "c", Group: "a", Draws: 1, Upper: 1}}},
		{"a range without an end leaves that end open", open,
			append(drawn(assay.Case{ID: "a"}, unread, unread, assay.Value(3)), one("b", assay.Value(2))),
			[]summary.Value{{Case: "a", Mean: 3, Known: 1, Draws: 3, Lower: 1, Upper: math.MaxFloat64, Open: true}, known("b", 2)}},
		{"unless the judge ruled on a part", open, []assay.Record{one("a", partly)},
			[]summary.Value{{Case: "a", Draws: 1, Lower: 0.4, Upper: 0.8}}},
		{"two open ends", boundless, drawn(assay.Case{ID: "a"}, unread, assay.Value(1), unread),
			[]summary.Value{{Case: "a", Mean: 1, Known: 1, Draws: 3, Lower: -math.MaxFloat64, Upper: math.MaxFloat64, Open: true}}},
		{"huge values stay numbers", boundless, drawn(assay.Case{ID: "a"}, assay.Value(1.5e308), assay.Value(1.5e308)),
			[]summary.Value{{Case: "a", Mean: math.MaxFloat64, Known: 2, Draws: 2, Lower: math.MaxFloat64, Upper: math.MaxFloat64}}},
	} {
		for i := range test.records {
			test.records[i].Seq = i
		}
		for i := range test.want {
			test.want[i].Ends = test.metric.Range
		}
		got := summary.Values(test.metric, columns.Of(test.records))
		near := cmp.Comparer(func(a, b float64) bool { return a == b || math.Abs(a-b) < 1e-12 })
		if diff := cmp.Diff(test.want, got, near, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", test.name, diff)
		}
	}
}

// The order of the records, which is that of completion, decides nothing.
func TestValuesInOrderOfTheDataset(t *testing.T) {
	t.Parallel()
	m := assay.MetricInfo{Name: "m", Better: "higher", Range: [2]float64{0, 1}}
	records := []assay.Record{
		{Seq: 1, Case: assay.Case{ID: "b"}, Scores: map[string]assay.Score{"m": assay.Value(1)}},
		{Seq: 0, Case: assay.Case{ID: "a"}, Scores: map[string]assay.Score{"m": assay.Value(0)}},
	}
	got := summary.Values(m, columns.Of(records))
	if len(got) != 2 || got[0].Case != "a" || got[1].Case != "b" || records[0].Seq != 1 {
		t.Errorf("values %+v of records %+v, want those of a and b, and the records as they were", got, records)
	}
	if v := got[0]; !v.Settled() || (summary.Value{Draws: 1, Upper: 1}).Settled() {
		t.Errorf("settled: %+v", v)
	}
}
