package watch

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

// A Series is a metric of one kind of exchanges, over time.
type Series struct {
	Metric  assay.MetricInfo `json:"metric"`
	Stratum string           `json:"stratum,omitempty"`
	// Identity is a hash of what determines the values: the version of the metric and, if it
	// is judged, the judge. With another the series begins again.
	Identity string `json:"identity"`
	// Begun is when the series began: with the watch, with the first exchange of its kind,
	// with another judge, or with the last alarm or recovery, which begins another mean.
	Begun time.Time `json:"begun"`
	// Bounds has the scores since then, on a scale from 0 to 1 on which higher is better.
	Bounds stats.Bounds `json:"bounds"`
	// Unscored counts the cases that the judge failed on, Excluded those that the metric does
	// not apply to.
	Unscored int `json:"unscored"`
	Excluded int `json:"excluded"`
	// Line is what the mean should not fall below; nil while it is learned.
	Line *Line `json:"line,omitempty"`
	// Drift looks for a mean that is on the other side of the line: below it or, after an
	// alarm, above it. nil without a line.
	Drift *stats.Drift `json:"drift,omitempty"`
	// Worse is set from an alarm to the recovery.
	Worse bool `json:"worse,omitempty"`
	// Days are the means of the last 90 days with scores.
	Days []DayMean `json:"days"`
	// Recent are the last 100 scores.
	Recent []Point `json:"recent"`
}

// A Line is what the mean of a series should not fall below, on its scale from 0 to 1.
type Line struct {
	At float64 `json:"at"`
	// Threshold is set if the line is the threshold of the metric. Otherwise it was learned of
	// scores: Mean is theirs, Cases their number, and Seen that of the scores when it was last
	// to be learned again, which may not have raised it.
	Threshold bool    `json:"threshold,omitempty"`
	Mean      float64 `json:"mean,omitempty"`
	Cases     int     `json:"cases,omitempty"`
	Seen      int     `json:"seen,omitempty"`
}

// A DayMean is the mean of a day (UTC), in the unit of the metric.
type DayMean struct {
	Date string  `json:"date"`
	N    int     `json:"n"`
	Mean float64 `json:"mean"`
}

// A Point is a score on the scale from 0 to 1, and when the exchange was.
type Point struct {
	Asked time.Time `json:"asked"`
	X     float64   `json:"x"`
}

const (
	mostDays   = 90
	mostRecent = 100
	// highestLine is the highest line that can be held: at 1, every score below 1 would be an
	// alarm.
	highestLine = 0.999
)

// followed reports whether a metric has a mean over cases in a range, which bounds and
// detectors need.
func followed(m assay.MetricInfo) bool {
	width := m.Range[1] - m.Range[0]
	return !m.Pooled && width > 0 && width < math.MaxFloat64/2 && m.Range[1] != math.MaxFloat64
}

// scaled returns a value of the metric on the scale from 0 to 1 on which higher is better.
func scaled(m assay.MetricInfo, v float64) float64 {
	x := (v - m.Range[0]) / (m.Range[1] - m.Range[0])
	if m.Better == "lower" {
		x = 1 - x
	}
	return min(max(x, 0), 1)
}

// Value returns a number on the scale from 0 to 1 as a value of the metric.
func (s *Series) Value(x float64) float64 {
	if s.Metric.Better == "lower" {
		x = 1 - x
	}
	return s.Metric.Range[0] + x*(s.Metric.Range[1]-s.Metric.Range[0])
}

// Estimate returns the mean since the series began in its present state, and bounds that hold
// at all times together with the given level. Cases without a score could have had any: the
// bounds include that. ok is false without scores.
func (s *Series) Estimate(level float64) (mean float64, ci stats.Interval, ok bool) {
	x, ok := s.Bounds.Mean()
	if !ok {
		return 0, ci, false
	}
	ci, ok = s.Bounds.Interval(1 - level)
	if !ok {
		return 0, ci, false
	}
	n, missing := float64(s.Bounds.N), float64(s.Unscored)
	low, high := ci.Lo*n/(n+missing), (ci.Hi*n+missing)/(n+missing)
	a, b := s.Value(low), s.Value(high)
	return s.Value(x), stats.Interval{Lo: min(a, b), Hi: max(a, b)}, true
}

