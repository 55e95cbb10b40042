package wire

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/rag/embed"
	"github.com/assay-eval/assay/rag/rerank"
)

// reranks reports whether the built-in pipeline has a reranker.
func reranks(cfg config.Config) bool {
	return cfg.Reranker.Model != "" && cfg.Reranker.Model != config.NoStage
}

// Reranker opens the reranker that the settings name, which is the stage filter. It makes no
// calls before [Models.Connect].
func (m *Models) Reranker() (rag.Filter, error) {
	spec := m.cfg.Reranker.Model
	if f := m.cfg.Filter; f != config.NoStage && f != "" {
		return nil, config.About("reranker", fmt.Errorf("reranker %q and filter %q: both are the stage filter: want one of them", spec, f))
	}
	scorer, err := m.openReranker(spec)
	if err != nil {
		return nil, config.About("reranker", fmt.Errorf("reranker %q: %w", spec, err))
	}
	return rag.Reranker{Scorer: scorer}, nil
}

func (m *Models) openReranker(spec string) (*rerank.Ledgered, error) {
	name, model, _ := strings.Cut(spec, ":")
	p := m.cfg.Providers[name]
	kind := rerank.Find(cmp.Or(p.Kind, name))
	switch {
	case kind == nil && p.Kind != "":
		return nil, fmt.Errorf("provider %q is of kind %s, which does not rerank: want one of kind %q", name, p.Kind, rerank.Names())
	case kind == nil:
		return nil, fmt.Errorf("unknown provider %q: want one of %q, or one of these kinds that the configuration file defines under "+
			"providers", name, rerank.Names())
	case model == "":
		return nil, errors.New("want PROVIDER:MODEL, such as tei:BAAI/bge-reranker-base")
	case m.cfg.Offline && !m.cfg.Replay:
		return nil, errors.New("needs the network, which --offline forbids: want --replay, or --filter similarity")
	}
	if p.Kind == "" {
		p.BaseURL = m.cfg.Reranker.URL
	}
	if kind.Free {
		m.prices = llm.Free(name).With(m.prices)
	}
	l := &lazyProvider{provider: named(name), limits: p, models: []string{model}, needed: []string{model}}
	if !m.cfg.Replay { // a replay makes no calls, so it needs no key and no address
		source, err := kind.Open(llm.Options{
			Name: name, BaseURL: p.BaseURL, KeyEnv: p.KeyEnv, Getenv: m.world.Getenv, Extra: p.Extra,
		}, model)
		if err != nil {
			return nil, err
		}
		l.provider = rerank.Provider(name, source)
		l.server, _ = source.(llm.Reacher)
		l.account = strings.Join([]string{rerank.Operation, kind.Name, p.BaseURL, p.KeyEnv}, " ")
	}
	// No provider has a name with a space.
	m.providers["reranker "+spec] = l
	return rerank.NewLedgered(l, model, embed.Identity(kind.Name, name, model, p.Extra), kind.Batch), nil
}
