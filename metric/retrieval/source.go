package retrieval

import (
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// A source is the file or address that a chunk comes from, or its document if the
// chunk has no source. Set metrics first cut the list after k chunks, because the
// generator sees k chunks, and then count distinct sources. Rank metrics first
// keep only the first chunk of each source, and then k counts sources. The two
// meanings of k are in one group, so the metrics have different names.

const (
	sourceEdge     = " A chunk that names no source keeps its rank and is none."
	sourceMeasured = "Not applicable if no source is judged relevant." + sourceEdge
)

// sourceSet defines a metric of the distinct sources among the first k chunks.
func sourceSet(d metric.Def, value func(r *caseRanking, level int) assay.Score) *metric.Def {
	d.Group, d.Cutoff, d.Chunks, d.Params = metric.Source, metric.RequiredCutoff, true, []metric.Param{levelParam}
	d.New = func(p metric.Params) metric.Func {
		lv := level(p)
		return func(_ context.Context, in metric.Input) (assay.Score, error) {
			if anonymous(in.Response.Passages) {
				return assay.None(assay.NoNames), nil
			}
			cut := *in.Response
			cut.Passages = cutoff(cut.Passages, p.K)
			in.Response = &cut
			r := newRanking(in, bySource)
			// Several chunks of one source are not irregular here.
			return noted(value(r, lv), namelessNote(r.nameless)), nil
		}
	}
	return define(d)
}

// SourceHit is 1 if any of the first k chunks comes from a relevant source, else 0.
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

// SourceRecall is the recall of sources within the first k chunks.
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

// SourcePrecision is the precision of the sources of the first k chunks.
var SourcePrecision = sourceSet(metric.Def{
	Name:  "src_precision",
	Title: "Source precision", Capped: true,
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
