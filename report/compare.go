package report

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// A Comparison sets the reports of several runs over the same cases side by
// side. The first is the one that the others are compared with.
type Comparison struct {
	summary.Comparison
	Reports []*Report
	// Lost has for every run but the first the shares of facts that were lost at
	// each stage, beside the first one's; nil when no such two runs were followed
	// through the stages.
	Lost [][]summary.LostDifference
	// Warnings say what makes the runs hard to compare.
	Warnings []string
}

// Compare pairs the runs by case id on the metrics that all of them have, with
// the first run's confidence level; seed fixes the random part of the tests. It
// is an error when there are fewer than two runs, when they share no metric, and when
// one shares no case with the first.
func Compare(reports []*Report, seed uint64) (*Comparison, error) {
	if len(reports) == 0 {
		return CompareAt(reports, stats.SignFlip, 0, seed)
	}
	return CompareAt(reports, stats.SignFlip, level(reports[0].Header), seed)
}

// CompareAt is [Compare] by a test and at a confidence level of its own, between
// 0 and 1.
func CompareAt(reports []*Report, test stats.Test, level float64, seed uint64) (*Comparison, error) {
	if len(reports) < 2 {
		return nil, errors.New("a comparison of fewer than two runs: want a baseline and another run")
	}
	c := &Comparison{Reports: reports}
	first := reports[0].Header
	var metrics []assay.MetricInfo
	for _, m := range ordered(first.Metrics) {
		missing := slices.IndexFunc(reports, func(r *Report) bool { return !has(r.Header, m) })
		if missing >= 0 {
			c.Warnings = append(c.Warnings, fmt.Sprintf("%s is left out: %s does not have it in the same version", m.Name, reports[missing].Name()))
			continue
		}
		other := slices.IndexFunc(reports, func(r *Report) bool { return weights(r.Header) != weights(first) })
		if m.Name == assay.CompositeName && other >= 0 {
			c.Warnings = append(c.Warnings, fmt.Sprintf("%s is left out: %s weighs other parts, or weighs them otherwise", m.Name,
				reports[other].Name()))
			continue
		}
		metrics = append(metrics, m)
	}
	if metrics == nil {
		return nil, fmt.Errorf("the runs %q and %q share no metric", reports[0].Name(), reports[1].Name())
	}
	var runs []summary.Run
	names := map[string]bool{}
	for _, r := range reports {
		name := unlike(names, r)
		runs = append(runs, summary.Run{Name: name, Records: r.Records})
		if h := r.Header; h.Dataset.Hash != first.Dataset.Hash {
			c.Warnings = append(c.Warnings, fmt.Sprintf("%s ran on another version of the data set: only cases with the same id are paired", name))
		}
	}
	if err := summary.Unpaired(runs); err != nil {
		return nil, err
	}
	metrics, left := sameJudge(metrics, reports)
	c.Warnings = append(c.Warnings, left...)
	if len(metrics) == 0 {
		return nil, fmt.Errorf("the runs share no metric that can be compared: %s", strings.Join(left, "; "))
	}
	c.Comparison = summary.Compare(metrics, runs, test, level, seed)
	if c.Test != "" {
		c.Warnings = append(c.Warnings, fmt.Sprintf("p-values are those of the %s test where it applies", c.Test))
	}
	c.Lost = compareLost(reports, level, seed)
	return c, nil
}

// unlike gives the run a name that none of the others has, and takes it: its
// own, else its id, else its name with a number.
func unlike(taken map[string]bool, r *Report) string {
	name := r.Name()
	if taken[name] && r.Header.ID != "" {
		name = r.Header.ID
	}
	for i := 2; taken[name]; i++ {
		name = fmt.Sprintf("%s (%d)", r.Name(), i)
	}
	taken[name] = true
	return name
}

// sameJudge leaves out what different judges judged: the difference between
// two judges would pass for one between the runs.
func sameJudge(metrics []assay.MetricInfo, reports []*Report) (kept []assay.MetricInfo, left []string) {
	first := reports[0].Header.Judge
	for _, m := range metrics {
		prompts := promptsOf(m.Name, reports)
		other := slices.IndexFunc(reports, func(r *Report) bool { return !assay.SameJudge(r.Header.Judge, first, prompts) })
		if !m.Judged || other < 0 {
			kept = append(kept, m)
			continue
		}
		left = append(left, fmt.Sprintf("%s is not compared: %s and %s had different judges (%s; %s)",
			m.Name, reports[0].Name(), reports[other].Name(), judgeVersion(first, prompts), judgeVersion(reports[other].Header.Judge, prompts)))
	}
	return kept, left
}

// promptsOf names the prompts that a metric of the reports rests on, by whichever
// of them tell.
func promptsOf(metric string, reports []*Report) []string {
	var infos []assay.MetricInfo
	for _, r := range reports {
		for _, m := range r.Header.Metrics {
			if m.Name == metric {
				infos = append(infos, m)
			}
		}
	}
	return assay.PromptsOf(infos)
}

func has(h assay.Header, m assay.MetricInfo) bool {
	return slices.ContainsFunc(h.Metrics, func(o assay.MetricInfo) bool {
		return o.Name == m.Name && o.Version == m.Version && o.Scheme == m.Scheme
	})
}

// dataset describes in a few parts what the runs ran on.
func (c *Comparison) dataset() []string {
	h := c.Reports[0].Header
	var parts []string
	if name := line(h.Dataset.Name); name != "" {
		parts = append(parts, name)
	}
	parts = append(parts, plural(h.Dataset.Cases, "case", "cases"))
	if corpus := corpusLine(h.Corpus); corpus != "" {
		parts = append(parts, "corpus "+corpus)
	}
	return append(parts, "baseline "+line(c.Runs[0]))
}

func corpusLine(c *assay.CorpusInfo) string {
	if c == nil {
		return ""
	}
	size := plural(c.Documents, "document", "documents")
	if c.Passages > 0 {
		size += ", " + plural(c.Passages, "passage", "passages")
	}
	if c.Path == "" {
		return size
	}
	return fmt.Sprintf("%s (%s)", line(c.Path), size)
}
