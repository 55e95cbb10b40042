package wire

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/progress"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/rag/embed"
	"github.com/assay-eval/assay/rag/rerank"
	"github.com/assay-eval/assay/rag/transcribe"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/run"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/adapter"
)

// Run performs the run in a session over the store and returns the report of
// the finished cases, judged by the policy. If it returns both a report and an
// error, the run ended early; [Interrupted] reports whether the user stopped
// it. A prepared run has no cases afterwards.
func (p *Prepared) Run(ctx context.Context, s *store.Store) (*report.Report, error) {
	s = s.Patient(p.patience())
	began := p.world.Began
	if began.IsZero() {
		began = p.world.Now().Add(-p.prepared)
	}
	p.models.Collect()
	p.plan.Connect = func(id string, spent int64) error { return p.models.Connect(s, id, spent) }
	if err := p.plan.ConnectTo(ctx, s); err != nil {
		return nil, err
	}
	if err := p.reach(ctx); err != nil {
		return nil, err
	}
	plan := p.plan
	plan.Prepared = p.world.Now().Sub(began)
	closes, err := p.queued(ctx, s, &plan)
	if err != nil {
		return nil, err
	}
	defer closes()
	within := context.WithoutCancel(ctx)
	var rep *report.Report
	var unkept error
	plan.Account = func(h *assay.Header, by map[string]assay.Spending) {
		if p.account(h, by); rep != nil {
			rep.Finished(*h)
			rep.Judge(p.policy)
			// Whoever reads that the run has ended finds its outcome.
			unkept = KeepOutcome(within, s, rep)
		}
	}
	session, err := run.Begin(ctx, plan, s)
	if err != nil {
		return nil, err
	}
	var source report.Source = stored{within, s, session.ID()}
	build := report.NewBuilder()
	if p.world.Reporting != nil {
		p.world.Reporting(build)
	}
	var ended error
	judged := 0
	for rec, err := range session.Records(ctx) {
		if ended = err; err != nil {
			break
		}
		if rec.Judging != nil {
			judged++
		}
		build.Add(&rec)
	}
	if ended == nil && p.absent != "" {
		source, ended = (&unjudged{Store: s}).all(within, session.ID())
	}
	p.release()
	if ended == nil {
		p.canary, ended = p.canaries(ctx, s, session.Header(), judged)
	}
	if p.elsewhere != nil {
		var unread error
		if p.told, unread = p.elsewhere(within); unread != nil {
			ended = errors.Join(ended, unread)
		}
	}
	rep, err = build.Report(session.Header(), source)
	if err == nil && ended == nil {
		// Whoever reads that the run is finished finds its columns.
		err = keepColumns(within, s, rep)
	}
	_, finish := session.Finish(ctx, errors.Join(ended, err))
	if err = errors.Join(err, finish, unkept); err != nil {
		return nil, errors.Join(ended, err)
	}
	if ended == nil {
		KeepMeans(within, s, rep)
	}
	return rep, ended
}

// release drops what only asking needs, so that the report of many cases has the room. A
// target of the caller is the caller's.
func (p *Prepared) release() {
	p.cases, p.plan.Config.Cases = nil, nil
	if r, ok := p.target.original().(interface{ Release() }); ok && p.world.Target == nil {
		r.Release()
	}
}

// stored are the records of a run in a store, which must remain open.
type stored struct {
	ctx   context.Context
	store *store.Store
	run   string
}

// Records implements [report.Source].
func (s stored) Records() iter.Seq2[assay.Record, error] {
	return stepping(s.ctx, s.store.Records(s.ctx, s.run))
}

// stepping tells those who wait for the work of a context of each record.
func stepping(ctx context.Context, records iter.Seq2[assay.Record, error]) iter.Seq2[assay.Record, error] {
	p := progress.Of(ctx)
	return func(yield func(assay.Record, error) bool) {
		for r, err := range records {
			if !yield(r, err) {
				return
			}
			p.Add(1)
		}
	}
}

