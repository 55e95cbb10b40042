package words

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

// results are the words of the tables of estimates, by metric and by tag.
type results interface {
	Results() string
	NoMetric() string
	// ResultsNote describes the plots; level is "" if no mean has an interval.
	ResultsNote(level string, failed, held bool) string
	// Clusters says which cases intervals and tests count as one.
	Clusters(c assay.Clusters) string
	EstimateHeads() EstimateHeads
	LowerIsBetter() string
	Weight(share string) string
	WeightUsed(used, set string) string
	WhyMissing() string
	// Remarked returns a remark with the number of responses, or cases, that have it.
	// many is set if similar remarks were merged with it. MoreRemarks counts the kinds
	// that are left out.
	Remarked(n int, responses bool, text string, many bool) string
	MoreRemarks(n int, responses bool) string
	Remarks(n int) string
	FailedByTarget(n int) string
	CompositeOf(parts string) string
	FormulaEstimate() string
	EstimateCompared() string
	EstimateWord() string
	// Possible names the range of a mean given the number of cases that could not be
	// scored. 0 means that parts of scores are unknown. NearChance stands in place of the
	// interval if the judge of the metric is not shown to rule better than a coin.
	Possible(failed int) string
	NearChance() string
	// TargetFailed says how many cases count as which value because the target failed;
	// the value "" leaves them out. answered is the number of other cases if the mean
	// over them follows, else 0.
	TargetFailed(cases int, value string, answered int) string
	// Limit says what limits an estimate or a comparison.
	Limit(w stats.Warning) string
	// WithoutInterval adds to a limit that fewer than least cases have no interval.
	WithoutInterval(limit string, least int) string
	NoValue() string
	// MeanLabel describes a mean. ends are the ends of its interval, nil if it is not
	// known.
	MeanLabel(mean, level string, ends []string) string
	ThresholdLabel(want string) string
	TagsTitle() string
	TagsNav() string
	// TagsNote describes the cells; level is "" if they have no interval.
	TagsNote(level string, shaded bool) string
	// MoreTags says what a narrow table leaves out; it is "" if that is nothing.
	MoreTags(tags, metrics int) string
	NoiseSaved(page, run string) string
}

// EstimateHeads are the headings of the table of estimates.
type EstimateHeads struct{ Metric, Plot, Mean, Threshold, Status, Unscored, None string }
