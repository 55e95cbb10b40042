// Package summary aggregates the records of a run: estimates by metric and by
// tag, latency, and paired comparisons of runs over the same cases.
package summary

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

// A Summary is what a run's records say together.
type Summary struct {
	// Cases counts the records, which are draws of the cases when each was asked
	// several times; OK, Failed and Errors add up to it.
	Cases  int `json:"cases"`
	OK     int `json:"ok"`
	Failed int `json:"failed"`
	Errors int `json:"errors"`
	// Critical counts the critical cases, CriticalFailed those of them whose
	// status is not ok.
	Critical       int `json:"critical"`
	CriticalFailed int `json:"critical_failed"`
	// Metrics are in the order of the run.
	Metrics []Metric `json:"metrics"`
	// Tags holds a slice for each tag, by name.
	Tags    []Slice `json:"tags"`
	Latency Latency `json:"latency"`
	// Repeats tells how the draws of the cases differ; nil when each was asked
	// once.
	Repeats *Repeats `json:"repeats,omitempty"`
	// Waterfall tells where answers are lost; nil when no case was followed
	// through the stages.
	Waterfall *Waterfall `json:"waterfall,omitempty"`
	// Usage adds up what the target reported.
	Usage assay.Usage `json:"usage"`
	// Judging adds up what judging consumed; Judged counts the cases that it
	// was for.
	Judging assay.Spending `json:"judging"`
	Judged  int            `json:"judged"`
	// Warnings are remarks on the whole, such as metrics that never applied.
	Warnings []string `json:"warnings,omitempty"`
}

// A Metric is the estimate of one metric. Where cases were asked several times, a
// case's value is the mean of its draws, and all counts but Reasons are of cases:
// Failed of those with a draw that could not be scored, TargetErrors of those with
// one that the target failed.
type Metric struct {
	assay.MetricInfo
	stats.Estimate
	// Partial counts the cases that both N and Failed count: some of their draws
	// could be scored.
	Partial int `json:"partial,omitempty"`
	// Reasons counts why scores are missing, each draw of a case by itself.
	Reasons map[string]int `json:"reasons,omitempty"`
}

// Cases counts the cases that the metric applies to.
func (m Metric) Cases() int { return m.N + m.Failed - m.Partial }

// A Slice is the estimates over the cases with one tag.
type Slice struct {
	Tag string `json:"tag"`
	// Cases counts each case once, however often it was asked.
	Cases   int      `json:"cases"`
	Metrics []Metric `json:"metrics"`
}

// Latency describes how long the target took, over the cases it responded to.
// With N = 0 the times mean nothing.
type Latency struct {
	N    int           `json:"n"`
	Mean time.Duration `json:"mean_ns"`
	P50  time.Duration `json:"p50_ns"`
	P95  time.Duration `json:"p95_ns"`
	P99  time.Duration `json:"p99_ns"`
	// Slow counts responses over the slow threshold.
	Slow int `json:"slow"`
}

// Of summarises records, which may be in any order, for the given metrics with
// intervals at the given level. The result depends on the records only, not on
// their order.
func Of(metrics []assay.MetricInfo, records []assay.Record, level float64) Summary {
	records = inOrder(records)
	s := Summary{Cases: len(records), Metrics: estimates(metrics, records, level)}
	tagged := map[string][]assay.Record{}
	for _, r := range records {
		status := Status(metrics, r)
		switch status {
		case assay.StatusOK:
			s.OK++
		case assay.StatusFailed:
			s.Failed++
		case assay.StatusError:
			s.Errors++
		}
		if r.Case.Critical {
			s.Critical++
			if status != assay.StatusOK {
				s.CriticalFailed++
			}
		}
		if r.Judging != nil {
			s.Judging.Add(*r.Judging)
			s.Judged++
		}
		for _, tag := range r.Case.Tags {
			tagged[tag] = append(tagged[tag], r)
		}
		if r.Response != nil {
			s.Usage.InputTokens += r.Response.Usage.InputTokens
			s.Usage.OutputTokens += r.Response.Usage.OutputTokens
			s.Usage.Cost += r.Response.Usage.Cost
		}
	}
	for _, tag := range slices.Sorted(maps.Keys(tagged)) {
		in := tagged[tag]
		s.Tags = append(s.Tags, Slice{Tag: tag, Cases: distinct(in), Metrics: estimates(metrics, in, level)})
	}
	s.Latency = latency(records)
	s.Repeats = repeats(metrics, records, level)
	s.Waterfall = NewWaterfall(records, level)
	s.Warnings = warnings(s, records)
	return s
}

