package server

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/watch"
)

// A WatchSummary is a watch of production traffic in a list.
type WatchSummary struct {
	Name     string    `json:"name" doc:"name of the watch" example:"production"`
	State    string    `json:"state" enum:"worse,ok,learning,new" doc:"learning while no metric has a line, new before any score"`
	Running  bool      `json:"running" doc:"whether a process carries it out; with --once, during a round only"`
	Begun    time.Time `json:"begun" doc:"time when the watch was made" example:"2026-03-02T09:30:00Z"`
	Updated  time.Time `json:"updated" doc:"time when its process last wrote what it knows" example:"2026-03-09T09:30:00Z"`
	Followed int       `json:"followed" doc:"number of metrics times kinds of exchanges that are followed" example:"4"`
	Worse    int       `json:"worse" doc:"how many of these are worse than their line" example:"0"`
	Trouble  string    `json:"trouble,omitempty" doc:"why the last round could not be judged; absent if it was" example:"openai: status 401"`
}

// A WatchView is a watch of production traffic.
type WatchView struct {
	WatchSummary
	Settings WatchSettings  `json:"settings" doc:"settings of the process that wrote what is known"`
	Total    WatchCounts    `json:"total" doc:"counts since the watch began"`
	Day      string         `json:"day" format:"date" doc:"the day (UTC) of today" example:"2026-03-09"`
	Today    WatchCounts    `json:"today" doc:"counts of the day"`
	Kinds    []WatchKind    `json:"kinds" nullable:"false" doc:"kinds of exchanges, by their names"`
	Series   []WatchSeries  `json:"series" nullable:"false" doc:"each followed metric of each kind"`
	Overall  []WatchOverall `json:"overall" nullable:"false" doc:"means over several kinds, once each has a score"`
	Alarms   []WatchAlarm   `json:"alarms" nullable:"false" doc:"the latest 200 alarms and recoveries, oldest first"`
	Untold   []WatchUntold  `json:"untold" nullable:"false" doc:"alarms that the webhook has not taken yet, oldest first"`
	Rounds   int            `json:"rounds" doc:"number of finished rounds" example:"96"`
	Waiting  int            `json:"waiting" doc:"number of sampled exchanges that wait for the next round" example:"12"`
	LastRun  string         `json:"last_run_id,omitempty" doc:"id of the run of the last finished round" example:"01990a3e"`
	Round    *WatchRound    `json:"round,omitempty" doc:"the round that goes on; absent between rounds"`
	Next     time.Time      `json:"next_round,omitzero" doc:"earliest time of the next round" example:"2026-03-09T09:45:00Z"`
}

// WatchSettings say what a watch samples and when it alarms.
type WatchSettings struct {
	Rate      float64 `json:"sample_rate" doc:"share of the traces that are sampled" example:"0.1"`
	By        string  `json:"by,omitempty" doc:"what tells kinds apart: language, name, or an attribute; absent: nothing" example:"http.route"`
	Budget    float64 `json:"daily_budget_usd" doc:"what judging may cost a day (UTC), in US dollars; 0 without limit" example:"5"`
	Every     float64 `json:"every_seconds" doc:"time between rounds" example:"900"`
	RoundSize int     `json:"round_size" doc:"number of exchanges that a round judges at most" example:"200"`
	Settle    float64 `json:"settle_seconds" doc:"how long a trace waits for more spans" example:"30"`
	Learn     int     `json:"learn" doc:"number of scores from which a line is learned" example:"200"`
	Drop      float64 `json:"drop" doc:"how far a line is below the bound of its mean, as a share of the range" example:"0.02"`
	Quiet     float64 `json:"quiet_cases" doc:"judged exchanges between two false alarms, on average, at least" example:"10000"`
	Level     float64 `json:"level" doc:"level of the bounds" example:"0.95"`
}

