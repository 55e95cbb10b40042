package wire

import (
	"context"
	"iter"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/store"
)

// Records reads the records of a run, as [store.Store] does.
type Records interface {
	Counts(ctx context.Context, runID string) (store.Counts, error)
	Record(ctx context.Context, runID, caseID string) (assay.Record, error)
	Records(ctx context.Context, runID string) iter.Seq2[assay.Record, error]
	RecordsAt(ctx context.Context, runID string, seqs []int) ([]assay.Record, error)
	Briefs(ctx context.Context, runID string, limit, offset int) iter.Seq2[assay.Record, error]
	BriefsAt(ctx context.Context, runID string, seqs []int) ([]assay.Record, error)
}

// RecordsOf reads the records of a run. Those of a run whose judge was unreachable include the
// answers that a later session judges.
func RecordsOf(s *store.Store, h assay.Header) Records {
	if h.Deferred {
		return &unjudged{Store: s, asked: h.Asked()}
	}
	return s
}

// An unjudged reads a run whose judge was unreachable, once. It is not safe for concurrent use.
type unjudged struct {
	*store.Store
	asked int
	read  report.Loaded
}

// all returns the records and the scored answers.
func (u *unjudged) all(ctx context.Context, run string) (report.Loaded, error) {
	if u.read != nil {
		return u.read, nil
	}
	out := report.Loaded{}
	for _, records := range []iter.Seq2[assay.Record, error]{u.Store.Records(ctx, run), u.Answers(ctx, run)} {
		for r, err := range records {
			if err != nil {
				return nil, err
			}
			if r.Scores != nil {
				out = append(out, r)
			}
		}
	}
	slices.SortFunc(out, func(a, b assay.Record) int { return a.Seq - b.Seq })
	u.read = out
	return out, nil
}

// Counts counts all cases: without an answer a case needs no judge and has a record.
func (u *unjudged) Counts(ctx context.Context, run string) (store.Counts, error) {
	n, err := u.Store.Counts(ctx, run)
	n.Records = u.asked
	return n, err
}

// Record returns the record of a case.
func (u *unjudged) Record(ctx context.Context, run, id string) (assay.Record, error) {
	for r, err := range u.Records(ctx, run) {
		if err != nil || r.Case.ID == id {
			return r, err
		}
	}
	return u.Store.Record(ctx, run, id)
}

// Records yields the records in the order of Seq.
func (u *unjudged) Records(ctx context.Context, run string) iter.Seq2[assay.Record, error] {
	return func(yield func(assay.Record, error) bool) {
		all, err := u.all(ctx, run)
		if err != nil {
			yield(assay.Record{}, err)
			return
		}
		all.Records()(yield)
	}
}

// RecordsAt returns the records with these Seqs.
func (u *unjudged) RecordsAt(ctx context.Context, run string, seqs []int) ([]assay.Record, error) {
	all, err := u.all(ctx, run)
	out := make([]assay.Record, 0, len(seqs))
	for _, seq := range seqs {
		row, ok := slices.BinarySearchFunc(all, seq, func(r assay.Record, seq int) int { return r.Seq - seq })
		if !ok {
			return u.Store.RecordsAt(ctx, run, seqs)
		}
		out = append(out, all[row])
	}
	return out, err
}

// Briefs yields records in brief, in the order of Seq.
func (u *unjudged) Briefs(ctx context.Context, run string, limit, offset int) iter.Seq2[assay.Record, error] {
	return func(yield func(assay.Record, error) bool) {
		n := 0
		for r, err := range u.Records(ctx, run) {
			if n++; err == nil && n <= offset {
				continue
			}
			if limit > 0 && n > offset+limit || !yield(store.Brief(r), err) {
				return
			}
		}
	}
}

// BriefsAt returns the records with these Seqs in brief.
func (u *unjudged) BriefsAt(ctx context.Context, run string, seqs []int) ([]assay.Record, error) {
	out, err := u.RecordsAt(ctx, run, seqs)
	for i := range out {
		out[i] = store.Brief(out[i])
	}
	return out, err
}
