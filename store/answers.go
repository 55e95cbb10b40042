package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// answerID is the id of the item with the answer to the case at seq.
func answerID(runID string, seq int) string { return fmt.Sprintf("%s/%d", runID, seq) }

// answers are items with answers to cases of a run.
type answers struct {
	run   string
	items []Item
}

// PutAnswers stores records of a run that have an answer and no scores yet, all or none;
// they are durable when it returns nil. An answer to the same case is replaced. [Store.Put]
// of the complete record removes it. The answers of concurrent callers are committed
// together.
func (s *Store) PutAnswers(ctx context.Context, runID string, recs ...assay.Record) error {
	items := make([]Item, len(recs))
	for i, r := range recs {
		body, err := encode(r)
		if err != nil {
			return fmt.Errorf("run %q: answer to case %q: %w", runID, r.Case.ID, err)
		}
		items[i] = Item{
			Kind: kindAnswer, ID: answerID(runID, r.Seq), Parent: runID, Created: r.Started, Updated: r.Started, Body: json.RawMessage(body),
		}
	}
	// Once the answers are in the queue, others may commit them.
	if err := ctx.Err(); err != nil {
		return s.explain(err)
	}
	// The end of one caller's context must not cancel the other answers.
	ctx = context.WithoutCancel(ctx)
	return s.answers.put(answers{runID, items}, func(batch []*putting[answers]) {
		for len(batch) > 0 {
			run := batch[0].value.run
			var of, rest []*putting[answers]
			for _, p := range batch {
				if p.value.run == run {
					of = append(of, p)
				} else {
					rest = append(rest, p)
				}
			}
			err := s.putAnswers(ctx, run, of)
			for _, p := range of {
				p.err = err
			}
			batch = rest
		}
	})
}

// putAnswers stores answers of a run in one transaction.
func (s *Store) putAnswers(ctx context.Context, runID string, batch []*putting[answers]) error {
	return s.transact(ctx, runID, func(ctx context.Context, tx *sql.Tx, _ bool) error {
		// A transaction that follows another whose end is unknown waits for it at the same item.
		res, err := tx.ExecContext(ctx, s.db.present(), runID)
		if err != nil {
			return s.explain(err)
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, notFound(runID))
		}
		insert, err := tx.PrepareContext(ctx, upsertItem)
		if err != nil {
			return s.explain(err)
		}
		defer insert.Close()
		for _, p := range batch {
			for _, it := range p.value.items {
				if _, err := insert.ExecContext(ctx, it.values()...); err != nil {
					return s.explain(err)
				}
			}
		}
		return nil
	})
}

// Answers yields what [Store.PutAnswers] stored for a run and no record has followed, in
// no order. An error ends the sequence.
func (s *Store) Answers(ctx context.Context, runID string) iter.Seq2[assay.Record, error] {
	return s.answersWhere(ctx, runID, `parent = $2`, runID)
}

// AnswersTo yields those of [Store.Answers] to the cases with the given numbers, at most 500.
func (s *Store) AnswersTo(ctx context.Context, runID string, seqs []int) iter.Seq2[assay.Record, error] {
	if len(seqs) == 0 {
		return func(func(assay.Record, error) bool) {}
	}
	args, places := make([]any, len(seqs)), make([]string, len(seqs))
	for i, seq := range seqs {
		args[i], places[i] = answerID(runID, seq), fmt.Sprintf("$%d", i+2)
	}
	return s.answersWhere(ctx, runID, `id IN (`+strings.Join(places, ", ")+`)`, args...)
}

// answersWhere yields the kept answers that a condition selects; its arguments begin with $2.
func (s *Store) answersWhere(ctx context.Context, runID, condition string, args ...any) iter.Seq2[assay.Record, error] {
	return func(yield func(assay.Record, error) bool) {
		var kept []Item
		err := s.try(ctx, func(ctx context.Context, _ bool) error {
			kept = nil
			return s.each(ctx, func(rows *sql.Rows) error {
				it, err := scanItem(rows, true)
				kept = append(kept, it)
				return err
			}, `SELECT `+itemColumns+`, body FROM items WHERE kind = $1 AND `+condition, append([]any{kindAnswer}, args...)...)
		})
		if err != nil {
			yield(assay.Record{}, s.explain(err))
			return
		}
		for _, it := range kept {
			r, err := readRecord(it.Body)
			if err != nil {
				yield(r, s.explain(fmt.Errorf("%w: run %q: the kept answer %s: %w", ErrNotStore, runID, it.ID, err)))
				return
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// removeAnswers removes the answers of rows, which are complete.
func (s *Store) removeAnswers(ctx context.Context, tx *sql.Tx, runID string, rows []dbRow) error {
	for part := range slices.Chunk(rows, 256) { // databases limit the parameters of a statement
		args, places := []any{kindAnswer}, make([]string, len(part))
		for i, r := range part {
			args, places[i] = append(args, answerID(runID, r.seq)), fmt.Sprintf("$%d", i+2)
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM items WHERE kind = $1 AND id IN (`+strings.Join(places, ", ")+`)`, args...)
		if err != nil {
			return s.explain(err)
		}
	}
	return nil
}
