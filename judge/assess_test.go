package judge_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

// clerk is a judge that notes each call and answers in the plainest way, or
// fails where a test says so.
type clerk struct {
	mu    sync.Mutex
	calls []string
	// kind is how a text answers; Answered when it is not there.
	kind map[string]judge.AnswerKind
	// fails maps a call, such as "read: the text", to its error.
	fails map[string]error
	// short makes every list lack its last entry.
	short bool
	// within holds what the claims of the last question were restricted to,
	// texts the sources that came with it.
	within [][]int
	texts  []string
	quotes []judge.Quote
}

func (c *clerk) call(name string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls = append(c.calls, name)
	return c.fails[name]
}

func (c *clerk) made() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Sorted(slices.Values(c.calls))
}

func (c *clerk) Info() assay.JudgeInfo { return assay.JudgeInfo{Provider: "clerk"} }

func (j *clerk) Ask(ctx context.Context, t judge.AnyTask, s judge.Subject, given any) (any, error) {
	return judge.NewAnswers(
		question.Support.By(j.Support), question.Compare.By(j.Equivalent), question.Reverse.By(j.Questions),
		question.Assign.By(j.Assign), question.Mark.By(j.Mark), question.Read.By(j.Read), question.Grade.By(j.Relevance),
		question.Extract.By(j.Points),
	).Ask(ctx, t, s, given)
}

func (c *clerk) Read(_ context.Context, _ judge.Subject, text string) (judge.Reading, error) {
	r := judge.Reading{Kind: judge.Answered, Claims: []judge.Claim{{Text: text, Sentence: 1}}}
	if k, ok := c.kind[text]; ok {
		r.Kind = k
	}
	return r, c.call("read: " + text)
}

func (c *clerk) Support(_ context.Context, _ judge.Subject, in question.SupportInput) ([]judge.Finding, error) {
	claims, sources := in.Claims, in.Sources
	var names []string
	out := make([]judge.Finding, len(claims))
	for i, claim := range claims {
		out[i] = judge.Finding{Verdict: judge.Supported, Degree: 1, Why: claim.Text, Quotes: c.quotes}
		names = append(names, claim.Text)
	}
	c.mu.Lock()
	c.within, c.texts = nil, nil
	for _, claim := range claims {
		c.within = append(c.within, claim.Within)
	}
	for _, s := range sources {
		c.texts = append(c.texts, s.Name)
	}
	c.mu.Unlock()
	return cut(out, c.short), c.call("support: " + strings.Join(names, " + ") + " by " + sources[0].Name)
}

func (c *clerk) Relevance(_ context.Context, _ judge.Subject, passages []judge.Source) ([]judge.Grade, error) {
	return cut(make([]judge.Grade, len(passages)), c.short), c.call("relevance")
}

func (c *clerk) Equivalent(_ context.Context, _ judge.Subject, _ question.CompareInput) (judge.Ruling, error) {
	return judge.Ruling{Holds: true, Degree: 1}, c.call("equivalent")
}

func (c *clerk) Questions(_ context.Context, _ judge.Subject, in question.ReverseInput) ([]judge.Reversed, error) {
	n := in.Count
	return make([]judge.Reversed, n), c.call("questions")
}

func (c *clerk) Points(context.Context, judge.Subject, []judge.Source) ([]judge.Point, error) {
	return nil, c.call("points")
}

func (c *clerk) Assign(_ context.Context, _ judge.Subject, in question.AssignInput) ([]judge.Assignment, error) {
	points := in.Points
	return cut(make([]judge.Assignment, len(points)), c.short), c.call("assign")
}

func (c *clerk) Mark(_ context.Context, _ judge.Subject, in question.MarkInput) ([]judge.Mark, error) {
	r := in.Rubric
	return cut(make([]judge.Mark, len(r.Dimensions)), c.short), c.call("mark")
}

func cut[T any](list []T, short bool) []T {
	if short {
		return list[1:]
	}
	return list
}

var (
	everything = question.All
	// fiveMetrics is what faithfulness, answer_relevance, context_precision,
	// context_recall and answer_correctness ask together.
	fiveMetrics = judge.Asks{
		question.Answer, question.AnswerPassages, question.Questions, question.Reference, question.ReferencePassages, question.Equivalence,
	}
)

