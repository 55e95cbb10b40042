package summary_test

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// A recorded is a run of a comparison whose records a test can still change.
type recorded struct {
	Name    string
	Records []assay.Record
}

func runsOf(runs []recorded) (out []summary.Run) {
	for _, r := range runs {
		out = append(out, summary.Run{Name: r.Name, Cases: columns.Of(r.Records)})
	}
	return out
}

func compare(metrics []assay.MetricInfo, runs []recorded, p summary.Plan) summary.Comparison {
	return summary.Compare(metrics, runsOf(runs), p)
}

func unpaired(runs []recorded) error { return summary.Unpaired(runsOf(runs)) }

func of(metrics []assay.MetricInfo, records []assay.Record, level float64) summary.Summary {
	return summary.Of(metrics, columns.Of(records), level)
}

func pairsOf(m assay.MetricInfo, old, new []assay.Record) ([]stats.Pair, int) {
	return summary.PairsOf(m, columns.Of(old), columns.Of(new))
}

func waterfall(records []assay.Record, level float64) *summary.Waterfall {
	return summary.NewWaterfall(columns.Of(records), level)
}

func compareWaterfalls(old, new []assay.Record, level float64, seed uint64) []summary.LostDifference {
	return summary.CompareWaterfalls(columns.Of(old), columns.Of(new), level, seed)
}
