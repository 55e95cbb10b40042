package treceval

import (
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/assay-eval/assay/dataset/trec"
	"github.com/assay-eval/assay/metric/retrieval"
)

// Options configure the scoring of a run.
type Options struct {
	Measures []Measure
	// Depth is the number of results used for each query; 0 means all.
	Depth int
	// Workers is the number of goroutines that parse and score.
	Workers int
	// Answered leaves out the queries that the run lacks, as trec_eval does without -c.
	// Otherwise they count as 0.
	Answered bool
	// DropOwn drops results whose document has the id of the query and is not judged
	// relevant for it, as BEIR's evaluation does.
	DropOwn bool
}

// A Source is a run to read.
type Source struct {
	// Name identifies the run in messages.
	Name string
	// Open returns the content. It is called a second time if the run is not
	// grouped by query.
	Open func() (io.ReadCloser, error)
	// Once is set if the source cannot be opened again, such as a pipe. Its run
	// must be grouped by query.
	Once bool
}

// Judgments are the judgments of a collection, prepared for scoring. They are
// safe for concurrent use.
type Judgments struct {
	topics   []topic
	index    map[string]int
	maxGrade int
	// relevant counts the judgments above 0.
	relevant int
	seed     maphash.Seed
}

// topic holds the judgments of one query.
type topic struct {
	query string
	docs  []judgment
	// judged holds the grades of at least 0, highest first.
	judged []int
	// labelled holds the subtopics of each document that has any.
	labelled [][]string
}

type judgment struct {
	doc       string
	hash      uint64
	grade     int
	subtopics []string
}

// NewJudgments prepares judgments for scoring. Topics are sorted by query in
// byte order, which is the order of every output.
func NewJudgments(q *trec.Qrels) *Judgments {
	j := &Judgments{index: map[string]int{}, maxGrade: q.MaxGrade(), seed: maphash.MakeSeed()}
	for _, t := range q.Topics {
		out := topic{query: t.Query}
		for doc, grade := range t.Grades {
			out.docs = append(out.docs, judgment{doc, maphash.String(j.seed, doc), grade, t.Subtopics[doc]})
			if grade >= 0 {
				out.judged = append(out.judged, grade)
			}
			if grade > 0 {
				j.relevant++
			}
		}
		slices.SortFunc(out.judged, func(a, b int) int { return b - a })
		out.labelled = retrieval.LabelledSubtopics(t.Subtopics)
		j.topics = append(j.topics, out)
	}
	slices.SortFunc(j.topics, func(a, b topic) int { return strings.Compare(a.query, b.query) })
	for i, t := range j.topics {
		j.index[t.query] = i
	}
	return j
}

// Score scores a run. The result contains every query of the judgments,
// including those that are missing from the run. It returns an error if the run
// cannot be read, returns a document twice for a query, or has no query in
// common with the judgments.
func Score(j *Judgments, src Source, o Options) (*Result, error) {
	s := newScoring(j, src.Name, o)
	info, err := s.read(src, func(r io.Reader) (trec.Info, error) { return trec.Scan(r, src.Name, len(s.scorers), s.visit) })
	if errors.Is(err, trec.ErrUngrouped) && !src.Once {
		s = newScoring(j, src.Name, o)
		info, err = s.read(src, func(r io.Reader) (trec.Info, error) { return trec.Gather(r, src.Name, len(s.scorers), s.visit) })
	}
	if err != nil {
		return nil, err
	}
	return s.result(info)
}

func (s *scoring) read(src Source, by func(io.Reader) (trec.Info, error)) (trec.Info, error) {
	r, err := src.Open()
	if err != nil {
		return trec.Info{}, err
	}
	defer r.Close()
	return by(r)
}

// scoring is the state while one run is scored.
type scoring struct {
	name    string
	options Options
	*Judgments
	scorers []scorer
	cells   []cell
	seen    []bool

	mu      sync.Mutex
	unknown int
	first   string
	own     int
	rising  int
}

// cell is the value of one measure for one query.
type cell struct {
	value float64
	ok    bool
	ends  [2]float64
	text  string
}

