package wire

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/entail"
	"github.com/assay-eval/assay/judge/offline"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/rag/embed"
)

// entailmentOf returns the setting "entailment". A command implies its kind unless another
// model is named; "" is none.
func entailmentOf(cfg config.Config) string {
	if cfg.Entailment.Command != "" && cfg.Entailment.Model == "" {
		return config.Command
	}
	return cfg.Entailment.Model
}

// entails reports whether a model made for entailment rules on the support of claims.
func entails(cfg config.Config) bool { return entailmentOf(cfg) != "" }

// entailable reports whether a metric reads nothing but claims and their support, so that it
// needs no judge beside a model made for entailment.
func entailable(d *metric.Def) bool {
	return !slices.ContainsFunc(d.Asks.Tasks(), func(t judge.AnyTask) bool { return t != question.Read && t != question.Support })
}

// delegate puts the model made for entailment beside a judge, if there is one. Without a judge, base is
// nil, and claims are sentences.
func (m *Models) delegate(base judge.Judge) (judge.Judge, error) {
	if base == nil {
		base = offline.Sentences()
	}
	j, err := m.Entailment()
	if err != nil {
		return nil, config.About("entailment", fmt.Errorf("entailment %q: %w", entailmentOf(m.cfg), err))
	}
	return judge.Delegating(base, map[string]judge.Judge{entail.Task(): j}), nil
}

// Entailment opens the judge that the setting "entailment" names, once. It makes no calls before
// [Models.Connect].
func (m *Models) Entailment() (judge.Judge, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.entailment != nil {
		return m.entailment, nil
	}
	c, err := m.openEntailment(entailmentOf(m.cfg))
	if err != nil {
		return nil, err
	}
	c.Window = m.cfg.Entailment.Window
	plain, err := entail.New(c)
	if err != nil {
		return nil, err
	}
	all, err := Certificates(m.cfg, m.world)
	if err != nil {
		return nil, err
	}
	c.Thresholds = thresholdsOf(all, plain.Info(), entail.Task())
	j, err := entail.New(c)
	if err == nil {
		m.entailment, m.certified = j, c.Thresholds
	}
	return j, err
}

// openEntailment opens the scorer, and describes it.
func (m *Models) openEntailment(spec string) (entail.Config, error) {
	name, model, _ := strings.Cut(spec, ":")
	p := m.cfg.Providers[name]
	kind := entail.Find(cmp.Or(p.Kind, name))
	switch {
	case kind == nil && (slices.Contains(kinds(), name) || slices.Contains(llm.Kinds(), p.Kind)):
		return m.openYesNo(spec)
	case kind == nil && p.Kind != "":
		return entail.Config{}, fmt.Errorf("provider %q is of kind %s, which does not rule on entailment: want one of kind %q", name, p.Kind,
			append(llm.Kinds(), teiKinds()...))
	case kind == nil:
		return entail.Config{}, fmt.Errorf("unknown provider %q: want one of %q, or one that the configuration file defines under providers",
			name, append(kinds(), entail.Names()...))
	case kind.Wants != "" && model == "":
		return entail.Config{}, fmt.Errorf("want %s:%s, as in %s", name, kind.Wants, kind.Example)
	case kind.Wants == "" && model != "":
		return entail.Config{}, fmt.Errorf("want %s alone, as in %s", name, kind.Example)
	case kind.Server && m.cfg.Offline && !m.cfg.Replay:
		return entail.Config{}, errors.New("needs the network, which --offline forbids: want --replay, or a program on this machine")
	}
	if p.Kind == "" {
		p.BaseURL = m.cfg.Entailment.URL
	}
	if kind.Free {
		m.prices = llm.Free(name).With(m.prices)
	}
	form := embed.Identity(kind.Name, name, cmp.Or(model, m.cfg.Entailment.Command), p.Extra)
	if l := m.cfg.Entailment.Label; l != "" {
		form += " label " + l
	}
	model = cmp.Or(model, m.cfg.Entailment.Command)
	l := &lazyProvider{provider: named(name), limits: p, models: []string{model}, needed: []string{model}}
	if !m.cfg.Replay { // a replay makes no calls, so it needs no key, no address and no program
		source, err := kind.Open(entail.Setup{
			Options: llm.Options{Name: name, BaseURL: p.BaseURL, KeyEnv: p.KeyEnv, Getenv: m.world.Getenv, Extra: p.Extra},
			Model:   model, Label: m.cfg.Entailment.Label, Command: m.cfg.Entailment.Command, Python: m.cfg.Python,
			Dir: m.world.Path("."), Stderr: m.world.Stderr,
		})
		if err != nil {
			return entail.Config{}, err
		}
		l.provider = entail.Provider(name, source)
		l.server, _ = source.(llm.Reacher)
		l.account = strings.Join([]string{entail.Operation, kind.Name, p.BaseURL, p.KeyEnv}, " ")
		if c, ok := source.(io.Closer); ok {
			m.closers = append(m.closers, c)
		}
	}
	m.providers[entailmentPrefix+spec] = l
	return entail.Config{Scorer: entail.NewLedgered(l, model, form, kind.Batch), Provider: name, Model: model, Form: form}, nil
}

// entailmentPrefix stands before the name of a provider that scores entailment: no provider
// has a name with a space.
const entailmentPrefix = "entailment "

// teiKinds lists the kinds of servers that classify pairs.
func teiKinds() []string {
	return slices.DeleteFunc(entail.Names(), func(name string) bool { return !entail.Find(name).Server })
}

// openYesNo opens a model that chats.
func (m *Models) openYesNo(spec string) (entail.Config, error) {
	opened, err := m.Open(spec)
	if err != nil {
		return entail.Config{}, err
	}
	base := opened.Base
	form := entail.FormFor(base.Model)
	return entail.Config{
		Scorer:   entail.NewYesNo(opened.Provider, llm.Request{Model: base.Model, Extra: base.Extra}, form, m.warn),
		Provider: opened.Provider.Name(), Model: base.Model, Form: embed.Identity(form.Words(), form.Words(), "", base.Extra),
	}, nil
}

// uncertified warns of the languages of the cases in which the threshold of the entailment model is not from
// labels.
func (m *Models) uncertified(languages map[string]int) []string {
	if m.entailment == nil {
		return nil
	}
	var out []string
	for _, l := range []judge.Language{judge.English, judge.Chinese} {
		if _, ok := m.certified[l]; !ok && languages[string(l)] > 0 {
			out = append(out, fmt.Sprintf("entailment %s: the threshold %g for cases in %q is not from labels: assay judge certify finds one",
				entailmentOf(m.cfg), entail.DefaultThreshold, l))
		}
	}
	return out
}

// tried asks the entailment model about one pair, to check that it is there.
func (m *Models) tried(ctx context.Context) error {
	j, err := m.Entailment()
	if err != nil {
		return err
	}
	_, err = question.Support.Ask(ctx, j, judge.Subject{Language: judge.English}, question.SupportInput{
		Claims: []judge.Claim{{Text: "The door is open."}}, Sources: []judge.Source{{Text: "The door is open."}},
	})
	return err
}
