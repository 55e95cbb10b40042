package web

import (
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/draw"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
	"github.com/assay-eval/assay/watch"
)

const (
	// worseTold is the number of metrics that are worse with a sentence, alarmsShown that of
	// the alarms that are not folded.
	worseTold   = 4
	alarmsShown = 10
	// seriesShown is the number of rows on a page of the table of metrics.
	seriesShown = 40
)

// A watchView is the page of a watch.
type watchView struct {
	Names words.WatchNames
	// Verdict are the sentences on what is worse; Bad is set if something is.
	Verdict []string
	Bad     bool
	// Process says what goes on, Trouble why the last round was not judged. Start is a command
	// that starts the process, if it should run and does not.
	Process, Trouble, Waiting, Start string
	Running                          bool
	// LastRun and Round are addresses of runs, "" without one; AllRuns is that of their list.
	LastRun, Round, AllRuns string
	Day                     string
	Counts                  []watchCount
	Rows                    []watchMetric
	Pager                   pager
	Overall                 []watchMetric
	Kinds                   []watch.Stratum
	Alarms, Earlier         []watchTold
	MoreAlarms, Untold      string
	Settings                []string
}

// A watchCount is a number of exchanges, or a cost.
type watchCount struct{ Name, How, Today, All string }

// A watchMetric is a row of a table of metrics.
type watchMetric struct {
	Metric, Kind, State, Mark, Since string
	// Mean and Bounds are "" without scores; Then is then the mean at the alarm, if any.
	Mean, Bounds, Then string
	Line, LineFrom     string
	N                  int
	Unscored           string
	Plot, Days         template.HTML
}

// A watchTold is an alarm. Run is the address of its run.
type watchTold struct{ At, Run, Text string }

// watch is the page of a watch.
func (p *Pages) watch(r *request) (view, error) {
	w, err := p.cfg.Backend.Watch(r.Context(), r.PathValue("name"))
	if err != nil {
		return view{}, err
	}
	v := watchView{
		Names: r.w.WatchNames(), Running: w.Running, Day: w.Day, Settings: r.w.WatchSetting(watchSetting(w.Settings)),
		AllRuns: "/" + values{}.with("q", "watch "+w.Name),
	}
	v.process(r, w, p.cfg.Now())
	v.judge(r, w)
	v.count(r, w)
	for _, one := range w.Series {
		v.Rows = append(v.Rows, seriesRow(r, w, one))
	}
	slices.SortStableFunc(v.Rows, func(a, b watchMetric) int {
		place := func(m watchMetric) int { return map[bool]int{true: 0, false: 1}[m.Mark == "fail"] }
		return place(a) - place(b)
	})
	page := r.values.number("page")
	v.Pager = newPager(r, page, len(v.Rows), seriesShown)
	from := min((page-1)*seriesShown, len(v.Rows))
	v.Rows = v.Rows[from:min(from+seriesShown, len(v.Rows))]
	for _, m := range w.Metrics() {
		if e, ok := w.Overall(m.Name); ok {
			row := watchMetric{Metric: report.MetricTitle(m), N: e.N}
			row.level(r, m, &e.Mean, *e.CI, nil, false)
			v.Overall = append(v.Overall, row)
		}
	}
	if len(w.Strata) > 1 || len(w.Strata) == 1 && w.Strata[0].Name != "" {
		for _, k := range w.Strata {
			k.Name = kindName(k.Name)
			v.Kinds = append(v.Kinds, k)
		}
	}
	v.alarm(r, w)
	return view{Template: "watch", Title: w.Name, Place: placeWatch, Data: v}, nil
}

// process says whether the watch goes on.
func (v *watchView) process(r *request, w Watch, now time.Time) {
	said := words.WatchProcess{Running: w.Running, Updated: moment(w.Updated), Overdue: w.overdue(now)}
	if !w.Due.IsZero() {
		said.Next = moment(w.Due)
	}
	if w.Round != nil {
		said.Round = len(w.Round.Exchanges)
		if w.Round.Run != "" {
			v.Round = runAddress(w.Round.Run)
		}
	}
	v.Process = r.w.WatchProcess(said)
	if said.Overdue {
		v.Start = "assay watch --name " + w.Name
	}
	if w.Trouble != "" {
		v.Trouble = r.w.WatchTrouble(w.Trouble)
	}
	if n := len(w.Waiting); n > 0 {
		v.Waiting = r.w.WatchWaiting(n)
	}
	if w.Last != "" {
		v.LastRun = runAddress(w.Last)
	}
}

