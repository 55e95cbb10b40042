package dataset

import (
	"cmp"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/text"
)

// Stats describes a dataset.
type Stats struct {
	Cases    int `json:"cases"`
	Critical int `json:"critical"`
	// Unanswerable counts the cases whose answer is not in the corpus.
	Unanswerable int `json:"unanswerable"`
	// Groups counts the clusters of dependent cases.
	Groups int `json:"groups"`
	// CJK counts the questions with a majority of Chinese, Japanese or Korean
	// letters.
	CJK int `json:"cjk"`
	// Responses counts the recorded responses.
	Responses int `json:"responses"`
	// Labels counts the cases with each label, in a fixed order.
	Labels []Count `json:"labels"`
	// Tags counts the cases of each tag, most frequent first.
	Tags []Count `json:"tags,omitempty"`
	// Question describes the lengths of the questions, in characters.
	Question Lengths `json:"question_characters"`
	// Relevant describes the number of relevant documents in cases with document
	// labels.
	Relevant Lengths `json:"relevant_documents"`
	// Documents counts the distinct judged documents.
	Documents int `json:"documents_judged"`
	// Grades counts the judgments of each grade.
	Grades map[int]int `json:"grades,omitempty"`
}

// A Count is a number of cases.
type Count struct {
	Name  string `json:"name"`
	Cases int    `json:"cases"`
}

// Lengths are nearest-rank quantiles of whole numbers; all are 0 if there are no
// numbers.
type Lengths struct {
	Min    int `json:"min"`
	Median int `json:"median"`
	P95    int `json:"p95"`
	Max    int `json:"max"`
}

// labels are the counted labels, named by the fields of assay's own format.
var labels = []string{
	"ground_truth", "expected_contexts", "reference_contexts", "expected_keywords", "sub_questions", "answerable", "audio",
	"reference_transcript", "ideal", "checks",
}

// Stats computes statistics of the dataset.
func (d *Dataset) Stats() Stats {
	s := Stats{Cases: d.Cases.Len(), Responses: len(d.Responses), Grades: map[int]int{}}
	tags, groups, documents := map[string]int{}, map[string]bool{}, map[string]bool{}
	var questions, relevant []int
	for _, c := range d.Cases.All() {
		if c.Critical {
			s.Critical++
		}
		if c.Want.Answerable != nil && !*c.Want.Answerable {
			s.Unanswerable++
		}
		if c.Group != "" {
			groups[c.Group] = true
		}
		if text.ShareCJK(c.Question) > 0.5 {
			s.CJK++
		}
		for tag := range maps.Keys(setOf(c.Tags)) {
			tags[tag]++
		}
		questions = append(questions, utf8.RuneCountInString(c.Question))
		if c.Want.Documents != nil {
			n := 0
			for id, grade := range c.Want.Documents {
				documents[id] = true
				s.Grades[grade]++
				if grade > 0 {
					n++
				}
			}
			relevant = append(relevant, n)
		}
	}
	for _, label := range labels {
		s.Labels = append(s.Labels, Count{label, d.Cases.Count(partOf(label).has)})
	}
	for tag, n := range tags {
		s.Tags = append(s.Tags, Count{tag, n})
	}
	slices.SortFunc(s.Tags, func(a, b Count) int { return cmp.Or(cmp.Compare(b.Cases, a.Cases), cmp.Compare(a.Name, b.Name)) })
	s.Groups, s.Documents = len(groups), len(documents)
	s.Question, s.Relevant = lengths(questions), lengths(relevant)
	return s
}

func lengths(v []int) Lengths {
	if len(v) == 0 {
		return Lengths{}
	}
	slices.Sort(v)
	at := func(percent int) int { return v[(len(v)*percent+99)/100-1] }
	return Lengths{Min: v[0], Median: at(50), P95: at(95), Max: v[len(v)-1]}
}

func setOf(names []string) map[string]bool {
	out := make(map[string]bool, len(names))
	for _, n := range names {
		out[n] = true
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
