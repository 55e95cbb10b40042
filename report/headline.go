package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// headline returns the names of the dataset, the target and the corpus.
func (c *content) headline() []string {
	h := c.r.Header
	asked := c.asked()
	asked.Critical = c.r.Summary.Critical - c.r.Summary.CriticalUnasked
	parts := []string{line(h.Dataset.Name), c.w.Say("CasesAsked", asked), targetLine(h.Target)}
	if corpus := corpusLine(c.w, h.Corpus); corpus != "" && !c.o.Short {
		parts = append(parts, c.w.Say("CorpusOf", words.V{"corpus": corpus}))
	}
	return parts
}

func targetLine(t assay.TargetInfo) string {
	parts := []string{t.Adapter}
	if t.Endpoint != "" {
		parts = append(parts, t.Endpoint)
	}
	for _, k := range []string{"retriever", "asked"} {
		if v := t.Settings[k]; v != "" {
			parts = append(parts, v)
		}
	}
	return line(strings.Join(parts, " "))
}

func corpusLine(w words.Words, c *assay.CorpusInfo) string {
	if c == nil {
		return ""
	}
	return w.Say("Corpus", words.V{"path": line(c.Path), "documents": c.Documents, "passages": c.Passages})
}

// arrow returns the metric's name, with a mark if less is better.
func arrow(m assay.MetricInfo) string {
	if m.Better == "lower" {
		return approximate(m) + " ↓"
	}
	return approximate(m)
}

// approximate returns the metric's name, with "≈" if a formula estimates it.
func approximate(m assay.MetricInfo) string {
	if m.Estimate {
		return line(m.Name) + " ≈"
	}
	return line(m.Name)
}

func estimated(m summary.Metric) string { return mean(m.MetricInfo, m.Estimate) }

// latencyLine summarizes how long responses took. It returns "" if that is not known.
func (c *content) latencyLine() string {
	l := c.r.Summary.Latency
	if l.N == 0 {
		return ""
	}
	return c.w.Say("Latency", words.V{"Mean": duration(l.Mean), "P50": duration(l.P50), "P95": duration(l.P95), "P99": duration(l.P99),
		"N": l.N, "Slow": l.Slow, "Limit": slowThreshold(c.r.Header)})
}

// slowThreshold returns the run's setting, a duration or a number of seconds, as "5
// s". It returns "" if it is not known.
func slowThreshold(h assay.Header) string {
	set := h.Config["slow-threshold"]
	d, err := time.ParseDuration(set)
	if err != nil {
		seconds, err := strconv.ParseFloat(set, 64)
		if err != nil || !(seconds > 0 && seconds < 1e6) {
			return ""
		}
		d = time.Duration(seconds * float64(time.Second))
	}
	switch {
	case d <= 0:
		return ""
	case d >= time.Second && d < time.Minute:
		return strconv.FormatFloat(d.Seconds(), 'g', -1, 64) + " s"
	}
	return duration(d)
}

// failureKinds counts the failures by kind, the most frequent first.
func failureKinds(t *columns.Table) string {
	count := map[string]int{}
	for _, r := range t.Records() {
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

// outcome counts the cases by status.
func (c *content) outcome() string {
	return c.w.Say("Outcome", words.V{"s": c.r.Summary, "draws": c.r.Header.Repeat > 1, "short": c.o.Short})
}

// CasesAsked says how many cases were evaluated, and how often.
func (r *Report) CasesAsked(w words.Words) string {
	return w.Say("CasesAsked", (&content{r: r}).asked())
}

// asked returns the number of cases and how often each was asked.
func (c *content) asked() words.Asked {
	a := words.Asked{Cases: c.r.Header.Dataset.Cases, Draws: c.r.Header.Repeat, Done: c.r.Summary.Cases}
	if a.Draws <= 1 {
		a.Cases = max(a.Cases, a.Done)
	}
	return a
}

// answers returns so many of what the numbers of the run count: its cases, or their draws.
func (c *content) answers(n int) string {
	return c.w.Say("Answers", words.V{"n": n, "draws": c.r.Header.Repeat > 1})
}
