package watch

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// A State is what a watch knows: what it has read, sampled and judged, and how its metrics are.
type State struct {
	Name string `json:"name"`
	// Settings are those of the process that wrote the state.
	Settings Settings `json:"settings"`
	// Begun is when the watch was made. It reads the spans received since From.
	Begun   time.Time `json:"begun"`
	From    time.Time `json:"from"`
	Updated time.Time `json:"updated"`
	Reading Reading   `json:"reading"`
	// Total counts since the watch began, Today since midnight (UTC) of Day.
	Total Counts `json:"total"`
	Today Counts `json:"today"`
	Day   string `json:"day"`
	// Strata are the kinds of exchanges, in the order of their names; one without a name if
	// they are not told apart.
	Strata []Stratum `json:"strata"`
	// Series are the metrics of each stratum.
	Series []*Series `json:"series"`
	// Alarms are the latest, oldest first.
	Alarms []Alarm `json:"alarms"`
	// Untold are those that the webhook has not taken yet, oldest first.
	Untold []Delivery `json:"untold,omitempty"`
	// Waiting are the exchanges for the next round.
	Waiting []Waiting `json:"waiting"`
	// Round is the round that goes on; nil between rounds.
	Round *Round `json:"round,omitempty"`
	// Rounds counts the finished rounds, of which Last is the latest run.
	Rounds int    `json:"rounds"`
	Last   string `json:"last_run,omitempty"`
	// Once is set if the process that wrote the state judges one round and ends, as schedulers
	// start it.
	Once bool `json:"once,omitempty"`
	// Due is when the next round begins, at the earliest.
	Due time.Time `json:"due,omitzero"`
	// Trouble is why the last round could not be judged; "" if it was.
	Trouble string `json:"trouble,omitempty"`
}

// Settings say what a watch samples and when it alarms.
type Settings struct {
	// Rate is the share of the traces that are sampled, above 0 and up to 1.
	Rate float64 `json:"rate"`
	// By tells kinds of exchanges apart: [ByLanguage], [ByName], or an attribute of spans; ""
	// does not.
	By string `json:"by,omitempty"`
	// Budget is what may be paid on a day (UTC), in micro-dollars; 0 is without limit.
	Budget int64 `json:"budget_micro_usd,omitempty"`
	// Every is the time between rounds, Most the number of exchanges of one.
	Every time.Duration `json:"every_ns"`
	Most  int           `json:"most"`
	// Settle is how long a trace waits for more spans.
	Settle time.Duration `json:"settle_ns"`
	// Learn is the number of scores from which the line of a metric without a threshold is
	// learned, Tolerance how far below them its mean may fall.
	Learn     int     `json:"learn"`
	Tolerance float64 `json:"tolerance"`
	// Quiet is how many judged cases lie between false alarms, on average, at least.
	Quiet float64 `json:"quiet"`
	// Level is that of the bounds, such as 0.95.
	Level float64 `json:"level"`
}

// Defaults returns the settings that nothing overrides.
func Defaults() Settings {
	return Settings{
		Rate: 0.1, Every: 15 * time.Minute, Most: 200, Settle: 30 * time.Second, Learn: 200, Tolerance: 0.02, Quiet: 10_000, Level: 0.95,
	}
}

// Check returns an error that lists every setting that is out of its range, by the name of its
// flag.
func (s Settings) Check() error {
	var problems []error
	for _, c := range []struct {
		bad  bool
		text string
	}{
		{!(s.Rate > 0 && s.Rate <= 1), fmt.Sprintf("--sample-rate %v: want a share above 0 and up to 1, such as 0.1", s.Rate)},
		{s.Budget < 0, "--daily-budget: want 0 or more dollars"},
		{s.Every < time.Second, fmt.Sprintf("--every %v: want 1s or more", s.Every)},
		{s.Most < 1, fmt.Sprintf("--round-size %d: want 1 or more exchanges", s.Most)},
		{s.Settle < 0, fmt.Sprintf("--settle %v: want 0s or more", s.Settle)},
		{s.Learn < 30, fmt.Sprintf("--learn %d: want 30 or more, since fewer scores say too little of a mean", s.Learn)},
		{!(s.Tolerance >= 0 && s.Tolerance < 1), fmt.Sprintf("--drop %v: want 0 or more and below 1", s.Tolerance)},
		{!(s.Quiet >= 100), fmt.Sprintf("--quiet-cases %v: want 100 or more cases between false alarms", s.Quiet)},
		{!(s.Level > 0 && s.Level < 1), fmt.Sprintf("--level %v: want a number between 0 and 1, such as 0.95", s.Level)},
	} {
		if c.bad {
			problems = append(problems, errors.New(c.text))
		}
	}
	return errors.Join(problems...)
}

// Counts are numbers of exchanges, and what they cost.
type Counts struct {
	// Sampled are the exchanges in the traces that were drawn.
	Sampled int `json:"sampled"`
	// Unread counts operations in these traces that have no question, or nothing to score.
	Unread int `json:"unread"`
	// Judged were evaluated; Failed of these are recorded as failures of the system.
	Judged int `json:"judged"`
	Failed int `json:"failed"`
	// Skipped were not judged, since the round was full or the budget spent.
	Skipped int `json:"skipped"`
	// Cost is what judging has cost, in micro-dollars.
	Cost int64 `json:"cost_micro_usd"`
}

// A Stratum is a kind of exchanges.
type Stratum struct {
	Name string `json:"name"`
	// Sampled, Judged and Skipped count since the watch began, Today are those judged today.
	Sampled int `json:"sampled"`
	Judged  int `json:"judged"`
	Skipped int `json:"skipped"`
	Today   int `json:"judged_today"`
}

// mostStrata bounds the kinds of exchanges; the exchanges of further kinds are of [OtherStrata].
const mostStrata = 20

// OtherStrata is the stratum of the exchanges beyond the first 20 kinds.
const OtherStrata = "other"

// stratum returns the stratum with a name, which may be new.
func (s *State) stratum(name string) *Stratum {
	find := func(name string) (int, bool) {
		return slices.BinarySearchFunc(s.Strata, name, func(st Stratum, name string) int { return compare(st.Name, name) })
	}
	i, ok := find(name)
	if !ok && len(s.Strata) >= mostStrata {
		name = OtherStrata
		i, ok = find(name)
	}
	if !ok {
		s.Strata = slices.Insert(s.Strata, i, Stratum{Name: name})
	}
	return &s.Strata[i]
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// A Waiting is an exchange that was sampled. Its texts are in the store.
type Waiting struct {
	ID      string `json:"id"`
	Stratum string `json:"stratum,omitempty"`
	// Order is a number that the name of the watch and the exchange determine, as if drawn by
	// chance: a round takes the lowest.
	Order uint64 `json:"order"`
	// Asked is when the exchange began, or else when it was received.
	Asked time.Time `json:"asked"`
}

// A Round is a run that judges some exchanges.
type Round struct {
	Exchanges []Waiting `json:"exchanges"`
	// Budget is what the round may cost, in micro-dollars; 0 is without limit.
	Budget int64 `json:"budget_micro_usd,omitempty"`
	// Run is the id of the run, "" before it has begun.
	Run string `json:"run,omitempty"`
}

// turn begins a new day if there is one.
func (s *State) turn(now time.Time) {
	day := now.UTC().Format(time.DateOnly)
	if s.Day == day {
		return
	}
	s.Day, s.Today = day, Counts{}
	for i := range s.Strata {
		s.Strata[i].Today = 0
	}
}
