package retrieval

import "github.com/assay-eval/assay/metric"

// Bpref is the binary preference measure.
var Bpref = documents(metric.Def{
	Name:  "bpref",
	Title: "bpref",
	Doc: "How often relevant documents rank above documents judged not relevant. Documents without a judgment are " +
		"passed over, so that it holds if judgments are incomplete.",
	Formula: "1/R · Σ over relevant documents found of (1 − min(n, R) / min(N, R)), n = judged non-relevant " +
		"above it, N = judged non-relevant in all, R = judged relevant",
	Edges:  "A term with n = 0 is 1. " + notMeasured,
	Source: "trec_eval bpref; Buckley and Voorhees, SIGIR 2004",
	Params: []metric.Param{levelParam},
}, binary(func(r *Ranking, _, level int) float64 { return r.Bpref(level) }))

// Bpref returns the share of pairs of a relevant and a judged non-relevant
// document that are ranked in the right order; 0 if no document is judged relevant.
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

// InfAP is inferred average precision.
var InfAP = documents(metric.Def{
	Name:  "infap",
	Title: "infAP",
	Doc: "Average precision estimated from judgments of a random sample of the pool. It is meaningful only " +
		"if the judged documents are such a sample; those pooled and not judged have a negative grade.",
	Formula: "1/R · Σ over relevant documents at 0-based rank j of 1/(j+1) + j/(j+1) · (rel+non+unj)/j · " +
		"(rel+ε)/(rel+non+2ε), with the judged relevant, judged non-relevant and pooled unjudged above it, " +
		"ε = 0.00001",
	Edges:  "The term of the first rank is 1. " + notMeasured,
	Source: "trec_eval infAP; Yilmaz and Aslam, CIKM 2006",
	Params: []metric.Param{levelParam},
}, binary(func(r *Ranking, _, level int) float64 { return r.InfAP(level) }))

// infEpsilon is the smoothing constant of trec_eval.
const infEpsilon = 1e-5

// InfAP returns the inferred average precision; 0 if no document is judged relevant.
func (r *Ranking) InfAP(level int) float64 {
	relevant := r.Relevant(level)
	if relevant == 0 {
		return 0
	}
	var sum, rel, non, pooled float64
	for j, g := range r.Grades {
		switch {
		case g == Unjudged:
		case g < 0:
			pooled++
		case g < level:
			non++
		case j == 0:
			sum++
			rel++
		default:
			f := float64(j)
			sum += 1/(f+1) + f/(f+1)*((rel+non+pooled)/f)*((rel+infEpsilon)/(rel+non+2*infEpsilon))
			rel++
		}
	}
	return sum / float64(relevant)
}
