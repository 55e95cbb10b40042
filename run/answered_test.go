package run_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/run"
	"github.com/assay-eval/assay/store"
	"github.com/google/go-cmp/cmp"
)

// A session of a judged run whose target answers differently each time.
type judgedSession struct {
	store run.Store
	// name begins the answers.
	name string
	// resume continues the run that an earlier session left.
	resume bool
	// allowed is the number of questions that the judge answers before it hangs; below 0
	// it answers all.
	allowed int
	cases   int

	mu    sync.Mutex
	asked map[string]int
	ruled map[string]int
}

// perform performs the session. If until is not nil, the session is cancelled when until
// returns true, and after some seconds in any case.
func (s *judgedSession) perform(t *testing.T, until func() bool) (recs []assay.Record, ended error) {
	t.Helper()
	s.asked, s.ruled = map[string]int{}, map[string]int{}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	target := &fake{ask: func(_ context.Context, c *assay.Case, n int) (assay.Response, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asked[c.ID]++
		if c.ID == "k3" && s.name == "first" && n == 1 {
			return assay.Response{}, callError{kind: "status", again: true}
		}
		return assay.Response{Answer: fmt.Sprintf("%s answer %d of %s", s.name, len(s.asked), c.ID), Passages: []assay.Passage{}}, nil
	}}
	j := &ruler{rule: func(ctx context.Context, answer string) (judge.Ruling, error) {
		s.mu.Lock()
		s.ruled[answer]++
		hang := s.allowed >= 0 && len(s.ruled) > s.allowed
		s.mu.Unlock()
		if hang {
			<-ctx.Done()
			return judge.Ruling{}, ctx.Err()
		}
		return judge.Ruling{Holds: true, Degree: 1}, nil
	}}
	p := run.Plan{Header: assay.Header{ID: "kill", State: "running", Dataset: assay.DatasetInfo{Cases: s.cases}}}
	p.Config = config(t, target, labelled("k", s.cases))
	p.Config.Metrics, p.Config.Judge, p.Config.Scorers, p.Config.Concurrency = metrics(t, "ruled"), j, 2, 3
	if s.resume {
		h, err := s.store.Run(t.Context(), "kill")
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Resume(h); err != nil {
			t.Fatal(err)
		}
	}
	session, err := run.Begin(t.Context(), p, s.store)
	if err != nil {
		t.Fatal(err)
	}
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for n := 0; n < 1000 && until != nil && !until(); n++ {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
		if until != nil {
			cancel()
		}
	}()
	for rec, err := range session.Records(ctx) {
		if err != nil {
			ended = err
			break
		}
		recs = append(recs, rec)
	}
	cancel()
	<-watched
	if _, err := session.Finish(t.Context(), ended); err != nil {
		t.Fatal(err)
	}
	return recs, ended
}

// An answer is durable before it is judged: a session that ends while the judge works
// loses none of them. The next one asks the target only for the others, and the judge
// about the answers that were kept.
func TestAnswersOutliveTheJudging(t *testing.T) {
	t.Parallel()
	const n = 12
	s := openStore(t, filepath.Join(t.TempDir(), "assay.db"))
	kept := func() map[string]assay.Record {
		out := map[string]assay.Record{}
		for r, err := range s.Answers(t.Context(), "kill") {
			if err != nil {
				t.Error(err)
				break
			}
			out[r.Case.ID] = r
		}
		return out
	}
	first := &judgedSession{store: s, name: "first", allowed: 6, cases: n}
	before, ended := first.perform(t, func() bool {
		first.mu.Lock()
		hung := len(first.ruled) > first.allowed+1
		first.mu.Unlock()
		return hung && len(kept()) >= 3
	})
	held := kept()
	if ended == nil || len(before) == 0 || len(held) < 3 || len(before)+len(held) > n {
		t.Fatalf("%d records, %d kept answers, %v: want some of each", len(before), len(held), ended)
	}
	if len(before)+len(held) != len(first.asked) {
		t.Errorf("the target answered %d cases; %d records and %d kept answers", len(first.asked), len(before), len(held))
	}

	second := &judgedSession{store: s, name: "second", resume: true, allowed: -1, cases: n}
	after, ended := second.perform(t, nil)
	if ended != nil || len(after) != n {
		t.Fatalf("%d records, %v: want all %d", len(after), ended, n)
	}
	for _, r := range after {
		id := r.Case.ID
		if first.asked[id] > 0 != (second.asked[id] == 0) {
			t.Errorf("%s was asked %d times, then %d times", id, first.asked[id], second.asked[id])
		}
		if a, ok := held[id]; ok {
			a.Scores, a.Answer, a.Retrieved, a.Judging = r.Scores, r.Answer, r.Retrieved, r.Judging
			if d := cmp.Diff(a, r); d != "" {
				t.Errorf("the record differs from the kept answer (-kept +record):\n%s", d)
			}
			if second.ruled[a.Response.Answer] != 1 {
				t.Errorf("the kept answer to %s was judged %d times in the second session, want once", id, second.ruled[a.Response.Answer])
			}
		}
		if r.Scores["ruled"].State != assay.Scored {
			t.Errorf("%s has %+v", id, r.Scores)
		}
	}
	if left := kept(); len(left) != 0 {
		t.Errorf("%d answers are kept beside their records", len(left))
	}
}

