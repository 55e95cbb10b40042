package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// headline names the data set, the target and the corpus.
func headline(r *Report) []string {
	h := r.Header
	cases := casesAsked(h, r.Summary)
	if n := criticalCases(r); n > 0 {
		cases += fmt.Sprintf(" (%d critical)", n)
	}
	parts := []string{line(h.Dataset.Name), cases, targetLine(h.Target)}
	if c := corpusLine(h.Corpus); c != "" {
		parts = append(parts, "corpus "+c)
	}
	return parts
}

func targetLine(t assay.TargetInfo) string {
	parts := []string{t.Adapter}
	if t.Endpoint != "" {
		parts = append(parts, t.Endpoint)
	}
	if v := t.Settings["retriever"]; v != "" {
		parts = append(parts, v)
	}
	return line(strings.Join(parts, " "))
}

// arrow gives the metric's name, marked where less is better.
func arrow(m assay.MetricInfo) string {
	if m.Better == "lower" {
		return line(m.Name) + " ↓"
	}
	return line(m.Name)
}

func estimated(m summary.Metric) string { return mean(m.MetricInfo, m.Estimate) }

func latencyLine(h assay.Header, l summary.Latency) string {
	if l.N == 0 {
		return ""
	}
	s := fmt.Sprintf("mean %s · p50 %s · p95 %s · p99 %s · n %d", duration(l.Mean), duration(l.P50), duration(l.P95),
		duration(l.P99), l.N)
	if l.Slow > 0 {
		s += " · " + slowLine(h, l.Slow)
	}
	return s
}

func usageLine(u assay.Usage) string {
	var parts []string
	if u.Cost != 0 {
		parts = append(parts, assay.Dollars(u.Cost))
	}
	if l := tokensLine(u); l != "" {
		parts = append(parts, l)
	}
	return strings.Join(parts, " · ")
}

func tokensLine(u assay.Usage) string {
	if u.InputTokens+u.OutputTokens == 0 {
		return ""
	}
	return fmt.Sprintf("%d tokens in, %d out", u.InputTokens, u.OutputTokens)
}

// failureKinds counts the kinds of failures, the most frequent first.
func failureKinds(records []assay.Record) string {
	count := map[string]int{}
	for _, r := range records {
		if r.Failure != nil {
			count[line(r.Failure.Kind)]++
		}
	}
	kinds := slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(count[b]-count[a], strings.Compare(a, b)) })
	for i, k := range kinds {
		kinds[i] = fmt.Sprintf("%s %d", k, count[k])
	}
	return strings.Join(kinds, ", ")
}

func criticalLine(s summary.Summary) string {
	return fmt.Sprintf("%d of %d passed", s.Critical-s.CriticalFailed, s.Critical)
}

// outcome counts the cases by status.
func outcome(s summary.Summary) string {
	return fmt.Sprintf("%d ok, %d below threshold, %s", s.OK, s.Failed, plural(s.Errors, "error", "errors"))
}

// criticalCases counts the critical cases of a run, each once.
func criticalCases(r *Report) int {
	seen := map[string]bool{}
	for _, rec := range r.Records {
		if rec.Case.Critical {
			seen[rec.Case.Base()] = true
		}
	}
	return len(seen)
}

// casesAsked says how many cases a run has, and how often each was asked.
func casesAsked(h assay.Header, s summary.Summary) string {
	cases := plural(s.Cases, "case", "cases")
	if h.Repeat > 1 {
		cases = fmt.Sprintf("%s × %d draws", plural(h.Dataset.Cases, "case", "cases"), h.Repeat)
		if s.Cases < h.Asked() {
			cases = fmt.Sprintf("%d of %d draws of %s", s.Cases, h.Asked(), plural(h.Dataset.Cases, "case", "cases"))
		}
	} else if s.Cases < h.Dataset.Cases {
		cases = fmt.Sprintf("%d of %d cases", s.Cases, h.Dataset.Cases)
	}
	return cases
}

// answersAsked counts what the numbers of a run's outcomes are of: its cases, or
// their draws.
func answersAsked(h assay.Header, s summary.Summary) string {
	if h.Repeat > 1 {
		return plural(s.Cases, "draw", "draws")
	}
	return plural(s.Cases, "case", "cases")
}
