package retrieval

import (
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// A source is the file or address behind a chunk, or its document when the
// chunk names no source. Metrics of sets cut the list of chunks first, since k
// chunks are what the generator sees, and then count distinct sources; metrics
// of ranks keep the first chunk of each source first, and then k counts
// sources. Both are in one group and never mean the same k, hence the names.

const (
	sourceEdge     = " A chunk that names no source keeps its rank and is none."
	sourceMeasured = "Not applicable when no source is judged relevant." + sourceEdge
)

// sourceSet defines a metric of the distinct sources among the first k chunks.
func sourceSet(d metric.Def, value func(r *caseRanking, level int) assay.Score) *metric.Def {
	d.Group, d.Cutoff, d.Params = metric.Source, metric.RequiredCutoff, []metric.Param{levelParam}
	d.New = func(p metric.Params) metric.Func {
		lv := level(p)
		return func(_ context.Context, in metric.Input) (assay.Score, error) {
			cut := *in.Response
			cut.Passages = cutoff(cut.Passages, p.K)
			in.Response = &cut
			r := newRanking(in, bySource)
			// Several chunks of a source are no mistake here.
			return noted(value(r, lv), namelessNote(r.nameless)), nil
		}
	}
	return define(d)
}