// WatchCounts are numbers of exchanges, and what they cost.
type WatchCounts struct {
	Sampled int     `json:"sampled" doc:"exchanges in the traces that were drawn" example:"1240"`
	Judged  int     `json:"judged" doc:"exchanges that were evaluated" example:"1200"`
	Failed  int     `json:"failed" doc:"judged exchanges that are recorded as failures of the system" example:"3"`
	Skipped int     `json:"skipped" doc:"sampled exchanges that were not judged, since the round was full or the budget spent" example:"28"`
	Unread  int     `json:"unread" doc:"operations in drawn traces that have no question, or nothing to score" example:"0"`
	Cost    float64 `json:"cost_usd" doc:"what judging cost, in US dollars" example:"3.72"`
}

// A WatchKind is a kind of exchanges.
type WatchKind struct {
	Name    string `json:"name" doc:"value of what tells kinds apart; \"\" if nothing does" example:"/search"`
	Sampled int    `json:"sampled" doc:"exchanges that were sampled since the watch began" example:"620"`
	Judged  int    `json:"judged" doc:"how many of these were judged" example:"600"`
	Skipped int    `json:"skipped" doc:"how many of these were not judged, and do not wait" example:"14"`
	Today   int    `json:"judged_today" doc:"exchanges that were judged on the day" example:"41"`
}

// A WatchSeries is a metric of one kind of exchanges.
type WatchSeries struct {
	Metric string `json:"metric" doc:"name of the metric" example:"faithfulness"`
	Title  string `json:"title" doc:"name of the metric in reports" example:"Faithfulness"`
	Kind   string `json:"kind" doc:"kind of exchanges; \"\" if they are not told apart" example:"/search"`
	Better string `json:"better" enum:"higher,lower" doc:"which values are better"`
	State  string `json:"state" enum:"worse,ok,learning" doc:"worse from an alarm to its recovery; learning without a line"`
	// Begun is that of the present mean.
	Begun    time.Time  `json:"begun" doc:"begin of the mean: of the watch, a judge, an alarm or a recovery" example:"2026-03-02T09:45:00Z"`
	Mean     *float64   `json:"mean" required:"true" doc:"mean since then; null without scores" example:"0.913"`
	Low      *float64   `json:"low" required:"true" doc:"its lower bound, which holds at all times; null without scores" example:"0.891"`
	High     *float64   `json:"high" required:"true" doc:"its upper bound; null without scores" example:"0.931"`
	N        int        `json:"n" doc:"number of scores" example:"600"`
	Unscored int        `json:"unscored" doc:"exchanges without a score, mostly since the judge failed; the bounds allow for any" example:"2"`
	Excluded int        `json:"excluded" doc:"exchanges that the metric does not apply to" example:"0"`
	Line     *WatchLine `json:"line,omitempty" doc:"what the mean should not get worse than; absent while it is learned"`
	Days     []WatchDay `json:"days" nullable:"false" doc:"means of the last 90 days (UTC) with scores, oldest first"`
}

// A WatchLine is what a mean should not get worse than.
type WatchLine struct {
	Value float64  `json:"value" doc:"the line, in the unit of the metric" example:"0.871"`
	From  string   `json:"from" enum:"threshold,learned" doc:"the threshold of the metric, or what its first scores say"`
	Mean  *float64 `json:"mean,omitempty" doc:"mean of these scores; absent with a threshold" example:"0.913"`
	Cases int      `json:"cases,omitempty" doc:"their number; absent with a threshold" example:"200"`
}

// A WatchDay is the mean of a day.
type WatchDay struct {
	Date string  `json:"date" format:"date" doc:"the day (UTC)" example:"2026-03-09"`
	N    int     `json:"n" doc:"number of scores" example:"41"`
	Mean float64 `json:"mean" doc:"their mean" example:"0.902"`
}

// A WatchOverall is the mean of a metric over all kinds of exchanges.
type WatchOverall struct {
	Metric string  `json:"metric" doc:"name of the metric" example:"faithfulness"`
	Title  string  `json:"title" doc:"name of the metric in reports" example:"Faithfulness"`
	Mean   float64 `json:"mean" doc:"sum of the means of the kinds, each times its share of the sampled exchanges" example:"0.921"`
	Low    float64 `json:"low" doc:"lower bound, which holds at all times" example:"0.885"`
	High   float64 `json:"high" doc:"upper bound" example:"0.948"`
	N      int     `json:"n" doc:"number of scores" example:"1200"`
}