// judge says which metrics are worse than their lines.
func (v *watchView) judge(r *request, w Watch) {
	fine, learning, worse := 0, 0, 0
	for _, one := range w.Series {
		switch one.State() {
		case watch.Learning:
			learning++
			continue
		case watch.Fine:
			fine++
			continue
		}
		if worse++; worse > worseTold {
			continue
		}
		m := one.Metric
		said := words.WatchWorse{
			Metric: report.MetricTitle(m), Kind: kindName(one.Stratum), Line: summary.Amount(m, one.Value(one.Line.At)), Threshold: one.Line.Threshold,
			Since: moment(one.Begun), Cases: one.Bounds.N, Estimate: m.Estimate,
		}
		alarm, told := w.Began(one)
		if told && !alarm.Since.IsZero() {
			said.Since = moment(alarm.Since)
		}
		if mean, _, ok := one.Estimate(w.Settings.Level); ok {
			said.Mean = summary.Amount(m, mean)
		} else if told {
			said.Mean, said.Cases, said.AtAlarm = summary.Amount(m, alarm.Mean), alarm.Over, true
		}
		v.Verdict = append(v.Verdict, r.w.WatchWorse(said))
	}
	if worse > worseTold {
		v.Verdict = append(v.Verdict, r.w.WatchMoreWorse(worse-worseTold))
	}
	if v.Bad = worse > 0; !v.Bad {
		v.Verdict = []string{r.w.WatchVerdict(fine, learning)}
	}
}

// count fills in the table of counts.
func (v *watchView) count(r *request, w Watch) {
	n := v.Names
	add := func(name, how string, of func(watch.Counts) int) {
		v.Counts = append(v.Counts, watchCount{name, how, strconv.Itoa(of(w.Today)), strconv.Itoa(of(w.Total))})
	}
	add(n.Sampled, n.SampledHow, func(c watch.Counts) int { return c.Sampled })
	add(n.Judged, n.JudgedHow, func(c watch.Counts) int { return c.Judged })
	if w.Total.Failed > 0 {
		add(n.Failed, "", func(c watch.Counts) int { return c.Failed })
	}
	add(n.Skipped, n.SkippedHow, func(c watch.Counts) int { return c.Skipped })
	add(n.Unread, n.UnreadHow, func(c watch.Counts) int { return c.Unread })
	spent := func(micro int64) string {
		if micro == 0 && w.Settings.Budget == 0 {
			return "–" // nothing, or what has no known price
		}
		return assay.Dollars(micro)
	}
	today := spent(w.Today.Cost)
	if w.Settings.Budget > 0 {
		today = r.w.WatchSpent(today, assay.Dollars(w.Settings.Budget))
	}
	v.Counts = append(v.Counts, watchCount{n.Cost, "", today, spent(w.Total.Cost)})
}

// seriesRow is the row of a series.
func seriesRow(r *request, w Watch, one *watch.Series) watchMetric {
	m := one.Metric
	row := watchMetric{
		Metric: report.MetricTitle(m), Kind: kindName(one.Stratum), N: one.Bounds.N, Unscored: r.w.WatchUnscored(one.Unscored, one.Excluded),
	}
	if row.Kind == "" {
		row.Kind = r.w.WatchNames().AllKinds
	}
	row.State, row.Mark = watchState(r, one.State())
	row.Since = r.w.WatchSince(moment(one.Begun))
	if one.State() == watch.Learning {
		row.Since = r.w.WatchLearning(one.Bounds.N, w.Settings.Learn)
	}
	var line *float64
	if one.Line != nil {
		at := one.Value(one.Line.At)
		line, row.LineFrom = &at, r.w.WatchNames().Threshold
		if !one.Line.Threshold {
			row.LineFrom = r.w.WatchLearned(one.Line.Cases)
		}
	}
	if mean, ci, ok := one.Estimate(w.Settings.Level); ok {
		row.level(r, m, &mean, ci, line, one.Worse)
	} else {
		row.level(r, m, nil, ci, line, one.Worse)
		if a, ok := w.Began(one); ok {
			row.Then = r.w.WatchAtAlarm(summary.Amount(m, a.Mean), a.Over)
		}
	}
	row.Days = daysPicture(r, one, line)
	return row
}

