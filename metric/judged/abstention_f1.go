package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// AbstentionF1 is the F1 of declining.
var AbstentionF1 = declining(metric.Def{
	Name:    "abstention_f1",
	Title:   "Abstention F1",
	Doc:     "How well the target tells what it should decline: one number for declining too often and too seldom.",
	Formula: "over all cases together: 2tp / (2tp + fp + fn), with tp rightly declined, fp declined and answerable, fn answered and not answerable",
	Edges:   "An answerable case that is answered has no value and does not count. The mean is of pooled counts.",
	Source:  "own definition: F1 with declining as the class sought",
	Pooled:  true,
}, func(declined, answerable bool) assay.Score {
	switch {
	case answerable && !declined:
		return assay.None("the case is answerable and was answered")
	case declined && !answerable:
		return assay.Ratio(2, 2)
	}
	return assay.Ratio(0, 1)
})
