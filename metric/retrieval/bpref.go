package retrieval

import "github.com/assay-eval/assay/metric"

// Bpref is the binary preference measure.
var Bpref = documents(metric.Def{
	Name:  "bpref",
	Title: "bpref",
	Doc: "How often relevant documents stand above ones judged not relevant. Documents without a judgment are " +
		"passed over, so that it holds when judgments are incomplete.",
	Formula: "1/R · Σ over relevant documents found of (1 − min(n, R) / min(N, R)), n = judged non-relevant " +
		"above it, N = judged non-relevant in all, R = judged relevant",
	Edges:  "A term with n = 0 is 1. " + notMeasured,
	Source: "trec_eval bpref; Buckley and Voorhees, SIGIR 2004",
	Params: []metric.Param{levelParam},
}, binary(func(r *Ranking, _, level int) float64 { return r.Bpref(level) }))

// Bpref is the share of preferences between relevant and judged non-relevant
// documents that the ranking keeps; 0 if none is judged relevant.
func (r *Ranking) Bpref(level int) float64 {
	relevant, others := r.Relevant(level), r.NonRelevant(level)
	if relevant == 0 {
		return 0
	}
	sum, above := 0.0, 0
	for _, g := range r.Grades {
		switch {
		case g < 0:
		case g < level:
			above++
		case above == 0:
			sum++
		default:
			sum += 1 - float64(min(above, relevant))/float64(min(others, relevant))
		}
	}
	return sum / float64(relevant)
}
