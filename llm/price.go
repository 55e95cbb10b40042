package llm

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/yaml"
)

//go:embed prices.yaml
var published string

// A Price is the price of a model's tokens, in micro-dollars per million tokens.
type Price struct {
	Provider string
	// Model is the name of a model, which also covers its dated versions ("-20250929",
	// "-2024-08-06", "-latest"), or a prefix followed by "*".
	Model string
	// Input is the price of tokens that are neither read from the provider's
	// prompt cache nor written to it.
	Input, CacheRead, CacheWrite, Output int64
	// MaxInput is the longest input that the price applies to, in tokens; the price of
	// a longer one is unknown. 0 means no limit.
	MaxInput int
}

// Prices is a price table. The zero value and nil are empty tables. It is safe for
// concurrent use.
type Prices struct {
	// layers are searched in order; the first that contains a model decides.
	layers [][]Price
}

// anyProvider is the wildcard that matches every provider in a list of prices.
const anyProvider = "*"

// free lists the providers outside [Protocols] that cost nothing unless the table has a
// price.
var free = []string{"fake", "offline"}

// Free returns a table in which every model of a provider costs nothing.
func Free(provider string) *Prices {
	return &Prices{layers: [][]Price{{{Provider: provider, Model: "*"}}}}
}

// PublishedPrices returns the list embedded in the program. The dates in prices.yaml
// state its age. The list is read once.
var PublishedPrices = sync.OnceValues(func() (*Prices, error) {
	return ReadPrices(strings.NewReader(published), "prices.yaml")
})

// priceFile is the format of a list of prices, in dollars per million tokens.
type priceFile struct {
	Prices []struct {
		Provider   string   `yaml:"provider"`
		Model      string   `yaml:"model"`
		Input      *float64 `yaml:"input"`
		Output     *float64 `yaml:"output"`
		CacheRead  *float64 `yaml:"cache_read"`
		CacheWrite *float64 `yaml:"cache_write"`
		MaxInput   int      `yaml:"max_input"`
	} `yaml:"prices"`
}

// ReadPrices reads a list of prices in the format of prices.yaml: dollars per million
// tokens. cache_read and cache_write default to input; max_input is optional; all other
// fields are required. name is used in errors.
func ReadPrices(r io.Reader, name string) (*Prices, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var file priceFile
	if _, err := yaml.Read(name, data, &file); err != nil {
		return nil, err
	}
	list := make([]Price, 0, len(file.Prices))
	for i, f := range file.Prices {
		p := Price{Provider: f.Provider, Model: f.Model, MaxInput: f.MaxInput}
		at := func(format string, args ...any) error {
			return fmt.Errorf("%s: prices[%d] (%s %s): %s", name, i, f.Provider, f.Model, fmt.Sprintf(format, args...))
		}
		if p.Provider == "" || p.Model == "" || f.Input == nil || f.Output == nil {
			return nil, at("expected provider, model, input and output")
		}
		if strings.Contains(strings.TrimSuffix(p.Model, "*"), "*") {
			return nil, at("model %q: expected a \"*\" at the end only", p.Model)
		}
		if p.MaxInput < 0 {
			return nil, at("max_input %d: expected a number of tokens, or nothing", p.MaxInput)
		}
		for _, field := range []struct {
			name  string
			value *float64
			to    *int64
		}{
			{"input", f.Input, &p.Input},
			{"output", f.Output, &p.Output},
			{"cache_read", cmp.Or(f.CacheRead, f.Input), &p.CacheRead},
			{"cache_write", cmp.Or(f.CacheWrite, f.Input), &p.CacheWrite},
		} {
			// More than a million dollars per million tokens is a mistake in the unit,
			// and sums might overflow.
			if v := *field.value; !(v >= 0 && v <= 1e6) {
				return nil, at("%s %v: expected dollars per million tokens, from 0 to 1000000", field.name, v)
			}
			*field.to = int64(math.Round(*field.value * 1e6))
		}
		if slices.ContainsFunc(list, func(o Price) bool { return o.Provider == p.Provider && o.Model == p.Model }) {
			return nil, at("duplicate entry: expected one price per model")
		}
		list = append(list, p)
	}
	return &Prices{layers: [][]Price{list}}, nil
}

// With returns a table that searches over first, and p for the models that over lacks.
func (p *Prices) With(over *Prices) *Prices {
	out := &Prices{}
	for _, q := range []*Prices{over, p} {
		if q != nil {
			out.layers = append(out.layers, q.layers...)
		}
	}
	return out
}

