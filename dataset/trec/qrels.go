package trec

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"slices"
	"strings"
)

// Qrels are the judgments of a test collection.
type Qrels struct {
	// Topics are in the order of their first line.
	Topics []Topic
	// BEIR is set if the judgments are a file of BEIR. Its evaluation drops results whose
	// document has the id of the query.
	BEIR  bool
	index map[string]int
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

// ReadQrels reads judgments in one of three forms, which the first line shows:
//
//   - TREC: query, iteration (ignored), document and grade, separated by white space;
//   - BEIR: query, document and grade, separated by tabs, below a header line, whose names give the order;
//   - JSON: one object of queries, each an object of documents with their grades.
//
// The lines of a query need not be adjacent. A grade may be written as "1.0". A
// document judged twice for a query, a grade that is not a whole number, a wrong
// number of columns, and a file without judgments are errors (*Error) with a line
// number; name is the file's name in errors.
func ReadQrels(r io.Reader, name string) (*Qrels, error) { return readQrels(r, name, false) }

// ReadSubtopics reads diversity judgments: the second column is a subtopic of the
// query, and a document may be judged once for each. Its grade is the highest of
// these.
func ReadSubtopics(r io.Reader, name string) (*Qrels, error) { return readQrels(r, name, true) }

// Grade reads a grade: a whole number, which may have a fraction of zeros. ok is
// false for other texts and for numbers out of range.
func Grade(s string) (grade int, ok bool) {
	v, ok := parseFloat([]byte(s))
	return int(v), ok && v == math.Trunc(v) && math.Abs(v) <= maxGrade
}

// A qrelsReader collects judgments.
type qrelsReader struct {
	*Qrels
	name      string
	subtopics bool
	// lines holds the line of each judgment: query, document, subtopic.
	lines map[[3]string]int
}

func readQrels(r io.Reader, name string, subtopics bool) (*Qrels, error) {
	src, err := Decompress(r)
	if err != nil {
		return nil, readError(name, 0, err)
	}
	defer src.Close()
	q := &qrelsReader{&Qrels{index: map[string]int{}}, name, subtopics, map[[3]string]int{}}
	in := bufio.NewReader(src)
	if isObject(in) {
		err = eachInObject(in, name, "judgments", "grade", func(line int, query, doc, grade string) error { return q.add(line, query, doc, "", grade) })
	} else {
		err = q.readLines(in)
	}
	if err != nil {
		return nil, err
	}
	if len(q.Topics) == 0 {
		return nil, problem(name, 0, "no judgments: %s", qrelsColumns)
	}
	return q.Qrels, nil
}

// qrelsColumns describes a line of judgments in errors.
const qrelsColumns = "must have 4 columns: query, iteration, document, grade (3 only below BEIR's header line)"

func (q *qrelsReader) readLines(r io.Reader) error {
	first, query, doc := true, 0, 1
	return eachLine(r, q.name, func(line int, text []byte) error {
		header := first && isBEIRHeader(text)
		if first = false; header {
			q.BEIR = true
			query, doc = BEIRColumns(strings.Split(string(text), "\t"))
			return nil
		}
		cols := bytes.FieldsFunc(text, func(r rune) bool { return r < 0x80 && space[r] })
		if q.BEIR {
			cols = bytes.Split(text, []byte("\t"))
		}
		switch {
		case q.BEIR && len(cols) == 3:
			return q.add(line, strings.TrimSpace(string(cols[query])), strings.TrimSpace(string(cols[doc])), "",
				strings.TrimSpace(string(cols[3-query-doc])))
		case !q.BEIR && len(cols) == 4:
			return q.add(line, string(cols[0]), string(cols[2]), string(cols[1]), string(cols[3]))
		}
		return problem(q.name, line, "%q: %s", clip(text), qrelsColumns)
	})
}

// isBEIRHeader reports whether a line names the columns of BEIR judgments.
func isBEIRHeader(line []byte) bool {
	cols := strings.Split(string(line), "\t")
	_, graded := Grade(cols[len(cols)-1])
	return len(cols) == 3 && !graded && slices.ContainsFunc(cols, isQueryID)
}

func isQueryID(name string) bool {
	name = strings.ToLower(name)
	return (strings.HasPrefix(name, "q") || strings.HasPrefix(name, "topic")) && strings.Contains(name, "id")
}

// BEIRColumns returns which of three columns a header names as the query and as the document, by default the first and the second. The
// other one is the grade.
func BEIRColumns(header []string) (query, doc int) {
	query = slices.IndexFunc(header, isQueryID)
	doc = slices.IndexFunc(header, func(name string) bool {
		name = strings.ToLower(name)
		return !isQueryID(name) && (strings.Contains(name, "id") || strings.HasPrefix(name, "doc") || strings.HasPrefix(name, "corpus"))
	})
	if query < 0 || doc < 0 {
		return 0, 1
	}
	return query, doc
}

// add adds a judgment.
func (q *qrelsReader) add(line int, query, doc, subtopic, grade string) error {
	g, ok := Grade(grade)
	switch {
	case query == "" || doc == "":
		return problem(q.name, line, "the query or the document is empty: %s", qrelsColumns)
	case !ok:
		return problem(q.name, line, "grade %q: must be a whole number from %d to %d", clip([]byte(grade)), -maxGrade, maxGrade)
	case !q.subtopics:
		subtopic = ""
	case subtopic == "":
		return problem(q.name, line, "no subtopic: judgments of subtopics must have 4 columns: query, subtopic, document, grade")
	}
	i, ok := q.index[query]
	if !ok {
		i = len(q.Topics)
		q.index[query] = i
		q.Topics = append(q.Topics, Topic{Query: query, Line: line, Grades: map[string]int{}})
		if q.subtopics {
			q.Topics[i].Subtopics = map[string][]string{}
		}
	}
	t := &q.Topics[i]
	key := [3]string{t.Query, doc, subtopic}
	if first, twice := q.lines[key]; twice {
		return problem(q.name, line, "query %q: document %q is judged again, first in line %d", t.Query, doc, first)
	}
	q.lines[key] = line
	if have, again := t.Grades[doc]; !again || g > have {
		t.Grades[doc] = g
	}
	if q.subtopics && g > 0 {
		t.Subtopics[doc] = append(t.Subtopics[doc], subtopic)
	}
	return nil
}

// clip shortens a quotation in an error.
func clip(b []byte) string {
	const most = 80
	if len(b) > most {
		return string(b[:most]) + "…"
	}
	return string(b)
}
