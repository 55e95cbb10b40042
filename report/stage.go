package report

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
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
	responses, cases := tally{}, tally{}
	for _, r := range records {
		cases.add(r.Warnings)
		if r.Response != nil {
			responses.add(r.Response.Warnings)
		}
	}
	return append(responses.list("response", "responses"), cases.list("case", "cases")...)
}

// A tally counts remarks. Those that differ in numbers and quotations only are
// one: lengths of texts that were cut differ in every case.
type tally map[string]*tallied

// tallied is what is said of one kind of remark.
type tallied struct {
	n int
	// text is the first by alphabet of those that were made, many is set when
	// there are others.
	text string
	many bool
}

var particulars = regexp.MustCompile(`"[^"]*"|[0-9]+`)

// add counts the remarks about one thing, each kind once.
func (t tally) add(remarks []string) {
	seen := map[string]bool{}
	for _, text := range remarks {
		kind := particulars.ReplaceAllString(text, "#")
		of := t[kind]
		if of == nil {
			of = &tallied{text: text}
			t[kind] = of
		}
		of.many = of.many || of.text != text
		of.text = min(of.text, text)
		if !seen[kind] {
			of.n++
		}
		seen[kind] = true
	}
}

// list gives the remarks with the number of things they were made about.
func (t tally) list(one, many string) []string {
	kinds := slices.SortedFunc(maps.Values(t), func(a, b *tallied) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.text, b.text))
	})
	const most = 10
	var out []string
	for i, k := range kinds {
		if i == most {
			out = append(out, plural(len(kinds)-most, "more remark on "+many+" is in the cases", "more remarks on "+many+" are in the cases"))
			break
		}
		text := plural(k.n, one, many) + ": " + k.text
		if k.many {
			text += " (and the like)"
		}
		out = append(out, text)
	}
	return out
}
