package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/store"
)

// calibrateFlags are the flags of assay judge calibrate.
type calibrateFlags struct {
	labels, columns  []string
	run, store       string
	metric           string
	threshold, level float64
	positive, scale  string
	seed             uint64
	format           string
	json             bool
}

func newJudgeCalibrate(env *Env) *cobra.Command {
	var f calibrateFlags
	cmd := &cobra.Command{
		Use:  "calibrate --labels FILE",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return calibrate(cmd.Context(), env, f, cmd.Flags().Changed("run"))
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&f.labels, "labels", nil, `table of labels, "-" for standard input (repeatable)`)
	flags.StringVar(&f.run, "run", store.Latest, "run whose scores are compared: an id, a prefix of one, a name, or a report file (.json)")
	flags.StringVar(&f.metric, "metric", "faithfulness", "metric of the run")
	flags.Float64Var(&f.threshold, "threshold", 0.5, "score from which the judge's ruling counts as 1")
	flags.StringVar(&f.positive, "positive", "", "grade from which a human label counts as 1 (default: labels are 0 or 1)")
	flags.StringVar(&f.scale, "scale", "", "lowest and highest level of graded labels, as in 1-4")
	flags.StringArrayVar(&f.columns, "column", nil, "column of FILE for a field, as in label=verdict (repeatable)")
	flags.Float64Var(&f.level, "level", stats.DefaultLevel, "confidence level of the intervals")
	flags.Uint64Var(&f.seed, "seed", 0, "seed of the resamples and folds")
	f.format = "table"
	choiceFlag(cmd, &f.format, "format", "how to print", []string{"table", "json"})
	flags.BoolVar(&f.json, "json", false, "the same as --format json")
	storeFlag(cmd, env, &f.store)
	_ = cmd.MarkFlagRequired("labels")
	return cmd
}

// judged holds the scores to calibrate.
type judged struct {
	// what describes the source of the scores.
	what   string
	scores map[string]assay.Score
	// withheld has the cases whose answer the target's server withheld.
	withheld map[string]bool
	// groups and bases map cases to their clusters, and to the ids that draws share.
	groups, bases map[string]string
	metric        assay.MetricInfo
	header        *assay.Header
}

func calibrate(ctx context.Context, env *Env, f calibrateFlags, runGiven bool) error {
	o, columns, err := f.options()
	if err != nil {
		return err
	}
	files := strings.Join(f.labels, ", ")
	labels, err := wire.ReadLabels(f.labels, columns, env.Open)
	if err != nil {
		return err
	}
	own := slices.ContainsFunc(labels, func(l judge.Label) bool { return l.Score != nil })
	if own && runGiven {
		return hinted(fmt.Errorf("%s has a column %q, and a run is named: the scores must come from one of them", files, "score"),
			"--column score= leaves the column unread")
	}
	from := judged{what: files, metric: assay.MetricInfo{Name: f.metric}}
	if !own {
		if from, err = scoresOfRun(ctx, env, f); err != nil {
			return err
		}
		if err := ambiguous(ctx, env, f.store, labels, from.header); err != nil {
			return err
		}
	}
	if labels, err = sampled(env, labels, from); err != nil {
		return err
	}
	items, missing := join(labels, from)
	warnMissing(env, missing, from)
	r, err := judge.Calibrate(items, o)
	if err != nil {
		return err
	}
	out := calibrated{Labels: files, Scores: from.what, Metric: f.metric, CalibrationReport: r}
	if from.header != nil {
		out.Judge = from.header.Judge
	}
	if f.json || f.format == "json" {
		return printJSON(env.Stdout, out)
	}
	return out.print(env.Stdout)
}

// options returns the options that need parsing, and the columns of the labels.
func (f calibrateFlags) options() (o judge.CalibrateOptions, columns map[string]string, err error) {
	if !(f.level > 0 && f.level < 1) {
		return o, nil, fmt.Errorf("level %v: expected a number between 0 and 1", f.level)
	}
	o = judge.CalibrateOptions{Threshold: f.threshold, Level: f.level, Seed: f.seed}
	if f.positive != "" {
		v, err := strconv.ParseFloat(f.positive, 64)
		if err != nil {
			return o, nil, fmt.Errorf("positive %q: expected a grade", f.positive)
		}
		o.Positive = &v
	}
	if o.Scale, err = wire.ParseScale(f.scale); err != nil {
		return o, nil, err
	}
	if columns, err = labelColumns(f.columns); err != nil {
		return o, nil, err
	}
	return o, columns, nil
}

