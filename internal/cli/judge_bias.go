package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/probe"
)

func newJudgeBias(env *Env) *cobra.Command {
	var f tryFlags
	var o probe.BiasOptions
	var labels, second string
	cmd := &cobra.Command{
		Use:   "bias",
		Short: "Test a judge for biases",
		Long: `Test whether a judge's rulings depend on what should not matter: the order of
passages and claims, meaningless padding, the style of an answer, texts without an
answer; with labels, also the length of an answer and the family of its writer.

Labels are JSON lines, one answer each:

  question    text
  answer      the text to judge
  references  correct answers, and
  passages    evidence: at least one of the two
  human       the human mark, 0 to 1
  family      the model family that wrote the answer
  id          a name for messages

The length test needs human marks. The self-preference test needs families, the
judge's own family (--family), and human marks or a second judge of another family
(--second). The exit code is 1 when a test fails.`,
		Annotations: map[string]string{exampleRuns: "not, it needs a model that can judge"},
		Example: `  assay judge bias --judge openai:gpt-4.1-mini --dry-run
  assay judge bias --judge openai:gpt-4.1-mini --passes 1
  assay judge bias --judge openai:gpt-4.1-mini --labels answers.jsonl --family gpt --second anthropic:claude-sonnet-4-5`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := resolve(env, cmd.Flags(), f.config)
			if err != nil {
				return err
			}
			if len(r.Judges) == 0 && entails(r) {
				return errors.New("bias is measured of judges that rule on whole answers, not on support alone: want --judge PROVIDER:MODEL")
			}
			if labels != "" {
				if o.Labels, err = readBiasLabels(env, labels); err != nil {
					return err
				}
			}
			if err := knownFamily(o); err != nil {
				return err
			}
			o.Concurrency, o.Seed = r.Judge.Concurrency, r.Seed
			t := trial{what: "testing"}
			if second != "" {
				t.open = func(m *wire.Models) (err error) {
					other := r.Config
					other.Judges, other.ThirdJudge = []string{second}, ""
					o.Second, err = openSecond(m, other)
					return err
				}
			}
			var report *probe.Report
			t.run = func(ctx context.Context, j judge.Judge, done func(int, int)) (err error) {
				o.Done = done
				report, err = probe.Bias(ctx, j, o)
				return err
			}
			if err := f.try(cmd.Context(), env, r, t); err != nil || f.dryRun {
				return err
			}
			if f.json {
				err = printJSON(env.Stdout, report)
			} else {
				err = printTests(env.Stdout, report)
			}
			if err == nil && !report.Fit {
				return &ExitError{Code: ExitThreshold}
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&o.Items, "items", 10, "items in each language, 4 to 10")
	flags.StringVar(&labels, "labels", "", "answers with human marks or families: JSON lines")
	flags.StringVar(&o.Own, "family", "", "family that the judge is of, as the labels name it")
	flags.StringVar(&second, "second", "", "judge of another family, as PROVIDER:MODEL, to stand in for human marks")
	f.add(cmd)
	return cmd
}

func openSecond(m *wire.Models, cfg config.Config) (judge.Judge, error) {
	j, err := m.Bench(cfg)
	if err != nil {
		return nil, fmt.Errorf("--second: %w", err)
	}
	return j, nil
}

// knownFamily returns an error if the labels do not contain the judge's own family.
func knownFamily(o probe.BiasOptions) error {
	names, _ := probe.Families(o.Labels)
	switch {
	case o.Own == "":
		return nil
	case names == nil:
		return errors.New("--family: the labels contain no family")
	}
	for _, n := range names {
		if strings.EqualFold(n, o.Own) {
			return nil
		}
	}
	return fmt.Errorf("--family %q: want a family of the labels: %q", o.Own, names)
}

// readBiasLabels reads labelled answers, one JSON object per line.
func readBiasLabels(env *Env, path string) ([]probe.Label, error) {
	f, err := os.Open(env.Path(path))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []probe.Label
	lines := bufio.NewReader(f)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if b := bytes.TrimSpace(line); len(b) > 0 {
			var l probe.Label
			d := json.NewDecoder(bytes.NewReader(b))
			d.DisallowUnknownFields()
			if err := d.Decode(&l); err != nil {
				return nil, fmt.Errorf("%s:%d: %w: want an object with question, answer, references or passages, human, family", path, n, err)
			}
			if l.ID == "" {
				l.ID = fmt.Sprintf("line %d", n)
			}
			out = append(out, l)
		}
		if err != nil {
			break
		}
	}
	if out == nil {
		return nil, fmt.Errorf("%s: no labels", path)
	}
	return out, nil
}

// printTests writes the report as text.
func printTests(out io.Writer, r *probe.Report) error {
	fmt.Fprintf(out, "judge %s\n\n", oneLine(judgeLine(r.Judge)))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "test\teffect\tinterval (%.0f %%)\tn\tlimit\t\n", 100*r.Level)
	for _, t := range r.Tests {
		if t.Outcome == probe.NotMeasured {
			fmt.Fprintf(w, "%s\t–\t\t\t\t%s\n", t.Name, t.Outcome)
			continue
		}
		signed := strings.Contains(t.Limit, "±")
		row(w, t.Name, t.Effect, interval(t.Interval, signed), t.N, t.Limit, string(t.Outcome), signed)
		for _, p := range t.Parts {
			row(w, "  "+p.Name, p.Effect, interval(p.Interval, signed), p.N, "", "", signed)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	for _, t := range r.Tests {
		fmt.Fprintf(out, "%s: %s", t.Name, t.Doc)
		if t.Unread > 0 && !strings.Contains(t.Note, "without a ruling") {
			fmt.Fprintf(out, "; %d without a ruling", t.Unread)
		}
		if t.Note != "" {
			fmt.Fprintf(out, "; %s", wrapLine(t.Note))
		}
		fmt.Fprintln(out)
	}
	if r.Fit {
		fmt.Fprintln(out, "\nno bias beyond the limits")
		return nil
	}
	fmt.Fprintf(out, "\nBIASED beyond the limits:\n  %s\n", strings.Join(r.Reasons, "\n  "))
	return nil
}

func row(w io.Writer, name string, effect float64, ci string, n int, limit, outcome string, signed bool) {
	if n == 0 {
		fmt.Fprintf(w, "%s\t–\t\t0\t%s\t%s\n", name, limit, outcome)
		return
	}
	form := "%s\t%.3f\t%s\t%d\t%s\t%s\n"
	if signed {
		form = "%s\t%+.3f\t%s\t%d\t%s\t%s\n"
	}
	fmt.Fprintf(w, form, name, effect, ci, n, limit, outcome)
}
