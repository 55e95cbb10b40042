package words

import (
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/summary"
)

// PreferenceCounts says which cases no ruling decided; "" if there are none.
func (w Words) PreferenceCounts(p summary.PreferencePair) string {
	old, young := document.Line(p.Old), document.Line(p.New)
	var parts []string
	for _, one := range []struct {
		n         int
		name, run string
	}{
		{p.Once, "oneOrder", ""}, {p.Opposed, "opposed", ""}, {p.Equal, "equal", ""}, {p.Failed[0], "failed", old}, {p.Failed[1], "failed", young},
		{p.BothFailed, "bothFailed", ""}, {p.Declined[0], "empty", old}, {p.Declined[1], "empty", young}, {p.Addressed, "addressed", ""},
		{p.Unjudged, "unjudged", ""},
	} {
		w.add(&parts, one.n > 0, "PreferenceCounts."+one.name, v{"n": one.n, "run": one.run})
	}
	if parts == nil {
		return ""
	}
	return w.Say("PreferenceCounts.sentence", v{"c": v{"Old": old, "New": young}, "parts": parts})
}

// PreferenceHeads are the headings of the tables of preferences.
type PreferenceHeads struct {
	Run, Beside, Better, Same, Worse, Rate, SameNow string
}
