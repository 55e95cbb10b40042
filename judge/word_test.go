package judge_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for _, k := range []judge.AnswerKind{judge.Answered, judge.Partial, judge.Abstained, judge.Empty} {
		var again judge.AnswerKind
		if err := again.UnmarshalText([]byte(k.String())); err != nil || again != k {
			t.Errorf("%v becomes %v (%v)", k, again, err)
		}
		if k.Declines() != (k == judge.Abstained || k == judge.Empty) {
			t.Errorf("%v declines: %v", k, k.Declines())
		}
	}
	if judge.KindUnknown.Declines() || judge.Verdict(9).String() != "9" || judge.Unknown.String() != "unknown" {
		t.Error("what nobody said has a meaning")
	}
}

// "unknown" is ours: a judge that says it has said nothing.
func TestWordsThatAreNone(t *testing.T) {
	t.Parallel()
	for _, w := range []string{"unknown", "", "Answered", "answered ", "maybe"} {
		k := judge.Answered
		if err := k.UnmarshalText([]byte(w)); err == nil || k != judge.KindUnknown ||
			!strings.Contains(err.Error(), `want one of ["answered" "partial" "abstained" "empty"]`) {
			t.Errorf("kind %q: %v, error %v", w, k, err)
		}
	}
}

func TestLanguageOf(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]judge.Language{
		"": judge.English, "Who built it?": judge.English, "誰建造了它？": judge.Chinese, "香港嘅人口有幾多？": judge.Chinese,
		"これは何ですか？東京": judge.English, "이것은 무엇입니까": judge.English, "ABC Ltd 的收入": judge.Chinese,
		"MTR 的總部在哪裡？": judge.Chinese, "請問1065戶同889戶喺邊？": judge.Chinese, "Who wrote 紅樓夢?": judge.English,
	} {
		if got := judge.LanguageOf(s); got != want {
			t.Errorf("%q: %s: want %s", s, got, want)
		}
	}
}

func TestAsks(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ ask, want judge.Asks }{
		{nil, nil},
		{judge.Asks{question.Equivalence}, judge.Asks{question.Equivalence}},
		{judge.Asks{question.AnswerPassages}, judge.Asks{question.Answer, question.AnswerPassages}},
		{
			judge.Asks{question.ReferenceAnswer, question.Truth},
			judge.Asks{question.Reference, question.ReferenceAnswer, question.Answer, question.Truth},
		},
	} {
		if got := tc.ask.With(); !slices.Equal(got, tc.want) || !slices.Equal(got.With(), got) {
			t.Errorf("%v with what it needs is %v: want %v", tc.ask, got, tc.want)
		}
	}
	if got := (judge.Asks{question.Truth, question.AnswerPassages}).Prompts(); !slices.Equal(got, []string{"claims", "support"}) {
		t.Errorf("prompts %q", got)
	}
}

func TestParts(t *testing.T) {
	t.Parallel()
	var unasked judge.Part[int]
	if v, err := unasked.Get(); v != 0 || err == nil || unasked.Asked() {
		t.Errorf("not asked: %v, %v", v, err)
	}
	if v, err := judge.Known(3).Get(); v != 3 || err != nil {
		t.Errorf("known: %v, %v", v, err)
	}
	cause := errors.New("cause")
	if p := judge.Failed[int](cause); !p.Asked() || !errors.Is(second(p.Get()), cause) {
		t.Errorf("failed: %v", second(p.Get()))
	}
	if p := judge.Failed[int](nil); second(p.Get()) == nil {
		t.Error("failed without a reason and known")
	}
}

func second[T any](_ T, err error) error { return err }

func TestErrors(t *testing.T) {
	t.Parallel()
	cause := errors.New("cause")
	e := &judge.Error{Operation: "support", Message: "no JSON", Raw: strings.Repeat("é", 500), Err: cause}
	if s := e.Error(); !strings.HasPrefix(s, `judge: support: no JSON; the reply: "éé`) || utf8.RuneCountInString(s) > 400 ||
		!strings.HasSuffix(s, `…"`) || !errors.Is(e, cause) {
		t.Errorf("%q", s)
	}
	if s := (&judge.Error{Operation: "read", Message: "x"}).Error(); s != "judge: read: x" {
		t.Errorf("%q", s)
	}
	fatal := &judge.FatalError{Err: cause}
	if !judge.Fatal(fmt.Errorf("more: %w", fatal)) || judge.Fatal(e) || judge.Fatal(nil) || !errors.Is(fatal, cause) ||
		fatal.Error() != "judge: cause" {
		t.Errorf("fatal: %v", fatal)
	}
}

func TestMeter(t *testing.T) {
	t.Parallel()
	m := &judge.Meter{}
	ctx := judge.WithMeter(t.Context(), m)
	var wg sync.WaitGroup
	const calls = 50
	for range calls {
		wg.Go(func() {
			judge.Count(ctx, assay.Spending{Calls: 1, Usage: assay.Usage{InputTokens: 2, Cost: 3}})
			judge.Warn(ctx, "cut")
			judge.Called(ctx, "second", "first")
		})
	}
	wg.Wait()
	// The order of calls that are made at once means nothing.
	if d := cmp.Diff([]string{"first", "second"}, m.Calls()); d != "" {
		t.Errorf("calls (-want +got):\n%s", d)
	}
	judge.Warn(ctx, "slow")
	spent, warnings := m.Total()
	want := assay.Spending{Calls: calls, Usage: assay.Usage{InputTokens: 2 * calls, Cost: 3 * calls}}
	if d := cmp.Diff(want, spent); d != "" {
		t.Errorf("spent (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"cut", "slow"}, warnings); d != "" {
		t.Errorf("warnings (-want +got):\n%s", d)
	}
	// What was read does not change when more comes.
	warnings[0] = "changed"
	judge.Warn(ctx, "cut")
	if _, again := m.Total(); again[0] != "cut" || len(again) != 2 {
		t.Errorf("warnings %q", again)
	}
	// Without a meter nothing is counted, and nothing breaks.
	judge.Count(context.Background(), want)
	judge.Called(context.Background(), "x")
	judge.Warn(context.Background(), "x")
}

// The plan pins the language before the case's tag, which comes before its question.
func TestLanguageFor(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		plan     judge.Language
		tag      string
		question string
		want     judge.Language
	}{
		{"", "", "ABC Ltd 的收入", judge.Chinese},
		{"", "", "What is it?", judge.English},
		{"", "zh-Hant-HK", "What is it?", judge.Chinese},
		{"", "yue", "?", judge.Chinese},
		{"", "en_GB", "這是什麼？", judge.English},
		{"", "fr", "Quoi ?", judge.English},
		{judge.Chinese, "en", "What is it?", judge.Chinese},
		{judge.English, "zh", "這是什麼？", judge.English},
	} {
		c := assay.Case{Question: tc.question, Language: tc.tag}
		if got := (judge.Plan{Language: tc.plan}).LanguageFor(&c); got != tc.want {
			t.Errorf("%+v: %s", tc, got)
		}
	}
}