var plan = judge.Plan{Asks: everything,
	Rubric: judge.Rubric{Dimensions: []judge.Dimension{{Name: "tone", Weight: 1, Anchors: []string{"", ""}}}}}

// tower is a case with a reference and an ideal answer, and its response with n
// passages.
func tower(n int) (*assay.Case, *assay.Response) {
	c := &assay.Case{ID: "a", Question: "Who built it?", Want: assay.Want{Answers: []string{"Eiffel", "Gustave"}, Ideal: &assay.Ideal{
		Answer: "Gustave Eiffel", Points: []assay.Point{{Text: "Eiffel"}, {Text: "Gustave"}}, Passages: []assay.Passage{{Text: "truth"}},
	}}}
	r := &assay.Response{Answer: "He did [1].", Passages: []assay.Passage{}}
	for i := range n {
		r.Passages = append(r.Passages, assay.Passage{Text: fmt.Sprintf("text %d", i+1)})
	}
	return c, r
}

func TestFiveMetricsCostFiveCalls(t *testing.T) {
	t.Parallel()
	j := &clerk{}
	c, r := tower(10)
	a, err := judge.Assess(t.Context(), j, judge.Plan{Asks: fiveMetrics}, c, r)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"equivalent", "questions", "read: Eiffel", "read: He did [1].", "support: He did [1]. + Eiffel by passage 1"},
		j.made()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	// What came back in one list goes to the text whose claims it is about.
	said, err := question.AnswerPassages.Of(a).Get()
	meant, err2 := question.ReferencePassages.Of(a).Get()
	if err != nil || err2 != nil || len(said) != 1 || said[0].Why != "He did [1]." || len(meant) != 1 || meant[0].Why != "Eiffel" {
		t.Errorf("answer %+v, %v; reference %+v, %v", said, err, meant, err2)
	}
	if q, err := question.Questions.Of(a).Get(); err != nil || len(q) != 3 {
		t.Errorf("questions %v, %v: want 3", q, err)
	}
}

// unanswered lists the parts that were not asked, "-", and those that failed.
func unanswered(a *judge.Assessment) string {
	var out []string
	add := func(name string, asked bool, err error) {
		switch {
		case !asked:
			out = append(out, "-"+name)
		case err != nil:
			out = append(out, name)
		}
	}
	for _, q := range []judge.AnyQuestion{
		question.Answer, question.Reference, question.AnswerPassages, question.ReferencePassages, question.AnswerReference,
		question.ReferenceAnswer, question.Truth, question.Relevance, question.Equivalence, question.Questions, question.Points,
		question.Citations, question.Marks,
	} {
		asked, err := q.State(a)
		add(q.ID(), asked, err)
	}
	return strings.Join(out, " ")
}

func TestWhatFails(t *testing.T) {
	t.Parallel()
	failed := &judge.Error{Operation: "x", Message: "unreadable"}
	for call, want := range map[string]string{
		"none":              "",
		"read: He did [1].": "answer answer_passages answer_reference truth",
		"read: Eiffel":      "reference reference_passages reference_answer",
		"support: He did [1]. + Eiffel by passage 1": "answer_passages reference_passages",
		"support: He did [1]. by the reference":      "answer_reference",
		"support: Eiffel by the answer":              "reference_answer",
		"support: He did [1]. by passage 1":          "truth",
		"support: He did. by passage 1":              "citations",
		"relevance":                                  "relevance",
		"equivalent":                                 "equivalence",
		"questions":                                  "questions",
		"assign":                                     "points",
		"mark":                                       "marks",
	} {
		c, r := tower(2)
		a, err := judge.Assess(t.Context(), &clerk{fails: map[string]error{call: failed}}, plan, c, r)
		if err != nil {
			t.Errorf("%s failed: error %v", call, err)
			continue
		}
		if got := unanswered(a); got != want {
			t.Errorf("%s failed: without an answer are %q: want %q", call, got, want)
		}
		if call == "relevance" {
			if _, err := question.Relevance.Of(a).Get(); !errors.Is(err, failed) {
				t.Errorf("relevance failed with %v: want %v", err, failed)
			}
		}
	}
}

// One reading that failed does not take the other with it.
func TestOtherReadingIsStillAsked(t *testing.T) {
	t.Parallel()
	j := &clerk{fails: map[string]error{"read: He did [1].": errors.New("unreadable")}}
	c, r := tower(1)
	if _, err := judge.Assess(t.Context(), j, judge.Plan{Asks: fiveMetrics}, c, r); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(j.made(), "support: Eiffel by passage 1") {
		t.Errorf("made %q: want the support of the reference", j.made())
	}
}

