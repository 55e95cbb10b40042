// Package metrictest checks that a metric follows the contract of package metric:
// its documentation is complete, its names are unambiguous, and for any case and
// response it returns a score with a state, within its range, the same every
// time, without modifying its input. The package does not check what a metric
// measures; the metric's own tests do.
package metrictest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// A Pair holds two inputs. The metric must not score Better worse than Worse;
// equal scores are allowed.
type Pair struct{ Worse, Better metric.Input }

// Run checks a definition with variants of all its parameters, as subtests of t.
func Run(t *testing.T, def *metric.Def, pairs ...Pair) {
	variants, err := variantsOf(def)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range contract {
		t.Run(c.name, func(t *testing.T) { c.run(t.Errorf, def, variants, pairs) })
	}
}

// A reporter reports a failed check; it is usually t.Errorf.
type reporter func(format string, args ...any)

var contract = []struct {
	name string
	run  func(reporter, *metric.Def, []metric.Metric, []Pair)
}{
	{"documentation", func(r reporter, def *metric.Def, _ []metric.Metric, _ []Pair) { checkDocumentation(r, def) }},
	{"names", func(r reporter, def *metric.Def, variants []metric.Metric, _ []Pair) { checkNames(r, def, variants) }},
	{"scores", func(r reporter, _ *metric.Def, variants []metric.Metric, _ []Pair) { checkScores(r, variants) }},
	{"concurrency", func(r reporter, _ *metric.Def, variants []metric.Metric, _ []Pair) { checkConcurrency(r, variants) }},
	{"needs", func(r reporter, _ *metric.Def, variants []metric.Metric, _ []Pair) { checkNeeds(r, variants) }},
	{"reads", func(r reporter, _ *metric.Def, variants []metric.Metric, _ []Pair) { checkReads(r, variants) }},
	{"judge", func(r reporter, _ *metric.Def, variants []metric.Metric, _ []Pair) { checkJudge(r, variants) }},
	{"embedder", func(r reporter, _ *metric.Def, variants []metric.Metric, _ []Pair) { checkEmbedder(r, variants) }},
	{"follows", func(r reporter, _ *metric.Def, variants []metric.Metric, _ []Pair) { checkFollows(r, variants) }},
	{"order", func(r reporter, _ *metric.Def, variants []metric.Metric, pairs []Pair) {
		checkOrder(r, variants, pairs)
	}},
}

func score(m metric.Metric, in metric.Input) assay.Score {
	return m.Score(context.Background(), in)
}

// checkScores scores every input. Each score must be valid and repeatable, and
// the input must not change.
func checkScores(report reporter, variants []metric.Metric) {
	for i, m := range variants {
		// The first variant, with the defaults, runs on every input; the others on a sample.
		step := 1
		if i > 0 {
			step = 11
		}
		scored := 0
		for name, build := range inputs(i, step) {
			in := build()
			first := score(m, in)
			if err := Valid(m, first); err != nil && !(mayFail(m, in) && failed(m, first) == nil) {
				report("%s: %s: %v", m.Name, name, err)
			}
			for _, e := range first.Evidence {
				for _, span := range e.Spans {
					if _, ok := in.Response.Words(span); !ok {
						report("%s: %s: the response has no span %+v", m.Name, name, span)
					}
				}
			}
			if !same(in, build()) {
				report("%s: %s: the metric changed its input", m.Name, name)
			} else if _, huge := hugeInputs[name]; huge {
				// Score huge inputs only once: they take most of the time.
			} else if again := score(m, in); !reflect.DeepEqual(first, again) {
				report("%s: %s: first %+v, then %+v", m.Name, name, first, again)
			}
			if first.State == assay.Scored {
				scored++
			}
		}
		if scored == 0 {
			report("%s scores no input at all", m.Name)
		}
	}
}

// Valid returns an error if a score that a metric computed for a response is
// invalid. A failed evaluator counts as invalid.
func Valid(m metric.Metric, s assay.Score) error {
	if _, err := json.Marshal(s); err != nil {
		return err
	}
	for _, e := range s.Evidence {
		if e.Kind == "" {
			return fmt.Errorf("evidence %+v has no kind", e)
		}
	}
	switch s.State {
	case assay.NotApplicable, assay.Abstained:
		if s.Reason == "" {
			return fmt.Errorf("%s without a reason", s.State)
		}
		if s.Value != 0 || s.Num != 0 && !m.Def.Pooled || s.Den != 0 || s.Lower != 0 || s.Upper != 0 {
			return fmt.Errorf("%s with a value: %+v", s.State, s)
		}
		return nil
	case assay.Scored:
	default:
		return fmt.Errorf("state %s: %s", s.State, s.Reason)
	}
	lo, hi := m.Def.Range[0], m.Def.Range[1]
	switch {
	case !finite(s.Value, s.Num, s.Den, s.Lower, s.Upper):
		return fmt.Errorf("not finite: %+v", s)
	case s.Value < lo || s.Value > hi:
		return fmt.Errorf("%v: expected %v to %v", s.Value, lo, hi)
	case s.Lower > s.Value || s.Value > s.Upper:
		return fmt.Errorf("%v is not within its bounds %v and %v", s.Value, s.Lower, s.Upper)
	case m.Def.Pooled && s.Den == 0 && s.Num != 0:
		return fmt.Errorf("pooled %v of nothing", s.Num)
	case m.Def.Pooled && s.Den != 0 && math.Abs(s.Value-s.Num/s.Den) > 1e-9:
		return fmt.Errorf("%v is not %v / %v", s.Value, s.Num, s.Den)
	}
	return nil
}

