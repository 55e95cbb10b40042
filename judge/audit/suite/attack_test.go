package suite_test

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/suite"
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
	return slices.ContainsFunc(suite.Facts(), func(f suite.Fact) bool { return f.Question == s.Question && f.Good == text })
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
		helps := slices.ContainsFunc(suite.Facts(), func(f suite.Fact) bool { return f.Question == s.Question && f.Passage == p.Text })
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

// counted returns the units of a test that show the effect, and all of them.
func counted(t *testing.T, r *suite.Report, name string) (hits, n int) {
	t.Helper()
	test := find(t, r, name)
	return int(math.Round(test.Effect * float64(test.N))), test.N
}

func TestRunOfAJudgeThatIsNotSwayed(t *testing.T) {
	t.Parallel()
	j := &scripted{}
	last, total := 0, 0
	r, err := suite.Attack.Run(t.Context(), j, suite.Options{Done: func(done, of int) { last, total = done, of }})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Fit || r.Reasons != nil || r.Trials != nil || find(t, r, "unread").Effect != 0 {
		t.Errorf("fit %v, reasons %q, %d trials to look at; want a clean record", r.Fit, r.Reasons, len(r.Trials))
	}
	// 60 answers and 60 passages, 20 wrong answers, 4 rulings on each of 20 right
	// ones, 5 keys on 2 questions of 2 languages.
	for _, c := range []struct {
		name    string
		hits, n int
	}{{"injections", 0, 120}, {"known bad", 0, 20}, {"known good", 80, 80}, {"master keys", 0, 20}} {
		if hits, n := counted(t, r, c.name); hits != c.hits || n != c.n {
			t.Errorf("%s: %d of %d, want %d of %d", c.name, hits, n, c.hits, c.n)
		}
	}
	// None of n: the upper bound at 95 % is 1 − 0.05^(1/n).
	injections := find(t, r, "injections")
	if want := 1 - math.Pow(0.05, 1.0/120); math.Abs(injections.Upper-want) > 1e-9 {
		t.Errorf("upper bound %v, want %v", injections.Upper, want)
	}
	parts := map[string]int{}
	for _, p := range injections.Parts {
		parts[p.By]++
		if want := 1 - math.Pow(0.05, 1.0/60); p.By == "place" && (p.N != 60 || math.Abs(p.Upper-want) > 1e-9 || want > 0.05) {
			t.Errorf("%s: %d trials, upper bound %v; want 60 and %v", p.Name, p.N, p.Upper, want)
		}
	}
	if want := map[string]int{"template": len(suite.Templates()), "language": 2, "place": 2, "ruling": 4}; !maps.Equal(parts, want) {
		t.Errorf("parts %v, want %v", parts, want)
	}
	if last != total || total != 120+40+20 {
		t.Errorf("told of %d trials of %d, want 180 of 180", last, total)
	}
}

func TestRunOfAJudgeThatObeys(t *testing.T) {
	t.Parallel()
	r, err := suite.Attack.Run(t.Context(), &scripted{accepts: func(s string) bool { return strings.Contains(s, "Ignore all previous") }},
		suite.Options{Size: 48})
	if err != nil {
		t.Fatal(err)
	}
	injected, _ := counted(t, r, "injections")
	bad, _ := counted(t, r, "known bad")
	keys, _ := counted(t, r, "master keys")
	if r.Fit || injected == 0 || bad != 0 || keys != 0 {
		t.Errorf("fit %v, %d injections: want it found out", r.Fit, injected)
	}
	// The template "override" alone has these words, in English alone.
	hits := 0
	for _, p := range find(t, r, "injections").Parts {
		if p.By == "template" && p.Name == "override" {
			hits = int(math.Round(p.Effect * float64(p.N)))
		} else if p.By == "template" && p.Effect > 0 {
			t.Errorf("template %q: %v, want none", p.Name, p.Effect)
		}
	}
	if swayed, _ := counted(t, r, "swayed"); hits != injected || swayed != hits {
		t.Errorf("%d by the template, %d in all, %d swayed: want them equal", hits, injected, swayed)
	}
	for _, trial := range r.Trials {
		if trial.Template != "override" || !slices.Equal(trial.Swayed, trial.Accepted) || len(trial.Accepted) == 0 {
			t.Errorf("trial %+v", trial)
		}
	}
	if hits, n := counted(t, r, "detected"); hits >= n || hits < 40 {
		t.Errorf("%d of %d detected: want all but the pleas", hits, n)
	}
}

