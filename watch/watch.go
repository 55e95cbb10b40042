package watch

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/backoff"
	"github.com/assay-eval/assay/spans"
	"github.com/assay-eval/assay/store"
)

// A Judge evaluates the exchanges of a round.
type Judge interface {
	// Judge evaluates exchanges, in their order, as one run that costs at most budget
	// micro-dollars; 0 is without limit. earlier is the run of an earlier attempt, which it
	// resumes if the store has it; "" if there was none. It calls begun with the id of a new
	// run before the first case. If it was asked to stop, Outcome.Stopped is set.
	Judge(ctx context.Context, exchanges []spans.Exchange, budget int64, earlier string, begun func(run string) error) (Outcome, error)
}

// An Outcome is what a run made of the exchanges of a round.
type Outcome struct {
	Header assay.Header
	// Records has those of the evaluated exchanges, by the ids of their cases.
	Records map[string]assay.Record
	// Cost is in micro-dollars.
	Cost int64
	// Stopped is set if the process is asked to end: the round goes on when it starts again.
	Stopped bool
}

// A Watcher is the process that carries out a watch.
type Watcher struct {
	Store    *store.Store
	Name     string
	Settings Settings
	// Since is how far back a new watch reads what was received before it.
	Since time.Duration
	Judge Judge
	// Webhook receives alarms; nil for none.
	Webhook *Webhook
	Now     func() time.Time
	// Sleep waits, or returns the error of a context that is done first.
	Sleep func(ctx context.Context, d time.Duration) error
	// Tell receives what a user wants to know.
	Tell func(text string)

	state  *State
	intake *intake
	// skipped is how many were skipped before the last round.
	skipped int
}

// look is the time between looks at the store.
const look = 2 * time.Second

// claimName is the piece of work that a process of the watch claims.
func claimName(name string) string { return "watch." + name }

// Run carries the watch out until stop is closed. If once is set, it takes every trace that was
// received as complete, judges one round, and returns. The error is [store.ErrLocked] if
// another process carries out the same watch.
func (w *Watcher) Run(ctx context.Context, stop <-chan struct{}, once bool) (_ *State, err error) {
	if err := w.Settings.Check(); err != nil {
		return nil, err
	}
	release, err := w.claim(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		if release != nil {
			err = errors.Join(err, release())
		}
	}()
	if err := w.begin(ctx, once); err != nil {
		return nil, err
	}
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-stop:
			cancel()
		case <-waiting.Done():
		}
	}()
	for {
		stopped, err := w.step(ctx, once)
		if errors.Is(err, store.ErrAway) {
			// The claim is gone with the connection, and what the step did is not stored.
			_ = release()
			release = nil
			err = w.Store.Try(ctx, func(ctx context.Context) (err error) {
				if release, err = w.claim(ctx); err != nil {
					return err
				}
				if err = w.begin(ctx, once); err != nil {
					_ = release() // the next try claims anew
					release = nil
				}
				return err
			})
			if err == nil {
				continue
			}
		}
		if err != nil || stopped || once {
			return w.state, err
		}
		if w.Sleep(waiting, look) != nil {
			return w.state, context.Cause(ctx)
		}
	}
}

func (w *Watcher) claim(ctx context.Context) (release func() error, err error) {
	release, err = w.Store.Claim(ctx, claimName(w.Name))
	if err != nil {
		return nil, fmt.Errorf("watch %q: %w", w.Name, err)
	}
	return release, nil
}

// begin loads the state, or makes one.
func (w *Watcher) begin(ctx context.Context, once bool) error {
	st, err := Load(ctx, w.Store, w.Name)
	if errors.Is(err, store.ErrNotFound) {
		now := w.Now()
		st, err = &State{Name: w.Name, Begun: now, From: now.Add(-w.Since), Due: now.Add(w.Settings.Every)}, nil
	}
	if err != nil {
		return err
	}
	if st.Settings.By != w.Settings.By && len(st.Strata) > 0 {
		return fmt.Errorf("watch %q tells kinds of exchanges apart by %q: want the same --by, another --name, or assay watch remove",
			w.Name, st.Settings.By)
	}
	st.Settings, st.Trouble, st.Once = w.Settings, "", once
	if due := w.Now().Add(w.Settings.Every); st.Due.After(due) {
		st.Due = due
	}
	if once {
		st.Due = time.Time{}
	}
	w.state, w.intake, w.skipped = st, newIntake(), st.Total.Skipped
	return w.tidy(ctx)
}

