package treceval

import (
	"slices"

	"github.com/assay-eval/assay/metric/retrieval"
)

var (
	ranks        = []float64{5, 10, 15, 20, 30, 100, 200, 500, 1000}
	recallPoints = []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}
)

// formula is what a family without parameters computes.
type formula = func(r *retrieval.Ranking, level int) float64

func plain(f formula) func(args) formula { return func(args) formula { return f } }

// atRank is a family that computes f at every cutoff.
func atRank(f func(r *retrieval.Ranking, k, level int) float64) func(args) formula {
	return func(a args) formula {
		return func(r *retrieval.Ranking, level int) float64 { return f(r, a.k, level) }
	}
}

// families lists the measures of trec_eval, in the order in which it prints
// them.
var families = []family{
	{name: "runid", kind: tag},
	{name: "num_q", kind: queries},
	{name: "num_ret", kind: total, build: plain(func(r *retrieval.Ranking, _ int) float64 { return float64(r.Len()) })},
	{name: "num_rel", kind: total, build: plain(func(r *retrieval.Ranking, level int) float64 { return float64(r.Relevant(level)) })},
	{name: "num_rel_ret", kind: total, build: plain(func(r *retrieval.Ranking, level int) float64 { return float64(r.Found(0, level)) })},
	{name: "map", build: plain(averagePrecision)},
	{name: "gm_map", kind: geometric, build: plain(func(r *retrieval.Ranking, level int) float64 { return logOf(averagePrecision(r, level)) })},
	{name: "Rprec", build: plain((*retrieval.Ranking).RPrecision)},
	{name: "bpref", build: plain((*retrieval.Ranking).Bpref)},
	{name: "recip_rank", build: plain(func(r *retrieval.Ranking, level int) float64 { return r.ReciprocalRank(0, level) })},
	{name: "iprec_at_recall", arguments: points, byDefault: recallPoints, build: func(a args) formula {
		return func(r *retrieval.Ranking, level int) float64 { return interpolatedPrecision(r, level, a.x) }
	}},
	{name: "P", arguments: cutoffs, byDefault: ranks, build: atRank((*retrieval.Ranking).Precision)},
	{name: "relstring", kind: text, arguments: list, byDefault: []float64{10}, text: relevanceString},
	{name: "recall", arguments: cutoffs, byDefault: ranks, build: atRank((*retrieval.Ranking).Recall)},
	{name: "infAP", build: plain((*retrieval.Ranking).InfAP)},
	{name: "gm_bpref", kind: geometric, build: plain(func(r *retrieval.Ranking, level int) float64 { return logOf(r.Bpref(level)) })},
	{name: "Rprec_mult", arguments: points, byDefault: []float64{0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2}, build: func(a args) formula {
		return func(r *retrieval.Ranking, level int) float64 { return multipleRPrecision(r, level, a.x) }
	}},
	{name: "utility", arguments: list, byDefault: []float64{1, -1, 0, 0}, build: func(a args) formula {
		return func(r *retrieval.Ranking, level int) float64 { return utility(r, level, a.list) }
	}},
	{name: "11pt_avg", arguments: list, byDefault: recallPoints, open: true, build: func(a args) formula {
		return func(r *retrieval.Ranking, level int) float64 {
			sum := 0.0
			for _, point := range a.list {
				sum += interpolatedPrecision(r, level, point)
			}
			return sum / float64(len(a.list))
		}
	}},
	{name: "binG", build: plain(binaryG)},
	{name: "G", arguments: pairs, build: func(a args) formula {
		return func(r *retrieval.Ranking, _ int) float64 { return normalisedG(r, a.gain) }
	}},
	{name: "ndcg", arguments: pairs, build: func(a args) formula {
		return func(r *retrieval.Ranking, _ int) float64 { return r.NDCG(0, a.gain) }
	}},
	{name: "ndcg_rel", arguments: pairs, build: func(a args) formula {
		return func(r *retrieval.Ranking, _ int) float64 { return ndcgAtRelevant(r, a.gain) }
	}},
	{name: "Rndcg", arguments: pairs, build: func(a args) formula {
		return func(r *retrieval.Ranking, level int) float64 { return ndcgAtLevels(r, level, a.gain) }
	}},
	{name: "ndcg_cut", arguments: cutoffs, byDefault: ranks, build: atRank(func(r *retrieval.Ranking, k, _ int) float64 {
		return r.NDCG(k, retrieval.LinearGain)
	})},
	{name: "map_cut", arguments: cutoffs, byDefault: ranks, build: atRank((*retrieval.Ranking).AveragePrecision)},
	{name: "relative_P", arguments: cutoffs, byDefault: ranks, build: atRank(func(r *retrieval.Ranking, k, level int) float64 {
		return ratio(r.Found(k, level), min(k, r.Relevant(level)))
	})},
	{name: "success", arguments: cutoffs, byDefault: []float64{1, 5, 10}, build: atRank((*retrieval.Ranking).Success)},
	{name: "set_P", build: plain((*retrieval.Ranking).SetPrecision)},
	{name: "set_relative_P", build: plain(func(r *retrieval.Ranking, level int) float64 {
		return ratio(r.Found(0, level), min(r.Len(), r.Relevant(level)))
	})},
	{name: "set_recall", build: plain(func(r *retrieval.Ranking, level int) float64 { return r.Recall(0, level) })},
	{name: "set_map", build: plain(func(r *retrieval.Ranking, level int) float64 { return r.SetPrecision(level) * r.Recall(0, level) })},
	{name: "set_F", arguments: list, byDefault: []float64{1}, build: func(a args) formula {
		return func(r *retrieval.Ranking, level int) float64 { return r.SetF(a.list[0], level) }
	}},
	{name: "num_nonrel_judged_ret", kind: total, build: plain(judgedNonRelevant)},
	{name: "rbp", arguments: pairs, build: gradedRBP},
	{name: "rbp_resid", build: plain(rbpResidual)},
	{name: "unj", arguments: cutoffs, byDefault: []float64{5, 10, 20}, build: atRank(func(r *retrieval.Ranking, k, _ int) float64 {
		return float64(r.CountUnjudged(k)) / float64(k)
	})},
}

// nicknames are trec_eval's names for several measures.
var nicknames = map[string][]string{
	"official": {"runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P"},
	"set":      {"runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility", "set_P", "set_recall", "set_relative_P", "set_map", "set_F"},
	"all_trec": familyNames(),
}

func familyNames() []string {
	var out []string
	for _, f := range families {
		out = append(out, f.name)
	}
	return slices.Clip(out)
}