// Status gives the outcome of a record in one word. A score that is not known
// misses its threshold only when nothing that is possible would reach it.
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

// Misses reports whether a score misses the metric's threshold.
func Misses(m assay.MetricInfo, s assay.Score) bool {
	switch {
	case s.State == assay.Scored:
		return !Reaches(m, s.Value)
	case s.State == assay.JudgeError && s.Upper > s.Lower:
		best := s.Upper
		if m.Better == "lower" {
			best = s.Lower
		}
		return !Reaches(m, best)
	}
	return false
}

// Reaches reports whether a value is as good as the metric's threshold wants; a
// metric without one is content with anything. Values that differ by less than a
// rounding error are equal: a mean of tenths misses no tenth.
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

func estimates(metrics []assay.MetricInfo, records []assay.Record, level float64) []Metric {
	out := make([]Metric, len(metrics))
	for i, m := range metrics {
		out[i] = estimate(m, records, level)
	}
	return out
}

func estimate(m assay.MetricInfo, records []assay.Record, level float64) Metric {
	if repeated(records) {
		return estimateDraws(m, records, level)
	}
	var in, answered []stats.Sample
	var num, den, low, high float64
	var counts []stats.Count
	var failed, known, targetErrors, none, abstained int
	reasons := map[string]int{}
	for _, r := range records {
		score, present := r.Scores[m.Name]
		if !present {
			score = assay.Score{State: assay.JudgeError, Reason: "the record has no score of this metric"}
		}
		if score.State != assay.Scored {
			reasons[score.Reason]++
		}
		switch score.State {
		case assay.Scored:
			s := stats.Sample{Value: score.Value, Cluster: r.Case.Group}
			in, answered = append(in, s), append(answered, s)
			num, den = num+score.Num, den+score.Den
			counts = append(counts, stats.Count{Num: score.Num, Den: score.Den, Cluster: r.Case.Group})
			low, high = low+score.Lower, high+score.Upper
		case assay.TargetError:
			targetErrors++
			// A system that fails must not look better than one that answers
			// badly. Where less is better there is no worst value to count.
			if m.Better == "higher" {
				in = append(in, stats.Sample{Value: m.Range[0], Cluster: r.Case.Group})
				low, high = low+m.Range[0], high+m.Range[0]
			} else {
				failed++
			}
		case assay.NotApplicable:
			none++
			if score.Num != 0 {
				num += score.Num
				counts = append(counts, stats.Count{Num: score.Num, Cluster: r.Case.Group})
			}
		case assay.Abstained:
			abstained++
		default:
			failed++
			// A judge that ruled on a part of the case leaves less open.
			if score.Upper > score.Lower {
				known++
				low, high = low+score.Lower, high+score.Upper
			}
		}
	}
	e := stats.Mean(in, level)
	if m.Pooled && den > 0 {
		ci := pooledInterval(counts, m.Range, level, m.Name)
		e.Mean, e.CI = num/den, ci
	}
	closed := m.Range[0] > -math.MaxFloat64 && m.Range[1] < math.MaxFloat64
	if e.CI != nil {
		ci := e.CI.Clip(m.Range[0], m.Range[1])
		e.CI = &ci
	}
	if all := float64(len(in) + failed); all > 0 && closed && !m.Pooled {
		e.Bounds = &stats.Interval{
			Lo: (low + float64(failed-known)*m.Range[0]) / all,
			Hi: (high + float64(failed-known)*m.Range[1]) / all,
		}
	}
	if targetErrors > 0 && len(answered) > 0 {
		a := stats.Mean(answered, level).Mean
		e.Answered = &a
	}
	e.Failed, e.TargetErrors, e.NotApplicable, e.Abstained = failed, targetErrors, none, abstained
	if len(reasons) == 0 {
		reasons = nil
	}
	return Metric{MetricInfo: m, Estimate: e, Reasons: reasons}
}

// seed fixes the resampling of a metric, so that a report is the same twice.
func seed(metric string) uint64 {
	sum := sha256.Sum256([]byte(metric))
	return binary.LittleEndian.Uint64(sum[:])
}

