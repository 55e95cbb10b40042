package store_test

import (
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/store"
)

var _ llm.Claimer = (*store.Requests)(nil)

// Of all users of a database one has the claim of a request, until it ends. Claims leave no file.
func TestRequests(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "assay.db")
	one, two, another := open(t, path).Requests(), open(t, path).Requests(), open(t, filepath.Join(t.TempDir(), "assay.db")).Requests()
	claim := func(r *store.Requests, key string, want bool) {
		t.Helper()
		if got, err := r.Claim(t.Context(), key); got != want || err != nil {
			t.Errorf("claim of %s: %v, %v, want %v", key, got, err, want)
		}
	}
	claim(one, "a", true)
	claim(one, "a", false)
	claim(two, "a", false)
	claim(two, "b", true)
	claim(another, "a", true) // of another database
	two.Unclaim("a")          // whose it is not
	claim(two, "a", false)
	one.Unclaim("a")
	claim(two, "a", true)
	two.Unclaim("a")
	two.Unclaim("b")
	if files, err := filepath.Glob(path + "*.lock"); err != nil || len(files) != 0 {
		t.Errorf("lock files stay behind: %q, %v", files, err)
	}
}

func TestRequestsConcurrent(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "assay.db")
	var wg sync.WaitGroup
	var holders, most [3]atomic.Int32
	for range 6 {
		r := open(t, path).Requests()
		wg.Go(func() {
			for n := range 150 {
				key := n % len(holders)
				mine, err := r.Claim(t.Context(), fmt.Sprint(key))
				if err != nil {
					t.Error(err)
				}
				if !mine {
					continue
				}
				if holders[key].Add(1) > 1 {
					most[key].Store(2)
				}
				holders[key].Add(-1)
				r.Unclaim(fmt.Sprint(key))
			}
		})
	}
	wg.Wait()
	for key := range most {
		if most[key].Load() > 1 {
			t.Errorf("two had the claim of %d at once", key)
		}
	}
}

func TestRequestsPostgres(t *testing.T) {
	t.Parallel()
	if r := open(t, server.Server(t).Empty(t)).Requests(); r != nil {
		t.Errorf("a database on a server has claims in files: %v", r)
	}
}
