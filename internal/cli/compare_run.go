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

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/words"
)

// ran runs configs on the same cases. It prepares all of them before it runs the first,
// so that a mistake in the last costs nothing. A run that fails does not stop the
// others.
func (p *comparison) ran(ctx context.Context, configs []string) (all []*side, err error) {
	if p.f.dryRun {
		return nil, hinted(errors.New("--dry-run: it needs answers, which configs do not have yet; use stored runs"),
			"assay run --dry-run says what the run of one config would take")
	}
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
	defer closeBars(progress)
	command := commandLine("compare", p.flags)
	if err := sameGenerator(all); err != nil {
		return nil, err
	}
	for _, s := range all {
		if s.settings == nil {
			continue
		}
		if s.job, err = p.ready(ctx, s, progress, command); err != nil {
			return nil, err
		}
	}
	p.warn(all)
	if err := p.deliverable(all); err != nil {
		return nil, err
	}
	if err := p.foresee(ctx, all); err != nil {
		return nil, err
	}
	st, err := openRunStore(ctx, p.env, p.common)
	if err != nil {
		return nil, err
	}
	p.env.keep(st)
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
		closeBars(progress)
		if wire.Interrupted(ended) {
			return nil, p.interrupted(all[:i], s, rep)
		}
		if ended == nil {
			ended = allFailed(rep)
		}
		if ended != nil {
			failed = append(failed, fmt.Errorf("config %q: %w", s.ref, ended))
			if rep != nil {
				hints = append(hints, fmt.Sprintf("assay run --resume=%s%s resumes %s", rep.Header.ID, p.where(), s.ref))
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
		p.env.Warn("the baseline %s failed: the others are compared with %s", all[0].ref, done[0].ref)
	}
	return done, errors.Join(distinguish(done), problem)
}

// warn prints what the runs to come warn of, such as columns of the dataset that are read
// under another name, each once.
func (p *comparison) warn(all []*side) {
	var said []string
	for _, s := range all {
		if s.job == nil {
			continue
		}
		for _, w := range s.job.Header().Warnings {
			if !slices.Contains(said, w) {
				said = append(said, w)
				p.env.Warn("%s", w)
			}
		}
	}
}

// note appends a run to the history and prints that it is finished.
func (p *comparison) note(rep *report.Report, took time.Duration) error {
	if !p.f.quiet && !p.f.json {
		p.env.Warn("%s: %s in %s, run %s", rep.Name(), casesAndDraws(rep), took.Round(10*time.Millisecond), rep.Header.ID)
	}
	return report.AppendHistory(filepath.Join(filepath.Dir(p.env.Path(p.base())), historyFile), rep)
}

// casesAndDraws returns the number of cases of a run and, if cases were asked more than
// once, the number of draws.
func casesAndDraws(rep *report.Report) string {
	cases := counted(rep.Header.Dataset.Cases, "case")
	if n := rep.Cases.Len(); n > rep.Header.Dataset.Cases {
		return fmt.Sprintf("%s, %d draws", cases, n)
	}
	return counted(rep.Cases.Len(), "case")
}

// allFailed returns an error if the target failed every case of a run.
func allFailed(rep *report.Report) error {
	if s := rep.Summary; s.Cases == 0 || s.Errors < s.Cases {
		return nil
	}
	return fmt.Errorf("the target failed %s%s", allCases(rep), firstFailure(rep))
}

// where returns the flag that a command needs to find the store of the runs.
func (p *comparison) where() string { return config.StoreFlag(p.common.Store) }

// interrupted returns an error that says which runs are stored and how to continue.
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
	if rep != nil && rep.Cases.Len() > 0 {
		e.Err = fmt.Errorf("interrupted in %q, after %s", s.ref, rep.CasesAsked(words.English))
		e.Hints = append(e.Hints, fmt.Sprintf("assay run --resume=%s%s resumes %s", rep.Header.ID, p.where(), s.ref))
		finished = append(finished, rep.Header.ID)
	}
	if len(finished) > 1 {
		e.Hints = append(e.Hints, "then assay compare "+strings.Join(finished, " ")+p.where()+" compares the stored runs")
	}
	e.Hints = append(e.Hints, "the same command runs all configs again; calls in the ledger are not paid for twice")
	return e
}

// sides returns what to compare, the baseline first: configs to run, and a stored run
// if it is the baseline.
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
				return nil, fmt.Errorf("duplicate config %q: expected different configs", name)
			}
			s.settings.Name = name
		}
		labels[s.settings.Name] = name
		all = append(all, s)
	}
	if len(all) < 2 {
		return nil, fmt.Errorf("only one config, %q: expected two, or --baseline", configs[0])
	}
	return all, nil
}

// isConfig reports whether name is the name of a config.
func (p *comparison) isConfig(name string) bool {
	return slices.Contains(p.common.Named(), name) || isYAML(name) || slices.Contains(rag.Retrievers(), name)
}

// config returns the settings of a config: the shared ones and its own.
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
		case isYAML(name):
			if errors.Is(err, fs.ErrNotExist) {
				err = fmt.Errorf("config %q: no such file", name)
			}
			return err
		case slices.Contains(rag.Retrievers(), name):
			if r.From("retriever") == config.FromFlag && r.Retriever != name {
				return fmt.Errorf("config %q: conflicts with --retriever %s, which applies to every config; give one of them", name, r.Retriever)
			}
			return r.Set("retriever", name, config.FromNamed, "config "+name)
		}
		return p.unknown(r, name)
	})
	if err != nil {
		return nil, err
	}
	if slices.Contains(rag.Retrievers(), name) && !slices.Contains(r.Named(), name) && !r.Pipelined() {
		return nil, fmt.Errorf("config %q is a retriever of the built-in pipeline, and the adapter is %s: expected a name defined under configs: "+
			"in the configuration file, or a YAML file", name, r.Adapter)
	}
	return &side{ref: name, settings: r}, r.Set("name", label, config.FromFlag, "config "+name)
}

func (p *comparison) unknown(r *config.Resolved, name string) error {
	err := fmt.Errorf("unknown config %q%s: expected a name defined under configs: in the configuration file, a YAML file, or one of %q", name,
		text.DidYouMean(name, slices.Sorted(slices.Values(slices.Concat(r.Named(), rag.Retrievers())))), rag.Retrievers())
	if len(r.Named()) > 0 {
		err = fmt.Errorf("%w  (there: %q)", err, r.Named())
	}
	return err
}

// sameGenerator has the extractive generator measure support alike for all retrievers of a
// comparison: by embedding if a retriever embeds. Otherwise answers would differ for
// another reason than what was retrieved.
func sameGenerator(all []*side) error {
	extracts := func(s *side) bool {
		return s.settings != nil && s.settings.Pipelined() && s.settings.Generator == rag.Extractive
	}
	if !slices.ContainsFunc(all, func(s *side) bool { return extracts(s) && s.settings.Retriever != rag.Sparse }) {
		return nil
	}
	for _, s := range all {
		if extracts(s) && s.settings.From("extract-by") == config.FromDefault {
			if err := s.settings.Set("extract-by", "embedding", config.FromNamed, "the comparison"); err != nil {
				return err
			}
		}
	}
	return nil
}

// ready prepares the run of a config.
func (p *comparison) ready(ctx context.Context, s *side, progress wire.Progress, command []string) (*wire.Prepared, error) {
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
	j, err := prepare(ctx, s.settings, world)
	var exit *ExitError
	if err != nil && !errors.As(err, &exit) {
		err = fmt.Errorf("config %q: %w", s.ref, err)
	}
	return j, err
}
