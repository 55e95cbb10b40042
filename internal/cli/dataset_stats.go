package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/dataset"
)

func newDatasetStats(env *Env) *cobra.Command {
	var read readFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:  "stats PATH",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := read.load(cmd.Context(), env, args[0])
			if err != nil {
				return err
			}
			warnDataset(env, d)
			s := d.Stats()
			if asJSON {
				return printJSON(env.Stdout, s)
			}
			fmt.Fprintf(env.Stdout, "%s  %s · format %s\n", oneLine(d.Info.Name), countCases(s.Cases), d.Info.Format)
			writeStats(env.Stdout, s)
			return nil
		},
	}
	read.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// mostTags is the maximum number of tags listed.
const mostTags = 20

func writeStats(w io.Writer, s dataset.Stats) {
	section := func(title string) { fmt.Fprintf(w, "\n%s\n", title) }
	row := func(name string, v any) { fmt.Fprintf(w, "  %-26s %v\n", name, v) }

	section("cases")
	for _, c := range []struct {
		name  string
		count int
	}{{"critical", s.Critical}, {"unanswerable", s.Unanswerable}, {"groups", s.Groups}, {"Chinese, Japanese, Korean",
		s.CJK}, {"recorded responses", s.Responses}} {
		if c.count > 0 {
			row(c.name, c.count)
		}
	}
	unit := " characters"
	if s.Question.P95 == 1 {
		unit = " character"
	}
	row("question length", lengths(s.Question)+unit)

	section("labels, in how many cases")
	for _, l := range s.Labels {
		row(l.Name, l.Cases)
	}
	if len(s.Grades) > 0 {
		section("judgments")
		row("documents", s.Documents)
		row("relevant ones a case", lengths(s.Relevant))
		var grades []string
		for _, g := range slices.Sorted(maps.Keys(s.Grades)) {
			grades = append(grades, fmt.Sprintf("%d: %d", g, s.Grades[g]))
		}
		row("by grade", strings.Join(grades, " · "))
	}
	if len(s.Tags) > 0 {
		section("tags, in how many cases")
		for _, t := range s.Tags[:min(len(s.Tags), mostTags)] {
			row(oneLine(t.Name), t.Cases)
		}
		if more := len(s.Tags) - mostTags; more > 0 {
			row("…", fmt.Sprintf("and %d more", more))
		}
	}
}

func lengths(l dataset.Lengths) string {
	return fmt.Sprintf("%d to %d, median %d, 95 %% at most %d", l.Min, l.Max, l.Median, l.P95)
}
