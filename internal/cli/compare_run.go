package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/job"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/summary"
)

// retrievers are those of the built-in pipeline, each a config by its name.
var retrievers = []string{"dense", "sparse", "hybrid"}

// ran runs configs on the same cases. All of them are made ready before the
// first is run, so that a mistake in the last costs nothing. One that fails does
// not stop the others.
func (p *comparison) ran(ctx context.Context, configs, words []string) (all []*side, err error) {
	if all, err = p.sides(ctx, configs); err != nil {
		return nil, err
	}
	defer func() {
		for _, s := range all {
			if s.job != nil {
				err = errors.Join(err, s.job.Close())
			}
		}
	}()
	progress := progressFor(p.env, p.f.runFlags)
	if b, ok := progress.(*bars); ok {
		defer b.close()
	}
	command := append(commandLine("compare", p.flags), words...)
	for _, s := range all {
		if s.settings == nil {
			continue
		}
		if s.job, err = p.ready(ctx, s, progress, command); err != nil {
			return nil, err
		}
	}
	if err := p.foresee(ctx, all); err != nil {
		return nil, err
	}
	st, err := store.Open(ctx, p.env.Path(p.common.Store))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	var failed []error
	var done []*side
	var hints []string
	for i, s := range all {
		if s.job == nil {
			done = append(done, s)
			continue
		}
		if b, ok := progress.(*bars); ok {
			b.name = s.ref
		}
		started := p.env.Now()
		rep, ended := s.job.Run(ctx, st)
		if b, ok := progress.(*bars); ok {
			b.close()
		}
		if job.Interrupted(ended) {
			return nil, p.interrupted(all[:i], s, rep)
		}
		if ended == nil {
			ended = allFailed(rep)
		}
		if ended != nil {
			failed = append(failed, fmt.Errorf("config %q: %w", s.ref, ended))
			if rep != nil {
				hints = append(hints, fmt.Sprintf("assay run --resume=%s continues %s", rep.Header.ID, s.ref))
			}
			continue
		}
		s.rep = rep
		done = append(done, s)
		if err := p.note(rep, p.env.Now().Sub(started)); err != nil {
			return nil, err
		}
	}
	if failed == nil {
		return done, distinguish(done)
	}
	problem := &ExitError{Code: ExitFatal, Err: errors.Join(failed...), Hints: hints}
	if len(done) < 2 {
		return nil, problem
	}
	if done[0] != all[0] {
		p.env.Warn("%s, the baseline, failed: the others are compared with %s", all[0].ref, done[0].ref)
	}
	return done, errors.Join(distinguish(done), problem)
}

// note keeps a run in the history, and says that it is finished.
func (p *comparison) note(rep *report.Report, took time.Duration) error {
	base := p.f.output
	if base == "" {
		base = comparisonBase
	}
	if !p.f.quiet && !p.f.json {
		p.env.Warn("%s: %s in %s, run %s", rep.Name(), counted(len(rep.Records), "case"), took.Round(10*time.Millisecond), rep.Header.ID)
	}
	return report.AppendHistory(filepath.Join(filepath.Dir(p.env.Path(base)), historyFile), rep)
}

// allFailed is the error of a run in which the target failed every case.
func allFailed(rep *report.Report) error {
	if s := rep.Summary; s.Cases == 0 || s.Errors < s.Cases {
		return nil
	}
	return fmt.Errorf("the target failed %s%s", allCases(rep.Summary.Cases), firstFailure(rep))
}

// interrupted says what is kept and how to go on.
func (p *comparison) interrupted(before []*side, s *side, rep *report.Report) error {
	e := &ExitError{Code: ExitInterrupted, Err: fmt.Errorf("interrupted before the first case of %q", s.ref)}
	var finished []string
	for _, b := range before {
		switch {
		case b.job == nil:
			finished = append(finished, b.ref)
		case b.rep != nil:
			finished = append(finished, b.rep.Header.ID)
		}
	}
	if rep != nil && len(rep.Records) > 0 {
		e.Err = fmt.Errorf("interrupted in %q, after %d of %d cases", s.ref, len(rep.Records), rep.Header.Asked())
		e.Hints = append(e.Hints, fmt.Sprintf("assay run --resume=%s continues %s", rep.Header.ID, s.ref))
		finished = append(finished, rep.Header.ID)
	}
	if len(finished) > 1 {
		e.Hints = append(e.Hints, "then assay compare "+strings.Join(finished, " ")+" compares what there is")
	}
	e.Hints = append(e.Hints, "the same command runs all configs again; what models were paid for is not paid for twice")
	return e
}

