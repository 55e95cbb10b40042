package question

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
)

// A passages judge rules by a function, and keeps what it was asked.
type passagesJudge struct {
	judge.Answers
	mu    sync.Mutex
	asked []SupportInput
}

func (*passagesJudge) Info() assay.JudgeInfo {
	return assay.JudgeInfo{Provider: "p", Model: "m", Prompts: map[string]string{"support": "1", "claims": "2"}}
}

func newPassagesJudge(rule func(sources []string, claim string, within []int) judge.Finding) *passagesJudge {
	j := &passagesJudge{}
	j.Answers = judge.NewAnswers(Support.By(func(_ context.Context, _ judge.Subject, in SupportInput) ([]judge.Finding, error) {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.asked = append(j.asked, in)
		var texts []string
		for _, s := range in.Sources {
			texts = append(texts, s.Text)
		}
		var out []judge.Finding
		for _, c := range in.Claims {
			within := c.Within
			for i := range in.Sources {
				if c.Within == nil {
					within = append(within, i)
				}
			}
			out = append(out, rule(texts, c.Text, within))
		}
		return out, nil
	}))
	return j
}

// byLetters rules on a claim by its letters: sources that have them all between them support it, and
// each that has one is quoted. It does not say which suffices alone. "broken" is a text without
// a ruling.
func byLetters(sources []string, claim string, within []int) judge.Finding {
	var quotes []judge.Quote
	missing := claim
	for _, i := range within {
		if sources[i] == "broken "+claim && len(within) == 1 {
			return judge.Finding{Why: "unknown: the reply left it out"}
		}
		if strings.ContainsAny(sources[i], claim) {
			quotes = append(quotes, judge.Quote{Source: i, Text: sources[i]})
		}
		missing = strings.Map(func(r rune) rune {
			if strings.ContainsRune(sources[i], r) {
				return -1
			}
			return r
		}, missing)
	}
	if missing == "" {
		return judge.Finding{Verdict: judge.Supported, Degree: 1, Quotes: quotes, Why: "says"}
	}
	return judge.Finding{Verdict: judge.NotFound, Parts: quotes}
}

// alones asks which sources suffice alone, after the support of one claim, and returns them as
// "1 3", with what was asked the second time.
func alones(t *testing.T, claim string, texts ...string) (judge.Finding, string, []SupportInput) {
	t.Helper()
	j := newPassagesJudge(byLetters)
	in := SupportInput{Claims: []judge.Claim{{Text: claim}}}
	for i, x := range texts {
		in.Sources = append(in.Sources, judge.Source{Name: fmt.Sprintf("passage %d", i+1), Text: x})
	}
	found, err := Support.Ask(t.Context(), j, judge.Subject{}, in)
	if err != nil {
		t.Fatal(err)
	}
	before := found[0].Clone()
	got, err := Alone(t.Context(), j, judge.Subject{}, in, found)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(before, found[0]); d != "" {
		t.Errorf("the given finding was changed (-before +after):\n%s", d)
	}
	return got[0], aloneIn(got[0]), j.asked[1:]
}

func aloneIn(f judge.Finding) string {
	var out []string
	for _, q := range f.Quotes {
		if q.Alone {
			out = append(out, fmt.Sprint(q.Source+1))
		}
	}
	return strings.Join(out, " ")
}

func TestAlone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, claim string
		texts       []string
		verdict     judge.Verdict
		quoted      int
		alone       string
		calls       int
	}{
		{"two together", "AB", []string{"A", "x", "B"}, judge.Supported, 2, "", 1},
		{"one of two", "AB", []string{"AB", "x", "B"}, judge.Supported, 2, "1", 1},
		{"three alone", "AB", []string{"AB", "BA", "x", "A B"}, judge.Supported, 3, "1 2 4", 1},
		{"one source", "AB", []string{"x", "AB"}, judge.Supported, 1, "2", 1},
		{"not found", "AB", []string{"x", "A"}, judge.NotFound, 0, "", 0},
		{"no source", "AB", nil, judge.NotFound, 0, "", 0},
		{"one without a ruling", "AB", []string{"AB", "broken AB"}, judge.Unknown, 0, "", 1},
	} {
		f, alone, asked := alones(t, c.claim, c.texts...)
		if f.Verdict != c.verdict || len(f.Quotes) != c.quoted || alone != c.alone || len(asked) != c.calls ||
			f.Singly != (c.verdict == judge.Supported) {
			t.Errorf("%s: %+v, alone %q, after %d calls: want verdict %d, %d quotes, alone %q, %d calls", c.name, f, alone, len(asked),
				c.verdict, c.quoted, c.alone, c.calls)
		}
	}
	f, _, _ := alones(t, "AB", "AB", "broken AB")
	if want := "unknown: whether passage 2 says it alone: the reply left it out"; f.Why != want {
		t.Errorf("reason %q, want %q", f.Why, want)
	}
}

