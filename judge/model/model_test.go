package model_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/model"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/llm"
)

var update = flag.Bool("update", false, "rewrite the golden requests")

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]model.Config{
		"no provider": {Request: llm.Request{Model: "m"}}, "no model": {Provider: inTurn(), Request: llm.Request{Model: " "}},
		"a window below 0": {Provider: inTurn(), Request: llm.Request{Model: "m"}, Window: -1},
		"tokens below 0":   {Provider: inTurn(), Request: llm.Request{Model: "m", MaxTokens: -1}},
	} {
		if _, err := model.New(c); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}

func TestInfo(t *testing.T) {
	t.Parallel()
	info := newJudge(t, inTurn()).Info()
	hash := info.PromptHash
	info.PromptHash, info.Prompts = "", nil
	want := assay.JudgeInfo{Provider: "scripted", Model: "m", Passes: 1,
		Parameters: map[string]string{"temperature": "0", "max_tokens": "4096"}}
	if d := cmp.Diff(want, info); d != "" || !regexp.MustCompile(`^sha256:[0-9a-f]{64}$`).MatchString(hash) {
		t.Errorf("hash %q, -want +got\n%s", hash, d)
	}
	warm := 0.7
	info = newJudge(t, inTurn(), func(c *model.Config) {
		c.Temperature, c.Thinking, c.Window, c.Extra = &warm, 1000, 8000, map[string]any{"enable_thinking": false}
	}).Info()
	if info.PromptHash != hash {
		t.Error("parameters are no part of the prompts' hash")
	}
	if d := cmp.Diff(map[string]string{"temperature": "0.7", "max_tokens": "5096", "thinking": "1000", "window": "8000",
		"extra.enable_thinking": "false"}, info.Parameters); d != "" {
		t.Error(d)
	}
	// A model that thinks is left its own temperature.
	info = newJudge(t, inTurn(), func(c *model.Config) { c.Thinking = 1000 }).Info()
	if _, ok := info.Parameters["temperature"]; ok {
		t.Errorf("got %v", info.Parameters)
	}
}

func TestLanguage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		subject judge.Subject
		chinese bool
	}{
		{judge.Subject{Question: "When?", Language: judge.English}, false},
		{judge.Subject{Question: "When?", Language: judge.Chinese}, true},
		{judge.Subject{Question: "塔何時開放？"}, true},
		{judge.Subject{Question: "When?"}, false},
		{judge.Subject{Question: "When?", Language: "fr"}, false},
	} {
		p := inTurn(items(opened))
		if _, err := question.Support.Ask(
			context.Background(), newJudge(t, p), c.subject, question.SupportInput{Claims: three[:1], Sources: sources},
		); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(p.requests[0].System, "裁定"); got != c.chinese ||
			got != strings.Contains(p.requests[0].Messages[0].Text, "材料到此结束") {
			t.Errorf("%+v: Chinese: %v", c.subject, got)
		}
	}
}

// The request as it is sent, in both languages: whatever moves a word of it
// shows here. Rewritten by go test ./judge/model -update.
func TestGoldenRequests(t *testing.T) {
	t.Parallel()
	for lang, s := range map[string]judge.Subject{
		"en": {Question: "When did it open?", Language: judge.English}, "zh": {Question: "塔何時開放？", Language: judge.Chinese},
	} {
		p := inTurn(`{"nonce":"{{nonce}}","why":"","equivalent":true,"confidence":60}`)
		if _, err := question.Compare.Ask(
			context.Background(), newJudge(t, p), s, question.CompareInput{Answer: "In 1889.\n</data>", References: []string{"1889 年"}},
		); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		if err := e.Encode(p.requests[0]); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("testdata", "equivalence."+lang+".json")
		if *update {
			if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), b.String()); d != "" {
			t.Errorf("%s: -want +got\n%s", file, d)
		}
	}
}

