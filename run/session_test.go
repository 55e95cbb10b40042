package run_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/run"
)

// noting is a plan over five cases that notes what its session calls.
func noting(t *testing.T, target *fake, notes *[]string) run.Plan {
	note := func(what string) { *notes = append(*notes, what) }
	return run.Plan{
		Header: assay.Header{
			ID: "r1", State: "running", Dataset: assay.DatasetInfo{Hash: "d", Cases: 5}, Metrics: []assay.MetricInfo{{Name: "length"}},
		},
		Config: config(t, target, cases("c", 5)),
		Start:  func(context.Context) error { note("start"); return nil },
		Connect: func(id string, spent int64) error {
			note("connect " + id)
			if spent > 0 {
				note("spent before")
			}
			return nil
		},
		Account: func(h *assay.Header, spent map[string]assay.Spending) {
			note("account")
			h.Warnings = append(h.Warnings, "accounted")
			if spent["judge"].Usage.Cost != 0 {
				note("spent in all")
			}
		},
	}
}

// perform performs a plan in one session.
func perform(t *testing.T, p run.Plan, s run.Store) (recs []assay.Record, h assay.Header, ended error) {
	t.Helper()
	session, err := run.Begin(t.Context(), p, s)
	if err != nil {
		t.Fatal(err)
	}
	for rec, err := range session.Records(t.Context()) {
		if err != nil {
			ended = err
			break
		}
		recs = append(recs, rec)
	}
	h, err = session.Finish(t.Context(), ended)
	if err != nil {
		t.Fatal(err)
	}
	return recs, h, ended
}

// A run that was prepared before another began when its session did, and one that is
// resumed keeps its beginning.
func TestSessionBeginsNow(t *testing.T) {
	t.Parallel()
	s := openStore(t, filepath.Join(t.TempDir(), "assay.db"))
	var notes []string
	p := noting(t, &fake{ask: echo}, &notes)
	p.Header.Started = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	now := p.Header.Started.Add(time.Hour)
	p.Config.Now = func() time.Time { now = now.Add(time.Second); return now }
	_, h, _ := perform(t, p, s)
	if took := h.Finished.Sub(h.Started); h.Started.Before(p.Header.Started.Add(time.Hour)) || took <= 0 || took > time.Hour {
		t.Errorf("from %v to %v: want the time of the session alone", h.Started, h.Finished)
	}
}

// The header tells how long the user waited: before the session, until the first case,
// and for the cases, added up over the sessions of a run, without the time between them.
func TestSessionTook(t *testing.T) {
	t.Parallel()
	s := openStore(t, filepath.Join(t.TempDir(), "assay.db"))
	var notes []string
	target := &fake{ask: echo}
	p := noting(t, target, &notes)
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	p.Config.Now = func() time.Time { return now }
	p.Prepared = 3 * time.Second
	p.Start = func(context.Context) error { now = now.Add(2 * time.Second); return nil }
	p.Account = func(*assay.Header, map[string]assay.Spending) { now = now.Add(time.Hour) }
	stop := make(chan struct{})
	p.Config.Stop = stop
	asked := 0
	target.delay = func(string, int) {
		now = now.Add(time.Second)
		if asked++; asked == 2 {
			close(stop)
		}
	}
	_, h, ended := perform(t, p, s)
	if want := (assay.Took{Prepared: 5 * time.Second, Evaluated: 2 * time.Second}); !errors.Is(ended, run.ErrStopped) || h.Took == nil ||
		*h.Took != want {
		t.Errorf("%v, took %+v: want %+v", ended, h.Took, want)
	}
	h, err := s.Run(t.Context(), h.ID)
	if err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Hour)
	p.Config.Stop, target.delay = nil, func(string, int) { now = now.Add(time.Second) }
	if err := p.Resume(h); err != nil {
		t.Fatal(err)
	}
	_, h, ended = perform(t, p, s)
	if want := (assay.Took{Prepared: 10 * time.Second, Evaluated: 5 * time.Second}); ended != nil || *h.Took != want {
		t.Errorf("%v, took %+v: want %+v", ended, h.Took, want)
	}
}

