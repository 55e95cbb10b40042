package server

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	workers "github.com/assay-eval/assay/run/queue"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/store/postgrestest"
)

// meter returns the samples of /metrics that begin with a name, by name and labels.
func (b *bench) meter(prefix string) map[string]string {
	b.t.Helper()
	out := map[string]string{}
	for line := range strings.Lines(b.do("GET", "/metrics", nil).want(b.t, 200).text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok && strings.HasPrefix(name, prefix) {
			out[name] = value
		}
	}
	return out
}

// going stores a run that goes on and may spend two dollars, of which a quarter is spent.
func going(t *testing.T, s *store.Store, id string, cases int) {
	t.Helper()
	h := assay.Header{ID: id, State: stateRunning, Dataset: assay.DatasetInfo{Cases: cases}, Config: map[string]string{"max-cost": "2"}}
	if err := s.CreateRun(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	call := assay.Call{Key: "k", Run: id, Operation: "judge", Provider: "p", Model: "m", Made: time.Now(), Usage: assay.Usage{Cost: 500_000},
		Request: json.RawMessage(`{}`), Reply: json.RawMessage(`{}`)}
	if err := s.PutCall(t.Context(), call); err != nil {
		t.Fatal(err)
	}
}

// TestMetricsOfTheQueue: /metrics has the depth and the lag of the workers' queue, the workers,
// and the money that is left.
func TestMetricsOfTheQueue(t *testing.T) {
	url := postgres.Server(t).Database(t)
	s := opened(t, url)
	b := startOn(t, s)
	if got := b.meter("assay_queue"); len(got) != 0 {
		t.Errorf("%v: want nothing without a queue", got)
	}
	const cases = 70 // more than go into the queue at first
	going(t, s, "shared", cases)
	for _, id := range []string{"there", "killed"} {
		it := store.Item{Kind: store.KindWorker, ID: id, Created: time.Now(), Updated: time.Now(), Body: json.RawMessage(`{}`)}
		if err := s.PutItem(t.Context(), it); err != nil {
			t.Fatal(err)
		}
	}
	leave, err := s.Claim(t.Context(), "worker there")
	if err != nil {
		t.Fatal(err)
	}
	q, err := workers.Open(t.Context(), s, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	postgrestest.Exec(t, url, `INSERT INTO assay_holders (holder, until) VALUES ('p', now() + interval '1 hour')`,
		`INSERT INTO assay_money (run, holder, held, spent) VALUES ('shared', 'p', 250000, 0)`)
	ctx, end := context.WithCancel(t.Context())
	var dispatching sync.WaitGroup
	dispatching.Go(func() {
		todo := make([]int, cases)
		for i := range todo {
			todo[i] = i
		}
		for range (&workers.Dispatcher{Queue: q, Run: "shared"}).Dispatch(ctx, todo, nil) {
		}
	})
	defer dispatching.Wait()
	defer end()
	got := b.meter("assay_queue")
	for got[`assay_queue_batches{state="waiting"}`] != "4" || got["assay_queue_lag_seconds"] == "0" { // they wait for no time at first
		got = b.meter("assay_queue")
	}
	for name, want := range map[string]string{
		`assay_queue_batches{state="running"}`: "0",
		`assay_queue_cases{state="waiting"}`:   "64",
		`assay_queue_cases{state="running"}`:   "0",
	} {
		if got[name] != want {
			t.Errorf("%s %q, want %s", name, got[name], want)
		}
	}
	if lag := got["assay_queue_lag_seconds"]; lag == "" || lag == "0" || strings.HasPrefix(lag, "-") {
		t.Errorf("lag %q, want more than 0", lag)
	}
	if got := b.meter("assay_workers"); got[`assay_workers{state="present"}`] != "1" || got[`assay_workers{state="absent"}`] != "1" {
		t.Errorf("%v: want a worker that is there and one that was killed", got)
	}
	if got := b.meter("assay_run_"); got[`assay_run_budget_left_usd{run="shared"}`] != "1.5" || got[`assay_run_budget_held_usd{run="shared"}`] != "0.25" {
		t.Errorf("%v: want 1.5 of two dollars, a quarter claimed", got)
	}
	if err := leave(); err != nil {
		t.Error(err)
	}
}

// TestMetricsOfAFile: a store that is a file has no queue; the money of its runs is told.
func TestMetricsOfAFile(t *testing.T) {
	b := start(t)
	going(t, b.store, "alone", 1)
	if got := b.meter("assay_run_"); got[`assay_run_budget_left_usd{run="alone"}`] != "1.5" {
		t.Errorf("%v: want 1.5 of two dollars", got)
	}
	if got := b.meter("assay_queue"); len(got) != 0 {
		t.Errorf("%v: want nothing of a queue", got)
	}
}