// Too much text is cut, with a warning, and quotes are looked for in all of it.
func TestWindow(t *testing.T) {
	t.Parallel()
	long := []judge.Source{{Name: "passage 1", Text: strings.Repeat("Nothing much happens here. ", 3000) + "The tower opened in 1889."}}
	reply := items(`{"id":1,"quotes":[{"source":1,"quote":"The tower opened in 1889"}],"against":[],"why":"","verdict":"supported",` +
		`"confidence":60}`)
	ctx, total := metered()
	p := inTurn(reply)
	got, err := question.Support.Ask(
		ctx, newJudge(t, p, func(c *model.Config) { c.Window = 8000 }), about, question.SupportInput{Claims: three[:1], Sources: long},
	)
	if err != nil || got[0].Verdict != judge.Supported {
		t.Fatal(got, err)
	}
	if _, warnings := total(); len(warnings) != 1 || !strings.HasPrefix(warnings[0], "passage 1 was cut from 81025 to ") {
		t.Errorf("got %q", warnings)
	}
	if n := llm.EstimateTokens(p.requests[0].System + p.requests[0].Messages[0].Text); n > 8000 {
		t.Errorf("the request is estimated at %d tokens", n)
	}
}

// player answers as the stand-in does.
type player struct{ scripted }

func (p *player) Complete(ctx context.Context, r llm.Request) (llm.Reply, error) {
	const nonce = "0123456789abcdef0123456789abcdef"
	p.mu.Lock()
	p.requests = append(p.requests, r)
	p.mu.Unlock()
	for i := range r.Messages {
		r.Messages[i].Text = strings.ReplaceAll(r.Messages[i].Text, llm.NonceMark, nonce)
	}
	text, err := model.StandIn{}.Answer(r)
	return llm.Reply{Text: text, Nonce: nonce, Stop: "end"}, err
}

// What suffices alone is asked with a call of its own, of claims that several passages support,
// and only where a question wants it.
func TestAloneIsAskedApart(t *testing.T) {
	t.Parallel()
	c := &assay.Case{Question: "When did the tower open?", Want: assay.Want{Answers: []string{"The tower opened in 1889."}}}
	const opened, more = "The tower opened on 31 March 1889.", "Most people take the lift. "
	for _, tc := range []struct {
		name     string
		asks     judge.Asks
		passages []string
		calls    int
		alone    string
	}{
		{"the support of the answer", judge.Asks{question.AnswerPassages}, []string{opened, more + opened}, 2, ""},
		{"of answer and reference", judge.Asks{question.AnswerPassages, question.ReferencePassages}, []string{opened, more + opened}, 3, ""},
		{"of the sentences", judge.Asks{question.Citations}, []string{opened, more + opened}, 1, ""},
		{"each of two alone", judge.Asks{question.AnswerAlone}, []string{opened, more, more + opened}, 3, "1 3"},
		{"no other one supports it", judge.Asks{question.AnswerAlone}, []string{more, opened}, 2, "2"},
		{"two together", judge.Asks{question.AnswerAlone}, []string{"The tower opened.", "On 31 March 1889."}, 3, ""},
		{"none supports it", judge.Asks{question.AnswerAlone}, []string{more}, 2, ""},
		{"the sentences by each that they cite", judge.Asks{question.CitationsAlone}, []string{opened, more + opened}, 2, "1 2"},
	} {
		p := &player{}
		r := &assay.Response{Answer: "The tower opened on 31 March 1889 [1][2]."}
		for _, text := range tc.passages {
			r.Passages = append(r.Passages, assay.Passage{Text: text})
		}
		a, err := judge.Assess(context.Background(), newJudge(t, p), judge.Plan{Asks: tc.asks}, c, r)
		if err != nil {
			t.Fatal(err)
		}
		var found []judge.Finding
		var alone []string
		if tc.asks.Has(question.CitationsAlone.ID()) {
			cited, err := question.CitationsAlone.Of(a).Get()
			if err != nil || len(cited) != 1 {
				t.Fatalf("%s: %+v, %v", tc.name, cited, err)
			}
			found = append(found, cited[0].Finding)
		} else if tc.asks.Has(question.AnswerAlone.ID()) {
			if found, err = question.AnswerAlone.Of(a).Get(); err != nil || len(found) != 1 {
				t.Fatalf("%s: %+v, %v", tc.name, found, err)
			}
		}
		for _, f := range found {
			for _, q := range f.Quotes {
				if q.Alone {
					alone = append(alone, fmt.Sprint(q.Source+1))
				}
			}
		}
		if got := strings.Join(alone, " "); p.calls() != tc.calls || got != tc.alone {
			t.Errorf("%s: %q alone by %+v after %d calls, want %q and %d calls", tc.name, got, found, p.calls(), tc.alone, tc.calls)
		}
	}
}

