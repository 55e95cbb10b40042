package gate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

var (
	unread   = assay.Score{State: assay.JudgeError, Reason: "unreadable"}
	failed   = assay.Score{State: assay.TargetError}
	declined = assay.Score{State: assay.Abstained, Reason: "declined"}
)

// ratio is a metric in 0…1 of which more is better.
func ratio(name string) assay.MetricInfo {
	return assay.MetricInfo{Name: name, Title: name, Better: "higher", Range: [2]float64{0, 1}, Version: 1}
}

// less is one of which less is better.
func less(name string) assay.MetricInfo {
	m := ratio(name)
	m.Better = "lower"
	return m
}

// scored gives a score for a number, and scores as they are.
func scored(v any) assay.Score {
	switch v := v.(type) {
	case assay.Score:
		return v
	case int:
		return assay.Value(float64(v))
	}
	return assay.Value(v.(float64))
}

// one gives a run of one metric with a case "q1", "q2"… for each score.
func one(m assay.MetricInfo, scores ...any) recorded {
	var rows [][]any
	for _, s := range scores {
		rows = append(rows, []any{s})
	}
	return several([]assay.MetricInfo{m}, rows...)
}

// several gives a run of metrics with a row of scores for each case.
func several(metrics []assay.MetricInfo, rows ...[]any) recorded {
	var records []assay.Record
	for i, row := range rows {
		r := assay.Record{Seq: i, Case: assay.Case{ID: fmt.Sprintf("q%d", i+1)}, Response: &assay.Response{}, Scores: map[string]assay.Score{}}
		for j, m := range metrics {
			r.Scores[m.Name] = scored(row[j])
			if r.Scores[m.Name].State == assay.TargetError {
				r.Response, r.Failure = nil, &assay.Failure{Kind: "timeout"}
			}
		}
		records = append(records, r)
	}
	return of(metrics, records)
}

func of(metrics []assay.MetricInfo, records []assay.Record) recorded {
	ids := map[string]bool{}
	repeat := 1
	for _, r := range records {
		ids[r.Case.Base()] = true
		repeat = max(repeat, r.Case.Draw+1)
	}
	h := assay.Header{
		ID: "20260101-run", State: "finished", Version: "test", Metrics: metrics, Target: assay.TargetInfo{Adapter: "own", Metered: true},
		Dataset: assay.DatasetInfo{Name: "gold", Hash: "sha256:d", Cases: len(ids), Total: len(ids)},
	}
	if repeat > 1 {
		h.Repeat = repeat
	}
	return recorded{Header: h, Summary: summary.Of(metrics, columns.Of(records), 0.95), Records: records}
}

// A recorded is a run whose records a test can still change.
type recorded struct {
	Header  assay.Header
	Summary summary.Summary
	Records []assay.Record
}

func (r recorded) run() gate.Run {
	return gate.Run{Header: r.Header, Summary: r.Summary, Cases: columns.Of(r.Records)}
}

var day = time.Date(2026, 2, 17, 12, 30, 15, 999, time.UTC)

func baseline(t testing.TB, r recorded) *gate.Baseline {
	t.Helper()
	b, err := gate.NewBaseline(r.run(), "because", day)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func rule(t testing.TB, text string) gate.Rule {
	t.Helper()
	r, err := gate.ParseRule(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func rules(t testing.TB, texts ...string) []gate.Rule {
	t.Helper()
	var out []gate.Rule
	for _, s := range texts {
		out = append(out, rule(t, s))
	}
	return out
}

// judge judges a run by one rule, and gives what it came to.
func judge(t testing.TB, p gate.Policy, r recorded, text string) gate.Result {
	t.Helper()
	p.Rules = []gate.Rule{rule(t, text)}
	// Few cases stand for many here, so that one is a large share.
	p.MaxMissing = 1
	o, ok := p.Judge(r.run())
	if !ok {
		t.Fatalf("%s: there is no outcome", text)
	}
	return named(t, o, p.Rules[0].String())
}

// named gives the result of a rule by its spelling.
func named(t testing.TB, o gate.Outcome, text string) gate.Result {
	t.Helper()
	i := slices.IndexFunc(o.Results, func(r gate.Result) bool { return r.Rule == text })
	if i < 0 {
		t.Fatalf("no result of %q in %q", text, spelled(o.Results))
	}
	return o.Results[i]
}

func spelled(results []gate.Result) []string {
	var out []string
	for _, r := range results {
		out = append(out, r.Rule+": "+string(r.Verdict))
	}
	return out
}

// judged says where a result is not what is wanted; got is NaN where nothing was
// measured.
func judged(t *testing.T, name string, r gate.Result, verdict gate.Verdict, reason string) {
	t.Helper()
	if r.Verdict != verdict || !strings.Contains(because(r), reason) || (r.Verdict == gate.Pass) != (because(r) == "") {
		t.Errorf("%s: %s: %s because %q, want %s because %q", name, r.Rule, r.Verdict, because(r), verdict, reason)
	}
}

// english gives findings in English, because the reason of a result.
func english(list []gate.Finding) []string { return words.Findings(words.English, list) }

func because(r gate.Result) string { return r.Reason.In(words.English) }
