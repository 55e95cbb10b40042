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

// Options say how to score a run.
type Options struct {
	Measures []Measure
	// Depth is the number of results of a query that are looked at; 0 is all.
	Depth int
	// Workers is the number of goroutines that parse and score.
	Workers int
}

// A Source is a run to read.
type Source struct {
	// Name is what messages call it.
	Name string
	// Open returns its content. It is called a second time when the run turns
	// out not to be grouped by query.
	Open func() (io.ReadCloser, error)
	// Once is set if it cannot be opened again, as a pipe; such a run must be
	// grouped.
	Once bool
}

// Judgments are the judgments of a collection, ready for scoring. They may be
// used by several goroutines.
type Judgments struct {
	topics   []topic
	index    map[string]int
	maxGrade int
	seed     maphash.Seed
}

// topic is what is known of one query.
type topic struct {
	query string
	docs  []judgment
	// judged are the grades from 0, highest first.
	judged []int
	// labelled are the subtopics of the documents that have some.
	labelled [][]string
}

type judgment struct {
	doc       string
	hash      uint64
	grade     int
	subtopics []string
}

// NewJudgments prepares judgments. Topics are in byte order of their queries,
// the order of every output.
func NewJudgments(q *trec.Qrels) *Judgments {
	j := &Judgments{index: map[string]int{}, maxGrade: q.MaxGrade(), seed: maphash.MakeSeed()}
	for _, t := range q.Topics {
		out := topic{query: t.Query}
		for doc, grade := range t.Grades {
			out.docs = append(out.docs, judgment{doc, maphash.String(j.seed, doc), grade, t.Subtopics[doc]})
			if grade >= 0 {
				out.judged = append(out.judged, grade)
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

// Score scores a run. The result has every query of the judgments, also those
// that the run lacks. A run that cannot be read, that returns a document twice
// for a query, or that has no query in common with the judgments is an error.
func Score(j *Judgments, src Source, o Options) (*Result, error) {
	s := newScoring(j, src.Name, o)
	info, err := s.read(src, func(r io.Reader) (trec.Info, error) { return trec.Scan(r, src.Name, len(s.scorers), s.visit) })
	if errors.Is(err, trec.ErrUngrouped) && !src.Once {
		s = newScoring(j, src.Name, o)
		info, err = s.read(src, func(r io.Reader) (trec.Info, error) { return trec.Gather(r, src.Name, s.visit) })
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

// scoring is the state of scoring one run.
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
}

// cell is one measure of one query.
type cell struct {
	value float64
	ok    bool
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

// visit scores one query. Several workers call it, each with queries of its
// own.
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
	sc := &s.scorers[worker]
	if err := sc.rank(q, &s.topics[i], s.seed, s.options.Depth, s.name); err != nil {
		return err
	}
	s.seen[i] = true
	s.fill(i, &sc.ranking, func(m Measure) func(*retrieval.Ranking) (float64, bool) { return m.value })
	return nil
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
		}
	}
}

func (s *scoring) result(info trec.Info) (*Result, error) {
	out := &Result{
		Name: s.name, Tag: info.Tag, Measures: s.options.Measures,
		Unjudged: s.unknown, FirstUnjudged: s.first, cells: s.cells,
	}
	var empty retrieval.Ranking
	empty.MaxGrade = s.maxGrade
	for i, t := range s.topics {
		out.Queries = append(out.Queries, Query{ID: t.query, Missing: !s.seen[i]})
		if s.seen[i] {
			continue
		}
		out.Missing++
		empty.Reset()
		empty.Judged, empty.Labelled = t.judged, t.labelled
		s.fill(i, &empty, func(m Measure) func(*retrieval.Ranking) (float64, bool) { return m.absent })
		empty.Judged = nil
	}
	if out.Missing == len(s.topics) {
		return nil, fmt.Errorf("%s: no query of the run is judged: it has %q, the judgments have %q", s.name, s.first, s.topics[0].query)
	}
	return out, nil
}
