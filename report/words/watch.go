package words

// watches are the words about watches of production traffic. Times are texts, in UTC.
type watches interface {
	WatchNames() WatchNames
	// WatchVerdict says that no mean is worse than its line, of how many: fine have a line,
	// learning have none yet. Without any nothing has been judged.
	WatchVerdict(fine, learning int) string
	// WatchWorse says that a metric is worse than its line, and since when.
	WatchWorse(w WatchWorse) string
	// WatchMoreWorse says that n further means are worse.
	WatchMoreWorse(n int) string
	// WatchSome says how many of the means of a watch are worse: "2 of 8 worse".
	WatchSome(worse, of int) string
	// WatchProcess says whether a process carries the watch out, and what comes next.
	WatchProcess(p WatchProcess) string
	// WatchTrouble says why the last round was not judged.
	WatchTrouble(why string) string
	// WatchWaiting counts the exchanges that wait for the next round.
	WatchWaiting(n int) string
	// WatchSpent says what a day cost, of what it may cost.
	WatchSpent(cost, budget string) string
	// WatchLearning says how many scores there are of those that a line is learned from.
	WatchLearning(n, of int) string
	// WatchLearned says of how many scores a line was learned.
	WatchLearned(cases int) string
	// WatchSince says when a mean began: "since 2026-11-22 08:00".
	WatchSince(at string) string
	// WatchAtAlarm is a mean of the last scores before an alarm or a recovery.
	WatchAtAlarm(mean string, cases int) string
	// WatchUnscored counts the exchanges without a score, and those that a metric does not
	// apply to.
	WatchUnscored(unscored, excluded int) string
	// WatchLevel describes the picture of a mean; parts that are "" are not there.
	WatchLevel(mean, low, high, line string) string
	// WatchDays describes the picture of the means of days.
	WatchDays(days int, last, low, high string) string
	// WatchAlarm says an alarm or a recovery.
	WatchAlarm(a WatchAlarm) string
	// WatchEarlier counts the earlier alarms of a list.
	WatchEarlier(n int) string
	// WatchUntold says that the webhook has not taken alarms, after how many calls.
	WatchUntold(alarms, tries int, next string) string
	// WatchSetting says the settings of a watch.
	WatchSetting(s WatchSetting) []string
}

// A WatchWorse is a metric that is worse than its line.
type WatchWorse struct {
	// Kind is "" if kinds are not told apart.
	Metric, Kind, Line string
	// Threshold is set if the line is the threshold of the metric, else it was learned.
	Threshold bool
	Since     string
	// Mean is that of so many scores: since the alarm, or at it.
	Mean    string
	Cases   int
	AtAlarm bool
	// Estimate is set if a formula stands in for a judgement.
	Estimate bool
}

// A WatchProcess is what is known of the process of a watch.
type WatchProcess struct {
	Running       bool
	Updated, Next string
	// Round is the number of exchanges of the round that goes on, 0 between rounds.
	Round int
	// Overdue is set if nobody judged the round that was due.
	Overdue bool
}

// A WatchAlarm is an alarm in a list.
type WatchAlarm struct {
	Metric, Kind, Line, Mean string
	Threshold, Recovered     bool
	Over                     int
}

// A WatchSetting has the settings of a watch as texts.
type WatchSetting struct {
	// By is "" if kinds are not told apart, Budget if there is no limit.
	Rate, By, Every, Settle, Budget, Drop, Level, Quiet string
	Most, Learn                                         int
}

// WatchNames are the labels of the pages of watches.
type WatchNames struct {
	Title, Name, State, Process, Running, NotRunning, Updated                                  string
	Empty, EmptyReceive, EmptyWatch                                                            string
	Counts, InAll, Sampled, Judged, Failed, Skipped, Unread, Cost                              string
	SampledHow, JudgedHow, SkippedHow, UnreadHow                                               string
	Results, Kind, AllKinds, Mean, Bounds, Line, Threshold, Scores, Days                       string
	Worse, Fine, Learning, New, ResultsHow, Exchanges, NotJudged                               string
	Traffic, TrafficHow, Kinds, Alarms, NoAlarms, Settings, LastRun, RoundRun, AllRuns, TimeIs string
}
