package embed_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/reach"
	"github.com/assay-eval/assay/rag/embed"
	"github.com/assay-eval/assay/rag/embed/embedtest"
)

// asking is a source that is a function, and keeps what it was asked.
type asking struct {
	mu    sync.Mutex
	calls [][]string
	of    func(ctx context.Context, texts []string) (embed.Batch, error)
}

func (c *asking) Vectors(ctx context.Context, texts []string) (embed.Batch, error) {
	c.mu.Lock()
	c.calls = append(c.calls, slices.Clone(texts))
	c.mu.Unlock()
	return c.of(ctx, texts)
}

// asked lists all texts of all calls, in the order of texts.
func (c *asking) asked() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Sorted(slices.Values(slices.Concat(c.calls...)))
}

// lengths is a vector of three numbers, not of length 1, that differs between texts.
func lengths(_ context.Context, texts []string) (embed.Batch, error) {
	b := embed.Batch{Tokens: 10 * len(texts)}
	for _, t := range texts {
		b.Vectors = append(b.Vectors, hashed(t))
	}
	return b, nil
}

func hashed(t string) []float32 {
	v := []float32{1, 0, 0}
	for i, r := range t {
		v[i%3] += float32(r%17) / 3
	}
	return v
}

func over(t *testing.T, s embed.Source, ledger llm.Ledger, batch int, change ...func(*llm.ClientConfig)) *embed.Ledgered {
	t.Helper()
	client := embedtest.Client(t, embed.Provider("p", s), ledger, change...)
	return embed.NewLedgered(client, "m", reach.Identity("p", "p", "m", nil), batch)
}

func TestLedgered(t *testing.T) {
	t.Parallel()
	embedtest.Kit{
		Make: func(t *testing.T) assay.Embedder { return over(t, &asking{of: lengths}, &embedtest.Ledger{}, 32) },
		Stalled: func(t *testing.T) assay.Embedder {
			return over(t, &asking{of: func(ctx context.Context, _ []string) (embed.Batch, error) {
				<-ctx.Done()
				return embed.Batch{}, ctx.Err()
			}}, &embedtest.Ledger{}, 32)
		},
	}.Run(t)
}

// A text is asked for once, whatever other texts it comes with and whoever asks.
func TestLedgeredAsksOnce(t *testing.T) {
	t.Parallel()
	ledger := &embedtest.Ledger{}
	embedded := func(texts ...string) (asked []string, vectors [][]float32) {
		s := &asking{of: lengths}
		v, err := over(t, s, ledger, 2).Embed(t.Context(), texts)
		if err != nil {
			t.Fatal(err)
		}
		return s.asked(), v
	}
	asked, first := embedded("a", "b", "c", "a", "d", "e")
	// The two "a" are in different batches at the same time, so that both may be asked.
	if got := slices.Compact(asked); fmt.Sprint(got) != "[a b c d e]" {
		t.Errorf("asked for %q", asked)
	}
	asked, again := embedded("e", "a", "c")
	if len(asked) > 0 {
		t.Errorf("asked again for %q", asked)
	}
	for i, at := range []int{5, 0, 2} {
		if !slices.Equal(again[i], first[at]) {
			t.Errorf("text %d: %v from the ledger, %v before", at, again[i], first[at])
		}
	}
	if asked, _ = embedded("x", "a", "y", "b"); fmt.Sprint(asked) != "[x y]" {
		t.Errorf("asked for %q: want the two that are new", asked)
	}
	if _, err := over(t, &asking{of: lengths}, ledger, 2, func(c *llm.ClientConfig) { c.Mode = llm.Replay }).
		Embed(t.Context(), []string{"a", "new", "b", "newer"}); !llm.IsKind(err, llm.KindReplay) {
		t.Errorf("a replay of what was never asked: %v", err)
	}
}

// A run that was cut off pays only the rest.
func TestLedgeredResumes(t *testing.T) {
	t.Parallel()
	texts := make([]string, 40)
	for i := range texts {
		texts[i] = fmt.Sprintf("text %02d", i)
	}
	ledger := &embedtest.Ledger{}
	down := &asking{}
	down.of = func(ctx context.Context, texts []string) (embed.Batch, error) {
		if texts[0] >= "text 20" {
			return embed.Batch{}, &llm.Error{Kind: llm.KindAuth, Message: "no credit"}
		}
		return lengths(ctx, texts)
	}
	if _, err := over(t, down, ledger, 4).Embed(t.Context(), texts); !llm.IsKind(err, llm.KindAuth) {
		t.Fatal(err)
	}
	kept := len(ledger.Calls())
	if kept%4 != 0 || kept > 20 {
		t.Fatalf("%d vectors kept: want those of whole calls before the failure", kept)
	}
	up := &asking{of: lengths}
	if _, err := over(t, up, ledger, 4).Embed(t.Context(), texts); err != nil {
		t.Fatal(err)
	}
	if n := len(up.asked()); n != 40-kept {
		t.Errorf("asked for %d texts: want the %d that were not kept", n, 40-kept)
	}
}

