package watch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/spans"
	"github.com/assay-eval/assay/store"
)

// A site is a store that receives traces, and a watch of them.
type site struct {
	*testing.T
	store *store.Store
	now   time.Time
	// crash is called before each write of the watch.
	crash func()
	judge *fakeJudge
	hook  *Webhook
	set   Settings
	told  []string
	batch int
}

func newSite(t *testing.T) *site {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "s.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	out := &site{T: t, store: s, now: begun, judge: &fakeJudge{runs: map[string]assay.Header{}, judged: map[string]int{}}, set: Defaults()}
	out.set.Rate = 1
	return out
}

// watcher returns a new process of the watch.
func (s *site) watcher() *Watcher {
	return &Watcher{
		Store: s.store, Name: "w", Settings: s.set, Since: time.Hour, Judge: s.judge, Webhook: s.hook,
		Now: func() time.Time {
			if s.crash != nil {
				s.crash()
			}
			return s.now
		},
		Sleep: func(context.Context, time.Duration) error { return errors.New("enough") },
		Tell:  func(text string) { s.told = append(s.told, text) },
	}
}

// step lets a process look at the store once, and end.
func (s *site) step(once bool) *State {
	s.Helper()
	if _, err := s.watcher().Run(s.Context(), nil, once); err != nil {
		s.Fatal(err)
	}
	st, err := Load(s.Context(), s.store, "w")
	if err != nil {
		s.Fatal(err)
	}
	return st
}

// receive stores a batch of spans.
func (s *site) receive(list ...spans.Span) {
	s.Helper()
	s.batch++
	s.receiveAs(fmt.Sprintf("b%06d", s.batch), list...)
}

func (s *site) receiveAs(id string, list ...spans.Span) {
	s.Helper()
	body, err := json.Marshal(list)
	if err == nil {
		err = s.store.PutSpans(s.Context(), id, body, s.now)
	}
	if err != nil {
		s.Fatal(err)
	}
}

// asked are the spans of a trace with a question, its retrieval and its answer.
func asked(id, answer string) []spans.Span {
	at := map[string]any{"openinference.span.kind": "CHAIN", "input.value": "What is " + id + "?", "output.value": answer}
	return []spans.Span{
		{Trace: id, ID: id + "r", Parent: id + "c", Name: "retrieve", Start: begun, End: begun.Add(time.Millisecond), Attributes: map[string]any{
			"openinference.span.kind": "RETRIEVER", "retrieval.documents.0.document.content": "It is so.", "retrieval.documents.0.document.id": "d"}},
		{Trace: id, ID: id + "c", Name: "ask", Start: begun, End: begun.Add(time.Second), Attributes: at},
	}
}

// A fakeJudge scores answers: "bad" is 0, any other 1. It keeps its runs, as a store does.
type fakeJudge struct {
	runs map[string]assay.Header
	// judged counts how often each exchange was judged.
	judged map[string]int
	rounds [][]string
	// cost is that of an exchange.
	cost int64
	err  error
	// crash is called in the midst of a run.
	crash func()
}

func (f *fakeJudge) Judge(_ context.Context, list []spans.Exchange, budget int64, earlier string, begun func(string) error) (Outcome, error) {
	if f.err != nil {
		return Outcome{}, f.err
	}
	h, resumed := f.runs[earlier]
	if !resumed {
		h = assay.Header{ID: fmt.Sprintf("run%d", len(f.runs)+1), Metrics: []assay.MetricInfo{higher}}
		if err := begun(h.ID); err != nil {
			return Outcome{}, err
		}
		f.runs[h.ID] = h
	}
	out := Outcome{Header: h, Records: map[string]assay.Record{}}
	var names []string
	for i, e := range list {
		if f.crash != nil && i == len(list)/2 {
			f.crash()
		}
		if budget > 0 && out.Cost+f.cost > budget {
			break
		}
		key := h.ID + " " + e.Case.ID
		if f.judged[key]++; f.judged[key] == 1 {
			f.judged[e.Case.ID]++
		}
		out.Cost += f.cost
		score := assay.Value(1)
		if e.Response.Answer == "bad" {
			score = assay.Value(0)
		}
		out.Records[e.Case.ID] = assay.Record{Case: e.Case, Scores: map[string]assay.Score{"m": score}}
		names = append(names, e.Case.ID)
	}
	f.rounds = append(f.rounds, names)
	return out, nil
}

