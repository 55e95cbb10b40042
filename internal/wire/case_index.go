package wire

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/internal/progress"
	"github.com/assay-eval/assay/internal/query"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/summary"
	"github.com/assay-eval/assay/summary/explore"
)

// A CaseIndex has the columns of a run, by which its cases are selected and ordered. Several goroutines can use one.
type CaseIndex struct {
	h     assay.Header
	cases *columns.Table
	about report.Derived

	check    func() func(assay.Record) summary.Check
	outcomes func() []outcome

	mu     sync.Mutex
	texts  *columns.Texts
	slices *explore.Slices

	// chosen are the numbers of the cases that queries select, in orders, and counted their
	// facets.
	choosing sync.Mutex
	chosen   map[string][]int
	counted  map[string]Facets
	// briefs are records in brief that were read last, by their numbers. Whoever reads one
	// must not change it.
	briefs map[int]assay.Record
}

// maxBriefs is the number of records in brief that an index keeps, briefSize roughly the
// memory of one.
const (
	maxBriefs = 2000
	briefSize = 4 << 10
)

// maxRecent is the number of selections, and of counts, that an index keeps.
const maxRecent = 16

// remember keeps what was asked for, and forgets the rest when that is much.
func remember[V any](kept map[string]V, key string, v V) {
	if len(kept) >= maxRecent {
		clear(kept)
	}
	kept[key] = v
}

// An outcome is how a case ended.
type outcome struct {
	status assay.Status
	answer assay.Correctness
	// stage is what a wrong answer is attributed to, or "".
	stage string
}

// IndexCases returns the index of a run; that of one that is not finished is of its report so far.
// A finished run without columns, such as one of an older store, gets them.
func IndexCases(ctx context.Context, s *store.Store, h assay.Header) (*CaseIndex, error) {
	if h.State == "finished" {
		cases, about, err := keptCases(ctx, s, h)
		if !errors.Is(err, errDeriveAgain) {
			return newCaseIndex(h, cases, about), err
		}
	}
	rep, err := Kept(ctx, s, h)
	if err != nil {
		return nil, err
	}
	return newCaseIndex(rep.Header, rep.Cases, rep.Derived()), nil
}

func newCaseIndex(h assay.Header, cases *columns.Table, about report.Derived) *CaseIndex {
	if criticalAll(h) {
		cases = cases.AllCritical()
	}
	out := &CaseIndex{h: h, cases: cases, about: about, chosen: map[string][]int{}, counted: map[string]Facets{}}
	out.check = sync.OnceValue(func() func(assay.Record) summary.Check { return report.Checks(h, cases) })
	out.outcomes = sync.OnceValue(func() []outcome {
		all, check := make([]outcome, 0, cases.Len()), out.check()
		for _, r := range cases.Records() {
			stage, _ := summary.PutDown(*r)
			all = append(all, outcome{summary.Status(h.Metrics, *r), check(*r).Outcome(), stage})
		}
		return all
	})
	return out
}

// criticalAll reports whether the gate of a run holds all its cases for critical.
func criticalAll(h assay.Header) bool { return h.Config["gate.critical"] == "all" }

// Table returns the columns of the run.
func (x *CaseIndex) Table() *columns.Table { return x.cases }

// Size returns roughly how much memory the index takes, in bytes.
func (x *CaseIndex) Size() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	size := x.cases.Size()
	if x.texts != nil {
		size += x.texts.Size()
	}
	if x.slices != nil {
		size += x.slices.Size()
	}
	x.choosing.Lock()
	defer x.choosing.Unlock()
	for _, c := range x.chosen {
		size += 8 * len(c)
	}
	size += briefSize * len(x.briefs)
	return size
}

// briefsAt returns a function that reads records in brief, those that were read before from
// memory.
func (x *CaseIndex) briefsAt(from Records) func(ctx context.Context, runID string, seqs []int) ([]assay.Record, error) {
	return func(ctx context.Context, runID string, seqs []int) ([]assay.Record, error) {
		out := make([]assay.Record, len(seqs))
		var unread, places []int
		x.choosing.Lock()
		for i, seq := range seqs {
			r, ok := x.briefs[seq]
			if out[i] = r; !ok {
				unread, places = append(unread, seq), append(places, i)
			}
		}
		x.choosing.Unlock()
		read, err := from.BriefsAt(ctx, runID, unread)
		if err != nil {
			return nil, err
		}
		x.choosing.Lock()
		defer x.choosing.Unlock()
		if x.briefs == nil || len(x.briefs)+len(read) > maxBriefs {
			x.briefs = map[int]assay.Record{}
		}
		for i, r := range read {
			r = x.show(r)
			out[places[i]], x.briefs[r.Seq] = r, r
		}
		return out, nil
	}
}

