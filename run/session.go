package run

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/assay-eval/assay"
)

// A Store stores runs: their headers, their records, and the cost of their model
// calls.
type Store interface {
	// CreateLocked adds a run, locked as by Lock; UpdateRun replaces its header.
	CreateLocked(ctx context.Context, h assay.Header) (unlock func() error, err error)
	UpdateRun(ctx context.Context, h assay.Header) error
	Run(ctx context.Context, id string) (assay.Header, error)
	// Records yields the records of a run in the order of Seq.
	Records(ctx context.Context, id string) iter.Seq2[assay.Record, error]
	// Put stores records of a run durably, all of them or none.
	Put(ctx context.Context, id string, recs ...assay.Record) error
	// PutAnswers stores answered records that are not scored yet, durably, all or none;
	// Put of the complete record removes it. Answers yields those that are left.
	PutAnswers(ctx context.Context, id string, recs ...assay.Record) error
	Answers(ctx context.Context, id string) iter.Seq2[assay.Record, error]
	// Lock acquires the exclusive right to work on a run.
	Lock(ctx context.Context, id string) (unlock func() error, err error)
	// SpentBy returns the cost of a run's calls, by operation.
	SpentBy(ctx context.Context, id string) (map[string]assay.Spending, error)
}

// An Observer follows a session. It is called from one goroutine at a time.
type Observer interface {
	// Started is called before evaluation; kept is the number of cases finished
	// in earlier sessions.
	Started(h assay.Header, kept int)
	// Finished is called with each record once it is durable.
	Finished(assay.Record)
}

// A Plan describes a run: its header, how to evaluate its cases, and hooks for
// the parts behind the engine. Only Header, Config and Config.Now are required.
type Plan struct {
	// Header is the header of a new run; [Plan.Resume] replaces it.
	Header assay.Header
	// Config configures the engine. The session sets Done, Recorder, Answered and Answers.
	Config Config
	// Prepared is how long the user waited before the session; see [assay.Took].
	Prepared time.Duration
	// Start starts the target before the run is created, so that a target that
	// does not start leaves no run behind. Models are connected.
	Start func(ctx context.Context) error
	// Connect gives models the ledger of the run and what it has spent so far, in
	// micro-dollars. It is called before Start, and again when the run is locked.
	Connect func(id string, spent int64) error
	// Account adds information about the calls to the header; spent is the cost
	// of the run's calls, by operation.
	Account func(h *assay.Header, spent map[string]assay.Spending)
	// Observer follows the run; nil for none.
	Observer Observer

	from origin
}

// origin says what the store has of a run before its session starts.
type origin uint8

const (
	fromNothing origin = iota
	// fromQueue is a run that was created but not started.
	fromQueue
	// fromRecords is a run that may have records.
	fromRecords
)

// A Session is the work of one process on one run: it creates or continues the
// run, holds its lock, stores every record, and accounts for the cost.
//
//	s, err := run.Begin(ctx, plan, store)
//	for rec, err := range s.Records(ctx) { … }
//	h, err := s.Finish(ctx, ended)
type Session struct {
	plan   Plan
	header assay.Header
	store  Store
	unlock func() error
	// began is when the session began, ready when it could evaluate the first case, noted when
	// the header last had the time that the run has taken.
	began, ready, noted time.Time
	// earlier is the time that earlier sessions took.
	earlier assay.Took
	// deferred is set when a case is left for a later session to judge.
	deferred bool
}

