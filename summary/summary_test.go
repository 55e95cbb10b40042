package summary_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

var (
	english = words.English

	ndcg = assay.MetricInfo{Name: "ndcg@10", Title: "nDCG@10", Better: "higher", Range: [2]float64{0, 1}}
	wer  = assay.MetricInfo{Name: "wer", Title: "WER", Better: "lower", Range: [2]float64{0, math.MaxFloat64}, Pooled: true}
)

func record(seq int, score assay.Score) assay.Record {
	r := assay.Record{
		Seq: seq, Case: assay.Case{ID: string(rune('a' + seq)), Question: "?"}, Attempts: 1,
		Response: &assay.Response{Answer: "so", Latency: time.Duration(seq+1) * time.Millisecond},
		Scores:   map[string]assay.Score{"ndcg@10": score},
	}
	if score.State == assay.TargetError {
		r.Response, r.Failure = nil, &assay.Failure{Kind: "timeout", Message: "no response in 30s"}
	}
	return r
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func TestEstimate(t *testing.T) {
	s := of([]assay.MetricInfo{ndcg}, []assay.Record{
		record(0, assay.Value(1)),
		record(1, assay.Value(0.5)),
		record(2, assay.Score{State: assay.TargetError}),
		record(3, assay.Score{State: assay.JudgeError, Reason: "unreadable"}),
		record(4, assay.None("no label")),
		record(5, assay.Score{State: assay.Abstained, Reason: "declined"}),
	}, 0.95)
	m := s.Metrics[0]
	near(t, "mean", m.Mean, 0.5)                   // (1 + 0.5 + 0)/3: the target's failure counts
	near(t, "mean of answered", *m.Answered, 0.75) // (1 + 0.5)/2
	near(t, "worst", m.Bounds.Lo, 1.5/4)           // the unreadable one is 0
	near(t, "best", m.Bounds.Hi, 2.5/4)            // or 1
	if m.N != 3 || m.Failed != 1 || m.TargetErrors != 1 || m.NotApplicable != 1 || m.Abstained != 1 {
		t.Errorf("counts: %+v", m.Estimate)
	}
	if s.Cases != 6 || s.OK != 5 || s.Errors != 1 {
		t.Errorf("cases %d, ok %d, errors %d; want 6, 5, 1", s.Cases, s.OK, s.Errors)
	}
}

// TestFailureNeverRaises: turning any score into a failure of the target must
// not raise the mean, nor its upper bound.
func TestFailureNeverRaises(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var all []assay.Record
		for i := range 8 {
			all = append(all, record(i, assay.Value(rng.Float64())))
		}
		before := of([]assay.MetricInfo{ndcg}, all, 0.95).Metrics[0]
		i := rng.IntN(len(all))
		all[i] = record(i, assay.Score{State: assay.TargetError})
		after := of([]assay.MetricInfo{ndcg}, all, 0.95).Metrics[0]
		if after.Mean > before.Mean+1e-12 || after.Bounds.Hi > before.Bounds.Hi+1e-12 || after.N != before.N {
			t.Fatalf("before %+v, after %+v", before.Estimate, after.Estimate)
		}
	}
}

func TestMissingScoreIsAFailure(t *testing.T) {
	r := record(0, assay.Value(1))
	delete(r.Scores, "ndcg@10")
	if m := of([]assay.MetricInfo{ndcg}, []assay.Record{r}, 0.95).Metrics[0]; m.Failed != 1 || m.N != 0 {
		t.Errorf("got %+v, want one failure", m.Estimate)
	}
}

func TestPooled(t *testing.T) {
	a, b := record(0, assay.Score{}), record(1, assay.Score{})
	a.Scores = map[string]assay.Score{"wer": assay.Ratio(1, 2)}
	b.Scores = map[string]assay.Score{"wer": assay.Ratio(1, 8)}
	m := of([]assay.MetricInfo{wer}, []assay.Record{a, b}, 0.95).Metrics[0]
	near(t, "pooled", m.Mean, 2.0/10) // not (1/2 + 1/8)/2
	// Two cases say little of others: the residuals are ±0.6 of 10 words, and Student's quantile of one degree of freedom
	// is 12.706.
	near(t, "lo", m.CI.Lo, 0)
	if want := 0.2 + 12.706*math.Sqrt(2*2*0.6*0.6)/10; math.Abs(m.CI.Hi-want) > 1e-3 {
		t.Errorf("hi %v, want %v", m.CI.Hi, want)
	}
}

func TestOrderDoesNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var all []assay.Record
	for i := range 20 {
		r := record(i, assay.Value(rng.Float64()))
		r.Case.Tags = []string{[]string{"x", "y"}[i%2]}
		r.Case.Critical = i%5 == 0
		all = append(all, r)
	}
	want := of([]assay.MetricInfo{ndcg}, all, 0.95)
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	if d := cmp.Diff(want, of([]assay.MetricInfo{ndcg}, all, 0.95)); d != "" {
		t.Error(d)
	}
	if len(want.Tags) != 2 || want.Tags[0].Tag != "x" || want.Tags[0].Cases != 10 || want.Critical != 4 {
		t.Errorf("tags %+v, critical %d", want.Tags, want.Critical)
	}
}

func TestLatency(t *testing.T) {
	var all []assay.Record
	for i := range 5 {
		all = append(all, record(i, assay.Value(1))) // 1 to 5 ms
	}
	all[4].Slow = true
	l := of(nil, all, 0.95).Latency
	want := summary.Latency{N: 5, Mean: 3 * time.Millisecond, P50: 3 * time.Millisecond,
		P95: 4800 * time.Microsecond, P99: 4960 * time.Microsecond, Slow: 1}
	if d := cmp.Diff(want, l); d != "" {
		t.Error(d)
	}
}

func TestWarnings(t *testing.T) {
	s := of([]assay.MetricInfo{ndcg}, []assay.Record{record(0, assay.None("no label"))}, 0.95)
	if len(s.Warnings) != 1 || s.Warnings[0] != "ndcg@10 measured on no case: no label" {
		t.Errorf("got %q", s.Warnings)
	}
	// One reason of several is not that of all.
	failed := func(i int, reason string) assay.Record {
		return record(i, assay.Score{State: assay.JudgeError, Reason: reason})
	}
	s = of([]assay.MetricInfo{ndcg}, []assay.Record{failed(0, "a timeout"), failed(1, `the reply "b" says nothing`),
		failed(2, `the reply "c" says nothing`), record(3, assay.Value(1))}, 0.95)
	if want := `ndcg@10 could not be computed for 3 of 4 cases, most often (2 of 3 times): such as the reply "b" says nothing`; !slices.Contains(s.Warnings, want) {
		t.Errorf("got %q, want %q", s.Warnings, want)
	}
	s = of([]assay.MetricInfo{ndcg}, []assay.Record{record(0, assay.None("no label")), record(1, assay.None("no document")),
		record(2, assay.None("no label"))}, 0.95)
	if want := "ndcg@10 measured on no case, most often (2 of 3 times): no label"; !slices.Contains(s.Warnings, want) {
		t.Errorf("got %q, want %q", s.Warnings, want)
	}
}

// What scores 0 in every response alike is more often a mistake in reading.
func TestWarningsOfMisreading(t *testing.T) {
	t.Parallel()
	const empty = "every answer is empty"
	anonymous := []assay.Passage{{Text: "one"}, {Text: "two"}}
	labelled := assay.Want{Documents: map[string]int{"a.md": 1}}
	for _, c := range []struct {
		name      string
		want      assay.Want
		responses []*assay.Response
		warnings  []string
	}{
		{"both", labelled, []*assay.Response{{Passages: anonymous}, {Answer: " ", Passages: anonymous}, nil}, []string{empty}},
		{"one says it", labelled,
			[]*assay.Response{{Passages: anonymous}, {Answer: "yes", Passages: []assay.Passage{{Source: "a.md"}, {Text: "two"}}}}, nil},
		{"no labels", assay.Want{}, []*assay.Response{{Answer: "yes", Passages: anonymous}}, nil},
		{"retrieves only, and found nothing", labelled, []*assay.Response{{NoAnswer: true, Passages: []assay.Passage{}}}, nil},
		{"failed", labelled, []*assay.Response{nil}, nil},
	} {
		var records []assay.Record
		for i, r := range c.responses {
			records = append(records, assay.Record{Seq: i, Case: assay.Case{Want: c.want}, Response: r})
		}
		got := of(nil, records, 0.95).Warnings
		if len(got) != len(c.warnings) {
			t.Errorf("%s: %q", c.name, got)
			continue
		}
		for i := range got {
			if !strings.HasPrefix(got[i], c.warnings[i]) {
				t.Errorf("%s: %q, want %q", c.name, got[i], c.warnings[i])
			}
		}
	}
}

