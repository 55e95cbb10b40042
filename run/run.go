// Package run evaluates a target. The engine, [Run], asks it every case, scores
// the responses, and yields one final record per case after storing it. A
// [Session] applies the engine to a stored run: it creates or resumes the run,
// and accounts for its cost. The package does not depend on any adapter, storage
// or report.
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
	"github.com/assay-eval/assay/metric/stage"
)

// Config says what to run and how. Start from [Defaults]: except for the two
// numbers of workers, zero fields mean zero.
type Config struct {
	// Cases are the cases of the run. A record's Seq is an index into Cases, so a
	// resumed run needs the same cases.
	Cases *assay.Cases
	// Target is asked every case, even if no metric applies to it: its response,
	// latency and errors are results too.
	Target assay.Target
	// Metrics score every record; there may be none.
	Metrics []metric.Metric
	// Composite is computed from the other scores, under [assay.CompositeName];
	// the zero value means none.
	Composite metric.Composite
	// Embedder serves the metrics that embed; if nil, they are a JudgeError.
	Embedder assay.Embedder
	// Judge answers the questions of judged metrics; if nil, they are a
	// JudgeError.
	Judge judge.Judge
	// Away is why the judge of the run cannot be asked in this session; Judge is nil then,
	// and judged metrics are a JudgeError for this reason. A record with questions for the
	// judge is yielded, but stored in Answers instead of Recorder, with the scores that need no
	// judge, so that a later session judges it. Empty if the judge is there.
	Away string
	// Redraw returns the judge for a draw of a case, counted from 0, if rulings
	// on different draws must be independent; nil uses Judge for all.
	Redraw func(draw int) judge.Judge
	// Plan says what to ask the judge beyond the metrics' own questions. Its Asks
	// are ignored: they come from the metrics that apply to each case.
	Plan judge.Plan
	// Defuse returns the response without apparent instructions to the judge, and
	// those instructions; nil disables the check. A response with such
	// instructions is judged with and without them.
	Defuse func(assay.Response) (clean assay.Response, found []string)
	// Forged returns the part of an answer that imitates the end of the judge's material
	// or a ruling; "" if there is none. Such an answer is not judged. nil disables the
	// check.
	Forged func(answer string) string
	// Attributor determines the stage that lost a case. Its results are part of
	// the records. nil disables this and makes metrics that need it a JudgeError.
	Attributor Attributor
	// Outcome decides whether an answer is right; the zero value selects the default.
	Outcome stage.Outcome
	// MaxGrade is the highest grade in the whole dataset. Below 1 it is computed
	// from Cases, which is wrong if they are a sample.
	MaxGrade int

	// Only are the numbers of the cases to evaluate; nil means all. A run with few of its
	// cases has the same records of them as one with all.
	Only []int
	// Dispatcher has the cases evaluated by others instead of this engine; nil for none.
	// Of the rest of the configuration only Cases, Done and Stop matter then.
	Dispatcher Dispatcher

	// Concurrency is the number of concurrent calls to the target; below 1 means
	// 1.
	Concurrency int
	// Scorers is the number of records scored concurrently; below 1 means the
	// number of processors.
	Scorers int
	// Timeout bounds one call of the target; 0 means no bound.
	Timeout time.Duration
	// Retries is how often a failed call is repeated, if its error allows it.
	Retries int
	// Backoff says how the waits between attempts grow.
	Backoff Backoff
	// Rate is the maximum number of calls per second, including retries; 0 is
	// unlimited.
	Rate float64
	// Pace is what engines of one target share in place of Rate; nil for none.
	Pace Pace
	// MaxWait bounds the wait that a target may request before a retry
	// (Retry-After). If a target requests more, the case fails at once.
	MaxWait time.Duration
	// SlowThreshold is the latency above which a response is marked slow; 0 marks
	// none.
	SlowThreshold time.Duration
	// Breaker is the number of initial cases after which the run ends with an
	// [UnreachableError] if none of them reached the target, or with a
	// *[judge.FatalError] if none of them got a ruling; 0 disables both. A run
	// with fewer cases ends that way if all of them fail.
	Breaker int
	// Seed determines the jitter of the waits between attempts. It does not
	// affect scores.
	Seed uint64

	// KeepTexts is the number of top passages of each response whose text is
	// stored in the record; metrics see all of them. Below 1 keeps all.
	KeepTexts int

	// Done yields the records of earlier sessions of the same run; nil means
	// none. Their cases are not asked again and not yielded again. It is read
	// once, before the first case.
	Done iter.Seq2[assay.Record, error]
	// Recorder stores records durably; nil stores none.
	Recorder Recorder
	// Answered yields the answers that earlier sessions of the same run kept in Answers
	// and whose cases they did not finish; nil means none. These cases are scored and not
	// asked. It is read once, after Done.
	Answered iter.Seq2[assay.Record, error]
	// Answers stores records with a response and no scores, before a judge that is a
	// model is asked about them, and those of Away; nil stores none. Its Put is called concurrently.
	Answers Recorder
	// Stop, when closed, prevents new cases and new attempts. Calls in flight
	// complete and their cases are recorded.
	Stop <-chan struct{}

	// Hide removes secrets of the target from what is stored and what a judge reads, through a
	// pointer to it; nil removes nothing. Metrics see what the target answered.
	Hide func(to any) error

	// Now returns the current time; it is required.
	Now func() time.Time
	// Sleep waits for d or until ctx is done, and then returns ctx's error; nil
	// uses a timer.
	Sleep func(ctx context.Context, d time.Duration) error
}