// Begin starts the target, then creates the run, or takes up the one that the
// plan resumes, and locks it. Each session must be ended by [Session.Finish].
func Begin(ctx context.Context, p Plan, store Store) (_ *Session, err error) {
	s := &Session{plan: p, header: p.Header, store: store}
	if s.header.Took != nil {
		s.earlier = *s.header.Took
	}
	if p.Config.Now != nil {
		s.began = p.Config.Now()
		defer func() { s.ready = p.Config.Now(); s.noted = s.ready }()
	}
	if p.Start != nil {
		// Starting may call models. What that costs counts, for the ledger is read again below.
		if err := p.ConnectTo(ctx, store); err != nil {
			return nil, err
		}
		if err := p.Start(ctx); err != nil {
			return nil, err
		}
	}
	// Only this process reads and writes the run: it has the lock before the store says that the
	// run is running, so that a running run without a lock is one whose process has ended.
	if p.from == fromNothing {
		// Several runs may have been prepared together, and the target has started.
		if p.Config.Now != nil {
			s.header.Started = p.Config.Now().UTC()
		}
		s.unlock, err = store.CreateLocked(ctx, s.header)
	} else {
		s.unlock, err = store.Lock(ctx, s.header.ID)
	}
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.unlock())
		}
	}()
	if err := p.ConnectTo(ctx, store); err != nil {
		return nil, err
	}
	if p.from == fromQueue {
		return s, store.UpdateRun(ctx, s.header)
	}
	if p.from == fromRecords {
		now, err := store.Run(ctx, s.header.ID)
		if err != nil {
			return nil, err
		}
		if now.State == "finished" {
			return nil, fmt.Errorf("run %q is finished: another process ended it", s.header.ID)
		}
		s.header.State, s.header.Finished, s.header.Deferred = "running", time.Time{}, false
		if err := store.UpdateRun(ctx, s.header); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// ConnectTo calls Connect with what the store says that the run has spent.
func (p *Plan) ConnectTo(ctx context.Context, store Store) error {
	if p.Connect == nil {
		return nil
	}
	by, err := store.SpentBy(ctx, p.Header.ID)
	if err != nil {
		return err
	}
	var spent int64
	for _, sp := range by {
		spent += sp.Usage.Cost
	}
	return p.Connect(p.Header.ID, spent)
}

// ID returns the id of the run.
func (s *Session) ID() string { return s.header.ID }

// Header returns the header of the run, as it is before [Session.Finish].
func (s *Session) Header() assay.Header { return s.header }

// Records evaluates the cases that no earlier session has finished. It yields the
// stored records in the order of Seq, then each new record once it is durable. As
// in [Run], a last pair with an error says why the run ended early. It can be called once.
func (s *Session) Records(ctx context.Context) iter.Seq2[assay.Record, error] {
	return func(yield func(assay.Record, error) bool) {
		cfg := s.plan.Config
		s.plan.Config.Cases = nil // a long list, which the session needs no longer
		cfg.Recorder = Keep(s.store, s.header.ID)
		cfg.Answers = KeepAnswers(s.store, s.header.ID)
		if s.plan.from == fromRecords {
			cfg.Answered = s.store.Answers(ctx, s.header.ID)
		}
		kept, left := 0, false
		cfg.Done = func(engine func(assay.Record, error) bool) {
			for rec, err := range s.kept(ctx) {
				if err == nil && !yield(rec, nil) {
					left, err = true, errLeft
				}
				if !engine(rec, err) {
					return
				}
				kept++
			}
			if s.plan.Observer != nil {
				s.plan.Observer.Started(s.header, kept)
			}
		}
		for rec, err := range Run(ctx, cfg) {
			switch {
			case left:
				return
			case err != nil:
			default:
				s.deferred = s.deferred || cfg.defers(&rec)
				s.note(ctx)
				if s.plan.Observer != nil {
					s.plan.Observer.Finished(rec)
				}
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// noteEvery is how often the header gets the time that the run has taken: a session that is killed
// loses no more of it.
const noteEvery = 2 * time.Second

// note writes the time that the run has taken into its header, if it is long since it did.
func (s *Session) note(ctx context.Context) {
	now := s.plan.Config.Now()
	if now.Sub(s.noted) < noteEvery {
		return
	}
	s.noted = now
	s.took(now)
	_ = s.store.UpdateRun(ctx, s.header) // a store that fails shows in the next record, and the next note has all
}

func (s *Session) took(now time.Time) {
	s.header.Took = &assay.Took{
		Prepared:  s.earlier.Prepared + s.plan.Prepared + s.ready.Sub(s.began),
		Evaluated: s.earlier.Evaluated + now.Sub(s.ready),
	}
}

// errLeft stops the engine when the consumer has left.
var errLeft = errors.New("the consumer has left")

// kept yields the records of earlier sessions.
func (s *Session) kept(ctx context.Context) iter.Seq2[assay.Record, error] {
	if s.plan.from != fromRecords {
		return func(func(assay.Record, error) bool) {}
	}
	return s.store.Records(ctx, s.header.ID)
}

// Finish ends the session: it accounts for the run, writes its header and
// releases its lock. ended is why the run ended early, or nil; the run is also interrupted
// while cases are left to judge (see [Config.Away]). Finish accounts
// for the run even if ctx is done.
func (s *Session) Finish(ctx context.Context, ended error) (_ assay.Header, err error) {
	ctx = context.WithoutCancel(ctx)
	defer func() { err = errors.Join(err, s.unlock()) }()
	s.header.State = "finished"
	if ended != nil || s.deferred {
		s.header.State = "interrupted"
	}
	s.header.Deferred = ended == nil && s.deferred
	now := s.plan.Config.Now()
	s.header.Finished = now.UTC()
	s.took(now)
	if s.plan.Account != nil {
		by, err := s.store.SpentBy(ctx, s.header.ID)
		if err != nil {
			return s.header, err
		}
		s.plan.Account(&s.header, by)
	}
	return s.header, s.store.UpdateRun(ctx, s.header)
}

// Keep returns a recorder that stores the records of one run.
func Keep(store Store, id string) Recorder { return recorder{store, id} }

type recorder struct {
	store Store
	run   string
}

// Put implements [Recorder].
func (r recorder) Put(ctx context.Context, recs ...assay.Record) error {
	return r.store.Put(ctx, r.run, recs...)
}

// KeepAnswers returns a recorder that stores the answers of one run before they are scored.
func KeepAnswers(store Store, id string) Recorder { return answerKeeper{store, id} }

// An answerKeeper stores the answers of one run.
type answerKeeper recorder

// Put implements [Recorder].
func (k answerKeeper) Put(ctx context.Context, recs ...assay.Record) error {
	return k.store.PutAnswers(ctx, k.run, recs...)
}
