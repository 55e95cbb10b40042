package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/atomic"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric/catalog"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// compareFlags are the flags of assay compare that are not settings of the runs.
type compareFlags struct {
	runFlags
	configs  names
	baseline string
	test     string
	format   string
	output   string
	cases    int
	pairwise bool
	dryRun   bool
	// dataset is the format of the dataset; --format is the output format.
	dataset string
	label   labelFlags
}

// names is a flag of comma-separated names. It may be repeated.
type names []string

// Set adds names.
func (n *names) Set(v string) error {
	// The shell splits "--configs dense, hybrid" into two words.
	for name := range strings.SplitSeq(strings.TrimSuffix(strings.TrimSpace(v), ","), ",") {
		if name = strings.TrimSpace(name); name == "" {
			return errors.New("expected comma-separated names, as in dense,hybrid")
		}
		*n = append(*n, name)
	}
	return nil
}

// String returns the names in the form in which they can be typed again.
func (n *names) String() string { return strings.Join(*n, ",") }

// Type names the kind of value in help texts.
func (n *names) Type() string { return "list" }

func newCompare(env *Env) *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:  "compare [RUN...]",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return compare(cmd.Context(), env, cmd.Flags(), f, args)
		},
	}
	fl := cmd.Flags()
	fl.Var(&f.configs, "configs", "configs to run and compare, the first as the baseline: with commas, repeated, or as the following words")
	fl.StringVar(&f.baseline, "baseline", "",
		"what the others are compared with: a config or a run, or the file of a report or a baseline (default: the first)")
	f.test = string(stats.SignFlip)
	choiceFlag(cmd, &f.test, "test", "test of the differences", stats.Tests())
	fl.StringVarP(&f.output, "output", "o", "",
		"base name of the files of the comparison (default: "+comparisonBase+" for configs, none for runs)")
	f.format = report.Compared.Names()[0]
	choiceFlag(cmd, &f.format, "format", "how to print", report.Compared.Names())
	fl.IntVar(&f.cases, "cases", 0,
		"how many cases to show one by one, those that changed most first, -1 for none (default: as the format has it; html: 500)")
	fl.BoolVar(&f.pairwise, "pairwise", false, "have the judge say of each case which run's answer is better, in both orders (--judge)")
	fl.BoolVar(&f.dryRun, "dry-run", false,
		"with --pairwise and stored runs: print what the judge would take, and stop before anything is spent")
	f.label.add(cmd)
	f.add(cmd, "print a line for every case, the mean so far, and the whole comparison")
	// A comparison has no verdict, and each run is named after its config.
	addSettingsThat(cmd, func(s config.Setting) bool { return !s.Verdict && s.Key != "name" },
		func(s config.Setting) bool { return s.Compared || s.Flagged() })
	// --format replaces the setting of that name.
	choiceFlag(cmd, &f.dataset, "dataset-format", "format of the dataset (default: detected from its content)", dataset.FormatNames())
	return cmd
}

// comparisonBase is the default base name of the files of a comparison of configs.
const comparisonBase = "results/comparison"

func compare(ctx context.Context, env *Env, flags *pflag.FlagSet, f compareFlags, args []string) error {
	defer boundGrowth()()
	format, err := report.Compared.Lookup(f.format)
	if err != nil {
		return err
	}
	if err := f.label.fits(flags); err != nil {
		return err
	}
	p := &comparison{env: env, flags: flags, f: f}
	if p.test, err = stats.ParseTest(f.test); err != nil {
		return fmt.Errorf("--test: %w", err)
	}
	p.stored = len(args) > 0 && !flags.Changed("configs")
	if p.common, err = p.resolve(nil); err != nil {
		return err
	}
	if err := p.pairwiseFits(); err != nil {
		return err
	}
	if !f.quiet && (f.verbose || !f.json && !env.StderrTTY) {
		defer announceStop(env)()
	}
	ran, err := p.gather(ctx, args)
	if ran == nil {
		return err
	}
	if shown := p.show(ctx, format, ran); shown != nil {
		return errors.Join(shown, err)
	}
	return err
}

