package judged

import "github.com/assay-eval/assay/metric"

// NuggetVital is the share of vital points, half for one made in part.
var NuggetVital = nuggets(metric.Def{
	Name:    "nugget_vital",
	Title:   "Vital nuggets",
	Doc:     "How many of the things that an answer must say the answer says, with half the credit for what it says in part.",
	Formula: "(vital points that are made + 0.5 * vital points that are made in part) / vital points",
}, true, false)