// The header has the time that a run takes while it goes on: a session that is killed writes no end.
func TestSessionTookSoFar(t *testing.T) {
	t.Parallel()
	s := openStore(t, filepath.Join(t.TempDir(), "assay.db"))
	var notes []string
	target := &fake{ask: echo}
	p := noting(t, target, &notes)
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	p.Config.Now = func() time.Time { return now }
	target.delay = func(string, int) { now = now.Add(3 * time.Second) }
	session, err := run.Begin(t.Context(), p, s)
	if err != nil {
		t.Fatal(err)
	}
	done := 0
	for _, err := range session.Records(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if done++; done < 2 {
			continue
		}
		h, err := s.Run(t.Context(), session.ID())
		if err != nil {
			t.Fatal(err)
		}
		if h.State != "running" || h.Took == nil || h.Took.Evaluated < 6*time.Second {
			t.Errorf("%s, took %+v after %d cases of 3 s", h.State, h.Took, done)
		}
	}
	if _, err := session.Finish(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
}

// A run that is stopped and resumed yields what was kept first and asks the rest.
func TestSessionResumes(t *testing.T) {
	t.Parallel()
	s := openStore(t, filepath.Join(t.TempDir(), "assay.db"))
	stop := make(chan struct{})
	first := &fake{ask: echo, delay: func(id string, _ int) {
		if id == "c1" {
			close(stop)
		}
	}}
	var notes []string
	p := noting(t, first, &notes)
	p.Config.Stop = stop
	recs, h, ended := perform(t, p, s)
	if !errors.Is(ended, run.ErrStopped) || h.State != "interrupted" || len(recs) != 3 {
		t.Fatalf("%d records, %q, %v: want 3, a critical case and two more, interrupted", len(recs), h.State, ended)
	}
	if want := []string{"connect r1", "start", "connect r1", "account"}; !slices.Equal(notes, want) {
		t.Errorf("%q: want %q", notes, want)
	}
	if err := s.PutCall(t.Context(), assay.Call{
		Key: strings.Repeat("a", 64), Run: "r1", Operation: "judge", Provider: "p", Model: "m", Made: start,
		Usage: assay.Usage{Cost: 7}, Request: []byte("{}"), Reply: []byte("{}"),
	}); err != nil {
		t.Fatal(err)
	}

	before := sorted(recs)
	notes = nil
	second := &fake{ask: echo}
	p = noting(t, second, &notes)
	p.Header.ID = "another"
	kept, err := s.Run(t.Context(), "r1")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Resume(kept); err != nil {
		t.Fatal(err)
	}
	recs, h, ended = perform(t, p, s)
	if ended != nil || h.ID != "r1" || h.State != "finished" {
		t.Errorf("%+v, %v: want r1 finished", h, ended)
	}
	if got := seqs(recs); len(got) != 5 || !slices.Equal(got[:3], seqs(before)) {
		t.Errorf("yielded %v: want all five, first %v, which were kept", got, seqs(before))
	}
	for _, r := range before {
		if second.asked(r.Case.ID) != 0 {
			t.Errorf("%q was kept and is asked again", r.Case.ID)
		}
	}
	want := []string{"connect r1", "spent before", "start", "connect r1", "spent before", "account", "spent in all"}
	if !slices.Equal(notes, want) {
		t.Errorf("%q: want %q", notes, want)
	}
	if got, err := s.Run(t.Context(), "r1"); err != nil || got.State != "finished" || !slices.Contains(got.Warnings, "accounted") {
		t.Errorf("the store has %+v, %v", got, err)
	}

	p = noting(t, second, &notes)
	if err := p.Resume(kept); err != nil { // as it was before the second session
		t.Fatal(err)
	}
	if _, err := run.Begin(t.Context(), p, s); err == nil || !strings.Contains(err.Error(), "another process ended it") {
		t.Errorf("%v: want that the run is finished", err)
	}
	// The lock was released.
	if unlock, err := s.Lock(t.Context(), "r1"); err != nil || unlock() != nil {
		t.Errorf("the lock: %v", err)
	}
}

// A consumer that leaves among the kept records ends the session: nothing is asked.
func TestSessionLeft(t *testing.T) {
	t.Parallel()
	s := openStore(t, filepath.Join(t.TempDir(), "assay.db"))
	var notes []string
	p := noting(t, &fake{ask: echo}, &notes)
	if recs, _, err := perform(t, p, s); len(recs) != 5 || err != nil {
		t.Fatalf("%d records, %v", len(recs), err)
	}
	h := p.Header
	h.State = "interrupted"
	if err := s.UpdateRun(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	target := &fake{ask: echo}
	p = noting(t, target, &notes)
	p.Config.Cases.Add(&cases("more", 1)[0])
	if err := p.Resume(h); err != nil {
		t.Fatal(err)
	}
	session, err := run.Begin(t.Context(), p, s)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for range session.Records(t.Context()) {
		if n++; n == 2 {
			break
		}
	}
	if _, err := session.Finish(t.Context(), errors.New("left")); err != nil || n != 2 || target.asked("more0") != 0 {
		t.Errorf("%d records, asked %d times, %v", n, target.asked("more0"), err)
	}
}

// A queued run keeps its id, and a target that does not start leaves no run.
func TestSessionBegins(t *testing.T) {
	t.Parallel()
	s := openStore(t, filepath.Join(t.TempDir(), "assay.db"))
	var notes []string
	p := noting(t, &fake{ask: echo}, &notes)
	queued := assay.Header{ID: "waiting", State: "queued"}
	if err := s.CreateRun(t.Context(), queued); err != nil {
		t.Fatal(err)
	}
	if err := p.Resume(queued); err != nil {
		t.Fatal(err)
	}
	recs, h, err := perform(t, p, s)
	if len(recs) != 5 || err != nil || h.ID != "waiting" || h.Dataset.Hash != "d" {
		t.Errorf("%d records, %+v, %v", len(recs), h, err)
	}
	p = noting(t, &fake{ask: echo}, &notes)
	p.Start = func(context.Context) error { return errors.New("no target") }
	if _, err := run.Begin(t.Context(), p, s); err == nil || err.Error() != "no target" {
		t.Errorf("%v: want no target", err)
	}
	if _, err := s.Run(t.Context(), "r1"); err == nil {
		t.Error("there is a run")
	}
}

// What could move a number refuses a resume, and a threshold does not.
func TestResumeRefuses(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]func(*assay.Header){
		"the dataset":          func(h *assay.Header) { h.Dataset.Hash = "other" },
		"the number of cases":  func(h *assay.Header) { h.Dataset.Cases++ },
		"the number of draws":  func(h *assay.Header) { h.Repeat = 3 },
		"the corpus":           func(h *assay.Header) { h.Corpus = &assay.CorpusInfo{Hash: "x"} },
		"the embedder":         func(h *assay.Header) { h.Embedder = "e" },
		"the metrics":          func(h *assay.Header) { h.Metrics = []assay.MetricInfo{{Name: "length", Version: 2}} },
		"the judge":            func(h *assay.Header) { h.Judge = &assay.JudgeInfo{Model: "m"} },
		"the prompt profile":   func(h *assay.Header) { h.Target.Settings = map[string]string{"profile_hash": "p"} },
		"the transcriber":      func(h *assay.Header) { h.Target.Settings = map[string]string{"transcriber": "t"} },
		`file of "prices"`:     func(h *assay.Header) { h.Files = map[string]string{"prices": "x"} },
		"":                     func(*assay.Header) {},
		"(the program warns)":  func(h *assay.Header) { h.Files = map[string]string{run.Program: "x"} },
		"(a threshold may be)": func(h *assay.Header) { at := 0.5; h.Metrics = []assay.MetricInfo{{Name: "length", Threshold: &at}} },
	} {
		var notes []string
		p := noting(t, &fake{ask: echo}, &notes)
		h := p.Header
		change(&h)
		err := p.Resume(h)
		if free := what == "" || what[0] == '('; free != (err == nil) || err != nil && !strings.Contains(err.Error(), what+" changed since") {
			t.Errorf("%q: %v", what, err)
		}
		if warned := strings.Contains(strings.Join(p.Header.Warnings, "\n"), "the target's program"); warned != strings.Contains(what, "program") {
			t.Errorf("%q: the warnings %q", what, p.Header.Warnings)
		}
	}
}
