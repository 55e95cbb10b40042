package summary_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

var (
	mrr = assay.MetricInfo{Name: "mrr", Title: "MRR", Better: "higher", Range: [2]float64{0, 1}}
	cer = assay.MetricInfo{Name: "cer", Title: "CER", Better: "lower", Range: [2]float64{0, math.MaxFloat64}}
)

// rated makes the record of a case, the n-th of its run.
func rated(n int, c assay.Case, scores map[string]float64) assay.Record {
	r := assay.Record{Seq: n, Attempts: 1, Case: c, Response: &assay.Response{}, Scores: map[string]assay.Score{}}
	for name, v := range scores {
		r.Scores[name] = assay.Value(v)
	}
	return r
}

// scored makes a run of the cases c0, c1, … with these values of a metric.
func scored(name string, m assay.MetricInfo, values ...float64) recorded {
	run := recorded{Name: name}
	for i, v := range values {
		run.Records = append(run.Records, rated(i, assay.Case{ID: fmt.Sprintf("c%d", i)}, map[string]float64{m.Name: v}))
	}
	return run
}

func repeat(v float64, n int) []float64 { return slices.Repeat([]float64{v}, n) }

// Draws are averaged first, and cases are paired by what their draws share:
// a has (0.2 + 0.6)/2 = 0.4 in the old run and 0.9 in the new, b 0.5 and
// (0 + 1)/2 = 0.5. c is in the old run only, d in the new, and e could not be
// judged in the new.
func TestPairsOfDraws(t *testing.T) {
	t.Parallel()
	a, b := assay.Case{ID: "a"}, assay.Case{ID: "b", Group: "g"}
	old := []assay.Record{
		rated(0, a.Repeated(0), map[string]float64{"mrr": 0.2}), rated(1, a.Repeated(1), map[string]float64{"mrr": 0.6}),
		rated(2, b, map[string]float64{"mrr": 0.5}), rated(3, assay.Case{ID: "c"}, map[string]float64{"mrr": 1}),
		rated(4, assay.Case{ID: "e"}, map[string]float64{"mrr": 1}),
	}
	failed := rated(4, assay.Case{ID: "e"}, nil)
	failed.Scores["mrr"] = assay.Score{State: assay.JudgeError}
	new := []assay.Record{
		failed, rated(3, assay.Case{ID: "d"}, map[string]float64{"mrr": 1}),
		rated(1, b.Repeated(0), map[string]float64{"mrr": 0}), rated(2, b.Repeated(1), map[string]float64{"mrr": 1}),
		rated(0, a, map[string]float64{"mrr": 0.9}),
	}
	pairs, dropped := pairsOf(mrr, old, new)
	want := []stats.Pair{{Old: 0.4, New: 0.9, Width: 1, Case: "a"}, {Old: 0.5, New: 0.5, Cluster: "g", Width: 1, Case: "b"}}
	for i := range pairs {
		pairs[i].Old = math.Round(1e9*pairs[i].Old) / 1e9
	}
	if d := cmp.Diff(want, pairs); d != "" || dropped != 3 {
		t.Errorf("%s\ndropped %d", d, dropped)
	}
}

// A baseline remembers no groups: those of the other side count, whichever it is.
func TestPairsOfTakeGroupsFromEitherSide(t *testing.T) {
	t.Parallel()
	bare := []assay.Record{rated(0, assay.Case{ID: "a"}, map[string]float64{"mrr": 1})}
	grouped := []assay.Record{rated(0, assay.Case{ID: "a", Group: "g"}, map[string]float64{"mrr": 1})}
	for _, sides := range [][2][]assay.Record{{bare, grouped}, {grouped, bare}} {
		if pairs, _ := pairsOf(mrr, sides[0], sides[1]); len(pairs) != 1 || pairs[0].Cluster != "g" {
			t.Errorf("pairs %+v", pairs)
		}
	}
}