// A stage that no response tells of loses nothing, which is no merit.
func TestWarningsOfStagesThatNobodyTellsOf(t *testing.T) {
	t.Parallel()
	var metrics []assay.MetricInfo
	for _, s := range assay.LossStages() {
		metrics = append(metrics, assay.MetricInfo{Name: "lost_at." + s, Better: "lower", Range: [2]float64{0, 1}})
	}
	of := func(stages ...assay.Stage) string {
		r := assay.Record{Response: &assay.Response{Answer: "a", Passages: []assay.Passage{{Text: "a"}},
			Trace: &assay.Trace{Stages: stages}}, Scores: map[string]assay.Score{}}
		for _, m := range metrics {
			r.Scores[m.Name] = assay.Ratio(0, 1)
		}
		return strings.Join(of(metrics, []assay.Record{r}, 0.95).Warnings, "\n")
	}
	if got := of(); !strings.HasPrefix(got, "lost_at.transcribe, lost_at.decompose, lost_at.filter, lost_at.pack: no response tells what "+
		"transcribe or decompose or filter or pack put out") {
		t.Errorf("nothing told: %q", got)
	}
	list := func(v any) json.RawMessage {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	passages := list([]assay.Passage{{Text: "a"}})
	if got := of(assay.Stage{Name: assay.StageTranscribe, Output: list("q")},
		assay.Stage{Name: assay.StageDecompose, Output: list([]string{"q"})},
		assay.Stage{Name: assay.StageFilter, Output: passages}, assay.Stage{Name: assay.StageGenerate, Input: passages}); got != "" {
		t.Errorf("everything told: %q", got)
	}
	// How long it took is not what it kept.
	if got := of(assay.Stage{Name: assay.StageTranscribe}, assay.Stage{Name: assay.StageDecompose},
		assay.Stage{Name: assay.StageFilter}, assay.Stage{Name: assay.StageGenerate, Input: passages}); !strings.HasPrefix(got,
		"lost_at.filter: no response tells what filter put out") {
		t.Errorf("a filter without output: %q", got)
	}
}

// comparison sets 30 cases side by side in which the second run is better by
// 0.1 in each, or equal.
func comparison(gain float64) summary.Comparison {
	var a, b []assay.Record
	for i := range 30 {
		v := 0.3 + float64(i%7)/20
		a = append(a, record(i, assay.Value(v)))
		b = append(b, record(i, assay.Value(v+gain*float64(i%3))))
	}
	slices.Reverse(b) // pairs are found by id
	runs := []recorded{{Name: "dense", Records: a}, {Name: "hybrid", Records: b}}
	return compare([]assay.MetricInfo{ndcg}, runs, summary.Plan{Level: 0.95, Seed: 1})
}

func TestCompare(t *testing.T) {
	c := comparison(0.1)
	d := c.Rows[0].Differences[0]
	near(t, "diff", d.Diff, 0.1) // gains of 0, 0.1 and 0.2, ten of each
	if d.Wins != 20 || d.Ties != 10 || d.Losses != 0 || d.N != 30 {
		t.Errorf("got %+v", d)
	}
	if !summary.Shown(d) {
		t.Errorf("20 gains and no loss are not shown: p = %v", d.PAdjusted)
	}
	sentence := english.Difference(c, c.Rows[0], 1)
	if !strings.HasPrefix(sentence, "hybrid improves nDCG@10 by ") || !strings.Contains(sentence, "n = 30") {
		t.Errorf("got %q", sentence)
	}
	if got := english.Difference(comparison(0), c.Rows[0], 1); !strings.Contains(got, "hybrid") {
		t.Errorf("got %q", got)
	}
}

func TestCompareSaysWhenNothingCanBeShown(t *testing.T) {
	c := comparison(0)
	if got := english.Difference(c, c.Rows[0], 1); !strings.HasPrefix(got, "No difference in nDCG@10 can be shown") {
		t.Errorf("got %q", got)
	}
}

func TestCompareDropsUnpaired(t *testing.T) {
	a := []assay.Record{record(0, assay.Value(1)), record(1, assay.Score{State: assay.JudgeError})}
	b := []assay.Record{record(0, assay.Score{State: assay.TargetError}), record(1, assay.Value(1))}
	c := compare([]assay.MetricInfo{ndcg}, []recorded{{Records: a}, {Records: b}}, summary.Plan{Level: 0.95, Seed: 1})
	d := c.Rows[0].Differences[0]
	if d.N != 1 || d.Dropped != 1 || d.Diff != -1 {
		t.Errorf("got %+v, want one pair of difference -1 and one dropped", d)
	}
}

// Three cases: 1, unknown between 0.2 and 0.6, unknown altogether. The mean is
// of the one that is known; all three give (1 + 0.2 + 0)/3 to (1 + 0.6 + 1)/3.
func TestBoundsTakeWhatIsKnownOfAFailedCase(t *testing.T) {
	half := assay.Score{State: assay.JudgeError, Reason: "half", Lower: 0.2, Upper: 0.6}
	records := []assay.Record{record(0, assay.Value(1)), record(1, half), record(2, assay.Score{State: assay.JudgeError, Reason: "none"})}
	e := of([]assay.MetricInfo{ndcg}, records, 0.95).Metrics[0]
	near(t, "mean", e.Mean, 1)
	near(t, "lower", e.Bounds.Lo, 0.4)
	near(t, "upper", e.Bounds.Hi, 2.6/3)
	if e.Failed != 2 {
		t.Errorf("failed %d: want 2", e.Failed)
	}
}