// step looks at the store once: it takes up complete traces, judges a round if one is due, and
// delivers alarms.
func (w *Watcher) step(ctx context.Context, all bool) (stopped bool, err error) {
	st := w.state
	if err := w.takeUp(ctx, all); err != nil {
		return false, err
	}
	if st.Round != nil && st.Trouble == "" || !w.Now().Before(st.Due) {
		if stopped, err = w.round(ctx); err != nil {
			return stopped, err
		}
	}
	return stopped, w.deliver(ctx)
}

// takeUp reads what was received, and keeps the exchanges of complete traces for the next
// round.
func (w *Watcher) takeUp(ctx context.Context, all bool) error {
	st := w.state
	now := w.Now()
	day := st.Day
	st.turn(now)
	for more := true; more; {
		var err error
		if more, err = w.intake.read(ctx, w.Store, st); err != nil {
			return err
		}
		until := now
		if more {
			until = w.intake.until
		}
		traces := w.intake.complete(st, until, all && !more)
		mark := st.Reading.Mark
		for _, t := range traces {
			found, unread := spans.Exchanges(t.spans)
			st.Total.Unread += unread
			st.Today.Unread += unread
			for i := range found {
				if err := w.keep(ctx, t, &found[i]); err != nil {
					return err
				}
			}
		}
		w.intake.advance(&st.Reading, now)
		if len(traces) == 0 && mark == st.Reading.Mark && day == st.Day {
			continue
		}
		if err := w.save(ctx); err != nil {
			return err
		}
	}
	return nil
}

// keep puts an exchange among those that wait for a round.
func (w *Watcher) keep(ctx context.Context, t *openTrace, e *spans.Exchange) error {
	st := w.state
	in := st.stratum(kind(st.Settings.By, t.spans, e))
	in.Sampled++
	st.Total.Sampled++
	st.Today.Sampled++
	waits := Waiting{ID: e.Case.ID, Stratum: in.Name, Order: order(st.Name, e.Case.ID), Asked: cmp.Or(spans.First(t.spans).Start, t.received)}
	if !st.admit(waits) {
		return nil
	}
	if in.Name != "" {
		e.Case.Tags = append(e.Case.Tags, in.Name)
	}
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	now := w.Now()
	return w.Store.PutItem(ctx, store.Item{
		Kind: store.KindExchange, ID: exchangeID(st.Name, e.Case.ID), Parent: st.Name, Created: now, Updated: now, Body: body,
	})
}

func exchangeID(watch, id string) string { return watch + "/" + id }

// round judges a round: the one that was begun, or one of what waits.
func (w *Watcher) round(ctx context.Context) (stopped bool, err error) {
	st := w.state
	now := w.Now()
	st.Due = now.Add(st.Settings.Every)
	if st.Round == nil {
		if err := w.choose(ctx, now); err != nil || st.Round == nil {
			return false, err
		}
	}
	list, err := w.exchanges(ctx, st.Round.Exchanges)
	if err != nil {
		return false, err
	}
	out, err := w.Judge.Judge(ctx, list, st.Round.Budget, st.Round.Run, func(run string) error {
		st.Round.Run = run
		return w.save(ctx)
	})
	switch {
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return true, err
	case err != nil:
		// It is tried again when the next round is due.
		if st.Trouble != err.Error() {
			w.Tell("the round could not be judged: " + err.Error())
		}
		st.Trouble = err.Error()
		return false, w.save(ctx)
	case out.Stopped:
		return true, w.save(ctx)
	}
	w.apply(out)
	st.Round, st.Trouble = nil, ""
	if err := w.save(ctx); err != nil {
		return false, err
	}
	return false, w.tidy(ctx)
}

// choose begins a round with some of what waits, and skips the rest.
func (w *Watcher) choose(ctx context.Context, now time.Time) error {
	st := w.state
	if len(st.Waiting) == 0 {
		return w.save(ctx)
	}
	most, budget := st.afford(now)
	chosen, skipped := st.choose(most)
	for _, s := range skipped {
		st.skip(s.Stratum)
	}
	st.Waiting = nil
	if len(chosen) > 0 {
		st.Round = &Round{Exchanges: chosen, Budget: budget}
	}
	if n := st.Total.Skipped - w.skipped; n > 0 {
		why := fmt.Sprintf("a round takes %d", st.Settings.Most)
		if most < st.Settings.Most {
			why = "the budget of the day so far is spent"
		}
		w.Tell(fmt.Sprintf("%d sampled exchanges are not judged: %s", n, why))
	}
	w.skipped = st.Total.Skipped
	if err := w.save(ctx); err != nil || st.Round != nil {
		return err
	}
	return w.tidy(ctx)
}

