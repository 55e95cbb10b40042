package llm

import (
	_ "embed"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/yaml"
)

//go:embed prices.yaml
var published string

// A Price is what a provider asks for the tokens of a model, in micro-dollars
// per million tokens.
type Price struct {
	Provider string
	// Model is a model's name, which its dated versions share ("-20250929",
	// "-2024-08-06", "-latest"), or the beginning of names and a "*".
	Model string
	// Input is the price of tokens that are neither read from the provider's
	// prompt cache nor written to it.
	Input, CacheRead, CacheWrite, Output int64
	// MaxInput is the longest input that the price holds for; the price of a
	// longer one is unknown. 0 is no bound.
	MaxInput int
}

// Prices say what calls cost. Its zero value, and nil, knows no model. It is
// safe for concurrent use.
type Prices struct {
	// layers are asked in order: the first that knows a model decides.
	layers [][]Price
}

// anyProvider stands for every provider in a list of prices.
const anyProvider = "*"

// free are the providers beside those of [Protocols] that cost nothing unless a
// price says otherwise.
var free = []string{"fake", "offline"}

// Free returns prices by which every model of a provider costs nothing.
func Free(provider string) *Prices {
	return &Prices{layers: [][]Price{{{Provider: provider, Model: "*"}}}}
}

// PublishedPrices returns the list that comes with the program. It is as old as
// the dates in it (prices.yaml).
func PublishedPrices() (*Prices, error) {
	return ReadPrices(strings.NewReader(published), "prices.yaml")
}

// priceFile is the form of a list of prices, in dollars per million tokens.
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

// ReadPrices reads a list of prices in the form of prices.yaml: dollars per
// million tokens. cache_read and cache_write are those of input when they are
// not given; every other field but max_input is required. name is for errors.
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
			return nil, at("want provider, model, input and output")
		}
		if strings.Contains(strings.TrimSuffix(p.Model, "*"), "*") {
			return nil, at("model %q: want a \"*\" at the end only", p.Model)
		}
		if p.MaxInput < 0 {
			return nil, at("max_input %d: want a number of tokens, or nothing", p.MaxInput)
		}
		for _, field := range []struct {
			name  string
			value *float64
			to    *int64
		}{
			{"input", f.Input, &p.Input},
			{"output", f.Output, &p.Output},
			{"cache_read", or(f.CacheRead, f.Input), &p.CacheRead},
			{"cache_write", or(f.CacheWrite, f.Input), &p.CacheWrite},
		} {
			// A million dollars for a million tokens: beyond it is a mistake
			// in the unit, and sums might overflow.
			if v := *field.value; !(v >= 0 && v <= 1e6) {
				return nil, at("%s %v: want dollars per million tokens, from 0 to 1000000", field.name, v)
			}
			*field.to = int64(math.Round(*field.value * 1e6))
		}
		if slices.ContainsFunc(list, func(o Price) bool { return o.Provider == p.Provider && o.Model == p.Model }) {
			return nil, at("duplicate entry: want one price per model")
		}
		list = append(list, p)
	}
	return &Prices{layers: [][]Price{list}}, nil
}

func or(a, b *float64) *float64 {
	if a != nil {
		return a
	}
	return b
}

// With returns prices that ask over first, and p for the models that over does
// not know.
func (p *Prices) With(over *Prices) *Prices {
	out := &Prices{}
	for _, q := range []*Prices{over, p} {
		if q != nil {
			out.layers = append(out.layers, q.layers...)
		}
	}
	return out
}

// Lookup finds the price of a provider's model: of the entries that match, the
// one with the longest model name; among equals, one that names the provider. A
// provider that runs on the user's own machine, and has no price, costs 0. ok is
// false when the price is not known.
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
	if kind := find(provider); kind != nil && kind.Free || slices.Contains(free, provider) {
		return Price{Provider: provider, Model: model}, true
	}
	return Price{}, false
}

// version is what may follow a model's name without making it another model.
var version = regexp.MustCompile(`^(-latest|[-@][0-9]{4,8}|-[0-9]{4}-[0-9]{2}-[0-9]{2})$`)

// names reports whether the price is one of the model. That a longer name
// begins the same is not enough: "gpt-5-pro" costs twelve times "gpt-5".
func (p Price) names(model string) bool {
	if prefix, ok := strings.CutSuffix(p.Model, "*"); ok {
		return strings.HasPrefix(model, prefix)
	}
	rest, ok := strings.CutPrefix(model, p.Model)
	return ok && (rest == "" || version.MatchString(rest))
}

func (p Price) better(q Price) bool {
	if len(p.Model) != len(q.Model) {
		return len(p.Model) > len(q.Model)
	}
	return p.Provider != anyProvider && q.Provider == anyProvider
}

// Cost is what a call costs in micro-dollars, rounded up. ok is false when the
// price is not known, also for an input of that length.
func (p *Prices) Cost(provider, model string, u Usage) (micro int64, ok bool) {
	price, ok := p.Lookup(provider, model)
	if !ok || price.MaxInput > 0 && u.Input > price.MaxInput {
		return 0, false
	}
	return price.of(u), true
}

func (p Price) of(u Usage) int64 {
	// Providers that count the cached tokens apart from the others would make
	// this negative.
	plain := max(0, u.Input-u.CacheRead-u.CacheWrite)
	sum := int64(plain)*p.Input + int64(u.CacheRead)*p.CacheRead + int64(u.CacheWrite)*p.CacheWrite + int64(u.Output)*p.Output
	return (sum + 999_999) / 1_000_000
}

// Require returns an error when the price of a model is not known, so that a
// budget cannot be enforced. A run with a budget checks it before it starts.
func (p *Prices) Require(provider, model string) error {
	if _, ok := p.Lookup(provider, model); ok {
		return nil
	}
	return &Error{Kind: KindBudget, Provider: provider, Model: model,
		Message: "the price is unknown, so the budget cannot be enforced: add the model to a prices file, or run without a budget"}
}

// most is what a request may cost at most, as far as the estimate of its input
// goes.
func (p *Prices) most(provider string, r Request) (int64, error) {
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
