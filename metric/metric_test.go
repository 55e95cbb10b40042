package metric_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// def returns a definition that is complete; change alters it.
func def(change func(*metric.Def)) metric.Def {
	d := metric.Def{
		Name: "gain", Title: "Gain", Group: metric.Retrieval, Doc: "Doc.", Formula: "f", Edges: "Edges.", Source: "s", Range: [2]float64{0, 1},
		Version: 1,
		New:     func(metric.Params) metric.Func { return constant(assay.Value(0.5), nil) },
	}
	if change != nil {
		change(&d)
	}
	return d
}

func constant(s assay.Score, err error) metric.Func {
	return func(context.Context, metric.Input) (assay.Score, error) { return s, err }
}

func define(change func(*metric.Def)) *metric.Def {
	var set metric.Set
	return set.Define(def(change))
}

func parse(t *testing.T, d *metric.Def) metric.Metric {
	t.Helper()
	m, err := metric.NewCatalog(d).Parse(d.Name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func panics(f func()) (message any) {
	defer func() { message = recover() }()
	f()
	return nil
}

func TestDefineRefusesWhatIsIncomplete(t *testing.T) {
	t.Parallel()
	for field, change := range map[string]func(*metric.Def){
		"Name": func(d *metric.Def) { d.Name = "" }, "Title": func(d *metric.Def) { d.Title = "" }, "Group": func(d *metric.Def) { d.Group = "" },
		"Doc": func(d *metric.Def) { d.Doc = "" }, "Formula": func(d *metric.Def) { d.Formula = "" },
		"Edges":  func(d *metric.Def) { d.Edges = "" },
		"Source": func(d *metric.Def) { d.Source = "" },
		"New":    func(d *metric.Def) { d.New = nil },
		"Range":  func(d *metric.Def) { d.Range = [2]float64{1, 1} },
	} {
		m := panics(func() { define(change) })
		if s, ok := m.(string); !ok || !strings.HasSuffix(s, "has no "+field) {
			t.Errorf("without %s: panic %v", field, m)
		}
	}
	var set metric.Set
	set.Define(def(nil))
	if m := panics(func() { set.Define(def(nil)) }); m == nil {
		t.Error("a name may be taken twice in a set")
	}
	one, two := define(nil), define(nil)
	if m := panics(func() { metric.NewCatalog(one, two) }); m == nil {
		t.Error("a name may be taken twice in a catalog")
	}
}

func TestSetAndCatalogKeepOrder(t *testing.T) {
	t.Parallel()
	var set metric.Set
	for _, n := range []string{"c", "a", "b"} {
		set.Define(def(func(d *metric.Def) {
			d.Name = n
			if n == "c" {
				d.Group = metric.Answer
			}
		}))
	}
	names := func(defs []*metric.Def) (out []string) {
		for _, d := range defs {
			out = append(out, d.Name)
		}
		return out
	}
	if got := names(set.Defs()); !slices.Equal(got, []string{"c", "a", "b"}) {
		t.Errorf("the set holds %q", got)
	}
	c := metric.NewCatalog(set.Defs()...)
	if got := names(c.Defs()); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("the catalog holds %q: want the order of groups", got)
	}
	// What is returned is a copy.
	c.Defs()[0] = nil
	set.Defs()[0] = nil
	if c.Defs()[0] == nil || set.Defs()[0] == nil {
		t.Error("a change to a returned list changes the catalog or the set")
	}
}

func TestNeeds(t *testing.T) {
	t.Parallel()
	yes, said := true, "x"
	all := assay.Want{
		Answers: []string{}, Documents: map[string]int{}, Passages: []string{}, Keywords: []string{}, SubQuestions: []string{}, Transcript: &said,
		Answerable: &yes,
	}
	every := metric.NeedAnswers | metric.NeedDocuments | metric.NeedPassages | metric.NeedKeywords | metric.NeedSubQuestions |
		metric.NeedTranscript | metric.NeedAnswerable
	if got := every.Missing(all); got != nil {
		t.Errorf("labels that are there, though empty, are missing: %q", got)
	}
	if got := every.Names(); len(got) != 7 || !slices.Equal(got, every.Missing(assay.Want{})) {
		t.Errorf("seven labels have the names %q", got)
	}
	if got := (metric.NeedAnswers | metric.NeedKeywords).Missing(assay.Want{Keywords: []string{}}); !slices.Equal(got,
		[]string{"a reference answer"}) {
		t.Errorf("missing %q", got)
	}
	if got := metric.Need(0).Names(); got != nil {
		t.Errorf("no label has the names %q", got)
	}
}

func TestParts(t *testing.T) {
	t.Parallel()
	if got := (metric.ReadAnswer | metric.ReadTrace).Names(); !slices.Equal(got, []string{"the answer", "the trace"}) {
		t.Errorf("got %q", got)
	}
	if got := metric.ReadPassages.Names(); !slices.Equal(got, []string{"the passages"}) {
		t.Errorf("got %q", got)
	}
}

func TestInfo(t *testing.T) {
	t.Parallel()
	d := define(func(d *metric.Def) {
		d.Cutoff, d.Better, d.Unit, d.Range, d.Pooled, d.Estimate, d.Version = metric.RequiredCutoff, metric.Lower, "points", [2]float64{0, 100},
			true, true, 3
	})
	m, err := metric.NewCatalog(d).Parse("GAIN@05")
	if err != nil {
		t.Fatal(err)
	}
	want := assay.MetricInfo{Name: "gain@5", Title: "Gain@5", Better: "lower", Unit: "points", Range: [2]float64{0, 100}, Pooled: true,
		Estimate: true, Version: 3}
	if got := m.Info(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if metric.Higher.String() != "higher" {
		t.Errorf("higher is %q", metric.Higher.String())
	}
}

type embedder struct{ assay.Embedder }

// Score decides what applies before the metric is asked, in this order: the
// case's labels, the response, its parts, the embedder.
func TestScoreBeforeTheMetric(t *testing.T) {
	t.Parallel()
	d := define(func(d *metric.Def) {
		d.Needs, d.Reads, d.Embeds = metric.NeedAnswers|metric.NeedAnswerable, metric.ReadPassages|metric.ReadTrace, true
	})
	m := parse(t, d)
	yes := true
	unlabelled, labelled := &assay.Case{}, &assay.Case{Want: assay.Want{Answers: []string{}, Answerable: &yes}}
	halfLabelled := &assay.Case{Want: assay.Want{Answers: []string{}}}
	full := &assay.Response{Passages: []assay.Passage{}, Trace: &assay.Trace{}}
	for _, tc := range []struct {
		name   string
		in     metric.Input
		state  assay.State
		reason string
	}{
		{"no label, no response", metric.Input{Case: unlabelled}, assay.NotApplicable, "the case has no reference answer"},
		{"half the labels", metric.Input{Case: halfLabelled, Response: full}, assay.NotApplicable,
			"the case has no mark of whether it can be answered"},
		{"no response", metric.Input{Case: labelled}, assay.TargetError, "the target gave no response"},
		{"no passages", metric.Input{Case: labelled, Response: &assay.Response{}}, assay.NotApplicable, "the target reports no passages"},
		{"no trace", metric.Input{Case: labelled, Response: &assay.Response{Passages: []assay.Passage{}}}, assay.NotApplicable,
			"the target reports no trace"},
		{"no embedder", metric.Input{Case: labelled, Response: full}, assay.JudgeError, "no embedder is configured"},
		{"everything", metric.Input{Case: labelled, Response: full, Embedder: embedder{}}, assay.Scored, ""},
	} {
		if s := m.Score(t.Context(), tc.in); s.State != tc.state || s.Reason != tc.reason {
			t.Errorf("%s: %s, %q: want %s, %q", tc.name, s.State, s.Reason, tc.state, tc.reason)
		}
	}
	if ok, reason := m.Applies(labelled); !ok || reason != "" {
		t.Errorf("a case with every label: %v, %q", ok, reason)
	}
}

// A case whose answer a filter withheld stays in the bounds of the metrics that read the answer.
func TestScoreOfWithheldAnswer(t *testing.T) {
	t.Parallel()
	for _, reads := range []metric.Part{metric.ReadAnswer, metric.ReadPassages} {
		m := parse(t, define(func(d *metric.Def) {
			d.Reads, d.Range, d.New = reads, [2]float64{0, 2}, func(metric.Params) metric.Func { return constant(assay.Value(1), nil) }
		}))
		s := m.Score(t.Context(), metric.Input{Case: &assay.Case{}, Response: &assay.Response{Withheld: "SAFETY", Passages: []assay.Passage{}}})
		want := assay.Value(1)
		if reads == metric.ReadAnswer {
			want = assay.Score{State: assay.JudgeError, Upper: 2, Reason: "the target's server withheld the answer (SAFETY)"}
		}
		if !reflect.DeepEqual(s, want) {
			t.Errorf("a metric that reads %v: %+v, want %+v", reads.Names(), s, want)
		}
	}
}

// Whatever a metric returns, the result has a state, is finite and in range.
func TestScoreMendsTheMetric(t *testing.T) {
	t.Parallel()
	scored := func(v, lower, upper float64) assay.Score {
		return assay.Score{State: assay.Scored, Value: v, Lower: lower, Upper: upper}
	}
	for _, tc := range []struct {
		name   string
		give   assay.Score
		err    error
		state  assay.State
		value  float64
		reason string
	}{
		{"a value", assay.Value(0.25), nil, assay.Scored, 0.25, ""},
		{"an error", assay.Value(0.25), errors.New("out of order"), assay.JudgeError, 0, "out of order"},
		{"no state", assay.Score{Value: 1}, nil, assay.JudgeError, 0, "metric gain returned no state"},
		{"not a number", scored(math.NaN(), 0, 0), nil, assay.JudgeError, 0, "metric gain computed NaN"},
		{"an infinite bound", scored(0.5, 0, math.Inf(1)), nil, assay.JudgeError, 0, "metric gain computed +Inf"},
		{"an infinite count", assay.Score{State: assay.Scored, Den: math.Inf(-1)}, nil, assay.JudgeError, 0, "metric gain computed -Inf"},
		{"above", assay.Value(1.5), nil, assay.JudgeError, 0, "metric gain computed 1.5: expected 0 to 1"},
		{"below", assay.Value(-0.1), nil, assay.JudgeError, 0, "metric gain computed -0.1: expected 0 to 1"},
		{"above by rounding", assay.Value(1 + 1e-12), nil, assay.Scored, 1, ""},
		{"below by rounding", assay.Value(-1e-12), nil, assay.Scored, 0, ""},
		{"not applicable", assay.None("why"), nil, assay.NotApplicable, 0, "why"},
	} {
		m := parse(t, define(func(d *metric.Def) { d.New = func(metric.Params) metric.Func { return constant(tc.give, tc.err) } }))
		s := m.Score(t.Context(), metric.Input{Case: &assay.Case{}, Response: &assay.Response{}})
		if s.State != tc.state || s.Value != tc.value || s.Reason != tc.reason {
			t.Errorf("%s: %s %v %q: want %s %v %q", tc.name, s.State, s.Value, s.Reason, tc.state, tc.value, tc.reason)
		}
		if s.State == assay.Scored && (s.Lower < 0 || s.Upper > 1) {
			t.Errorf("%s: bounds %v and %v leave the range", tc.name, s.Lower, s.Upper)
		}
	}
}

func TestOnce(t *testing.T) {
	t.Parallel()
	calls := 0
	three := func() int { calls++; return 3 }
	m := metric.Memo{}
	for range 2 {
		if got := metric.Once(m, "a", three) + metric.Once(m, 'a', three); got != 6 {
			t.Errorf("%d: want 6", got)
		}
	}
	if calls != 2 {
		t.Errorf("%d calls for two keys: want 2", calls)
	}
	if metric.Once(nil, "a", three) != 3 || calls != 3 {
		t.Errorf("%d calls: want a third one without a memo", calls)
	}
}