// At implements [report.Source].
func (s stored) At(_, seqs []int) ([]assay.Record, error) {
	return s.store.RecordsAt(s.ctx, s.run, seqs)
}

// Stored returns the records of a run in a store, which are read until ctx is done.
func Stored(ctx context.Context, s *store.Store, run string) report.Source {
	return stored{ctx, s, run}
}

// Kept returns the report of a stored run, with the outcome that its gate had when it ended.
// It reads records from the store while it is written, until ctx is done.
func Kept(ctx context.Context, s *store.Store, h assay.Header) (*report.Report, error) {
	rep, err := undecided(ctx, s, h)
	if err != nil {
		return nil, err
	}
	return rep, decide(ctx, s, rep)
}

func undecided(ctx context.Context, s *store.Store, h assay.Header) (*report.Report, error) {
	source := stored{ctx, s, h.ID}
	if h.State == "finished" {
		cases, about, err := keptCases(ctx, s, h)
		switch {
		case err == nil:
			progress.Of(ctx).Add(h.Asked())
			return report.From(h, cases, about, source), nil
		case !errors.Is(err, errDeriveAgain):
			return nil, err
		}
		rep, err := report.Of(h, source)
		if err == nil {
			// A database that cannot be written to is read each time.
			_ = keepColumns(ctx, s, rep)
		}
		return rep, err
	}
	if h.Deferred {
		records, err := (&unjudged{Store: s}).all(ctx, h.ID)
		if err != nil {
			return nil, err
		}
		return report.Of(h, records)
	}
	if h.State != "running" {
		return report.Of(h, source)
	}
	// Further records must not appear between one reading and the next.
	loaded := &report.Report{Source: source}
	if err := loaded.Load(); err != nil {
		return nil, err
	}
	return report.Of(h, loaded.Source)
}

// Hold judges a report by a policy, with the seed and the confidence level of
// the run.
func Hold(rep *report.Report, p gate.Policy) error {
	if err := p.Check(rep.Header.Metrics); err != nil {
		return fmt.Errorf("gate: %w", err)
	}
	p.Seed, p.Level = rep.Header.Seed, rep.Level()
	rep.Judge(p)
	return nil
}

// patience configures how the run waits for an unavailable store.
func (p *Prepared) patience() store.Patience {
	tell := p.world.Tell
	if tell == nil {
		tell = func(string) {}
	}
	return store.Patience{Limit: p.cfg.StorePatience, Stop: p.world.Stop, Now: p.world.Now, Tell: tell}
}

// Interrupted reports whether a run ended because the user stopped it.
func Interrupted(err error) bool {
	return errors.Is(err, run.ErrStopped) || errors.Is(err, llm.ErrStopped) || errors.Is(err, context.Canceled)
}

// account writes to the header what the run has paid for, and what only the
// calls have shown.
func (p *Prepared) account(h *assay.Header, by map[string]assay.Spending) {
	p.tellDeferred(h)
	if p.canary != nil {
		h.Canaries = p.canary
	}
	l := p.learned()
	l.Add(p.told)
	for name, version := range l.Versions {
		h.Target.Settings = adapter.With(h.Target.Settings, name, version)
	}
	if spent := by[embed.Operation]; spent.Calls > 0 {
		h.Embedding = &spent
	}
	delete(by, embed.Operation)
	var answering, judging assay.Spending
	for operation, spent := range by {
		if slices.Contains(append(rag.Operations(), target.Sampling, transcribe.Operation, rerank.Operation, reachTarget), operation) {
			answering.Add(spent)
		} else {
			judging.Add(spent)
			if operation == llm.Probing {
				judging.Calls -= spent.Calls // reports count the calls about cases
			}
		}
	}
	if answering.Calls > 0 {
		h.Pipeline = &answering
	}
	if p.judge != nil && !p.estimates() {
		h.Spending = &judging
	}
	for _, w := range l.Warnings {
		if !slices.Contains(h.Warnings, w) {
			h.Warnings = append(h.Warnings, w)
		}
	}
}
