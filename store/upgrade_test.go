package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/store/storetest"
)

// Migrations after 9 only add, so that processes of the version before go on; see migrate.go.
func TestMigrationsOnlyAdd(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("migrations/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v: want the migrations", files, err)
	}
	for _, path := range files {
		var version int
		if _, err := fmt.Sscanf(filepath.Base(path), "%d_", &version); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if taken := takesAway(string(text)); version > 9 && taken != "" {
			t.Errorf("%s: %q: a process of the version before may not survive it", path, taken)
		} else if version == 9 && taken == "" {
			t.Errorf("%s: it drops a table, which is not found", path)
		}
	}
}

// takesAway returns the first statement of a migration that a process of the version before may
// not survive, "" if there is none.
func takesAway(migration string) string {
	var text strings.Builder
	for line := range strings.Lines(migration) {
		if !strings.HasPrefix(line, "--") {
			text.WriteString(line)
		}
	}
	made := map[string]bool{} // tables of this migration
	for statement := range strings.SplitSeq(text.String(), ";") {
		statement = strings.Join(strings.Fields(statement), " ")
		words := strings.Fields(statement + strings.Repeat(" -", 6))
		at := slices.Index(words, "ON")
		switch {
		case statement == "":
		case strings.HasPrefix(statement, "CREATE TABLE "):
			made[words[2]] = true
		case strings.HasPrefix(statement, "CREATE INDEX "):
		case strings.HasPrefix(statement, "CREATE UNIQUE INDEX ") && made[words[at+1]]:
		case strings.HasPrefix(statement, "ALTER TABLE ") && words[3] == "ADD" && words[4] == "COLUMN" && !strings.Contains(statement, ",") &&
			(!strings.Contains(statement, "NOT NULL") || strings.Contains(statement, "DEFAULT")):
		default:
			return statement
		}
	}
	return ""
}

// A process of the version before evaluates its run while the schema is updated, even where a
// long transaction keeps the update waiting, and finishes the run afterwards.
//
// The process of schema 9 is played by the statements of today, which are the same.
func TestMigrateBesideARun(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // instead of standing still
	defer cancel()
	url := server.Server(t).Empty(t)
	old, err := store.OpenAt(ctx, url, 9)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	h, unlock := locked(t, old)
	done := 0
	work := func() {
		t.Helper()
		done++
		it := store.Item{Kind: store.KindLabel, ID: fmt.Sprint(done), Name: "n", Parent: h.ID, Body: []byte("{}")}
		for _, err := range []error{
			old.Put(ctx, h.ID, storetest.Record(done)), old.PutCall(ctx, storetest.Call(done)), old.PutItem(ctx, it), old.UpdateRun(ctx, h),
		} {
			if err != nil {
				t.Fatalf("the process of the older version: %v", err)
			}
		}
	}
	work()

	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	long, err := db.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := long.ExecContext(ctx, `LOCK TABLE items IN ROW EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	var migrating sync.WaitGroup
	var updated *store.Store
	var failed error
	migrating.Go(func() { updated, failed = store.Open(ctx, url) })
	for waits := false; !waits; {
		if err := db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'items'::regclass)`).Scan(&waits); err != nil {
			t.Fatalf("the update does not wait for the long transaction: %v", err)
		}
	}
	work() // behind the update that waits
	work()
	if err := long.Commit(); err != nil {
		t.Fatal(err)
	}
	migrating.Wait()
	if failed != nil {
		t.Fatal(failed)
	}
	defer updated.Close()
	if was, is := updated.Schema(); was != 9 || is != store.Newest {
		t.Errorf("schema %d became %d", was, is)
	}
	work()
	h.State = "completed"
	if err := old.UpdateRun(ctx, h); err != nil {
		t.Error(err)
	}
	if err := unlock(); err != nil {
		t.Error(err)
	}
	if got, err := updated.Run(ctx, h.ID); err != nil || got.State != h.State {
		t.Errorf("the run is %s, %v: want %s", got.State, err, h.State)
	}
	if n, err := updated.Counts(ctx, h.ID); err != nil || n.Records != done {
		t.Errorf("%+v, %v: want %d records", n, err, done)
	}
	if err := storetest.Sound(ctx, updated); err != nil {
		t.Error(err)
	}
}
