package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/atomic"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/certify"
)

// certifyFlags are the flags of assay judge certify.
type certifyFlags struct {
	tryFlags
	questions, data []string
	items           int
}

func newJudgeCertify(env *Env) *cobra.Command {
	var f certifyFlags
	cmd := &cobra.Command{
		Use:  "certify --data DIR",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return certifyJudge(cmd, env, f) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.data, "data", nil, "file of labelled items, or folder of such files (repeatable)")
	flags.StringSliceVar(&f.questions, "questions", nil, "questions to certify, separated by commas (default: all that the data fit)")
	flags.IntVar(&f.items, "items", 300, "items of each question and language; 0 means all")
	f.add(cmd)
	_ = cmd.MarkFlagRequired("data")
	return cmd
}

// certified is what the command prints as JSON.
type certified struct {
	*certify.Report
	// File is where the certificates are kept.
	File string `json:"file"`
	certify.Merged
	// Void are those of the same judge in the file that do not hold any more.
	Void []assay.Certificate `json:"void,omitempty"`
	// Unfit counts the rows of the data that are left out, by reason.
	Unfit map[string]int `json:"unfit,omitempty"`
}

func certifyJudge(cmd *cobra.Command, env *Env, f certifyFlags) error {
	r, err := resolve(env, cmd.Flags(), f.config)
	if err != nil {
		return err
	}
	if _, err := certify.Named(f.questions); err != nil {
		return fmt.Errorf("--questions: %w", err)
	}
	if f.items < 0 {
		return fmt.Errorf("--items %d: expected 1 or more, or 0 for all", f.items)
	}
	// A file that cannot be read is told before anything is spent.
	if _, err := readCertificates(env, r.Config); err != nil {
		return err
	}
	set, err := certify.ReadFiles(f.data, env.Path)
	if err != nil {
		return err
	}
	if len(set.Items) == 0 {
		printUnfit(env.Stderr, set.Unfit, set.Reasons())
		return fmt.Errorf("%s: no row fits a question: expected claims, answers, passages or points with labels", strings.Join(f.data, ", "))
	}
	o := certify.Options{
		Questions: f.questions, Items: f.items, Seed: r.Seed,
		Concurrency: r.Judge.Concurrency, Language: wire.JudgeLanguage(r.Config),
		Version: env.Version, Now: env.Now,
	}
	out := certified{File: r.Certificates, Unfit: set.Unfit}
	err = f.try(cmd.Context(), env, r, "certifying", func(ctx context.Context, m *wire.Models, j judge.Judge, done func(int, int)) error {
		unpriced, err := m.Check()
		if err != nil {
			return err
		}
		o.Done, o.Unpriced = done, len(unpriced) > 0
		out.Report, err = certify.Run(ctx, j, set, o)
		return err
	})
	if err != nil || f.dryRun {
		return err
	}
	if err := out.keep(env, r.Config); err != nil {
		return err
	}
	if f.json {
		err = printJSON(env.Stdout, out)
	} else {
		err = out.print(env.Stdout, set)
	}
	return errors.Join(err, out.unusable())
}

// unusable is the error of a judge that gave no usable ruling on any question.
func (c *certified) unusable() error {
	if len(c.Certificates) == 0 || slices.ContainsFunc(c.Certificates, func(n assay.Certificate) bool { return n.Usable > 0 }) {
		return nil
	}
	most := slices.MaxFunc(c.Unruled, func(a, b certify.Unruled) int { return cmp.Compare(a.Alike, b.Alike) })
	return fmt.Errorf("no usable ruling on any question; use a judge that answers (%s)", wrapLine(most.Why))
}

// keep adds the certificates to the file of the setting.
func (c *certified) keep(env *Env, cfg config.Config) error {
	if len(c.Certificates) == 0 {
		return nil
	}
	old, err := readCertificates(env, cfg)
	if err != nil {
		return err
	}
	c.Certificates = certify.Timed(old, c.Certificates)
	c.Merged = certify.Merge(old, c.Certificates)
	c.Void = certify.Void(c.All, c.Certificates)
	return atomic.WriteFile(env.Path(cfg.Certificates), func(w io.Writer) error { return certify.Write(w, c.All) })
}

// readCertificates reads the file of the setting, if it is there.
func readCertificates(env *Env, cfg config.Config) ([]assay.Certificate, error) {
	return wire.Certificates(cfg, wire.World{Path: env.Path}, true)
}

// printUnfit says how many rows are left out, and why.
func printUnfit(w io.Writer, unfit map[string]int, reasons []string) {
	total := 0
	for _, n := range unfit {
		total += n
	}
	if total == 0 {
		return
	}
	fmt.Fprintf(w, "\nrows left out: %d\n", total)
	for _, why := range reasons {
		fmt.Fprintf(w, "  %d  %s\n", unfit[why], oneLine(why))
	}
}
