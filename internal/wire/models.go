package wire

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/model"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag/embed"
	"github.com/assay-eval/assay/store"
)

// Models opens the models that a configuration names. All calls of a run go
// through its ledger and count against its budget.
//
// Models are opened before there is a ledger, which [Models.Connect] adds. This
// way a mistake in a name or a missing key is found before anything is written.
type Models struct {
	cfg    config.Config
	world  World
	prices *llm.Prices
	// providers are the opened providers, by name.
	providers map[string]*lazyProvider
	// limits are shared by all clients of the process, and by all processes that evaluate a run
	// together; nil shares nothing.
	limits *llm.Limits
	// budget is nil before Connect, or if there is no limit.
	budget *llm.Budget
	// collect is set if warnings about models are taken out of their replies.
	collect bool
	// embedder and vectors are nil before Embedder, and for the built-in one; embedder has
	// those vectors in memory.
	embedder assay.Embedder
	vectors  *embed.Ledgered
	// entailment is the judge of the setting "entailment", nil before Entailment; certified are
	// its thresholds that are from labels.
	entailment judge.Judge
	certified  judge.Thresholds
	// tested is set if the judge is tested and not used: it may have no certificate yet.
	tested bool
	// judges are the models that judge, each once.
	judges []*model.Judge
	// closers are programs that models run in.
	closers []io.Closer
	mu      sync.Mutex
	warns   []string
}

// Close gives other processes that evaluate the run what it did not spend of the budget.
func (m *Models) Close(ctx context.Context) error { return m.budget.Close(ctx) }

// End ends the programs that models run in.
func (m *Models) End() error {
	var err error
	for _, c := range m.closers {
		err = errors.Join(err, c.Close())
	}
	return err
}

// Collect has [Models.Connect] take the warnings about models out of their replies, so that only
// [Models.Warnings] returns them. A process has each of them once, with whichever reply comes
// first, so that the case which it would be told of differs from run to run.
func (m *Models) Collect() { m.collect = true }

// A lazyProvider is a provider that is opened before there is a ledger.
// [Models.Connect] sets its client.
type lazyProvider struct {
	provider llm.Provider
	// server is what the provider calls; nil if it calls none.
	server llm.Reacher
	limits config.Provider
	at     where
	// address is where the provider asks, "" if it says so itself, see [llm.Located].
	address string
	// account identifies what the provider limits: its address and the account of the
	// key.
	account string
	// client is nil until Connect, and so is word, which asks whether the server is there.
	client, word llm.Provider
	// warn takes the warnings out of replies; nil leaves them.
	warn   func(string)
	models []string
	// needed are the models that a run certainly asks.
	needed []string
}

// Name returns the name of the provider.
func (l *lazyProvider) Name() string { return l.provider.Name() }

// Complete sends the request through the client.
func (l *lazyProvider) Complete(ctx context.Context, r llm.Request) (llm.Reply, error) {
	if l.client == nil {
		return llm.Reply{}, &llm.Error{Kind: llm.KindLedger, Provider: l.Name(), Model: r.Model, Message: "asked before there is a ledger"}
	}
	reply, err := l.client.Complete(ctx, r)
	if l.warn != nil {
		for _, w := range reply.Warnings {
			l.warn(w)
		}
		reply.Warnings = nil
	}
	return reply, err
}

// CompleteEach sends the request through the client.
func (l *lazyProvider) CompleteEach(ctx context.Context, r llm.Request, divide llm.Divide) ([]llm.Reply, error) {
	each, ok := l.client.(llm.Each)
	if !ok {
		return nil, &llm.Error{Kind: llm.KindLedger, Provider: l.Name(), Model: r.Model, Message: "asked before there is a ledger"}
	}
	return each.CompleteEach(ctx, r, divide)
}

// Reject tells the client that a reply could not be used.
func (l *lazyProvider) Reject(ctx context.Context, r llm.Request, reason string) error {
	return llm.Reject(ctx, l.client, r, reason)
}

// OpenModels reads the prices. It opens no model.
func OpenModels(cfg config.Config, w World) (*Models, error) {
	if cfg.Replay && cfg.Refresh {
		return nil, errors.New("--replay and --refresh contradict each other; use one of them")
	}
	prices, err := llm.PublishedPrices()
	if err != nil {
		return nil, err
	}
	if cfg.Prices != "" {
		data, err := os.ReadFile(w.read(cfg.Prices))
		if err != nil {
			return nil, config.About("prices", fmt.Errorf("prices: %w", err))
		}
		own, err := llm.ReadPrices(bytes.NewReader(data), cfg.Prices)
		if err != nil {
			return nil, config.About("prices", fmt.Errorf("prices: %w", err))
		}
		prices = prices.With(own)
	}
	return &Models{cfg: cfg, world: w, prices: prices, limits: w.Limits, providers: map[string]*lazyProvider{}}, nil
}

// scripted returns the name of the model that a script of the fake provider
// defines: the name of its file, regardless of the folder. Thus replies of one
// script are not taken for those of another.
func scripted(file string) string {
	if file == "" {
		return "simulated"
	}
	return strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
}

