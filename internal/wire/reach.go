package wire

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/llm"
)

// reachPatience is the time that the models of a run have, together, to show that they are
// there.
const reachPatience = 3 * time.Second

// An AwayError says that models which a run needs are away, before anything was asked.
type AwayError struct {
	// Judges is set if all of them are judges, so that --judge-optional would help.
	Judges bool
	Err    error
}

// Error says which models are away and why, and what can be done without them.
func (e *AwayError) Error() string {
	if e.Judges {
		return e.Err.Error() + "; --judge-optional does what needs no judge, --replay judges from kept replies alone"
	}
	return e.Err.Error()
}

// Unwrap returns the cause.
func (e *AwayError) Unwrap() error { return e.Err }

// Reach finds out within three seconds whether the models that were opened are there, and
// returns an *[AwayError] if not. It asks the servers for their lists of models, and a model
// that is not listed for one word. A replay needs no model.
func (m *Models) Reach(ctx context.Context) error {
	away, err := m.away(ctx)
	if err != nil || len(away) == 0 {
		return err
	}
	e := &AwayError{Judges: true}
	var problems []error
	for _, spec := range slices.Sorted(maps.Keys(away)) {
		problems = append(problems, away[spec])
		e.Judges = e.Judges && m.judging(spec)
	}
	e.Err = errors.Join(problems...)
	return e
}

// judging reports whether a model, as PROVIDER:MODEL, is one of the judges.
func (m *Models) judging(spec string) bool {
	return slices.Contains(m.cfg.Judges, spec) || strings.TrimPrefix(spec, entailmentName+" ") == entailmentOf(m.cfg)
}

// reachTarget is the operation of the word that a model of the target is asked for; the word of
// a judge is among the operations of judging.
const reachTarget = "probe target"

// A worder asks for the word of [llm.Reacher] anew each time: a kept word does not show that the
// server is there.
type worder struct {
	llm.Provider
	operation string
	now       time.Time
}

// Complete implements [llm.Provider].
func (w worder) Complete(ctx context.Context, r llm.Request) (llm.Reply, error) {
	r.Operation, r.Draw = cmp.Or(w.operation, r.Operation), int(w.now.UnixMilli())
	return w.Provider.Complete(ctx, r)
}

// away returns the models that are away, as PROVIDER:MODEL, and why. The error is that of
// ctx.
func (m *Models) away(ctx context.Context) (map[string]error, error) {
	within, cancel := context.WithTimeout(ctx, reachPatience)
	defer cancel()
	var (
		mu    sync.Mutex
		tasks sync.WaitGroup
		out   = map[string]error{}
	)
	for _, name := range slices.Sorted(maps.Keys(m.providers)) {
		l := m.providers[name]
		if l.server == nil {
			continue
		}
		for _, model := range slices.Compact(slices.Sorted(slices.Values(l.needed))) {
			tasks.Go(func() {
				spec := name + ":" + model
				if strings.Contains(name, " ") { // "transcriber PROVIDER:MODEL"
					spec = name
				}
				var by llm.Provider
				if l.word != nil {
					one := worder{Provider: l.word, now: m.world.Now()}
					if !m.judging(spec) {
						one.operation = reachTarget
					}
					by = one
				}
				slow, err := l.server.Reach(within, model, by)
				if slow && m.world.Tell != nil {
					m.world.Tell(fmt.Sprintf("%s is there, but said no word within %v: it may be loading", spec, reachPatience))
				}
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					out[spec] = fmt.Errorf("%s is away: %w", spec, err)
				}
			})
		}
	}
	tasks.Wait()
	return out, ctx.Err()
}

// deferred begins the warning of a run whose judge is away.
const deferred = "not judged: "

// reach checks that the models of the run are there. If only judges are away and may be,
// the run goes on without its judge.
func (p *Prepared) reach(ctx context.Context) error {
	ctx, cancel := UntilStopped(ctx, p.world.Stop, nil)
	defer cancel()
	err := p.models.Reach(ctx)
	var away *AwayError
	if !errors.As(err, &away) || !away.Judges || !p.cfg.Judge.Optional {
		return err
	}
	p.absent = strings.ReplaceAll(away.Err.Error(), "\n", "; ")
	p.plan.Config.Away, p.plan.Config.Judge, p.plan.Config.Redraw = "the judge is away: "+p.absent, nil, nil
	return nil
}

// tellDeferred puts into the header that the judge of the session was away, and removes
// what an earlier session said of it.
func (p *Prepared) tellDeferred(h *assay.Header) {
	h.Warnings = slices.DeleteFunc(slices.Clone(h.Warnings), func(w string) bool { return strings.HasPrefix(w, deferred) })
	if p.absent != "" {
		h.Warnings = append(h.Warnings, deferred+p.absent+"; the answers are kept, and assay run --resume="+h.ID+config.StoreFlag(h.Config["store"])+" has them judged")
	}
}
