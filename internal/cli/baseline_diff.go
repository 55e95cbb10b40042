package cli

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/schema"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

func newBaselineDiff(env *Env) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "diff [FILE] [RUN]",
		Short: "Compare a run with the baseline, by metric and by case",
		Long: `Compare a run with the baseline: whether the baseline applies to it, each metric
with its difference, and the cases that changed. A single argument is the
baseline when it is a baseline file, otherwise the run. The command reports
differences only; assay gate decides.`,
		Example: `  assay baseline diff
  assay baseline diff results/eval_report.json
  assay baseline diff eval-baseline.json 20261121`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := resolveStored(env, cmd.Flags(), file)
			if err != nil {
				return err
			}
			var named, ref string
			switch {
			case len(args) == 2:
				named, ref = args[0], args[1]
			case len(args) == 1 && isBaseline(env.Path(args[0])):
				named = args[0]
			case len(args) == 1:
				ref = args[0]
			}
			b, err := wire.ReadBaseline(baselineFile(r, named), env.Path)
			if err != nil {
				return hinted(err, "assay baseline save creates one from the last run")
			}
			rep, err := finishedRun(cmd, env, r.Store, ref)
			if err != nil {
				return err
			}
			d, err := newBaselineChange(r, b, rep)
			if err != nil {
				return err
			}
			return d.write(env.Stdout)
		},
	}
	addBaselineFlags(cmd, &file, "store", "gate.tolerances", "gate.statistical")
	return cmd
}

// isBaseline reports whether the file declares itself to be a baseline.
func isBaseline(path string) bool {
	data, err := os.ReadFile(path)
	return err == nil && strings.HasPrefix(schema.Of(data), "assay.baseline/")
}

// A baselineChange is a run compared with a baseline.
type baselineChange struct {
	baseline *gate.Baseline
	rep      *report.Report
	refused  []gate.Finding
	// results holds the gate's results for the metrics that both have, by name.
	results map[string]gate.Result
}

// newBaselineChange compares a run with a baseline, using the tolerances in the settings.
func newBaselineChange(r *config.Resolved, b *gate.Baseline, rep *report.Report) (*baselineChange, error) {
	tolerances, err := wire.Tolerances(r)
	if err != nil {
		return nil, err
	}
	if err := (gate.Policy{Tolerances: tolerances}).Check(rep.Header.Metrics); err != nil {
		return nil, fmt.Errorf("gate: %w", err)
	}
	p := gate.Policy{Baseline: b, Tolerances: tolerances, Statistical: r.Gate.Statistical,
		AllowEstimates: r.Gate.AllowEstimates, MinCertificate: r.Gate.MinCertificate, Level: rep.Level(), Seed: rep.Header.Seed}
	d := &baselineChange{baseline: b, rep: rep, refused: b.Refuses(rep.Header), results: map[string]gate.Result{}}
	o, _ := p.Judge(rep.Run())
	for _, x := range slices.Concat(o.Tracked, o.Results) {
		if x.Diff != nil {
			d.results[x.Metric] = x
		}
	}
	return d, nil
}

