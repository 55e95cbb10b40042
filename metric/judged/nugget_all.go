package judged

import "github.com/assay-eval/assay/metric"

// NuggetAll is the share of points, half for one made in part.
var NuggetAll = nuggets(metric.Def{
	Name:    "nugget_all",
	Title:   "Nuggets",
	Doc:     "How many of the things that a complete answer says the answer says, vital or not, with half the credit for what it says in part.",
	Formula: "(points that are made + 0.5 * points that are made in part) / points",
}, false, false)
