package model_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/llm"
)

// reading writes a reply about sentences.
func reading(kind string, list ...string) string {
	return fmt.Sprintf(`{"nonce":"{{nonce}}","kind":%q,"items":[%s]}`, kind, strings.Join(list, ","))
}

func claim(sentence int, worth bool, text string) string {
	if !worth {
		return status(sentence, "aside", text)
	}
	return status(sentence, "claim", text)
}

func status(sentence int, of, text string) string {
	return fmt.Sprintf(`{"id":1,"sentence":%d,"status":%q,"claim":%q}`, sentence, of, text)
}

func TestRead(t *testing.T) {
	t.Parallel()
	const text = "Happy to help! It opened in 1889 and is 330 m tall.\n\n---\n\nNobody knows why."
	// The rule is a sentence of the text, and says nothing: it is not sent.
	hello, year, metres, why := claim(1, false, "Happy to help!"), claim(2, true, "The tower opened in 1889."),
		claim(2, true, " The tower is 330 m tall. "), claim(4, true, "Nobody knows why.")
	said := []judge.Claim{{Text: "The tower opened in 1889.", Sentence: 2}, {Text: "The tower is 330 m tall.", Sentence: 2},
		{Text: "Nobody knows why.", Sentence: 4}}
	again := []string{"a sentence left out", "a number left out", "cut off"}
	for name, c := range map[string]struct {
		replies []string
		want    judge.Reading
		calls   int
		warned  bool
	}{
		"all": {[]string{reading("partial", hello, year, metres, why)},
			judge.Reading{Kind: judge.Partial, Claims: said, Asides: []string{"Happy to help!"}}, 1, false},
		"in another order": {[]string{reading("answered", why, hello, year, metres)},
			judge.Reading{Kind: judge.Answered, Claims: said, Asides: []string{"Happy to help!"}}, 1, false},
		"twice": {[]string{reading("answered", hello, year, year, metres, why)},
			judge.Reading{Kind: judge.Answered, Claims: said, Asides: []string{"Happy to help!"}}, 1, false},
		"a sentence left out": {[]string{reading("answered", hello, year, metres), reading("answered", why)},
			judge.Reading{Kind: judge.Answered, Claims: said, Asides: []string{"Happy to help!"}}, 2, false},
		"left out for good": {[]string{reading("answered", hello, year, metres), reading("answered")},
			judge.Reading{Kind: judge.Answered, Claims: said, Asides: []string{"Happy to help!"}}, 2, true},
		"declined, left out": {[]string{reading("abstained")},
			judge.Reading{Kind: judge.Abstained, Asides: []string{"Happy to help!", "It opened in 1889 and is 330 m tall.", "Nobody knows why."}},
			1, false},
		"no such sentence": {[]string{reading("answered", hello, year, metres, claim(3, true, "x")),
			reading("answered", hello, year, metres, why)}, judge.Reading{Kind: judge.Answered, Claims: said, Asides: []string{"Happy to help!"}},
			2, false},
		"no such sentence twice": {[]string{reading("answered", hello, year, metres, why, claim(9, true, "x")),
			reading("answered", claim(9, true, "x"), hello, year, metres, why)},
			judge.Reading{Kind: judge.Answered, Claims: append(append([]judge.Claim{}, said...), judge.Claim{Text: "x"}),
				Asides: []string{"Happy to help!"}}, 2, false},
		"a blank claim": {[]string{reading("answered", hello, year, metres, claim(4, true, " ")),
			reading("answered", hello, year, metres, why)}, judge.Reading{Kind: judge.Answered, Claims: said, Asides: []string{"Happy to help!"}},
			2, false},
		"a kind of its own": {[]string{reading("yes", hello, year, metres, why), reading("yes", hello, year, metres, why)},
			judge.Reading{Claims: said, Asides: []string{"Happy to help!"}}, 2, false},
		"ambiguous": {[]string{reading("answered", hello, year, metres, status(4, "ambiguous", "Nobody knows why."))},
			judge.Reading{Kind: judge.Answered, Claims: said[:2], Asides: []string{"Happy to help!"}, Ambiguous: []string{"Nobody knows why."}},
			1, true},
		"a number left out": {[]string{reading("answered", hello, year, why), reading("answered", year, metres)},
			judge.Reading{Kind: judge.Answered, Claims: said, Asides: []string{"Happy to help!"}}, 2, false},
		"a number left out for good": {[]string{reading("answered", hello, year, why), reading("answered", year)},
			judge.Reading{Kind: judge.Answered, Claims: []judge.Claim{said[0], said[2]}, Asides: []string{"Happy to help!"}}, 2, true},
		"a number left out, no second reply": {[]string{reading("answered", hello, year, why), "no", "no"},
			judge.Reading{Kind: judge.Answered, Claims: []judge.Claim{said[0], said[2]}, Asides: []string{"Happy to help!"}}, 3, true},
		"cut off": {[]string{reading("answered", hello, year, metres, why)[:140], "", reading("answered", hello),
			reading("answered", year, metres, why)}, judge.Reading{Kind: judge.Answered, Claims: said, Asides: []string{"Happy to help!"}}, 4, false},
	} {
		p := inTurn(c.replies...)
		ctx, total := metered()
		got, err := question.Read.Ask(ctx, newJudge(t, p), about, text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if name == "cut off" {
			// Each half of the sentences is asked for again.
			if d := dataOf(p.requests[3]); fmt.Sprint(idsOf(d, "sentences")) != "[2 4]" || d["before"] != "Happy to help!" || d["again"] == nil {
				t.Errorf("asked again: %v", d)
			}
		}
		// A reading is sure if its kind is known and nothing had to be asked for again.
		c.want.Sure = c.want.Kind != judge.KindUnknown && !c.warned && !slices.Contains(again, name)
		if d := cmp.Diff(c.want, got); d != "" || p.calls() != c.calls {
			t.Errorf("%s: after %d calls: -want +got\n%s", name, p.calls(), d)
		}
		if _, warnings := total(); len(warnings) > 0 != c.warned {
			t.Errorf("%s: warnings %q", name, warnings)
		}
	}
	p := inTurn(reading("partial", hello, year, metres, why))
	if _, err := question.Read.Ask(context.Background(), newJudge(t, p), about, text); err != nil {
		t.Fatal(err)
	}
	if d := dataOf(p.requests[0]); fmt.Sprint(idsOf(d, "sentences")) != "[1 2 4]" || d["before"] != nil || d["again"] != nil ||
		d["question"] != about.Question {
		t.Errorf("got %v", d)
	}
}

// The number of an item of a list is none that a claim must have, nor is that of a citation.
func TestReadListNumbers(t *testing.T) {
	t.Parallel()
	p := inTurn(reading("answered", claim(1, true, "The fee is 20 dollars."), claim(2, true, "The hall has 3 doors.")))
	ctx, total := metered()
	_, err := question.Read.Ask(ctx, newJudge(t, p), about, "1. The fee is 20 dollars [2].\n2) The hall has 3 doors.\n")
	if _, warnings := total(); err != nil || p.calls() != 1 || warnings != nil {
		t.Errorf("%v after %d calls, warnings %q: want one call", err, p.calls(), warnings)
	}
}

func TestReadWithoutACall(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", " \n", "...", "👍 !"} {
		got, err := question.Read.Ask(context.Background(), newJudge(t, inTurn()), about, text)
		if err != nil || got.Kind != judge.Empty || got.Claims != nil {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
}

func TestReadInBatches(t *testing.T) {
	t.Parallel()
	p := &scripted{reply: func(_ string, data map[string]any, _ bool) (string, error) {
		var list []string
		ids := idsOf(data, "sentences")
		for _, id := range ids {
			list = append(list, claim(id, true, fmt.Sprintf("Claim %d.", id)))
		}
		return reading(map[int]string{1: "answered", 21: "abstained", 41: "abstained"}[ids[0]], list...), nil
	}}
	var text strings.Builder
	for i := range 45 {
		fmt.Fprintf(&text, "Sentence %d is here. ", i+1)
	}
	got, err := question.Read.Ask(context.Background(), newJudge(t, p), about, text.String())
	if err != nil || p.calls() != 3 || len(got.Claims) != 45 {
		t.Fatalf("%v after %d calls: %d claims", err, p.calls(), len(got.Claims))
	}
	for i, c := range got.Claims {
		if c.Sentence != i+1 || c.Text != fmt.Sprintf("Claim %d.", i+1) {
			t.Errorf("claim %d: %+v", i+1, c)
		}
	}
	// What goes on after the answer does not make it an abstention.
	if got.Kind != judge.Answered {
		t.Errorf("kind %v", got.Kind)
	}
	for _, r := range p.requests {
		d := dataOf(r)
		if ids := idsOf(d, "sentences"); ids[0] == 21 && d["before"] != "Sentence 18 is here. Sentence 19 is here. Sentence 20 is here." {
			t.Errorf("the second batch follows on %q", d["before"])
		}
	}
	p.reply = func(_ string, data map[string]any, _ bool) (string, error) {
		if idsOf(data, "sentences")[0] == 21 {
			return "no", nil
		}
		return "", &llm.Error{Kind: llm.KindTimeout, Message: "late"}
	}
	if _, err := question.Read.Ask(context.Background(), newJudge(t, p), about, text.String()); err == nil {
		t.Error("a text that was read in part counts as read")
	}
}

// Of a list that breaks off, or that has an item that cannot be read, nobody knows what is
// missing: it is never used, whatever the server says about how it ended.
func TestReadNeverUsesPartOfAList(t *testing.T) {
	t.Parallel()
	one, two := claim(1, true, "It opened in May"), claim(1, true, "It is tall")
	whole := reading("answered", one, two)
	for name, reply := range map[string]string{
		"cut in an item":      whole[:strings.Index(whole, two)+12],
		"cut after an item":   whole[:strings.Index(whole, two)],
		"cut at the last end": whole[:len(whole)-1],
		"an unreadable item":  reading("answered", one, `{"id":2,"sentence":"one","status":"claim"}`),
	} {
		for _, stop := range []string{"length", "end", "unknown"} {
			p := inTurn(reply, reply)
			p.stop = stop
			got, err := question.Read.Ask(context.Background(), newJudge(t, p), about, "It opened in May and is tall.")
			if err == nil {
				t.Errorf("%s, %s: got %+v: want an error", name, stop, got)
			}
		}
	}
	cut := `{"nonce":"{{nonce}}","items":[{"id":1,"question":"When?","noncommittal":false},{"id":2,"quest`
	if got, err := question.Reverse.Ask(context.Background(), newJudge(t, inTurn(cut, cut)), about,
		question.ReverseInput{Answer: "In May.", Count: 3}); err == nil {
		t.Errorf("questions: got %+v: want an error", got)
	}
	cut = `{"nonce":"{{nonce}}","items":[{"id":1,"point":"It opened in May","source":1,"quote":"opened in May"},{"id":2,"po`
	if got, err := question.Extract.Ask(context.Background(), newJudge(t, inTurn(cut, cut)), about,
		[]judge.Source{{Text: "It opened in May."}}); err == nil {
		t.Errorf("points: got %+v: want an error", got)
	}
}
