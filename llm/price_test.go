package llm_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
)

func TestPublishedPrices(t *testing.T) {
	t.Parallel()
	p, err := llm.PublishedPrices()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		provider, model string
		usage           llm.Usage
		want            int64
	}{
		// $5 and $25 a million.
		{"anthropic", "claude-opus-4-6", llm.Usage{Input: 1_000_000}, 5_000_000},
		{"anthropic", "claude-opus-4-5-20251101", llm.Usage{Output: 1_000_000}, 25_000_000},
		// 1000·5 + 2000·0.5 + 3000·6.25 + 100·25 = 5000 + 1000 + 18750 + 2500.
		{"anthropic", "claude-opus-4-6", llm.Usage{Input: 6000, CacheRead: 2000, CacheWrite: 3000, Output: 100}, 27_250},
		{"openai", "gpt-4o-2024-08-06", llm.Usage{Input: 1_000_000}, 2_500_000},
		{"openai", "gpt-4o-2024-05-13", llm.Usage{Input: 1_000_000}, 5_000_000}, // dearer than later versions
		{"openai", "gpt-4o-mini", llm.Usage{Input: 1_000_000}, 150_000},
		// One token of a model at $0.05 a million is less than a
		// micro-dollar, and not nothing.
		{"openai", "gpt-5-nano", llm.Usage{Input: 1}, 1},
		{"groq", "openai/gpt-oss-20b", llm.Usage{Input: 1_000_000, Output: 1_000_000}, 375_000},
		{"ollama", "anything", llm.Usage{Input: 1_000_000}, 0},
		{"fake", "m", llm.Usage{Input: 1_000_000}, 0},
		{"offline", "", llm.Usage{Input: 1_000_000}, 0},
	} {
		if got, ok := p.Cost(test.provider, test.model, test.usage); !ok || got != test.want {
			t.Errorf("%s %s %+v costs %d, %v: want %d", test.provider, test.model, test.usage, got, ok, test.want)
		}
	}
	for _, unknown := range [][2]string{
		{"openai", "gpt-5-chat"},         // another model than gpt-5
		{"openai", "gpt-4"},              // a beginning of one
		{"openai", "gpt-4o-audio"},       // and a longer one
		{"openai", "claude-opus-4-6"},    // of another provider
		{"anthropic", "claude-opus-4-9"}, // not out when the list was made
		{"", ""},
	} {
		if got, ok := p.Cost(unknown[0], unknown[1], llm.Usage{Input: 1}); ok {
			t.Errorf("%q costs %d, want it unknown", unknown, got)
		}
		if err := p.Require(unknown[0], unknown[1]); !llm.IsKind(err, llm.KindBudget) {
			t.Errorf("Require(%q) = %v", unknown, err)
		}
	}
	if _, ok := p.Cost("anthropic", "claude-haiku-5-5", llm.Usage{Input: 100_001}); ok {
		t.Error("an input longer than its price holds for has a price")
	}
	if _, ok := p.Cost("anthropic", "claude-haiku-5-5", llm.Usage{Input: 100_000}); !ok {
		t.Error("the longest input has no price")
	}
	if err := p.Require("anthropic", "claude-opus-4-6"); err != nil {
		t.Error(err)
	}
}

func TestPricesOverride(t *testing.T) {
	t.Parallel()
	published := readPrices(t, `
prices:
  - {provider: openai, model: gpt-5, input: 1, output: 10}
  - {provider: openai, model: gpt-5-mini, input: 2, output: 20}
`)
	own := readPrices(t, `
prices:
  - {provider: "*", model: "gpt-*", input: 3, output: 30, cache_read: 0}
  - {provider: mine, model: "gpt-*", input: 4, output: 40}
  - {provider: openai, model: "gpt-5-m*", input: 5, output: 50}
  - {provider: ollama, model: big, input: 6, output: 60}
`)
	p := published.With(own)
	for _, test := range []struct {
		provider, model string
		want            int64 // of an input token, in dollars per million
	}{
		{"openai", "gpt-5", 3},      // the user's list is asked first
		{"openai", "gpt-5-mini", 5}, // the longest name in it
		{"mine", "gpt-5", 4},        // of equal names the one of the provider
		{"ollama", "big", 6},
		{"ollama", "small", 0},
	} {
		if got, ok := p.Lookup(test.provider, test.model); !ok || got.Input != test.want*1_000_000 {
			t.Errorf("%s %s: %+v, %v: want $%d", test.provider, test.model, got, ok, test.want)
		}
	}
	if q, _ := p.Lookup("x", "gpt-1"); q.CacheRead != 0 || q.CacheWrite != 3_000_000 {
		t.Errorf("cache prices %+v: want 0 as given, and that of input", q)
	}
	var none *llm.Prices
	if _, ok := none.Lookup("openai", "gpt-5"); ok {
		t.Error("no prices know one")
	}
	if q, ok := none.With(own).Lookup("ollama", "big"); !ok || q.Input != 6_000_000 {
		t.Errorf("got %+v, %v", q, ok)
	}
}

