package store_test

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pressly/goose/v3"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/store/postgrestest"
	"github.com/assay-eval/assay/store/storetest"
)

// A database of any older schema keeps its runs, and can do all that a new one
// can.
func TestMigrate(t *testing.T) {
	t.Parallel()
	for version := int64(1); version <= 4; version++ {
		path := filepath.Join(t.TempDir(), "assay.db")
		alter := func(statements ...string) { alter(t, path, statements...) }
		testMigrate(t, version, goose.DialectSQLite3, "sqlite", path, alter, `PRAGMA application_id = 0x61737361`)
	}
}

func TestMigratePostgres(t *testing.T) {
	t.Parallel()
	for version := int64(1); version <= 4; version++ {
		url := server.Server(t).Empty(t)
		alter := func(statements ...string) { postgrestest.Exec(t, url, statements...) }
		testMigrate(t, version, goose.DialectPostgres, "pgx", url, alter, `CREATE TABLE assay_application (id bigint NOT NULL PRIMARY KEY)`,
			`INSERT INTO assay_application VALUES (1634956129)`)
	}
}

// testMigrate makes a database of an older version and opens it; mark marks it as a store.
func testMigrate(t *testing.T, version int64, dialect goose.Dialect, driver, path string, alter func(...string), mark ...string) {
	t.Helper()
	h := storetest.Header(1)
	text := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	db, err := sql.Open(driver, path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := goose.NewProvider(dialect, db, os.DirFS("migrations"), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.UpTo(t.Context(), version); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	alter(mark...)
	alter(fmt.Sprintf(`INSERT INTO runs (id, name, state, started, dataset_hash, cases, header)
				VALUES ('%s', 'name 1', 'running', '2026', 'sha256:00', 3, '%s')`, h.ID, text(h)))
	for _, seq := range []int{4, 0} {
		r := storetest.Record(seq)
		failure := ""
		if seq == 4 {
			r.Response, r.Failure, failure = nil, &assay.Failure{Kind: "crash"}, "crash"
		}
		columns, values := "", ""
		if version >= 4 {
			columns, values = ", position, brief", fmt.Sprintf(", %d, '%s'", 1+seq/4, text(store.Brief(r)))
		}
		alter(fmt.Sprintf(`INSERT INTO records (run_id, seq, case_id, failure, record%s) VALUES ('%s', %d, 'case %d', '%s', '%s'%s)`,
			columns, h.ID, seq, seq, failure, text(r), values))
	}
	if version >= 4 {
		alter(`UPDATE runs SET kept = 2, failed = 1`)
	}
	if version >= 2 {
		alter(`INSERT INTO calls
				SELECT 'key ' || n, 'gone', 'support', 'openai', 'm', '2026-11-21T13:34:09.123456789Z', 1, 2, 3, 4, '{}', '{"a": ' || n || '}'
				FROM (WITH RECURSIVE up (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < 130) SELECT n FROM up) AS numbers`)
	}
	if version >= 3 {
		alter(`INSERT INTO items VALUES
				('baseline', 'b', 'n', '', '2026-11-21T13:34:09.123456789Z', '2026-11-21T13:34:09.123456789Z', 8, '{"b": 2}')`)
	}

	s := open(t, path)
	if c, err := s.Counts(t.Context(), h.ID); err != nil || c != (store.Counts{Records: 2, Failed: 1}) {
		t.Errorf("from %d: the run has %+v, %v", version, c, err)
	}
	want := []assay.Record{store.Brief(storetest.Record(0))}
	page, err := s.BriefsAt(t.Context(), h.ID, []int{0})
	if d := cmp.Diff(want, page); d != "" || err != nil {
		t.Errorf("from %d: %v, cases (-want +got):\n%s", version, err, d)
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
	if version >= 2 {
		if c, _, err := s.Call(t.Context(), "key 77"); string(c.Reply) != `{"a": 77}` || c.Usage.Cost != 3 || err != nil {
			t.Errorf("from %d: the call is %+v, %v", version, c, err)
		}
	}
	if version >= 3 {
		if it, err := s.Item(t.Context(), store.KindBaseline, "b"); string(it.Body) != `{"b": 2}` || it.Size != 8 || err != nil {
			t.Errorf("from %d: the item is %+v, %v", version, it, err)
		}
	}
	if err := s.PutCall(t.Context(), storetest.Call(1)); err != nil {
		t.Error(err)
	}
	it := store.Item{Kind: store.KindLabel, ID: "a", Parent: h.ID, Body: []byte("{}")}
	if err := s.PutItem(t.Context(), it); err != nil {
		t.Error(err)
	}
	// What the migration found has a checksum from now on.
	alter(`UPDATE records SET record_plain = record_plain || ' ' WHERE seq = 0`)
	if _, err := s.Record(t.Context(), h.ID, "case 0"); !errors.Is(err, assay.ErrAltered) {
		t.Errorf("from %d: an altered record gives %v", version, err)
	}
	if err := s.DeleteRun(t.Context(), h.ID); err != nil {
		t.Error(err)
	}
	if err := storetest.Sound(t.Context(), s); err != nil {
		t.Error(err)
	}
}

// The columns of schema 8 had no kind. A database of it is updated, and has columns again once
// they are made.
func TestMigrateColumns(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "assay.db")
	testMigrateColumns(t, path, func(statements ...string) { alter(t, path, statements...) })
}

func TestMigrateColumnsPostgres(t *testing.T) {
	t.Parallel()
	url := server.Server(t).Empty(t)
	testMigrateColumns(t, url, func(statements ...string) { postgrestest.Exec(t, url, statements...) })
}

func testMigrateColumns(t *testing.T, path string, alter func(...string)) {
	t.Helper()
	h := storetest.Header(1)
	s := open(t, path)
	if err := s.CreateRun(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	alter(`DROP INDEX items_by_name`, `DROP TABLE columns`, `CREATE TABLE columns (run_id text NOT NULL REFERENCES runs (id) ON DELETE CASCADE, part bigint NOT NULL,
		name text NOT NULL, n bigint NOT NULL, checksum bigint NOT NULL, packed bytea NOT NULL, PRIMARY KEY (run_id, part, name))`,
		`INSERT INTO columns VALUES ('`+h.ID+`', -1, 'report/1', 0, 7, 'x')`, `DELETE FROM goose_db_version WHERE version_id > 8`)
	s = open(t, path)
	if was, is := s.Schema(); was != 8 || is <= 8 {
		t.Errorf("schema %d became %d", was, is)
	}
	if got, err := s.Columns(t.Context(), h.ID, "cases"); err != nil || got != nil {
		t.Errorf("%v, %v: want no columns", got, err)
	}
	want := []store.Column{{Part: -1, Name: "report/1", Body: []byte("{}")}}
	if err := s.PutColumns(t.Context(), h.ID, "cases", want); err != nil {
		t.Fatal(err)
	}
	got, err := s.Columns(t.Context(), h.ID, "cases")
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
}
