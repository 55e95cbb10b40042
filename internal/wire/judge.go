package wire

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/attack"
	"github.com/assay-eval/assay/judge/model"
	"github.com/assay-eval/assay/judge/offline"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// JudgeLanguage returns the language in which judges are asked; "" is that of each case.
func JudgeLanguage(cfg config.Config) judge.Language {
	if cfg.Judge.Language == config.AutoLanguage {
		return ""
	}
	return judge.Language(cfg.Judge.Language)
}

// openJudge opens the judge if a metric of the run is judged.
func (w *wiring) openJudge(metrics []metric.Metric) (j judging, err error) {
	asks := asksOf(metrics)
	if len(asks) == 0 {
		return j, nil
	}
	j.asked = judge.Plan{Asks: asks, Depth: w.cfg.Judge.Depth, Language: JudgeLanguage(w.cfg), Checks: w.checksOf(metrics)}
	if asks.Has(question.Marks.Name) {
		if j.asked.Rubric, err = w.rubric(); err != nil {
			return j, config.About("rubric", err)
		}
	}
	if estimates(w.cfg) {
		e, err := w.embedder()
		if err != nil {
			return j, err
		}
		if j.judge, err = w.offline(e); err != nil {
			return j, err
		}
		if entails(w.cfg) {
			j.judge, err = w.models.delegate(j.judge)
		}
		return j, err
	}
	if !models(w.cfg) { // only metrics for which claims and their support suffice are judged
		j.judge, err = w.models.delegate(nil)
		return j, err
	}
	draws, err := w.models.Draws(w.cfg)
	if err != nil {
		return j, err
	}
	if !entails(w.cfg) {
		j.redraw = draws
		j.judge = draws(0)
		return j, nil
	}
	if j.judge, err = w.models.delegate(draws(0)); err != nil {
		return j, err
	}
	j.redraw = func(draw int) judge.Judge {
		one, _ := w.models.delegate(draws(draw)) // it is opened
		return one
	}
	return j, nil
}

// offline returns the judge of formulas, which rules by the thresholds of its certificates.
func (w *wiring) offline(e assay.Embedder) (judge.Judge, error) {
	all, err := Certificates(w.cfg, w.world, false)
	if err != nil {
		return nil, err
	}
	j := offline.New(e)
	by := map[string]judge.Thresholds{}
	for _, t := range question.Tasks() {
		by[t.Operation()] = thresholdsOf(all, j.Info(), t.Operation())
	}
	return j.Ruling(by), nil
}

// estimates reports whether the user asked for formulas in place of a judge.
func estimates(cfg config.Config) bool { return slices.Equal(cfg.Judges, []string{"offline"}) }

// models reports whether models judge.
func models(cfg config.Config) bool { return len(cfg.Judges) > 0 && !estimates(cfg) }

// errNoJudge is why nothing is judged without a judge.
var errNoJudge = errors.New("needs a judge: --judge PROVIDER:MODEL, or --judge offline for a rough estimate")

// errNoFormula is why a metric is not estimated.
var errNoFormula = errors.New("needs a model as judge, no formula estimates it: --judge PROVIDER:MODEL")

// errMoreThanSupport is why a metric is not measured by a model made for entailment alone.
var errMoreThanSupport = errors.New("needs a judge beside the entailment model, which rules on the support of claims alone: " +
	"--judge PROVIDER:MODEL")

// withhold marks the judged metrics that the judge of the run cannot measure. It is an
// error if the run then measures nothing.
func withhold(cfg config.Config, metrics []metric.Metric) ([]metric.Metric, error) {
	why := errNoJudge
	switch {
	case estimates(cfg):
		why = errNoFormula
	case entails(cfg):
		why = errMoreThanSupport
	}
	out := slices.Clone(metrics)
	var names []string
	for i, m := range out {
		measured := models(cfg) || estimates(cfg) && estimable(m.Def) || entails(cfg) && entailable(m.Def)
		if len(m.Def.Asks) > 0 && !measured {
			out[i] = m.Unmeasured(why.Error())
			names = append(names, m.Name)
		}
	}
	if names != nil && len(names) == len(out) {
		return nil, fmt.Errorf("metrics %s: no metric of the run can be measured: each %w", strings.Join(names, ", "), why)
	}
	return out, nil
}

