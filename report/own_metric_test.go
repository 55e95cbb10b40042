package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/summary"
)

// TestOwnMetricListsClaims: the page of a case lists the claims of a metric that asks whether the
// passages support the answer, whatever its name is, and those of no other metric.
func TestOwnMetricListsClaims(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		asks assay.LabelQuestion
		want int
	}{
		{"grounding_by_us", assay.LabelSupported, 2},
		{"grounding_by_us", assay.LabelSufficient, 0},
		{"grounding_by_us", "", 0},
		{"faithfulness", "", 2}, // a header of an earlier version
		{"hallucination(support=single)", "", 2},
		{"context_recall", "", 0},
	} {
		h := header("run", assay.MetricInfo{Name: c.name, Title: "T", Better: "higher", Range: ratio, Judged: true, Version: 1, LabelQuestion: c.asks})
		score := assay.Value(0.5)
		score.Evidence = []assay.Evidence{{Kind: assay.KindSupported, Text: "Bags are free."}, {Kind: "unsupported", Text: "Dogs are free."}}
		rec := assay.Record{Attempts: 1, Case: assay.Case{ID: "c", Question: "?"}, Response: &assay.Response{Answer: "Bags and dogs are free."},
			Scores: map[string]assay.Score{c.name: score}}
		got := 0
		for _, b := range report.Inspect(h, rec, func(assay.Record) summary.Check { return summary.Check{} }, report.Options{}).Scores {
			if part, ok := b.(document.Labelled); ok {
				for _, b := range part.Blocks {
					if claims, ok := b.(document.Claims); ok {
						got += len(claims.Items)
					}
				}
			}
		}
		if got != c.want {
			t.Errorf("%s, asking %q: %d claims, want %d", c.name, c.asks, got, c.want)
		}
	}
}

// TestDescribed: a header of an earlier version gets the fields of the definition, and a metric that
// users define keeps its own.
func TestDescribed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ stored, want assay.MetricInfo }{
		{assay.MetricInfo{Name: "precision@5(level=2)"}, assay.MetricInfo{Name: "precision@5(level=2)", Capped: true}},
		{assay.MetricInfo{Name: "claim_recall"}, assay.MetricInfo{Name: "claim_recall", LabelQuestion: assay.LabelSufficient}},
		{assay.MetricInfo{Name: "mine", Capped: true}, assay.MetricInfo{Name: "mine", Capped: true}},
		{assay.MetricInfo{Name: "check.length"}, assay.MetricInfo{Name: "check.length"}},
	} {
		got := report.Described(c.stored)
		if got.Name != c.want.Name || got.Capped != c.want.Capped || got.LabelQuestion != c.want.LabelQuestion {
			t.Errorf("%s: got %+v, want %+v", c.stored.Name, got, c.want)
		}
	}
}

// Words that deny a claim which others support do not support it.
func TestClaimOfConflict(t *testing.T) {
	t.Parallel()
	h := header("run", assay.MetricInfo{Name: "faithfulness", Title: "T", Better: "higher", Range: ratio, Judged: true, Version: 1})
	score := assay.Value(1)
	score.Evidence = []assay.Evidence{{Kind: assay.KindSupported, Text: "It opens at 9.", Where: "against passage 2", Spans: []assay.Span{
		{Start: 0, End: 14}, {Passage: 1, Start: 0, End: 12}, {Passage: 2, Start: 0, End: 13, Against: true},
	}}}
	rec := assay.Record{Attempts: 1, Case: assay.Case{ID: "c", Question: "?"}, Scores: map[string]assay.Score{"faithfulness": score},
		Response: &assay.Response{Answer: "It opens at 9.", Passages: []assay.Passage{{Text: "Opens at 9.00."}, {Text: "Opens at 10.00."}}}}
	said := fmt.Sprintf("%+v", report.Inspect(h, rec, func(assay.Record) summary.Check { return summary.Check{} }, report.Options{}))
	for _, want := range []string{"Claim 1: supported by passage 1 ", "Place:1 Ruling:supported", "Place:2 Ruling:contradicted"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in %s", want, said)
		}
	}
}