// TestTracesSettle: a trace waits for its spans, in whatever batches they come, and what comes
// after it was taken up is not another.
func TestTracesSettle(t *testing.T) {
	s := newSite(t)
	a := asked("a", "good")
	s.receive(a[0])
	if st := s.step(false); len(st.Waiting) != 0 {
		t.Fatalf("%+v: a trace is taken up before it is complete", st.Waiting)
	}
	s.now = s.now.Add(20 * time.Second)
	s.receive(a[1])
	s.now = s.now.Add(20 * time.Second)
	if st := s.step(false); len(st.Waiting) != 0 {
		t.Fatalf("%+v: the trace got a span 20 s ago", st.Waiting)
	}
	s.now = s.now.Add(10 * time.Second)
	st := s.step(false)
	if len(st.Waiting) != 1 || st.Waiting[0].ID != "a" || st.Total.Sampled != 1 || st.Reading.Mark != "" {
		t.Fatalf("%+v", st)
	}
	s.receive(a[0]) // sent again
	s.now = s.now.Add(2 * time.Minute)
	if st = s.step(false); len(st.Waiting) != 1 || st.Total.Sampled != 1 || st.Reading.Mark != "b000003" || len(st.Reading.Decided) != 0 {
		t.Fatalf("%+v", st)
	}
	// A batch of a server whose clock is behind.
	s.receiveAs("b000003a", asked("late", "good")...)
	s.now = s.now.Add(time.Minute)
	if st = s.step(false); st.Total.Sampled != 2 {
		t.Fatalf("%+v", st)
	}
	// A round is due 15 minutes after the beginning.
	s.now = begun.Add(15 * time.Minute)
	if st = s.step(false); st.Rounds != 1 || st.Total.Judged != 2 || len(st.Waiting) != 0 || st.Last != "run1" {
		t.Fatalf("%+v", st)
	}
	if items, n, err := s.store.Items(t.Context(), store.KindExchange, store.ItemQuery{}); err != nil || n != 0 {
		t.Errorf("%d exchanges are left in the store, %v: %v", n, err, items)
	}
}

// traffic sends traces, of which a share is good, in batches that divide traces.
func (s *site) traffic(from, to int, answer func(i int) string) {
	s.Helper()
	var pending []spans.Span
	for i := from; i < to; i++ {
		list := asked(fmt.Sprintf("t%04d", i), answer(i))
		s.receive(append(pending, list[0])...)
		pending = list[1:]
	}
	s.receive(pending...)
}

// day plays a day: good traffic, then bad, then good, with rounds every 15 minutes.
func (s *site) day(process func()) {
	for hour := range 8 {
		s.traffic(hour*30, hour*30+30, func(i int) string {
			if bad := hour == 4 || hour == 5; bad && i%5 > 0 || i%20 == 0 {
				return "bad"
			}
			return "good"
		})
		for range 3 {
			s.now = s.now.Add(20 * time.Minute)
			process()
		}
	}
}