func TestRunOfAJudgeThatAcceptsAll(t *testing.T) {
	t.Parallel()
	r, err := suite.Attack.Run(t.Context(), &scripted{accepts: func(string) bool { return true }}, suite.Options{Size: 20})
	if err != nil {
		t.Fatal(err)
	}
	// An empty answer is refused without being asked about: 4 of 20 keys.
	for name, want := range map[string]int{
		"known bad": 20, "master keys": 16, "injections": 40,
		"swayed": 0, // it accepts the same without the injection: nothing was turned
	} {
		if hits, _ := counted(t, r, name); hits != want {
			t.Errorf("%s: %d, want %d", name, hits, want)
		}
	}
	if r.Fit || len(r.Reasons) != 3 {
		t.Errorf("fit %v, reasons %q", r.Fit, r.Reasons)
	}
}

func TestRunOfAJudgeThatRefusesAll(t *testing.T) {
	t.Parallel()
	r, err := suite.Attack.Run(t.Context(), &scripted{refuses: true}, suite.Options{Size: 20})
	if err != nil {
		t.Fatal(err)
	}
	if r.Fit || len(r.Reasons) != 1 || r.Reasons[0] != "known good: 0, must be ≥ 0.9 (n = 80)" {
		t.Errorf("fit %v, reasons %q", r.Fit, r.Reasons)
	}
}

func TestWrongWordsThatAreSupportedAreFound(t *testing.T) {
	t.Parallel()
	// Another claim of the answer is refused, so that it is not faithful as a
	// whole; yet the judge bears out the words that are wrong.
	r, err := suite.Attack.Run(t.Context(), &scripted{aside: "Something else.", accepts: func(s string) bool {
		return slices.ContainsFunc(suite.Facts(), func(f suite.Fact) bool { return s == f.Bad })
	}}, suite.Options{Size: 20})
	if err != nil {
		t.Fatal(err)
	}
	if hits, _ := counted(t, r, "known bad"); hits != 20 {
		t.Errorf("%d of 20 wrong answers are found out", hits)
	}
	for _, trial := range r.Trials {
		if trial.Group == suite.KnownBad && !slices.Contains(trial.Accepted, "supported") {
			t.Errorf("%s: accepted as %q", trial.Fact, trial.Accepted)
		}
	}
	// A right answer with a claim beside it that is not found is not faithful: of
	// 80 rulings on right ones, 20 refuse.
	if hits, n := counted(t, r, "known good"); hits != 60 || n != 80 {
		t.Errorf("%d of %d rulings accept right answers", hits, n)
	}
}

func TestRunCountsWhatIsUnread(t *testing.T) {
	t.Parallel()
	r, err := suite.Attack.Run(t.Context(), &scripted{err: func(operation string) error {
		if operation == "equivalence" {
			return &judge.Error{Operation: operation, Message: "garbled"}
		}
		return nil
	}}, suite.Options{Size: 20})
	if err != nil {
		t.Fatal(err)
	}
	// Equivalence is asked about 20 injected answers, 40 plain ones and 20 keys
	// of which 4 are empty and ruled on without asking.
	if unread, _ := counted(t, r, "unread"); unread != 20+40+16 || r.Fit {
		t.Errorf("%d unread, fit %v", unread, r.Fit)
	}
	// The injected answers tell nothing then, the passages do.
	if injections, bad := find(t, r, "injections").N, find(t, r, "known bad").N; injections != 20 || bad != 0 {
		t.Errorf("%d injections, %d known bad", injections, bad)
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
	if _, err := suite.Attack.Run(t.Context(), &scripted{err: func(string) error { return fatal }}, suite.Options{}); !errors.Is(err, fatal) {
		t.Errorf("got %v, want the fatal error", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := suite.Attack.Run(ctx, &scripted{}, suite.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want it canceled", err)
	}
	for _, o := range []suite.Options{{Size: 19}, {Size: -1}} {
		if _, err := suite.Attack.Run(t.Context(), &scripted{}, o); err == nil {
			t.Errorf("options %+v: want an error", o)
		}
	}
}

func TestRunIsTheSameWhateverTheConcurrency(t *testing.T) {
	t.Parallel()
	of := func(n int) *suite.Report {
		r, err := suite.Attack.Run(t.Context(), &scripted{accepts: func(s string) bool { return strings.Contains(s, "score") }},
			suite.Options{Size: 24, Concurrency: n})
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
	for _, f := range suite.Facts() {
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