// A WatchAlarm says that a metric got worse than its line, or has recovered.
type WatchAlarm struct {
	At        time.Time `json:"at" doc:"time of the alarm" example:"2026-03-09T09:31:00Z"`
	Metric    string    `json:"metric" doc:"name of the metric" example:"faithfulness"`
	Title     string    `json:"title" doc:"name of the metric in reports" example:"Faithfulness"`
	Kind      string    `json:"kind" doc:"kind of exchanges; \"\" if they are not told apart" example:"/search"`
	Estimate  bool      `json:"estimate" doc:"whether a formula stands in for a judge, so that the alarm shows a change of the number alone"`
	Recovered bool      `json:"recovered" doc:"whether the metric is better again"`
	Line      float64   `json:"line" doc:"what the mean crossed" example:"0.871"`
	From      string    `json:"from" enum:"threshold,learned" doc:"whether the line is the threshold, or was learned"`
	Cases     int       `json:"cases" doc:"estimate of the number of scores since the change" example:"64"`
	Mean      float64   `json:"mean" doc:"mean of the last scores: those since the change, or as many as are kept" example:"0.702"`
	Over      int       `json:"over" doc:"number of these scores" example:"64"`
	Since     time.Time `json:"since,omitzero" doc:"time of the first exchange of these" example:"2026-03-09T07:12:00Z"`
	Run       string    `json:"run_id" doc:"id of the run of the round that raised the alarm" example:"01990a3e"`
}

// A WatchUntold is an alarm that the webhook has not taken yet.
type WatchUntold struct {
	Alarm WatchAlarm `json:"alarm" doc:"the alarm"`
	Tries int        `json:"tries" doc:"number of failed calls" example:"2"`
	Next  time.Time  `json:"next,omitzero" doc:"time of the next call; absent before the first" example:"2026-03-09T09:33:00Z"`
}

// A WatchRound is a round that goes on.
type WatchRound struct {
	Exchanges int    `json:"exchanges" doc:"number of its exchanges" example:"200"`
	Run       string `json:"run_id,omitempty" doc:"id of its run; absent before it has begun" example:"01990a3e"`
}

type WatchPath struct {
	Name string `path:"name" maxLength:"64" doc:"name of a watch"`
}

func (s *Server) watches(api huma.API) {
	huma.Register(api, operation("watches", http.MethodGet, "/watches", "list-watches", "List the watches of traffic, latest first"),
		func(ctx context.Context, in *Paging) (*list[WatchSummary], error) {
			return listItems(ctx, s, store.KindWatch, store.ItemQuery{}, *in, func(it store.Item) (WatchSummary, error) {
				st, running, err := s.watch(ctx, it.ID)
				if err != nil {
					return WatchSummary{}, err
				}
				return s.watchSummary(st, running), nil
			})
		})
	huma.Register(api, operation("watches", http.MethodGet, "/watches/{name}", "get-watch", "Get a watch of production traffic",
		says("What assay watch knows: counts, the mean of each metric with bounds that hold at all times together, alarms. "+
			"Values are in the unit of their metric.")),
		func(ctx context.Context, in *WatchPath) (*one[WatchView], error) {
			st, running, err := s.watch(ctx, in.Name)
			if err != nil {
				return nil, s.orAbsent(ctx, err, "watch", in.Name)
			}
			return &one[WatchView]{s.watchView(st, running)}, nil
		})
}

// watch reads the state of a watch, and whether a process carries it out. The error is that of
// the store.
func (s *Server) watch(ctx context.Context, name string) (st *watch.State, running bool, err error) {
	if !watch.ValidName(name) {
		return nil, false, store.ErrNotFound
	}
	if st, err = watch.Load(ctx, s.store, name); err != nil {
		return nil, false, err
	}
	running, err = watch.Running(ctx, s.store, name)
	return st, running, err
}

// allWatches reads the states of all watches, the latest first, and which of them a process
// carries out.
func (s *Server) allWatches(ctx context.Context) (states []*watch.State, running []bool, err error) {
	if states, err = watch.All(ctx, s.store); err != nil {
		return nil, nil, err
	}
	running = make([]bool, len(states))
	for i, st := range states {
		if running[i], err = watch.Running(ctx, s.store, st.Name); err != nil {
			return nil, nil, err
		}
	}
	return states, running, nil
}

