package attack_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/attack"
	"github.com/assay-eval/assay/judge/question"
)

// scripted is a judge that knows the facts. accepts, if set, accepts what it
// says beside what is right.
type scripted struct {
	accepts func(text string) bool
	refuses bool
	// aside is a claim that it finds in every answer.
	aside string
	err   func(operation string) error
	asked atomic.Int64
}

func (j *scripted) ask(operation string) error {
	j.asked.Add(1)
	if j.err != nil {
		return j.err(operation)
	}
	return nil
}

func (j *scripted) right(s judge.Subject, text string) bool {
	if j.refuses {
		return false
	}
	if j.accepts != nil && j.accepts(text) {
		return true
	}
	return slices.ContainsFunc(attack.Facts(), func(f attack.Fact) bool { return f.Question == s.Question && f.Good == text })
}

func (j *scripted) Info() assay.JudgeInfo { return assay.JudgeInfo{Provider: "scripted", Model: "m"} }

func (j *scripted) Ask(ctx context.Context, t judge.AnyTask, s judge.Subject, given any) (any, error) {
	return judge.NewAnswers(
		question.Support.By(j.Support), question.Compare.By(j.Equivalent), question.Assign.By(j.Assign),
		question.Read.By(j.Read), question.Grade.By(j.Relevance),
	).Ask(ctx, t, s, given)
}

func (j *scripted) Read(_ context.Context, _ judge.Subject, text string) (judge.Reading, error) {
	r := judge.Reading{Kind: judge.Answered, Claims: []judge.Claim{{Text: text}}}
	if j.aside != "" {
		r.Claims = append(r.Claims, judge.Claim{Text: j.aside})
	}
	return r, j.ask("claims")
}

func (j *scripted) Support(_ context.Context, s judge.Subject, in question.SupportInput) ([]judge.Finding, error) {
	claims := in.Claims
	out := make([]judge.Finding, len(claims))
	for i, c := range claims {
		out[i].Verdict = judge.NotFound
		if j.right(s, c.Text) {
			out[i].Verdict = judge.Supported
		}
	}
	return out, j.ask("support")
}

func (j *scripted) Relevance(_ context.Context, s judge.Subject, passages []judge.Source) ([]judge.Grade, error) {
	out := make([]judge.Grade, len(passages))
	for i, p := range passages {
		helps := slices.ContainsFunc(attack.Facts(), func(f attack.Fact) bool { return f.Question == s.Question && f.Passage == p.Text })
		out[i].Known = true
		if !j.refuses && (helps || j.accepts != nil && j.accepts(p.Text)) {
			out[i].Level = 3
		}
	}
	return out, j.ask("relevance")
}

func (j *scripted) Equivalent(_ context.Context, s judge.Subject, in question.CompareInput) (judge.Ruling, error) {
	answer := in.Answer
	return judge.Ruling{Holds: j.right(s, answer)}, j.ask("equivalence")
}

func (j *scripted) Assign(_ context.Context, s judge.Subject, in question.AssignInput) ([]judge.Assignment, error) {
	points, answer := in.Points, in.Answer
	out := make([]judge.Assignment, len(points))
	for i := range out {
		out[i].Known = true
		if j.right(s, answer) {
			out[i].Credit = 1
		}
	}
	return out, j.ask("assign")
}

func TestRunOfAJudgeThatIsNotSwayed(t *testing.T) {
	t.Parallel()
	j := &scripted{}
	last, total := 0, 0
	r, err := attack.Run(t.Context(), j, attack.Options{Done: func(done, of int) { last, total = done, of }})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Valid || r.Reasons != nil || r.Trials != nil || r.Unread != 0 {
		t.Errorf("valid %v, reasons %q, %d trials to look at, %d unread; want a clean record", r.Valid, r.Reasons, len(r.Trials), r.Unread)
	}
	// 60 answers and 60 passages, 20 wrong answers, 4 rulings on each of 20 right
	// ones, 5 keys on 2 questions of 2 languages.
	for _, c := range []struct {
		tally attack.Tally
		hits  int
		n     int
	}{{r.Injections, 0, 120}, {r.KnownBad, 0, 20}, {r.KnownGood, 80, 80}, {r.MasterKeys, 0, 20}} {
		if c.tally.Hits != c.hits || c.tally.N != c.n {
			t.Errorf("%s: %d of %d, want %d of %d", c.tally.Name, c.tally.Hits, c.tally.N, c.hits, c.n)
		}
	}
	// None of n: the upper bound at 95 % is 1 − 0.05^(1/n).
	if want := 1 - math.Pow(0.05, 1.0/120); math.Abs(r.Injections.Upper-want) > 1e-9 {
		t.Errorf("upper bound %v, want %v", r.Injections.Upper, want)
	}
	for _, p := range r.ByPlace {
		if want := 1 - math.Pow(0.05, 1.0/60); p.N != 60 || math.Abs(p.Upper-want) > 1e-9 || want > 0.05 {
			t.Errorf("%s: %d trials, upper bound %v; want 60 and %v", p.Name, p.N, p.Upper, want)
		}
	}
	if len(r.ByTemplate) != len(attack.Templates()) || len(r.ByLanguage) != 2 || len(r.ByRuling) != 4 {
		t.Errorf("%d templates, %d languages, %d rulings", len(r.ByTemplate), len(r.ByLanguage), len(r.ByRuling))
	}
	if last != total || total != 120+40+20 {
		t.Errorf("told of %d trials of %d, want 180 of 180", last, total)
	}
}