// TestKilledAnywhere: a process that is killed at any of its writes, or while it judges, leaves
// nothing that the next does not make good: the same counts, means and alarms as without.
func TestKilledAnywhere(t *testing.T) {
	setup := func(t *testing.T) *site {
		s := newSite(t)
		s.set.Quiet, s.set.Learn = 300, 60
		s.set.By = ByName
		return s
	}
	whole := setup(t)
	whole.day(func() { whole.step(false) })
	want, err := Load(t.Context(), whole.store, "w")
	if err != nil {
		t.Fatal(err)
	}
	if want.Total.Judged != 240 || len(want.Alarms) != 2 || want.Alarms[0].Recovered || !want.Alarms[1].Recovered {
		t.Fatalf("%+v, alarms %+v", want.Total, want.Alarms)
	}
	const killed = "killed"
	for every := 1; every <= 7; every += 3 {
		s := setup(t)
		kills := 0
		die := func(within int) func() {
			n := 0
			return func() {
				if n++; n%within == 0 {
					kills++
					panic(killed)
				}
			}
		}
		s.crash, s.judge.crash = die(50+every*11), die(3)
		s.day(func() {
			for {
				ended := func() (ended bool) {
					defer func() {
						if p := recover(); p != nil && p != killed {
							panic(p)
						}
					}()
					_, err := s.watcher().Run(t.Context(), nil, false)
					if err != nil {
						t.Fatal(err)
					}
					return true
				}()
				if ended {
					break
				}
			}
		})
		got, err := Load(t.Context(), s.store, "w")
		if err != nil {
			t.Fatal(err)
		}
		if kills < 5 {
			t.Errorf("%d kills: want more", kills)
		}
		for id, n := range s.judge.judged {
			if !strings.Contains(id, " ") && n != 1 {
				t.Errorf("%s is in %d runs", id, n)
			}
		}
		// Runs that a killed process began, and the ids that follow from them.
		for _, st := range []*State{want, got} {
			st.Last = ""
			for i := range st.Alarms {
				st.Alarms[i].Run = ""
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("killed %d times: %s", kills, d)
		}
	}
}

// TestBudgetOfADay: rounds cost no more than the share of the day, and what is not judged is
// counted.
func TestBudgetOfADay(t *testing.T) {
	s := newSite(t)
	s.now = time.Date(2026, 3, 1, 0, 10, 0, 0, time.UTC)
	s.judge.cost = 1000
	s.set.Budget = 240_000 // 10 cases an hour
	spent := map[string]int64{}
	last := int64(0)
	for hour := range 30 {
		s.traffic(hour*30, hour*30+30, func(int) string { return "good" })
		s.now = s.now.Add(time.Hour)
		st := s.step(false)
		spent[st.Day] += st.Total.Cost - last
		last = st.Total.Cost
		passed := s.now.Sub(time.Date(2026, 3, s.now.Day(), 0, 0, 0, 0, time.UTC)).Hours()
		if float64(spent[st.Day]) > passed*10_000 {
			t.Fatalf("at %v: %d is spent", s.now, spent[st.Day])
		}
		if st.Total.Judged+st.Total.Skipped+len(st.Waiting) != st.Total.Sampled || st.Total.Sampled != hour*30+30 {
			t.Fatalf("%+v, %d wait", st.Total, len(st.Waiting))
		}
	}
	if spent["2026-03-01"] < 200_000 {
		t.Errorf("%d of 240,000 is spent", spent["2026-03-01"])
	}
	if !slices.ContainsFunc(s.told, func(text string) bool { return strings.Contains(text, "the budget of the day so far is spent") }) {
		t.Errorf("told %q", s.told)
	}
}

// TestJudgeAway: a round that could not be judged is judged later, and nothing is lost.
func TestJudgeAway(t *testing.T) {
	s := newSite(t)
	s.step(false)
	s.traffic(0, 40, func(int) string { return "good" })
	s.now = s.now.Add(time.Hour)
	s.judge.err = errors.New("no key")
	st := s.step(false)
	if st.Trouble != "no key" || st.Round == nil || len(st.Round.Exchanges) != 40 || st.Total.Judged != 0 {
		t.Fatalf("%+v", st)
	}
	s.traffic(40, 50, func(int) string { return "good" })
	s.judge.err = nil
	s.now = s.now.Add(time.Hour)
	s.step(false)
	s.now = s.now.Add(time.Hour)
	if st = s.step(false); st.Trouble != "" || st.Round != nil || st.Total.Judged != 50 || st.Total.Skipped != 0 {
		t.Fatalf("%+v", st)
	}
}

// TestBacklog: a watch that has much to read holds few spans at a time, and cuts no trace whose
// spans lie further on.
func TestBacklog(t *testing.T) {
	s := newSite(t)
	for i := 0; i < 100; i += 2 { // each trace has spans in two batches, 10 s apart
		a, b := asked(fmt.Sprintf("t%04d", i), "good"), asked(fmt.Sprintf("t%04d", i+1), "good")
		s.receive(a[0], b[0])
		s.now = s.now.Add(10 * time.Second)
		s.receive(a[1], b[1])
	}
	s.now = s.now.Add(time.Hour)
	w := s.watcher()
	w.Since = 24 * time.Hour
	if err := w.Settings.Check(); err != nil {
		t.Fatal(err)
	}
	if err := w.begin(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	w.intake.most = 9
	if err := w.takeUp(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if w.state.Total.Sampled != 100 || w.state.Total.Unread != 0 || len(w.state.Waiting) != 100 || len(w.intake.open) != 0 {
		t.Errorf("%+v, %d wait, %d are open", w.state.Total, len(w.state.Waiting), len(w.intake.open))
	}
	list, err := w.exchanges(t.Context(), w.state.Waiting)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if len(e.Response.Passages) != 1 || e.Response.Answer != "good" {
			t.Errorf("%s is cut: %+v", e.Case.ID, e.Response)
		}
	}
}

// TestOnce: everything that was received is judged at once.
func TestOnce(t *testing.T) {
	s := newSite(t)
	s.traffic(0, 5, func(int) string { return "good" })
	st := s.step(true)
	if st.Rounds != 1 || st.Total.Judged != 5 {
		t.Fatalf("%+v", st)
	}
	if st = s.step(true); st.Rounds != 1 {
		t.Errorf("%d rounds: nothing new was received", st.Rounds)
	}
}

// TestAnotherJudge: scores of another judge begin another series.
func TestAnotherJudge(t *testing.T) {
	h := &assay.Header{Metrics: []assay.MetricInfo{{Name: "m", Judged: true, Range: [2]float64{0, 1}}}, Judge: &assay.JudgeInfo{Model: "a"}}
	var st State
	s := st.series(h, h.Metrics[0], "", begun)
	s.add(assay.Value(1), begun)
	if again := st.series(h, h.Metrics[0], "", begun); again != s || again.Bounds.N != 1 {
		t.Error("the same judge begins another series")
	}
	h.Judge.Model = "b"
	if other := st.series(h, h.Metrics[0], "", begun); other.Bounds.N != 0 || len(st.Series) != 1 {
		t.Errorf("another judge goes on with the series of the first: %+v", other)
	}
}

// TestDeliver: a webhook gets each alarm, in order, however often it fails.
func TestDeliver(t *testing.T) {
	var got []map[string]any
	fail := 12 // until after the second alarm
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if fail--; fail >= 0 {
			http.Error(w, "no", http.StatusBadGateway)
			return
		}
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.Header.Get("Content-Type") != "application/json" {
			t.Error(err, r.Header)
		}
		got = append(got, body)
	}))
	t.Cleanup(web.Close)
	s := newSite(t)
	s.hook = &Webhook{URL: web.URL, Client: web.Client()}
	s.set.Quiet, s.set.Learn = 300, 60
	s.day(func() { s.step(false) })
	for range 10 { // an hour is the most between two calls
		s.now = s.now.Add(time.Hour)
		s.step(false)
	}
	st := s.step(false)
	if len(st.Untold) != 0 || len(got) != 2 || got[0]["recovered"] != nil || got[1]["recovered"] != true || got[0]["watch"] != "w" ||
		got[0]["metric"] != "m" || !strings.Contains(got[0]["text"].(string), "w: m got worse than its learned line") {
		t.Errorf("%d are left: %v", len(st.Untold), got)
	}
	if n := 0; true {
		for _, text := range s.told {
			if strings.Contains(text, "could not be delivered") {
				n++
				if strings.Contains(text, web.URL) {
					t.Errorf("the address, which can be secret, is told: %s", text)
				}
			}
		}
		if n != 1 {
			t.Errorf("told %d times that it failed", n)
		}
	}
}

