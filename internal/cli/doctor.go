package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/target/adapter"
)

func newDoctor(env *Env) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:  "doctor",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return (&doctor{env: env}).examine(cmd.Context(), cmd.Flags(), file)
		},
	}
	addSettings(cmd)
	configFlag(cmd, &file)
	return cmd
}

// A doctor writes one line for each check, and counts the failures.
type doctor struct {
	env *Env
	bad int
}

func (d *doctor) line(state, what, format string, args ...any) {
	lines := strings.Split(fmt.Sprintf(format, args...), "\n")
	fmt.Fprintf(d.env.Stdout, "%-5s %-9s %s\n", state, what, text.Visible(lines[0]))
	for _, l := range lines[1:] {
		fmt.Fprintf(d.env.Stdout, "%-15s %s\n", "", text.Visible(l))
	}
}

func (d *doctor) ok(what, format string, args ...any)   { d.line("ok", what, format, args...) }
func (d *doctor) note(what, format string, args ...any) { d.line("note", what, format, args...) }
func (d *doctor) fail(what string, err error) {
	d.bad++
	d.line("FAIL", what, "%s", err)
}

func (d *doctor) examine(ctx context.Context, flags *pflag.FlagSet, file string) error {
	d.ok("program", "assay %s, %s/%s, %d processors", d.env.Version, runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0))
	r, err := resolve(d.env, flags, file)
	if err != nil {
		d.fail("config", err)
		return d.verdict()
	}
	d.config(r, file)
	d.store(ctx, r)
	d.places(r)
	d.tools(r)
	if r.Dataset == "" {
		d.note("dataset", "none: with --dataset, assay asks the target one of its cases")
		return d.verdict()
	}
	j, err := prepare(ctx, r, newWorld(d.env, r, nil, nil))
	if err != nil {
		d.fail("run", err)
		return d.verdict()
	}
	defer j.Close()
	h := j.Header()
	d.ok("dataset", "%s: %d of %d cases, %d critical", h.Dataset.Name, h.Dataset.Cases, h.Dataset.Total, h.Dataset.Critical)
	d.ok("metrics", "%s", strings.Join(wire.MetricNames(h.Metrics), ", "))
	for _, w := range h.Warnings {
		d.note("warning", "%s", w)
	}
	p, err := j.Probe(ctx)
	switch {
	case err != nil:
		d.fail("target", err)
	case p.Err != nil:
		d.fail("target", fmt.Errorf("%s did not answer: %w", strings.TrimSpace(h.Target.Adapter+" "+h.Target.Endpoint), p.Err))
		showProbe(d.env.Stdout, p)
	default:
		d.ok("target", "%s answers", strings.TrimSpace(h.Target.Adapter+" "+h.Target.Endpoint))
		showProbe(d.env.Stdout, p)
	}
	switch {
	case h.Judge == nil && slices.ContainsFunc(h.Metrics, func(m assay.MetricInfo) bool { return m.Judged }):
		d.note("judge", "none: judged metrics are not measured; --judge names a model, --judge offline estimates by formulas")
	case h.Judge == nil:
		d.ok("judge", "none is needed")
	case h.Judge.Estimate && len(h.Judge.Delegates()) == 0:
		d.note("judge", "offline: estimates by formulas; --judge names a model")
	default:
		if err := j.ProbeJudge(ctx); err != nil {
			d.fail("judge", err)
		} else {
			d.ok("judge", "%s %s answers", h.Judge.Provider, h.Judge.Model)
			for _, task := range h.Judge.Delegates() {
				one := h.Judge.Tasks[task]
				d.ok("judge", "%s %s rules on %s", one.Provider, one.Model, task)
			}
		}
	}
	return d.verdict()
}

func (d *doctor) verdict() error {
	switch d.bad {
	case 0:
		return nil
	case 1:
		return &ExitError{Code: ExitFatal, Err: errors.New("a check failed")}
	}
	return &ExitError{Code: ExitFatal, Err: fmt.Errorf("%d of the things that a run needs are not right", d.bad)}
}

// config prints where the settings come from.
func (d *doctor) config(r *config.Resolved, file string) {
	set := 0
	for _, origin := range r.Origins {
		if origin != string(config.FromDefault) {
			set++
		}
	}
	if file == "" {
		file = defaultConfig
		if _, err := os.Stat(d.env.Path(file)); err != nil {
			d.ok("config", "no %s; %d settings from flags and the environment (assay doctor config lists them)", file, set)
			return
		}
	}
	d.ok("config", "%s; %d settings are not the default (assay doctor config lists them)", file, set)
}

// places checks the folders that a run writes to.
func (d *doctor) places(r *config.Resolved) {
	if err := writable(filepath.Dir(d.env.Path(r.Output))); err != nil {
		d.fail("reports", fmt.Errorf("%s: %w", r.Output, err))
	} else {
		d.ok("reports", "%s", r.Output)
	}
	dir := wire.CacheDir(r.Cache, d.env.Getenv, d.env.Path)
	switch {
	case dir == "":
		d.note("cache", "none: every run indexes its documents anew")
	case writable(dir) != nil:
		d.note("cache", "%s cannot be written: every run indexes its documents anew", dir)
	default:
		d.ok("cache", "%s", dir)
	}
}

// store checks the database without changing it.
func (d *doctor) store(ctx context.Context, r *config.Resolved) {
	ref := storePath(d.env, r.Store)
	if store.IsFile(r.Store) {
		if err := writable(filepath.Dir(ref)); err != nil {
			d.fail("store", fmt.Errorf("%s: %w", r.Store, err))
			return
		}
	}
	look, err := store.LookAt(ctx, ref)
	name := r.Store
	if !store.IsFile(name) {
		name = look.Name
	}
	switch {
	case err != nil:
		d.fail("store", err)
	case r.Offline && store.IsRemote(ref):
		d.fail("store", fmt.Errorf("%s is on another machine, and --offline uses no network", name))
	case look.Schema > look.Newest:
		d.fail("store", fmt.Errorf("%s: its schema is %d, and this version of assay supports up to %d; use a newer assay", name, look.Schema,
			look.Newest))
	case look.Schema == 0:
		d.ok("store", "%s: the first run makes it", name)
	case look.Schema < look.Newest:
		d.note("store", "%s: schema %d; the next command makes it %d (assay store migrate)", name, look.Schema, look.Newest)
	default:
		d.ok("store", "%s: schema %d", name, look.Schema)
	}
}

// writable returns an error if no file can be created in dir or, if dir does not exist,
// in its nearest existing parent. It leaves nothing behind.
func writable(dir string) error {
	for {
		_, err := os.Stat(dir)
		if err == nil {
			break
		}
		if parent := filepath.Dir(dir); errors.Is(err, os.ErrNotExist) && parent != dir {
			dir = parent
			continue
		}
		return err
	}
	f, err := os.CreateTemp(dir, ".assay-doctor-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// tools looks for the programs that the adapter or the corpus may need.
func (d *doctor) tools(r *config.Resolved) {
	if needs := adapter.Find(r.Adapter).Program; needs != "" {
		if path, err := exec.LookPath(r.Get(needs)); err != nil {
			d.fail(needs, fmt.Errorf("%w; use --%s with the one that has the packages", err, needs))
		} else {
			d.ok(needs, "%s", path)
		}
	}
	if r.Pipelined() && r.Corpus != "" {
		if path, err := exec.LookPath("pdftotext"); err != nil {
			d.note("pdf", "pdftotext is not installed: PDF files whose fonts the built-in reader cannot read stay unread (package poppler-utils)")
		} else {
			d.ok("pdf", "%s", path)
		}
	}
}
