package report

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// A Comparison sets the reports of several runs over the same cases side by
// side. The first is the one that the others are compared with.
type Comparison struct {
	summary.Comparison
	Reports []*Report
	// Warnings say what makes the runs hard to compare.
	Warnings []string
}

// Compare pairs the runs by case id on the metrics that all of them have, with
// the first run's confidence level; seed fixes the random part of the tests. It
// is an error when there are fewer than two runs or they share no metric.
func Compare(reports []*Report, seed uint64) (*Comparison, error) {
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
			c.Warnings = append(c.Warnings, fmt.Sprintf("%s is left out: %s weighs other parts, or weighs them otherwise", m.Name, reports[other].Name()))
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
		name := r.Name()
		if names[name] {
			name = r.Header.ID
		}
		names[name] = true
		runs = append(runs, summary.Run{Name: name, Records: r.Records})
		if h := r.Header; h.Dataset.Hash != first.Dataset.Hash {
			c.Warnings = append(c.Warnings, fmt.Sprintf("%s ran on another version of the data set: only cases with the same id are paired", name))
		}
	}
	metrics, left := sameJudge(metrics, reports)
	c.Warnings = append(c.Warnings, left...)
	if len(metrics) == 0 {
		return nil, fmt.Errorf("the runs share no metric that can be compared: %s", strings.Join(left, "; "))
	}
	c.Comparison = summary.Compare(metrics, runs, level(first), seed)
	return c, nil
}

// sameJudge leaves out what different judges judged: the difference between
// two judges would pass for one between the runs.
func sameJudge(metrics []assay.MetricInfo, reports []*Report) (kept []assay.MetricInfo, left []string) {
	first := reports[0].Header.Judge
	other := slices.IndexFunc(reports, func(r *Report) bool { return !reflect.DeepEqual(r.Header.Judge, first) })
	for _, m := range metrics {
		if !m.Judged || other < 0 {
			kept = append(kept, m)
			continue
		}
		left = append(left, fmt.Sprintf("%s is not compared: %s and %s had different judges (%s; %s)",
			m.Name, reports[0].Name(), reports[other].Name(), judgeVersion(first), judgeVersion(reports[other].Header.Judge)))
	}
	return kept, left
}

func has(h assay.Header, m assay.MetricInfo) bool {
	return slices.ContainsFunc(h.Metrics, func(o assay.MetricInfo) bool {
		return o.Name == m.Name && o.Version == m.Version && o.Scheme == m.Scheme
	})
}

// sentences says what the comparison shows, for every run but the first and
// every metric; the differences that can be shown come first.
func (c *Comparison) sentences() (shown, not []string) {
	for i := 1; i < len(c.Runs); i++ {
		for _, row := range c.Rows {
			s := visible(c.Sentence(row, i))
			if summary.Shown(row.Differences[i-1]) {
				shown = append(shown, s)
			} else {
				not = append(not, s)
			}
		}
	}
	return shown, not
}

// dataset describes what both runs ran on.
func (c *Comparison) dataset() string {
	h := c.Reports[0].Header
	s := fmt.Sprintf("%s · %s", line(h.Dataset.Name), plural(h.Dataset.Cases, "case", "cases"))
	if corpus := corpusLine(h.Corpus); corpus != "" {
		s += " · corpus " + corpus
	}
	return s + " · baseline " + line(c.Runs[0])
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