// The family has what was tested: with a metric that no case has, three tests are two.
// 10 gains of 10 have p = 2/2^10, also beside a run that does not differ: no sign
// pattern makes it look different.
func TestFamilyCountsWhatWasTested(t *testing.T) {
	t.Parallel()
	none := assay.MetricInfo{Name: "none", Title: "None", Better: "higher", Range: [2]float64{0, 1}}
	a, b, c := scored("a", mrr, repeat(0.1, 10)...), scored("b", mrr, repeat(0.3, 10)...), scored("c", mrr, repeat(0.1, 10)...)
	for i := range a.Records {
		for _, r := range []recorded{a, b, c} {
			r.Records[i].Scores["none"] = assay.None("no label")
		}
	}
	got := compare([]assay.MetricInfo{none, mrr}, []recorded{a, b, c}, summary.Plan{Level: 0.95, Seed: 1})
	if got.Tests != 2 || got.Rows[0].Differences[0].N != 0 || got.Rows[0].Differences[0].PAdjusted != 1 {
		t.Errorf("%d tests, %+v", got.Tests, got.Rows[0].Differences)
	}
	near(t, "p", got.Rows[1].Differences[0].PAdjusted, 2.0/1024)
	near(t, "p of equals", got.Rows[1].Differences[1].PAdjusted, 1)
}

func TestUnpaired(t *testing.T) {
	t.Parallel()
	a, b := scored("a", mrr, 1, 0), scored("b", mrr, 1)
	far := recorded{Name: "far", Records: []assay.Record{rated(0, assay.Case{ID: "other"}, nil)}}
	if err := unpaired([]recorded{a, b}); err != nil {
		t.Error(err)
	}
	if err := unpaired([]recorded{a, b, far}); err == nil || !strings.Contains(err.Error(), `"a" and "far" share no case`) {
		t.Errorf("%v: want both runs named", err)
	}
	if err := unpaired([]recorded{{Name: "new"}, a}); err == nil || err.Error() != `"new" has no finished case to compare` {
		t.Errorf("%v: want the run without cases named", err)
	}
	if err := unpaired(nil); err != nil {
		t.Error(err)
	}
	// A draw is of its case.
	drawn := recorded{Name: "drawn", Records: []assay.Record{rated(0, assay.Case{ID: "c0"}.Repeated(2), nil)}}
	if err := unpaired([]recorded{a, drawn}); err != nil {
		t.Error(err)
	}
}

// 60 cases: "easy" is the first 25, which gain 0.2 each; "hard" the next 25,
// which stay; "few" the first 19, "some" the first 24, and "all" have all. Of three tests
// that of "some" has rank 2, after "easy": Benjamini and Hochberg multiply its p by
// 3/2.
func TestSlices(t *testing.T) {
	t.Parallel()
	var a, b recorded
	a.Name, b.Name = "old", "new"
	for i := range 60 {
		c := assay.Case{ID: fmt.Sprintf("c%02d", i), Tags: []string{"all"}}
		gain := 0.0
		if i < 25 {
			c.Tags, gain = append(c.Tags, "easy"), 0.2
		} else if i < 50 {
			c.Tags = append(c.Tags, "hard")
		}
		if i < 19 {
			c.Tags = append(c.Tags, "few")
		}
		if i < 24 {
			c.Tags = append(c.Tags, "some")
		}
		a.Records = append(a.Records, rated(i, assay.Case{ID: c.ID}, map[string]float64{"mrr": 0.5})) // a baseline has no tags
		b.Records = append(b.Records, rated(i, c, map[string]float64{"mrr": 0.5 + gain}))
	}
	got := compare([]assay.MetricInfo{mrr}, []recorded{a, b}, summary.Plan{Level: 0.95, Seed: 1})
	if len(got.Slices) != 4 || got.Slices[0].Tag != "easy" || got.Slices[1].Tag != "few" || got.Slices[2].Tag != "hard" {
		t.Fatalf("slices %+v: want those that not all cases have, by name", got.Slices)
	}
	easy, few, hard, some := got.Slices[0], got.Slices[1], got.Slices[2], got.Slices[3].Rows[0].Differences[0]
	d := easy.Rows[0].Differences[0]
	near(t, "gain", d.Diff, 0.2)
	near(t, "old mean of a run without tags", easy.Rows[0].Estimates[0].Mean, 0.5)
	near(t, "adjusted", some.PAdjusted, 1.5*some.P)
	if !easy.Tested || easy.Cases != 25 || !summary.Shown(d) || d.P > 0.001 {
		t.Errorf("easy: %+v", easy)
	}
	if f := few.Rows[0].Differences[0]; few.Tested || few.Cases != 19 || f.P != 1 || summary.Shown(f) || f.N != 19 {
		t.Errorf("few: %+v", few)
	}
	near(t, "few", few.Rows[0].Differences[0].Diff, 0.2)
	if !hard.Tested || summary.Shown(hard.Rows[0].Differences[0]) {
		t.Errorf("hard: %+v", hard)
	}
	// The table is not corrected for slices.
	near(t, "the table", got.Rows[0].Differences[0].PAdjusted, got.Rows[0].Differences[0].P)
}

