// Package run evaluates a target. The engine, [Run], asks it every case, scores
// the responses and yields one final record for each case, durable before it
// counts. A [Session] is the engine's work on one run that is kept: it creates or
// resumes the run, and accounts for it. The package knows no adapter, no storage
// and no report.
package run

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
)

// Config says what to run and how. Start from [Defaults]: apart from the two
// counts of workers, a field that is zero means zero.
type Config struct {
	// Cases are those of the run. A record's Seq is the index of its case
	// here, so a run that is resumed must be given the same cases.
	Cases []assay.Case
	// Target is asked every case, also one that no metric applies to: its
	// response, latency and errors are results of their own.
	Target assay.Target
	// Metrics score every record; none at all is allowed.
	Metrics []metric.Metric
	// Composite is scored from the others, under [assay.CompositeName]; the
	// zero value is none.
	Composite metric.Composite
	// Embedder serves the metrics that embed; nil makes those a JudgeError.
	Embedder assay.Embedder
	// Judge answers what the judged metrics ask; nil makes those a JudgeError.
	Judge judge.Judge
	// Redraw gives the judge for a draw of a case, counted from 0, when its
	// rulings are to be independent of those on the other draws; nil leaves all
	// to Judge.
	Redraw func(draw int) judge.Judge
	// Plan says what the judge is asked beyond the metrics' own questions: its
	// Asks are taken from the metrics that apply to each case.
	Plan judge.Plan
	// Defuse returns the response without what looks like an instruction to
	// the judge, and what that was; nil looks for none. A response in which
	// something is found is judged both ways.
	Defuse func(assay.Response) (clean assay.Response, found []string)
	// Attributor finds the stage that lost a case; nil looks for none, and makes
	// metrics that follow the evidence a JudgeError. What it found stands in the
	// records.
	Attributor Attributor
	// MaxGrade is the highest grade of the whole dataset. Below 1 it is taken
	// from Cases, which is wrong when they are a sample.
	MaxGrade int

	// Concurrency is the number of cases that the target is asked at once;
	// below 1 it is 1.
	Concurrency int
	// Scorers is the number of records that are scored at once; below 1 it is
	// the number of processors.
	Scorers int
	// Timeout bounds one call of the target; 0 means no bound.
	Timeout time.Duration
	// Retries is how often a failed call is repeated, when its error allows.
	Retries int
	// Backoff says how the waits between attempts grow.
	Backoff Backoff
	// Rate is the most calls that begin in a second, retries among them; 0 sets
	// no limit.
	Rate float64
	// MaxWait bounds the wait before a retry that a target asks for
	// (Retry-After). A target that asks for more fails the case at once.
	MaxWait time.Duration
	// SlowThreshold marks responses that took longer; 0 marks none.
	SlowThreshold time.Duration
	// Breaker is the number of cases which, when they are the first to be
	// asked and all found no target, end the run with an [UnreachableError],
	// and with a *[judge.FatalError] when all were left without any ruling; 0
	// never does. A run of fewer cases ends so when none fared better.
	Breaker int
	// Seed drives the jitter of the waits between attempts. No score depends
	// on it.
	Seed uint64

	// KeepTexts is the number of passages of each response, from the best, whose
	// text is kept in the record; metrics see them all. Below 1 keeps all.
	KeepTexts int

	// Done yields the records of earlier sessions of the same run; nil yields
	// none. Their cases are not asked again, and they are not yielded again. It
	// is read once, before the first case is asked.
	Done iter.Seq2[assay.Record, error]
	// Recorder makes records durable; nil keeps none.
	Recorder Recorder
	// Stop, when closed, starts no further case and no further attempt; calls
	// in flight end on their own and their cases are recorded.
	Stop <-chan struct{}

	// Now tells the time; it is required.
	Now func() time.Time
	// Sleep waits for d or until ctx is done, and then returns ctx's error;
	// nil uses a timer.
	Sleep func(ctx context.Context, d time.Duration) error
}

// Backoff says how the waits between attempts grow.
type Backoff uint8

const (
	// Exponential waits 1, 2, 4 s and so on, each longer or shorter by up to a
	// quarter.
	Exponential Backoff = iota
	// Fixed waits 1 s each time, longer or shorter by up to a quarter.
	Fixed
)

// Defaults returns the settings that hold when a user chooses none: one case
// at a time, 30 s a call, 3 retries, slow above 5 s, and an end after 5 cases
// that found no target.
func Defaults() Config {
	return Config{
		Concurrency: 1, Timeout: 30 * time.Second, Retries: 3, MaxWait: 2 * time.Minute,
		SlowThreshold: 5 * time.Second, Breaker: 5,
	}
}

// A Recorder keeps records. When Put returns nil all of them survive the death
// of the process; when it returns an error none of them is kept. Put is not
// called concurrently.
type Recorder interface {
	Put(ctx context.Context, recs ...assay.Record) error
}

// ErrStopped ends a run that was stopped before its last case.
var ErrStopped = errors.New("run stopped")

// An UnreachableError ends a run that found no target. The cases behind it
// are not recorded, so a run that is resumed asks them again.
type UnreachableError struct {
	// Cases counts those that were tried.
	Cases int
	// Last is the failure of the last of them.
	Last assay.Failure
}

func (e *UnreachableError) Error() string {
	if e.Cases == 1 {
		return fmt.Sprintf("target unreachable: the only case failed: %s", e.Last.Message)
	}
	return fmt.Sprintf("target unreachable: the first %d cases all failed, the last with: %s", e.Cases, e.Last.Message)
}

