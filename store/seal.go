package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/assay-eval/assay"
)

// A table has rows with checksums.
type table struct {
	name string
	// columns are what scan reads, key the columns of the primary key. former are the
	// columns in the schema to which sealRows adds checksums; "" if there is no such table.
	columns, former string
	key             []string
	scan            func(rows *sql.Rows) (row, error)
}

// A row is a row of any table.
type row struct {
	key []any
	// checksum is what the row's checksum has to be.
	checksum int64
	// verify compares that with the checksum of the row, inspect the columns with what they
	// repeat of the text.
	verify, inspect func() error
}

// tables are all tables whose rows have checksums.
var tables = []table{
	{"runs", runColumns, runColumns, []string{"id"}, func(rows *sql.Rows) (row, error) {
		var r runRow
		err := r.scan(rows)
		return row{[]any{r.id}, seal(r.sums()), r.verify, r.inspect}, err
	}},
	{"records", `run_id, ` + recordColumns + `, brief, ` + recordTexts, `run_id, ` + recordColumns + `, brief, record, NULL, NULL`,
		[]string{"run_id", "seq"}, func(rows *sql.Rows) (row, error) {
			var r recordRow
			var brief, record []byte
			var texts recordText
			err := rows.Scan(append([]any{&r.run}, r.into(append([]any{&brief}, texts.into()...)...)...)...)
			return row{
				[]any{r.run, r.seq}, seal(briefSum(&r, brief), recordSum(&r, texts.plain)),
				func() error {
					var err, err2 error
					brief, err = r.briefText(nil, brief, texts.brief)
					record, err2 = r.text(nil, &texts)
					return errors.Join(err2, err)
				},
				func() error { return r.inspect(brief, record) },
			}, err
		}},
	{"columns", columnColumns, "", []string{"run_id", "kind", "part", "name"}, func(rows *sql.Rows) (row, error) {
		var c columnRow
		err := rows.Scan(c.into()...)
		return row{[]any{c.run, c.kind, c.part, c.name}, c.checksum, func() error {
			_, err := c.body()
			return err
		}, func() error { return nil }}, err
	}},
	{"texts", textColumns, "", []string{"id"}, func(rows *sql.Rows) (row, error) {
		var t textRow
		err := rows.Scan(&t.id, &t.checksum, &t.packed)
		return row{[]any{t.id}, t.checksum, t.verify, func() error { return nil }}, err
	}},
	{"calls", callColumns + `, ` + callTexts, callColumns + `, request, reply, NULL, NULL`, []string{"key"},
		func(rows *sql.Rows) (row, error) {
			c, err := readCall(rows, true)
			return row{
				[]any{c.Key}, seal(callSums(&c.Call, c.made)),
				func() error { return c.verify(true) },
				func() error { return inspectCall(c.Call, c.made) },
			}, err
		}},
	{"items", itemColumns + `, body`, itemColumns + `, body`, []string{"kind", "id"}, func(rows *sql.Rows) (row, error) {
		it, created, updated, checksum, err := readItem(rows, true)
		return row{
			[]any{it.Kind, it.ID}, seal(it.sums(updated)),
			func() error { return it.verify(checksum, updated, true) },
			func() error { return it.inspect(created, updated) },
		}, err
	}},
}

// sealPage is the number of rows that are read at once to compute their checksums.
const sealPage = 50

// sealRows computes the checksum of every row.
func sealRows(ctx context.Context, tx *sql.Tx) error {
	for _, t := range tables {
		if t.former == "" {
			continue
		}
		for after := []any(nil); ; {
			page, err := t.page(ctx, tx, after)
			if err != nil {
				return err
			}
			if len(page) == 0 {
				break
			}
			for _, r := range page {
				args := append([]any{r.checksum}, r.key...)
				if _, err := tx.ExecContext(ctx, `UPDATE `+t.name+` SET checksum = $1 WHERE `+t.where(` = `, 2), args...); err != nil {
					return err
				}
			}
			after = page[len(page)-1].key
		}
	}
	return nil
}

// where returns the condition that the key compares with the parameters from n on.
func (t table) where(comparison string, n int) string {
	var marks []string
	for i := range t.key {
		marks = append(marks, fmt.Sprintf("$%d", n+i))
	}
	return `(` + strings.Join(t.key, ", ") + `)` + comparison + `(` + strings.Join(marks, ", ") + `)`
}

// page reads, in the former schema, the rows that follow a key; nil is before the first.
// Only the keys and checksums may be used.
func (t table) page(ctx context.Context, tx *sql.Tx, after []any) (out []row, err error) {
	query := `SELECT ` + t.former + ` FROM ` + t.name
	if after != nil {
		query += ` WHERE ` + t.where(` > `, 1)
	}
	rows, err := tx.QueryContext(ctx, fmt.Sprintf(`%s ORDER BY %s LIMIT %d`, query, strings.Join(t.key, ", "), sealPage), after...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		r, err := t.scan(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

// repeats compares columns with what they repeat: triples of a name, the column, and the
// text's value.
func repeats(what string, triples ...any) error {
	var errs []error
	for i := 0; i < len(triples); i += 3 {
		if column, value := fmt.Sprint(triples[i+1]), fmt.Sprint(triples[i+2]); column != value {
			errs = append(errs, fmt.Errorf("%s: column %s is %q: expected %q", what, triples[i], column, value))
		}
	}
	return errors.Join(errs...)
}

func (r *runRow) inspect() error {
	var h assay.Header
	if err := json.Unmarshal(r.head, &h); err != nil {
		return fmt.Errorf("run %q: column head: %w", r.id, err)
	}
	return repeats(fmt.Sprintf("run %q", r.id), "id", r.id, h.ID, "name", r.name, h.Name, "state", r.state, h.State,
		"dataset_hash", r.hash, h.Dataset.Hash, "cases", r.cases, h.Dataset.Cases)
}

func (r *recordRow) inspect(brief, text []byte) error {
	if len(brief) > 0 {
		if _, err := readRecord(brief); err != nil {
			return fmt.Errorf("%s: column brief: %w", r.name(), err)
		}
	}
	rec, err := readRecord(text)
	if err != nil {
		return fmt.Errorf("%s: column record: %w", r.name(), err)
	}
	failure := ""
	if rec.Failure != nil {
		failure = rec.Failure.Kind
	}
	return repeats(r.name(), "seq", r.seq, rec.Seq, "case_id", r.caseID, rec.Case.ID, "failure", r.failure, failure)
}

func inspectCall(c assay.Call, made string) error {
	if _, err := time.Parse(time.RFC3339Nano, made); err != nil {
		return fmt.Errorf("call %q: column made: %w", c.Key, err)
	}
	return checkCall(c)
}

func (it *Item) inspect(created, updated string) error {
	if _, _, err := stamps(created, updated); err != nil {
		return fmt.Errorf("%s %q: %w", it.Kind, it.ID, err)
	}
	if err := it.check(); err != nil {
		return err
	}
	return repeats(fmt.Sprintf("%s %q", it.Kind, it.ID), "size", it.Size, len(it.Body))
}