// sides gives what is compared, the baseline first: configs that are to be run,
// and a run that is kept, if the baseline is one.
func (p *comparison) sides(ctx context.Context, configs []string) ([]*side, error) {
	if b := p.f.baseline; b != "" {
		if i := slices.Index(configs, b); i > 0 {
			configs = slices.Insert(slices.Delete(slices.Clone(configs), i, i+1), 0, b)
		} else if i < 0 && p.isConfig(b) {
			configs = slices.Insert(slices.Clone(configs), 0, b)
		}
	}
	var all []*side
	if b := p.f.baseline; b != "" && !slices.Contains(configs, b) {
		s, err := p.load(ctx, b)
		if err != nil {
			return nil, fmt.Errorf("--baseline: %w", err)
		}
		all = append(all, s)
	}
	labels := map[string]string{}
	for _, name := range configs {
		s, err := p.config(name)
		if err != nil {
			return nil, err
		}
		if first, ok := labels[s.settings.Name]; ok {
			if first == name {
				return nil, fmt.Errorf("config %q is named twice: want different ones", name)
			}
			s.settings.Name = name
		}
		labels[s.settings.Name] = name
		all = append(all, s)
	}
	if len(all) < 2 {
		return nil, fmt.Errorf("only one config, %q: want two, or --baseline", configs[0])
	}
	return all, nil
}

// isConfig reports whether a name is that of a config.
func (p *comparison) isConfig(name string) bool {
	return slices.Contains(p.common.Named(), name) || isYAML(name) || slices.Contains(retrievers, name)
}

// config gives the settings of a config: those that all share, and its own.
func (p *comparison) config(name string) (*side, error) {
	label := name
	r, err := p.resolve(func(r *config.Resolved) error {
		if slices.Contains(r.Named(), name) {
			return r.Apply(name)
		}
		data, err := os.ReadFile(p.env.Path(name))
		switch {
		case err == nil && isYAML(name):
			label = strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
			return r.Over(name, data)
		case isYAML(name) && !errors.Is(err, fs.ErrNotExist):
			return err
		case slices.Contains(retrievers, name):
			if r.From("retriever") == config.FromFlag && r.Retriever != name {
				return fmt.Errorf("config %q: --retriever %s says otherwise for every config: want one of them", name, r.Retriever)
			}
			return r.Set("retriever", name, config.FromNamed, "config "+name)
		}
		return p.unknown(r, name)
	})
	if err != nil {
		return nil, err
	}
	if slices.Contains(retrievers, name) && !slices.Contains(r.Named(), name) && r.Adapter != "builtin" {
		return nil, fmt.Errorf("config %q is a retriever of the built-in pipeline, and the adapter is %s: want a name below configs: of the configuration file, or a YAML file", name, r.Adapter)
	}
	return &side{ref: name, settings: r}, r.Set("name", label, config.FromFlag, "config "+name)
}

func (p *comparison) unknown(r *config.Resolved, name string) error {
	known := map[string]bool{}
	for _, n := range slices.Concat(r.Named(), retrievers) {
		known[n] = true
	}
	err := fmt.Errorf("unknown config %q%s: want a name below configs: of the configuration file, a YAML file, or one of %q", name, didYouMean(name, known), retrievers)
	if len(r.Named()) > 0 {
		err = fmt.Errorf("%w  (there: %q)", err, r.Named())
	}
	return err
}

// ready makes the run of a config ready.
func (p *comparison) ready(ctx context.Context, s *side, progress job.Progress, command []string) (*job.Job, error) {
	if s.settings.Dataset == "" {
		return nil, noDataset()
	}
	if b, ok := progress.(*bars); ok {
		b.name = s.ref
	}
	world := newWorld(p.env, s.settings, progress, command)
	if p.f.verbose {
		world.Stderr = p.env.Stderr
	}
	j, err := prepare(ctx, p.env, s.settings, world)
	var exit *ExitError
	if err != nil && !errors.As(err, &exit) {
		err = fmt.Errorf("config %q: %w", s.ref, err)
	}
	return j, err
}