// kindName shortens the name of a kind, which is the value of an attribute and can be of any
// length.
func kindName(name string) string { return document.Clip(document.Line(name), 60) }

// level fills in the mean, its bounds, the line and their picture. The mean is nil without
// scores.
func (row *watchMetric) level(r *request, m assay.MetricInfo, mean *float64, ci stats.Interval, line *float64, worse bool) {
	plot := draw.Level{Lo: m.Range[0], Hi: m.Range[1], None: mean == nil, Line: line, Worse: worse}
	low, high := "", ""
	if mean != nil {
		plot.Mean, plot.Bounds = *mean, draw.Span{Lo: ci.Lo, Hi: ci.Hi}
		low, high = summary.Amount(m, ci.Lo), summary.Amount(m, ci.Hi)
		row.Mean, row.Bounds = summary.Amount(m, *mean), low+"…"+high
	}
	if line != nil {
		row.Line = summary.Amount(m, *line)
	}
	plot.Label = document.Line(row.Metric + r.w.Colon() + r.w.WatchLevel(row.Mean, low, high, row.Line))
	row.Plot = plot.SVG()
}

// daysPicture draws the means of the days of a series. A tenth of the range is at least half of
// its height.
func daysPicture(r *request, one *watch.Series, line *float64) template.HTML {
	if len(one.Days) == 0 {
		return ""
	}
	m := one.Metric
	plot := draw.Days{Line: line, Least: (m.Range[1] - m.Range[0]) / 5}
	low, high := one.Days[0].Mean, one.Days[0].Mean
	for _, d := range one.Days {
		day, err := time.Parse(time.DateOnly, d.Date)
		if err != nil {
			continue // no day of a watch
		}
		low, high = min(low, d.Mean), max(high, d.Mean)
		plot.Marks = append(plot.Marks, draw.DayMark{Day: int(day.Unix() / 86400), Y: d.Mean})
	}
	last := one.Days[len(one.Days)-1].Mean
	plot.Label = r.w.WatchDays(len(one.Days), summary.Amount(m, last), summary.Amount(m, low), summary.Amount(m, high))
	return plot.SVG()
}

// alarm lists the alarms, the latest first.
func (v *watchView) alarm(r *request, w Watch) {
	for _, a := range slices.Backward(w.Alarms) {
		m := assay.MetricInfo{Name: a.Metric, Title: a.Title}
		for _, one := range w.Series {
			if one.Metric.Name == a.Metric {
				m = one.Metric
			}
		}
		told := watchTold{At: moment(a.At), Text: r.w.WatchAlarm(words.WatchAlarm{
			Metric: report.MetricTitle(m), Kind: kindName(a.Stratum), Line: summary.Amount(m, a.Line), Mean: summary.Amount(m, a.Mean),
			Threshold: a.Threshold, Recovered: a.Recovered, Over: a.Over,
		})}
		if a.Run != "" {
			told.Run = runAddress(a.Run)
		}
		if len(v.Alarms) < alarmsShown {
			v.Alarms = append(v.Alarms, told)
		} else {
			v.Earlier = append(v.Earlier, told)
		}
	}
	if n := len(v.Earlier); n > 0 {
		v.MoreAlarms = r.w.WatchEarlier(n)
	}
	if n := len(w.Untold); n > 0 {
		next := ""
		if d := w.Untold[0]; !d.Next.IsZero() {
			next = moment(d.Next)
		}
		v.Untold = r.w.WatchUntold(n, w.Untold[0].Tries, next)
	}
}

// shortly formats a length of time without units that are 0: "15m".
func shortly(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// watchSetting formats settings.
func watchSetting(s watch.Settings) words.WatchSetting {
	out := words.WatchSetting{
		Rate: summary.Percent(s.Rate), By: s.By, Every: shortly(s.Every), Settle: shortly(s.Settle), Most: s.Most, Learn: s.Learn,
		Drop: summary.Percent(s.Tolerance), Level: summary.Percent(s.Level), Quiet: fmt.Sprintf("%.0f", s.Quiet),
	}
	if s.Budget > 0 {
		out.Budget = assay.Dollars(s.Budget)
	}
	return out
}