// What a call used and cost is divided among its texts, and adds up.
func TestLedgeredCost(t *testing.T) {
	t.Parallel()
	prices, err := llm.ReadPrices(strings.NewReader("prices: [{provider: p, model: m, input: 1000, output: 0}]"), "prices.yaml")
	if err != nil {
		t.Fatal(err)
	}
	ledger := &embedtest.Ledger{}
	priced := func(c *llm.ClientConfig) { c.Prices = prices }
	texts := []string{"a", "a much longer text than the others are", "", "four words are here"}
	if _, err := over(t, &asking{of: lengths}, ledger, 4, priced).Embed(t.Context(), texts); err != nil {
		t.Fatal(err)
	}
	var all assay.Usage
	for _, c := range ledger.Calls() {
		if c.Operation != embed.Operation || c.Usage.Cost < 0 {
			t.Errorf("%s: %+v", c.Operation, c.Usage)
		}
		all.InputTokens += c.Usage.InputTokens
		all.Cost += c.Usage.Cost
	}
	// 40 tokens at 1,000 dollars a million are 40,000 micro-dollars.
	if want := (assay.Usage{InputTokens: 40, Cost: 40_000}); all != want {
		t.Errorf("%+v: want %+v", all, want)
	}
	short := func(c *llm.ClientConfig) { c.Prices, c.Budget = prices, llm.NewBudget(10, 0) }
	if _, err := over(t, &asking{of: lengths}, &embedtest.Ledger{}, 4, short).Embed(t.Context(), texts); !llm.IsKind(err, llm.KindBudget) {
		t.Errorf("%v: want the budget to refuse", err)
	}
}

// A batch that is refused is halved, and what the server accepts is remembered.
func TestLedgeredHalves(t *testing.T) {
	t.Parallel()
	texts := make([]string, 64)
	for i := range texts {
		texts[i] = fmt.Sprintf("text %02d", i)
	}
	small := func(most int) *asking {
		return &asking{of: func(ctx context.Context, texts []string) (embed.Batch, error) {
			if len(texts) > most {
				return embed.Batch{}, &llm.Error{Kind: llm.KindTooLong, Message: fmt.Sprintf("batch size %d > %d", len(texts), most)}
			}
			return lengths(ctx, texts)
		}}
	}
	s := small(10)
	e := over(t, s, &embedtest.Ledger{}, 64)
	got, err := e.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		if want := hashed(texts[i]); math.Abs(embedtest.Dot(v, want)-math.Sqrt(embedtest.Dot(want, want))) > 1e-5 {
			t.Errorf("text %d has another vector", i)
		}
	}
	s.calls = nil
	for i := range texts {
		texts[i] += " again"
	}
	if _, err := e.Embed(t.Context(), texts); err != nil || len(s.calls) != 8 {
		t.Errorf("%v, %d calls: want 8 of 8 texts", err, len(s.calls))
	}

	// One text that is refused is named.
	bad := &asking{of: func(ctx context.Context, texts []string) (embed.Batch, error) {
		if slices.Contains(texts, "text 07") {
			return embed.Batch{}, &llm.Error{Kind: llm.KindRequest, Message: "cannot be embedded"}
		}
		return lengths(ctx, texts)
	}}
	for i := range texts {
		texts[i] = fmt.Sprintf("text %02d", i)
	}
	_, err = over(t, bad, &embedtest.Ledger{}, 64).Embed(t.Context(), texts)
	if !llm.IsKind(err, llm.KindRequest) || err.Error() != `p m: cannot be embedded; the text is "text 07"` {
		t.Error(err)
	}
}

// A text that is too long is cut, and all texts of its call may have been.
func TestLedgeredCuts(t *testing.T) {
	t.Parallel()
	ledger := &embedtest.Ledger{}
	long := &asking{of: func(ctx context.Context, texts []string) (embed.Batch, error) {
		b, err := lengths(ctx, texts)
		b.Cut = slices.Contains(texts, "long")
		return b, err
	}}
	// Another run finds in the ledger that a vector may be that of a part.
	for range 2 {
		e := over(t, long, ledger, 4)
		if _, err := e.Embed(t.Context(), strings.Split("a b c long d e f g", " ")); err != nil || e.Cut() != 4 {
			t.Errorf("%v, up to %d cut: want 4", err, e.Cut())
		}
		if _, err := e.Embed(t.Context(), []string{"long", "g"}); err != nil || e.Cut() != 4 {
			t.Errorf("%v, up to %d cut: want 4 different ones", err, e.Cut())
		}
	}
}

