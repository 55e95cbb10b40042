package storetest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
)

func putCall(t *testing.T, s Store, calls ...assay.Call) {
	t.Helper()
	for _, c := range calls {
		if err := s.PutCall(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
}

// ledger returns all calls of the runs.
func ledger(t *testing.T, s Store, runIDs ...string) []assay.Call {
	t.Helper()
	var out []assay.Call
	for c, err := range s.Calls(t.Context(), runIDs...) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// yield returns a sequence of calls that ends with an error, if there is one.
func yield(end error, calls ...assay.Call) iter.Seq2[assay.Call, error] {
	return func(yield func(assay.Call, error) bool) {
		for _, c := range calls {
			if !yield(c, nil) {
				return
			}
		}
		if end != nil {
			yield(assay.Call{}, end)
		}
	}
}

func callsRoundTrip(t *testing.T, p Place) {
	s := open(t, p)
	if c, ok, err := s.Call(t.Context(), Call(1).Key); ok || err != nil {
		t.Errorf("an empty ledger has %+v, %v", c, err)
	}
	bare := assay.Call{Key: "bare", Request: []byte("null"), Reply: []byte("{}"), Made: start}
	putCall(t, s, Call(3), bare, Call(1))
	again := open(t, p)
	for _, want := range []assay.Call{Call(1), Call(3), bare} {
		got, ok, err := again.Call(t.Context(), want.Key)
		if !ok || err != nil {
			t.Fatalf("%s: %v, %v", want.Key, ok, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("call (-want +got):\n%s", d)
		}
	}
	for _, key := range []string{"", "bar", "bare ", "BARE", "%"} {
		if _, ok, err := again.Call(t.Context(), key); ok || err != nil {
			t.Errorf("key %q: %v, %v: want none", key, ok, err)
		}
	}
	if d := cmp.Diff([]assay.Call{Call(1), Call(3), bare}, ledger(t, again)); d != "" {
		t.Errorf("all calls (-want +got):\n%s", d)
	}
}

func callsReplaced(t *testing.T, p Place) {
	s := open(t, p)
	fresh := Call(2)
	fresh.Key, fresh.Run, fresh.Provider, fresh.Model, fresh.Latency = Call(1).Key, "later", "p", "n", 7
	putCall(t, s, Call(1), fresh)
	if got, ok, err := s.Call(t.Context(), fresh.Key); !ok || err != nil || !cmp.Equal(fresh, got) {
		t.Errorf("after a fresh reply: %v, %v (-want +got):\n%s", ok, err, cmp.Diff(fresh, got))
	}
	// A mark in the reply is no payment.
	marked := fresh
	marked.Reply = []byte(`{"unusable":"no JSON"}`)
	putCall(t, s, marked)
	if got := ledger(t, s, "later"); len(got) != 1 || !cmp.Equal(marked, got[0]) {
		t.Errorf("after a mark the run has %+v, want %+v alone", got, marked)
	}
}

// What a run has paid stays in its sum when others pay for the same replies, and when it pays
// again. The replaced calls are kept.
func callsPaidTwice(t *testing.T, p Place) {
	s := open(t, p)
	paid := func(run string, made, cost int) assay.Call {
		c := Call(1)
		c.Run, c.Made, c.Usage.Cost = run, start.Add(time.Duration(made)), int64(cost)
		c.Reply = fmt.Appendf(nil, `{"text":"%s %d"}`, run, made)
		return c
	}
	// a pays 2 and 16 at different times, b 4 at the time of a, c 8: together 30.
	all := []assay.Call{paid("a", 1, 2), paid("b", 1, 4), paid("c", 2, 8), paid("a", 3, 16)}
	putCall(t, s, all...)
	putCall(t, s, all[3]) // as after an error of the network
	check := func(s Store) {
		t.Helper()
		costs, err := s.Costs(t.Context(), []string{"a", "b", "c"})
		if d := cmp.Diff(map[string]int64{"a": 18, "b": 4, "c": 8}, costs); err != nil || d != "" {
			t.Errorf("costs: %v (-want +got):\n%s", err, d)
		}
		if sp, err := s.Spent(t.Context(), "a"); err != nil || sp.Calls != 2 || sp.Usage.Cost != 18 {
			t.Errorf("a spent %+v, %v: want 2 calls for 18", sp, err)
		}
		replies := map[string]bool{}
		for _, c := range ledger(t, s) {
			replies[string(c.Reply)] = true
		}
		for _, c := range all {
			if !replies[string(c.Reply)] {
				t.Errorf("the reply %s is gone", c.Reply)
			}
		}
	}
	check(s)
	if got, _, err := s.Call(t.Context(), Call(1).Key); err != nil || !cmp.Equal(all[3], got) {
		t.Errorf("%v: the reply is not the last (-want +got):\n%s", err, cmp.Diff(all[3], got))
	}
	check(open(t, p))
}

// Processes that pay for the same replies at the same time lose no payment.
func callsPaidAtOnce(t *testing.T, p Place) {
	const runs, each = 6, 15
	var wg sync.WaitGroup
	stores := make([]Store, runs)
	for run := range stores {
		stores[run] = open(t, p)
	}
	for run, s := range stores {
		wg.Go(func() {
			for n := range each {
				c := Call(n)
				c.Run, c.Usage.Cost = fmt.Sprint("run ", run), 1
				if err := s.PutCall(t.Context(), c); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for run := range runs {
		if sp, err := stores[0].Spent(t.Context(), fmt.Sprint("run ", run)); err != nil || sp.Calls != each || sp.Usage.Cost != each {
			t.Errorf("run %d spent %+v, %v: want %d calls", run, sp, err, each)
		}
	}
}

func callsOfRuns(t *testing.T, p Place) {
	s := open(t, p)
	of := func(run string, ns ...int) (out []assay.Call) {
		for _, n := range ns {
			c := Call(n)
			c.Run = run
			out = append(out, c)
		}
		return out
	}
	// The runs need not exist: a call outlives its run.
	putCall(t, s, slices.Concat(of("b", 5, 2), of("a", 4), of("", 3), of("c", 1))...)
	for _, test := range []struct{ runs, keys []string }{
		{[]string{"a"}, []string{Call(4).Key}},
		{[]string{"b"}, []string{Call(2).Key, Call(5).Key}},
		{[]string{"b", "c", "b"}, []string{Call(1).Key, Call(2).Key, Call(5).Key}},
		{[]string{""}, []string{Call(3).Key}},
		{[]string{"d"}, nil},
		{nil, []string{Call(1).Key, Call(2).Key, Call(3).Key, Call(4).Key, Call(5).Key}},
	} {
		var keys []string
		for _, c := range ledger(t, s, test.runs...) {
			keys = append(keys, c.Key)
		}
		if !slices.Equal(keys, test.keys) {
			t.Errorf("runs %q have the calls %q, want %q", test.runs, keys, test.keys)
		}
	}
	for c, err := range s.Calls(t.Context()) { // leaving early is allowed
		if err != nil || c.Key != Call(1).Key {
			t.Errorf("the first call is %q, %v", c.Key, err)
		}
		break
	}
}

func callsSpent(t *testing.T, p Place) {
	s := open(t, p)
	other := Call(9)
	other.Run = "other"
	putCall(t, s, Call(1), Call(2), Call(3), other)
	run := Header(1).ID
	// Calls 1 and 3 are claims, call 2 is support.
	const base = 1<<31 - 1 // more than 32 bits together
	claims := assay.Spending{Calls: 2, Usage: assay.Usage{InputTokens: 2004, OutputTokens: 20, Cost: 2*base + 4}}
	support := assay.Spending{Calls: 1, Usage: assay.Usage{InputTokens: 1002, OutputTokens: 10, Cost: base + 2}}
	by, err := s.SpentBy(t.Context(), run)
	if d := cmp.Diff(map[string]assay.Spending{"claims": claims, "support": support}, by); err != nil || d != "" {
		t.Errorf("by operation: %v\n%s", err, d)
	}
	total, err := s.Spent(t.Context(), run)
	claims.Add(support)
	if d := cmp.Diff(claims, total); err != nil || d != "" {
		t.Errorf("in all: %v\n%s", err, d)
	}
	costs, err := s.Costs(t.Context(), []string{run, "nobody", "other"})
	if d := cmp.Diff(map[string]int64{run: 3*base + 6, "other": other.Usage.Cost}, costs); err != nil || d != "" {
		t.Errorf("costs: %v\n%s", err, d)
	}
	if _, err := s.Costs(t.Context(), make([]string, 501)); err == nil {
		t.Error("501 runs: want an error")
	}
	if none, err := s.Spent(t.Context(), "nobody"); err != nil || none != (assay.Spending{}) {
		t.Errorf("a run without calls spent %+v, %v", none, err)
	}
}

func callsImported(t *testing.T, p Place) {
	s := open(t, p)
	mine := Call(2)
	mine.Reply, mine.Run = []byte(`{"text":"mine"}`), "mine"
	putCall(t, s, mine)
	n, err := s.ImportCalls(t.Context(), yield(nil, Call(1), Call(2), Call(3)))
	if err != nil || n != (store.Imported{Added: 2, Present: 1}) {
		t.Errorf("imported %+v, %v: want 2 added, 1 present", n, err)
	}
	want := []assay.Call{Call(1), mine, Call(3)}
	if d := cmp.Diff(want, ledger(t, s)); d != "" {
		t.Errorf("after the import (-want +got):\n%s", d)
	}
	// All or none.
	broken := errors.New("line 7 is broken")
	n, err = s.ImportCalls(t.Context(), yield(broken, Call(4), Call(5)))
	if !errors.Is(err, broken) || n != (store.Imported{}) {
		t.Errorf("imported %+v, %v: want the error alone", n, err)
	}
	if n, err = s.ImportCalls(t.Context(), yield(nil, Call(4), assay.Call{})); err == nil || n != (store.Imported{}) {
		t.Errorf("a call without a key: %+v, %v", n, err)
	}
	if d := cmp.Diff(want, ledger(t, s)); d != "" {
		t.Errorf("after imports that failed (-want +got):\n%s", d)
	}
	if n, err = s.ImportCalls(t.Context(), s.Calls(t.Context())); err != nil || n != (store.Imported{Present: 3}) {
		t.Errorf("a ledger imported into itself: %+v, %v", n, err)
	}
	putCall(t, s, Call(4)) // the failures left no lock behind
}

func callsRefused(t *testing.T, p Place) {
	s := open(t, p)
	for name, change := range map[string]func(*assay.Call){
		"key":        func(c *assay.Call) { c.Key = "" },
		"request":    func(c *assay.Call) { c.Request = nil },
		"reply":      func(c *assay.Call) { c.Reply = []byte("{") },
		"text reply": func(c *assay.Call) { c.Reply = []byte("hello") },
	} {
		c := Call(1)
		change(&c)
		if err := s.PutCall(t.Context(), c); err == nil {
			t.Errorf("a call with a bad %s was taken", name)
		}
	}
	if got := ledger(t, s); len(got) != 0 {
		t.Errorf("the ledger has %d calls", len(got))
	}
}

// Calls that two processes put concurrently all exist once each Put has returned, and
// readers see them from that moment.
func callsConcurrent(t *testing.T, p Place) {
	s, other := open(t, p), open(t, p)
	const writers, each = 16, 15
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				c := Call(i*writers + w)
				if err := []Store{s, other}[w%2].PutCall(t.Context(), c); err != nil {
					t.Error(err)
				}
				if _, ok, err := []Store{other, s}[w%2].Call(t.Context(), c.Key); !ok || err != nil {
					t.Errorf("call %s is not there once it was put: %v", c.Key, err)
				}
			}
		})
	}
	for i := range each { // records are written at the same time
		wg.Go(func() {
			h := Header(100 + i)
			if err := errors.Join(s.CreateRun(t.Context(), h), s.Put(t.Context(), h.ID, Record(0))); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	got := ledger(t, other)
	if len(got) != writers*each {
		t.Fatalf("%d calls, want %d", len(got), writers*each)
	}
	for i, c := range got {
		if d := cmp.Diff(Call(i), c); d != "" {
			t.Fatalf("call %d (-want +got):\n%s", i, d)
		}
	}
}

func callsCancelled(t *testing.T, p Place) {
	s := open(t, p)
	putCall(t, s, Call(0))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.PutCall(gone, Call(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("put under a cancelled context: %v", err)
	}
	if _, _, err := s.Call(gone, Call(0).Key); !errors.Is(err, context.Canceled) {
		t.Errorf("call under a cancelled context: %v", err)
	}
	if _, err := s.ImportCalls(gone, yield(nil, Call(2))); !errors.Is(err, context.Canceled) {
		t.Errorf("import under a cancelled context: %v", err)
	}
	for _, err := range s.Calls(gone) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("calls under a cancelled context: %v", err)
		}
	}
	if got := ledger(t, s); len(got) != 1 {
		t.Errorf("%d calls, want 1", len(got))
	}
}
