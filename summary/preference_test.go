package summary_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/summary"
)

func judged(id string, first, second int) assay.Preference {
	return assay.Preference{Case: id, How: assay.PreferenceJudged, Value: float64(second-first) / 2, Orders: &[2]int{first, second}}
}

// valued makes a run with a score for each case, "0", "1", ….
func valued(values ...float64) *columns.Table {
	var records []assay.Record
	for i, v := range values {
		records = append(records, assay.Record{Seq: i, Case: assay.Case{ID: fmt.Sprint(i)}, Response: &assay.Response{},
			Scores: map[string]assay.Score{"m": assay.Value(v)}})
	}
	return columns.Of(records)
}

var pointwise = assay.MetricInfo{Name: "m", Title: "M", Better: "higher", Range: [2]float64{0, 1}, Version: 1}

func TestPreferences(t *testing.T) {
	t.Parallel()
	c := summary.Comparison{Runs: []string{"a", "b"}, Level: 0.95}
	cases := []assay.Preference{
		judged("0", -1, 1), // b in both orders
		judged("1", 0, 1),  // b in one order
		judged("2", 1, 1),  // the first place
		judged("3", 1, -1), // a
		{Case: "4", How: assay.PreferenceEqual, Declined: [2]bool{true, true}},
		{Case: "5", How: assay.PreferenceFailed, Value: 1},
		{Case: "6", How: assay.PreferenceUnjudged},
		judged("7", 0, 0),                                   // neither, twice; not among the cases of the metric
		{Case: "8", How: assay.PreferenceFailed},            // both
		{Case: "9", How: assay.PreferenceFailed, Value: -1}, // b
		{Case: "10", How: assay.PreferenceFailed},           // both
		judged("11", -1, 1),
		{Case: "12", How: assay.PreferenceUnjudged, Addressed: true},
	}
	// The metric: up, up, up, up, the same, up, up.
	runs := []*columns.Table{valued(0, 0, 0, 0, 0, 0, 0), valued(1, 0.5, 1, 1, 0, 1, 1)}
	got := c.OfPreferences(assay.JudgeInfo{}, []summary.Preferred{{Old: 0, New: 1, Cases: cases}}, runs, pointwise, 1)
	p := got.Pairs[0]
	if p.N != 11 || p.Better != 4 || p.Same != 5 || p.Worse != 2 || p.Once != 1 || p.Opposed != 1 || p.Judged != 6 || p.Equal != 1 ||
		p.Unjudged != 2 || p.Addressed != 1 || p.Failed != [2]int{1, 1} || p.BothFailed != 2 || p.Declined != [2]int{1, 1} {
		t.Errorf("%+v", p)
	}
	// (1 + 0.75 + 0.5 + 0 + 0.5 + 1 + 0.5 + 0.5 + 0 + 0.5 + 1)/11 and, of the places, (0 + 0.5 + 1 + 0 + 0 + 0)/6.
	if math.Abs(p.Rate-6.25/11) > 1e-12 || p.Bias.N != 6 || math.Abs(p.Bias.Bias-1.5/6) > 1e-12 || got.Bias.Bias != p.Bias.Bias {
		t.Errorf("rate %v, bias %+v, of all %+v", p.Rate, p.Bias, got.Bias)
	}
	// The same verdict in cases 0, 1, 4 and 5; the opposite one in 3.
	a := p.Agreement
	if a == nil || a.N != 6 || a.Same != 4 || !reflect.DeepEqual(a.Against, []string{"3"}) || got.Baseline {
		t.Errorf("%+v", a)
	}
	// By hand, linear weights: observed disagreement (½ + 1)/6; the judge has 3, 2, 1 of better, same, worse, the
	// metric 5, 1, 0: expected (3·(1·½) + 2·(5·½) + 1·(5·1 + 1·½))/36.
	if want := 1 - (1.5/6)/(12./36); a.Kappa == nil || math.Abs(*a.Kappa-want) > 1e-12 {
		t.Errorf("kappa %v, want %v", a.Kappa, want)
	}
	lower := pointwise
	lower.Better = "lower"
	found := []summary.Preferred{{Old: 0, New: 1, Cases: cases}}
	if a := c.OfPreferences(assay.JudgeInfo{}, found, runs, lower, 1).Pairs[0].Agreement; a.Same != 2 {
		t.Errorf("less is better: %+v", a)
	}
	if none := c.OfPreferences(assay.JudgeInfo{}, found, runs, assay.MetricInfo{}, 1); none.Pairs[0].Agreement != nil {
		t.Errorf("without a metric: %+v", none.Pairs[0].Agreement)
	}
}