func (s *Server) watchSummary(st *watch.State, running bool) WatchSummary {
	v := WatchSummary{
		Name: st.Name, State: st.Verdict(), Running: running, Begun: st.Begun, Updated: st.Updated, Followed: len(st.Series),
		Trouble: s.cfg.Settings.Secrets().Scrub(st.Trouble),
	}
	for _, one := range st.Series {
		if one.Worse {
			v.Worse++
		}
	}
	return v
}

func (s *Server) watchView(st *watch.State, running bool) WatchView {
	v := WatchView{
		WatchSummary: s.watchSummary(st, running), Settings: watchSettings(st.Settings), Total: watchCounts(st.Total), Day: st.Day,
		Today: watchCounts(st.Today), Kinds: []WatchKind{}, Series: []WatchSeries{}, Overall: []WatchOverall{}, Alarms: []WatchAlarm{},
		Untold: []WatchUntold{}, Rounds: st.Rounds, Waiting: len(st.Waiting), LastRun: st.Last, Next: st.Due,
	}
	if st.Round != nil {
		v.Round = &WatchRound{len(st.Round.Exchanges), st.Round.Run}
	}
	for _, k := range st.Strata {
		v.Kinds = append(v.Kinds, WatchKind(k))
	}
	for _, one := range st.Series {
		v.Series = append(v.Series, watchSeries(one, st.Settings.Level))
	}
	for _, m := range st.Metrics() {
		if e, ok := st.Overall(m.Name); ok {
			v.Overall = append(v.Overall, WatchOverall{m.Name, m.Title, e.Mean, e.CI.Lo, e.CI.Hi, e.N})
		}
	}
	for _, a := range st.Alarms {
		v.Alarms = append(v.Alarms, watchAlarm(a))
	}
	for _, d := range st.Untold {
		v.Untold = append(v.Untold, WatchUntold{watchAlarm(d.Alarm), d.Tries, d.Next})
	}
	return v
}

// dollars returns an amount in micro-dollars in dollars.
func dollars(micro int64) float64 { return float64(micro) / 1e6 }

func watchSettings(s watch.Settings) WatchSettings {
	return WatchSettings{
		s.Rate, s.By, dollars(s.Budget), s.Every.Seconds(), s.Most, s.Settle.Seconds(), s.Learn, s.Tolerance, s.Quiet, s.Level,
	}
}

func watchCounts(c watch.Counts) WatchCounts {
	return WatchCounts{c.Sampled, c.Judged, c.Failed, c.Skipped, c.Unread, dollars(c.Cost)}
}

func watchSeries(one *watch.Series, level float64) WatchSeries {
	v := WatchSeries{
		Metric: one.Metric.Name, Title: one.Metric.Title, Kind: one.Stratum, Better: one.Metric.Better, State: one.State(),
		Begun: one.Begun, N: one.Bounds.N, Unscored: one.Unscored, Excluded: one.Excluded, Days: []WatchDay{},
	}
	if mean, ci, ok := one.Estimate(level); ok {
		v.Mean, v.Low, v.High = &mean, &ci.Lo, &ci.Hi
	}
	if l := one.Line; l != nil {
		v.Line = &WatchLine{Value: one.Value(l.At), From: lineFrom(l.Threshold)}
		if !l.Threshold {
			mean := one.Value(l.Mean)
			v.Line.Mean, v.Line.Cases = &mean, l.Cases
		}
	}
	for _, d := range one.Days {
		v.Days = append(v.Days, WatchDay{d.Date, d.N, d.Mean})
	}
	return v
}

func watchAlarm(a watch.Alarm) WatchAlarm {
	return WatchAlarm{
		a.At, a.Metric, a.Title, a.Stratum, a.Estimate, a.Recovered, a.Line, lineFrom(a.Threshold), a.Cases, a.Mean, a.Over, a.Since, a.Run,
	}
}

func lineFrom(threshold bool) string {
	if threshold {
		return "threshold"
	}
	return "learned"
}
