package judged

import "github.com/assay-eval/assay/metric"

// NuggetStrict is the share of points that are made.
var NuggetStrict = nuggets(metric.Def{
	Name:    "nugget_strict",
	Title:   "Nuggets, strict",
	Doc:     "How many of the things that a complete answer says the answer says outright, vital or not.",
	Formula: "points that are made / points",
}, false, true)
