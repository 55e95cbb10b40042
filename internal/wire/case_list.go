package wire

import (
	"context"
	"iter"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/internal/query"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/summary"
)

// A CaseList has the cases of a run that a query selects, in an order. It holds their numbers,
// and reads them when they are asked for.
type CaseList struct {
	// Recorded counts the records of the run, Selected those of them that the query
	// selects.
	Recorded, Selected int

	from  Records
	query query.Query
	h     assay.Header
	index *CaseIndex
	// beside is what is known beside the records; fleeting is set if the query needs it, so
	// that what it selects can change.
	beside   *Beside
	fleeting bool
	// seqs are the selected ones; nil if these are all, in their order.
	seqs []int
}

// CaseVocabulary is what queries about the cases of a run can name. Tags are not known
// before all cases are read.
func CaseVocabulary(h assay.Header) query.Vocabulary {
	return query.Vocabulary{Metrics: h.Metrics, Going: h.State != "finished"}
}

// SelectCases selects cases of a run, by its index if it has one. A query that does not fit
// the run, and what is beside it, is a [*query.Error]; a tag that no case has is one too, unless the run goes on.
func SelectCases(
	ctx context.Context, from *store.Store, h assay.Header, index *CaseIndex, beside *Beside, q query.Query, order query.Order,
) (*CaseList, error) {
	out := &CaseList{from: RecordsOf(from, h), query: q, h: h, index: index, beside: beside}
	filter, err := q.Compile(out.Vocabulary())
	if err != nil {
		return nil, err
	}
	n, err := out.from.Counts(ctx, h.ID)
	if err != nil {
		return nil, err
	}
	out.Recorded, out.Selected, out.fleeting = n.Records, n.Records, filter.NeedsBeside()
	if q.Empty() && order.Natural() {
		return out, nil
	}
	if index == nil {
		if index, err = out.indexed(ctx); err != nil {
			return nil, err
		}
		if known := out.Vocabulary(); !h.Finished.IsZero() {
			known.Tags = index.cases.AllTags()
			if filter, err = q.Compile(known); err != nil {
				return nil, err
			}
		}
	}
	out.seqs, err = index.selectCases(ctx, from, beside, q, filter, order)
	out.Selected = len(out.seqs)
	return out, err
}

// Vocabulary is what queries about the cases can name, with their tags if these are known.
func (c *CaseList) Vocabulary() query.Vocabulary {
	out := c.beside.vocabulary(CaseVocabulary(c.h))
	if c.index != nil && !c.h.Finished.IsZero() {
		out.Tags = c.index.cases.AllTags()
	}
	return out
}

// Seqs returns the numbers of the selected records, in their order; nil if these are all.
func (c *CaseList) Seqs() []int { return c.seqs }

// Check says whether a case of the run is right; see [report.Report.Check]. Draws of a running
// run are looked at alone.
func (c *CaseList) Check(r assay.Record) summary.Check {
	if c.index != nil {
		if row, ok := c.index.cases.RowOf(r.Seq); ok {
			return c.index.check()(c.index.cases.Record(row))
		}
	}
	return report.Checks(c.h, columns.Of([]assay.Record{r}))(r)
}

// Shown returns a record as lists show it: critical if the gate of the run holds all cases
// for critical, and with the scores of the report.
func (c *CaseList) Shown(r assay.Record) assay.Record {
	r.Case.Critical = r.Case.Critical || criticalAll(c.h)
	return c.index.show(r)
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
	switch {
	case whole:
		read = c.from.RecordsAt
	case c.index != nil:
		read = c.index.briefsAt(c.from)
	}
	return func(yield func(assay.Record, error) bool) {
		if c.seqs == nil && !whole && c.index == nil {
			for r, err := range c.inOrder(ctx, limit, offset) {
				if !yield(c.Shown(r), err) {
					return
				}
			}
			return
		}
		seqs, err := c.window(ctx, limit, offset)
		if err != nil {
			yield(assay.Record{}, err)
			return
		}
		for part := range slices.Chunk(seqs, readAhead) {
			records, err := read(ctx, c.h.ID, part)
			if err != nil {
				yield(assay.Record{}, err)
				return
			}
			for _, r := range records {
				if !yield(c.Shown(r), nil) {
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
	return c.from.Briefs(ctx, c.h.ID, limit, offset)
}

// window returns the numbers of the records from an offset on.
func (c *CaseList) window(ctx context.Context, limit, offset int) (seqs []int, err error) {
	switch {
	case c.seqs != nil:
		return c.seqs[offset : offset+limit], nil
	case c.index != nil && c.index.cases.Len() == c.Recorded:
		for row := offset; row < offset+limit; row++ {
			seqs = append(seqs, c.index.cases.Seq(row))
		}
		return seqs, nil
	}
	for r, err := range c.inOrder(ctx, limit, offset) {
		if err != nil {
			return nil, err
		}
		seqs = append(seqs, r.Seq)
	}
	return seqs, nil
}