// apply counts what was judged, follows the metrics, and raises alarms.
func (w *Watcher) apply(out Outcome) {
	st := w.state
	now := w.Now()
	st.turn(now)
	st.Rounds, st.Last = st.Rounds+1, out.Header.ID
	st.Total.Cost += out.Cost
	st.Today.Cost += out.Cost
	var metrics []assay.MetricInfo
	for _, m := range out.Header.Metrics {
		if followed(m) {
			metrics = append(metrics, m)
		}
	}
	st.Series = slices.DeleteFunc(st.Series, func(s *Series) bool {
		return !slices.ContainsFunc(metrics, func(m assay.MetricInfo) bool { return m.Name == s.Metric.Name })
	})
	for _, e := range st.Round.Exchanges {
		r, ok := out.Records[e.ID]
		if !ok {
			st.skip(e.Stratum) // the budget ended before it
			continue
		}
		in := st.stratum(e.Stratum)
		in.Judged++
		in.Today++
		for _, c := range []*Counts{&st.Total, &st.Today} {
			c.Judged++
			if r.Failure != nil {
				c.Failed++
			}
		}
		for _, m := range metrics {
			s := st.series(&out.Header, m, e.Stratum, now)
			if s.add(r.Scores[m.Name], e.Asked) {
				w.alarm(s, now, out.Header.ID)
			}
		}
	}
}

// alarm raises an alarm if a series gives one.
func (w *Watcher) alarm(s *Series, now time.Time, run string) {
	st := w.state
	s.hold(st.Settings)
	// One series among several: together they keep to what is promised of the watch.
	a, ok := s.check(st.Settings.Quiet*float64(len(st.Series)), now)
	if !ok {
		return
	}
	a.Run = run
	st.Alarms = append(st.Alarms, a)
	st.Alarms = st.Alarms[max(0, len(st.Alarms)-mostAlarms):]
	if w.Webhook != nil {
		st.Untold = append(st.Untold, Delivery{Alarm: a})
	}
	w.Tell(a.Text(st.Name))
}

// mostAlarms is the number of alarms that are kept.
const mostAlarms = 200

// series returns the series of a metric and a stratum, which may be new.
func (s *State) series(h *assay.Header, m assay.MetricInfo, stratum string, now time.Time) *Series {
	id := identity(h, m)
	i := slices.IndexFunc(s.Series, func(one *Series) bool { return one.Metric.Name == m.Name && one.Stratum == stratum })
	if i >= 0 && s.Series[i].Identity == id {
		s.Series[i].Metric = m // its threshold can be another
		return s.Series[i]
	}
	fresh := &Series{Metric: m, Stratum: stratum, Identity: id, Begun: now}
	if i >= 0 {
		s.Series[i] = fresh // values of another judge cannot be compared
		return fresh
	}
	place := func(one *Series) int {
		return slices.IndexFunc(h.Metrics, func(m assay.MetricInfo) bool { return m.Name == one.Metric.Name })
	}
	s.Series = append(s.Series, fresh)
	slices.SortStableFunc(s.Series, func(a, b *Series) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), strings.Compare(a.Stratum, b.Stratum))
	})
	return fresh
}

// deliver calls the webhook with the alarms that it has not taken, in their order.
func (w *Watcher) deliver(ctx context.Context) error {
	st := w.state
	if w.Webhook == nil || len(st.Untold) == 0 || w.Now().Before(st.Untold[0].Next) {
		return nil
	}
	for len(st.Untold) > 0 {
		d := &st.Untold[0]
		if err := w.Webhook.Send(ctx, st.Name, d.Alarm); err != nil {
			d.Tries++
			d.Next = w.Now().Add(min(backoff.Doubled(d.Tries), time.Hour))
			if d.Tries == 1 {
				w.Tell("an alarm could not be delivered, and is sent again later: " + err.Error())
			}
			break
		}
		st.Untold = st.Untold[1:]
	}
	return w.save(ctx)
}
