package wire

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/run"
	"github.com/assay-eval/assay/run/queue"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/target/adapter"
)

// Values of the setting "workers".
const workersQueue = "queue"

// queued has the cases evaluated by workers if the settings say so. close must be called when
// the run has ended.
func (p *Prepared) queued(ctx context.Context, s *store.Store, plan *run.Plan) (closes func(), err error) {
	if p.cfg.Workers != workersQueue {
		return func() {}, nil
	}
	if p.world.Target != nil {
		return nil, errors.New("workers: the target is a value of this process, and no other can ask it; use --workers here")
	}
	if p.world.Caller != nil {
		return nil, errors.New("workers: the target is in the program that started this one, and no other can ask it; use --workers here")
	}
	q, err := queue.Open(ctx, s, slog.New(slog.DiscardHandler))
	if errors.Is(err, store.ErrOneMachine) {
		return nil, config.About("workers", fmt.Errorf("workers %q: store %s: %w", p.cfg.Workers, p.cfg.Store, store.ErrOneMachine))
	}
	if err != nil {
		return nil, err
	}
	d := &queue.Dispatcher{Queue: q, Run: plan.Header.ID, Priority: p.cfg.Priority, Tell: p.world.Tell}
	if program(p.cfg) {
		if d.Host, err = os.Hostname(); err != nil {
			q.Close()
			return nil, fmt.Errorf("the name of this machine: %w", err)
		}
	}
	if d.Host == "" { // else workers have the files of this machine
		if err := p.keepFiles(ctx, s, d.Run); err != nil {
			q.Close()
			return nil, err
		}
	}
	if v := plan.Header.Version; p.world.Tell != nil && v != p.world.Version {
		p.world.Tell(fmt.Sprintf("the run was begun by version %q, and this is %q: workers of that version alone evaluate it; --workers here does it "+
			"in this process", v, p.world.Version))
	}
	limits, err := q.Limits(ctx, "session of "+plan.Header.ID, p.world.Now)
	if err != nil {
		q.Close()
		return nil, err
	}
	// What this process asks of models counts with what the workers ask.
	p.models.limits = &llm.Limits{Common: limits}
	connect := plan.Connect
	plan.Connect = func(id string, spent int64) error {
		return errors.Join(limits.Begin(ctx, id, spent), connect(id, spent))
	}
	plan.Config.Dispatcher, p.elsewhere = d, d.Learned
	return func() {
		// What cannot be given back now lapses by itself.
		keep := context.WithoutCancel(ctx)
		_ = p.models.Close(keep)
		_ = limits.End(keep, plan.Header.ID)
		_ = limits.Close(keep)
		q.Close()
	}, nil
}

// program reports whether the target of a configuration is a program of a machine, of which
// another machine may have another version.
func program(c config.Config) bool {
	return c.Command != "" || adapter.Find(c.Adapter).Program != ""
}

// An Evaluation is a run that a worker has prepared. It implements [queue.Evaluation].
type Evaluation struct {
	*Prepared
	// clean removes files that were fetched for the run.
	clean func() error
}

// PrepareEvaluation prepares the run of a header, which another process began, for a worker on its
// store, which shares limits with the other processes there. If something that can change a score
// differs here, the error is a [*queue.RefusedError].
func PrepareEvaluation(ctx context.Context, r *config.Resolved, w World, s *store.Store, limits *queue.Limits, h assay.Header) (_ *Evaluation, err error) {
	refuse := func(err error) error { return &queue.RefusedError{Err: errors.New(r.Secrets().Scrub(err.Error()))} }
	if h.Version != w.Version {
		return nil, refuse(fmt.Errorf("it was begun by version %q, and this is %q; use the same version everywhere", h.Version, w.Version))
	}
	w, clean, err := withFiles(ctx, s, h.ID, w)
	switch {
	case errors.Is(err, store.ErrAway):
		return nil, err
	case err != nil:
		return nil, refuse(fmt.Errorf("its files cannot be fetched: %w", err))
	}
	p, err := Prepare(ctx, r, w)
	if err != nil {
		return nil, errors.Join(refuse(err), clean())
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.models.Close(ctx), p.Close(), clean())
		}
	}()
	if err := p.Resume(h); err != nil {
		return nil, refuse(err)
	}
	p.models.Collect()
	if err := p.models.Connect(s, h.ID, 0); err != nil {
		return nil, err
	}
	if err := p.reach(ctx); err != nil {
		return nil, refuse(err)
	}
	if p.absent != "" {
		return nil, refuse(errors.New("the judge is away: " + p.absent))
	}
	if err := p.start(ctx); err != nil {
		return nil, refuse(err)
	}
	if p.cfg.Rate > 0 {
		p.plan.Config.Pace = run.SharedPace(limits, h.ID, p.cfg.Rate)
	}
	return &Evaluation{p, clean}, nil
}

// Learned implements [queue.Evaluation].
func (e *Evaluation) Learned() queue.Learned { return e.learned() }

// Config implements [queue.Evaluation].
func (e *Evaluation) Config(context.Context) (run.Config, error) { return e.plan.Config, nil }

// Close implements [queue.Evaluation].
func (e *Evaluation) Close() error {
	return errors.Join(e.models.Close(context.Background()), e.Prepared.Close(), e.clean())
}

// learned returns what only asking has shown to this process.
func (p *Prepared) learned() queue.Learned {
	out := queue.Learned{Warnings: p.models.Warnings()}
	if t, ok := p.target.original().(interface{ Versions() map[string]string }); ok {
		out.Versions = t.Versions()
	}
	if form := p.models.form(); form != "" {
		out.Versions = adapter.With(maps.Clone(out.Versions), vectorsKey, form)
	}
	out.Warnings = append(out.Warnings, p.models.cut()...)
	return out
}
