package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/report/words"
)

// canaryFlags are the flags of assay judge canary.
type canaryFlags struct {
	tryFlags
	freeze bool
}

func newJudgeCanary(env *Env) *cobra.Command {
	var f canaryFlags
	cmd := &cobra.Command{
		Use:  "canary",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := resolve(env, cmd.Flags(), f.config)
			if err != nil {
				return err
			}
			switch {
			case f.freeze:
				return f.freezes(cmd.Context(), env, r)
			case f.dryRun:
				return errors.New("--dry-run: showing frozen answers spends nothing; use --freeze too")
			}
			return f.show(cmd.Context(), env, r)
		},
	}
	cmd.Flags().BoolVar(&f.freeze, "freeze", false, "ask the judge, and freeze its answers in place of the earlier ones")
	f.add(cmd)
	return cmd
}

// shownCanary is a frozen set as JSON.
type shownCanary struct {
	Judge     assay.JudgeInfo  `json:"judge"`
	Items     int              `json:"items"`
	Languages []judge.Language `json:"languages"`
	Since     time.Time        `json:"since"`
	// Checked and Run are of the last result; nil and "" if there is none.
	Last    *assay.Canary `json:"last"`
	Checked *time.Time    `json:"checked"`
	Run     string        `json:"run,omitempty"`
}

// show lists the frozen sets of the store.
func (f *canaryFlags) show(ctx context.Context, env *Env, r *config.Resolved) error {
	s, err := openKept(ctx, env, r.Store, "assay run makes it")
	if err != nil {
		return err
	}
	defer s.Close()
	all, err := wire.Canaries(ctx, s)
	if err != nil {
		return err
	}
	if f.json {
		out := []shownCanary{}
		for _, k := range all {
			one := shownCanary{Judge: k.Judge, Items: len(k.Items()), Languages: k.Asked(), Since: k.Since, Last: k.Last, Run: k.By}
			if k.Last != nil {
				one.Checked = &k.Checked
			}
			out = append(out, one)
		}
		return printJSON(env.Stdout, out)
	}
	if len(all) == 0 {
		env.Hint("no frozen answers in %s yet: a run of more than 200 judged cases freezes them, or assay judge canary --freeze%s",
			shownStore(r.Store, s), config.StoreFlag(r.Store))
		return nil
	}
	return printPage(env.Stdout, "canaries", all)
}

// freezes asks the models that judge and freezes their answers.
func (f *canaryFlags) freezes(ctx context.Context, env *Env, r *config.Resolved) error {
	switch {
	case r.Canary == 0:
		return errors.New("--set canary=0: no question to ask: expected 1 or more")
	case r.Replay:
		return errors.New("--replay: answers in the ledger do not tell what the judge is now; use --freeze without it")
	}
	var models *wire.Models
	w := modelWork{env: env, r: r, dryRun: f.dryRun, quiet: true, passes: 1,
		open: func(m *wire.Models) error {
			models = m
			return m.OpenCanaries()
		},
		again: "replies are in the ledger: until the end of the day (UTC) the same command continues from there and pays for nothing twice",
	}
	return w.do(ctx, func(ctx context.Context, s *session, _ func(int, int)) error {
		if s == nil {
			return models.RehearseCanaries(ctx, 2)
		}
		var found []assay.Canary
		var err error
		for _, j := range models.CanaryJudges(s.store) {
			c, failed := j.Freeze(ctx, s.id)
			if err = failed; err != nil {
				break
			}
			found = append(found, c)
		}
		return errors.Join(err, f.printFrozen(env, found))
	})
}

// printFrozen prints what was found while answers were frozen.
func (f *canaryFlags) printFrozen(env *Env, found []assay.Canary) error {
	if f.json {
		return printJSON(env.Stdout, found)
	}
	for _, c := range found {
		said := words.English.Canary(c)
		if !c.First {
			said = "frozen anew; before that: " + said
		}
		fmt.Fprintf(env.Stdout, "%s %s: %s\n", oneLine(c.Provider), oneLine(c.Model), oneLine(said))
	}
	return nil
}