func scoresOfRun(ctx context.Context, env *Env, f calibrateFlags) (judged, error) {
	rep, err := loadReport(ctx, env, f.run, f.store)
	if err != nil {
		return judged{}, err
	}
	i := slices.IndexFunc(rep.Header.Metrics, func(m assay.MetricInfo) bool { return m.Name == f.metric })
	if i < 0 {
		return judged{}, hinted(fmt.Errorf("run %s has no metric %q: expected one of %s", rep.Header.ID, f.metric, strings.Join(wire.MetricNames(rep.Header.Metrics), ", ")),
			"--metric names another")
	}
	j := judged{what: "run " + rep.Header.ID, metric: rep.Header.Metrics[i], header: &rep.Header, scores: map[string]assay.Score{},
		groups: map[string]string{}, bases: map[string]string{}, withheld: map[string]bool{}}
	for rec, err := range rep.Records() {
		if err != nil {
			return judged{}, err
		}
		id := rec.Case.ID
		j.scores[id], j.groups[id], j.bases[id] = rec.Scores[f.metric], rec.Case.Group, rec.Case.Base()
		j.withheld[id] = !rec.Unruled(assay.JudgeError)
	}
	return j, nil
}

// missing has the cases with a label and without a score: those that the scores lack, and others
// by reason.
type missing struct {
	absent, withheld []string
	states           map[assay.State][]string
}

// join pairs labels and scores by case. Cases without a label are included; a score
// that is not a measurement is ignored.
func join(labels []judge.Label, from judged) ([]judge.Rated, missing) {
	m := missing{states: map[assay.State][]string{}}
	var items []judge.Rated
	labelled := map[string]bool{}
	for _, l := range labels {
		labelled[l.Case] = true
		item := judge.Rated{Case: l.Case, Base: from.bases[l.Case], Cluster: l.Cluster, Labels: l.Labels, Score: l.Score}
		if from.scores != nil {
			score, ok := from.scores[l.Case]
			switch {
			case ok && score.State == assay.Scored:
				item.Score = &score.Value
			case l.Labels[0] == nil:
			case !ok:
				m.absent = append(m.absent, l.Origin.String()+": case "+strconv.Quote(l.Case))
			default:
				item.Failed = score.State == assay.JudgeError && !from.withheld[l.Case]
				if score.State == assay.JudgeError && !item.Failed {
					m.withheld = append(m.withheld, l.Case)
				} else {
					m.states[score.State] = append(m.states[score.State], l.Case)
				}
			}
			if item.Cluster == "" {
				item.Cluster = from.groups[l.Case]
			}
		} else if l.Score == nil && l.Labels[0] != nil {
			m.states[assay.JudgeError] = append(m.states[assay.JudgeError], l.Case)
			item.Failed = true
		}
		items = append(items, item)
	}
	// Map order is random; the order of summation must not be.
	for _, id := range slices.Sorted(maps.Keys(from.scores)) {
		if s := from.scores[id]; s.State == assay.Scored && !labelled[id] {
			items = append(items, judge.Rated{Case: id, Base: from.bases[id], Cluster: from.groups[id], Score: &s.Value})
		}
	}
	return items, m
}

func warnMissing(env *Env, m missing, from judged) {
	if n := len(m.absent); n > 0 {
		env.Warn("labelled cases missing from %s: %d, such as %s", from.what, n, m.absent[0])
	}
	if ids := m.withheld; len(ids) > 0 {
		env.Warn("labelled cases whose answer the target's server withheld, in %s: %d, such as %q", from.what, len(ids), ids[len(ids)-1])
	}
	for _, s := range []assay.State{assay.JudgeError, assay.TargetError, assay.Abstained, assay.NotApplicable, assay.Unset} {
		if ids := m.states[s]; len(ids) > 0 {
			env.Warn("labelled cases without a score in %s (%s): %d, such as %q", from.what, s, len(ids), ids[len(ids)-1])
		}
	}
}
