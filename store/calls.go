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
	"time"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/callkey"
)

// callColumns are the short columns of calls, in the order of readCall and
// callInserter.insert.
const callColumns = `key, run_id, operation, provider, model, made, input_tokens, output_tokens, cost, latency, checksum`

// callTexts are the texts of a call, in the order of callRow.
const callTexts = `request_plain, reply_plain, packed, (SELECT texts.packed FROM texts WHERE texts.id = text_id)`

const insertCall = `INSERT INTO calls (` + callColumns + `, text_id, packed, request_plain, reply_plain) ` +
	`VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, '', '') ON CONFLICT (key) `

// replaceCall is the conflict clause of a fresh reply, keepCall that of an import.
const (
	replaceCall = insertCall + `DO UPDATE SET run_id = excluded.run_id, operation = excluded.operation,
		provider = excluded.provider, model = excluded.model, made = excluded.made,
		input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens, cost = excluded.cost,
		latency = excluded.latency, checksum = excluded.checksum, text_id = excluded.text_id, packed = excluded.packed,
		request_plain = '', reply_plain = ''`
	keepCall = insertCall + `DO NOTHING`
)

const selectCall = `SELECT ` + callColumns + `, ` + callTexts + ` FROM calls WHERE key = $1`

// Call returns the call with a key, and whether it exists.
func (s *Store) Call(ctx context.Context, key string) (assay.Call, bool, error) {
	var c assay.Call
	err := s.try(ctx, func(ctx context.Context, _ bool) (err error) {
		c, err = scanCall(s.read.QueryRowContext(ctx, selectCall, key), true)
		return err
	})
	if errors.Is(err, sql.ErrNoRows) {
		return assay.Call{}, false, nil
	}
	if err != nil {
		return assay.Call{}, false, s.explain(err)
	}
	return c, true, nil
}

// PutCall stores a call and replaces one with the same key. One that another run paid for, or the
// same run at another time, is set aside under a key of its own: what a run has paid stays in its
// sum. The call is durable when PutCall returns nil. Concurrent calls are committed together, since each commit waits
// for the disk.
func (s *Store) PutCall(ctx context.Context, c assay.Call) error {
	if err := checkCall(c); err != nil {
		return err
	}
	// Once the call is queued, others may commit it.
	if err := ctx.Err(); err != nil {
		return s.explain(err)
	}
	// The end of one caller's context must not cancel the other calls.
	ctx = context.WithoutCancel(ctx)
	return s.calls.put(c, func(batch []*putting[assay.Call]) {
		err := s.putCalls(ctx, batch)
		for _, p := range batch {
			p.err = err
		}
	})
}

