package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/summary"
)

// A remark says what limits an estimate or a difference.
type remark struct {
	// alone is the remark where it stands for one metric.
	alone string
	// Remarks with the same shared part become one where they differ in their
	// numbers: the shared part and each metric's own. "" means that only the
	// same remark is the same.
	shared, own string
}

// plain makes remarks that never differ in numbers only.
func plain(texts []string) []remark {
	var out []remark
	for _, s := range texts {
		out = append(out, remark{alone: s})
	}
	return out
}

// alone gives the remarks on one metric as texts.
func alone(remarks []remark) []string {
	var out []string
	for _, r := range remarks {
		out = append(out, r.alone)
	}
	return out
}

// remarksOn gathers what limits an estimate, and what a reader must know of it.
func (r *Report) remarksOn(m summary.Metric) []remark {
	var out []remark
	if p := parts(r.Summary.Metrics); m.Name == assay.CompositeName && p != "" {
		out = append(out, remark{alone: "the weighted mean of " + p})
	}
	unsure := false
	if v := r.ruling(m); v != nil && v.Reason != "" && (v.Verdict == gate.Inconclusive || v.Got == nil) {
		unsure = v.Verdict == gate.Inconclusive && v.Bounds != nil
		out = append(out, remark{alone: verdictWord(v.Verdict) + ": " + v.Reason})
	}
	if m.MetricInfo.Estimate {
		out = append(out, remark{alone: "an estimate by formula: no judge has read the answers"})
	}
	if m.TargetErrors > 0 {
		out = append(out, targetFailed(m))
	}
	// What left the gate unsure says the same.
	if open(m.MetricInfo, m.Estimate) && !unsure {
		shared := "whatever is not known of some scores"
		if m.Failed > 0 {
			shared = fmt.Sprintf("whatever the %s that could not be scored", plural(m.Failed, "case", "cases"))
		}
		bounds := interval(m.MetricInfo, m.Bounds)
		out = append(out, remark{shared + ": " + bounds, shared, line(m.Name) + " " + bounds})
	}
	for _, w := range m.Warnings {
		out = append(out, counted(w, m.N))
	}
	return out
}

// targetFailed says what became of the cases in which the target failed and,
// where that is another number, what the mean over the others is.
func targetFailed(m summary.Metric) remark {
	failed := "the target failed in " + plural(m.TargetErrors, "case", "cases")
	if m.Better == "lower" {
		return remark{alone: failed + ": left out of the mean"}
	}
	failed += ": counted as " + tick(m.Range[0])
	if m.Answered == nil {
		return remark{alone: failed}
	}
	shared := fmt.Sprintf("%s; over the %d answered", failed, m.N-m.TargetErrors)
	value := number(m.MetricInfo, *m.Answered)
	return remark{shared + ": " + value, shared, line(m.Name) + " " + value}
}

// counted lets warnings be one remark that differ only in the number of cases.
func counted(warning string, n int) remark {
	rest, few := strings.CutPrefix(warning, "only "+plural(n, "case", "cases")+":")
	if !few {
		return remark{alone: warning}
	}
	return remark{alone: warning, shared: "few cases:" + rest}
}

// unscored counts the cases that the metric applies to and has no score of its
// own for, because the target or the evaluator failed. Where less is better,
// Failed holds both already.
func unscored(m summary.Metric) int {
	if m.Better == "lower" {
		return m.Failed
	}
	return m.Failed + m.TargetErrors
}

// notes numbers the remarks under a table; the same remark has one number.
type notes struct{ all []note }

// A note is the remarks with one shared part.
type note struct {
	key        string
	alone, own []string
}

// mark takes in the remarks on one metric and gives their marks, "¹ ²".
func (n *notes) mark(remarks []remark) string {
	var numbers []int
	for _, r := range remarks {
		key := r.shared
		if key == "" {
			key = r.alone
		}
		i := slices.IndexFunc(n.all, func(x note) bool { return x.key == key })
		if i < 0 {
			i = len(n.all)
			n.all = append(n.all, note{key: key})
		}
		x := &n.all[i]
		x.alone = append(x.alone, r.alone)
		if r.own != "" {
			x.own = append(x.own, r.own)
		}
		numbers = append(numbers, i+1)
	}
	slices.Sort(numbers)
	marks := make([]string, len(numbers))
	for i, k := range numbers {
		marks[i] = superscript(k)
	}
	return strings.Join(marks, " ")
}

// texts gives the notes in the order of their numbers.
func (n *notes) texts() []string {
	var out []string
	for _, x := range n.all {
		text := x.alone[0]
		if slices.ContainsFunc(x.alone, func(s string) bool { return s != text }) {
			text = x.key
			if x.own != nil {
				text += ": " + strings.Join(x.own, ", ")
			}
		}
		out = append(out, text)
	}
	return out
}

var superscripts = [...]string{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"}

func superscript(n int) string {
	var b strings.Builder
	for _, d := range strconv.Itoa(n) {
		b.WriteString(superscripts[d-'0'])
	}
	return b.String()
}
