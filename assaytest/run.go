package assaytest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/store"
)

// module is the path of this module.
const module = "github.com/assay-eval/assay"

// evaluate performs a run. dir is a temporary folder of the test. If it returns both a
// report and an error, the report has the partial results.
func evaluate(ctx context.Context, c Config, dir string) (_ *report.Report, err error) {
	r, err := resolve(c, filepath.Join(dir, "assay.db"))
	if err != nil {
		return nil, err
	}
	j, err := wire.Prepare(ctx, r, wire.World{
		Path: path, CacheDir: wire.CacheDir(r.Cache, os.Getenv, path), Getenv: r.Variables.Get, Now: time.Now, Random: rand.Reader,
		Stop: make(chan struct{}), Version: version(), Target: c.Target,
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	s, err := store.Open(ctx, r.Store)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if c.Ledger != "" {
		if err := fill(ctx, s, c.Ledger); err != nil {
			return nil, err
		}
	}
	rep, err := j.Run(ctx, s)
	if rep != nil {
		err = errors.Join(err, rep.Load()) // the store is closed before the report is read
	}
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return rep, fmt.Errorf("the test's deadline passed after %d of %d cases; allow more time (go test -timeout), or use fewer cases", done(rep),
			j.Header().Asked())
	case err != nil:
		return rep, err
	}
	return rep, failed(rep)
}

func done(r *report.Report) int {
	if r == nil {
		return 0
	}
	return r.Cases.Len()
}

// failed returns an error if no case has a response.
func failed(r *report.Report) error {
	if r.Summary.Cases > r.Summary.Errors {
		return nil
	}
	for rec, err := range r.Records() {
		if err != nil {
			return err
		}
		if f := rec.Failure; f != nil {
			return fmt.Errorf("the target failed all %d cases; %q: %s: %s", r.Summary.Cases, rec.Case.ID, f.Kind, f.Message)
		}
	}
	return errors.New("no case was evaluated")
}

// resolve merges the settings: those of the file, then those of the fields, then Set.
func resolve(c Config, storeFile string) (*config.Resolved, error) {
	r := config.Default()
	r.Variables = config.Environ(os.Getenv)
	if c.File != "" {
		// "${NAME}" in the file may refer to a variable in the .env file beside it.
		dotenv := filepath.Join(filepath.Dir(c.File), ".env")
		var err error
		if r.Variables, err = config.Dotenv(dotenv, dotenv, os.Getenv); err != nil {
			return nil, err
		}
		data, err := os.ReadFile(c.File)
		if err != nil {
			return nil, fmt.Errorf("config: %w", err)
		}
		if err := r.File(c.File, data); err != nil {
			return nil, err
		}
	}
	var problems []error
	set := func(key, value, where string) {
		if value != "" {
			problems = append(problems, r.Set(key, value, config.FromFlag, where))
		}
	}
	set("dataset", c.Dataset, "Config.Dataset")
	set("corpus", c.Corpus, "Config.Corpus")
	set("metrics", strings.Join(c.Metrics, ","), "Config.Metrics")
	set("judge", c.Judge, "Config.Judge")
	set("store", c.Store, "Config.Store")
	if c.Replay {
		set("replay", "true", "Config.Replay")
	}
	for _, key := range slices.Sorted(maps.Keys(c.Set)) {
		problems = append(problems, r.Set(key, c.Set[key], config.FromFlag, "Config.Set"))
	}
	if r.From("offline") == config.FromDefault && !c.Network {
		set("offline", "true", "assaytest")
	}
	// A test does not use the database that a shared configuration file names.
	if r.From("store") != config.FromFlag {
		set("store", storeFile, "assaytest")
	}
	if c.Target != nil && r.From("adapter") != config.FromDefault {
		problems = append(problems, fmt.Errorf("adapter %q (%s): Config.Target is asked instead: expected one of the two", r.Adapter,
			r.Origins["adapter"]))
	}
	if r.Dataset == "" {
		problems = append(problems, errors.New("no dataset: expected Config.Dataset"))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return r, r.Imply()
}

// path returns p unchanged: go test runs in the folder of the package.
func path(p string) string { return p }

// fill imports the calls of an archive into the ledger.
func fill(ctx context.Context, s *store.Store, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("ledger: %w: expected a file that assay store export wrote", err)
	}
	defer f.Close()
	if _, err := s.ImportCalls(ctx, llm.ReadArchive(f, name)); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	return nil
}

// write writes the report as Markdown, JSON and HTML.
func write(r *report.Report, base string) error {
	var problems []error
	for _, name := range []string{"markdown", "json", "html"} {
		f, err := report.Lookup(name)
		if err == nil {
			err = r.WriteFile(base+f.Ext, f, report.Options{Language: r.Header.Config["language"]})
		}
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

// version returns the version of this module in the test's binary.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "test"
	}
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path == module && m.Version != "" {
			return strings.Trim(m.Version, "()")
		}
	}
	return "test"
}