func (s *Store) putCalls(ctx context.Context, batch []*putting[assay.Call]) error {
	// A fixed order prevents deadlocks between processes that replace the same calls.
	slices.SortStableFunc(batch, func(a, b *putting[assay.Call]) int { return strings.Compare(a.value.Key, b.value.Key) })
	calls := make([]assay.Call, len(batch))
	for i, p := range batch {
		calls[i] = p.value
	}
	return s.try(ctx, func(ctx context.Context, _ bool) error {
		return s.insertCalls(ctx, func(i *callInserter) error {
			if err := i.texts(ctx, calls...); err != nil {
				return err
			}
			for _, c := range calls {
				if err := i.put(ctx, c); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// insertCalls runs f in one transaction.
func (s *Store) insertCalls(ctx context.Context, f func(*callInserter) error) (err error) {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return s.explain(err)
	}
	if err := f(s.inserter(tx)); err != nil {
		// the first error is the one to report
		_ = tx.Rollback()
		return err
	}
	return s.explain(tx.Commit())
}

func (s *Store) inserter(tx *sql.Tx) *callInserter {
	return &callInserter{s: s, tx: tx, known: map[int64]bool{}}
}

// put inserts a call. One with its key is replaced, and set aside if it was another payment, so that
// the sum of the run that paid for it keeps it.
func (i *callInserter) put(ctx context.Context, c assay.Call) error {
	if added, err := i.insert(ctx, keepCall, c); err != nil || added {
		return err
	}
	// No other transaction may replace the row between the look at it and its replacement.
	if _, err := i.tx.ExecContext(ctx, `UPDATE calls SET key = key WHERE key = $1`, c.Key); err != nil {
		return i.s.explain(err)
	}
	old, err := scanCall(i.tx.QueryRowContext(ctx, selectCall, c.Key), true)
	switch {
	case errors.Is(err, ErrNotStore), errors.Is(err, sql.ErrNoRows):
		// A row that was altered does not say what was paid, and this call repairs it. One that is
		// gone was removed.
	case err != nil:
		return i.s.explain(err)
	case !callkey.SamePayment(old, c):
		aside, err := callkey.Aside(old)
		if err != nil {
			return err
		}
		if _, err := i.insert(ctx, keepCall, aside); err != nil {
			return err
		}
	}
	_, err = i.insert(ctx, replaceCall, c)
	return err
}

// checkCall rejects a call that could not be read back.
func checkCall(c assay.Call) error {
	switch {
	case c.Key == "":
		return fmt.Errorf("call: key is empty: expected the key of the request")
	case !json.Valid(c.Request) || !json.Valid(c.Reply) || !utf8.Valid(c.Request) || !utf8.Valid(c.Reply):
		return fmt.Errorf("call %q: request or reply is not JSON", c.Key)
	}
	for _, text := range []string{c.Key, c.Run, c.Operation, c.Provider, c.Model} {
		if err := storable("call", text); err != nil {
			return err
		}
	}
	return nil
}

// scanCall reads and verifies a call, with its texts if the query has callTexts after
// callColumns.
func scanCall(row interface{ Scan(...any) error }, texts bool) (assay.Call, error) {
	r, err := readCall(row, texts)
	if err != nil {
		return r.Call, err
	}
	if err := r.verify(texts); err != nil {
		return r.Call, err
	}
	if r.Made, err = time.Parse(time.RFC3339Nano, r.made); err != nil {
		return r.Call, fmt.Errorf("%w: call %q: %w", ErrNotStore, r.Key, err)
	}
	return r.Call, nil
}

// A callRow is a row of the table calls. The texts of its call are plain until verify has
// unpacked them.
type callRow struct {
	assay.Call
	made         string
	checksum     int64
	packed, text []byte
}

func readCall(row interface{ Scan(...any) error }, texts bool) (r callRow, _ error) {
	into := []any{&r.Key, &r.Run, &r.Operation, &r.Provider, &r.Model, &r.made,
		&r.Usage.InputTokens, &r.Usage.OutputTokens, &r.Usage.Cost, (*int64)(&r.Latency), &r.checksum}
	if texts {
		into = append(into, (*[]byte)(&r.Request), (*[]byte)(&r.Reply), &r.packed, &r.text)
	}
	return r, row.Scan(into...)
}

// Calls yields the calls that the runs paid for, or all calls if no run is named,
// sorted by key. An error ends the sequence.
func (s *Store) Calls(ctx context.Context, runIDs ...string) iter.Seq2[assay.Call, error] {
	return func(yield func(assay.Call, error) bool) {
		if err := s.eachCall(ctx, runIDs, func(c assay.Call) bool { return yield(c, nil) }); err != nil {
			yield(assay.Call{}, err)
		}
	}
}

// eachCall calls f for each call until f returns false. After f has returned false it
// returns no error.
func (s *Store) eachCall(ctx context.Context, runIDs []string, f func(assay.Call) bool) error {
	where, args := "", []any{}
	if len(runIDs) > 0 {
		var marks []string
		for i, id := range runIDs {
			marks, args = append(marks, fmt.Sprintf("$%d", i+1)), append(args, id)
		}
		where = ` WHERE run_id IN (` + strings.Join(marks, ", ") + `)`
	}
	rows, err := s.read.QueryContext(ctx, `SELECT `+callColumns+`, `+callTexts+` FROM calls`+where+` ORDER BY key`, args...)
	if err != nil {
		return s.explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		c, err := scanCall(rows, true)
		if err != nil {
			return s.explain(err)
		}
		if !f(c) {
			return nil
		}
	}
	return s.explain(rows.Err())
}

// Spent returns what a run has paid for so far. A call whose reply another run has asked for again
// since counts for both.
func (s *Store) Spent(ctx context.Context, runID string) (assay.Spending, error) {
	var total assay.Spending
	by, err := s.SpentBy(ctx, runID)
	for _, sp := range by {
		total.Add(sp)
	}
	return total, err
}

// SpentBy returns what a run has paid for so far, by operation.
func (s *Store) SpentBy(ctx context.Context, runID string) (map[string]assay.Spending, error) {
	out := map[string]assay.Spending{}
	err := s.try(ctx, func(ctx context.Context, _ bool) error {
		clear(out)
		// The database could add them up, but not verify them.
		return s.each(ctx, func(rows *sql.Rows) error {
			c, err := scanCall(rows, false)
			sp := out[c.Operation]
			sp.Add(assay.Spending{Calls: 1, Usage: c.Usage})
			out[c.Operation] = sp
			return err
		}, `SELECT `+callColumns+` FROM calls WHERE run_id = $1`, runID)
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Costs returns what runs have paid for, in micro-dollars, by their ids. The database adds it up
// without verifying the calls, so that it takes less time than [Store.SpentBy]. A run without
// calls is left out. It is an error to ask for more than 500 runs.
func (s *Store) Costs(ctx context.Context, runIDs []string) (map[string]int64, error) {
	if len(runIDs) == 0 {
		return nil, nil
	}
	if len(runIDs) > mostNames {
		return nil, fmt.Errorf("costs of %d runs: expected at most %d", len(runIDs), mostNames)
	}
	in, args := places(runIDs)
	var costs map[string]int64
	err := s.try(ctx, func(ctx context.Context, _ bool) error {
		costs = map[string]int64{}
		return s.each(ctx, func(rows *sql.Rows) error {
			var id string
			var cost number
			err := rows.Scan(&id, &cost)
			costs[id] = int64(cost)
			return err
		}, `SELECT run_id, CAST(sum(cost) AS bigint) FROM calls WHERE run_id IN (`+in+`) GROUP BY run_id`, args...)
	})
	return costs, err
}

// Imported counts imported calls.
type Imported struct {
	// Added counts the new calls, Present those whose key already existed, which are
	// not changed.
	Added, Present int
}

// ImportCalls adds the calls that do not exist yet. An error, from calls or from the
// database, leaves the store unchanged.
func (s *Store) ImportCalls(ctx context.Context, calls iter.Seq2[assay.Call, error]) (Imported, error) {
	var n Imported
	err := s.insertCalls(ctx, func(i *callInserter) (err error) {
		n, err = importCalls(ctx, calls, i)
		return err
	})
	if err != nil {
		return Imported{}, err
	}
	return n, nil
}

func importCalls(ctx context.Context, calls iter.Seq2[assay.Call, error], i *callInserter) (n Imported, _ error) {
	for c, err := range calls {
		if err == nil {
			err = checkCall(c)
		}
		if err != nil {
			return n, err
		}
		added, err := i.insert(ctx, keepCall, c)
		switch {
		case err != nil:
			return n, err
		case added:
			n.Added++
		default:
			n.Present++
		}
	}
	return n, nil
}