// selectCases returns the numbers of the cases that a filter selects, in an order. They must
// not be changed.
func (x *CaseIndex) selectCases(
	ctx context.Context, from *store.Store, beside *Beside, q query.Query, filter *query.Filter, order query.Order,
) ([]int, error) {
	key := q.String() + "\n" + order.String()
	x.choosing.Lock()
	seqs, ok := x.chosen[key]
	x.choosing.Unlock()
	if ok && !filter.NeedsBeside() {
		return seqs, nil
	}
	source := &indexSource{Table: x.cases, index: x}
	if slices.ContainsFunc([]query.Place{query.InTexts, query.InQuestion, query.InAnswer, query.InFailure}, filter.Searches) {
		var err error
		if source.texts, err = x.search(ctx, from); err != nil {
			return nil, err
		}
	}
	asked, err := beside.source(ctx, source, filter, x.cases.Base)
	if err != nil {
		return nil, err
	}
	selection := query.NewSelection(filter, order)
	// Reasons of scores are long, and in the records alone.
	if filter.Searches(query.InReason) {
		for r, err := range RecordsOf(from, x.h).Briefs(ctx, x.h.ID, 0, 0) {
			if err != nil {
				return nil, err
			}
			if row, ok := x.cases.RowOf(r.Seq); ok {
				source.scores = x.show(r).Scores
				selection.Add(asked, row, r.Seq)
			}
		}
	} else {
		for row := range x.cases.Len() {
			if row%(1<<12) == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			selection.Add(asked, row, x.cases.Seq(row))
		}
	}
	seqs = selection.Rows()
	if !filter.NeedsBeside() {
		x.choosing.Lock()
		defer x.choosing.Unlock()
		remember(x.chosen, key, seqs)
	}
	return seqs, nil
}

// search returns the texts of the run. The first call takes them from the store, or makes
// and stores them if they are not there.
func (x *CaseIndex) search(ctx context.Context, from *store.Store) (*columns.Texts, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.texts != nil {
		return x.texts, nil
	}
	texts := &columns.Texts{}
	_, n, err := textColumns.read(ctx, from, x.h, texts.AddPart)
	switch {
	case err == nil && texts.Len() == n:
		x.texts = texts
		return texts, nil
	case err != nil && !errors.Is(err, errDeriveAgain):
		return nil, err
	}
	texts = &columns.Texts{}
	progress.Of(ctx).Start(x.h.Asked())
	for r, err := range stepping(ctx, from.Briefs(ctx, x.h.ID, 0, 0)) {
		if err != nil {
			return nil, err
		}
		texts.Add(&r)
	}
	// A database that cannot be written to is read each time.
	_ = textColumns.keep(ctx, from, x.h.ID, texts.Len(), []byte("{}"), texts.Parts())
	x.texts = texts
	return texts, nil
}

// show gives a record the scores that the report shows: those of a run whose names of
// documents mean nothing are not those of its records.
func (x *CaseIndex) show(r assay.Record) assay.Record {
	if x == nil || x.about.Unnamed == "" && x.about.Unknown == nil {
		return r
	}
	row, ok := x.cases.RowOf(r.Seq)
	if !ok {
		return r
	}
	shown := x.cases.Record(row)
	scores := maps.Clone(r.Scores)
	for name, score := range r.Scores {
		if s := shown.Scores[name]; s.State != score.State {
			scores[name] = s
		}
	}
	if r.Scores = scores; x.about.Unnamed != "" {
		r.Retrieved = shown.Retrieved
	}
	return r
}

// indexSource is the index as the source of a query.
type indexSource struct {
	*columns.Table
	index *CaseIndex
	texts *columns.Texts
	// scores are those of the row whose reasons are searched.
	scores map[string]assay.Score
	// last is the column of the metric that was asked for last, which is mostly that of
	// the next row.
	metric string
	last   columns.Column
}

// Status returns the status of a case.
func (s *indexSource) Status(row int) assay.Status { return s.index.outcomes()[row].status }

// Answer says whether a case is right.
func (s *indexSource) Answer(row int) assay.Correctness { return s.index.outcomes()[row].answer }

// Stage returns the stage that a wrong answer is attributed to.
func (s *indexSource) Stage(row int) string { return s.index.outcomes()[row].stage }

// Score returns a metric's score.
func (s *indexSource) Score(row int, metric string) assay.Score {
	if s.metric != metric {
		s.metric, s.last = metric, s.Metric(metric)
	}
	n, _ := s.last.Numbers(row)
	return assay.Score{State: n.State, Value: n.Value}
}

// Question returns the question in lower case.
func (s *indexSource) Question(row int) string { return s.texts.Question(row) }

// Contains searches texts.
func (s *indexSource) Contains(row int, in query.Place, part string) bool {
	switch in {
	case query.InID:
		return strings.Contains(strings.ToLower(s.ID(row)), part)
	case query.InQuestion:
		return strings.Contains(s.texts.Question(row), part)
	case query.InAnswer:
		return strings.Contains(s.texts.Answer(row), part)
	case query.InFailure:
		kind, message, _ := strings.Cut(s.texts.Failure(row), "\n")
		return strings.Contains(kind, part) || strings.Contains(message, part)
	case query.InReason:
		for _, score := range s.scores {
			if strings.Contains(strings.ToLower(score.Reason), part) {
				return true
			}
		}
		return false
	}
	return s.Contains(row, query.InID, part) || s.Contains(row, query.InQuestion, part) || s.Contains(row, query.InAnswer, part)
}
