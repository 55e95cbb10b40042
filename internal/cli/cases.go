package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	shellquote "github.com/kballard/go-shellquote"
	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/query"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	screen "github.com/assay-eval/assay/report/terminal"
	"github.com/assay-eval/assay/store"
)

// caseFlags are the flags of assay cases.
type caseFlags struct {
	where, sort, columns, format, store string
	limit, offset                       int
}

// caseFormats are the formats of lists of cases, the default first.
var caseFormats = []string{"table", "csv", "jsonl"}

// tableLimit is the default number of cases in a table.
const tableLimit = 20

func newCaseList(env *Env) *cobra.Command {
	f := caseFlags{format: caseFormats[0]}
	cmd := &cobra.Command{
		Use:  "cases [RUN]",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.list(cmd.Context(), env, runOf(args), args)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.where, "where", "", "filter, such as 'mrr@10<0.5 status:failed' (default: all cases)")
	flags.StringVar(&f.sort, "sort", "",
		"seq, id, status, answer, stage, latency, cost or a metric; with - before it descending (default: seq, the order of the run)")
	flags.StringVar(&f.columns, "columns", "", "columns, separated by commas")
	choiceFlag(cmd, &f.format, "format", "how to write the cases", caseFormats)
	flags.IntVar(&f.limit, "limit", 0, "how many to list, -1 for all (default: 20 in a table, else all)")
	flags.IntVar(&f.offset, "offset", 0, "how many to leave out first")
	storeFlag(cmd, env, &f.store)
	f.complete(cmd, env)
	return cmd
}

// list selects the cases and writes them.
func (f *caseFlags) list(ctx context.Context, env *Env, ref string, args []string) error {
	if f.offset < 0 {
		return fmt.Errorf("--offset %d: expected 0 or more", f.offset)
	}
	q, err := query.Parse(f.where)
	if err != nil {
		return whereError(err)
	}
	s, h, err := f.open(ctx, env, ref)
	if err != nil {
		return err
	}
	defer s.Close()
	order, err := query.ParseOrder(f.sort, wire.CaseVocabulary(h))
	if err != nil {
		return fmt.Errorf("--sort %q: %w", f.sort, err)
	}
	columns, err := parseColumns(f.columns, h)
	if err != nil {
		return fmt.Errorf("--columns: %w", err)
	}
	whole := len(columns) > 0 && columns[0].name == recordColumn
	if whole && (f.format != "jsonl" || len(columns) > 1) {
		return errors.New("--columns record: it stands alone, and with --format jsonl")
	}
	index, err := wire.IndexCases(ctx, s, h)
	if err != nil {
		return err
	}
	cases, err := wire.SelectCases(ctx, s, h, index, nil, q, order)
	if err != nil {
		return whereError(err)
	}
	limit := f.limit
	if limit == 0 && f.format == "table" {
		limit = tableLimit
	}
	shown := max(0, cases.Selected-f.offset)
	if limit > 0 {
		shown = min(shown, limit)
	}
	records := func(yield func(assay.Record, error) bool) {
		for r, err := range cases.Read(ctx, limit, f.offset, whole) {
			if !whole && err == nil {
				r.Answer = cases.Check(r).Outcome()
			}
			if !yield(r, err) {
				return
			}
		}
	}
	if err := f.write(env, h, columns, q, records); err != nil {
		return err
	}
	f.tell(env, h, cases, shown, args)
	return nil
}

// open finds a run in the store, or in a report file, which is read into a store of its own.
func (f *caseFlags) open(ctx context.Context, env *Env, ref string) (*store.Store, assay.Header, error) {
	rep, err := readReport(env, ref)
	if err != nil {
		return nil, assay.Header{}, err
	}
	if rep == nil {
		return openRun(ctx, env, ref, f.store)
	}
	s, _, err := imported(ctx, env, []*report.Report{rep})
	return s, rep.Header, err
}

// tell says how many of how many are listed, and the command for the rest.
func (f *caseFlags) tell(env *Env, h assay.Header, cases *wire.CaseList, shown int, args []string) {
	run := fmt.Sprintf("%d cases", cases.Recorded)
	if h.Finished.IsZero() && cases.Recorded < h.Asked() {
		run += " so far"
	}
	if f.where != "" {
		run = fmt.Sprintf("%d of %s selected", cases.Selected, run)
	}
	switch {
	case shown < cases.Selected:
		env.Warn("%s; %d shown", run, shown)
	case f.format == "table", cases.Selected == 0:
		env.Warn("%s", run)
	}
	if next := f.offset + shown; shown > 0 && next < cases.Selected {
		env.Hint("the next: %s", f.command(args, next))
	}
}

// command is the command for the cases from an offset on.
func (f *caseFlags) command(args []string, offset int) string {
	words := append([]string{"assay", "cases"}, args...)
	for _, flag := range []struct{ name, value, otherwise string }{
		{"--where", f.where, ""}, {"--sort", f.sort, ""}, {"--columns", f.columns, ""}, {"--format", f.format, caseFormats[0]},
		{"--limit", fmt.Sprint(f.limit), "0"}, {"--offset", fmt.Sprint(offset), "0"}, {"--store", f.store, config.Default().Store},
	} {
		if flag.value != flag.otherwise {
			words = append(words, flag.name, flag.value)
		}
	}
	return shellquote.Join(words...)
}

// whereError points below a filter to what is wrong in it.
func whereError(err error) error {
	var invalid *query.Error
	if !errors.As(err, &invalid) {
		return err
	}
	if strings.ContainsFunc(invalid.Query, func(r rune) bool { return r < ' ' }) {
		return fmt.Errorf("--where: %w", err)
	}
	before, part := invalid.Query[:invalid.Offset], invalid.Query[invalid.Offset:invalid.Offset+invalid.Length]
	marks := strings.Repeat("^", max(1, screen.Columns(text.Visible(part))))
	indent := strings.Repeat(" ", screen.Columns(text.Visible(before)))
	return hinted(fmt.Errorf("--where: %w\n  %s\n  %s%s", err, invalid.Query, indent, marks),
		"assay cases --help explains filters")
}

// complete has the shell complete filters, orders and columns from the metrics of the
// run.
func (f *caseFlags) complete(cmd *cobra.Command, env *Env) {
	for name, options := range map[string]func(typed string, h assay.Header) []string{
		"where": func(typed string, h assay.Header) []string {
			from, options := query.Complete(typed, wire.CaseVocabulary(h))
			for i := range options {
				options[i] = typed[:from] + options[i]
			}
			return options
		},
		"sort": func(typed string, h assay.Header) []string {
			sign := typed[:len(typed)-len(strings.TrimPrefix(typed, "-"))]
			return namesOf(wire.CaseVocabulary(h).Orders(), func(by string) string { return sign + by })
		},
		"columns": func(typed string, h assay.Header) []string {
			before := typed[:strings.LastIndexByte(typed, ',')+1]
			return namesOf(allColumns(h), func(c caseColumn) string { return before + c.name })
		},
	} {
		flag := cmd.Flags().Lookup(name)
		flag.Value = suggested{flag.Value, func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			var found []string
			if s, h, err := f.open(cmd.Context(), env, runOf(args)); err == nil {
				defer s.Close()
				found = slices.DeleteFunc(options(typed, h), func(o string) bool { return !strings.HasPrefix(o, typed) })
			}
			return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		}}
	}
}