// failed returns an error unless s is a valid score for a failed judge.
func failed(m metric.Metric, s assay.Score) error {
	lo, hi := m.Def.Range[0], m.Def.Range[1]
	switch {
	case s.State != assay.JudgeError:
		return fmt.Errorf("state %s: expected %s", s.State, assay.JudgeError)
	case strings.HasPrefix(s.Reason, "metric "+m.Name+" ") || strings.HasPrefix(s.Reason, "the metric "):
		return fmt.Errorf("%s: that is not the judge's doing", s.Reason)
	case s.Reason == "" || s.Value != 0 || s.Num != 0 || s.Den != 0:
		return fmt.Errorf("%+v: expected a reason and no value", s)
	case !(lo <= s.Lower && s.Lower <= s.Upper && s.Upper <= hi) && (s.Lower != 0 || s.Upper != 0):
		return fmt.Errorf("bounds %v and %v", s.Lower, s.Upper)
	}
	return nil
}

// mayFail reports whether the judge's output allows a metric to have no score.
func mayFail(m metric.Metric, in metric.Input) bool {
	return len(m.Def.Asks) > 0 && in.Assessment != nil && slices.Contains(in.Assessment.Warnings, unfit)
}

func finite(values ...float64) bool {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// checkConcurrency scores one input from several goroutines at once. The race
// detector finds what the comparison of the scores does not.
func checkConcurrency(report reporter, variants []metric.Metric) {
	const callers = 8
	for _, m := range variants {
		in := labelled()
		want := score(m, in)
		got := make([]assay.Score, callers)
		var wg sync.WaitGroup
		for i := range callers {
			wg.Go(func() { got[i] = score(m, in) })
		}
		wg.Wait()
		for _, s := range got {
			if !reflect.DeepEqual(s, want) {
				report("%s: %+v, and at the same time as others %+v", m.Name, want, s)
			}
		}
	}
}

// checkNeeds removes each label that the metric needs, and then the response.
func checkNeeds(report reporter, variants []metric.Metric) {
	for _, m := range variants {
		for need, clear := range labels {
			if m.Def.Needs&need == 0 {
				continue
			}
			in := labelled()
			clear(&in.Case.Want)
			if s := score(m, in); s.State != assay.NotApplicable || s.Reason == "" {
				report("%s without %v: %+v: want %s with a reason", m.Name, need.Names(), s, assay.NotApplicable)
			}
			in.Response = nil
			if s := score(m, in); s.State != assay.NotApplicable {
				report("%s without %v or a response: %s: want %s", m.Name, need.Names(), s.State, assay.NotApplicable)
			}
		}
		in := labelled()
		in.Response = nil
		if s := score(m, in); s.State != assay.TargetError || s.Value != 0 {
			report("%s without a response: %+v: want %s", m.Name, s, assay.TargetError)
		}
	}
}

// checkReads removes parts of the response. Without a part that the metric reads,
// it must not apply; without a part that it does not read, its score must not
// change.
func checkReads(report reporter, variants []metric.Metric) {
	for _, m := range variants {
		want := score(m, labelled())
		if m.Def.Reads == 0 {
			report("%s reads no part of the response", m.Name)
		}
		in := labelled()
		in.Response.Passages = nil
		if s := score(m, in); m.Def.Reads&metric.ReadPassages != 0 {
			if s.State != assay.NotApplicable {
				report("%s without passages: %+v: want %s", m.Name, s, assay.NotApplicable)
			}
		} else if !reflect.DeepEqual(s, want) {
			report("%s does not say that it reads passages: %+v with, %+v without", m.Name, want, s)
		}
		in = labelled()
		in.Response.Trace = nil
		if s := score(m, in); m.Def.Reads&metric.ReadTrace != 0 && s.State != assay.NotApplicable {
			report("%s without a trace: %+v: want %s", m.Name, s, assay.NotApplicable)
		}
		in = labelled()
		in.Response.Answer = ""
		if s := score(m, in); m.Def.Reads&metric.ReadAnswer == 0 && !reflect.DeepEqual(s, want) {
			report("%s does not say that it reads the answer: %+v with, %+v without", m.Name, want, s)
		}
	}
}

// checkEmbedder scores an input with embedders that fail.
func checkEmbedder(report reporter, variants []metric.Metric) {
	for _, m := range variants {
		if !m.Def.Embeds {
			in := labelled()
			want := score(m, in)
			in.Embedder = broken{err: errors.New("asked")}
			if s := score(m, in); !reflect.DeepEqual(s, want) {
				report("%s does not say that it embeds: %+v", m.Name, s)
			}
			continue
		}
		nan := float32(math.NaN())
		for name, e := range map[string]assay.Embedder{
			"none": nil, "failing": broken{err: errors.New("out of order")}, "silent": broken{},
			"short": broken{vector: []float32{1}}, "not a number": broken{vector: []float32{nan, nan, nan, nan}},
		} {
			in := labelled()
			in.Embedder = e
			if s := score(m, in); s.State != assay.JudgeError || s.Reason == "" || s.Value != 0 {
				report("%s, embedder %s: %+v: want %s with a reason", m.Name, name, s, assay.JudgeError)
			}
		}
	}
}

func checkOrder(report reporter, variants []metric.Metric, pairs []Pair) {
	for _, m := range variants {
		for i, p := range pairs {
			worse, better := score(m, p.Worse), score(m, p.Better)
			if worse.State != assay.Scored || better.State != assay.Scored {
				continue
			}
			if d := better.Value - worse.Value; m.Def.Better == metric.Higher && d < 0 || m.Def.Better == metric.Lower && d > 0 {
				report("%s, pair %d: %v for the better and %v for the worse", m.Name, i, better.Value, worse.Value)
			}
		}
	}
}