func TestReadPricesErrors(t *testing.T) {
	t.Parallel()
	const good = `{provider: p, model: m, input: 1, output: 2}`
	for yaml, want := range map[string]string{
		`prices: [{provider: p, model: m, input: 1}]`:                           "prices[0] (p m): expected provider, model, input and output",
		`prices: [` + good + `, {model: m, input: 1, output: 1}]`:               "prices[1] ( m): expected provider",
		`prices: [` + good + `, ` + good + `]`:                                  "prices[1] (p m): duplicate entry",
		`prices: [{provider: p, model: m, input: -1, output: 2}]`:               "input -1: expected dollars per million",
		`prices: [{provider: p, model: m, input: 1, output: .nan}]`:             "output NaN",
		`prices: [{provider: p, model: m, input: .inf, output: 1}]`:             "input +Inf",
		`prices: [{provider: p, model: m, input: 1, output: 2e6}]`:              "output 2e+06",
		`prices: [{provider: p, model: m, input: 1, out: 2}]`:                   `unknown field "out"`,
		`prices: [{provider: p, model: m*n, input: 1, output: 2}]`:              `model "m*n"`,
		`prices: [{provider: p, model: m, input: 1, output: 2, max_input: -1}]`: "max_input -1",
		`models: []`: `unknown field "models"`,
	} {
		_, err := llm.ReadPrices(strings.NewReader(yaml), "own.yaml")
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "own.yaml") {
			t.Errorf("%s: %v: want %q and the file", yaml, err, want)
		}
	}
	for _, empty := range []string{"", "# nothing\n", "prices:\n", "prices: []", "\ufeffprices: []\n"} {
		if p, err := llm.ReadPrices(strings.NewReader(empty), "e"); err != nil || p == nil {
			t.Errorf("%q: %v", empty, err)
		}
	}
}

func FuzzReadPrices(f *testing.F) {
	f.Add("prices: [{provider: p, model: m, input: 1, output: 2, cache_read: 0.5, cache_write: 3, max_input: 9}]")
	f.Add("prices: [{provider: \"*\", model: \"m*\", input: 1e6, output: 0}]")
	f.Add("")
	f.Fuzz(func(t *testing.T, yaml string) {
		p, err := llm.ReadPrices(strings.NewReader(yaml), "f")
		if err != nil {
			return
		}
		for _, model := range []string{"m", "mm", ""} {
			if cost, ok := p.Cost("p", model, llm.Usage{Input: 1 << 20, CacheRead: 1 << 10, Output: 1 << 20}); cost < 0 || cost > 0 && !ok {
				t.Fatalf("%q: %s costs %d, %v", yaml, model, cost, ok)
			}
		}
	})
}

// 60 questions of 8 tokens at $0.02 a million are 9.6 micro-dollars.
func TestOnlyTheSumOfCostsIsRoundedUp(t *testing.T) {
	t.Parallel()
	p := readPrices(t, `prices: [{provider: p, model: m, input: 0.02, output: 0}]`)
	sum, ahead := int64(0), int64(0)
	for range 60 {
		micro, _ := p.Add("p", "m", llm.Usage{Input: 8}, &ahead)
		sum += micro
	}
	if said := assay.Dollars(sum); sum != 10 || said != "$0.00001" {
		t.Errorf("%d micro-dollars, shown as %s: expected 10, $0.00001", sum, said)
	}
}

func TestEstimateTokens(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"":                 0,
		"a":                1,
		"four":             1,
		"fives":            2,
		"two words":        3, // nine quarters
		"1234":             2,
		`{"a":1}`:          4, // six signs of a half and one quarter
		"你好":               2,
		"пять":             2,
		"\U0001F600":       1,
		"\xff":             1,
		"Was ist größer?!": 5, // 12 letters and spaces at a quarter, ö, ß, ? and ! at a half
	} {
		if got := llm.EstimateTokens(text); got != want {
			t.Errorf("EstimateTokens(%q) = %d, want %d", text, got, want)
		}
	}
}
