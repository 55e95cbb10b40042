package store_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pressly/goose/v3"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/store/storetest"
)

// A database of any older schema keeps its runs, and can do all that a new one
// can.
func TestMigrate(t *testing.T) {
	t.Parallel()
	h := storetest.Header(1)
	text := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for version := int64(1); version <= 3; version++ {
		path := filepath.Join(t.TempDir(), "assay.db")
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		p, err := goose.NewProvider(goose.DialectSQLite3, db, os.DirFS("migrations"), goose.WithDisableGlobalRegistry(true))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.UpTo(t.Context(), version); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		alter(t, path, `PRAGMA application_id = 0x61737361`,
			fmt.Sprintf(`INSERT INTO runs VALUES ('%s', 'name 1', 'running', '2026', '', 3, '%s')`, h.ID, text(h)))
		for _, seq := range []int{4, 0} {
			r := storetest.Record(seq)
			failure := ""
			if seq == 4 {
				r.Response, r.Failure, failure = nil, &assay.Failure{Kind: "crash"}, "crash"
			}
			alter(t, path, fmt.Sprintf(`INSERT INTO records VALUES ('%s', %d, 'case %d', '%s', '%s')`, h.ID, seq, seq, failure, text(r)))
		}

		s := open(t, path)
		if c, err := s.Counts(t.Context(), h.ID); err != nil || c != (store.Counts{Records: 2, Failed: 1}) {
			t.Errorf("from %d: the run has %+v, %v", version, c, err)
		}
		want := []assay.Record{store.Brief(storetest.Record(0))}
		page, total, err := s.CasePage(t.Context(), h.ID, store.CaseQuery{Limit: 1})
		if d := cmp.Diff(want, page); d != "" || total != 2 || err != nil {
			t.Errorf("from %d: %d in all, %v, cases (-want +got):\n%s", version, total, err, d)
		}
		if err := s.Put(t.Context(), h.ID, storetest.Record(2)); err != nil {
			t.Error(err)
		}
		kept, err := s.RecordsSince(t.Context(), h.ID, 0, 0)
		var order []int
		for _, k := range kept {
			order = append(order, int(k.Position), k.Record.Seq)
		}
		if d := cmp.Diff([]int{1, 0, 2, 4, 3, 2}, order); d != "" || err != nil {
			t.Errorf("from %d: %v, positions and places (-want +got):\n%s", version, err, d)
		}
		if err := s.PutCall(t.Context(), storetest.Call(1)); err != nil {
			t.Error(err)
		}
		it := store.Item{Kind: store.KindLabel, ID: "a", Parent: h.ID, Body: []byte("{}")}
		if err := s.PutItem(t.Context(), it); err != nil {
			t.Error(err)
		}
		if err := s.DeleteRun(t.Context(), h.ID); err != nil {
			t.Error(err)
		}
		if err := s.Check(t.Context()); err != nil {
			t.Error(err)
		}
	}
}
