package retrieval

import "github.com/assay-eval/assay/metric"

// SubtopicRecall is the share of the aspects of a question that are covered.
var SubtopicRecall = subtopics(metric.Def{
	Name:    "subtopic_recall",
	Title:   "Subtopic recall",
	Doc:     "How many of the aspects of the question the documents cover at all.",
	Formula: "subtopics of the first k documents / subtopics of all labelled documents",
	Source:  "Zhai et al., SIGIR 2003; strec of ndeval",
}, func(r *Ranking, p metric.Params) float64 { return r.SubtopicRecall(p.K) })

// SubtopicRecall is the share of all subtopics that the first k documents cover,
// all if k is 0; 0 if no document is labelled with one.
func (r *Ranking) SubtopicRecall(k int) float64 {
	return ratio(distinct(cutoff(r.Subtopics, k)), distinct(r.Labelled))
}

func distinct(lists [][]string) int {
	seen := map[string]bool{}
	for _, topics := range lists {
		for _, t := range topics {
			seen[t] = true
		}
	}
	return len(seen)
}
