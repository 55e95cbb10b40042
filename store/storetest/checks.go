package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
	"github.com/google/go-cmp/cmp"
)

func roundTrip(t *testing.T, p Place) {
	s := open(t, p)
	h := Header(1)
	id := create(t, s, 1)
	want := []assay.Record{Record(0), failed(1), silent(2), empty(3)}
	put(t, s, id, want...)
	again := open(t, p)
	for _, s := range []Store{s, again} {
		got, err := s.Run(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(h, got); d != "" {
			t.Errorf("header (-want +got):\n%s", d)
		}
		if d := cmp.Diff(want, all(t, s, id)); d != "" {
			t.Errorf("records (-want +got):\n%s", d)
		}
		if c, err := s.Counts(t.Context(), id); err != nil || c != (store.Counts{Records: 4, Failed: 1}) {
			t.Errorf("counts %+v, %v: want 4 and 1", c, err)
		}
	}
}

func order(t *testing.T, p Place) {
	s := open(t, p)
	one, two := create(t, s, 1), create(t, s, 2)
	put(t, s, one, Record(10), Record(2))
	put(t, s, two, Record(1))
	put(t, s, one, Record(0))
	put(t, s, one) // nothing is not an error
	if got := seqs(t, s, one); !slices.Equal(got, []int{0, 2, 10}) {
		t.Errorf("run one holds %v, want 0 2 10", got)
	}
	if got := seqs(t, s, two); !slices.Equal(got, []int{1}) {
		t.Errorf("run two holds %v, want 1", got)
	}
	for r, err := range s.Records(t.Context(), one) { // leaving early is allowed
		if err != nil {
			t.Fatal(err)
		}
		if r.Seq != 0 {
			t.Errorf("first record is %d", r.Seq)
		}
		break
	}
}

func twice(t *testing.T, p Place) {
	s := open(t, p)
	id := create(t, s, 1)
	put(t, s, id, Record(3))
	changed := failed(3)
	err := s.Put(t.Context(), id, changed)
	wantError(t, err, store.ErrExists)
	if err != nil && !strings.Contains(err.Error(), changed.Case.ID) {
		t.Errorf("%q does not name the case", err)
	}
	if d := cmp.Diff([]assay.Record{Record(3)}, all(t, s, id)); d != "" {
		t.Errorf("the first record changed (-want +got):\n%s", d)
	}
	wantError(t, s.CreateRun(t.Context(), Header(1)), store.ErrExists)
	put(t, s, create(t, s, 2), Record(3)) // the same case of another run
}

func allOrNone(t *testing.T, p Place) {
	s := open(t, p)
	id := create(t, s, 1)
	put(t, s, id, Record(1))
	wantError(t, s.Put(t.Context(), id, Record(0), Record(1), Record(2)), store.ErrExists)
	wantError(t, s.Put(t.Context(), id, Record(5), Record(5)), store.ErrExists)
	if got := seqs(t, s, id); !slices.Equal(got, []int{1}) {
		t.Errorf("the run holds %v, want 1", got)
	}
	put(t, s, id, Record(0), Record(2)) // the failure left no lock behind
}

func find(t *testing.T, p Place) {
	s := open(t, p)
	if hs, err := s.Runs(t.Context(), 0); err != nil || len(hs) != 0 {
		t.Errorf("an empty store has runs %v, %v", hs, err)
	}
	_, err := s.Run(t.Context(), store.Latest)
	wantError(t, err, store.ErrNotFound)

	for i, h := range []struct{ id, name string }{
		{"b-1", "dense"}, {"a-12", "sparse"}, {"a-13", "dense"}, {"a-1", "a-12"},
	} {
		head := Header(i)
		head.ID, head.Name = h.id, h.name
		if err := s.CreateRun(t.Context(), head); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ ref, id string }{
		{"latest", "a-1"},
		{"a-1", "a-1"},   // an id wins over what begins with it
		{"a-12", "a-12"}, // an id wins over a name
		{"dense", "a-13"},
		{"b", "b-1"},
		{"a-13", "a-13"},
	} {
		if h, err := s.Run(t.Context(), test.ref); err != nil || h.ID != test.id {
			t.Errorf("Run(%q) = %q, %v: want %q", test.ref, h.ID, err, test.id)
		}
	}
	for _, ref := range []string{"", "zzz", "%", "_", "A-1", "a-123"} {
		_, err := s.Run(t.Context(), ref)
		wantError(t, err, store.ErrNotFound)
	}
	if _, err := s.Run(t.Context(), "a"); err == nil || errors.Is(err, store.ErrNotFound) ||
		!strings.Contains(err.Error(), "a-1, a-12, a-13") {
		t.Errorf("an ambiguous beginning gives %v: want the ids a-1, a-12, a-13", err)
	}
	for limit, want := range map[int][]string{0: {"a-1", "a-13", "a-12", "b-1"}, 2: {"a-1", "a-13"}, 9: {"a-1", "a-13", "a-12", "b-1"}} {
		hs, err := s.Runs(t.Context(), limit)
		var got []string
		for _, h := range hs {
			got = append(got, h.ID)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("Runs(%d) = %v, %v: want %v", limit, got, err, want)
		}
	}
}

func update(t *testing.T, p Place) {
	s := open(t, p)
	id := create(t, s, 1)
	create(t, s, 2)
	put(t, s, id, Record(0))
	h := Header(1)
	h.State, h.Finished, h.Warnings, h.Name = "finished", start.Add(time.Hour), nil, "renamed"
	if err := s.UpdateRun(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	for _, ref := range []string{id, "renamed"} {
		got, err := s.Run(t.Context(), ref)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(h, got); d != "" {
			t.Errorf("header (-want +got):\n%s", d)
		}
	}
	if got := seqs(t, s, id); len(got) != 1 {
		t.Errorf("the update left records %v, want one", got)
	}
	if other, err := s.Run(t.Context(), Header(2).ID); err != nil || other.State != "running" {
		t.Errorf("the other run is %q, %v", other.State, err)
	}
}

func missingRun(t *testing.T, p Place) {
	s := open(t, p)
	create(t, s, 1)
	wantError(t, s.Put(t.Context(), "nobody", Record(0)), store.ErrNotFound)
	h := Header(2)
	wantError(t, s.UpdateRun(t.Context(), h), store.ErrNotFound)
	_, err := s.Counts(t.Context(), "nobody")
	wantError(t, err, store.ErrNotFound)
	_, err = s.Lock(t.Context(), "nobody")
	wantError(t, err, store.ErrNotFound)
	n := 0
	for _, err := range s.Records(t.Context(), "nobody") {
		n++
		wantError(t, err, store.ErrNotFound)
	}
	if n != 1 {
		t.Errorf("records of a missing run yield %d pairs, want one error", n)
	}
	id := Header(1).ID
	if got := all(t, s, id); len(got) != 0 {
		t.Errorf("a new run has %d records", len(got))
	}
}

func ids(t *testing.T, p Place) {
	s := open(t, p)
	for _, id := range []string{"", "latest", "a/b", "../x", ".x", "a b", "é", "a\x00", "x%_", strings.Repeat("a", 129), "-x"} {
		h := Header(1)
		h.ID = id
		if err := s.CreateRun(t.Context(), h); err == nil {
			t.Errorf("id %q was taken", id)
		}
	}
}

func lock(t *testing.T, p Place) {
	s, other := open(t, p), open(t, p)
	one, two := create(t, s, 1), create(t, s, 2)
	unlock, err := s.Lock(t.Context(), one)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []Store{s, other} {
		_, err := s.Lock(t.Context(), one)
		wantError(t, err, store.ErrLocked)
	}
	unlockTwo, err := other.Lock(t.Context(), two) // another run is free
	if err != nil {
		t.Fatal(err)
	}
	put(t, other, one, Record(0)) // a lock guards the work, not the data
	if err := errors.Join(unlock(), unlockTwo()); err != nil {
		t.Fatal(err)
	}
	unlock, err = other.Lock(t.Context(), one)
	if err != nil {
		t.Fatalf("after unlock: %v", err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	// Only one of many that ask at once gets it, again and again.
	var held, most int
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 50 {
				unlock, err := []Store{s, other}[i%2].Lock(t.Context(), one)
				if errors.Is(err, store.ErrLocked) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				held++
				most = max(most, held)
				mu.Unlock()
				mu.Lock()
				held--
				mu.Unlock()
				if err := unlock(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if most != 1 {
		t.Errorf("%d held the lock at once, want 1", most)
	}
}

// claims: every store sees the claims and the locks of all until they are released.
func claims(t *testing.T, p Place) {
	s, other := open(t, p), open(t, p)
	run := create(t, s, 1)
	names := []string{"mine", "theirs", "nobody's", run}
	check := func(want map[string]bool) {
		t.Helper()
		for _, s := range []Store{s, other} {
			got, err := s.Claims(t.Context(), names)
			if d := cmp.Diff(want, got); err != nil || d != "" {
				t.Errorf("%v (-want +got):\n%s", err, d)
			}
		}
	}
	check(map[string]bool{})
	mine, err := s.Claim(t.Context(), "mine")
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := other.Claim(t.Context(), "theirs")
	if err != nil {
		t.Fatal(err)
	}
	unlock, err := other.Lock(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	_, err = other.Claim(t.Context(), "mine")
	wantError(t, err, store.ErrLocked)
	check(map[string]bool{"mine": true, "theirs": true, run: true})
	if err := errors.Join(mine(), unlock()); err != nil {
		t.Fatal(err)
	}
	// The server of a database notices a closed connection in a moment.
	for {
		got, err := s.Claims(t.Context(), []string{"mine", run})
		if err != nil {
			t.Fatal(err)
		}
		if !got["mine"] && !got[run] {
			break
		}
	}
	check(map[string]bool{"theirs": true})
	if err := theirs(); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Claims(t.Context(), nil); err != nil || len(got) != 0 {
		t.Errorf("%v, %v: want nothing", got, err)
	}
}

func concurrent(t *testing.T, p Place) {
	s, other := open(t, p), open(t, p)
	id := create(t, s, 1)
	const writers, each = 8, 20
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				if err := []Store{s, other}[w%2].Put(t.Context(), id, Record(i*writers+w)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	// All try the same case: one may succeed.
	var mu sync.Mutex
	won := 0
	for w := range writers {
		wg.Go(func() {
			err := []Store{s, other}[w%2].Put(t.Context(), id, Record(writers*each))
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				won++
			} else if !errors.Is(err, store.ErrExists) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := seqs(t, other, id); len(got) != writers*each+1 || !slices.IsSorted(got) {
		t.Errorf("%d records, sorted %v: want %d in order", len(got), slices.IsSorted(got), writers*each+1)
	}
	if won != 1 {
		t.Errorf("%d writers recorded the same case, want 1", won)
	}
}

func readWhileWriting(t *testing.T, p Place) {
	s := open(t, p)
	id := create(t, s, 1)
	for i := range 10 {
		put(t, s, id, Record(i))
	}
	n := 0
	for r, err := range s.Records(t.Context(), id) {
		if err != nil {
			t.Fatal(err)
		}
		put(t, s, id, Record(100+r.Seq)) // must not wait for the reader
		n++
	}
	if n < 10 {
		t.Errorf("read %d records, want at least 10", n)
	}
	if c, err := s.Counts(t.Context(), id); err != nil || c.Records != 10+n {
		t.Errorf("counts %+v, %v: want %d", c, err, 10+n)
	}
}

func cancelled(t *testing.T, p Place) {
	s := open(t, p)
	id := create(t, s, 1)
	put(t, s, id, Record(0))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Put(gone, id, Record(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("put under a cancelled context: %v", err)
	}
	for _, err := range s.Records(gone, id) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("records under a cancelled context: %v", err)
		}
	}
	if got := fmt.Sprint(seqs(t, s, id)); got != "[0]" {
		t.Errorf("the run holds %s, want [0]", got)
	}
	put(t, s, id, Record(1))
}