func latency(records []assay.Record) Latency {
	var l Latency
	var sorted []float64
	var sum float64
	for _, r := range records {
		// A latency of 0 is one that nobody told: recorded responses have none.
		if r.Response == nil || r.Response.Latency == 0 {
			continue
		}
		v := float64(r.Response.Latency)
		sorted = append(sorted, v)
		sum += v
		if r.Slow {
			l.Slow++
		}
	}
	l.N = len(sorted)
	if l.N == 0 {
		return l
	}
	slices.Sort(sorted)
	l.Mean = time.Duration(sum / float64(l.N))
	for p, at := range map[float64]*time.Duration{0.50: &l.P50, 0.95: &l.P95, 0.99: &l.P99} {
		q, _ := stats.Quantile(sorted, p)
		*at = time.Duration(q)
	}
	return l
}

func warnings(s Summary, records []assay.Record) []string {
	var out, reasons []string
	// Metrics that share a reason share a warning.
	none := map[string][]string{}
	for _, m := range s.Metrics {
		if m.N == 0 && m.Failed == 0 && len(records) > 0 {
			why := commonest(m.Reasons)
			if none[why] == nil {
				reasons = append(reasons, why)
			}
			none[why] = append(none[why], m.Name)
		}
	}
	for _, why := range reasons {
		out = append(out, fmt.Sprintf("%s applied to no case: %s", strings.Join(none[why], ", "), why))
	}
	for _, m := range s.Metrics {
		if m.Failed > 0 {
			out = append(out, fmt.Sprintf("%s could not be computed for %d of %d cases: %s", m.Name, m.Failed, m.Cases(), commonest(failures(m, records))))
		}
	}
	if r := s.Repeats; r != nil && r.Same() {
		out = append(out, fmt.Sprintf("all %d draws of every case gave the same scores: asking each once would have said as much", r.Draws))
	}
	out = append(out, untold(s, records)...)
	return append(out, misread(records)...)
}

// untold says which shares of lost facts are 0 because no trace tells of the
// stage: a gate on such a share holds nothing.
func untold(s Summary, records []assay.Record) []string {
	var names, stages []string
	for _, m := range s.Metrics {
		stage, ok := strings.CutPrefix(m.Name, "lost_at.")
		switch {
		case !ok || m.N == 0:
			continue
		case stage != assay.StageTranscribe && stage != assay.StageDecompose && stage != assay.StageFilter && stage != assay.LostPack:
			continue
		case slices.ContainsFunc(records, func(r assay.Record) bool { return r.Response != nil && r.Response.ShowsStage(stage) }):
			continue
		}
		names, stages = append(names, m.Name), append(stages, stage)
	}
	if len(names) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s: no response tells what %s put out, so that nothing is put down to it: what is lost there counts with another stage", strings.Join(names, ", "), strings.Join(stages, " or "))}
}

// misread says what is the same in all responses and scores 0, and is more often
// a mistake in how they are read than what the target gave.
func misread(records []assay.Record) []string {
	answers, empty := 0, 0
	labelled, passages, named := false, 0, 0
	for _, r := range records {
		labelled = labelled || r.Case.Want.Documents != nil
		if r.Response == nil {
			continue
		}
		if !r.Response.NoAnswer {
			answers++
			if strings.TrimSpace(r.Response.Answer) == "" {
				empty++
			}
		}
		for _, p := range r.Response.Passages {
			passages++
			if p.Document != "" || p.Source != "" {
				named++
			}
		}
	}
	var out []string
	if answers > 0 && empty == answers {
		out = append(out, "every answer is empty: is it looked for in the right place?")
	}
	if labelled && passages > 0 && named == 0 {
		out = append(out, "no passage says which document it is of, so that metrics over documents find none: are the names looked for in the right place?")
	}
	return out
}

// failures counts the reasons why the metric has no score although it applies.
func failures(m Metric, records []assay.Record) map[string]int {
	reasons := map[string]int{}
	for _, r := range records {
		switch s := r.Scores[m.Name]; s.State {
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

// commonest gives the reason that is counted most, the first by alphabet among
// equals.
func commonest(reasons map[string]int) string {
	best := ""
	for _, r := range slices.Sorted(maps.Keys(reasons)) {
		if best == "" || reasons[r] > reasons[best] {
			best = r
		}
	}
	return best
}
