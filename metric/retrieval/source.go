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
	sourceMeasured = "Not applicable if no source is judged relevant." + sourceEdge
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

// SourceHit reports whether the first k chunks touch a relevant source.
var SourceHit = sourceSet(metric.Def{
	Name:    "src_hit",
	Title:   "Source hit",
	Doc:     "Whether any of k chunks is of a relevant source.",
	Formula: "1 if any of the first k chunks is of a relevant source, else 0",
	Edges:   sourceMeasured,
	Source:  "own definition, because tools differ: cut, then deduplicate",
}, func(r *caseRanking, level int) assay.Score {
	if r.Relevant(level) == 0 {
		return assay.None(noRelevant)
	}
	return assay.Value(r.Success(0, level))
})

// SourceRecall is recall of sources within the first k chunks.
var SourceRecall = sourceSet(metric.Def{
	Name:    "src_recall",
	Title:   "Source recall",
	Doc:     "How many of the relevant sources the generator sees when it is given k chunks.",
	Formula: "relevant sources among those of the first k chunks / sources judged relevant",
	Edges:   sourceMeasured,
	Source:  "own definition, because tools differ: cut, then deduplicate",
}, func(r *caseRanking, level int) assay.Score {
	if r.Relevant(level) == 0 {
		return assay.None(noRelevant)
	}
	s := assay.Value(r.Recall(0, level))
	s.Evidence = r.evidence(0, level)
	return s
})

// SourcePrecision is precision over the sources of the first k chunks.
var SourcePrecision = sourceSet(metric.Def{
	Name:    "src_precision",
	Title:   "Source precision",
	Doc:     "How many of the sources that the generator sees, when it is given k chunks, are relevant.",
	Formula: "relevant sources among those of the first k chunks / distinct sources of the first k chunks",
	Edges:   "Not applicable if no chunk names a source. 0 when no source is judged relevant." + sourceEdge,
	Source:  "own definition, because tools differ: cut, then deduplicate",
}, func(r *caseRanking, level int) assay.Score {
	if len(r.ranks) == 0 {
		return assay.None("no source was retrieved")
	}
	return assay.Value(ratio(r.Found(0, level), len(r.ranks)))
})

// SourceMRR is the reciprocal rank of the first relevant source.
var SourceMRR = sources(metric.Def{
	Name:    "src_mrr",
	Title:   "Source MRR",
	Doc:     "How high the first relevant source ranks.",
	Formula: "1 / rank of the first relevant source, each source ranked by its first chunk",
	Edges:   "0 if there is none. k counts sources. " + sourceMeasured,
	Source:  "own definition, because tools differ: deduplicate, then cut",
	Cutoff:  metric.OptionalCutoff,
	Params:  []metric.Param{levelParam},
}, binary((*Ranking).ReciprocalRank))

// SourceMAP is average precision over sources.
var SourceMAP = sources(metric.Def{
	Name:    "src_map",
	Title:   "Source MAP",
	Doc:     "Precision at every relevant source, averaged over the sources judged relevant.",
	Formula: "average precision of the ranking of sources, each ranked by its first chunk",
	Edges:   "k counts sources. " + sourceMeasured,
	Source:  "own definition, because tools differ: deduplicate, then cut",
	Cutoff:  metric.OptionalCutoff,
	Params:  []metric.Param{levelParam},
}, binary((*Ranking).AveragePrecision))

// SourceNDCG is nDCG over sources.
var SourceNDCG = sources(metric.Def{
	Name:    "src_ndcg",
	Title:   "Source nDCG",
	Doc:     "How close the order of sources is to the best possible one.",
	Formula: "nDCG@k of the ranking of sources, each ranked by its first chunk",
	Edges:   "k counts sources. " + sourceMeasured,
	Source:  "own definition, because tools differ: deduplicate, then cut",
	Cutoff:  metric.OptionalCutoff,
	Params:  []metric.Param{gainParam},
}, graded((*Ranking).NDCG))
