package treceval

import (
	"slices"

	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/retrieval"
)

// A Family describes a family of trec_eval measures, for help texts.
type Family struct {
	// Name is trec_eval's name. Usage is the name with its parameters.
	Name, Usage string
	// Doc explains in a sentence what the measure computes.
	Doc string
	// Metric is the metric with the same formula, nil if there is none. The
	// measure is 0 if the metric does not apply.
	Metric *metric.Def
}

// Families describes the measures of trec_eval, in trec_eval's order.
func Families() []Family {
	var out []Family
	for _, f := range families {
		d := Family{Name: f.name, Usage: f.name + f.arguments.usage(), Doc: f.doc, Metric: f.metric}
		if d.Doc == "" {
			d.Doc = f.metric.Doc
		}
		out = append(out, d)
	}
	return out
}

var (
	ranks   = []float64{5, 10, 15, 20, 30, 100, 200, 500, 1000}
	tenths  = retrieval.ElevenLevels
	fifths  = []float64{0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2}
	utility = []float64{1, -1, 0, 0}
)

// families lists the measures of trec_eval, in the order in which trec_eval
// prints them. The formulas are in metric/retrieval; like trec_eval, they return
// 0 if a measure is undefined.
var families = []family{
	{name: "runid", kind: tag, doc: "The tag of the run."},
	{name: "num_q", kind: queries, doc: "The number of judged queries."},
	{name: "num_ret", kind: total, build: plain(returned), doc: "The number of documents returned."},
	{name: "num_rel", kind: total, build: plain(relevant), doc: "The number of documents judged relevant."},
	{name: "num_rel_ret", kind: total, build: plain(found), doc: "The number of relevant documents returned."},
	{name: "map", build: plain(averagePrecision), metric: retrieval.MAP},
	{
		name: "gm_map", kind: geometric, build: plain(func(r *ranking, level int) float64 { return logOf(averagePrecision(r, level)) }),
		doc: "The geometric mean of map over queries, which weighs poor queries more.",
	},
	{name: "Rprec", build: plain(func(r *ranking, level int) float64 { return r.RPrecision(1, level) }), metric: retrieval.RPrecision},
	{name: "bpref", build: plain((*ranking).Bpref), metric: retrieval.Bpref},
	{name: "recip_rank", build: plain(func(r *ranking, level int) float64 { return r.ReciprocalRank(0, level) }), metric: retrieval.MRR},
	{
		name: "iprec_at_recall", arguments: points, defaults: tenths, metric: retrieval.InterpolatedPrecision,
		build: func(a args) formula {
			return func(r *ranking, level int) float64 { return r.InterpolatedPrecision(a.x, level) }
		},
	},
	{name: "P", arguments: cutoffs, defaults: ranks, build: atRank((*ranking).Precision), metric: retrieval.PrecisionAt},
	{
		name: "relstring", kind: text, arguments: list, defaults: []float64{10}, text: relevanceString,
		doc: "The grades of the first documents, one character each: \"-\" without a judgment, \".\" pooled and not judged, \">\" above 9.",
	},
	{name: "recall", arguments: cutoffs, defaults: ranks, build: atRank((*ranking).Recall), metric: retrieval.RecallAt},
	{name: "infAP", build: plain((*ranking).InfAP), metric: retrieval.InfAP},
	{
		name: "gm_bpref", kind: geometric, build: plain(func(r *ranking, level int) float64 { return logOf(r.Bpref(level)) }),
		doc: "The geometric mean of bpref over queries, which weighs poor queries more.",
	},
	{
		name: "Rprec_mult", arguments: points, defaults: fifths, metric: retrieval.RPrecision,
		build: func(a args) formula {
			return func(r *ranking, level int) float64 { return r.RPrecision(a.x, level) }
		},
	},
	{
		name: "utility", arguments: list, defaults: utility, unbounded: true, build: weightedCounts,
		doc: "A weighted sum of four counts: documents relevant and returned, returned only, relevant only, and neither.",
	},
	{
		name: "11pt_avg", arguments: list, defaults: tenths, open: true, metric: retrieval.ElevenPointAverage,
		build: func(a args) formula {
			return func(r *ranking, level int) float64 { return r.AverageInterpolated(a.list, level) }
		},
	},
	{name: "binG", build: plain((*ranking).BinaryG), metric: retrieval.BinaryG},
	{name: "G", arguments: pairs, build: ofGain((*ranking).GradedG), metric: retrieval.GradedG},
	{
		name: "ndcg", arguments: pairs, metric: retrieval.NDCG,
		build: ofGain(func(r *ranking, gain retrieval.Gain) float64 { return r.NDCG(0, gain) }),
	},
	{name: "ndcg_rel", arguments: pairs, build: ofGain((*ranking).NDCGAtRelevant), metric: retrieval.NDCGAtRelevant},
	{
		name: "Rndcg", arguments: pairs, metric: retrieval.NDCGAtLevels,
		build: func(a args) formula {
			return func(r *ranking, level int) float64 { return r.NDCGAtLevels(level, a.gain) }
		},
	},
	{
		name: "ndcg_cut", arguments: cutoffs, defaults: ranks, metric: retrieval.NDCG,
		build: atRank(func(r *ranking, k, _ int) float64 { return r.NDCG(k, retrieval.LinearGain) }),
	},
	{name: "map_cut", arguments: cutoffs, defaults: ranks, build: atRank((*ranking).AveragePrecision), metric: retrieval.MAP},
	{name: "relative_P", arguments: cutoffs, defaults: ranks, build: atRank((*ranking).RecallCap), metric: retrieval.RecallCap},
	{name: "success", arguments: cutoffs, defaults: []float64{1, 5, 10}, build: atRank((*ranking).Success), metric: retrieval.Hit},
	{name: "set_P", build: plain((*ranking).SetPrecision), metric: retrieval.SetPrecision},
	{name: "set_relative_P", build: plain((*ranking).SetRecallCap), metric: retrieval.SetRecallCap},
	{name: "set_recall", build: plain(func(r *ranking, level int) float64 { return r.Recall(0, level) }), metric: retrieval.SetRecall},
	{name: "set_map", build: plain((*ranking).SetAveragePrecision), metric: retrieval.SetAveragePrecision},
	{
		name: "set_F", arguments: list, defaults: []float64{1}, metric: retrieval.SetF,
		build: func(a args) formula {
			return func(r *ranking, level int) float64 { return r.SetF(a.list[0], level) }
		},
	},
	{
		name: "num_nonrel_judged_ret", kind: total, doc: "The number of documents returned that are judged and not relevant.",
		build: plain(func(r *ranking, level int) float64 {
			return returned(r, level) - float64(r.CountUnjudged(0)) - found(r, level)
		}),
	},
	{name: "rbp", arguments: pairs, build: gradedRBP, metric: retrieval.RBP},
	{name: "rbp_resid", build: plain(rbpResidual), metric: retrieval.RBPResidual},
	{
		name: "unj", arguments: cutoffs, defaults: []float64{5, 10, 20}, metric: retrieval.UnjudgedAt,
		build: atRank(func(r *ranking, k, _ int) float64 { return r.ShareUnjudged(k) }),
	},
}

// nicknames are trec_eval's names for sets of measures.
var nicknames = map[string][]string{
	"official": {
		"runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P",
	},
	"set": {
		"runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility", "set_P", "set_recall", "set_relative_P", "set_map", "set_F",
	},
	"all_trec": familyNames(),
}

func familyNames() []string {
	var out []string
	for _, f := range families {
		out = append(out, f.name)
	}
	return slices.Clip(out)
}
