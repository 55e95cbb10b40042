package retrieval

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// Unjudged is the grade of a document without a judgment.
const Unjudged = math.MinInt32

// A Ranking holds the grades of the returned documents, which is all that metrics
// need. It may be reused for one query after another, but is not safe for
// concurrent use.
type Ranking struct {
	// Grades are the grades of the returned documents, best rank first: at least 0
	// for a judged document, below 0 for one that was pooled but not judged,
	// [Unjudged] for one that is not in the judgments.
	Grades []int
	// Judged are the grades of all documents judged 0 or higher for the query,
	// returned or not, highest first.
	Judged []int
	// MaxGrade is the highest grade of the whole collection, at least 1. It is
	// the upper end of the grade scale.
	MaxGrade int
	// Subtopics are the aspects of the question that each returned document
	// covers, by rank. Labelled are those of every document that covers any, sorted
	// by document id in descending order. Both are empty if there are none.
	Subtopics, Labelled [][]string

	hits      []int
	hitsLevel int
	gains     []float64
	// missing lists the labels that are not within the first k ranks, if the
	// ranking comes from a case.
	missing func(k, level int) []assay.Evidence
}

// Reset empties the ranking and keeps its memory.
func (r *Ranking) Reset() {
	r.Grades, r.Judged = r.Grades[:0], r.Judged[:0]
	r.Subtopics, r.Labelled = r.Subtopics[:0], nil
	r.hitsLevel = 0
}

// Len returns the number of documents returned.
func (r *Ranking) Len() int { return len(r.Grades) }

// Relevant returns R, the number of documents judged relevant, returned or not.
func (r *Ranking) Relevant(level int) int {
	i, _ := slices.BinarySearchFunc(r.Judged, level, func(g, level int) int {
		if g >= level {
			return -1
		}
		return 1
	})
	return i
}

// NonRelevant returns the number of documents judged not relevant, returned or not.
func (r *Ranking) NonRelevant(level int) int { return len(r.Judged) - r.Relevant(level) }

// Hits returns the ranks of the relevant documents in ascending order, starting at
// 1. Level must be at least 1. The slice is valid until the ranking is changed or
// Hits is called with another level.
func (r *Ranking) Hits(level int) []int {
	if r.hitsLevel != level {
		r.hits, r.hitsLevel = r.hits[:0], level
		for i, g := range r.Grades {
			if g >= level {
				r.hits = append(r.hits, i+1)
			}
		}
	}
	return r.hits
}

// Found counts the relevant documents among the first k, or among all if k is 0.
func (r *Ranking) Found(k, level int) int {
	hits := r.Hits(level)
	if k == 0 {
		return len(hits)
	}
	i, _ := slices.BinarySearch(hits, k+1)
	return i
}

// depth returns the number of documents within the cutoff k.
func (r *Ranking) depth(k int) int {
	if k == 0 {
		return len(r.Grades)
	}
	return min(k, len(r.Grades))
}

func (r *Ranking) evidence(k, level int) []assay.Evidence {
	if r.missing == nil {
		return nil
	}
	return r.missing(k, level)
}

// naming returns the names of a passage's document, the identifying name first.
// Empty names are ignored.
type naming func(p *assay.Passage) [2]string

func byDocument(p *assay.Passage) [2]string { return [2]string{p.Document, p.Source} }

func bySource(p *assay.Passage) [2]string { return [2]string{p.Source, p.Document} }

// key returns the document that a passage belongs to: the label that one of its
// names matches, else its own name, else "". chunked says that ids of the response are those of
// chunks: the document of an id without a label is then its stem.
func key(labels map[string]int, p *assay.Passage, by naming, chunked bool) string {
	names := by(p)
	if label, ok := assay.Label(labels, p.ID, names[0], names[1]); ok {
		return label
	}
	if stem, ok := assay.Stem(p.ID, len(p.ID)); ok && chunked {
		return cmp.Or(names[0], names[1], stem)
	}
	return cmp.Or(names[0], names[1], p.ID)
}