// TestOneProcess: two processes do not carry out one watch, and one can be removed.
func TestOneProcess(t *testing.T) {
	s := newSite(t)
	s.traffic(0, 3, func(int) string { return "good" })
	var second error
	w := s.watcher()
	w.Sleep = func(ctx context.Context, _ time.Duration) error {
		_, second = s.watcher().Run(ctx, nil, false)
		if running, err := Running(ctx, s.store, "w"); !running || err != nil {
			t.Errorf("running %v, %v", running, err)
		}
		if err := Remove(ctx, s.store, "w"); !errors.Is(err, store.ErrLocked) {
			t.Errorf("removed while it goes on: %v", err)
		}
		return errors.New("enough")
	}
	if _, err := w.Run(t.Context(), nil, false); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(second, store.ErrLocked) {
		t.Errorf("a second process: %v", second)
	}
	if err := Remove(t.Context(), s.store, "w"); err != nil {
		t.Error(err)
	}
	if err := Remove(t.Context(), s.store, "w"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("removed twice: %v", err)
	}
	if list, err := All(t.Context(), s.store); err != nil || len(list) != 0 {
		t.Errorf("%d watches, %v", len(list), err)
	}
}

// TestOtherKinds: kinds that are told apart in another way would count twice.
func TestOtherKinds(t *testing.T) {
	s := newSite(t)
	s.traffic(0, 3, func(int) string { return "good" })
	s.step(true)
	s.set.By = ByName
	_, err := s.watcher().Run(t.Context(), nil, true)
	if err == nil || !strings.Contains(err.Error(), `watch "w" tells kinds of exchanges apart by ""`) {
		t.Errorf("error %v", err)
	}
}

// TestSettingsRefused: each mistake is told.
func TestSettingsRefused(t *testing.T) {
	bad := Settings{Rate: 2, Budget: -1, Every: time.Millisecond, Settle: -1, Tolerance: 1, Quiet: 1, Level: 1}
	err := bad.Check()
	for _, flag := range []string{"sample-rate 2", "daily-budget", "every 1ms", "round-size 0", "settle -1ns", "learn 0", "drop 1", "quiet-cases 1", "level 1"} {
		if err == nil || !strings.Contains(err.Error(), "--"+flag) {
			t.Errorf("%s is not refused: %v", flag, err)
		}
	}
	if err := Defaults().Check(); err != nil {
		t.Error(err)
	}
}