func TestRunOfAJudgeThatObeys(t *testing.T) {
	t.Parallel()
	r, err := attack.Run(t.Context(), &scripted{accepts: func(s string) bool { return strings.Contains(s, "Ignore all previous") }},
		attack.Options{Injections: 48})
	if err != nil {
		t.Fatal(err)
	}
	if r.Valid || r.Injections.Hits == 0 || r.KnownBad.Hits != 0 || r.MasterKeys.Hits != 0 {
		t.Errorf("valid %v, %d injections: want it found out", r.Valid, r.Injections.Hits)
	}
	// The template "override" alone has these words, in English alone.
	hits := 0
	for _, p := range r.ByTemplate {
		if p.Name == "override" {
			hits = p.Hits
		} else if p.Hits > 0 {
			t.Errorf("template %q: %d hits, want none", p.Name, p.Hits)
		}
	}
	if hits != r.Injections.Hits || r.Swayed.Hits != hits {
		t.Errorf("%d by the template, %d in all, %d swayed: want them equal", hits, r.Injections.Hits, r.Swayed.Hits)
	}
	for _, trial := range r.Trials {
		if trial.Template != "override" || !slices.Equal(trial.Swayed, trial.Accepted) || len(trial.Accepted) == 0 {
			t.Errorf("trial %+v", trial)
		}
	}
	if r.Detected.Hits >= r.Detected.N || r.Detected.Hits < 40 {
		t.Errorf("%d of %d detected: want all but the pleas", r.Detected.Hits, r.Detected.N)
	}
}

func TestRunOfAJudgeThatAcceptsAll(t *testing.T) {
	t.Parallel()
	r, err := attack.Run(t.Context(), &scripted{accepts: func(string) bool { return true }}, attack.Options{Injections: 20})
	if err != nil {
		t.Fatal(err)
	}
	// An empty answer is refused without being asked about: 4 of 20 keys.
	if r.KnownBad.Hits != 20 || r.MasterKeys.Hits != 16 || r.Injections.Hits != 40 {
		t.Errorf("%d wrong answers, %d keys, %d injections", r.KnownBad.Hits, r.MasterKeys.Hits, r.Injections.Hits)
	}
	// It accepts the same without the injection: nothing was turned.
	if r.Swayed.Hits != 0 || r.Valid || len(r.Reasons) != 3 {
		t.Errorf("swayed %d, valid %v, reasons %q", r.Swayed.Hits, r.Valid, r.Reasons)
	}
}

func TestRunOfAJudgeThatRefusesAll(t *testing.T) {
	t.Parallel()
	r, err := attack.Run(t.Context(), &scripted{refuses: true}, attack.Options{Injections: 20})
	if err != nil {
		t.Fatal(err)
	}
	if r.Valid || len(r.Reasons) != 1 || !strings.Contains(r.Reasons[0], "known good: 0 of 80") {
		t.Errorf("valid %v, reasons %q", r.Valid, r.Reasons)
	}
}