// A comparison is one invocation of assay compare.
type comparison struct {
	env    *Env
	flags  *pflag.FlagSet
	f      compareFlags
	common *config.Resolved
	test   stats.Test
	// stored is set when stored runs are compared, runs when configs are run.
	stored, runs bool
}

// resolve returns the settings that all runs share, with the changes made by apply.
func (p *comparison) resolve(apply func(*config.Resolved) error) (*config.Resolved, error) {
	var uses func(config.Setting) bool
	if p.stored && !p.f.pairwise {
		uses = storedSettings
	}
	r, err := gather(p.env, p.flags, p.f.config, uses)
	if err != nil {
		return nil, err
	}
	if p.f.dataset != "" {
		if err := r.Set("format", p.f.dataset, config.FromFlag, "flag --dataset-format"); err != nil {
			return nil, fmt.Errorf("--dataset-format: %w", err)
		}
	}
	if apply != nil {
		if err := apply(r); err != nil {
			return nil, err
		}
	}
	// A comparison does not apply a gate, so its runs need no baseline or rules.
	r.Baseline, r.Gate.Rules, r.Gate.Tolerances = "", nil, nil
	return r, r.Imply()
}

// gather returns the sides to compare, the baseline first. If it also returns an error,
// the error says what is missing.
func (p *comparison) gather(ctx context.Context, args []string) ([]*side, error) {
	var configs []string
	switch {
	case p.flags.Changed("configs"):
		// Arguments are parsed as values of --configs and added to it, so that the recorded
		// command includes them.
		for _, word := range args {
			if err := p.flags.Set("configs", word); err != nil {
				return nil, fmt.Errorf("--configs: %w", err)
			}
		}
		configs = slices.Clone(*p.flags.Lookup("configs").Value.(*names))
	case p.stored:
		return p.kept(ctx, args)
	default:
		var err error
		if configs, err = p.usual(); err != nil {
			return nil, err
		}
	}
	p.runs = true
	return p.ran(ctx, configs)
}

// usual returns the configs that are compared if none are named.
func (p *comparison) usual() ([]string, error) {
	if p.common.Dataset == "" {
		return nil, hinted(errors.New("nothing to compare: set --dataset to run configs, or name two runs"),
			"assay compare --help shows examples", "assay runs"+p.where()+" lists the runs that are kept")
	}
	if named := p.common.Named(); len(named) > 0 {
		return named, nil
	}
	if !p.common.Pipelined() {
		return nil, fmt.Errorf("nothing to compare: retrievers belong to the built-in pipeline, and the adapter is %s; use --configs with "+
			"names defined under configs: in the configuration file", p.common.Adapter)
	}
	// The first is the baseline.
	others := slices.DeleteFunc(rag.Retrievers(), func(name string) bool { return name == rag.Dense })
	return append([]string{rag.Dense}, others...), nil
}

// show compares, writes the files and prints the result.
func (p *comparison) show(ctx context.Context, format report.Format, all []*side) error {
	if base := p.base(); base != "" {
		var files []string
		for _, s := range all {
			if s.file {
				files = append(files, s.ref)
			}
		}
		if err := checkReports(p.env, p.common, base, files...); err != nil {
			return err
		}
	}
	c, err := p.compare(ctx, all)
	if err != nil {
		return err
	}
	var unjudged error
	if p.f.pairwise {
		// What the metrics say is shown though the judge could not finish.
		if unjudged = p.prefer(ctx, c); p.f.dryRun {
			return unjudged
		}
	}
	return errors.Join(p.write(format, c), unjudged)
}

// write writes the files and prints the comparison.
func (p *comparison) write(format report.Format, c *report.Comparison) (err error) {
	base := p.base()
	o := display(p.env, p.common.Language)
	o.Short, o.Cases = !p.f.verbose && format.Name == "terminal", p.f.cases
	if base != "" {
		if o.Page, err = writeComparison(p.env, c, base, p.common.Formats, report.Options{Language: o.Language, Cases: o.Cases}); err != nil {
			return err
		}
	}
	if p.f.quiet {
		return nil
	}
	return format.Compare(p.env.Stdout, c, o)
}

