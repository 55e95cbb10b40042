package backoff_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/backoff"
)

func TestDoubled(t *testing.T) {
	t.Parallel()
	for attempt, want := range map[int]time.Duration{
		0: time.Second, 1: time.Second, 2: 2 * time.Second, 3: 4 * time.Second, 4: 8 * time.Second,
		21: 1 << 20 * time.Second, 1000: 1 << 20 * time.Second, // no overflow
	} {
		if got := backoff.Doubled(attempt); got != want {
			t.Errorf("after attempt %d: %v: want %v", attempt, got, want)
		}
	}
}

func TestJittered(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		nominal := time.Duration(rapid.Int64Range(1, int64(time.Hour)).Draw(t, "nominal"))
		asked := time.Duration(rapid.Int64Range(0, int64(2*time.Hour)).Draw(t, "asked"))
		seed, stream := rapid.Uint64().Draw(t, "seed"), rapid.Uint64().Draw(t, "stream")
		attempt := rapid.IntRange(1, 100).Draw(t, "attempt")
		least, most := nominal-nominal/4-1, nominal+nominal/4+1
		if asked > nominal {
			least, most = asked, asked+nominal/4+1
		}
		got := backoff.Jittered(nominal, asked, seed, stream, attempt)
		if got < least || got > most {
			t.Fatalf("%v: want %v to %v", got, least, most)
		}
		if again := backoff.Jittered(nominal, asked, seed, stream, attempt); again != got {
			t.Fatalf("%v, then %v: want the same draw", got, again)
		}
	})
	drawn := map[time.Duration]bool{}
	for stream := range uint64(10) {
		for attempt := 1; attempt <= 10; attempt++ {
			drawn[backoff.Jittered(time.Hour, 0, 1, stream, attempt)] = true
		}
	}
	if len(drawn) < 90 {
		t.Errorf("%d different waits in 100 draws: want each its own", len(drawn))
	}
}

func TestSleep(t *testing.T) {
	t.Parallel()
	if err := backoff.Sleep(t.Context(), time.Nanosecond); err != nil {
		t.Error(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	for _, d := range []time.Duration{-1, 0, time.Hour} {
		if err := backoff.Sleep(t.Context(), min(d, 0)); err != nil {
			t.Errorf("%v: %v", d, err)
		}
		if err := backoff.Sleep(ended, d); !errors.Is(err, context.Canceled) {
			t.Errorf("%v: %v: want the end of the context", d, err)
		}
	}
}