// maxBatch bounds the records of one Put. It is large enough that a slow disk
// is not what limits a fast target (at 4,000 records a second one may take 60 ms
// to flush), and small enough that progress shows.
const maxBatch = 256

// gather is how long a batch may fill. A commit costs the processor as much as
// six records do, so that a fast target is better served by few; a person sees
// no difference.
const gather = 10 * time.Millisecond

// Run asks, scores and records, and yields each record when it is durable, in
// the order of completion: a report sorts by Seq. Critical cases start first,
// then the others in order. What a record holds does not depend on the
// concurrency or on the order of completion.
//
// When the run ends early, one last pair holds an empty record and the reason:
// a mistake in the config, a [Recorder]'s error, an *[UnreachableError], a
// *[judge.FatalError], [ErrStopped], or the cause of ctx's end. A judge that
// fails for good stops the run as Stop does: what is in flight was paid for. Cancelling ctx aborts: calls in
// flight are cancelled and their cases left unrecorded, while records that are
// complete are still kept and yielded. Breaking out of the loop aborts likewise; records
// complete at that moment are kept without being yielded. Every goroutine has
// ended when the loop has, except calls of a target that ignores its context:
// each is given up one second after its timeout.
//
// Every iteration over the result is a run of its own.
func Run(ctx context.Context, cfg Config) iter.Seq2[assay.Record, error] {
	return func(yield func(assay.Record, error) bool) {
		todo, done, err := plan(&cfg)
		if err != nil {
			yield(assay.Record{}, err)
			return
		}
		e := &engine{cfg: &cfg, todo: todo, resumed: done > 0, pace: newPace(cfg.Rate), gate: breaker{limit: cfg.Breaker}, end: newEnd()}
		e.proof = proof{limit: cfg.Breaker, metrics: cfg.Metrics, proven: cfg.Judge == nil || e.resumed}
		if err := e.run(ctx, yield); err != nil {
			yield(assay.Record{}, err)
		}
	}
}

type engine struct {
	cfg  *Config
	todo []int
	// resumed is set when an earlier session has finished cases.
	resumed bool
	pace    pace
	gate    breaker
	// end is a judge's failure for good.
	end   *end
	proof proof
	// counted is the number of records made durable in this session.
	counted int
}

// run drives one session. It returns the error to yield last, or nil when the
// run is complete or the consumer has left.
func (e *engine) run(ctx context.Context, yield func(assay.Record, error) bool) error {
	work, abort := context.WithCancel(ctx)
	done := e.start(work, abort)
	defer func() {
		abort()
		for range done {
			// Only a failed Put leaves something here; workers must not block.
		}
	}()

	// The disk gets what is complete even when ctx is done: it was paid for.
	keep := context.WithoutCancel(ctx)
	left := false
	for batch := range batches(done) {
		ready := e.gate.admit(batch)
		if err := e.put(keep, ready); err != nil {
			if left {
				// The consumer has gone: there is nobody to tell.
				return nil
			}
			return err
		}
		for _, r := range ready {
			if !left && !yield(r, nil) {
				left = true
				abort()
			}
		}
	}
	if left {
		return nil
	}
	return e.finish(ctx, keep, yield)
}

// finish settles what the breaker still holds and says why cases are missing.
func (e *engine) finish(ctx, keep context.Context, yield func(assay.Record, error) bool) error {
	held := e.gate.held
	missing := len(e.todo) - e.counted - len(held)
	unreachable := e.gate.err()
	switch {
	case e.gate.tripped:
		return unreachable
	case missing > 0 && ctx.Err() != nil:
		return context.Cause(ctx)
	case missing > 0 && e.end.err() != nil:
		return e.end.err()
	case missing > 0 && e.stopped():
		return ErrStopped
	case missing > 0:
		return fmt.Errorf("%d cases ended without a record: a metric exited its goroutine", missing)
	case unreachable != nil && !e.resumed:
		return unreachable
	}
	// An earlier session reached the target, so what is held are failures of
	// the cases that remained.
	if err := e.put(keep, held); err != nil {
		return err
	}
	for _, r := range held {
		if !yield(r, nil) {
			return nil
		}
	}
	return nil
}

func (e *engine) put(ctx context.Context, recs []assay.Record) error {
	if len(recs) == 0 {
		return nil
	}
	if e.cfg.Recorder != nil {
		if err := e.cfg.Recorder.Put(ctx, recs...); err != nil {
			return fmt.Errorf("recording %d cases from %q on: %w", len(recs), recs[0].Case.ID, err)
		}
	}
	e.counted += len(recs)
	return nil
}

// stopped reports whether nothing new is to begin.
func (e *engine) stopped() bool { return e.interrupted() || e.end.err() != nil }

// interrupted reports whether the user wants that.
func (e *engine) interrupted() bool {
	select {
	case <-e.cfg.Stop:
		return true
	default:
		return false
	}
}

// batches yields what comes through c within gather of the first, up to maxBatch
// at once, until c closes.
func batches(c <-chan assay.Record) iter.Seq[[]assay.Record] {
	return func(yield func([]assay.Record) bool) {
		for r := range c {
			batch := []assay.Record{r}
			over := time.NewTimer(gather)
			for filling := true; filling && len(batch) < maxBatch; {
				select {
				case r, ok := <-c:
					if filling = ok; ok {
						batch = append(batch, r)
					}
				case <-over.C:
					filling = false
				}
			}
			over.Stop()
			if !yield(batch) {
				return
			}
		}
	}
}

func (c *Config) scorers() int {
	if c.Scorers < 1 {
		return runtime.GOMAXPROCS(0)
	}
	return c.Scorers
}
