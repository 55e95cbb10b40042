package wire

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/entail"
	"github.com/assay-eval/assay/judge/offline"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/reach"
	"github.com/assay-eval/assay/metric"
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
	all, err := Certificates(m.cfg, m.world, m.tested)
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

// entailmentName is the name of the setting, which its provider begins with.
const entailmentName = "entailment"

// openEntailment opens the scorer, and describes it.
func (m *Models) openEntailment(spec string) (entail.Config, error) {
	name, _, _ := strings.Cut(spec, ":")
	p := m.cfg.Providers[name]
	if entail.Kinds.Find(cmp.Or(p.Kind, name)) == nil && (slices.Contains(kinds(), name) || slices.Contains(llm.Kinds(), p.Kind)) {
		return m.openYesNo(spec)
	}
	set := m.cfg.Entailment
	s, err := outside[entail.Source]{
		kinds: entail.Kinds, what: entailmentName, does: "rule on entailment", instead: "a program on this machine", others: kinds(),
		otherKinds: llm.Kinds(),
		unnamed:    set.Command, operation: entail.Operation, url: set.URL,
		setup: entail.Setup{Label: set.Label, Command: set.Command, Python: m.cfg.Python}, provider: entail.Provider,
	}.open(m, spec)
	if err != nil {
		return entail.Config{}, err
	}
	form := s.identity
	if set.Label != "" {
		form += " label " + set.Label
	}
	return entail.Config{Scorer: entail.NewLedgered(s.client, s.model, form, s.batch), Provider: s.name, Model: s.model, Form: form}, nil
}

// openYesNo opens a model that chats.
func (m *Models) openYesNo(spec string) (entail.Config, error) {
	opened, err := m.needed(spec, where{url: m.cfg.Entailment.URL})
	if err != nil {
		return entail.Config{}, err
	}
	base := opened.Base
	form := entail.FormFor(base.Model)
	return entail.Config{
		Scorer:   entail.NewYesNo(opened.Provider, llm.Request{Model: base.Model, Extra: base.Extra, MaxTokens: base.MaxTokens}, form, m.warn),
		Provider: opened.Provider.Name(), Model: base.Model, Form: reach.Identity(form.Words(), form.Words(), "", base.Extra),
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
