package storetest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
)

// runColumns: columns are replaced as a whole, go with their run, and are errors if they
// were altered.
func runColumns(t *testing.T, place Place) {
	s := open(t, place)
	ctx, id := t.Context(), Header(1).ID
	first := []store.Column{
		{Part: -1, N: 3, Name: "whole", Body: []byte("{}")}, {Part: 0, N: 2, Name: "a", Body: []byte{0, 1, 0xff}},
		{Part: 0, N: 2, Name: "m:x@1", Body: []byte(strings.Repeat("long ", 2000))}, {Part: 1, N: 1, Name: "a", Body: []byte("b")},
	}
	if err := s.PutColumns(ctx, id, "one", first); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("columns of no run: %v", err)
	}
	create(t, s, 1)
	for _, want := range [][]store.Column{nil, first, first[:1], first} {
		if want != nil {
			if err := s.PutColumns(ctx, id, "one", want); err != nil {
				t.Fatal(err)
			}
		}
		got, err := s.Columns(ctx, id, "one")
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Errorf("%v (-want +got):\n%s", err, d)
		}
	}
	if err := s.PutColumns(ctx, id, "one", []store.Column{{Name: "empty"}}); err == nil {
		t.Error("an empty column was stored")
	}
	for _, statement := range []string{
		`UPDATE columns SET n = 7 WHERE part = 1`,
		`UPDATE columns SET name = 'b' WHERE part = 1`,
		`UPDATE columns SET checksum = 1 WHERE part = 1`,
	} {
		place.Alter(t, statement)
		if _, err := s.Columns(ctx, id, "one"); !errors.Is(err, assay.ErrAltered) {
			t.Errorf("%s: %v", statement, err)
		}
		if err := s.PutColumns(ctx, id, "one", first); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.DeleteRun(ctx, id); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Columns(ctx, id, "one"); !errors.Is(err, store.ErrNotFound) || got != nil {
		t.Errorf("columns of a deleted run: %v, %v", got, err)
	}
}

// columnsAboutRuns: those of several runs are read at once; what is missing or altered is
// left out.
func columnsAboutRuns(t *testing.T, place Place) {
	s := open(t, place)
	create(t, s, 1)
	create(t, s, 2)
	create(t, s, 3)
	ids := []string{Header(1).ID, Header(2).ID, Header(3).ID, "none"}
	whole := func(text string) store.Column { return store.Column{Part: -1, N: 5, Name: "v/1", Body: []byte(text)} }
	check := func(kind string, want map[string]store.Column) {
		t.Helper()
		got, err := s.RunColumns(t.Context(), kind, ids)
		if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); err != nil || d != "" {
			t.Errorf("%v (-want +got):\n%s", err, d)
		}
	}
	for i, id := range ids[:2] {
		other := store.Column{Part: 0, N: 5, Name: "a", Body: []byte("part")}
		if err := s.PutColumns(t.Context(), id, "one", []store.Column{whole(fmt.Sprint("run ", i)), other}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.PutColumns(t.Context(), ids[2], "two", []store.Column{whole("other")}); err != nil {
		t.Fatal(err)
	}
	check("one", map[string]store.Column{ids[0]: whole("run 0"), ids[1]: whole("run 1")})
	check("two", map[string]store.Column{ids[2]: whole("other")})
	place.Alter(t, `UPDATE columns SET n = 7 WHERE run_id = '`+ids[0]+`'`)
	check("one", map[string]store.Column{ids[1]: whole("run 1")})
	if err := s.PutColumns(t.Context(), ids[0], "one", nil); err != nil {
		t.Fatal(err)
	}
	if got, err := s.RunColumns(t.Context(), "one", nil); err != nil || len(got) > 0 {
		t.Errorf("of no runs: %v, %v", got, err)
	}
}
