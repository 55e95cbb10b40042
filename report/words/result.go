package words

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

// ResultsNote describes the plots; level is "" if no mean has an interval.
func (w Words) ResultsNote(level string, failed, held bool) string {
	return w.Say("ResultsNote", v{"level": level, "failed": failed, "held": held})
}

// Clusters says which cases intervals and tests count as one.
func (w Words) Clusters(c assay.Clusters) string { return w.Say("Clusters", c) }
func (w Words) Weight(share string) string       { return w.Say("Weight", v{"share": share}) }
func (w Words) WeightUsed(used, set string) string {
	return w.Say("WeightUsed", v{"used": used, "set": set})
}

// Remarked returns a remark with the number of responses, or cases, that have it.
// many is set if similar remarks were merged with it. MoreRemarks counts the kinds
// that are left out.
func (w Words) Remarked(n int, responses bool, text string, many bool) string {
	return w.Say("Remarked", v{"n": n, "responses": responses, "text": text, "many": many})
}
func (w Words) MoreRemarks(n int, responses bool) string {
	return w.Say("MoreRemarks", v{"n": n, "responses": responses})
}
func (w Words) Remarks(n int) string            { return w.Say("Remarks", v{"n": n}) }
func (w Words) FailedByTarget(n int) string     { return w.Say("FailedByTarget", v{"n": n}) }
func (w Words) CompositeOf(parts string) string { return w.Say("CompositeOf", v{"parts": parts}) }

// Possible names the range of a mean given the number of cases that could not be
// scored. 0 means that parts of scores are unknown.
func (w Words) Possible(failed int) string { return w.Say("Possible", v{"failed": failed}) }

// OnThreshold says why scores have bounds: by the threshold of the judge, or rulings that are missing.
func (w Words) OnThreshold() string { return w.Say("Reason.OnThreshold", nil) }

// TargetFailed says how many cases count as which value because the target failed;
// the value "" leaves them out. answered is the number of other cases if the mean
// over them follows, else 0.
func (w Words) TargetFailed(cases int, value string, answered int) string {
	return w.Say("TargetFailed", v{"cases": cases, "value": value, "answered": answered})
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

// WithoutInterval adds to a limit that fewer than least cases have no interval.
func (w Words) WithoutInterval(limit string, least int) string {
	return w.Say("WithoutInterval", v{"limit": limit, "least": least})
}

// MeanLabel describes a mean. ends are the ends of its interval, nil if it is not
// known.
func (w Words) MeanLabel(mean, level string, ends []string) string {
	return w.Say("MeanLabel", v{"mean": mean, "level": level, "ends": ends})
}
func (w Words) ThresholdLabel(want string) string { return w.Say("ThresholdLabel", v{"want": want}) }

// TagsNote describes the cells; level is "" if they have no interval.
func (w Words) TagsNote(level string, shaded bool) string {
	return w.Say("TagsNote", v{"level": level, "shaded": shaded})
}

// MoreTags says what a narrow table leaves out; it is "" if that is nothing.
func (w Words) MoreTags(tags, metrics int) string {
	return w.Say("MoreTags", v{"tags": tags, "metrics": metrics})
}

// EstimateHeads are the headings of the table of estimates.
type EstimateHeads struct{ Metric, Plot, Mean, Threshold, Status, Unscored, None string }
