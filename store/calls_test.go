package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/store/storetest"
)

// callsVictim puts calls from several goroutines at once, so that they are
// committed together, and prints the number of each once PutCall has returned.
func callsVictim(path string) error {
	ctx := context.Background()
	s, err := store.Open(ctx, path)
	if err != nil {
		return err
	}
	begin := 0
	for c, err := range s.Calls(ctx) {
		if err != nil {
			return err
		}
		fmt.Sscanf(c.Key, "%x", &begin)
		begin++
	}
	var print sync.Mutex
	errs := make(chan error)
	const writers = 6
	for w := range writers {
		go func() {
			for n := begin + w; ; n += writers {
				if err := s.PutCall(ctx, storetest.Call(n)); err != nil {
					errs <- err
					return
				}
				print.Lock()
				fmt.Println("done", n)
				print.Unlock()
			}
		}()
	}
	return <-errs
}

// A process that is killed at any moment loses no call that it was told is
// durable, and leaves no torn one.
func TestKillDuringPutCall(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "assay.db")
	s := open(t, path)
	random := rand.New(rand.NewPCG(3, 4))
	acked := map[int]bool{}
	for round := range 15 {
		for _, line := range killVictim(t, "calls:"+path, random.IntN(80)) {
			var n int
			if _, err := fmt.Sscanf(line, "done %d\n", &n); err != nil {
				t.Errorf("%q: %v", line, err)
			}
			acked[n] = true
		}
		found := 0
		for c, err := range s.Calls(t.Context()) {
			if err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
			var n int
			fmt.Sscanf(c.Key, "%x", &n)
			if want := storetest.Call(n); !reflect.DeepEqual(want, c) {
				if d := cmp.Diff(want, c); d != "" {
					t.Fatalf("round %d: call %d is torn:\n%s", round, n, d)
				}
			}
			if acked[n] {
				found++
			}
		}
		if found != len(acked) {
			t.Fatalf("round %d: %d of %d acknowledged calls are there", round, found, len(acked))
		}
		if err := storetest.Sound(t.Context(), s); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
	if len(acked) == 0 {
		t.Error("no process lived long enough to put anything")
	}
}

// A time that somebody else wrote is an error, not a wrong call.
func TestCallDamage(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "assay.db")
	s := open(t, path)
	c := storetest.Call(1)
	if err := s.PutCall(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	alter(t, path, `UPDATE calls SET made = 'yesterday'`)
	if _, _, err := s.Call(t.Context(), c.Key); !errors.Is(err, store.ErrNotStore) || !strings.Contains(err.Error(), c.Key) {
		t.Errorf("got %v", err)
	}
	for _, err := range s.Calls(t.Context()) {
		if !errors.Is(err, store.ErrNotStore) {
			t.Errorf("got %v", err)
		}
	}
}

// When a commit fails, all that it would have kept are told.
func TestPutCallFails(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "assay.db")
	s := open(t, path)
	alter(t, path, `DROP TABLE calls`)
	var wg sync.WaitGroup
	for n := range 20 {
		wg.Go(func() {
			if err := s.PutCall(t.Context(), storetest.Call(n)); err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("call %d: %v: want an error that names the file", n, err)
			}
		})
	}
	wg.Wait()
}

// Calls that wait together share a commit: compare the time a call of one
// writer with that of 64.
func BenchmarkPutCall(b *testing.B) {
	for _, writers := range []int{1, 8, 64} {
		b.Run(fmt.Sprint(writers), func(b *testing.B) {
			s, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "assay.db"))
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			next := make(chan assay.Call)
			var wg sync.WaitGroup
			for range writers {
				wg.Go(func() {
					for c := range next {
						if err := s.PutCall(b.Context(), c); err != nil {
							b.Error(err)
						}
					}
				})
			}
			for n := range b.N {
				next <- storetest.Call(n)
			}
			close(next)
			wg.Wait()
		})
	}
}