// reachable reports the thresholds, rules and the outcome on metrics that the judge
// of the run cannot measure: they could never be met.
func reachable(m measured, p gate.Policy) error {
	var problems []error
	unweighed := func(one metric.Metric) bool { return m.composite.Weight(one.Name) == 0 }
	if parts := slices.DeleteFunc(slices.Clone(m.metrics), unweighed); len(parts) > 0 && !slices.ContainsFunc(parts, func(m metric.Metric) bool { return m.Absent() == "" }) {
		problems = append(problems, fmt.Errorf("composite: no part of it can be measured: each %s", parts[0].Absent()))
	}
	for _, one := range m.metrics {
		why := one.Absent()
		if why == "" {
			continue
		}
		if _, ok := m.scoring.thresholds[one.Name]; ok {
			problems = append(problems, config.About(m.scoring.keys[one.Name], fmt.Errorf("thresholds: %s %s", one.Name, why)))
		}
		for _, r := range p.Rules {
			if r.Quantity == one.Name || r.Quantity == one.Def.Name {
				problems = append(problems, config.About("gate.rules", fmt.Errorf("gate: %q: %s %s", r, one.Name, why)))
			}
		}
		if m.outcome.Metric == one.Name {
			problems = append(problems, config.About("outcome", fmt.Errorf("outcome: %s %s", one.Name, why)))
		}
	}
	return errors.Join(problems...)
}

// Judge opens the judge that a configuration names: one model, or a panel.
func (m *Models) Judge(cfg config.Config) (judge.Judge, error) {
	at, err := m.Draws(cfg)
	if err != nil {
		return nil, err
	}
	return at(0), nil
}

// Draws opens the same models and returns the judge for each draw of a case. No
// two draws share a call.
func (m *Models) Draws(cfg config.Config) (at func(draw int) judge.Judge, err error) {
	if slices.ContainsFunc(cfg.Judges, func(s string) bool { return s == "offline" }) {
		return nil, config.About("judge", fmt.Errorf("judges %s: the estimates of the offline judge cannot be combined with the rulings "+
			"of a model; use one or the other", strings.Join(cfg.Judges, ", ")))
	}
	var judges []func(draw int) judge.Judge
	for i, spec := range cfg.Judges {
		if slices.Contains(cfg.Judges[:i], spec) || spec == cfg.ThirdJudge {
			return nil, config.About("judge", fmt.Errorf("duplicate judge %q on the panel; use different judges, or more --passes", spec))
		}
		one, err := m.one(spec, cfg)
		if err != nil {
			return nil, config.About("judge", fmt.Errorf("judge %q: %w", spec, err))
		}
		judges = append(judges, one)
	}
	if cfg.ThirdJudge != "" && len(cfg.Judges) < 2 {
		return nil, config.About("third-judge",
			fmt.Errorf("third judge %q: it decides where two judges disagree; give two or more in --judge", cfg.ThirdJudge))
	}
	third := func(int) judge.Judge { return nil }
	if cfg.ThirdJudge != "" {
		if third, err = m.one(cfg.ThirdJudge, cfg); err != nil {
			return nil, config.About("third-judge", fmt.Errorf("third judge %q: %w", cfg.ThirdJudge, err))
		}
	}
	panel := func(draw int) judge.PanelConfig {
		p := judge.PanelConfig{RequireAll: cfg.RequireAll, Third: third(draw)}
		for _, j := range judges {
			p.Judges = append(p.Judges, j(draw))
		}
		return p
	}
	if err := panel(0).Check(); err != nil {
		return nil, err
	}
	return func(draw int) judge.Judge { return judge.NewPanel(panel(draw)) }, nil
}

// one opens one judge, with its passes, for every draw of a case.
func (m *Models) one(spec string, cfg config.Config) (func(draw int) judge.Judge, error) {
	opened, err := m.OpenJudge(spec)
	if err != nil {
		return nil, err
	}
	asked, err := model.New(model.Config{Provider: opened.Provider, Request: opened.Base, Window: cfg.Judge.Window})
	if err != nil {
		return nil, err
	}
	m.judges = append(m.judges, asked)
	return func(draw int) judge.Judge {
		first := draw * judge.Draws(cfg.Passes)
		passes := judge.Passes{Most: cfg.Passes, All: cfg.Recheck == config.RecheckAll}
		return judge.Voting(passes, func(pass int) judge.Judge { return asked.At(first + pass) })
	}, nil
}

// rubric reads the marking scheme of the metric rubric.
func (w *wiring) rubric() (judge.Rubric, error) {
	if w.cfg.Rubric == "" {
		return judge.Rubric{}, errors.New("the metric rubric needs a marking scheme; use --set rubric=FILE")
	}
	data, err := os.ReadFile(w.world.read(w.cfg.Rubric))
	if err != nil {
		return judge.Rubric{}, fmt.Errorf("rubric: %w", err)
	}
	return judge.ReadRubric(w.cfg.Rubric, data)
}

// estimable reports whether the offline judge can estimate everything that a
// metric reads.
func estimable(d *metric.Def) bool {
	return !slices.ContainsFunc(d.Asks.Tasks(), func(t judge.AnyTask) bool { return !offline.Estimates(t) })
}

// asksOf returns the questions that the metrics put to a judge.
func asksOf(metrics []metric.Metric) (asks judge.Asks) {
	for _, m := range metrics {
		asks = asks.Join(m.Asks())
	}
	return asks
}

// forged returns the beginning of what an answer imitates; see [attack.Forged].
func forged(answer string) string { return text.Shorten(attack.Forged(answer), 80) }