// Every quoted source is asked about by itself, all in one call, source by source; nothing is
// asked again that a judge said already, or that is not supported.
func TestAloneAsksOnce(t *testing.T) {
	t.Parallel()
	j := newPassagesJudge(byLetters)
	in := SupportInput{
		Claims:  []judge.Claim{{Text: "A", Sentence: 4}, {Text: "B"}, {Text: "Z"}, {Text: "AB"}, {Text: "AC"}},
		Sources: []judge.Source{{Text: "A"}, {Text: "AB"}, {Text: "C"}},
	}
	quotes := func(sources ...int) (out []judge.Quote) {
		for _, s := range sources {
			out = append(out, judge.Quote{Source: s})
		}
		return out
	}
	found := []judge.Finding{
		{Verdict: judge.Supported, Quotes: quotes(0, 2, 2, 99, -1)}, {Verdict: judge.Supported, Quotes: quotes(1, -1)},
		{Verdict: judge.Contradicted, Quotes: quotes(0, 1)}, {Verdict: judge.Supported, Quotes: quotes(0, 1), Singly: true},
		{Verdict: judge.Supported, Quotes: quotes(1, 2), Contrary: quotes(0)},
	}
	got, err := Alone(t.Context(), j, judge.Subject{}, in, found)
	if err != nil {
		t.Fatal(err)
	}
	want := []SupportInput{{Sources: in.Sources, Claims: []judge.Claim{
		{Text: "A", Sentence: 4, Within: []int{0}}, {Text: "B", Within: []int{1}}, {Text: "AC", Within: []int{1}},
		{Text: "A", Sentence: 4, Within: []int{2}}, {Text: "AC", Within: []int{2}},
	}}}
	if d := cmp.Diff(want, j.asked); d != "" {
		t.Errorf("asked otherwise (-want +got):\n%s", d)
	}
	for i, want := range []string{"1", "2", "", "", ""} {
		if alone := aloneIn(got[i]); alone != want {
			t.Errorf("claim %d: %q alone, want %q", i+1, alone, want)
		}
	}
	if d := cmp.Diff(quotes(0), got[4].Contrary); d != "" || got[2].Singly || in.Claims[0].Within != nil {
		t.Errorf("%+v of %+v: want nothing else changed", got, in)
	}
	if _, err := Alone(t.Context(), j, judge.Subject{}, in, found[1:]); err == nil {
		t.Error("want an error where findings are missing")
	}
}

// A failure of the second asking is one of the question.
func TestAloneFails(t *testing.T) {
	t.Parallel()
	failure := &judge.Error{Operation: "support", Message: "no reply"}
	in := SupportInput{Claims: []judge.Claim{{Text: "A"}}, Sources: []judge.Source{{Text: "A"}, {Text: "A"}}}
	found := []judge.Finding{{Verdict: judge.Supported, Quotes: []judge.Quote{{Source: 0}, {Source: 1}}}}
	for name, answer := range map[string]func(context.Context, judge.Subject, SupportInput) ([]judge.Finding, error){
		"an error":       func(context.Context, judge.Subject, SupportInput) ([]judge.Finding, error) { return nil, failure },
		"too few of two": func(context.Context, judge.Subject, SupportInput) ([]judge.Finding, error) { return found, nil },
	} {
		j := &passagesJudge{Answers: judge.NewAnswers(Support.By(answer))}
		_, err := Alone(t.Context(), j, judge.Subject{}, in, found)
		if e := (*judge.Error)(nil); !errors.As(err, &e) {
			t.Errorf("%s: error %v, want that of a judge", name, err)
		}
	}
}

// Of a judge that rules on each source independently, those are found that it would have named
// by itself: each source that has the whole claim.
func TestAloneOfIndependentSources(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var in SupportInput
		letters := func(label string) string {
			return strings.Join(rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"A", "B", "C"}), 1, 3, rapid.ID[string]).Draw(rt, label), "")
		}
		for range rapid.IntRange(1, 6).Draw(rt, "sources") {
			in.Sources = append(in.Sources, judge.Source{Text: letters("source")})
		}
		for range rapid.IntRange(1, 4).Draw(rt, "claims") {
			c := judge.Claim{Text: letters("claim")}
			if rapid.Bool().Draw(rt, "limited") {
				c.Within = rapid.SliceOfNDistinct(rapid.IntRange(0, len(in.Sources)-1), 1, -1, rapid.ID[int]).Draw(rt, "within")
			}
			in.Claims = append(in.Claims, c)
		}
		j := newPassagesJudge(byLetters)
		found, err := Support.Ask(rt.Context(), j, judge.Subject{Language: judge.English}, in)
		if err != nil {
			rt.Fatal(err)
		}
		got, err := Alone(rt.Context(), j, judge.Subject{Language: judge.English}, in, found)
		if err != nil {
			rt.Fatal(err)
		}
		for i, f := range got {
			for _, q := range f.Quotes {
				whole := !slices.ContainsFunc(strings.Split(in.Claims[i].Text, ""), func(l string) bool {
					return !strings.Contains(in.Sources[q.Source].Text, l)
				})
				if q.Alone != whole {
					rt.Errorf("claim %q, source %q: alone %v, want %v", in.Claims[i].Text, in.Sources[q.Source].Text, q.Alone, whole)
				}
			}
		}
	})
}

// Whether a source suffices alone is put to a vote as support is.
func TestAloneIsVotedOn(t *testing.T) {
	t.Parallel()
	in := SupportInput{Claims: []judge.Claim{{Text: "A"}}, Sources: []judge.Source{{Text: "A first"}, {Text: "A second"}, {Text: "A third"}}}
	// denied are the sources that each draw does not find to suffice.
	denied := [][]int{{1}, {1, 2}, {}}
	j := judge.Voting(judge.Passes{Most: 3, All: true}, func(draw int) judge.Judge {
		return newPassagesJudge(func(sources []string, claim string, within []int) judge.Finding {
			if len(within) == 1 && draw < len(denied) && slices.Contains(denied[draw], within[0]) {
				return judge.Finding{Verdict: judge.NotFound}
			}
			return byLetters(sources, claim, within)
		})
	})
	found, err := Support.Ask(t.Context(), j, judge.Subject{}, in)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Alone(t.Context(), j, judge.Subject{}, in, found)
	if err != nil {
		t.Fatal(err)
	}
	if alone := aloneIn(got[0]); alone != "1 3" || len(got[0].Quotes) != 3 {
		t.Errorf("%+v, alone %q: want 1 by three votes of three, 3 by two, not 2", got[0], alone)
	}
}