// timed gives every response of a run a latency and a cost.
func timed(r recorded, latency time.Duration, cost int64) recorded {
	for i := range r.Records {
		r.Records[i].Response = &assay.Response{Latency: latency, Usage: assay.Usage{Cost: cost}}
	}
	return r
}

func TestStandings(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	low, high := repeat(0.4, 30), repeat(0.6, 30)
	uneven := timed(scored("a", mrr, repeat(1, 60)...), 30*ms, 0)
	for i := range 20 {
		uneven.Records[i].Response = &assay.Response{Latency: 10 * ms}
	}
	type place struct {
		dominated string
		tied      []string
	}
	for _, test := range []struct {
		name   string
		metric assay.MetricInfo
		runs   []recorded
		want   []place
	}{
		{"better, slower: both on the front", mrr, []recorded{
			timed(scored("a", mrr, low...), 10*ms, 0), timed(scored("b", mrr, high...), 20*ms, 0),
		}, []place{{}, {}}},
		{"better and as fast, within what is noise", mrr, []recorded{
			timed(scored("a", mrr, low...), 10*ms, 0), timed(scored("b", mrr, high...), 10900*time.Microsecond, 0),
		}, []place{{dominated: "b"}, {}}},
		{"tied, and cheaper", mrr, []recorded{
			timed(scored("a", mrr, low...), 10*ms, 50), timed(scored("b", mrr, low...), 10*ms, 20),
		}, []place{{dominated: "b", tied: []string{"b"}}, {tied: []string{"a"}}}},
		{"tied, cheaper, with a lower mean", mrr, []recorded{
			timed(scored("a", mrr, append(repeat(0.4, 29), 0.5)...), 10*ms, 50), timed(scored("b", mrr, low...), 10*ms, 20),
		}, []place{{tied: []string{"b"}}, {tied: []string{"a"}}}},
		{"tied, cheaper, slower", mrr, []recorded{
			timed(scored("a", mrr, low...), 10*ms, 50), timed(scored("b", mrr, low...), 20*ms, 20),
		}, []place{{tied: []string{"b"}}, {tied: []string{"a"}}}},
		{"equal in everything", mrr, []recorded{
			timed(scored("a", mrr, low...), 10*ms, 50), timed(scored("b", mrr, low...), 10*ms, 50),
		}, []place{{tied: []string{"b"}}, {tied: []string{"a"}}}},
		{"what one does not tell is no advantage", mrr, []recorded{
			timed(scored("a", mrr, low...), 10*ms, 0), timed(scored("b", mrr, high...), 10*ms, 20),
		}, []place{{}, {}}},
		{"times that nobody waits for are the same", mrr, []recorded{
			timed(scored("a", mrr, low...), ms/25, 0), timed(scored("b", mrr, high...), 4*ms, 0),
		}, []place{{dominated: "b"}, {}}},
		{"faster and better over its own cases, worse over those of both", mrr, []recorded{
			timed(scored("a", mrr, append(repeat(1, 30), repeat(0, 30)...)...), 30*ms, 0), timed(scored("b", mrr, append(repeat(1, 29), 0)...), 10*ms, 0),
		}, []place{{tied: []string{"b"}}, {tied: []string{"a"}}}},
		{"slow only in cases that the other lacks", mrr, []recorded{
			uneven, timed(scored("b", mrr, repeat(1, 20)...), 10*ms, 0),
		}, []place{{tied: []string{"b"}}, {tied: []string{"a"}}}},
		{"nobody tells more than quality", mrr, []recorded{scored("a", mrr, low...), scored("b", mrr, high...)},
			[]place{{dominated: "b"}, {}}},
		{"less is better", cer, []recorded{scored("a", cer, low...), scored("b", cer, high...)}, []place{{}, {dominated: "a"}}},
		{"runs are tested against each other, not only against the first", mrr, []recorded{
			scored("a", mrr, low...), scored("b", mrr, high...), scored("c", mrr, high...), scored("d", mrr, repeat(0.9, 30)...),
		}, []place{{dominated: "d"}, {dominated: "d", tied: []string{"c"}}, {dominated: "d", tied: []string{"b"}}, {}}},
	} {
		c := compare([]assay.MetricInfo{test.metric}, test.runs, summary.Plan{Level: 0.95, Seed: 1})
		if c.Primary != test.metric.Name || len(c.Standings) != len(test.runs) {
			t.Errorf("%s: by %q, %+v", test.name, c.Primary, c.Standings)
			continue
		}
		for i, s := range c.Standings {
			if s.Run != test.runs[i].Name || s.Dominated != test.want[i].dominated || !slices.Equal(s.Tied, test.want[i].tied) {
				t.Errorf("%s: %+v, want %+v", test.name, s, test.want[i])
			}
		}
	}
}

