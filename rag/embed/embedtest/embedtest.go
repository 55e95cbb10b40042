// Package embedtest is the contract of an [assay.Embedder] as a test, and what tests of
// embedders need: a client with a ledger, and a real server.
package embedtest

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/reach"
	"github.com/assay-eval/assay/rag/embed"
)

// A Kit is a way to make embedders under test.
type Kit struct {
	// Make gives one that has not been asked.
	Make func(t *testing.T) assay.Embedder
	// Stalled gives one that returns nothing before its context ends; nil for one that is
	// never slow.
	Stalled func(t *testing.T) assay.Embedder
}

// same is how far two vectors of one text may be apart: batches round differently.
const same = 1e-5

// Run holds an embedder to the contract.
func (k Kit) Run(t *testing.T) {
	ask := func(t *testing.T, e assay.Embedder, texts ...string) [][]float32 {
		t.Helper()
		got, err := e.Embed(t.Context(), texts)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(texts) {
			t.Fatalf("%d vectors for %d texts", len(got), len(texts))
		}
		for i, v := range got {
			if len(v) != e.Dimensions() || len(v) == 0 {
				t.Fatalf("text %d: %d numbers, Dimensions says %d", i, len(v), e.Dimensions())
			}
			if n := math.Sqrt(Dot(v, v)); math.Abs(n-1) > 1e-3 {
				t.Errorf("text %d: length %v: want 1", i, n)
			}
		}
		return got
	}
	equal := func(t *testing.T, what string, a, b []float32) {
		t.Helper()
		if d := 1 - Dot(a, b); math.Abs(d) > same {
			t.Errorf("%s: the cosine is %v: want 1", what, 1-d)
		}
	}
	t.Run("texts", func(t *testing.T) {
		e := k.Make(t)
		texts := []string{
			"one", "a harbour in the north", "", " \n", "船幾點開？", "one", "emoji 🚢\x00\u202e", strings.Repeat("many words ", 2000), "\xff\xfe",
		}
		all := ask(t, e, texts...)
		for i, text := range texts {
			equal(t, fmt.Sprintf("text %d alone and among others", i), all[i], ask(t, e, text)[0])
		}
		if d := Dot(all[0], all[1]); d > 0.99 {
			t.Errorf("different texts: the cosine is %v", d)
		}
	})
	t.Run("none", func(t *testing.T) {
		if got, err := k.Make(t).Embed(t.Context(), nil); err != nil || len(got) != 0 {
			t.Errorf("%v, %v: want no vectors", got, err)
		}
	})
	t.Run("order", func(t *testing.T) {
		e := k.Make(t)
		texts := make([]string, 150)
		for i := range texts {
			texts[i] = fmt.Sprintf("harbour number %d", i)
		}
		all := ask(t, e, texts...)
		for _, i := range []int{0, 31, 32, 63, 64, 149} {
			equal(t, fmt.Sprintf("text %d of many", i), all[i], ask(t, e, texts[i])[0])
		}
	})
	t.Run("identity", func(t *testing.T) {
		e := k.Make(t)
		before := e.Identity()
		ask(t, e, "x")
		if after := e.Identity(); before == "" || before != after || before != k.Make(t).Identity() {
			t.Errorf("%q, then %q", before, after)
		}
	})
	t.Run("at once", func(t *testing.T) {
		e := k.Make(t)
		want := ask(t, e, "shared")
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				got, err := e.Embed(t.Context(), []string{"shared", fmt.Sprint("own ", i)})
				if err != nil || len(got) != 2 {
					t.Errorf("%d vectors, %v", len(got), err)
					return
				}
				equal(t, "shared", got[0], want[0])
			})
		}
		all.Wait()
	})
	t.Run("the context ends", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := k.Make(t).Embed(ctx, []string{"x"}); !errors.Is(err, context.Canceled) {
			t.Errorf("before: %v", err)
		}
		if k.Stalled == nil {
			return
		}
		ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if _, err := k.Stalled(t).Embed(ctx, []string{"x"}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("while it works: %v", err)
		}
	})
}

// Dot is the dot product of two vectors of the same length.
func Dot(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// A Ledger keeps calls in memory.
type Ledger struct {
	mu    sync.Mutex
	calls map[string]assay.Call
}

// Call implements [llm.Ledger].
func (l *Ledger) Call(_ context.Context, key string) (assay.Call, bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c, ok := l.calls[key]
	return c, ok, nil
}

// PutCall implements [llm.Ledger].
func (l *Ledger) PutCall(_ context.Context, c assay.Call) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.calls == nil {
		l.calls = map[string]assay.Call{}
	}
	l.calls[c.Key] = c
	return nil
}

// Calls lists what is kept, in no order.
func (l *Ledger) Calls() []assay.Call {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []assay.Call
	for _, c := range l.calls {
		out = append(out, c)
	}
	return out
}

// KeptVector reads the vector of a reply to one text, as the ledger keeps it.
func KeptVector(reply string) ([]float32, error) {
	var kept []struct{ Vector []byte }
	if err := json.Unmarshal([]byte(reply), &kept); err != nil {
		return nil, err
	}
	if len(kept) != 1 || len(kept[0].Vector)%4 != 0 {
		return nil, fmt.Errorf("%s: expected one vector, the base64 of float32", reply)
	}
	v := make([]float32, len(kept[0].Vector)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(kept[0].Vector[4*i:]))
	}
	return v, nil
}

// Client puts a provider behind a client without pauses between attempts.
func Client(t testing.TB, p llm.Provider, ledger llm.Ledger, change ...func(*llm.ClientConfig)) *llm.Client {
	t.Helper()
	cfg := llm.ClientConfig{
		Provider: p, Ledger: ledger, Run: "run-1", Now: time.Now, Random: rand.Reader,
		Sleep: func(context.Context, time.Duration) error { return nil },
	}
	for _, c := range change {
		c(&cfg)
	}
	c, err := llm.NewClient(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Open opens an embedder of a kind as a run does, behind a client.
func Open(t testing.TB, kind string, s embed.Setup, ledger llm.Ledger, change ...func(*llm.ClientConfig)) *embed.Ledgered {
	t.Helper()
	k := embed.Kinds.Find(kind)
	if k == nil {
		t.Fatalf("kind %q: want one of %q", kind, embed.Kinds.Names())
	}
	source, err := k.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	client := Client(t, embed.Provider(kind, source), ledger, change...)
	return embed.NewLedgered(client, s.Model, reach.Identity(k.Name, kind, s.Model, s.Extra), k.Batch)
}
