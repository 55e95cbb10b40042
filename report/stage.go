package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

// A Stage tells how long one stage of the target took.
type Stage struct {
	Name string
	// N counts the times that the stage ran.
	N              int
	Mean, P50, P95 time.Duration
}

func stages(records []assay.Record) []Stage {
	var out []Stage
	times := map[string][]float64{}
	for _, r := range records {
		if r.Response == nil || r.Response.Trace == nil {
			continue
		}
		for _, s := range r.Response.Trace.Stages {
			if _, seen := times[s.Name]; !seen {
				out = append(out, Stage{Name: s.Name})
			}
			times[s.Name] = append(times[s.Name], float64(s.Latency))
		}
	}
	for i := range out {
		s := &out[i]
		sorted := slices.Sorted(slices.Values(times[s.Name]))
		s.N = len(sorted)
		var sum float64
		for _, v := range sorted {
			sum += v
		}
		p50, _ := stats.Quantile(sorted, 0.50)
		p95, _ := stats.Quantile(sorted, 0.95)
		s.Mean, s.P50, s.P95 = time.Duration(sum/float64(s.N)), time.Duration(p50), time.Duration(p95)
	}
	return out
}

// remarks counts what adapters and the engine noted about responses, and what
// judges noted about cases, each with the most frequent first.
func remarks(records []assay.Record) []string {
	responses, cases := map[string]int{}, map[string]int{}
	for _, r := range records {
		for _, w := range r.Warnings {
			cases[w]++
		}
		if r.Response == nil {
			continue
		}
		for _, w := range r.Response.Warnings {
			responses[w]++
		}
	}
	return append(tallied(responses, "response", "responses"), tallied(cases, "case", "cases")...)
}

// tallied lists remarks with the number of things they were made about.
func tallied(count map[string]int, one, many string) []string {
	notes := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		if count[a] != count[b] {
			return count[b] - count[a]
		}
		return strings.Compare(a, b)
	})
	const most = 10
	var out []string
	for i, n := range notes {
		if i == most {
			out = append(out, plural(len(notes)-most, "more remark on "+many+" is in the cases", "more remarks on "+many+" are in the cases"))
			break
		}
		out = append(out, fmt.Sprintf("%s: %s", plural(count[n], one, many), n))
	}
	return out
}