// TestRunsAtOneEndDiffer: of two runs with the same 30 hits, or 30 misses, either can be the better one by a tenth.
func TestRunsAtOneEndDiffer(t *testing.T) {
	t.Parallel()
	for _, at := range []float64{0, 1} {
		runs := []recorded{scored("a", mrr, repeat(at, 30)...), scored("b", mrr, repeat(at, 30)...)}
		for _, test := range []stats.Test{stats.SignFlip, stats.StudentT} {
			d := compare([]assay.MetricInfo{mrr}, runs, summary.Plan{Level: 0.95, Seed: 1, Test: test}).Rows[0].Differences[0]
			if d.CI == nil || math.Abs(d.CI.Lo+0.0997) > 0.001 || math.Abs(d.CI.Hi-0.0997) > 0.001 || d.TCI != nil {
				t.Errorf("all %v, %q: %v, of t %v: want -0.1 to 0.1, and none", at, test, d.CI, d.TCI)
			}
		}
	}
}

func TestStandingsTellCostAndLatency(t *testing.T) {
	t.Parallel()
	a := timed(scored("a", mrr, 1, 1, 1), 30*time.Millisecond, 0)
	a.Records[0].Response.Latency, a.Records[0].Response.Usage.Cost = 10*time.Millisecond, 100
	a.Records[1].Response = nil // it failed, and cost what nobody knows
	c := compare([]assay.MetricInfo{mrr}, []recorded{a, scored("b", mrr, 1, 1, 1)}, summary.Plan{Level: 0.95, Seed: 1})
	s := c.Standings[0]
	if s.Cost == nil || *s.Cost != 50 || s.Latency == nil || *s.Latency != 20*time.Millisecond {
		t.Errorf("got %+v: want 100/2 a response, and the median of 10 and 30 ms", s)
	}
	if s := c.Standings[1]; s.Cost != nil || s.Latency != nil {
		t.Errorf("got %+v: want neither", s)
	}
}

func TestRank(t *testing.T) {
	t.Parallel()
	composite := assay.MetricInfo{Name: assay.CompositeName, Title: "Composite", Better: "higher", Range: [2]float64{0, 1}}
	a, b := scored("a", mrr, repeat(0.4, 30)...), scored("b", mrr, repeat(0.6, 30)...)
	for i := range a.Records {
		a.Records[i].Scores[composite.Name], b.Records[i].Scores[composite.Name] = assay.Value(0.7), assay.Value(0.5)
	}
	runs := []recorded{a, b}
	c := compare([]assay.MetricInfo{mrr, composite}, runs, summary.Plan{Level: 0.95, Seed: 1})
	if c.Primary != composite.Name || c.Standings[1].Dominated != "a" {
		t.Errorf("by %q: %+v, want the composite, in which a is better", c.Primary, c.Standings)
	}
	metrics := []assay.MetricInfo{mrr, composite}
	c = compare(metrics, runs, summary.Plan{Level: 0.95, Seed: 1, Primary: "mrr"})
	if c.Primary != "mrr" || !c.Declared || c.Standings[0].Dominated != "b" || c.Standings[1].Dominated != "" {
		t.Errorf("by %q: %+v, want MRR, in which b is better", c.Primary, c.Standings)
	}
	if err := summary.CanLead(metrics, "mrr"); err != nil {
		t.Error(err)
	}
	want := `"wer" is not compared: expected one of ["mrr" "composite"]`
	if err := summary.CanLead(metrics, "wer"); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v: want the metric named", err)
	}
	if c = compare(metrics, runs, summary.Plan{Level: 0.95, Seed: 1, Primary: "wer"}); c.Declared || c.Primary != composite.Name {
		t.Errorf("by %q: want the default", c.Primary)
	}
}

