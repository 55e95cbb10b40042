package watch

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"
	"time"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/spans"
)

// What tells kinds of exchanges apart, beside attributes of spans.
const (
	// ByLanguage is the language in which judges are asked: "en" or "zh".
	ByLanguage = "language"
	// ByName is the name of the first span of the trace.
	ByName = "name"
)

// order is a number that looks drawn by chance, and is the same whenever, and wherever, a trace
// is looked at. It does not depend on how systems draw the traces that they record, which the
// bits of an id tell in OpenTelemetry.
func order(watch, id string) uint64 {
	sum := sha256.Sum256([]byte(watch + "\x00" + id))
	return binary.BigEndian.Uint64(sum[:8])
}

// drawn reports whether a trace is in the sample.
func drawn(watch, trace string, rate float64) bool {
	return rate >= 1 || float64(order(watch, trace)) < rate*math.MaxUint64
}

// kind returns what kind of exchange an exchange of a trace is.
func kind(by string, trace []spans.Span, e *spans.Exchange) string {
	switch by {
	case "":
		return ""
	case ByLanguage:
		return string(cmp.Or(judge.LanguageTagged(e.Case.Language), judge.LanguageOf(e.Case.Question)))
	case ByName:
		return cmp.Or(spans.First(trace).Name, "unnamed")
	}
	return cmp.Or(spans.Attribute(trace, by), "none")
}

// admit puts an exchange among those that wait, unless a round could not take it any more: as
// many of its kind with a lower order wait as a round has places. Then, and for the one whose
// place it takes, it counts as skipped.
func (s *State) admit(w Waiting) bool {
	last, of := -1, 0
	for i, other := range s.Waiting {
		if other.Stratum != w.Stratum {
			continue
		}
		of++
		if last < 0 || other.Order > s.Waiting[last].Order {
			last = i
		}
	}
	switch {
	case of < s.Settings.Most:
		s.Waiting = append(s.Waiting, w)
		return true
	case w.Order < s.Waiting[last].Order:
		s.skip(w.Stratum)
		s.Waiting = append(slices.Delete(s.Waiting, last, last+1), w)
		return true
	}
	s.skip(w.Stratum)
	return false
}

// skip counts an exchange that is not judged.
func (s *State) skip(stratum string) {
	s.Total.Skipped++
	s.Today.Skipped++
	s.stratum(stratum).Skipped++
}

// choose divides what waits into a round and what is skipped. As many exchanges of each kind
// are judged on a day as there can be; of a kind, the lowest in order are taken, so that they
// are a random sample of all that waits, whenever it came.
func (s *State) choose(most int) (round, skipped []Waiting) {
	waiting := map[string][]Waiting{}
	for _, w := range s.Waiting {
		waiting[w.Stratum] = append(waiting[w.Stratum], w)
	}
	judged := map[string]int{}
	for name, list := range waiting {
		slices.SortFunc(list, func(a, b Waiting) int { return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.ID, b.ID)) })
		judged[name] = s.stratum(name).Today
	}
	for len(round) < most && len(waiting) > 0 {
		var least string
		found := false
		for name := range waiting {
			if !found || judged[name] < judged[least] || judged[name] == judged[least] && name < least {
				least, found = name, true
			}
		}
		list := waiting[least]
		round = append(round, list[0])
		judged[least]++
		if waiting[least] = list[1:]; len(list) == 1 {
			delete(waiting, least)
		}
	}
	for _, list := range waiting {
		skipped = append(skipped, list...)
	}
	inTime := func(a, b Waiting) int { return cmp.Or(a.Asked.Compare(b.Asked), cmp.Compare(a.ID, b.ID)) }
	slices.SortFunc(round, inTime)
	slices.SortFunc(skipped, inTime)
	return round, skipped
}

// firstRound is the most exchanges of a round while it is not known what one costs.
const firstRound = 10

// afford returns how many exchanges the next round may judge and what they may cost in all, in
// micro-dollars; 0 is without limit. The budget of a day is spent evenly: at any time, the
// share of the budget that is spent is at most the share of the day that has passed.
func (s *State) afford(now time.Time) (cases int, budget int64) {
	if s.Settings.Budget == 0 {
		return s.Settings.Most, 0
	}
	utc := now.UTC()
	midnight := time.Date(utc.Year(), utc.Month(), utc.Day(), 0, 0, 0, 0, time.UTC)
	passed := utc.Sub(midnight).Hours() / 24
	budget = int64(passed*float64(s.Settings.Budget)) - s.Today.Cost
	switch {
	case budget <= 0:
		return 0, 0
	case s.Total.Judged == 0:
		return min(firstRound, s.Settings.Most), budget
	case s.Total.Cost == 0:
		return s.Settings.Most, budget
	}
	each := float64(s.Total.Cost) / float64(s.Total.Judged)
	return min(int(float64(budget)/each), s.Settings.Most), budget
}