// Nothing is written beside the records when no judge is paid, when the target failed,
// or when the judge has no question about the case.
func TestAnswersKeptOnlyForAJudge(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]func(*run.Config){
		"no judge":                      func(c *run.Config) { c.Judge = nil },
		"a judge that is a formula":     func(c *run.Config) { c.Judge = formula{c.Judge} },
		"no question":                   func(c *run.Config) { c.Cases = assay.CasesOf(cases("c", 4)...) },
		"a target that gives no answer": func(c *run.Config) { c.Target = &fake{ask: down} },
	} {
		s := &counted{Store: openStore(t, filepath.Join(t.TempDir(), "assay.db"))}
		p := run.Plan{Header: assay.Header{ID: "r", State: "running"}, Config: config(t, &fake{ask: echo}, labelled("c", 4))}
		p.Config.Metrics, p.Config.Judge = metrics(t, "ruled"), &ruler{rule: holds}
		change(&p.Config)
		if recs, _, err := perform(t, p, s); len(recs) != 4 || err != nil || s.answers.Load() != 0 {
			t.Errorf("%s: %d records, %d answers written beside them, %v", what, len(recs), s.answers.Load(), err)
		}
	}
}

func down(context.Context, *assay.Case, int) (assay.Response, error) {
	return assay.Response{}, callError{kind: "status"}
}

// A formula is a judge that is not paid.
type formula struct{ judge.Judge }

func (formula) Info() assay.JudgeInfo { return assay.JudgeInfo{Estimate: true} }

// counted counts the answers that a run writes beside its records.
type counted struct {
	*store.Store
	answers atomic.Int64
}

func (c *counted) PutAnswers(ctx context.Context, id string, recs ...assay.Record) error {
	c.answers.Add(int64(len(recs)))
	return c.Store.PutAnswers(ctx, id, recs...)
}

// A slow is a store that takes an answer only when the test lets it.
type slow struct {
	*store.Store
	asked, let chan struct{}
}

func (s *slow) PutAnswers(ctx context.Context, id string, recs ...assay.Record) error {
	s.asked <- struct{}{}
	<-s.let
	return s.Store.PutAnswers(ctx, id, recs...)
}

// While answers are being stored, the target is asked no more questions than it answers at
// once, and the judge is asked about none of the answers: what a kill can lose is bounded
// by the concurrency.
func TestTargetWaitsForItsAnswers(t *testing.T) {
	t.Parallel()
	const concurrency, n = 3, 12
	s := &slow{openStore(t, filepath.Join(t.TempDir(), "assay.db")), make(chan struct{}), make(chan struct{})}
	var asked, ruled atomic.Int64
	target := &fake{ask: func(_ context.Context, c *assay.Case, _ int) (assay.Response, error) {
		asked.Add(1)
		return assay.Response{Answer: c.ID, Passages: []assay.Passage{}}, nil
	}}
	p := run.Plan{Header: assay.Header{ID: "r", State: "running"}, Config: config(t, target, labelled("c", n))}
	p.Config.Metrics, p.Config.Concurrency, p.Config.Scorers = metrics(t, "ruled"), concurrency, 2
	p.Config.Judge = &ruler{rule: func(context.Context, string) (judge.Ruling, error) {
		ruled.Add(1)
		return judge.Ruling{Holds: true, Degree: 1}, nil
	}}
	ended := make(chan error)
	go func() {
		recs, _, err := perform(t, p, s)
		if err == nil && len(recs) != n {
			err = fmt.Errorf("%d records", len(recs))
		}
		ended <- err
	}()
	for range concurrency { // all who ask wait
		<-s.asked
	}
	if asked.Load() != concurrency || ruled.Load() != 0 {
		t.Errorf("%d questions to the target and %d to the judge: want %d and 0", asked.Load(), ruled.Load(), concurrency)
	}
	for left := n - concurrency; left > 0; left-- {
		s.let <- struct{}{}
		<-s.asked
	}
	for range concurrency {
		s.let <- struct{}{}
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
