package wire_test

import (
	"context"
	"crypto/rand"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/store"
)

// canaryJudge opens the simulated judge for a run.
func canaryJudge(t *testing.T, s *store.Store, run string) wire.CanaryJudge {
	t.Helper()
	r := config.Default()
	if err := r.Set("judge", "fake:", config.FromFlag, "judge"); err != nil {
		t.Fatal(err)
	}
	m, err := wire.OpenModels(r.Config, wire.World{
		Path: func(p string) string { return p }, Getenv: func(string) string { return "" }, Now: time.Now, Random: rand.Reader,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.OpenCanaries(); err != nil {
		t.Fatal(err)
	}
	if err := m.Connect(s, run, 0); err != nil {
		t.Fatal(err)
	}
	return m.CanaryJudges(s)[0]
}

// check asks the canaries of a run, and returns what it has paid for so far.
func check(t *testing.T, s *store.Store, run string) (assay.Canary, int) {
	t.Helper()
	j := canaryJudge(t, s, run)
	c, err := j.Check(t.Context(), run, run)
	if err != nil {
		t.Fatal(err)
	}
	paid, err := s.Spent(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	return c, paid.Calls
}

func openStore(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// The first run freezes the answers of two rounds, each later run asks once, and a run that is
// resumed after that pays for nothing again.
func TestCanariesArePaidForOnce(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	for range 2 {
		if c, calls := check(t, s, "a"); !c.First || c.Items != 20 || calls != 40 {
			t.Errorf("the first run: %+v, %d calls", c, calls)
		}
	}
	for range 2 {
		if c, calls := check(t, s, "b"); c.First || c.Differs || c.P == nil || c.Changed != 0 || calls != 20 {
			t.Errorf("a later run: %+v, %d calls", c, calls)
		}
	}
	all, err := wire.Canaries(t.Context(), s)
	if err != nil || len(all) != 1 || all[0].By != "b" || all[0].Last == nil || all[0].Run != "a" {
		t.Errorf("%+v, %v: want one set, frozen by a and last compared by b", all, err)
	}
}

// Of runs that freeze at once, one does, and the others compare with it.
func TestCanariesFrozenAtOnce(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	var wg sync.WaitGroup
	first := make(chan bool, 4)
	for _, run := range []string{"a", "b", "c", "d"} {
		j := canaryJudge(t, s, run)
		wg.Go(func() {
			c, err := j.Check(t.Context(), run, run)
			if err != nil || c.Why != "" || c.Differs {
				t.Errorf("%s: %+v, %v", run, c, err)
			}
			first <- c.First
		})
	}
	wg.Wait()
	close(first)
	n := 0
	for f := range first {
		if f {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d runs froze their answers, want 1", n)
	}
}

// An interruption freezes nothing and is told as one.
func TestCanariesInterrupted(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	j := canaryJudge(t, s, "a")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if c, err := j.Check(ctx, "a", "a"); !wire.Interrupted(err) {
		t.Errorf("%+v, %v: want an interruption", c, err)
	}
	if all, err := wire.Canaries(t.Context(), s); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v: want nothing frozen", all, err)
	}
}