// metrics returns the metrics of the run in its order, then those that only the
// baseline has.
func (d *baselineChange) metrics() []string {
	var names []string
	for _, m := range d.rep.Header.Metrics {
		names = append(names, m.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(d.baseline.Metrics)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (d *baselineChange) write(out io.Writer) error {
	h := d.rep.Header
	fmt.Fprintf(out, "baseline %s  →  run %s\n", text.Visible(d.baseline.Run), text.Visible(h.ID))
	for _, reason := range d.refused {
		fmt.Fprintf(out, "refused: %s\n", text.Visible(reason.In(words.English)))
	}
	fmt.Fprintln(out)
	rows := [][]string{{"metric", "baseline", "run", "difference", "interval", "n", "status"}}
	for _, name := range d.metrics() {
		rows = append(rows, append([]string{text.Visible(name)}, d.row(name)...))
	}
	if err := writeColumns(out, rows); err != nil {
		return err
	}
	return d.cases(out)
}

// row formats one metric: over the cases that both have if they can be compared, else
// both means unchanged.
func (d *baselineChange) row(name string) []string {
	was, is := d.baseline.Metrics[name], d.measured(name)
	unit := ""
	if is != nil {
		unit = is.Unit
	} else if was != nil {
		unit = was.Unit
	}
	if x, ok := d.results[name]; ok && x.Baseline != nil {
		ends, status := "", "tracked"
		if x.CI != nil {
			ends = change(unit, x.CI.Lo) + "…" + change(unit, x.CI.Hi)
		}
		if x.Verdict != "" {
			status = string(x.Verdict)
		}
		return []string{amount(unit, *x.Baseline), amount(unit, *x.Baseline+*x.Diff), change(unit, *x.Diff), ends, fmt.Sprint(x.N), status}
	}
	row := []string{"–", "–", "–", "", "", ""}
	if was != nil {
		row[0] = amount(unit, was.Mean)
	}
	if is != nil && is.N > 0 {
		row[1], row[4] = amount(unit, is.Mean), fmt.Sprint(is.N)
	}
	switch {
	case was == nil:
		row[5] = "not in the baseline"
	case is == nil:
		row[5] = "not in the run"
	case d.refused != nil:
		row[5] = "not compared"
	}
	return row
}

func (d *baselineChange) measured(name string) *summary.Metric {
	for i, m := range d.rep.Summary.Metrics {
		if m.Name == name {
			return &d.rep.Summary.Metrics[i]
		}
	}
	return nil
}

// mostChanged is the maximum number of cases shown for a metric.
const mostChanged = 10

// A moved is a case whose value differs from the baseline.
type moved struct {
	id       string
	was, is  float64
	question string
}

// cases lists the changed cases, the largest losses of each metric first.
func (d *baselineChange) cases(out io.Writer) error {
	questions := map[string]string{}
	for r, err := range d.rep.Records() {
		if err != nil {
			return err
		}
		questions[r.Case.Base()] = r.Case.Question
	}
	for _, m := range d.rep.Summary.Metrics {
		lost, won := d.moved(m.MetricInfo, questions)
		if len(lost)+len(won) == 0 {
			continue
		}
		if _, err := fmt.Fprintf(out, "\n%s: %d worse, %d better\n", text.Visible(m.Name), len(lost), len(won)); err != nil {
			return err
		}
		all := append(lost, won...)
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		for _, c := range all[:min(len(all), mostChanged)] {
			fmt.Fprintf(w, "  %s\t%s → %s\t%s\n", text.Visible(c.id), amount(m.Unit, c.was), amount(m.Unit, c.is), clipped(c.question))
		}
		if err := w.Flush(); err != nil {
			return err
		}
		if n := len(all) - mostChanged; n > 0 {
			fmt.Fprintf(out, "  … and %d more\n", n)
		}
	}
	return nil
}

// moved returns the cases that lost, largest loss first, and those that won.
func (d *baselineChange) moved(m assay.MetricInfo, questions map[string]string) (lost, won []moved) {
	for _, v := range summary.Values(m, d.rep.Cases) {
		was, had := d.baseline.Cases[v.Case][m.Name]
		if !had || v.Known == 0 || math.Abs(v.Mean-was) < 1e-9 {
			continue
		}
		c := moved{v.Case, was, v.Mean, questions[v.Case]}
		if (v.Mean < was) == (m.Better == "higher") {
			lost = append(lost, c)
		} else {
			won = append(won, c)
		}
	}
	by := func(a, b moved) int {
		return cmp.Or(cmp.Compare(math.Abs(b.is-b.was), math.Abs(a.is-a.was)), strings.Compare(a.id, b.id))
	}
	slices.SortFunc(lost, by)
	slices.SortFunc(won, by)
	return lost, won
}

// clipped returns the beginning of a question on one line.
func clipped(s string) string {
	runes := []rune(strings.Join(strings.Fields(text.Visible(s)), " "))
	const most = 60
	if len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return string(runes)
}