func TestFatalErrorsEndIt(t *testing.T) {
	t.Parallel()
	c, r := tower(2)
	j := &clerk{}
	if _, err := judge.Assess(t.Context(), j, plan, c, r); err != nil {
		t.Fatal(err)
	}
	const calls = 12
	if len(j.made()) != calls {
		t.Errorf("made %q: want %d calls", j.made(), calls)
	}
	for _, call := range j.made() {
		fatal := &judge.FatalError{Err: errors.New("the budget is spent")}
		a, err := judge.Assess(t.Context(), &clerk{fails: map[string]error{call: fatal}}, plan, c, r)
		if a != nil || !errors.Is(err, fatal) || !judge.Fatal(err) {
			t.Errorf("%s: %+v, error %v: want the fatal one", call, a, err)
		}
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c, r := tower(2)
	// The judge does not even look at its context.
	if a, err := judge.Assess(ctx, &clerk{}, plan, c, r); a != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, error %v: want %v", a, err, context.Canceled)
	}
	// A call that ran out of its own time fails its part only.
	late := map[string]error{"equivalent": context.DeadlineExceeded}
	a, err := judge.Assess(t.Context(), &clerk{fails: late}, plan, c, r)
	if err != nil || unanswered(a) != "equivalence" {
		t.Errorf("error %v: want the equivalence failed", err)
	}
}

func TestNothingToAskAbout(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		change func(*assay.Case, *assay.Response)
		calls  []string
		want   string
	}{
		{"no passages reported", func(_ *assay.Case, r *assay.Response) { r.Passages = nil }, nil,
			"-answer_passages -reference_passages -relevance -citations"},
		{"nothing retrieved", func(_ *assay.Case, r *assay.Response) { r.Passages = []assay.Passage{} }, nil, ""},
		{"passages without text", func(_ *assay.Case, r *assay.Response) { r.Passages = []assay.Passage{{ID: "1", Title: "Tower"}} }, nil, ""},
		{
			"no answers", func(c *assay.Case, _ *assay.Response) { c.Want.Answers = nil }, nil,
			"-reference -reference_passages -answer_reference -reference_answer -equivalence",
		},
		{"no ideal answer", func(c *assay.Case, _ *assay.Response) { c.Want.Ideal = nil }, nil, "-truth -points"},
		{
			"a blank answer", func(_ *assay.Case, r *assay.Response) { r.Answer = " \n" },
			[]string{"mark", "read: Eiffel", "relevance", "support: Eiffel by passage 1"}, "",
		},
		{
			"an answer that declines", func(_ *assay.Case, r *assay.Response) { r.Answer = "I do not know." },
			[]string{"assign", "equivalent", "mark", "questions", "read: Eiffel", "read: I do not know.", "relevance",
				"support: Eiffel by passage 1", "support: Eiffel by the answer"}, "",
		},
	} {
		c, r := tower(2)
		tc.change(c, r)
		j := &clerk{kind: map[string]judge.AnswerKind{"I do not know.": judge.Abstained}}
		a, err := judge.Assess(t.Context(), j, plan, c, r)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		if got := unanswered(a); got != tc.want {
			t.Errorf("%s: without an answer are %q: want %q", tc.name, got, tc.want)
		}
		if tc.calls != nil {
			if d := cmp.Diff(tc.calls, j.made()); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.name, d)
			}
		}
		for _, call := range j.made() {
			if strings.Contains(tc.name, "text") && strings.HasSuffix(call, "+ Eiffel by passage 1") {
				t.Errorf("%s: asked %q", tc.name, call)
			}
		}
	}
}

func TestBlankAnswerIsKnown(t *testing.T) {
	t.Parallel()
	c, r := tower(2)
	r.Answer = ""
	a, err := judge.Assess(t.Context(), &clerk{}, plan, c, r)
	if err != nil {
		t.Fatal(err)
	}
	reading, _ := question.Answer.Of(a).Get()
	ruling, _ := question.Equivalence.Of(a).Get()
	points, _ := question.Points.Of(a).Get()
	found, _ := question.ReferenceAnswer.Of(a).Get()
	if reading.Kind != judge.Empty || ruling.Holds || len(points) != 2 || !points[0].Known || points[0].Credit != 0 || len(found) != 1 ||
		found[0].Verdict != judge.NotFound {
		t.Errorf("reading %+v, ruling %+v, points %+v, found %+v", reading, ruling, points, found)
	}
}

