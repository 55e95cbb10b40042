package cli

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/dataset/trec"
	"github.com/assay-eval/assay/metric/treceval"
	"github.com/assay-eval/assay/stats"
)

// measureFlags are the flags of assay measure.
type measureFlags struct {
	measures []string
	perQuery bool
	complete bool
	keepOwn  bool
	level    int
	depth    int
	format   string
}

// A measureFormat is an output format of a report of measures.
type measureFormat struct {
	name  string
	write func(*treceval.Report, io.Writer) error
	// parse parses the names of measures as the format defines them.
	parse func(names []string, level int) ([]treceval.Measure, error)
	// measures are the default measures.
	measures []string
}

var measureFormats = []measureFormat{
	{"table", (*treceval.Report).WriteTable, treceval.Parse, usualMeasures},
	{"trec", (*treceval.Report).WriteTREC, treceval.ParseTREC, []string{"official"}},
	{"json", (*treceval.Report).WriteJSON, treceval.Parse, usualMeasures},
	{"csv", (*treceval.Report).WriteCSV, treceval.Parse, usualMeasures},
}

// usualMeasures are the measures most often used to compare retrieval; judged@10 shows
// how far the others can be trusted.
var usualMeasures = []string{"ndcg@10", "mrr@10", "map", "precision@10", "recall@10", "recall@100", "judged@10"}

func newMeasure(env *Env) *cobra.Command {
	var f measureFlags
	cmd := &cobra.Command{
		Use:  "measure QRELS RUN…",
		Args: cobra.MinimumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error { return measureRuns(env, f, args[0], args[1:]) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVarP(&f.measures, "measure", "m", nil,
		"measure (repeatable, or a list): ndcg@10, P.5,10, all_trec, official, set (default: a usual selection)")
	flags.BoolVarP(&f.perQuery, "per-query", "q", false, "print every query too")
	flags.BoolVarP(&f.complete, "complete", "c", false,
		"with --format trec: count queries that the run lacks as 0 (other formats always do; without -c trec leaves them out)")
	flags.BoolVar(&f.keepOwn, "keep-own-ids", false, docOf("keep-own-ids"))
	flags.IntVarP(&f.level, "level", "l", 1, "lowest grade that counts as relevant")
	flags.IntVarP(&f.depth, "depth", "M", 0, "maximum number of results of a query (default: all)")
	f.format = measureFormats[0].name
	choiceFlag(cmd, &f.format, "format", "how to print (trec: as trec_eval does)",
		namesOf(measureFormats, func(m measureFormat) string { return m.name }))
	return cmd
}

func measureRuns(env *Env, f measureFlags, qrels string, runs []string) error {
	i := slices.IndexFunc(measureFormats, func(m measureFormat) bool { return m.name == f.format })
	switch {
	case f.level < 1:
		return fmt.Errorf("level %d: expected a grade from 1", f.level)
	case f.depth < 0:
		return fmt.Errorf("depth %d: expected a number of results, or 0 for all", f.depth)
	}
	format := measureFormats[i]
	names := f.measures
	if len(names) == 0 {
		names = format.measures
	}
	measures, err := format.parse(names, f.level)
	if err != nil {
		return err
	}
	if n := standardInputs(qrels, runs); n > 1 {
		return fmt.Errorf("standard input is given %d times; give it once", n)
	}
	read := trec.ReadQrels
	if slices.ContainsFunc(measures, treceval.Measure.OfSubtopics) {
		read = trec.ReadSubtopics
	}
	judgments, beir, err := readJudgments(env, qrels, read)
	if err != nil {
		return err
	}
	report := &treceval.Report{Qrels: qrels, Level: stats.DefaultLevel, PerQuery: f.perQuery}
	for _, name := range runs {
		r, err := treceval.Score(judgments, source(env, name), treceval.Options{
			Measures: measures, Depth: f.depth, Workers: runtime.GOMAXPROCS(0), Answered: f.format == "trec" && !f.complete,
			DropOwn: beir && !f.keepOwn,
		})
		if err != nil {
			return err
		}
		report.Results = append(report.Results, r)
	}
	if f.format == "table" {
		showable(report)
	} else {
		// The table contains these warnings.
		for _, r := range report.Results {
			warnQueries(env, r, f.complete || f.format != "trec")
		}
		for _, note := range report.Notes() {
			env.Warn("%s", note)
		}
	}
	return format.write(report, env.Stdout)
}

// standardInputs counts the files that are standard input.
func standardInputs(first string, others []string) (n int) {
	for _, name := range append([]string{first}, others...) {
		if name == "-" {
			n++
		}
	}
	return n
}

// showable makes the names in a report safe to print: they could contain terminal
// escape sequences.
func showable(p *treceval.Report) {
	p.Qrels = oneLine(p.Qrels)
	for _, r := range p.Results {
		r.Name, r.Tag, r.FirstUnjudged = oneLine(r.Name), oneLine(r.Tag), oneLine(r.FirstUnjudged)
		for i := range r.Queries {
			r.Queries[i].ID = oneLine(r.Queries[i].ID)
		}
	}
}

func warnQueries(env *Env, r *treceval.Result, complete bool) {
	if r.Missing > 0 {
		effect := "are left out, which can raise the means: -c counts them as 0"
		if complete {
			effect = "count as 0 where a measure applies"
		}
		env.Warn("%s: %d of the judged queries have no results and %s, such as %q", r.Name, r.Missing, effect, r.FirstMissing)
	}
	if r.Unjudged > 0 {
		env.Warn("%s: queries without judgments are left out: %d, such as %q", r.Name, r.Unjudged, r.FirstUnjudged)
	}
}

// readJudgments also reports whether the file is one of BEIR.
func readJudgments(env *Env, name string, read func(io.Reader, string) (*trec.Qrels, error)) (j *treceval.Judgments, beir bool, err error) {
	r, err := env.Open(name)
	if err != nil {
		return nil, false, err
	}
	defer r.Close()
	q, err := read(r, name)
	if err != nil && strings.Contains(err.Error(), "must have 4 columns") {
		return nil, false, hinted(err, "the first file is that of judgments: assay measure QRELS RUN…")
	}
	if err != nil {
		return nil, false, err
	}
	return treceval.NewJudgments(q), q.BEIR, nil
}

// source returns the named file, or standard input for "-".
func source(env *Env, name string) treceval.Source {
	s := treceval.Source{Name: name, Open: func() (io.ReadCloser, error) { return env.Open(name) }}
	if name == "-" {
		s.Name, s.Once = "standard input", true
	}
	return s
}