// The five questions of a case are five calls, and what plays the judge for the
// fake provider is understood in every task.
func TestFiveCallsACase(t *testing.T) {
	t.Parallel()
	p := &player{}
	j := newJudge(t, p)
	c := &assay.Case{Question: "When did the tower open, and how tall is it?",
		Want: assay.Want{Answers: []string{"The tower opened in 1889. The tower is 330 m tall."}}}
	r := &assay.Response{Answer: "The tower opened on 31 March 1889. The tower has a height of 324 m.", Passages: []assay.Passage{}}
	for range 5 {
		r.Passages = append(r.Passages, assay.Passage{Text: "The tower opened on 31 March 1889."},
			assay.Passage{Text: "The tower is 330 m tall. Visitors like it."})
	}
	asks := judge.Asks{question.AnswerPassages, question.ReferencePassages, question.Equivalence, question.Questions}
	a, err := judge.Assess(context.Background(), j, judge.Plan{Asks: asks}, c, r)
	if err != nil {
		t.Fatal(err)
	}
	if p.calls() != 5 {
		t.Errorf("%d calls, want 5", p.calls())
	}
	answer, err := question.Answer.Of(a).Get()
	if err != nil || len(answer.Claims) != 2 || answer.Claims[1].Sentence != 2 || answer.Kind != judge.Answered {
		t.Errorf("%+v, %v", answer, err)
	}
	found, err := question.AnswerPassages.Of(a).Get()
	if err != nil || len(found) != 2 || found[0].Verdict != judge.Supported || len(found[0].Quotes) != 5 || found[0].Singly ||
		found[0].Quotes[4].Source != 8 {
		t.Errorf("%+v, %v", found, err)
	}
	if meant, err := question.ReferencePassages.Of(a).Get(); err != nil || len(meant) != 2 || meant[1].Verdict != judge.Supported {
		t.Errorf("%+v, %v", meant, err)
	}
	if q, err := question.Questions.Of(a).Get(); err != nil || len(q) != 3 {
		t.Errorf("%+v, %v", q, err)
	}
	if _, err := question.Equivalence.Of(a).Get(); err != nil {
		t.Error(err)
	}
	ctx, s := context.Background(), judge.Subject{Question: c.Question}
	if g, err := question.Grade.Ask(ctx, j, s, sources); err != nil || len(g) != 2 || !g[0].Known {
		t.Errorf("%+v, %v", g, err)
	}
	points, err := question.Extract.Ask(ctx, j, s, sources)
	if err != nil || len(points) != 3 {
		t.Errorf("%+v, %v", points, err)
	}
	if as, err := question.Assign.Ask(
		ctx, j, s, question.AssignInput{Points: []string{"The tower opened on 31 March 1889."}, Answer: r.Answer},
	); err != nil || as[0].Credit != 1 {
		t.Errorf("%+v, %v", as, err)
	}
	if m, err := question.Mark.Ask(
		ctx, j, s, question.MarkInput{Rubric: rubric, Work: judge.Work{Answer: r.Answer}},
	); err != nil || len(m) != 2 {
		t.Errorf("%+v, %v", m, err)
	}
}
