package store_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/store/postgrestest"
	"github.com/assay-eval/assay/store/storetest"
)

// Behind a pooler that keeps sessions the lock of a run is exclusive, and ends with the store.
// One that keeps none is refused, before anything is written.
func TestPooler(t *testing.T) {
	t.Parallel()
	server := postgrestest.Start(t)
	s := open(t, server.Pooler(t, "session")("postgres"))
	h, unlock := locked(t, s)
	other := open(t, server.Pooler(t, "session")("postgres"))
	if _, err := other.Lock(t.Context(), h.ID); !errors.Is(err, store.ErrLocked) {
		t.Errorf("%v: want %v", err, store.ErrLocked)
	}
	if err := s.Put(t.Context(), h.ID, storetest.Records(0, 20)...); err != nil {
		t.Error(err)
	}
	if err := unlock(); err != nil {
		t.Error(err)
	}
	unlock, err := other.Lock(t.Context(), h.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := unlock(); err != nil {
		t.Error(err)
	}
	for _, mode := range []string{"transaction", "statement"} {
		url := server.Pooler(t, mode)("postgres")
		// Newer poolers know prepared statements; without any, the locks alone would fail.
		for _, url := range []string{url, url, url + "&default_query_exec_mode=exec"} {
			if _, err := store.Open(t.Context(), url); err == nil || !strings.Contains(err.Error(), "pool_mode = session") {
				t.Errorf("mode %s, %s: %v: want the mode that works", mode, url, err)
			}
		}
	}
}
