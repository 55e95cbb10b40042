package storetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
)

// A reading is something that reads rows, and its error.
type reading func(ctx context.Context, s Store) error

func readsRun(ctx context.Context, s Store) error {
	_, err := s.Run(ctx, Header(1).ID)
	_, err2 := s.Runs(ctx, 0)
	return both(err, err2)
}

func readsCounts(ctx context.Context, s Store) error {
	_, err := s.Counts(ctx, Header(1).ID)
	return err
}

func readsRecords(ctx context.Context, s Store) error {
	var err error
	for _, err = range s.Records(ctx, Header(1).ID) {
		if err != nil {
			break
		}
	}
	_, err2 := s.Record(ctx, Header(1).ID, "case 1")
	_, err3 := s.(interface {
		Export(ctx context.Context, w io.Writer, runIDs ...string) (store.Archived, error)
	}).Export(ctx, io.Discard)
	return both(both(err, err2), err3)
}

func readsBriefs(ctx context.Context, s Store) error {
	_, err := s.RecordsSince(ctx, Header(1).ID, 0, 0)
	var err2 error
	for _, err2 = range s.Briefs(ctx, Header(1).ID, 0, 0) {
		if err2 != nil {
			break
		}
	}
	_, err3 := s.BriefsAt(ctx, Header(1).ID, []int{1})
	return both(both(err, err2), err3)
}

func readsAnswers(ctx context.Context, s Store) error {
	for _, err := range s.Answers(ctx, Header(1).ID) {
		if err != nil {
			return err
		}
	}
	return nil
}

func readsCalls(ctx context.Context, s Store) error {
	_, _, err := s.Call(ctx, Call(1).Key)
	for _, err2 := range s.Calls(ctx) {
		if err2 != nil {
			return both(err, err2)
		}
	}
	return nil
}

func readsCosts(ctx context.Context, s Store) error {
	_, err := s.Spent(ctx, Header(1).ID)
	return both(err, readsCalls(ctx, s))
}

func readsItem(ctx context.Context, s Store) error {
	_, err := s.Item(ctx, store.KindLabel, "a")
	return err
}

func readsItems(ctx context.Context, s Store) error {
	_, _, err := s.Items(ctx, store.KindLabel, store.ItemQuery{})
	return both(err, readsItem(ctx, s))
}

// both returns err if err2 is an error, too.
func both(err, err2 error) error {
	if err2 == nil {
		return nil
	}
	return err
}

// nothing is read of a column that lists select by.
func nothing(context.Context, Store) error { return assay.ErrAltered }