// A Dispatcher has cases evaluated by other processes, which share the store of the run. Each
// of them runs the engine on some of the cases ([Config.Only]).
type Dispatcher interface {
	// Dispatch has the cases evaluated whose numbers are in todo, in about this order, and
	// yields the record of each once it is stored. If the run ends early, a last pair has an
	// empty record and the reason, as that of [Run]: [ErrStopped] after stop is closed and the
	// cases in flight are stored.
	Dispatch(ctx context.Context, todo []int, stop <-chan struct{}) iter.Seq2[assay.Record, error]
}

// Backoff says how the waits between attempts grow.
type Backoff uint8

const (
	// Exponential waits 1, 2, 4 s and so on, each changed by up to a quarter.
	Exponential Backoff = iota
	// Fixed always waits 1 s, changed by up to a quarter.
	Fixed
)

// Defaults returns the default settings: no cases yet, one case at a time, 30 s per call, 3
// retries, slow above 5 s, and an end after 5 cases without a reachable target.
func Defaults() Config {
	return Config{
		Concurrency: 1, Timeout: 30 * time.Second, Retries: 3, MaxWait: 2 * time.Minute,
		SlowThreshold: 5 * time.Second, Breaker: 5, Cases: &assay.Cases{},
	}
}

// A Recorder stores records. If Put returns nil, all of them survive the death of
// the process; if it returns an error, none is stored. Put is not called
// concurrently, except that of Config.Answers.
type Recorder interface {
	Put(ctx context.Context, recs ...assay.Record) error
}

// ErrStopped means that the run was stopped before its last case.
var ErrStopped = errors.New("run stopped")

