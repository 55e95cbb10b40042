package store_test

import (
	"database/sql"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/store/postgrestest"
	"github.com/assay-eval/assay/store/storetest"
)

// server is PostgreSQL for all tests that do not stop it.
var server postgrestest.Shared

func TestPostgres(t *testing.T) {
	s := server.Server(t)
	storetest.Run(t, func(t *testing.T) storetest.Place {
		url := s.Database(t)
		return storetest.Place{
			Open:  func() (storetest.Store, error) { return store.Open(t.Context(), url) },
			Alter: func(t *testing.T, statements ...string) { postgrestest.Exec(t, url, statements...) },
		}
	})
}

// TestPostgresAnswersDoNotWait: answers are kept while another process stores records of the
// run, which holds its row. The server ends what waits for a lock.
func TestPostgresAnswersDoNotWait(t *testing.T) {
	url := server.Server(t).Database(t)
	s, err := store.Open(t.Context(), url+"&lock_timeout=2s")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	h := storetest.Header(1)
	if err := s.CreateRun(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(t.Context(), `UPDATE runs SET kept = kept WHERE id = $1`, h.ID); err != nil {
		t.Fatal(err)
	}
	r := storetest.Record(0)
	r.Scores = nil
	if err := s.PutAnswers(t.Context(), h.ID, r); err != nil {
		t.Errorf("answers wait for records: %v", err)
	}
}

func BenchmarkPagePostgres(b *testing.B) {
	benchmarkPage(b, server.Server(b).Database(b))
}

// The server drops the connection that holds a lock soon after its machine is gone; the kernel
// has the settings if the server shows them.
func TestSessionIsDroppedSoon(t *testing.T) {
	t.Parallel()
	s := open(t, server.Server(t).Database(t))
	got, err := s.SessionSettings(t.Context(), "tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_keepalives_count", "tcp_user_timeout")
	if d := cmp.Diff([]string{"5", "2", "3", "10000"}, got); err != nil || d != "" {
		t.Errorf("%v, settings of the session (-want +got):\n%s", err, d)
	}
	if want := (5 + 3*2) * time.Second; store.Unanswered != want {
		t.Errorf("a lost machine is said to be noticed after %v, by the settings it is %v", store.Unanswered, want)
	}
}
