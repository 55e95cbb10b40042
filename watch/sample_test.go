package watch

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/spans"
)

// TestDrawn: the share that is drawn is the rate, whatever the ids look like; two watches draw
// apart, and a lower rate draws of what a higher one does.
func TestDrawn(t *testing.T) {
	const n = 20_000
	for _, rate := range []float64{0.01, 0.1, 0.5} {
		var one, both int
		for i := range n {
			// Counted ids, as of a system that does not draw them by chance.
			id := fmt.Sprintf("%032x", i)
			if !drawn("a", id, rate) {
				continue
			}
			one++
			if !drawn("a", id, min(1, rate*2)) {
				t.Fatalf("%s is drawn at %v and not at %v", id, rate, rate*2)
			}
			if drawn("b", id, rate) {
				both++
			}
		}
		// Five standard deviations.
		for got, want := range map[int]float64{one: rate, both: rate * rate} {
			if d := math.Abs(float64(got) - n*want); d > 5*math.Sqrt(n*want) {
				t.Errorf("rate %v: %d of %d are drawn, want about %v", rate, got, n, n*want)
			}
		}
	}
	if !drawn("a", "x", 1) {
		t.Error("a rate of 1 draws all")
	}
}

func waiting(stratum string, orders ...uint64) (out []Waiting) {
	for _, o := range orders {
		out = append(out, Waiting{ID: fmt.Sprint(stratum, o), Stratum: stratum, Order: o, Asked: time.Unix(int64(1000-o), 0)})
	}
	return out
}

func ids(list []Waiting) (out []string) {
	for _, w := range list {
		out = append(out, w.ID)
	}
	return out
}

// TestChoose: as many of each kind are judged on a day; of a kind those with the lowest order.
func TestChoose(t *testing.T) {
	for name, test := range map[string]struct {
		waiting        []Waiting
		today          map[string]int
		most           int
		round, skipped []string // by time, and the order is against the time
	}{
		"all":         {append(waiting("a", 3, 1), waiting("b", 2)...), nil, 9, []string{"a3", "b2", "a1"}, nil},
		"none":        {waiting("a", 1), nil, 0, nil, []string{"a1"}},
		"balanced":    {append(waiting("a", 1, 2, 3, 4, 5), waiting("b", 8, 9)...), nil, 4, []string{"b9", "b8", "a2", "a1"}, []string{"a5", "a4", "a3"}},
		"one is rare": {append(waiting("a", 4, 3, 2, 1), waiting("b", 9)...), nil, 4, []string{"b9", "a3", "a2", "a1"}, []string{"a4"}},
		"made up for": {append(waiting("a", 1, 2), waiting("b", 8, 9)...), map[string]int{"a": 5}, 2, []string{"b9", "b8"}, []string{"a2", "a1"}},
	} {
		st := State{Waiting: test.waiting}
		for kind, n := range test.today {
			st.stratum(kind).Today = n
		}
		round, skipped := st.choose(test.most)
		if d := cmp.Diff([2][]string{test.round, test.skipped}, [2][]string{ids(round), ids(skipped)}); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// TestAfford: the budget is spent evenly over the day.
func TestAfford(t *testing.T) {
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		hour          float64
		budget, today int64
		total         Counts
		cases         int
		most          int64
	}{
		"without a budget":           {12, 0, 77, Counts{Judged: 7, Cost: 77}, 200, 0},
		"half of the day":            {12, 10_000_000, 0, Counts{Judged: 100, Cost: 1_000_000}, 200, 5_000_000},
		"some is spent":              {12, 10_000_000, 4_000_000, Counts{Judged: 100, Cost: 1_000_000}, 100, 1_000_000},
		"ahead of the day":           {12, 10_000_000, 5_000_001, Counts{Judged: 100, Cost: 1_000_000}, 0, 0},
		"at midnight":                {0, 10_000_000, 0, Counts{Judged: 100, Cost: 1_000_000}, 0, 0},
		"the first round":            {12, 10_000_000, 0, Counts{}, firstRound, 5_000_000},
		"a judge that costs nothing": {12, 10_000_000, 0, Counts{Judged: 100}, 200, 5_000_000},
		"less than one costs":        {12, 1000, 0, Counts{Judged: 1, Cost: 501}, 0, 500},
	} {
		st := State{Settings: Defaults(), Total: test.total, Today: Counts{Cost: test.today}}
		st.Settings.Budget = test.budget
		// Another zone has another midnight.
		now := day.Add(time.Duration(test.hour * float64(time.Hour))).In(time.FixedZone("", 9*3600))
		cases, most := st.afford(now)
		if cases != test.cases || most != test.most {
			t.Errorf("%s: %d cases for %d, want %d for %d", name, cases, most, test.cases, test.most)
		}
	}
}

func TestKind(t *testing.T) {
	trace := []spans.Span{
		{Trace: "t", ID: "2", Parent: "1", Name: "retrieve", Start: time.Unix(2, 0), Attributes: map[string]any{"http.route": "/inner", "only": true}},
		{Trace: "t", ID: "1", Name: "ask", Start: time.Unix(1, 0), Attributes: map[string]any{"http.route": "/ask"}},
	}
	e := &spans.Exchange{Case: assay.Case{Question: "退款需要多少天才能到账？"}}
	for by, want := range map[string]string{
		"": "", ByLanguage: "zh", ByName: "ask", "http.route": "/ask", "only": "true", "missing": "none",
	} {
		if got := kind(by, trace, e); got != want {
			t.Errorf("by %q: %q, want %q", by, got, want)
		}
	}
}

// TestManyKinds: the exchanges of further kinds are of one.
func TestManyKinds(t *testing.T) {
	var st State
	for i := range 50 {
		st.stratum(fmt.Sprintf("k%02d", 49-i)).Sampled++
	}
	if n := len(st.Strata); n != mostStrata+1 || st.stratum(OtherStrata).Sampled != 50-mostStrata || st.stratum("k49").Sampled != 1 {
		t.Errorf("%d kinds: %+v", n, st.Strata)
	}
}

// TestAdmit: what a round could not take any more does not wait, and the rest is what choose
// would have taken of all.
func TestAdmit(t *testing.T) {
	st := State{Settings: Settings{Most: 3}}
	all := append(waiting("a", 7, 3, 9, 1, 8, 2), waiting("b", 5)...)
	kept := 0
	for _, w := range all {
		if st.admit(w) {
			kept++
		}
	}
	whole := State{Waiting: all}
	want, _ := whole.choose(3)
	got, _ := st.choose(3)
	if d := cmp.Diff(want, got); d != "" || len(st.Waiting) != 4 || kept != 6 || st.Total.Skipped != 3 || st.stratum("a").Skipped != 3 {
		t.Errorf("%d wait, %d were kept, %+v: %s", len(st.Waiting), kept, st.Total, d)
	}
}
