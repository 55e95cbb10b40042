// Package summary aggregates the records of a run: estimates by metric and by
// tag, latency, and paired comparisons of runs over the same cases.
package summary

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/stats"
)

// A Summary aggregates the records of a run.
type Summary struct {
	Counts
	// Metrics are in the order of the run.
	Metrics []Metric `json:"metrics"`
	// Tags holds a slice for each tag, by name.
	Tags    []Slice `json:"tags"`
	Latency Latency `json:"latency"`
	// Repeats describes how the draws of the cases differ; nil if each was asked once.
	Repeats *Repeats `json:"repeats,omitempty"`
	// Waterfall describes where answers are lost; nil if no case was followed through
	// the stages.
	Waterfall *Waterfall `json:"waterfall,omitempty"`
	// Usage is the sum of what the target reported.
	Usage assay.Usage `json:"usage"`
	// Judging is the sum of what judging consumed, Judged the number of cases judged.
	Judging assay.Spending `json:"judging"`
	Judged  int            `json:"judged"`
	// Warnings are remarks on the whole run, such as metrics that never applied.
	Warnings []string `json:"warnings,omitempty"`
}

// Counts are the numbers of records and of critical cases by how they ended.
type Counts struct {
	// Cases is the number of records, which are draws if each case was asked several
	// times; it is the sum of OK, Failed and Errors.
	Cases  int `json:"cases"`
	OK     int `json:"ok"`
	Failed int `json:"failed"`
	Errors int `json:"errors"`
	// Critical is the number of critical cases, not of their draws, CriticalFailed the number of those that
	// something showed to be wrong, CriticalUnchecked of those of which nothing showed
	// either; see [CheckOf]. CriticalUnasked are those that a running or interrupted run has
	// not asked yet. The others passed.
	Critical          int `json:"critical"`
	CriticalFailed    int `json:"critical_failed"`
	CriticalUnchecked int `json:"critical_unchecked"`
	CriticalUnasked   int `json:"critical_unasked,omitempty"`
	// Answers counts the records by whether the case is right; see [CheckOf].
	Answers Answers `json:"answers"`
}

// Answers counts cases by what is known of them.
type Answers struct {
	Right   int `json:"right"`
	Wrong   int `json:"wrong"`
	Unknown int `json:"unknown"`
}

func (a *Answers) add(c assay.Correctness) {
	switch c {
	case assay.AnswerRight:
		a.Right++
	case assay.AnswerWrong:
		a.Wrong++
	case assay.AnswerUnknown:
		a.Unknown++
	}
}

// A Metric is the estimate of one metric. If cases were asked several times, a case's
// value is the mean of its draws, and all counts but Reasons count cases: Failed those
// with a draw that could not be scored, TargetErrors those with a draw in which the
// target failed.
type Metric struct {
	assay.MetricInfo
	stats.Estimate
	// Partial is the number of cases that both N and Failed include, because only some
	// of their draws could be scored.
	Partial int `json:"partial,omitempty"`
	// Reasons counts the reasons for missing scores. Each draw of a case counts.
	Reasons map[string]int `json:"reasons,omitempty"`
	// Share is the mean share of a part in the scores of the composite, from 0 to 1.
	// It differs from Weight where parts have no score. nil if the metric is no part,
	// or the composite has no score, and in the slices of tags.
	Share *float64 `json:"share,omitempty"`
}

// Cases returns the number of cases that the metric applies to.
func (m Metric) Cases() int { return m.N + m.Failed - m.Partial }

// A Slice has the estimates over the cases with one tag.
type Slice struct {
	Tag string `json:"tag"`
	// Cases is the number of cases, without repetitions.
	Cases   int      `json:"cases"`
	Metrics []Metric `json:"metrics"`
}

// Latency describes how long the target took, over the cases it responded to. If N is
// 0, the times mean nothing.
type Latency struct {
	N    int           `json:"n"`
	Mean time.Duration `json:"mean_ns"`
	P50  time.Duration `json:"p50_ns"`
	P95  time.Duration `json:"p95_ns"`
	P99  time.Duration `json:"p99_ns"`
	// Slow is the number of responses over the slow threshold.
	Slow int `json:"slow"`
}