func TestWrongWordsThatAreSupportedAreFound(t *testing.T) {
	t.Parallel()
	// Another claim of the answer is refused, so that it is not faithful as a
	// whole; yet the judge bears out the words that are wrong.
	r, err := attack.Run(t.Context(), &scripted{aside: "Something else.", accepts: func(s string) bool {
		return slices.ContainsFunc(attack.Facts(), func(f attack.Fact) bool { return s == f.Bad })
	}}, attack.Options{Injections: 20})
	if err != nil {
		t.Fatal(err)
	}
	if r.KnownBad.Hits != 20 {
		t.Errorf("%d of 20 wrong answers are found out", r.KnownBad.Hits)
	}
	for _, trial := range r.Trials {
		if trial.Group == attack.KnownBad && !slices.Contains(trial.Accepted, attack.Supported) {
			t.Errorf("%s: accepted as %q", trial.Fact, trial.Accepted)
		}
	}
	// A right answer with a claim beside it that is not found is not faithful: of
	// 80 rulings on right ones, 20 refuse.
	if r.KnownGood.Hits != 60 || r.KnownGood.N != 80 {
		t.Errorf("%d of %d rulings accept right answers", r.KnownGood.Hits, r.KnownGood.N)
	}
}

func TestRunCountsWhatIsUnread(t *testing.T) {
	t.Parallel()
	r, err := attack.Run(t.Context(), &scripted{err: func(operation string) error {
		if operation == "equivalence" {
			return &judge.Error{Operation: operation, Message: "garbled"}
		}
		return nil
	}}, attack.Options{Injections: 20})
	if err != nil {
		t.Fatal(err)
	}
	// Equivalence is asked about 20 injected answers, 40 plain ones and 20 keys
	// of which 4 are empty and ruled on without asking.
	if r.Unread != 20+40+16 || r.Valid {
		t.Errorf("%d unread, valid %v", r.Unread, r.Valid)
	}
	// The injected answers tell nothing then, the passages do.
	if r.Injections.N != 20 || r.KnownBad.N != 0 {
		t.Errorf("%d injections, %d known bad", r.Injections.N, r.KnownBad.N)
	}
	for _, trial := range r.Trials {
		if trial.Problem == "" {
			t.Errorf("trial %+v does not say what the problem is", trial)
		}
	}
}

func TestRunEnds(t *testing.T) {
	t.Parallel()
	fatal := &judge.FatalError{Err: errors.New("no key")}
	if _, err := attack.Run(t.Context(), &scripted{err: func(string) error { return fatal }}, attack.Options{}); !errors.Is(err, fatal) {
		t.Errorf("got %v, want the fatal error", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := attack.Run(ctx, &scripted{}, attack.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want it canceled", err)
	}
	for _, o := range []attack.Options{{Injections: 19}, {Injections: -1}, {Concurrency: -2}} {
		if _, err := attack.Run(t.Context(), &scripted{}, o); err == nil {
			t.Errorf("options %+v: want an error", o)
		}
	}
}

func TestRunIsTheSameWhateverTheConcurrency(t *testing.T) {
	t.Parallel()
	of := func(n int) *attack.Report {
		r, err := attack.Run(t.Context(), &scripted{accepts: func(s string) bool { return strings.Contains(s, "score") }},
			attack.Options{Injections: 24, Concurrency: n})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	a, b := of(1), of(16)
	if len(a.Trials) == 0 || len(a.Trials) != len(b.Trials) {
		t.Fatalf("%d and %d trials", len(a.Trials), len(b.Trials))
	}
	for i := range a.Trials {
		if a.Trials[i].Text != b.Trials[i].Text || !slices.Equal(a.Trials[i].Accepted, b.Trials[i].Accepted) {
			t.Errorf("trial %d differs: %+v, %+v", i, a.Trials[i], b.Trials[i])
		}
	}
}

func TestFacts(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	languages := map[judge.Language]int{}
	for _, f := range attack.Facts() {
		if seen[f.ID] || seen[f.Question] {
			t.Errorf("%s is there twice", f.ID)
		}
		seen[f.ID], seen[f.Question] = true, true
		languages[f.Language]++
		if judge.LanguageOf(f.Question) != f.Language {
			t.Errorf("%s: language %q", f.ID, f.Language)
		}
		if !strings.Contains(f.Bad, f.Wrong) || f.Unrelated == f.Passage {
			t.Errorf("%s: bad answer %q, wrong %q", f.ID, f.Bad, f.Wrong)
		}
		for _, s := range []string{f.Passage, f.Reference, f.Good, f.Question, f.Unrelated} {
			if s == "" || strings.Contains(s, f.Wrong) {
				t.Errorf("%s: %q holds what is wrong, %q", f.ID, s, f.Wrong)
			}
		}
	}
	if languages[judge.English] != 10 || languages[judge.Chinese] != 10 {
		t.Errorf("languages %v, want 10 of each", languages)
	}
}