// TestPreferencesSwap: with the runs in the other order, every verdict is the other way round
// and nothing else changes.
// Without a judged pair there is no position bias, and no p-value of it.
func TestNoPositionBiasOfNoPairs(t *testing.T) {
	t.Parallel()
	c := summary.Comparison{Runs: []string{"a", "b"}, Level: 0.95}
	cases := []assay.Preference{{Case: "0", How: assay.PreferenceEqual}, {Case: "1", How: assay.PreferenceUnjudged}}
	runs := []*columns.Table{valued(0, 0), valued(1, 1)}
	out, err := json.Marshal(c.OfPreferences(assay.JudgeInfo{}, []summary.Preferred{{Old: 0, New: 1, Cases: cases}}, runs, pointwise, 1))
	if err != nil || strings.Contains(string(out), "position_bias") {
		t.Errorf("%s %v", out, err)
	}
}

func TestPreferencesSwap(t *testing.T) {
	t.Parallel()
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 5))
		k := 2 + int(seed%2)
		var there, back summary.Comparison
		there.Level, back.Level = 0.95, 0.95
		var runs, turned []*columns.Table
		n := 5 + rng.IntN(40)
		for i := range k {
			there.Runs = append(there.Runs, fmt.Sprint("run", i))
			back.Runs = append(back.Runs, fmt.Sprint("run", k-1-i))
			values := make([]float64, n)
			for v := range values {
				values[v] = float64(rng.IntN(3)) / 2
			}
			runs = append(runs, valued(values...))
		}
		for i := range k {
			turned = append(turned, runs[k-1-i])
		}
		var found, swapped []summary.Preferred
		for i := range k {
			for j := i + 1; j < k; j++ {
				var cases, other []assay.Preference
				for c := range n {
					one := judged(fmt.Sprint(c), rng.IntN(3)-1, rng.IntN(3)-1)
					if rng.IntN(9) == 0 {
						one = assay.Preference{Case: one.Case, How: assay.PreferenceFailed, Value: float64(rng.IntN(3) - 1)}
					}
					if seed%3 == 0 {
						one.Cluster = fmt.Sprint("g", c/2)
					}
					cases, other = append(cases, one), append(other, turnedCase(one))
				}
				found = append(found, summary.Preferred{Old: i, New: j, Cases: cases})
				swapped = append(swapped, summary.Preferred{Old: k - 1 - j, New: k - 1 - i, Cases: other})
			}
		}
		x := there.OfPreferences(assay.JudgeInfo{}, found, runs, pointwise, 1)
		y := back.OfPreferences(assay.JudgeInfo{}, swapped, turned, pointwise, 1)
		near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
		for i := range x.Pairs {
			p, q := x.Pairs[i], y.Pairs[i]
			s := q
			s.Better, s.Worse, s.Rate = q.Worse, q.Better, 1-q.Rate
			ok := p.Old == q.New && p.New == q.Old && near(p.Rate, s.Rate) && p.Better == s.Better && p.Worse == s.Worse && p.Same == s.Same &&
				near(p.PAdjusted, s.PAdjusted) && p.Shown() == q.Shown() && p.Opposed == q.Opposed && p.Once == q.Once &&
				near(p.Bias.Bias, q.Bias.Bias) && p.Failed == [2]int{q.Failed[1], q.Failed[0]} &&
				p.BothFailed == q.BothFailed && p.Agreement.Same == q.Agreement.Same &&
				reflect.DeepEqual(p.Agreement.Against, q.Agreement.Against)
			if !ok {
				t.Errorf("seed %d, pair %d:\n%+v\n%+v", seed, i, p, q)
			}
		}
	}
}

func TestPreferencesBesideTheFirst(t *testing.T) {
	t.Parallel()
	c := summary.Comparison{Runs: []string{"a", "b", "c"}, Level: 0.95}
	runs := []*columns.Table{valued(0, 0), valued(0, 0), valued(0, 0)}
	win := []assay.Preference{judged("0", -1, 1), judged("1", 1, 1)}
	got := c.OfPreferences(assay.JudgeInfo{}, []summary.Preferred{{0, 1, win}, {0, 2, win}}, runs, assay.MetricInfo{}, 1)
	if !got.Baseline || got.Bias.N != 4 {
		t.Errorf("%+v", got)
	}
}

// turnedCase is the preference with the old run as the new one.
func turnedCase(p assay.Preference) assay.Preference {
	p.Value = 0 - p.Value
	if p.Orders != nil {
		p.Orders = &[2]int{p.Orders[1], p.Orders[0]}
	}
	if p.How == assay.PreferenceJudged {
		p.Reasons = [2]string{p.Reasons[1], p.Reasons[0]}
	}
	p.Declined = [2]bool{p.Declined[1], p.Declined[0]}
	return p
}