// kinds lists the providers that need no definition.
func kinds() []string { return append(llm.Kinds(), "fake") }

// A Model is an opened model, with the request that every request to it is
// based on.
type Model struct {
	Provider llm.Provider
	Base     llm.Request
}

// A where is the address and the key's variable of a role's model, for a provider that the
// configuration does not define. The zero value is the provider's own.
type where struct{ url, keyEnv string }

// judgesAt is the place of the judges.
func (m *Models) judgesAt() where { return where{m.cfg.Judge.URL, m.cfg.Judge.KeyEnv} }

// Open returns the model that "PROVIDER:MODEL" names, and expects it to be asked: see
// [Models.Reach]. For the fake provider the model is the file of its script, or empty. The
// model is no judge: the judges' address and key are not its own.
func (m *Models) Open(spec string) (Model, error) { return m.needed(spec, where{}) }

// OpenJudge is Open for a model that judges, or that stands in for one by default.
func (m *Models) OpenJudge(spec string) (Model, error) { return m.needed(spec, m.judgesAt()) }

func (m *Models) needed(spec string, at where) (Model, error) {
	one, err := m.open(spec, at)
	if err == nil {
		l := one.Provider.(*lazyProvider)
		l.needed = append(l.needed, one.Base.Model)
	}
	return one, err
}

// open is Open for a model that may not be asked.
func (m *Models) open(spec string, at where) (Model, error) {
	name, model, _ := strings.Cut(spec, ":")
	l, ok := m.providers[name]
	if _, defined := m.cfg.Providers[name]; ok && !defined && l.server != nil && l.at != at {
		return Model{}, fmt.Errorf("provider %q would have two addresses or keys: that of one role (%s) is never used for another. "+
			"Define a provider for each under providers in the configuration file, with kind: %s and its base_url, and name those",
			name, strings.Join(addressSettings, ", "), name)
	}
	if !ok || name == "fake" || model == "" {
		var err error
		if l, err = m.lazy(name, model, at); err != nil {
			return Model{}, err
		}
		// Each script of the fake provider is a provider of its own.
		m.providers[name+strings.Repeat("+", m.count(name))] = l
	}
	if name == "fake" {
		model = scripted(model)
	}
	l.models = append(l.models, model)
	j := m.cfg.Judge
	return Model{Provider: l, Base: llm.Request{
		Model: model, MaxTokens: j.MaxTokens, Temperature: &j.Temperature, Thinking: j.Thinking, Extra: m.cfg.Providers[name].Extra,
	}}, nil
}

func (m *Models) count(name string) int {
	n := 0
	for m.providers[name+strings.Repeat("+", n)] != nil {
		n++
	}
	return n
}

// addressSettings are the settings that say where the model of one role is.
var addressSettings = []string{"--judge-url", "--set judge-key-env", "--set entailment-url"}

func (m *Models) lazy(name, model string, at where) (*lazyProvider, error) {
	defined, ok := m.cfg.Providers[name]
	switch {
	case name == "offline":
		return nil, errors.New(`"offline" is not a model: it can only be the single judge`)
	case name == "fake":
		p, address, err := m.fake(model)
		return &lazyProvider{provider: p, address: address, account: name + " " + model}, err
	case !ok && !slices.Contains(kinds(), name):
		return nil, fmt.Errorf("unknown provider %q: expected one of %q, one that the configuration file defines under providers, or offline",
			name, append(kinds(), slices.Sorted(maps.Keys(m.cfg.Providers))...))
	case model == "":
		return nil, fmt.Errorf("%q has no model: expected PROVIDER:MODEL", name)
	case !ok:
		defined = config.Provider{Kind: name, BaseURL: at.url, KeyEnv: at.keyEnv}
	}
	if m.cfg.Offline && !m.cfg.Replay {
		return nil, fmt.Errorf("%s:%s needs the network, which --offline forbids; use --replay, or the judge offline", name, model)
	}
	options := llm.Options{
		Name: name, BaseURL: defined.BaseURL, KeyEnv: defined.KeyEnv, Getenv: m.world.Getenv,
		Thinking: cmp.Or(defined.Thinking, thinkingIn(defined)),
	}
	if m.cfg.Replay {
		// A replay makes no calls, so it needs no key, and takes the replies of any address.
		return &lazyProvider{provider: named(name), address: llm.AddressOf(defined.Kind, options)}, nil
	}
	p, err := llm.Open(defined.Kind, options)
	if errors.Is(err, llm.ErrNoKey) && m.world.Dry {
		return &lazyProvider{provider: keyless{named(name), err}, limits: defined}, nil
	}
	server, _ := p.(llm.Reacher)
	account := strings.Join([]string{defined.Kind, defined.BaseURL, defined.KeyEnv}, " ")
	return &lazyProvider{provider: p, server: server, at: at, limits: defined, account: account}, err
}

// named is a provider that is only replayed.
type named string

func (n named) Name() string { return string(n) }

