package canary_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/canary"
	"github.com/assay-eval/assay/judge/question"
)

// The items are half true and half corrupted, each once, in the languages that are asked for.
func TestItems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n         int
		languages []judge.Language
		want      int
	}{
		{20, []judge.Language{judge.English}, 20}, {20, nil, 20}, {7, []judge.Language{judge.Chinese}, 7}, {500, nil, 120},
		{500, []judge.Language{judge.English}, 60}, {0, nil, 0},
	} {
		items := canary.Items(c.n, c.languages...)
		if len(items) != c.want {
			t.Errorf("%d of %v: %d items, want %d", c.n, c.languages, len(items), c.want)
		}
		seen := map[string]bool{}
		passages := map[string]bool{}
		for _, it := range items {
			if seen[it.Claim] || len(c.languages) > 0 && !slices.Contains(c.languages, it.Language) {
				t.Errorf("%d of %v: %q in %s", c.n, c.languages, it.Claim, it.Language)
			}
			seen[it.Claim], passages[it.Passage] = true, true
		}
		if c.n == 20 && len(passages) < 10 {
			t.Errorf("20 items of %d passages: want as many as there are", len(passages))
		}
	}
	if a, b := canary.Items(20), canary.Items(20); !slices.Equal(a, b) {
		t.Error("the items are not frozen")
	}
}

// model is a judge whose reasons are words of a vocabulary, of which it draws a share anew each
// time.
type model struct {
	mu sync.Mutex
	// The draws about a claim depend on seed and on how often it was asked about, so that the order
	// of the calls, which are made at once, is no matter.
	seed       uint64
	asked      map[string]uint64
	vocabulary string
	noise      float64
	// flips is the share of rulings that are turned at random, turned the number of items, from
	// one of each passage first, that are always.
	flips  float64
	turned int
	calls  int
	fails  bool
	items  []canary.Item
}

func (*model) Info() assay.JudgeInfo { return assay.JudgeInfo{Provider: "m"} }

func (m *model) Ask(ctx context.Context, t judge.AnyTask, s judge.Subject, given any) (any, error) {
	return judge.NewAnswers(question.Support.By(func(_ context.Context, _ judge.Subject, in question.SupportInput) ([]judge.Finding, error) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.calls++
		if m.fails {
			return nil, &judge.Error{Operation: "support", Message: "unreadable"}
		}
		var out []judge.Finding
		for _, c := range in.Claims {
			m.asked[c.Text]++
			text := fnv.New64a()
			_, _ = text.Write([]byte(c.Text))
			rng := rand.New(rand.NewPCG(m.seed<<16|m.asked[c.Text], text.Sum64()))
			var why []string
			for k := range 8 {
				at := k + len(c.Text)
				if rng.Float64() < m.noise {
					at = rng.IntN(1000)
				}
				why = append(why, fmt.Sprintf("%s%d", m.vocabulary, at))
			}
			verdict := judge.NotFound
			if at := slices.IndexFunc(m.items, func(it canary.Item) bool { return it.Claim == c.Text }); m.turns(at) != (rng.Float64() < m.flips) {
				verdict = judge.Contradicted
			}
			out = append(out, judge.Finding{Verdict: verdict, Why: strings.Join(why, " ")})
		}
		return out, nil
	})).Ask(ctx, t, s, given)
}

// turns reports whether the ruling on an item is always turned: first one of each passage.
func (m *model) turns(at int) bool { return (at/2 + at%2*len(m.items)/2) < m.turned }

func freeze(t *testing.T, m *model, items []canary.Item) canary.Set {
	t.Helper()
	f := canary.Of(assay.JudgeInfo{}, len(items), judge.English)
	f.Version, f.Since = canary.Version, time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	for k := range f.Answers {
		f.Answers[k] = ask(t, m, items)
	}
	return f
}

func ask(t *testing.T, m *model, items []canary.Item) []canary.Answer {
	t.Helper()
	out, err := canary.Ask(t.Context(), m, items)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func modelOf(seed uint64, vocabulary string, noise float64) *model {
	return &model{seed: seed, asked: map[string]uint64{}, vocabulary: vocabulary, noise: noise, items: canary.Items(20, judge.English)}
}

// A model that answers as before is not said to differ, one with other words is, and the claims
// of a passage are asked about at once.
func TestCompare(t *testing.T) {
	t.Parallel()
	items := canary.Items(20, judge.English)
	m := modelOf(1, "w", 0)
	frozen := freeze(t, m, items)
	if m.calls != 20 {
		t.Errorf("%d calls for 20 items of 10 passages, twice", m.calls)
	}
	same := frozen.Now(ask(t, m, items))
	if same.Differs || same.Items != 20 || same.Likeness != 1 || same.Usual != 1 || same.P == nil || *same.P != 1 {
		t.Errorf("the same model: %+v", same)
	}
	other := frozen.Now(ask(t, modelOf(1, "x", 0), items))
	if !other.Differs || other.Likeness != 0 || *other.P >= canary.Alpha {
		t.Errorf("another model: %+v", other)
	}
	// Fewer than five passages cannot show a difference at this level.
	few := canary.Items(4, judge.English)
	if c := freeze(t, modelOf(1, "w", 0), few).Now(ask(t, modelOf(1, "x", 0), few)); c.P != nil || c.Differs {
		t.Errorf("four passages: %+v", c)
	}
	broken := modelOf(1, "w", 0)
	broken.fails = true
	if c := frozen.Now(ask(t, broken, items)); c.Why == "" || c.Differs {
		t.Errorf("no ruling: %+v", c)
	}
	if c := frozen.Now(ask(t, m, items[1:])); c.Why == "" || c.P != nil {
		t.Errorf("other questions: %+v", c)
	}
}

// The ruling counts as well as the words.
func TestCompareRulings(t *testing.T) {
	t.Parallel()
	items := canary.Items(20, judge.English)
	answers := func(ruling func(i int) string) []canary.Answer {
		var out []canary.Answer
		for i := range items {
			out = append(out, canary.Answer{Known: true, Ruling: ruling(i), Words: "because"})
		}
		return out
	}
	all := func(int) string { return "supported" }
	frozen := canary.Of(assay.JudgeInfo{}, 20, judge.English)
	frozen.Version, frozen.Answers = canary.Version, [2][]canary.Answer{answers(all), answers(func(i int) string {
		if i == 3 {
			return "partly"
		}
		return "supported"
	})}
	now := answers(func(i int) string {
		if i%2 == 0 {
			return "contradicted"
		}
		return "supported"
	})
	if c := frozen.Now(now); c.Changed != 10 || c.Noise != 1 || !c.Differs {
		t.Errorf("%+v: want ten changed, and one by noise", c)
	}
}

// A noisy model that has not changed is said to differ in about one run of a hundred; one whose
// answers move half-way to other words is found.
func TestFalseAlarms(t *testing.T) {
	t.Parallel()
	const trials = 1000
	items := canary.Items(20, judge.English)
	alarms, found := 0, 0
	for seed := range uint64(trials) {
		m := modelOf(seed, "w", 0.3)
		frozen := freeze(t, m, items)
		if frozen.Now(ask(t, m, items)).Differs {
			alarms++
		}
		m.noise = 0.8
		if frozen.Now(ask(t, m, items)).Differs {
			found++
		}
	}
	// Three standard errors of a share of 1 % above it.
	if alarms > 20 {
		t.Errorf("%d false alarms in %d runs: want about %d at most", alarms, trials, trials/100)
	}
	if found < 900 {
		t.Errorf("%d of %d changes found", found, trials)
	}
	t.Logf("%d false alarms, %d changes found in %d", alarms, found, trials)
}