func newScoring(j *Judgments, name string, o Options) *scoring {
	s := &scoring{
		name: name, options: o, Judgments: j, scorers: make([]scorer, max(o.Workers, 1)),
		cells: make([]cell, len(j.topics)*len(o.Measures)), seen: make([]bool, len(j.topics)),
	}
	for i := range s.scorers {
		s.scorers[i].ranking.MaxGrade = j.maxGrade
	}
	return s
}

// visit scores one query. Several workers call it concurrently, each with
// different queries.
func (s *scoring) visit(worker int, q *trec.Query) error {
	i, ok := s.index[string(q.ID)]
	if !ok {
		if err := q.CheckUnique(s.name); err != nil {
			return err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.unknown++; s.unknown == 1 || string(q.ID) < s.first {
			s.first = string(q.ID)
		}
		return nil
	}
	if q.Rises() {
		s.mu.Lock()
		s.rising++
		s.mu.Unlock()
	}
	if s.options.DropOwn && s.topics[i].dropOwn(q) {
		s.mu.Lock()
		s.own++
		s.mu.Unlock()
	}
	sc := &s.scorers[worker]
	if err := sc.rank(q, &s.topics[i], s.seed, s.options.Depth, s.name); err != nil {
		return err
	}
	s.seen[i] = true
	s.fill(i, &sc.ranking, func(m Measure) func(*retrieval.Ranking) (float64, bool) { return m.value })
	return nil
}

// dropOwn drops the result whose document has the id of the query, and reports whether
// there is one.
func (t *topic) dropOwn(q *trec.Query) bool {
	at := slices.IndexFunc(q.Documents, func(d []byte) bool { return string(d) == t.query })
	if at < 0 || slices.ContainsFunc(t.docs, func(d judgment) bool { return d.doc == t.query && d.grade > 0 }) {
		return false
	}
	q.Documents, q.Scores, q.Lines = slices.Delete(q.Documents, at, at+1), slices.Delete(q.Scores, at, at+1), slices.Delete(q.Lines, at, at+1)
	return true
}

// fill computes the measures of the topic with index i.
func (s *scoring) fill(i int, r *retrieval.Ranking, value func(Measure) func(*retrieval.Ranking) (float64, bool)) {
	n := len(s.options.Measures)
	cells := s.cells[i*n : (i+1)*n]
	for c, m := range s.options.Measures {
		switch {
		case m.text != nil:
			cells[c].text = m.text(r)
		case m.value != nil:
			cells[c].value, cells[c].ok = value(m)(r)
			if m.unit != nil {
				cells[c].ends = m.ends(r)
			}
		}
	}
}

func (s *scoring) result(info trec.Info) (*Result, error) {
	out := &Result{
		Name: s.name, Tag: info.Tag, Measures: s.options.Measures,
		Unjudged: s.unknown, FirstUnjudged: s.first, Own: s.own, rising: s.rising, judged: len(s.topics),
	}
	if !s.options.Answered {
		out.relevant = &s.relevant
	}
	if !slices.ContainsFunc(s.scorers, func(sc scorer) bool { return sc.named }) {
		for _, t := range s.topics {
			if len(t.docs) > 0 {
				out.unfound = t.docs[0].doc
				break
			}
		}
	}
	n := len(s.options.Measures)
	var empty retrieval.Ranking
	empty.MaxGrade = s.maxGrade
	for i, t := range s.topics {
		if !s.seen[i] {
			if out.Missing++; out.Missing == 1 {
				out.FirstMissing = t.query
			}
			if s.options.Answered {
				continue
			}
			empty.Reset()
			empty.Judged, empty.Labelled = t.judged, t.labelled
			s.fill(i, &empty, func(m Measure) func(*retrieval.Ranking) (float64, bool) { return m.absent })
			empty.Judged = nil
		}
		out.Queries = append(out.Queries, Query{ID: t.query, Missing: !s.seen[i]})
		out.cells = append(out.cells, s.cells[i*n:(i+1)*n]...)
	}
	if out.Missing == len(s.topics) {
		return nil, fmt.Errorf("%s: no query of the run is judged: it has %q, the judgments have %q", s.name, s.first, s.topics[0].query)
	}
	return out, nil
}
