package words

// Preferred states what the judge prefers of two runs.
func (w Words) Preferred(p Preferred) string { return w.Say("Preferred", p) }

// PositionBias states whether the judge prefers a place.
func (w Words) PositionBias(b PositionBias) string { return w.Say("PositionBias", b) }

// PreferenceAgreement compares the preferences with a metric.
func (w Words) PreferenceAgreement(a PreferenceAgreement) string {
	return w.Say("PreferenceAgreement", a)
}

// PreferenceCounts says which cases no ruling decided; "" if there are none.
func (w Words) PreferenceCounts(c PreferenceCounts) string {
	var parts []string
	for _, one := range []struct {
		n         int
		name, run string
	}{
		{c.OneOrder, "oneOrder", ""}, {c.Opposed, "opposed", ""}, {c.Equal, "equal", ""}, {c.OldFailed, "failed", c.Old}, {c.NewFailed, "failed", c.New},
		{c.BothFailed, "bothFailed", ""}, {c.OldEmpty, "empty", c.Old}, {c.NewEmpty, "empty", c.New}, {c.Addressed, "addressed", ""},
		{c.Unjudged, "unjudged", ""},
	} {
		w.add(&parts, one.n > 0, "PreferenceCounts."+one.name, v{"n": one.n, "run": one.run})
	}
	if parts == nil {
		return ""
	}
	return w.Say("PreferenceCounts.sentence", v{"c": c, "parts": parts})
}

// A Preferred is what a judge prefers of two runs. Better, Worse and Same are shares, Rate
// is the win rate; Interval is "" if there is none.
type Preferred struct {
	Old, New, Better, Worse, Same, Rate, Interval string
	Cases                                         int
	// Shown is set if the difference can be shown.
	Shown bool
}

// A PositionBias is by how many points a judge prefers a place: the second one if Second is
// set. Interval is "" if there is none, and its ends are of preferring the first place.
type PositionBias struct {
	Points, Interval string
	Cases            int
	Second, Shown    bool
}

// A PreferenceAgreement says in how many cases preferences and a metric say the same; Kappa
// is "" if it is undefined.
type PreferenceAgreement struct {
	Old, New, Metric, Share, Interval, Kappa string
	Cases                                    int
}

// PreferenceCounts count cases of two runs: ties of equal answers, those in which the target
// of one run alone failed, or of both, those with an empty answer, those without a usable
// ruling, those with a response that seems to address the judge, and those in which the order of the answers decided.
type PreferenceCounts struct {
	Old, New                     string
	Equal, Unjudged, Opposed     int
	OldFailed, NewFailed         int
	BothFailed, Addressed        int
	OldEmpty, NewEmpty, OneOrder int
}

// PreferenceHeads are the headings of the tables of preferences.
type PreferenceHeads struct {
	Run, Beside, Better, Same, Worse, Rate, Strength, SameNow string
}