// base returns the base name of the files, or "" for none.
func (p *comparison) base() string {
	if p.f.output == "" && p.runs {
		return comparisonBase
	}
	return p.f.output
}

func (p *comparison) compare(ctx context.Context, all []*side) (*report.Comparison, error) {
	entitle(all)
	ungrouped := regroup(all)
	var reports []*report.Report
	for _, s := range all {
		reports = append(reports, s.rep)
	}
	if p.flags.Changed("metrics") {
		var err error
		if reports, err = restrict(reports, p.common.Metrics, p.runs); err != nil {
			return nil, err
		}
	}
	level := reports[0].Level()
	if p.flags.Changed("level") {
		level = p.common.Level
	}
	primary, err := p.primary()
	if err != nil {
		return nil, err
	}
	labels, err := p.labels(ctx, reports, all)
	if err != nil {
		return nil, err
	}
	c, err := report.CompareAs(reports, summary.Plan{Test: p.test, Level: level, Seed: p.common.Seed, Primary: primary, Labels: labels})
	if err == nil && ungrouped != "" {
		c.Cautions = append(c.Cautions, words.Caution{Kind: words.NoGroups, Run: ungrouped})
	}
	return c, err
}

// primary returns the canonical name of the primary metric, or "" if none is declared.
func (p *comparison) primary() (string, error) {
	if p.common.Primary == "" {
		return "", nil
	}
	name, err := metricName(p.common.Primary)
	if err != nil {
		return "", fmt.Errorf("primary: %w", err)
	}
	return name, nil
}

// restrict returns the reports with only the named metrics, and with the composite if
// composite is set.
func restrict(reports []*report.Report, metrics []string, composite bool) ([]*report.Report, error) {
	keep := map[string]bool{assay.CompositeName: composite}
	have := map[string]bool{}
	for _, r := range reports {
		for _, m := range r.Header.Metrics {
			have[m.Name] = true
		}
	}
	for _, name := range metrics {
		name, err := metricName(name)
		if err != nil {
			return nil, err
		}
		if !have[name] {
			return nil, fmt.Errorf("metric %q: not measured in any of the runs%s", name, text.DidYouMean(name, slices.Sorted(maps.Keys(have))))
		}
		keep[name] = true
	}
	out := make([]*report.Report, len(reports))
	for i, r := range reports {
		part := *r
		part.Header.Metrics = slices.DeleteFunc(slices.Clone(r.Header.Metrics), func(m assay.MetricInfo) bool { return !keep[m.Name] })
		out[i] = &part
	}
	return out, nil
}

// metricName returns the canonical name of a metric.
func metricName(s string) (string, error) {
	if s == assay.CompositeName {
		return s, nil
	}
	if name := strings.ToLower(s); strings.HasPrefix(name, assay.CheckPrefix) {
		return name, nil // the runs know it, not this configuration
	}
	m, err := catalog.All().Parse(s)
	return m.Name, err
}

// writeComparison writes the files of a comparison, in those of the named formats that
// can show one. base is the base name without an extension. It returns the path of the
// HTML page.
func writeComparison(env *Env, c *report.Comparison, base string, formats []string, o report.Options) (page string, err error) {
	if base, err = baseName(base); err != nil {
		return "", err
	}
	for _, name := range formats {
		f, err := report.Lookup(name)
		if err != nil {
			return "", err
		}
		if f.Compare == nil {
			continue
		}
		write := func(w io.Writer) error { return f.Compare(w, c, o) }
		if err := atomic.WriteFile(env.Path(base+f.Ext), write); err != nil {
			return "", err
		}
		if name == "html" {
			page = base + f.Ext
		}
	}
	return page, nil
}

// baseName returns the base name of the files: output without the extension of a
// format.
func baseName(output string) (string, error) {
	base := output
	for _, f := range report.Formats {
		base = strings.TrimSuffix(base, f.Ext)
	}
	if name := filepath.Base(base); base == "" || name == "." || name == "-" || strings.HasSuffix(base, "/") {
		return "", fmt.Errorf("output %q: expected a base name, as in results/eval", output)
	}
	return base, nil
}
