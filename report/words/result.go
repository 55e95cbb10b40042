package words

import (
	"github.com/assay-eval/assay/stats"
)

// TargetFailed says how many cases count as which value because the target failed;
// the value "" leaves them out. answered is the number of other cases if the mean
// over them follows, else 0. With draws it failed in some of a case, and these count.
func (w Words) TargetFailed(cases int, value string, answered int, draws bool) string {
	return w.Say("TargetFailed", v{"cases": cases, "value": value, "answered": answered, "draws": draws})
}

// Limit says what limits an estimate or a comparison.
func (l Words) Limit(w stats.Warning) string {
	if name := "Limit." + limits[w.Kind]; l.Has(name) {
		return l.Say(name, w)
	}
	return w.String()
}

// limits name the messages of warnings in the languages other than English, which is that of package stats.
var limits = map[stats.WarningKind]string{
	stats.NotFinite: "NotFinite", stats.NoSuchLevel: "NoSuchLevel", stats.OneGroup: "OneGroup", stats.AllEqual: "AllEqual", stats.FewCases: "FewCases",
	stats.CannotBeSignificant: "CannotBeSignificant", stats.FewDiffer: "FewDiffer", stats.Discordant: "Discordant",
	stats.MeansOfCases: "MeansOfCases", stats.MeanAgainstCases: "MeanAgainstCases", stats.TestNeedsTwoCases: "TestNeedsTwoCases",
	stats.TestNeedsVariation: "TestNeedsVariation", stats.TestNeedsIndependence: "TestNeedsIndependence",
	stats.TestNeedsFinite: "TestNeedsFinite", stats.TestNeedsBinary: "TestNeedsBinary",
}

// MoreTags says what a narrow table leaves out; it is "" if that is nothing.
func (w Words) MoreTags(tags, metrics int) string {
	return w.Say("MoreTags", v{"tags": tags, "metrics": metrics})
}

// EstimateHeads are the headings of the table of estimates.
type EstimateHeads struct{ Metric, Plot, Mean, Threshold, Status, Unscored, None string }
