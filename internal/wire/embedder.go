package wire

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/rag/embed"
)

// embedderOf returns the embedder setting. An embedder command implies its kind unless
// another embedder is named.
func embedderOf(cfg config.Config) string {
	if cfg.EmbedderCommand != "" && cfg.Embedder == embed.BuiltIn {
		return config.Command
	}
	return cfg.Embedder
}

// asksEmbedder reports whether the embedder is outside of this process.
func asksEmbedder(cfg config.Config) bool { return embedderOf(cfg) != embed.BuiltIn }

// embedsPassages reports whether the built-in pipeline embeds its corpus.
func embedsPassages(cfg config.Config) bool { return cfg.Retriever != rag.Sparse }

// pipelineEmbeds reports whether a stage of the built-in pipeline embeds anything.
func pipelineEmbeds(cfg config.Config) bool {
	return embedsPassages(cfg) || cfg.Filter == config.Similarity || cfg.Generator == rag.Extractive && cfg.ExtractBy == "embedding"
}

// Embedder opens the embedder that the settings name, once. One outside of this process
// makes no calls before [Models.Connect]; it embeds each text once, and its vectors are
// kept in memory besides.
func (m *Models) Embedder() (assay.Embedder, error) {
	spec := embedderOf(m.cfg)
	if spec == embed.BuiltIn {
		return embed.New(spec)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.embedder == nil {
		opened, err := m.openEmbedder(spec)
		if err != nil {
			return nil, fmt.Errorf("embedder %q: %w", spec, err)
		}
		m.vectors, m.embedder = opened, embed.Memo(opened)
	}
	return m.embedder, nil
}

func (m *Models) openEmbedder(spec string) (*embed.Ledgered, error) {
	name, model, _ := strings.Cut(spec, ":")
	p := m.cfg.Providers[name]
	kind := embed.Find(cmp.Or(p.Kind, name))
	servers := embed.KindNames(func(k *embed.Kind) bool { return k.Server })
	switch {
	case kind == nil && p.Kind != "":
		return nil, fmt.Errorf("provider %q is of kind %s, which does not embed: want one of kind %q", name, p.Kind, servers)
	case kind == nil:
		return nil, fmt.Errorf("unknown provider %q: want one of %q, or one of kind %q that the configuration file defines under providers",
			name, slices.Concat(embed.Words(), servers), servers)
	case kind.Server && model == "":
		return nil, errors.New("want PROVIDER:MODEL, such as openai:text-embedding-3-small")
	case kind.Server && m.cfg.Offline && !m.cfg.Replay:
		return nil, errors.New("needs the network, which --offline forbids: want --replay, or the built-in " + embed.BuiltIn)
	}
	if p.Kind == "" {
		p.BaseURL = m.cfg.EmbedderURL
	}
	if kind.Free {
		m.prices = llm.Free(name).With(m.prices)
	}
	identity := embed.Identity(kind.Name, name, cmp.Or(model, m.cfg.EmbedderCommand), p.Extra)
	model = cmp.Or(model, kind.Name)
	l := &lazyProvider{provider: named(name), limits: p, models: []string{model}, needed: []string{model}}
	if !kind.Server || !m.cfg.Replay { // a replay makes no calls, so it needs no key and no address
		source, err := kind.Open(embed.Setup{
			Options: llm.Options{Name: name, BaseURL: p.BaseURL, KeyEnv: p.KeyEnv, Getenv: m.world.Getenv, Extra: p.Extra},
			Model:   model, Command: m.cfg.EmbedderCommand, Dir: m.world.Path("."), Stderr: m.world.Stderr,
		})
		if err != nil {
			return nil, err
		}
		l.provider = embed.Provider(name, source)
		l.server, _ = source.(llm.Reacher)
		l.account = strings.Join([]string{embed.Operation, kind.Name, p.BaseURL, p.KeyEnv}, " ")
	}
	// No provider has a name with a space.
	m.providers["embedder "+spec] = l
	return embed.NewLedgered(l, model, identity, kind.Batch), nil
}

// vectorsKey is the name under which the header of a run describes the vectors of an
// embedder outside of this process: only they show it.
const vectorsKey = "embedder_vectors"

// form describes the vectors that the embedder has returned; "" if there are none.
func (m *Models) form() string {
	if m.vectors == nil {
		return ""
	}
	return m.vectors.Form()
}

// cut warns of texts that are longer than the embedder's model reads.
func (m *Models) cut() []string {
	if m.vectors == nil || m.vectors.Cut() == 0 {
		return nil
	}
	return []string{fmt.Sprintf("embedder %s: up to %d texts are longer than its model reads, and their vectors are those of their "+
		"beginning (--chunk-size makes passages shorter)", m.vectors.Identity(), m.vectors.Cut())}
}