func TestLedgeredRefuses(t *testing.T) {
	t.Parallel()
	nan := float32(math.NaN())
	for _, c := range []struct {
		name    string
		vectors [][]float32
		want    string
	}{
		{"too few", [][]float32{{1, 2}}, "1 vectors for 2 texts: expected one for each"},
		{"too many", [][]float32{{1}, {1}, {1}}, "3 vectors for 2 texts: expected one for each"},
		{"NaN", [][]float32{{1, 2}, {1, nan}}, `text 2 of 2, "second text": number 2 of the vector is NaN`},
		{"infinite", [][]float32{{float32(math.Inf(-1)), 2}, {1, 2}}, `text 1 of 2, "first": number 1 of the vector is -Inf`},
		{"zero", [][]float32{{1, 2}, {0, 0}}, `text 2 of 2, "second text": the vector is zero`},
		{"empty", [][]float32{{}, {}}, `text 1 of 2, "first": the vector is empty`},
		{"ragged", [][]float32{{1, 2}, {1, 2, 3}}, `text 2 of 2, "second text": the vector has 3 numbers: expected 2`},
	} {
		s := &asking{of: func(context.Context, []string) (embed.Batch, error) { return embed.Batch{Vectors: c.vectors}, nil }}
		ledger := &embedtest.Ledger{}
		_, err := over(t, s, ledger, 8).Embed(t.Context(), []string{"first", "second text"})
		if !llm.IsKind(err, llm.KindReply) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
		if len(ledger.Calls()) > 0 {
			t.Errorf("%s: kept all the same", c.name)
		}
	}

	// The model behind a name changes between two calls.
	dimensions := 3
	s := &asking{of: func(_ context.Context, texts []string) (embed.Batch, error) {
		v := make([]float32, dimensions)
		v[0] = 1
		return embed.Batch{Vectors: slices.Repeat([][]float32{v}, len(texts))}, nil
	}}
	e := over(t, s, &embedtest.Ledger{}, 8)
	if _, err := e.Embed(t.Context(), []string{"a"}); err != nil {
		t.Fatal(err)
	}
	dimensions = 4
	if _, err := e.Embed(t.Context(), []string{"b"}); err == nil || !strings.Contains(err.Error(),
		`the vector of "b" has 4 numbers, and those before have 3: the model behind the name has changed`) {
		t.Error(err)
	}
}

// The header of a run says what the vectors are.
func TestLedgeredForm(t *testing.T) {
	t.Parallel()
	ledger := &embedtest.Ledger{}
	e := over(t, &asking{of: lengths}, ledger, 8)
	if e.Form() != "" || e.Dimensions() != 0 {
		t.Errorf("before the first vector: %q, %d", e.Form(), e.Dimensions())
	}
	for _, e := range []*embed.Ledgered{e, over(t, &asking{of: lengths}, ledger, 8)} {
		if _, err := e.Embed(t.Context(), []string{"a"}); err != nil || e.Form() != "3 dimensions scaled to length 1" {
			t.Errorf("%v, %q", err, e.Form())
		}
	}
	unit := &asking{of: func(context.Context, []string) (embed.Batch, error) {
		return embed.Batch{Vectors: [][]float32{{0.6, 0.8}}}, nil
	}}
	e = over(t, unit, &embedtest.Ledger{}, 8)
	got, err := e.Embed(t.Context(), []string{"a"})
	if err != nil || e.Form() != "2 dimensions of length 1" || !slices.Equal(got[0], []float32{0.6, 0.8}) {
		t.Errorf("%v, %q, %v: want the server's own numbers", err, e.Form(), got)
	}
}

// Errors of a provider that are temporary are tried again, others are not.
func TestLedgeredRetries(t *testing.T) {
	t.Parallel()
	failures := 2
	s := &asking{}
	s.of = func(ctx context.Context, texts []string) (embed.Batch, error) {
		if failures > 0 {
			failures--
			return embed.Batch{}, &llm.Error{Kind: llm.KindServer, Status: 503, Message: "loading"}
		}
		return lengths(ctx, texts)
	}
	if _, err := over(t, s, &embedtest.Ledger{}, 8).Embed(t.Context(), []string{"a", "b"}); err != nil || len(s.calls) != 3 {
		t.Errorf("%v after %d calls: want none after 3", err, len(s.calls))
	}
	s.of = func(context.Context, []string) (embed.Batch, error) { return embed.Batch{}, errors.New("a defect") }
	_, err := over(t, s, &embedtest.Ledger{}, 8).Embed(t.Context(), []string{"a", "b"})
	var e *llm.Error
	if !errors.As(err, &e) || e.Provider != "p" {
		t.Errorf("%v: want an *llm.Error that names the provider", err)
	}
}

func TestIdentity(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind, provider, model string
		extra                 map[string]any
		want                  string
	}{
		{"openai", "openai", "m", nil, "openai:m"},
		{"openai", "mine", "m", nil, "openai/mine:m"},
		{"openai", "openai", "m", map[string]any{"user": "u", "dimensions": 256}, "openai:m(dimensions=256,user=u)"},
		{"tei", "tei", "BAAI/bge-small-en-v1.5", nil, "tei:BAAI/bge-small-en-v1.5"},
	} {
		if got := reach.Identity(c.kind, c.provider, c.model, c.extra); got != c.want {
			t.Errorf("%q: want %q", got, c.want)
		}
	}
}

// TestStandIn holds the stand-in of estimates to what a reply is.
func TestStandIn(t *testing.T) {
	t.Parallel()
	if a, b := embed.StandIn("a"), embed.StandIn("b"); a == b || a != embed.StandIn("a") || !strings.HasPrefix(a, `[{"vector":"`) {
		t.Errorf("%s, %s", a, b)
	}
}
