package cli

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/run/queue"
	"github.com/assay-eval/assay/store"
)

// workerFlags are the flags of assay serve worker that are not settings.
type workerFlags struct {
	config  string
	batches int
	quiet   bool
}

func newServeWorker(env *Env) *cobra.Command {
	var f workerFlags
	cmd := &cobra.Command{
		Use:  "worker",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return work(cmd.Context(), env, cmd.Flags(), f) },
	}
	configFlag(cmd, &f.config)
	cmd.Flags().IntVar(&f.batches, "batches", 2, "how many batches of cases at once; each has the concurrency of its run")
	cmd.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "print errors only")
	addNamedSettings(cmd, "store", "store-patience", "cache")
	return cmd
}

func work(ctx context.Context, env *Env, flags *pflag.FlagSet, f workerFlags) error {
	if f.batches < 1 {
		return fmt.Errorf("--batches %d: expected 1 or more", f.batches)
	}
	defer boundGrowth()()
	r, err := resolve(env, flags, f.config)
	if err != nil {
		return err
	}
	s, err := openStore(ctx, env, r.Store)
	if err != nil {
		return err
	}
	defer s.Close()
	tell := func(text string) {
		if !f.quiet {
			env.Warn("%s", text)
		}
	}
	s = s.Patient(store.Patience{Limit: r.StorePatience, Stop: env.Interrupted, Now: env.Now, Tell: tell})
	q, err := queue.Open(ctx, s, slog.New(slog.NewTextHandler(env.Stderr, &slog.HandlerOptions{Level: slog.LevelError})))
	if errors.Is(err, store.ErrOneMachine) {
		return hinted(fmt.Errorf("--store %s: %w", r.Store, store.ErrOneMachine), "a run on one machine needs no worker: assay run evaluates its cases itself")
	}
	if err != nil {
		return err
	}
	defer q.Close()
	host, err := os.Hostname()
	if err != nil {
		return fmt.Errorf("the name of this machine: %w", err)
	}
	id, err := workerID(host)
	if err != nil {
		return err
	}
	shared, err := q.Limits(ctx, id, env.Now)
	if err != nil {
		return err
	}
	// What cannot be given back lapses by itself.
	defer func() { _ = shared.Close(context.WithoutCancel(ctx)) }()
	limits := &llm.Limits{Common: shared}
	w := &queue.Worker{Queue: q, Host: host, ID: id, Version: env.Version, Batches: f.batches, Tell: tell, Now: env.Now,
		Prepare: func(ctx context.Context, h assay.Header) (queue.Evaluation, error) {
			kept, err := settingsOf(h, r, "store", "cache")
			if err != nil {
				return nil, &queue.RefusedError{Err: err}
			}
			world := newWorld(env, kept, nil, nil)
			world.Limits, world.Tell = limits, tell
			e, err := wire.PrepareEvaluation(ctx, kept, world, s, shared, h)
			if err != nil {
				return nil, err
			}
			tell("run " + h.ID + ": its cases are evaluated here")
			return e, nil
		}}
	tell("worker " + id + " takes cases from " + s.Name())
	return w.Run(ctx, env.Interrupted)
}

// workerID returns an id that no other worker has.
func workerID(host string) (string, error) {
	var random [4]byte
	if _, err := rand.Read(random[:]); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s-%d-%s", host, os.Getpid(), hex.EncodeToString(random[:])), nil
}

// settingsOf returns the settings that a run was begun with; secrets, and the settings of
// these keys, are those of now.
func settingsOf(h assay.Header, now *config.Resolved, keys ...string) (*config.Resolved, error) {
	saved := maps.Clone(h.Config)
	delete(saved, "store")
	kept, err := config.Restore(saved, now, "run "+h.ID)
	for _, key := range keys {
		if err == nil {
			err = kept.Take(now, key)
		}
	}
	return kept, err
}
