package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// Refusal is whether the target rightly declined or answered.
var Refusal = declining(metric.Def{
	Name:    "refusal",
	Title:   "Refusal",
	Doc:     "Whether the target rightly declines or rightly answers: it should decline exactly what the corpus holds no answer to. Whether an answer is right is for other metrics.",
	Formula: "1 when the answer declines and the case is not answerable, or it answers and the case is; else 0",
	Edges:   "The mean is the share of cases that were rightly declined or answered.",
	Source:  "own definition",
}, func(declined, answerable bool) assay.Score {
	switch {
	case declined && answerable:
		return because(0, wronglyDeclined)
	case !declined && !answerable:
		return because(0, wronglyAnswered)
	}
	return assay.Value(1)
})
