package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/query"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/summary"
)

// A CaseStore gives the records of a run, in brief or whole; see [store.Store].
type CaseStore interface {
	Counts(ctx context.Context, runID string) (store.Counts, error)
	Briefs(ctx context.Context, runID string, limit, offset int, may func(brief []byte) bool) iter.Seq2[assay.Record, error]
	BriefsAt(ctx context.Context, runID string, seqs []int) ([]assay.Record, error)
	RecordsAt(ctx context.Context, runID string, seqs []int) ([]assay.Record, error)
}

// A CaseList has the cases of a run that a query selects, in an order. It holds their numbers,
// and reads them when they are asked for.
type CaseList struct {
	// Recorded counts the records of the run, Selected those of them that the query
	// selects.
	Recorded, Selected int

	from CaseStore
	h    assay.Header
	// seqs are the selected ones; nil if these are all, in their order.
	seqs []int
}

// CaseVocabulary is what queries about the cases of a run can name. Tags are not known
// before all cases are read.
func CaseVocabulary(h assay.Header) query.Vocabulary { return query.Vocabulary{Metrics: h.Metrics} }

// SelectCases selects cases of a run. A query that does not fit the run is a
// [*query.Error]; a tag that no case has is one too, unless the run goes on.
func SelectCases(ctx context.Context, from CaseStore, h assay.Header, q query.Query, order query.Order) (*CaseList, error) {
	filter, err := q.Compile(CaseVocabulary(h))
	if err != nil {
		return nil, err
	}
	n, err := from.Counts(ctx, h.ID)
	if err != nil {
		return nil, err
	}
	out := &CaseList{Recorded: n.Records, Selected: n.Records, from: from, h: h}
	if q.Empty() && order.Natural() {
		return out, nil
	}
	unseen := encoded(filter.Tags())
	one := &query.Records{
		List:     make([]assay.Record, 1),
		StatusOf: func(r assay.Record) assay.Status { return summary.Status(h.Metrics, r) },
		StageOf: func(r assay.Record) string {
			stage, _ := summary.PutDown(r)
			return stage
		},
	}
	selection := query.NewSelection(filter, order)
	for r, err := range from.Briefs(ctx, h.ID, 0, 0, func(brief []byte) bool {
		unseen = slices.DeleteFunc(unseen, func(tag []byte) bool { return bytes.Contains(brief, tag) })
		return filter.Sieve(brief)
	}) {
		if err != nil {
			return nil, err
		}
		one.List[0] = out.marked(r)
		selection.Add(one, 0, r.Seq)
	}
	out.seqs = selection.Rows()
	out.Selected = len(out.seqs)
	if len(unseen) > 0 && !h.Finished.IsZero() {
		return out, out.knowsTags(ctx, q)
	}
	return out, nil
}

// encoded returns texts as they stand in JSON.
func encoded(texts []string) [][]byte {
	out := make([][]byte, len(texts))
	for i, text := range texts {
		out[i], _ = json.Marshal(text) // a string can always be encoded
	}
	return out
}

// knowsTags reports a tag of the query that no case has.
func (c *CaseList) knowsTags(ctx context.Context, q query.Query) error {
	known := CaseVocabulary(c.h)
	known.Tags = []string{}
	for r, err := range c.from.Briefs(ctx, c.h.ID, 0, 0, nil) {
		if err != nil {
			return err
		}
		for _, tag := range r.Case.Tags {
			if i, ok := slices.BinarySearch(known.Tags, tag); !ok {
				known.Tags = slices.Insert(known.Tags, i, tag)
			}
		}
	}
	_, err := q.Compile(known)
	return err
}

// marked makes a case critical if the gate of the run holds all cases for critical.
func (c *CaseList) marked(r assay.Record) assay.Record {
	r.Case.Critical = r.Case.Critical || c.h.Config["gate.critical"] == "all"
	return r
}

// readAhead is the number of records that are read at once.
const readAhead = 200

// Read yields the selected records from the one with the index offset on, at most limit
// of them; a limit below 1 is none. They are in brief, or whole.
func (c *CaseList) Read(ctx context.Context, limit, offset int, whole bool) iter.Seq2[assay.Record, error] {
	offset = min(max(0, offset), c.Selected)
	if limit < 1 || limit > c.Selected-offset {
		limit = c.Selected - offset
	}
	read := c.from.BriefsAt
	if whole {
		read = c.from.RecordsAt
	}
	return func(yield func(assay.Record, error) bool) {
		if c.seqs == nil && !whole {
			for r, err := range c.inOrder(ctx, limit, offset) {
				if !yield(c.marked(r), err) {
					return
				}
			}
			return
		}
		for part, err := range c.parts(ctx, limit, offset) {
			var records []assay.Record
			if err == nil {
				records, err = read(ctx, c.h.ID, part)
			}
			if err != nil {
				yield(assay.Record{}, err)
				return
			}
			for _, r := range records {
				if !yield(c.marked(r), nil) {
					return
				}
			}
		}
	}
}

// inOrder yields records of the run in their order.
func (c *CaseList) inOrder(ctx context.Context, limit, offset int) iter.Seq2[assay.Record, error] {
	if limit == 0 {
		return func(func(assay.Record, error) bool) {}
	}
	return c.from.Briefs(ctx, c.h.ID, limit, offset, nil)
}

// parts yields the numbers of the records, some at a time.
func (c *CaseList) parts(ctx context.Context, limit, offset int) iter.Seq2[[]int, error] {
	return func(yield func([]int, error) bool) {
		if c.seqs != nil {
			for part := range slices.Chunk(c.seqs[offset:offset+limit], readAhead) {
				if !yield(part, nil) {
					return
				}
			}
			return
		}
		var part []int
		for r, err := range c.inOrder(ctx, limit, offset) {
			if part = append(part, r.Seq); err != nil || len(part) == readAhead {
				if !yield(part, err) || err != nil {
					return
				}
				part = nil
			}
		}
		if len(part) > 0 {
			yield(part, nil)
		}
	}
}