// An UnreachableError means that the run did not reach its target. The failed
// cases are not recorded, so a resumed run asks them again.
type UnreachableError struct {
	// Cases counts the cases that were tried.
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
// does not limit a fast target (at 4,000 records per second a flush may take 60
// ms), and small enough for visible progress.
const maxBatch = 256

// gather is how long a batch may fill. A commit costs as much CPU time as six
// records, so a fast target benefits from larger batches; a person does not
// notice the delay.
const gather = 10 * time.Millisecond

// Run asks, scores and records cases, and yields each record when it is durable,
// in order of completion; reports sort by Seq. Critical cases start first, then
// the others in order. The content of a record depends neither on the concurrency
// nor on the order of completion.
//
// If the run ends early, a last pair has an empty record and the reason: an
// invalid config, an error of the [Recorder], an *[UnreachableError], a
// *[judge.FatalError], [ErrStopped], or the cause of ctx's end. A permanent
// failure of the judge acts like Stop, because what is in flight was paid for.
// Cancelling ctx aborts the run: calls in flight are cancelled and their cases
// are not recorded, but complete records are still stored and yielded. Breaking
// out of the loop also aborts; records complete at that moment are stored but not
// yielded. After the loop all goroutines have ended, except calls of a target
// that ignores its context; each is abandoned one second after its timeout.
//
// Every iteration over the result is a new run.
func Run(ctx context.Context, cfg Config) iter.Seq2[assay.Record, error] {
	return func(yield func(assay.Record, error) bool) {
		todo, done, err := plan(&cfg)
		if err != nil {
			yield(assay.Record{}, err)
			return
		}
		if cfg.Dispatcher != nil {
			cfg.Dispatcher.Dispatch(ctx, todo, cfg.Stop)(yield)
			return
		}
		answered, err := answered(&cfg, todo)
		if err != nil {
			yield(assay.Record{}, err)
			return
		}
		e := &engine{
			cfg: &cfg, todo: todo, answered: answered, resumed: done > 0 || len(answered) > 0,
			pace: cfg.pace(), gate: breaker{limit: cfg.Breaker}, end: newEnd(),
			proof: proof{limit: cfg.Breaker, metrics: cfg.Metrics, proven: cfg.Judge == nil || done > 0},
		}
		if !e.resumed {
			e.gate.cases = len(todo)
		}
		if err := e.run(ctx, yield); err != nil {
			yield(assay.Record{}, err)
		}
	}
}

type engine struct {
	cfg  *Config
	todo []int
	// answered has the answers that earlier sessions kept, by Seq.
	answered map[int]assay.Record
	// resumed is set if an earlier session has reached the target.
	resumed bool
	pace    Pace
	gate    breaker
	// end is a permanent failure of the judge, the target, or Answers.
	end   *end
	proof proof
	// counted is the number of records stored in this session.
	counted int
}

// run drives one session. It returns the error to yield last, or nil if the run
// is complete or the consumer has left.
func (e *engine) run(ctx context.Context, yield func(assay.Record, error) bool) error {
	work, abort := context.WithCancel(ctx)
	done := e.start(work, abort)
	defer func() {
		abort()
		for range done {
			// Only a failed Put leaves something here; workers must not block.
		}
	}()

	// Complete records are stored even when ctx is done, because they were paid
	// for.
	keep := context.WithoutCancel(ctx)
	left := false
	for batch := range batches(done, maxBatch) {
		ready := e.gate.admit(batch)
		if err := e.put(keep, ready); err != nil {
			if left {
				// The consumer has left.
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

// finish handles what the breaker still holds and explains missing cases.
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
	// An earlier session reached the target, so the held records are failures of
	// individual cases.
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
	final, deferred := recs, []assay.Record(nil)
	if e.cfg.Away != "" {
		final = nil
		for _, r := range recs {
			if e.cfg.defers(&r) {
				deferred = append(deferred, r)
			} else {
				final = append(final, r)
			}
		}
	}
	if e.cfg.Answers != nil && len(deferred) > 0 {
		if err := e.cfg.Answers.Put(ctx, deferred...); err != nil {
			return fmt.Errorf("keeping %d answers from case %q on: %w", len(deferred), deferred[0].Case.ID, err)
		}
	}
	if e.cfg.Recorder != nil && len(final) > 0 {
		if err := e.cfg.Recorder.Put(ctx, final...); err != nil {
			return fmt.Errorf("recording %d cases from %q on: %w", len(final), final[0].Case.ID, err)
		}
	}
	e.counted += len(recs)
	return nil
}

// stopped reports whether to start nothing new.
func (e *engine) stopped() bool { return e.interrupted() || e.end.err() != nil }

// interrupted reports whether the user requested a stop.
func (e *engine) interrupted() bool {
	select {
	case <-e.cfg.Stop:
		return true
	default:
		return false
	}
}

// batches yields what arrives on c within gather of the first value, up to most at
// once, until c closes.
func batches(c <-chan assay.Record, most int) iter.Seq[[]assay.Record] {
	return func(yield func([]assay.Record) bool) {
		for r := range c {
			batch := []assay.Record{r}
			over := time.NewTimer(gather)
			for filling := true; filling && len(batch) < most; {
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