// Of summarizes the records of a table for the given metrics, with intervals at the given
// level.
func Of(metrics []assay.MetricInfo, t *columns.Table, level float64) Summary {
	s := Summary{Counts: Counts{Cases: t.Len()}, Metrics: estimates(metrics, t, level)}
	Weigh(s.Metrics, t)
	tagged := map[string][]int{}
	for i, r := range t.Records() {
		switch Status(metrics, *r) {
		case assay.StatusOK:
			s.OK++
		case assay.StatusFailed:
			s.Failed++
		case assay.StatusError:
			s.Errors++
		}
		if r.Judging != nil {
			s.Judging.Add(*r.Judging)
			s.Judged++
		}
		for _, tag := range r.Case.Tags {
			tagged[tag] = append(tagged[tag], i)
		}
		s.Usage = s.Usage.Plus(r.Usage())
	}
	s.Recount(t, CheckOf, CriticalCases(assay.Header{}, t, CheckOf, false))
	for _, tag := range slices.Sorted(maps.Keys(tagged)) {
		in := t.Part(tagged[tag])
		s.Tags = append(s.Tags, Slice{Tag: tag, Cases: in.Distinct(), Metrics: estimates(metrics, in, level)})
	}
	s.Latency = latency(t)
	s.Repeats = repeats(metrics, t, level)
	s.Waterfall = NewWaterfall(t, level)
	s.Warnings = warnings(s, t)
	return s
}

// Spent returns what a run used to answer, and what it paid for judging, in micro-dollars. Embedding
// counts: a vector is kept for many cases and belongs to none. So do replies that are in no record.
func (s Summary) Spent(h assay.Header) (answering assay.Usage, judging int64) {
	answering, judging = s.Usage, s.Judging.Usage.Cost
	if p := h.Pipeline; p != nil && p.Usage.Cost > answering.Cost {
		answering = p.Usage
	}
	if e := h.Embedding; e != nil {
		answering = answering.Plus(e.Usage)
	}
	// The ledger of a run has what it paid; without one, use the price of the calls.
	if h.Spending != nil {
		judging = h.Spending.Usage.Cost
	}
	return answering, judging
}

// Status returns the outcome of a record. A score that is not known misses its
// threshold only if no possible value would reach it.
func Status(metrics []assay.MetricInfo, r assay.Record) assay.Status {
	if r.Failure != nil || r.Response == nil {
		return assay.StatusError
	}
	for _, m := range metrics {
		if Misses(m, r.Scores[m.Name]) {
			return assay.StatusFailed
		}
	}
	return assay.StatusOK
}

// Misses reports whether a score misses the metric's threshold. An estimate that may
// not decide misses none.
func Misses(m assay.MetricInfo, s assay.Score) bool {
	switch {
	case m.Undecided():
		return false
	case s.State == assay.Scored:
		return !Reaches(m, s.Value)
	case s.Bounded():
		best := s.Upper
		if m.Better == "lower" {
			best = s.Lower
		}
		return !Reaches(m, best)
	}
	return false
}

// Reaches reports whether a value reaches the metric's threshold; without a threshold,
// any value does. Values that differ by less than a rounding error are equal.
func Reaches(m assay.MetricInfo, v float64) bool {
	const rounding = 1e-9
	switch {
	case m.Threshold == nil:
		return true
	case m.Better == "lower":
		return v <= *m.Threshold+rounding
	}
	return v >= *m.Threshold-rounding
}

func latency(t *columns.Table) Latency {
	var times []time.Duration
	slow := 0
	for i := range t.Len() {
		// A latency of 0 is unknown: recorded responses have none.
		took := t.Latency(i)
		if took == 0 {
			continue
		}
		times = append(times, took)
		if t.Slow(i) {
			slow++
		}
	}
	l := LatencyOf(times)
	l.Slow = slow
	return l
}

// LatencyOf describes times, which it sorts.
func LatencyOf(times []time.Duration) Latency {
	l := Latency{N: len(times)}
	if l.N == 0 {
		return l
	}
	slices.Sort(times)
	sorted, sum := make([]float64, l.N), 0.0
	for i, took := range times {
		sorted[i] = float64(took)
		sum += sorted[i]
	}
	l.Mean = time.Duration(sum / float64(l.N))
	for p, at := range map[float64]*time.Duration{0.50: &l.P50, 0.95: &l.P95, 0.99: &l.P99} {
		q, _ := stats.Quantile(sorted, p)
		*at = time.Duration(q)
	}
	return l
}

// unmeasured returns the warnings of metrics that applied to no case. Metrics that share a
// reason share a warning.
func (s *Summary) unmeasured() []string {
	var out, reasons []string
	none := map[string][]string{}
	for _, m := range s.Metrics {
		if m.N == 0 && m.Failed == 0 && s.Cases > 0 {
			why := commonest(m.Reasons)
			if none[why] == nil {
				reasons = append(reasons, why)
			}
			none[why] = append(none[why], m.Name)
		}
	}
	for _, why := range reasons {
		out = append(out, fmt.Sprintf("%s measured on no case%s", strings.Join(none[why], ", "), why))
	}
	return out
}

