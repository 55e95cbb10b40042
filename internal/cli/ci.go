package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/report"
)

// ciOutput writes the output for CI systems: the files of --junit and --csv, and the
// output of --github.
type ciOutput struct {
	env *Env
	cfg config.Config
	// commands is the original standard output. Workflow commands are written only there.
	commands io.Writer
	// annotated is set once the problems have been annotated.
	annotated bool
}

// forCI prepares the output for CI systems. With --github, all other output from then on
// contains no workflow command, whatever the source of its text.
func forCI(env *Env, cfg config.Config) *ciOutput {
	c := &ciOutput{env: env, cfg: cfg, commands: env.Stdout}
	if cfg.GitHub {
		env.Stdout, env.Stderr = report.Harmless(env.Stdout), report.Harmless(env.Stderr)
	}
	return c
}

// write writes all requested output. base is the base name of the report files, "" if
// there are none, and formats are their formats. An error names the file that could not
// be written; the other files are still written.
func (c *ciOutput) write(rep *report.Report, base string, formats []string) error {
	var problems []error
	for _, f := range []struct{ format, path string }{{"junit", c.cfg.JUnit}, {"csv", c.cfg.CSV}} {
		if f.path != "" {
			problems = append(problems, c.file(rep, f.format, f.path, c.options()))
		}
	}
	if c.cfg.GitHub {
		problems = append(problems, c.github(rep, base, formats))
	}
	return errors.Join(problems...)
}

func (c *ciOutput) strict() bool { return c.cfg.Gate.Inconclusive == "fail" }

func (c *ciOutput) options() report.Options {
	return report.Options{Strict: c.strict(), Language: c.cfg.Language}
}

func (c *ciOutput) file(rep *report.Report, format, path string, o report.Options) error {
	f, err := report.Lookup(format)
	if err == nil {
		err = rep.WriteFile(c.env.Path(path), f, o)
	}
	if err != nil {
		return fmt.Errorf("%s report %s: %w", format, path, err)
	}
	return nil
}

func (c *ciOutput) github(rep *report.Report, base string, formats []string) error {
	c.annotated = true
	o := c.options()
	problems := []error{report.Annotations(c.commands, rep, o, c.locate)}
	problems = append(problems, c.stepSummary(rep, o, base, formats))
	if base != "" {
		o.Page = c.page()
		problems = append(problems, c.file(rep, "comment", base+".comment.md", o))
	}
	return errors.Join(problems...)
}

// stepSummary appends the report to the step summary file of GitHub Actions.
func (c *ciOutput) stepSummary(rep *report.Report, o report.Options, base string, formats []string) (err error) {
	path := c.env.Getenv("GITHUB_STEP_SUMMARY")
	if path == "" {
		if base == "" {
			c.env.Warn("GITHUB_STEP_SUMMARY is not set: no step summary is written")
			return nil
		}
		c.env.Warn("GITHUB_STEP_SUMMARY is not set: the summary is in %s.md only", base)
		if slices.Contains(formats, "markdown") {
			return nil
		}
		return c.file(rep, "markdown", base+".md", o)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("step summary %s: %w", path, err)
		}
	}()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	// Earlier output of the step counts towards the limit, and so does a newline.
	room := report.SummaryLimit - int(info.Size()) - 1
	if room <= 0 {
		c.env.Warn("the step summary is full: the report is left out")
		return nil
	}
	if info.Size() > 0 {
		if _, err := io.WriteString(f, "\n"); err != nil {
			return err
		}
	}
	return report.StepSummary(f, rep, o, room)
}

// locate returns the path of a file relative to the repository that the workflow checked
// out, or "" if the file lies outside it.
func (c *ciOutput) locate(file string) string {
	root := c.env.Getenv("GITHUB_WORKSPACE")
	if root == "" {
		root = c.env.Path(".")
	}
	root, err := filepath.Abs(root)
	if err != nil {
		return ""
	}
	path, err := filepath.Abs(c.env.Path(file))
	if err != nil {
		return ""
	}
	// A folder of the runner may be reachable by two paths.
	for _, p := range []*string{&root, &path} {
		if real, err := filepath.EvalSymlinks(*p); err == nil {
			*p = real
		}
	}
	rel, err := filepath.Rel(root, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return ""
	}
	return filepath.ToSlash(rel)
}

var runAddress = lazyregexp.New(`^https?://[A-Za-z0-9./:_-]+$`)

// page returns the URL of the workflow run, or "" if it is not known.
func (c *ciOutput) page() string {
	server, repository, run := c.env.Getenv("GITHUB_SERVER_URL"), c.env.Getenv("GITHUB_REPOSITORY"), c.env.Getenv("GITHUB_RUN_ID")
	at := server + "/" + repository + "/actions/runs/" + run
	if server == "" || repository == "" || run == "" || !runAddress().MatchString(at) {
		return ""
	}
	return at
}

// fatal annotates the error of a program that ends without a report.
func (c *ciOutput) fatal(err error) error {
	if err == nil || c.annotated || !c.cfg.GitHub {
		return err
	}
	c.annotated = true
	if failed := report.AnnotateError(c.commands, err); failed != nil {
		return errors.Join(err, failed)
	}
	return err
}