// A judge that gives fewer entries than it was asked for fails that question.
func TestListsOfTheWrongLength(t *testing.T) {
	t.Parallel()
	c, r := tower(2)
	a, err := judge.Assess(t.Context(), &clerk{short: true}, plan, c, r)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := unanswered(a), "answer_passages reference_passages answer_reference reference_answer truth relevance points "+
		"citations marks"; got != want {
		t.Errorf("failed %q: want %q", got, want)
	}
}

func TestDepth(t *testing.T) {
	t.Parallel()
	c, r := tower(5)
	a, err := judge.Assess(t.Context(), &clerk{}, judge.Plan{Asks: judge.Asks{question.Relevance}, Depth: 3}, c, r)
	if err != nil {
		t.Fatal(err)
	}
	if g, err := question.Relevance.Of(a).Get(); err != nil || len(g) != 3 || a.Passages != 3 {
		t.Errorf("%d grades, %d passages, %v: want 3", len(g), a.Passages, err)
	}
	if d := cmp.Diff([]string{"the judge saw the first 3 of 5 passages"}, a.Warnings); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// Each sentence is held against what it cites, wherever that stands; the
// judge's quotes come back with the numbers of the passages.
func TestCitationsAreAskedOnce(t *testing.T) {
	t.Parallel()
	c, r := tower(9)
	r.Answer = "One [7]. Two [2][7]. Three. Four [99]. Five [1-7]."
	j := &clerk{quotes: []judge.Quote{{Source: 0, Text: "w", Alone: true}, {Source: 99}, {Source: -1}}}
	a, err := judge.Assess(t.Context(), j, judge.Plan{Asks: judge.Asks{question.Citations}, Depth: 1}, c, r)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"support: One. + Two. + Five. by passage 7"}, j.made()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"passage 7", "passage 2", "passage 1", "passage 3", "passage 4", "passage 5"}, j.texts); d != "" {
		t.Errorf("sources (-want +got):\n%s", d)
	}
	if d := cmp.Diff([][]int{{0}, {1, 0}, {2, 1, 3, 4, 5}}, j.within); d != "" {
		t.Errorf("within (-want +got):\n%s", d)
	}
	cited, err := question.Citations.Of(a).Get()
	if err != nil {
		t.Fatal(err)
	}
	var cites []string
	for _, c := range cited {
		cites = append(cites, fmt.Sprint(c.Cites, c.Invalid))
	}
	if d := cmp.Diff([]string{"[6] []", "[1 6] []", "[] []", "[] [99]", "[0 1 2 3 4] []"}, cites); d != "" {
		t.Errorf("cites (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]judge.Quote{{Source: 6, Text: "w", Alone: true}}, cited[1].Finding.Quotes); d != "" {
		t.Errorf("quotes (-want +got):\n%s", d)
	}
	if cited[2].Finding.Why != "it cites no passage" || cited[3].Finding.Why != "it cites passages that do not exist" ||
		cited[3].Finding.Verdict != judge.Unknown {
		t.Errorf("findings %+v and %+v", cited[2].Finding, cited[3].Finding)
	}
	want := []string{"the judge saw the first 1 of 9 passages", "sentence 5 of the answer cites 7 passages: the judge saw the first 5"}
	if d := cmp.Diff(want, a.Warnings); d != "" {
		t.Errorf("warnings (-want +got):\n%s", d)
	}
}

// An answer that cites nothing costs nothing.
func TestNoCitationsNoCall(t *testing.T) {
	t.Parallel()
	c, r := tower(2)
	r.Answer = "He did. So it is."
	j := &clerk{}
	a, err := judge.Assess(t.Context(), j, judge.Plan{Asks: judge.Asks{question.Citations}}, c, r)
	if err != nil || len(j.made()) != 0 {
		t.Fatalf("error %v, made %q", err, j.made())
	}
	if cited, err := question.Citations.Of(a).Get(); err != nil || len(cited) != 2 {
		t.Errorf("%+v, %v: want 2 sentences", cited, err)
	}
}