// identity hashes what determines the values of a metric.
func identity(h *assay.Header, m assay.MetricInfo) string {
	of := struct {
		Metric   string           `json:"metric"`
		Version  int              `json:"version"`
		Scheme   string           `json:"scheme"`
		Embedder string           `json:"embedder"`
		Judge    *assay.JudgeInfo `json:"judge"`
	}{m.Name, m.Version, m.Scheme, h.Embedder, nil}
	if m.Judged && h.Judge != nil {
		j := h.Judge.About(m.Prompts)
		of.Judge = &j
	}
	b, err := json.Marshal(of)
	if err != nil { // texts and numbers cannot fail
		return m.Name
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// restart begins the series again at a time, in the same state.
func (s *Series) restart(at time.Time) {
	s.Begun, s.Bounds, s.Unscored, s.Excluded = at, stats.Bounds{}, 0, 0
}

// add adds a score of an exchange.
func (s *Series) add(score assay.Score, asked time.Time) (added bool) {
	switch {
	case score.State == assay.Scored, score.State == assay.TargetError && s.Metric.Better != "lower":
	case score.State == assay.JudgeError, score.State == assay.TargetError:
		s.Unscored++
		return false
	default:
		s.Excluded++
		return false
	}
	value := score.Value
	if score.State == assay.TargetError {
		value = s.Metric.Range[0]
	}
	x := scaled(s.Metric, value)
	if !s.Bounds.Add(x) {
		s.Unscored++ // no number, which the engine does not let pass
		return false
	}
	if s.Drift != nil {
		if s.Worse {
			s.Drift.Add(1 - x)
		} else {
			s.Drift.Add(x)
		}
	}
	s.Recent = append(s.Recent, Point{asked.UTC().Truncate(time.Millisecond), x})
	s.Recent = s.Recent[max(0, len(s.Recent)-mostRecent):]
	date := asked.UTC().Format(time.DateOnly)
	if n := len(s.Days); n == 0 || s.Days[n-1].Date < date {
		s.Days = append(s.Days, DayMean{Date: date})
		s.Days = s.Days[max(0, len(s.Days)-mostDays):]
	}
	// An exchange of the day before can come after one of today: it counts with the last.
	d := &s.Days[len(s.Days)-1]
	d.N++
	d.Mean += (value - d.Mean) / float64(d.N)
	return true
}

// hold gives the series its line: the threshold of its metric or, when enough is known, what
// its first scores say, and say again each time that there are twice as many. Bounds hold at
// all times together, so that learning again costs no promise.
func (s *Series) hold(set Settings) {
	if t := s.Metric.Threshold; t != nil && !s.Metric.Undecided() {
		at := min(scaled(s.Metric, *t), highestLine)
		if s.Line == nil || !s.Line.Threshold || s.Line.At != at {
			s.Line, s.Worse = &Line{At: at, Threshold: true}, false
			s.look()
		}
		return
	}
	if s.Line != nil && s.Line.Threshold {
		s.Line, s.Drift, s.Worse = nil, nil, false // it has no threshold any more
	}
	wanted := set.Learn
	if s.Line != nil {
		wanted = 2 * s.Line.Seen
	}
	if s.Worse || s.Bounds.N < wanted {
		return
	}
	ci, ok := s.Bounds.Interval(1 - set.Level)
	mean, _ := s.Bounds.Mean()
	if !ok {
		return
	}
	learned := &Line{At: min(max(ci.Lo-set.Tolerance, 0), highestLine), Mean: mean, Cases: s.Bounds.N, Seen: s.Bounds.N}
	switch {
	case s.Line == nil:
		s.Line = learned
		s.look()
	case s.Drift != nil && learned.At > s.Line.At:
		// A mean that is not below the new line was not below the old one: what the detector
		// has seen stays evidence.
		s.Line, s.Drift.Line = learned, learned.At
	default:
		s.Line.Seen = s.Bounds.N // a line never falls: that would hide a slow decline
	}
}

// look begins to look for a mean on the other side of the line.
func (s *Series) look() {
	line := s.Line.At
	if s.Worse {
		line = 1 - line
	}
	s.Drift = nil
	if d, ok := stats.NewDrift(min(line, highestLine)); ok {
		s.Drift = &d
	}
}

// check returns an alarm, or the end of one, if the evidence reaches what is wanted.
func (s *Series) check(wanted float64, now time.Time) (Alarm, bool) {
	if s.Drift == nil || s.Drift.Evidence() < wanted {
		return Alarm{}, false
	}
	a := Alarm{
		At: now, Metric: s.Metric.Name, Title: s.Metric.Title, Stratum: s.Stratum, Estimate: s.Metric.Estimate,
		Recovered: s.Worse,
		Line:      s.Value(s.Line.At), Threshold: s.Line.Threshold, Cases: s.Drift.Since(),
	}
	last := s.Recent[max(0, len(s.Recent)-a.Cases):]
	var sum float64
	for _, p := range last {
		sum += p.X
	}
	if len(last) > 0 {
		a.Mean, a.Since = s.Value(sum/float64(len(last))), last[0].Asked
	}
	a.Over = len(last)
	s.Worse = !s.Worse
	s.look()
	s.restart(now)
	return a, true
}
