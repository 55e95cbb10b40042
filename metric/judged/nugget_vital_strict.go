package judged

import "github.com/assay-eval/assay/metric"

// NuggetVitalStrict is the share of vital points that are made.
var NuggetVitalStrict = nuggets(metric.Def{
	Name:    "nugget_vital_strict",
	Title:   "Vital nuggets, strict",
	Doc:     "How many of the things that an answer must say the answer says outright. The primary nugget score.",
	Formula: "vital points that are made / vital points",
}, true, true)
