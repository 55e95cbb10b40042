package cli

import (
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/quickstart"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/store"
)

// tourMetrics are the most informative metrics for so small a dataset: what was found,
// at which rank, and whether the answer contains the expected facts.
const tourMetrics = "hit@1,mrr@10,recall@5,answer_keyword_recall,support"

// tourStore is the database of the quickstart, in its folder.
const tourStore = "assay.db"

func newQuickstart(env *Env) *cobra.Command {
	var output string
	var whole bool
	cmd := &cobra.Command{
		Use:  "quickstart",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runTour(cmd, env, output, whole)
		},
	}
	cmd.Flags().StringVar(&output, "output", "results/quickstart", "folder for the data and the reports")
	wholeFlag(cmd, &whole, "comparison")
	return cmd
}

func runTour(cmd *cobra.Command, env *Env, output string, whole bool) (err error) {
	dir := env.Path(output)
	if err := quickstart.Write(dir); err != nil {
		return err
	}
	s, err := store.Open(cmd.Context(), filepath.Join(dir, tourStore))
	if err != nil {
		return err
	}
	defer s.Close()
	var reports []*report.Report
	for _, retriever := range rag.Retrievers() {
		rep, err := tourRun(cmd, env, s, output, retriever)
		if err != nil {
			return err
		}
		if _, err := writeReports(env, rep, filepath.Join(output, retriever), reportFormats, report.Options{}); err != nil {
			return err
		}
		reports = append(reports, rep)
	}
	c, err := report.Compare(reports, 0)
	if err != nil {
		return err
	}
	return showTour(env, c, output, whole)
}

func tourRun(cmd *cobra.Command, env *Env, s *store.Store, dir, retriever string) (*report.Report, error) {
	r := config.Default()
	for key, v := range map[string]string{
		"name": retriever, "dataset": filepath.Join(dir, "gold.json"), "corpus": filepath.Join(dir, "corpus"),
		"retriever": retriever, "metrics": tourMetrics, "chunk.size": "120", "chunk.overlap": "0",
	} {
		if err := r.Set(key, v, config.FromFlag, "quickstart"); err != nil {
			return nil, err
		}
	}
	progress := progressFor(env, runFlags{})
	j, err := prepare(cmd.Context(), r, newWorld(env, r, progress, []string{"assay", "quickstart"}))
	if err != nil {
		return nil, err
	}
	defer j.Close()
	rep, err := j.Run(cmd.Context(), s)
	closeBars(progress)
	if wire.Interrupted(err) {
		return nil, &ExitError{Code: ExitInterrupted, Err: errors.New("interrupted")}
	}
	return rep, err
}