func (n named) Complete(_ context.Context, r llm.Request) (llm.Reply, error) {
	return llm.Reply{}, &llm.Error{Kind: llm.KindReplay, Provider: string(n), Model: r.Model, Message: "the ledger alone may answer"}
}

// keyless is a provider without a key, in a dry run that calls it only to try the target.
type keyless struct {
	named
	missing error
}

func (k keyless) Complete(_ context.Context, r llm.Request) (llm.Reply, error) {
	return llm.Reply{}, &llm.Error{Kind: llm.KindAuth, Provider: string(k.named), Model: r.Model, Message: k.missing.Error()}
}

// thinkingIn returns the field for thinking that a definition already has in its extra
// fields; "" if there is none, or if its kind has one field only.
func thinkingIn(p config.Provider) string {
	name := llm.ThinkingIn(p.Extra)
	if llm.CheckThinking(p.Kind, name) != nil {
		return ""
	}
	return name
}

// fake reads the script of the fake provider, and returns its identity in place of an address: kept replies of another
// script are not its own. Without a script, the provider acts as a judge and as the stages of the built-in pipeline.
func (m *Models) fake(file string) (p llm.Provider, address string, err error) {
	script := llm.FakeScript{Simulate: true}
	if file != "" {
		data, err := os.ReadFile(m.world.read(file))
		if err != nil {
			return nil, "", fmt.Errorf("fake provider: %w", err)
		}
		if script, err = llm.ReadFakeScript(file, data); err != nil {
			return nil, "", err
		}
		script.Log = m.world.Path(script.Log)
		address = script.Identity()
	}
	script.Answer, script.Now = play, m.world.Now
	p, err = llm.NewFake(script)
	return p, address, err
}

// Connect gives the models their ledger. Calls are paid for by run, which has
// already spent the given number of micro-dollars. It may be called again, between calls.
func (m *Models) Connect(ledger llm.Ledger, run string, spent int64) error {
	if err := m.budget.Close(context.Background()); err != nil { // of what was connected before
		return err
	}
	m.budget = nil
	if most := int64(m.cfg.MaxCost * 1e6); m.cfg.MaxCost > 0 {
		m.budget = llm.NewBudget(most, spent)
		if m.limits != nil && m.limits.Common != nil {
			m.budget = llm.NewSharedBudget(most, run, m.limits.Common)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.providers)) {
		l := m.providers[name]
		c := llm.ClientConfig{
			Provider: l.provider, Address: l.address, Ledger: ledger, Run: run, Prices: m.prices, Budget: m.budget,
			Concurrency: m.cfg.Judge.Concurrency, Limits: m.limits, Shared: l.account,
			Retries: m.cfg.Judge.Retries, Timeout: m.cfg.Judge.Timeout,
			RequestsPerMinute: m.cfg.Judge.RPM, TokensPerMinute: m.cfg.Judge.TPM,
			Now: m.world.Now, Random: m.world.Random, Seed: m.cfg.Seed, Warn: m.warn, Stop: m.world.Stop,
		}
		if s, ok := ledger.(*store.Store); ok {
			if requests := s.Requests(); requests != nil {
				c.Claims = requests
			}
		}
		if c.Retries == 0 {
			c.Retries = -1
		}
		if l.limits.RPM > 0 {
			c.RequestsPerMinute = l.limits.RPM
		}
		if l.limits.TPM > 0 {
			c.TokensPerMinute = l.limits.TPM
		}
		switch {
		case m.cfg.Replay:
			c.Mode = llm.Replay
		case m.cfg.Refresh:
			c.Mode = llm.Refresh
		}
		client, err := llm.NewClient(c)
		if err != nil {
			return err
		}
		if l.client = client; m.collect {
			l.warn = m.warn
		}
		if asked, ok := l.server.(llm.Provider); ok {
			if l.word, err = llm.NewClient(llm.ClientConfig{
				Provider: asked, Ledger: ledger, Run: run, Prices: m.prices, Budget: m.budget, Retries: -1, Now: m.world.Now, Random: m.world.Random,
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

// Check returns an error if there is a budget and the price of a model is not
// known. Without a budget, it returns warnings about such models.
func (m *Models) Check() (warnings []string, err error) {
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(m.providers)) {
		l := m.providers[name]
		for _, model := range slices.Compact(slices.Sorted(slices.Values(l.models))) {
			switch err := m.prices.Require(l.Name(), model); {
			case err == nil || m.cfg.Replay:
			case m.cfg.MaxCost > 0:
				problems = append(problems, err)
			default:
				warnings = append(warnings, fmt.Sprintf("%s%s %s: its cost is not counted (--set prices=FILE can define it)",
					assay.UnknownPrice, l.Name(), model))
			}
		}
	}
	return warnings, errors.Join(problems...)
}

func (m *Models) warn(w string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !slices.Contains(m.warns, w) {
		m.warns = append(m.warns, w)
	}
}

// Warnings returns the warnings about the calls that were made.
func (m *Models) Warnings() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Sorted(slices.Values(m.warns))
}