// The order of records and of runs' completion changes nothing.
func TestCompareIsTheSameInAnyOrder(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	var a, b recorded
	for i := range 40 {
		c := assay.Case{ID: fmt.Sprint(i), Tags: []string{fmt.Sprint("t", i%2)}, Group: fmt.Sprint("g", i/2)}
		a.Records = append(a.Records, rated(i, c, map[string]float64{"mrr": rng.Float64()}))
		b.Records = append(b.Records, rated(i, c, map[string]float64{"mrr": rng.Float64()}))
	}
	metrics := []assay.MetricInfo{mrr}
	want := compare(metrics, []recorded{a, b}, summary.Plan{Level: 0.95, Seed: 7})
	for range 3 {
		rng.Shuffle(40, func(i, j int) { a.Records[i], a.Records[j] = a.Records[j], a.Records[i] })
		rng.Shuffle(40, func(i, j int) { b.Records[i], b.Records[j] = b.Records[j], b.Records[i] })
		if d := cmp.Diff(want, compare(metrics, []recorded{a, b}, summary.Plan{Level: 0.95, Seed: 7})); d != "" {
			t.Fatal(d)
		}
	}
	if got := want.Rows[0].Clusters; len(got) != 1 || got[0] != 20 {
		t.Errorf("clusters %v: want 20 groups of two", got)
	}
}

func TestPooledMetricsSayHowTheyAreCompared(t *testing.T) {
	t.Parallel()
	pooled := mrr
	pooled.Pooled = true
	runs := []recorded{scored("a", mrr, 1, 0), scored("b", mrr, 1, 1)}
	c := compare([]assay.MetricInfo{pooled}, runs, summary.Plan{Level: 0.95, Seed: 1})
	if w := c.Rows[0].Differences[0].Warnings; !slices.Contains(w, stats.Warning{Kind: stats.MeansOfCases}) {
		t.Errorf("warnings %q", w)
	}
}

// n cases that all get better have p = 2/2ⁿ: 2/2⁶ = 0.031 is below 0.05, 2/2⁵ is
// not; 2/2⁸ = 0.0078 is below 0.01, 2/2⁷ is not.
func TestLeastCases(t *testing.T) {
	t.Parallel()
	for level, want := range map[float64]int{0.9: 5, 0.95: 6, 0.99: 8} {
		if got := stats.LeastClusters(1 - level); got != want {
			t.Errorf("%v: %d cases, want %d", level, got, want)
		}
		pairs := make([]stats.Pair, want)
		for i := range pairs {
			pairs[i].New = float64(i + 1)
		}
		if d := stats.CompareAll([][]stats.Pair{pairs}, level, 1)[0]; !summary.Shown(d) {
			t.Errorf("%v: %d cases that all get better show nothing: p %v", level, want, d.P)
		}
		d := stats.CompareAll([][]stats.Pair{pairs[1:]}, level, 1)[0]
		if _, ok := summary.Detects(assay.MetricInfo{Range: [2]float64{0, 100}}, d); ok || summary.Shown(d) {
			t.Errorf("%v: %d cases are said to show something: %+v", level, want-1, d)
		}
	}
}

// TestFewDifferIsTrueOfItsRow: the note stands only beside a difference that is not shown and of
// which few cases, or groups where there are some, differ.
func TestFewDifferIsTrueOfItsRow(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		cases, up, down, groups int
		want                    bool
	}{
		{60, 24, 0, 0, false}, {60, 15, 15, 0, false}, {60, 3, 3, 0, true}, {60, 6, 0, 0, false}, {60, 0, 0, 0, true},
		// 8 of 10 groups differ, and 8 of 60 cases.
		{60, 4, 4, 10, false},
	} {
		old, new := repeat(0, test.cases), repeat(0, test.cases)
		for i := range test.up {
			new[i] = 1
		}
		for i := range test.down {
			old[test.up+i] = 1
		}
		a, b := scored("a", mrr, old...), scored("b", mrr, new...)
		for i := range a.Records {
			if test.groups > 0 {
				g := fmt.Sprintf("g%d", i%test.groups)
				a.Records[i].Case.Group, b.Records[i].Case.Group = g, g
			}
		}
		d := compare([]assay.MetricInfo{mrr}, []recorded{a, b}, summary.Plan{Level: 0.95, Seed: 1}).Rows[0].Differences[0]
		few := slices.ContainsFunc(d.Warnings, func(w stats.Warning) bool { return w.Kind == stats.FewDiffer || w.Kind == stats.CannotBeSignificant })
		if few != test.want {
			t.Errorf("%+v: %v, p = %v", test, d.Warnings, d.P)
		}
	}
}