// foresee checks that the configs have cases in common, and says before anything
// is paid for what judging takes, and what so many cases can show.
func (p *comparison) foresee(ctx context.Context, all []*side) error {
	var runs []summary.Run
	for _, s := range all {
		run := summary.Run{Name: s.ref}
		if s.job == nil {
			run.Records = s.rep.Records
		} else {
			for _, c := range s.job.Cases() {
				run.Records = append(run.Records, assay.Record{Case: c})
			}
		}
		runs = append(runs, run)
	}
	if err := summary.Unpaired(runs); err != nil {
		return err
	}
	if p.f.quiet {
		return nil
	}
	var total assay.Spending
	for _, s := range all {
		if s.job == nil {
			continue
		}
		expected, err := s.job.Expect(ctx)
		if err != nil {
			return err
		}
		if expected != nil {
			total.Add(*expected)
		}
	}
	if total.Calls > 0 {
		p.env.Warn("judging is expected to take %s together, less what was paid for before, and what configs share", spendingLine(total))
	}
	return p.expect(ctx, all)
}

// expect says what so many cases can be expected to show, from earlier runs on
// the same data set, else from what is usual.
func (p *comparison) expect(ctx context.Context, all []*side) error {
	i := slices.IndexFunc(all, func(s *side) bool { return s.job != nil })
	h := all[i].job.Header()
	m, ok := p.ranked(h)
	if !ok {
		return nil
	}
	cases := all[i].job.Applies(m.Name)
	if cases == 0 {
		return nil
	}
	sd, from, err := p.spread(ctx, h, m)
	if err != nil {
		return err
	}
	p.env.Warn("%s (at %.4g %%, 4 times in 5; %s)", text.Visible(summary.Detectable(m, sd, cases, p.common.Level)), 100*p.common.Level, text.Visible(from))
	return nil
}

// ranked gives the metric by which the runs will be ranked.
func (p *comparison) ranked(h assay.Header) (assay.MetricInfo, bool) {
	name := assay.CompositeName
	if p.f.primary != "" {
		var err error
		if name, err = metricName(p.f.primary); err != nil {
			return assay.MetricInfo{}, false
		}
	}
	if i := slices.IndexFunc(h.Metrics, func(m assay.MetricInfo) bool { return m.Name == name }); i >= 0 {
		return h.Metrics[i], true
	}
	if p.f.primary != "" || len(h.Metrics) == 0 {
		return assay.MetricInfo{}, false
	}
	return h.Metrics[0], true
}

// lookBack is how many earlier runs are looked at for how far differences
// spread.
const lookBack = 3

// spread gives the standard deviation of the differences between two earlier
// runs on the same data set, and says which; else the usual one.
func (p *comparison) spread(ctx context.Context, h assay.Header, m assay.MetricInfo) (sd float64, from string, err error) {
	usual := "by the usual spread of differences"
	if _, err := os.Stat(p.env.Path(p.common.Store)); err != nil {
		return summary.UsualSpread(m), usual, nil
	}
	st, err := store.Open(ctx, p.env.Path(p.common.Store))
	if err != nil {
		return 0, "", err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	runs, err := st.Runs(ctx, 50)
	if err != nil {
		return 0, "", err
	}
	var last *report.Report
	seen := 0
	for _, r := range runs {
		fits := slices.ContainsFunc(r.Metrics, func(o assay.MetricInfo) bool { return o.Name == m.Name && o.Version == m.Version })
		if r.Dataset.Hash != h.Dataset.Hash || r.State != "finished" || !fits || seen == lookBack {
			continue
		}
		seen++
		rep, err := kept(ctx, st, r)
		if err != nil {
			return 0, "", err
		}
		if last == nil {
			last = rep
			continue
		}
		if sd := summary.Spread(m, last.Records, rep.Records); sd > 0 {
			return sd, fmt.Sprintf("as %s and %s differ", rep.Name(), last.Name()), nil
		}
	}
	return summary.UsualSpread(m), usual, nil
}