// A row that was altered is an error of everything that reads it, and found by Check.
// The error says which row, which column and what to do.
func altered(t *testing.T, p Place) {
	s := open(t, p)
	ctx, id := t.Context(), create(t, s, 1)
	put(t, s, id, Record(0), Record(1), failed(2))
	if err := s.PutAnswers(ctx, id, answered(5)); err != nil {
		t.Fatal(err)
	}
	putCall(t, s, Call(1))
	putItem(t, s, store.Item{Kind: store.KindLabel, ID: "a", Name: "n", Parent: id, Created: start, Updated: start, Body: []byte(`{"grade": 2}`)})
	if err := errors.Join(readsRun(ctx, s), readsCounts(ctx, s), readsRecords(ctx, s), readsBriefs(ctx, s), readsAnswers(ctx, s),
		readsCalls(ctx, s), readsCosts(ctx, s), readsItems(ctx, s)); err != nil {
		t.Fatalf("before: %v", err)
	}
	const record, call, text = "records WHERE seq = 1", "calls WHERE key <> ''", "texts WHERE id <> 0"
	const label, answer = "items WHERE kind = 'label'", "items WHERE kind = 'run.answer'"
	// Packed columns are exchanged for others that can be unpacked.
	p.Alter(t, `CREATE TABLE other (brief_packed bytea, record_packed bytea, packed bytea, id bigint)`,
		`INSERT INTO other SELECT brief_packed, record_packed, brief_packed, 77 FROM records WHERE seq = 0`,
		`CREATE TABLE was AS SELECT r.brief_packed, r.record_packed, c.packed, t.id, t.packed AS text_packed
			FROM records r, calls c, texts t WHERE r.seq = 1`)
	defer p.Alter(t, `DROP TABLE other`, `DROP TABLE was`)
	for _, test := range []struct {
		// from is the table with a condition, column what changes there.
		from, column string
		read         reading
		// names must be part of the error.
		names string
	}{
		{"runs", "name", readsRun, id},
		{"runs", "state", readsRun, id},
		{"runs", "started", readsRun, id},
		{"runs", "dataset_hash", readsRun, id},
		{"runs", "cases", readsRun, id},
		{"runs", "head", readsRun, id},
		{"runs", "kept", readsCounts, id},
		{"runs", "failed", readsCounts, id},
		{"runs", "tally", readsCounts, id},
		{record, "record_packed", readsRecords, `run "` + id + `": record 1, case "case 1"`},
		{record, "seq", readsRecords, id},
		{record, "position", readsBriefs, `case "case 1"`},
		{record, "case_id", readsBriefs, id},
		{record, "failure", readsBriefs, `case "case 1"`},
		{record, "brief_packed", readsBriefs, `case "case 1"`},
		{call, "operation", readsCosts, Call(1).Key},
		{call, "provider", readsCosts, Call(1).Key},
		{call, "model", readsCosts, Call(1).Key},
		{call, "made", readsCosts, Call(1).Key},
		{call, "input_tokens", readsCosts, Call(1).Key},
		{call, "output_tokens", readsCosts, Call(1).Key},
		{call, "cost", readsCosts, Call(1).Key},
		{call, "latency", readsCosts, Call(1).Key},
		{call, "run_id", readsCalls, Call(1).Key},
		{call, "text_id", readsCalls, Call(1).Key},
		{call, "packed", readsCalls, Call(1).Key},
		{text, "id", readsCalls, "text "},
		{text, "packed", readsCalls, "text "},
		{label, "name", readsItems, `label "a"`},
		{label, "parent", readsItems, `label "a"`},
		{label, "updated", readsItems, `label "a"`},
		{label, "size", readsItems, `label "a"`},
		{label, "body", readsItem, `label "a"`},
		{answer, "body", readsAnswers, id + `/5`},
		{answer, "parent", nothing, id + `/5`},
	} {
		table, condition, _ := strings.Cut(test.from, " ")
		change, back := test.column+` || ' '`, fmt.Sprintf(`substr(%s, 1, length(%[1]s) - 1)`, test.column)
		switch test.column {
		case "cases", "kept", "failed", "tally", "seq", "position", "input_tokens", "output_tokens", "cost", "latency", "size":
			change, back = test.column+" + 64", test.column+" - 64"
			condition = strings.ReplaceAll(condition, "seq = 1", "seq IN (1, 65)")
		case "brief_packed", "record_packed", "packed", "text_id", "id":
			source := strings.TrimPrefix(test.column, "text_")
			change, back = `(SELECT `+source+` FROM other)`, `(SELECT `+source+` FROM was)`
			if test.from == text && test.column == "packed" {
				back = `(SELECT text_packed FROM was)`
			}
		}
		set := func(to string) {
			p.Alter(t, fmt.Sprintf(`UPDATE %s SET %s = %s %s`, table, test.column, to, condition))
		}
		what := table + "." + test.column
		set(change)
		if err := test.read(ctx, s); !errors.Is(err, assay.ErrAltered) {
			t.Errorf("%s: reading gives %v, want %v", what, err, assay.ErrAltered)
		}
		err := Sound(ctx, s)
		if !errors.Is(err, assay.ErrAltered) || !errors.Is(err, store.ErrNotStore) {
			t.Errorf("%s: check finds %v, want %v", what, err, assay.ErrAltered)
			set(back)
			continue
		}
		column := test.column
		if column == "seq" { // it is part of the row's key
			column = "record_packed"
		}
		for _, part := range []string{column, "table " + table, test.names, "restore the database from a backup, or "} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v: want %q in it", what, err, part)
			}
		}
		set(back)
	}

	// The places of two records, exchanged.
	swap := []string{
		`UPDATE records SET seq = 100 WHERE seq = 0`, `UPDATE records SET seq = 0 WHERE seq = 1`, `UPDATE records SET seq = 1 WHERE seq = 100`,
	}
	p.Alter(t, swap...)
	if err := readsRecords(ctx, s); !errors.Is(err, assay.ErrAltered) {
		t.Errorf("exchanged records: %v", err)
	}
	p.Alter(t, swap...)
}

// A record that was deleted is missed.
func deleted(t *testing.T, p Place) {
	s := open(t, p)
	ctx, id := t.Context(), create(t, s, 1)
	put(t, s, id, Record(0), Record(1), failed(2))
	p.Alter(t, `DELETE FROM records WHERE seq = 0`)
	var err error
	for _, err = range s.Records(ctx, id) {
		if err != nil {
			break
		}
	}
	for what, err := range map[string]error{"records": err, "check": Sound(ctx, s)} {
		if !errors.Is(err, store.ErrNotStore) || !strings.Contains(err.Error(), "has 2 of the 3 records that were stored") {
			t.Errorf("%s: %v: want the missing record", what, err)
		}
	}
	if err := s.DeleteRun(ctx, id); err != nil {
		t.Error(err)
	}
}