// chunked reports whether passages that name no document have ids that extend a label:
// those are ids of chunks.
func chunked(labels map[string]int, passages []assay.Passage) bool {
	for i := range passages {
		p := &passages[i]
		if p.ID == "" || p.Document != "" || p.Source != "" {
			continue
		}
		if label, ok := assay.Label(labels, p.ID); ok && label != p.ID {
			return true
		}
	}
	return false
}

// caseRanking is the ranking of a response, with counts of its irregularities.
type caseRanking struct {
	Ranking
	ranks      map[string]int
	labels     map[string]int
	duplicates int
	nameless   int
	own        int
}

// newRanking ranks the documents of the passages in a response. The first passage
// of a document represents it; later ones are removed and the ranks close up. A
// passage without a document name keeps its rank and is unjudged.
func newRanking(in metric.Input, by naming) *caseRanking {
	labels := in.Case.Want.Documents
	r := &caseRanking{labels: labels, ranks: map[string]int{}}
	r.MaxGrade = max(in.MaxGrade, 1)
	ofChunks := chunked(labels, in.Response.Passages)
	for i := range in.Response.Passages {
		k := key(labels, &in.Response.Passages[i], by, ofChunks)
		if k == "" {
			r.nameless++
			r.Grades = append(r.Grades, Unjudged)
			continue
		}
		if in.Case.Want.OwnText && k == in.Case.Base() {
			r.own++
			continue
		}
		if _, again := r.ranks[k]; again {
			r.duplicates++
			continue
		}
		grade, judged := labels[k]
		if !judged {
			grade = Unjudged
		}
		r.Grades = append(r.Grades, grade)
		r.ranks[k] = len(r.Grades)
	}
	r.Judged = judgedGrades(labels)
	r.missing = r.notFound
	if topics := in.Case.Want.Subtopics; len(topics) > 0 {
		r.Labelled = LabelledSubtopics(topics)
		r.Subtopics = make([][]string, len(r.Grades))
		for document, rank := range r.ranks {
			r.Subtopics[rank-1] = topics[document]
		}
	}
	return r
}

// LabelledSubtopics returns the subtopics of documents in the form of [Ranking.Labelled].
func LabelledSubtopics(topics map[string][]string) [][]string {
	var out [][]string
	for _, document := range slices.Backward(slices.Sorted(maps.Keys(topics))) {
		if len(topics[document]) > 0 {
			out = append(out, topics[document])
		}
	}
	return out
}

func judgedGrades(labels map[string]int) []int {
	var out []int
	for _, g := range labels {
		if g >= 0 {
			out = append(out, g)
		}
	}
	slices.SortFunc(out, func(a, b int) int { return cmp.Compare(b, a) })
	return out
}

func (r *caseRanking) notFound(k, level int) []assay.Evidence {
	return missingLabels(r.labels, level, func(label string) bool {
		rank := r.ranks[label]
		return rank > 0 && (k == 0 || rank <= k)
	})
}

// missingLabels lists the relevant labels that were not found, in order.
func missingLabels(labels map[string]int, level int, found func(string) bool) []assay.Evidence {
	var out []assay.Evidence
	for label, grade := range labels {
		if grade >= level && !found(label) {
			out = append(out, assay.Evidence{Kind: "missing", Text: label})
		}
	}
	slices.SortFunc(out, func(a, b assay.Evidence) int { return cmp.Compare(a.Text, b.Text) })
	return out
}

// notes describes the irregularities. What is the noun for the names of passages.
func (r *caseRanking) notes(what string) []string {
	var out []string
	if r.duplicates > 0 {
		out = append(out, count(r.duplicates, "passage of a "+what+" seen before was", "passages of "+what+"s seen before were")+" left out")
	}
	if r.own > 0 {
		out = append(out, count(r.own, "passage", "passages")+" with the id of the query left out")
	}
	return append(out, namelessNote(r.nameless)...)
}

func namelessNote(n int) []string {
	if n == 0 {
		return nil
	}
	return []string{count(n, "passage names", "passages name") + " no document"}
}
