package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/assay-eval/assay/internal/atomic"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/store"
)

// reportFormats are the formats of the quickstart's reports.
var reportFormats = []string{"markdown", "json", "html"}

// historyFile has a line for each run. It is in the folder of the reports.
const historyFile = "results.jsonl"

// reportFiles are the files written by a run.
type reportFiles struct {
	base string
	// page is the report for readers: the HTML page, or else the first file.
	page string
}

// display returns the options for standard output.
func display(env *Env, language string) report.Options {
	return report.Options{Width: env.Width, Colour: env.Colour(), Language: language}
}

// writeReports writes the report of a run in the named formats and language, and
// appends a line to the history beside it. base is the base name without an extension.
func writeReports(env *Env, rep *report.Report, base string, formats []string, o report.Options) (reportFiles, error) {
	base, err := baseName(base)
	if err != nil {
		return reportFiles{}, err
	}
	files := reportFiles{base: base}
	for _, name := range formats {
		f, err := report.Lookup(name)
		if err != nil {
			return files, err
		}
		if err := rep.WriteFile(env.Path(base+f.Ext), f, o); err != nil {
			return files, err
		}
		if name == "html" || files.page == "" {
			files.page = base + f.Ext
		}
	}
	return files, report.AppendHistory(filepath.Join(filepath.Dir(env.Path(base)), historyFile), rep)
}

// checkReports returns the error that [writeReports], [writeComparison] or [ciOutput.write] would
// meet, before anything is paid. No file may be another report, the store, or one that the settings or others name as input.
func checkReports(env *Env, r *config.Resolved, base string, others ...string) error {
	base, err := baseName(base)
	if err != nil {
		return err
	}
	var outputs []string
	for _, name := range r.Formats {
		f, err := report.Lookup(name)
		if err != nil {
			return fmt.Errorf("output: %w", err)
		}
		outputs = append(outputs, base+f.Ext)
	}
	for _, key := range config.Keys(func(s config.Setting) bool { return s.File }) {
		others = append(others, r.Get(key))
	}
	if store.IsFile(r.Store) {
		others = append(others, r.Store)
	}
	outputs = slices.DeleteFunc(append(outputs, r.JUnit, r.CSV), func(s string) bool { return s == "" })
	for i, output := range outputs {
		same := func(other string) bool {
			a, _ := os.Stat(env.Path(output))
			b, err := os.Stat(env.Path(other))
			return err == nil && os.SameFile(a, b) || other != "" && filepath.Clean(env.Path(output)) == filepath.Clean(env.Path(other))
		}
		if at := slices.IndexFunc(others, same); at >= 0 {
			return fmt.Errorf("output: %s would replace %s, which is read: choose another name", output, others[at])
		}
		if slices.ContainsFunc(outputs[:i], same) {
			return fmt.Errorf("output: %s would be two reports: choose another name", output)
		}
		if err := atomic.Check(env.Path(output)); err != nil {
			return fmt.Errorf("output: %w", err)
		}
	}
	return nil
}

// terminal prints the report of a run as text: a short one, or all of it.
func terminal(env *Env, rep *report.Report, files reportFiles, language string, whole bool) error {
	o := display(env, language)
	o.Page, o.Short = files.page, !whole
	return report.Terminal.Write(env.Stdout, rep, o)
}

// showTour prints the comparison of the quickstart and writes its files.
func showTour(env *Env, c *report.Comparison, output string, whole bool) error {
	o := display(env, "")
	o.Short = !whole
	if _, err := writeComparison(env, c, filepath.Join(output, "compare"), reportFormats, report.Options{}); err != nil {
		return err
	}
	if err := report.Terminal.Compare(env.Stdout, c, o); err != nil {
		return err
	}
	fmt.Fprintf(env.Stdout, `
Reports   %s
          %s (also sparse.html, dense.html)
Try next  assay run --dataset %s --corpus %s --retriever hybrid
          assay init
Look      assay view --store %s
`, filepath.Join(output, "compare.html"), filepath.Join(output, "hybrid.html"), filepath.Join(output, "gold.json"),
		filepath.Join(output, "corpus"), filepath.Join(output, tourStore))
	return nil
}
