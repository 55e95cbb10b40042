package watch

// The states of a series and of a watch.
const (
	// Worse lasts from an alarm to its recovery.
	Worse = "worse"
	// Fine is that of a mean that is not shown to be on the wrong side of its line.
	Fine = "ok"
	// Learning is that of a series without a line.
	Learning = "learning"
	// New is that of a watch that has judged nothing.
	New = "new"
)

// State returns [Worse], [Fine] or [Learning].
func (s *Series) State() string {
	switch {
	case s.Worse:
		return Worse
	case s.Line == nil:
		return Learning
	}
	return Fine
}

// Verdict returns the worst state of the series: [Worse] if one of them is, [Fine] if one has a
// line, else [Learning]; [New] without any.
func (s *State) Verdict() string {
	out := New
	for _, one := range s.Series {
		switch state := one.State(); {
		case state == Worse:
			return Worse
		case state == Fine || out == New:
			out = state
		}
	}
	return out
}

// Began returns the alarm, or the recovery, that began the present mean of a series. ok is
// false if there was none, or if it is not kept any more.
func (s *State) Began(one *Series) (a Alarm, ok bool) {
	for _, a := range s.Alarms {
		if a.Metric == one.Metric.Name && a.Stratum == one.Stratum && !a.At.Before(one.Begun) && a.Recovered != one.Worse {
			return a, true
		}
	}
	return a, false
}