var trivial = lazyregexp.New(`: (?:missing \(\d+ of \d+ cases?\)|invalid, skipped: .*|\d+ of \d+ rows are invalid and were skipped|read as \S+; --map .*)$`)

// Trivial reports whether a warning puts no score in doubt: it is of rows of a dataset that were
// left out, of labels that some cases lack, or of how a column was read.
func Trivial(warning string) bool { return trivial().MatchString(warning) }

func warnings(s Summary, t *columns.Table) []string {
	out := s.unmeasured()
	for _, m := range s.Metrics {
		if m.Failed > 0 {
			out = append(out, fmt.Sprintf("%s could not be computed for %d of %d cases%s",
				m.Name, m.Failed, m.Cases(), commonest(failures(m, t))))
		}
	}
	if r := s.Repeats; r != nil && r.Same() {
		out = append(out, fmt.Sprintf("all %d draws of every case gave the same scores: asking each once would have said as much", r.Draws))
	}
	out = append(out, untold(s, t)...)
	return append(out, misread(t)...)
}

// untold returns the shares of lost facts that are 0 because no trace has the stage. A
// gate on such a share has no effect.
func untold(s Summary, t *columns.Table) []string {
	var names, stages []string
	for _, m := range s.Metrics {
		stage, ok := strings.CutPrefix(m.Name, "lost_at.")
		switch {
		case !ok || m.N == 0:
			continue
		case stage != assay.StageTranscribe && stage != assay.StageDecompose && stage != assay.StageFilter && stage != assay.LostPack:
			continue
		case shows(t, stage):
			continue
		}
		names, stages = append(names, m.Name), append(stages, stage)
	}
	if len(names) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s: no response tells what %s put out, so that nothing is attributed to it: "+
		"what is lost there counts with another stage",
		strings.Join(names, ", "), strings.Join(stages, " or "))}
}

// shows reports whether a response tells what a stage put out.
func shows(t *columns.Table, stage string) bool {
	for i := range t.Len() {
		if t.Responded(i) && t.Shows(i, stage) {
			return true
		}
	}
	return false
}

// misread returns what is the same in all responses and scores 0, which is more often
// a mistake in reading the responses than a result of the target.
func misread(t *columns.Table) []string {
	answers, empty := 0, 0
	for i := range t.Len() {
		if given, something := t.Answered(i); given {
			answers++
			if !something {
				empty++
			}
		}
	}
	var out []string
	if answers > 0 && empty == answers {
		out = append(out, "every answer is empty: is it looked for in the right place?")
	}
	return out
}

// failures counts the reasons why the metric has no score although it applies.
func failures(m Metric, t *columns.Table) map[string]int {
	reasons := map[string]int{}
	column := t.Metric(m.Name)
	for i := range t.Len() {
		switch s, _ := column.Score(i); s.State {
		case assay.JudgeError, assay.Unset:
			reasons[s.Reason]++
		case assay.TargetError:
			if m.Better == "lower" {
				reasons[s.Reason]++
			}
		}
	}
	return reasons
}

// commonest says the most frequent reason, the first in alphabetical order if several are,
// and how often it occurs if there are others. Those are one that differ only from a
// quotation on.
func commonest(reasons map[string]int) string {
	kind := func(r string) string { k, _, _ := strings.Cut(r, `"`); return k }
	count, best, n, all := map[string]int{}, "", 0, 0
	for r, times := range reasons {
		count[kind(r)] += times
		all += times
	}
	for _, r := range slices.Sorted(maps.Keys(reasons)) {
		if c := count[kind(r)]; c > n {
			best, n = r, c
		}
	}
	if reasons[best] < n {
		best = "such as " + best
	}
	if n < all {
		return fmt.Sprintf(", most often (%d of %d times): %s", n, all, best)
	}
	return ": " + best
}

// tolerated is the share of overturned rulings from which the confidence of a judge is called
// into question.
const tolerated = 0.01

// Overconfident warns of a judge that decides in one pass where it is sure, if more of the
// rulings that were checked nevertheless were overturned than chance explains at one in a
// hundred. It returns no warning or one.
func Overconfident(j *assay.JudgeInfo, spent assay.Spending) []string {
	if !j.SparesSure() || stats.ClopperPearson(spent.Overturned, spent.Rechecked, 0.9).Lo <= tolerated {
		return nil
	}
	return []string{fmt.Sprintf("the judge is less sure than it says: further passes overturned %d of %d rulings that it was sure of (%.1f %%), "+
		"and the other sure rulings were not checked: with --set recheck=all every ruling is put to a vote",
		spent.Overturned, spent.Rechecked, 100*float64(spent.Overturned)/float64(spent.Rechecked))}
}
