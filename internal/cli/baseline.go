package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/internal/wire"
	screen "github.com/assay-eval/assay/report/terminal"
)

// defaultBaseline is the path of the baseline when no file is named.
const defaultBaseline = "eval-baseline.json"

// addConfigFlags adds the flag of the configuration file and the flags of the named
// settings.
func addConfigFlags(cmd *cobra.Command, file *string, settings ...string) {
	addNamedSettings(cmd, settings...)
	configFlag(cmd, file)
}

// baselineFile returns the named file, else the file in the settings, else
// defaultBaseline.
func baselineFile(r *config.Resolved, named string) string {
	switch {
	case named != "":
		return named
	case r.Baseline != "":
		return r.Baseline
	}
	return defaultBaseline
}

// earlierBaseline reads the baseline that is about to be replaced. It returns nil if
// there is none, or if it cannot be read; the latter is reported.
func earlierBaseline(env *Env, file string) *gate.Baseline {
	b, err := wire.ReadBaseline(file, env.Path)
	switch {
	case err == nil:
		return b
	case !errors.Is(err, fs.ErrNotExist):
		env.Warn("the previous baseline could not be read: %v", err)
	}
	return nil
}

func newBaselineShow(env *Env) *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use:  "show [FILE]",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := resolveStored(env, cmd.Flags(), from)
			if err != nil {
				return err
			}
			file := baselineFile(r, firstOf(args))
			b, err := wire.ReadBaseline(file, env.Path)
			if err != nil {
				return hinted(err, "assay baseline save creates one from the last run")
			}
			return showBaseline(env.Stdout, file, b)
		},
	}
	addConfigFlags(cmd, &from)
	return cmd
}

func showBaseline(out io.Writer, file string, b *gate.Baseline) error {
	err := printPage(out, "baseline", struct {
		*gate.Baseline
		File string
	}{b, file})
	if err != nil {
		return err
	}
	var rows [][]string
	for _, name := range slices.Sorted(maps.Keys(b.Metrics)) {
		m := b.Metrics[name]
		rows = append(rows, []string{text.Visible(name), amount(m.Unit, m.Mean), strconv.Itoa(m.N), strconv.Itoa(m.Failed), m.Better})
	}
	head := []string{"metric", "mean", "n", "not scored", "better"}
	_, err = io.WriteString(out, screen.Table(head, rows, []bool{true, false, false, false, true}))
	return err
}

// amount formats a value of a metric: three decimals for a ratio, one for a value with a
// unit.
func amount(unit string, v float64) string {
	digits := 3
	if unit != "" {
		digits = 1
	}
	s := fmt.Sprintf("%.*f", digits, v)
	if strings.Trim(s, "-0.") == "" {
		return strings.TrimPrefix(s, "-")
	}
	return s
}

// change formats a difference with its sign, for a commit message.
func change(unit string, v float64) string {
	s := amount(unit, v)
	if !strings.HasPrefix(s, "-") {
		return "+" + s
	}
	return s
}

// writeDelta writes what a new baseline changes, in the form of a commit message.
// Metrics are in the order of the run, followed by those that only the old baseline
// has.
func writeDelta(out io.Writer, old, now *gate.Baseline, metrics []assay.MetricInfo) error {
	var names []string
	for _, m := range metrics {
		if now.Metrics[m.Name] != nil {
			names = append(names, m.Name)
		}
	}
	title := "eval baseline:"
	if old != nil {
		title = "eval delta:"
		for _, name := range slices.Sorted(maps.Keys(old.Metrics)) {
			if now.Metrics[name] == nil {
				names = append(names, name)
			}
		}
	}
	if _, err := fmt.Fprintln(out, title); err != nil {
		return err
	}
	width := 0
	for _, name := range names {
		width = max(width, len(name)+1)
	}
	for _, name := range names {
		var before *gate.BaselineMetric
		if old != nil {
			before = old.Metrics[name]
		}
		if _, err := fmt.Fprintf(out, "  %-*s  %s\n", width, name+":", delta(before, now.Metrics[name], old != nil)); err != nil {
			return err
		}
	}
	return nil
}

// delta shows one metric: "0.900 -> 0.950 (+0.050)". One side may be missing.
func delta(before, after *gate.BaselineMetric, compared bool) string {
	switch {
	case after == nil:
		return amount(before.Unit, before.Mean) + " (no longer measured)"
	case before != nil:
		return fmt.Sprintf("%s -> %s (%s)", amount(after.Unit, before.Mean), amount(after.Unit, after.Mean),
			change(after.Unit, after.Mean-before.Mean))
	case compared:
		return amount(after.Unit, after.Mean) + " (new)"
	}
	return amount(after.Unit, after.Mean)
}