// Lookup returns the price of a provider's model. Of the matching entries it prefers
// the one with the longest model name, and among equals one that names the provider. A
// provider that runs on the user's machine costs 0 if the table has no price for it. ok
// is false if the price is unknown.
func (p *Prices) Lookup(provider, model string) (price Price, ok bool) {
	if p != nil {
		for _, list := range p.layers {
			for _, q := range list {
				if (q.Provider == provider || q.Provider == anyProvider) && q.names(model) && (!ok || q.better(price)) {
					price, ok = q, true
				}
			}
			if ok {
				return price, true
			}
		}
	}
	if kind := Protocols.find(provider); kind != nil && kind.Free || slices.Contains(free, provider) {
		return Price{Provider: provider, Model: model}, true
	}
	return Price{}, false
}

// version matches the suffixes of a model's name that denote a version of the same
// model.
var version = lazyregexp.New(`^(-latest|[-@][0-9]{4,8}|-[0-9]{4}-[0-9]{2}-[0-9]{2})$`)

// names reports whether the price applies to the model. A common prefix is not enough:
// "gpt-5-pro" costs twelve times as much as "gpt-5".
func (p Price) names(model string) bool {
	if prefix, ok := strings.CutSuffix(p.Model, "*"); ok {
		return strings.HasPrefix(model, prefix)
	}
	rest, ok := strings.CutPrefix(model, p.Model)
	return ok && (rest == "" || version().MatchString(rest))
}

func (p Price) better(q Price) bool {
	if len(p.Model) != len(q.Model) {
		return len(p.Model) > len(q.Model)
	}
	return p.Provider != anyProvider && q.Provider == anyProvider
}

// Cost returns the cost of a call in micro-dollars, rounded up. ok is false if the
// price of the model is unknown, or unknown for an input of that length.
func (p *Prices) Cost(provider, model string, u Usage) (micro int64, ok bool) {
	return p.Add(provider, model, u, new(int64))
}

// Add returns what a call adds to a sum of costs of which only the sum is rounded up. ahead is how
// far the sum is rounded up, in millionths of a micro-dollar. Add updates it.
func (p *Prices) Add(provider, model string, u Usage, ahead *int64) (micro int64, ok bool) {
	price, ok := p.Lookup(provider, model)
	if !ok || price.MaxInput > 0 && u.Input > price.MaxInput {
		return 0, false
	}
	owed := price.of(u) - *ahead
	micro = (owed + 999_999) / 1_000_000
	*ahead = micro*1_000_000 - owed
	return micro, true
}

// of returns the cost of a call in millionths of a micro-dollar.
func (p Price) of(u Usage) int64 {
	// It would be negative for providers that do not include cached tokens in the
	// input.
	plain := max(0, u.Input-u.CacheRead-u.CacheWrite)
	return int64(plain)*p.Input + int64(u.CacheRead)*p.CacheRead + int64(u.CacheWrite)*p.CacheWrite + int64(u.Output)*p.Output
}

// Require returns an error if the price of a model is unknown, because a budget could
// not be enforced. A run with a budget calls it before it starts.
func (p *Prices) Require(provider, model string) error {
	if _, ok := p.Lookup(provider, model); ok {
		return nil
	}
	return &Error{Kind: KindBudget, Provider: provider, Model: model,
		Message: "the price is unknown, so the budget cannot be enforced: add the model to a prices file, or run without a budget"}
}

// Most returns the maximum cost of a request, based on the estimate of its input.
func (p *Prices) Most(provider string, r Request) (int64, error) {
	if err := p.Require(provider, r.Model); err != nil {
		return 0, err
	}
	price, _ := p.Lookup(provider, r.Model)
	in := estimateInput(r) * hardMargin
	if price.MaxInput > 0 && in > price.MaxInput {
		return 0, &Error{Kind: KindBudget, Provider: provider, Model: r.Model, Message: fmt.Sprintf(
			"the price is known for inputs of up to %d tokens, and this one may have %d, so the budget cannot be enforced: "+
				"add the model to a prices file, or run without a budget",
			price.MaxInput, in)}
	}
	dearest := max(price.Input, price.CacheRead, price.CacheWrite)
	sum := int64(in)*dearest + int64(mostOutput(r))*price.Output
	return (sum + 999_999) / 1_000_000, nil
}
