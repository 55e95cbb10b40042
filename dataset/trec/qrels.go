package trec

import (
	"io"
	"strconv"
)

// Qrels are the judgments of a test collection.
type Qrels struct {
	// Topics are in the order of their first line.
	Topics []Topic
	index  map[string]int
}

// A Topic is one query with its judgments.
type Topic struct {
	Query string
	// Line is the line of the query's first judgment.
	Line int
	// Grades maps a document to its grade: relevant from 1, judged not relevant
	// at 0, pooled but unjudged below 0.
	Grades map[string]int
	// Subtopics maps a relevant document to the aspects of the query that it
	// covers; nil unless read by [ReadSubtopics].
	Subtopics map[string][]string
}

// Topic returns the judgments of a query, or nil if it has none.
func (q *Qrels) Topic(query string) *Topic {
	if i, ok := q.index[query]; ok {
		return &q.Topics[i]
	}
	return nil
}

// MaxGrade is the highest grade in the collection, at least 1.
func (q *Qrels) MaxGrade() int {
	top := 1
	for _, t := range q.Topics {
		for _, g := range t.Grades {
			top = max(top, g)
		}
	}
	return top
}

// maxGrade bounds the absolute value of grades, so that gains stay finite.
const maxGrade = 1000

// ReadQrels reads judgments, one per line: query, iteration (ignored), document,
// grade. The lines of a query need not be adjacent. A document judged twice for a
// query, a grade that is not a whole number, a wrong number of columns, and a
// file without judgments are errors (*Error) with a line number; name is the
// file's name in errors.
func ReadQrels(r io.Reader, name string) (*Qrels, error) { return readQrels(r, name, false) }

// ReadSubtopics reads diversity judgments: the second column is a subtopic of the
// query, and a document may be judged once for each. Its grade is the highest of
// these.
func ReadSubtopics(r io.Reader, name string) (*Qrels, error) { return readQrels(r, name, true) }

func readQrels(r io.Reader, name string, subtopics bool) (*Qrels, error) {
	q := &Qrels{index: map[string]int{}}
	lines := map[[3]string]int{}
	err := eachLine(r, name, func(line int, text []byte) error {
		var cols [4][]byte
		rest := text
		for i := range cols {
			cols[i], rest = column(rest)
		}
		if extra, _ := column(rest); len(cols[3]) == 0 || len(extra) > 0 {
			return problem(name, line, "%q: want 4 columns: query, iteration, document, grade", clip(text))
		}
		grade, err := strconv.Atoi(string(cols[3]))
		if err != nil || grade > maxGrade || grade < -maxGrade {
			return problem(name, line, "grade %q: want a whole number from %d to %d", clip(cols[3]), -maxGrade, maxGrade)
		}
		i, ok := q.index[string(cols[0])]
		if !ok {
			i = len(q.Topics)
			query := string(cols[0])
			q.index[query] = i
			q.Topics = append(q.Topics, Topic{Query: query, Line: line, Grades: map[string]int{}})
			if subtopics {
				q.Topics[i].Subtopics = map[string][]string{}
			}
		}
		t := &q.Topics[i]
		doc, subtopic := string(cols[2]), ""
		if subtopics {
			subtopic = string(cols[1])
		}
		key := [3]string{t.Query, doc, subtopic}
		if first, twice := lines[key]; twice {
			return problem(name, line, "query %q: document %q is judged again, first in line %d", t.Query, doc, first)
		}
		lines[key] = line
		if have, again := t.Grades[doc]; !again || grade > have {
			t.Grades[doc] = grade
		}
		if subtopics && grade > 0 {
			t.Subtopics[doc] = append(t.Subtopics[doc], subtopic)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(q.Topics) == 0 {
		return nil, problem(name, 0, "no judgments: want lines of query, iteration, document, grade")
	}
	return q, nil
}

// clip shortens a quotation in an error.
func clip(b []byte) string {
	const most = 80
	if len(b) > most {
		return string(b[:most]) + "…"
	}
	return string(b)
}
