package entail_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assay-eval/assay/judge/entail"
	"github.com/assay-eval/assay/judge/entail/entailtest"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/llmtest"
	"github.com/assay-eval/assay/rag/embed/embedtest"
)

// A chat replies to each request.
type chat func(llm.Request) llm.Reply

func (chat) Name() string { return "chat" }

func (c chat) Complete(ctx context.Context, r llm.Request) (llm.Reply, error) {
	return c(r), ctx.Err()
}

// token is a token with its probability.
func token(s string, p float64, top ...llm.Token) llm.Token {
	return llm.Token{Text: s, Logprob: math.Log(p), Top: top}
}

func TestYesNo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		reply llm.Reply
		want  float64
		why   string
		warn  bool
	}{
		{"both", llm.Reply{Text: "Yes", Tokens: []llm.Token{token("Yes", 0.6, token("Yes", 0.6), token("No", 0.2), token("The", 0.1))}}, 0.75, "", false},
		{"a token twice", llm.Reply{Text: "Yes", Tokens: []llm.Token{token("Yes", 0.6, token("Yes", 0.6), token("Yes", 0.6), token("No", 0.4))}}, 0.6, "", false},
		{"spellings", llm.Reply{Text: "no", Tokens: []llm.Token{
			token(" no", 0.3, token(" no", 0.3), token("NO", 0.1), token("▁yes", 0.1), token("Yes.", 0.1), token("Ġno", 0.2)),
		}}, 0.25, "", false},
		{"a blank first", llm.Reply{Text: "\nYes", Tokens: []llm.Token{token("\n", 1, token("No", 0.9)), token("Yes", 0.8, token("Yes", 0.8), token("No", 0.2))}},
			0.8, "", false},
		{"drawn and not listed", llm.Reply{Text: "Yes", Tokens: []llm.Token{token("Yes", 0.1, token("No", 0.3))}}, 0.25, "", false},
		{"one of them alone", llm.Reply{Text: "No", Tokens: []llm.Token{token("No", 0.9, token("No", 0.9), token("Not", 0.05))}}, 0, "", false},
		{"without alternatives", llm.Reply{Text: "Yes", Tokens: []llm.Token{token("Yes", 0.7)}}, 1, "", true},
		{"tokens of other words", llm.Reply{Text: "Yes, it does", Tokens: []llm.Token{token("Y", 0.9, token("Y", 0.9))}}, 1, "", true},
		{"after reasoning", llm.Reply{Text: "Yes", Thinking: "No doubt.", Tokens: []llm.Token{token("<think>", 0.9, token("<think>", 0.9), token("No", 0.1)),
			token("No", 0.9, token("No", 0.9)), token(" doubt.", 1), token("</think>", 1), token("\n\n", 1), token("Yes", 0.8, token("Yes", 0.8), token("No", 0.2)),
			token("<|im_end|>", 1)}}, 0.8, "", false},
		{"reasoning with the word", llm.Reply{Text: "no", Tokens: []llm.Token{token("<think>", 1), token("no", 0.9, token("no", 0.9)), token("</think>", 1),
			token("▁no", 0.6, token("▁no", 0.6), token("▁yes", 0.2))}}, 0.25, "", false},
		{"tokens of another text", llm.Reply{Text: "Yes", Tokens: []llm.Token{token("<think>", 0.9, token("No", 0.1)), token("The", 1)}}, 1, "", true},
		{"a token that is not the word", llm.Reply{Text: "Yes", Tokens: []llm.Token{token("No", 0.9, token("No", 0.9))}}, 1, "", true},
		{"in bold", llm.Reply{Text: "**Yes**", Tokens: []llm.Token{token("**", 1, token("No", 0.3)), token("Yes", 0.75, token("Yes", 0.75), token("No", 0.25)),
			token("**", 1)}}, 0.75, "", false},
		{"the word", llm.Reply{Text: "**Yes**, because"}, 1, "", true},
		{"the other word", llm.Reply{Text: "no."}, 0, "", true},
		{"cut before its word", llm.Reply{Stop: "length"}, 0, "the limit of tokens ended the reply before its word: raise --judge-max-tokens", false},
		{"neither", llm.Reply{Text: "Not at all"}, 0, `the reply "Not at all" is neither Yes nor No`, false},
		{"beside another language", llm.Reply{Text: "NO / 否"}, 0, "", true},
		{"an explanation below", llm.Reply{Text: "Yes.\n\nThere is no other claim."}, 1, "", true},
		{"a label", llm.Reply{Text: "Yes/No: No"}, 0, `the reply "Yes/No: No" is neither`, false},
		{"a question", llm.Reply{Text: "Yes or no? No."}, 0, "the reply", false},
		{"an idiom", llm.Reply{Text: "No doubt, yes."}, 0, "the reply", false},
		{"both", llm.Reply{Text: "Yes and no"}, 0, "the reply", false},
		{"of another meaning", llm.Reply{Text: `{"not_entailed": true}`}, 0, "the reply", false},
		{"the word denied", llm.Reply{Text: `{"no": false}`}, 0, "the reply", false},
		{"an element", llm.Reply{Text: "<answer>No</answer>"}, 0, "", true},
		{"a lone closing tag", llm.Reply{Text: "Yes, no</think>No", Tokens: []llm.Token{token("Yes", 1), token(",", 1), token(" no", 0.9, token("Yes", 0.9)),
			token("</think>", 1), token("No", 0.75, token("No", 0.75), token("Yes", 0.25))}}, 0.25, "", false},
		{"probabilities, not their logarithms", llm.Reply{Text: "No", Tokens: []llm.Token{
			{Text: "No", Logprob: 0.7, Top: []llm.Token{{Text: "No", Logprob: 0.7}, {Text: "Yes", Logprob: 0.3}}},
		}}, 0, "", true},
		{"ended by a filter", llm.Reply{Text: "Yes", Stop: "refusal"}, 0, "the model or its content filter ended the reply", false},
		{"beside a tool call", llm.Reply{Text: "Yes", Stop: "tool_calls"}, 0, "the model calls a tool", false},
		{"empty", llm.Reply{}, 0, `the reply "" is neither`, false},
	} {
		var told []string
		s := entail.NewYesNo(chat(func(llm.Request) llm.Reply { return c.reply }), llm.Request{Model: "m"}, entail.FormFor("m"),
			func(w string) { told = append(told, w) })
		for range 2 {
			got, err := s.Score(t.Context(), []entail.Pair{{Document: "d", Claim: "c"}})
			if err != nil || math.Abs(got[0].Entailed-c.want) > 1e-12 || !strings.HasPrefix(got[0].Why, c.why) || (got[0].Why == "") != (c.why == "") {
				t.Errorf("%s: %+v, %v: want %v, %s", c.name, got, err, c.want, c.why)
			}
		}
		if (len(told) == 1) != c.warn || len(told) > 1 || c.warn && !strings.Contains(told[0], "gave a reply without log probabilities") {
			t.Errorf("%s: told %q", c.name, told)
		}
	}
}

func TestYesNoForms(t *testing.T) {
	t.Parallel()
	for model, want := range map[string]string{
		"bespoke-minicheck:7b": "|Document: D\nClaim: C",
		"qwen3":                "Decide whether the document alone entails the claim|Document: D\nClaim: C\nDoes the document entail the claim? Reply Yes or No.",
	} {
		var asked llm.Request
		s := entail.NewYesNo(chat(func(r llm.Request) llm.Reply { asked = r; return llm.Reply{Text: "Yes"} }),
			llm.Request{Model: model, Extra: map[string]any{"x": 1}}, entail.FormFor(model), nil)
		if _, err := s.Score(t.Context(), []entail.Pair{{Document: "D", Claim: "C"}}); err != nil {
			t.Fatal(err)
		}
		system, message, _ := strings.Cut(want, "|")
		if !strings.Contains(asked.System, system) || (asked.System == "") != (system == "") || asked.Messages[0].Text != message ||
			asked.TopLogprobs != 20 || *asked.Temperature != 0 || asked.Operation != "entailment" || asked.Extra["x"] != 1 {
			t.Errorf("%s: %+v", model, asked)
		}
	}
}

// A model that thinks gets room for it when its reply breaks off before the word.
func TestYesNoGivesRoomToThink(t *testing.T) {
	t.Parallel()
	var limits []int
	s := entail.NewYesNo(chat(func(r llm.Request) llm.Reply {
		if limits = append(limits, r.MaxTokens); r.MaxTokens < 100 {
			return llm.Reply{Thinking: "Well,", Stop: "length"}
		}
		return llm.Reply{Text: "Yes", Thinking: "Well, so.", Stop: "end"}
	}), llm.Request{Model: "m"}, entail.FormFor("m"), nil)
	got, err := s.Score(t.Context(), []entail.Pair{{Document: "d", Claim: "c"}})
	if err != nil || got[0].Entailed != 1 || len(limits) != 2 || limits[1] != llm.DefaultMaxTokens {
		t.Errorf("%+v, %v after calls with %v tokens", got, err, limits)
	}
}

// A reply that is neither Yes nor No is not kept: the next run asks again.
func TestYesNoRejectsUnusableReplies(t *testing.T) {
	t.Parallel()
	said := "Perhaps"
	ledger := &embedtest.Ledger{}
	for _, want := range []string{"neither", ""} {
		client := embedtest.Client(t, chat(func(llm.Request) llm.Reply { return llm.Reply{Text: said} }), ledger)
		got, err := entail.NewYesNo(client, llm.Request{Model: "m"}, entail.FormFor("m"), nil).Score(t.Context(), []entail.Pair{{Document: "d", Claim: "c"}})
		if err != nil || !strings.Contains(got[0].Why, want) || (got[0].Why == "") != (want == "") {
			t.Errorf("%+v, %v: want %q", got, err, want)
		}
		said = "Yes"
	}
}

// Nothing is paid twice, and --replay works.
func TestYesNoLedger(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	model := chat(func(llm.Request) llm.Reply {
		calls.Add(1)
		return llm.Reply{Text: "Yes", Tokens: []llm.Token{token("Yes", 0.6, token("Yes", 0.6), token("No", 0.2))}}
	})
	ledger := &embedtest.Ledger{}
	for _, mode := range []llm.Mode{llm.Normal, llm.Normal, llm.Replay} {
		client := embedtest.Client(t, model, ledger, func(c *llm.ClientConfig) { c.Mode = mode })
		got, err := entail.NewYesNo(client, llm.Request{Model: "m"}, entail.FormFor("m"), nil).Score(t.Context(), []entail.Pair{{Document: "d", Claim: "c"}})
		if err != nil || math.Abs(got[0].Entailed-0.75) > 1e-12 || calls.Load() != 1 {
			t.Errorf("%+v, %v, %d calls", got, err, calls.Load())
		}
	}
}

// TestRealYesNo asks a real model on a real server, over two protocols. It is too small to be
// right; its probabilities are real, and both protocols give the same.
func TestRealYesNo(t *testing.T) {
	t.Parallel()
	base := llmtest.Ollama(t)
	scorer := func(t *testing.T, kind, url string) entail.Scorer {
		provider, err := llm.Open(kind, llm.Options{BaseURL: url})
		if err != nil {
			t.Fatal(err)
		}
		return entail.NewYesNo(embedtest.Client(t, provider, &embedtest.Ledger{}), llm.Request{Model: llmtest.Small}, entail.FormFor(llmtest.Small),
			func(w string) { t.Error(w) })
	}
	pairs := []entail.Pair{
		{Document: "The ferry leaves at nine.", Claim: "The ferry leaves at nine."}, {Document: "The ferry leaves at nine.", Claim: "The library is closed on Mondays."},
	}
	var all [][]entail.Score
	for kind, url := range map[string]string{"ollama": base, "openai": base + "/v1"} {
		got, err := scorer(t, kind, url).Score(t.Context(), pairs)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range got {
			// The small model answers in a sentence more often than with a word.
			if strings.Contains(s.Why, "is neither Yes nor No") {
				continue
			}
			if s.Why != "" || s.Entailed <= 0 || s.Entailed >= 1 {
				t.Errorf("%s, pair %d: %+v: want a probability between 0 and 1", kind, i, s)
			}
		}
		all = append(all, got)
	}
	for i := range pairs {
		if math.Abs(all[0][i].Entailed-all[1][i].Entailed) > 0.02 || (all[0][i].Why == "") != (all[1][i].Why == "") {
			t.Errorf("pair %d: %s", i, fmt.Sprint(all[0][i], all[1][i]))
		}
	}
	t.Logf("%+v", all)
}

func TestYesNoContract(t *testing.T) {
	t.Parallel()
	entailtest.Run(t, 0, func(t *testing.T) entail.Scorer {
		model := chat(func(r llm.Request) llm.Reply {
			document, claim, _ := strings.Cut(strings.TrimPrefix(r.Messages[0].Text, "Document: "), "\nClaim: ")
			yes := 0.01 + 0.98*share(document, claim)
			return llm.Reply{Text: "Yes", Tokens: []llm.Token{token("Yes", yes, token("Yes", yes), token("No", 1-yes))}}
		})
		return entail.NewYesNo(embedtest.Client(t, model, &embedtest.Ledger{}), llm.Request{Model: "m"}, entail.FormFor("m"), nil)
	})
}

// A token without a probability is not one that is certain.
func TestYesNoOfNullProbabilities(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]float64{
		`[{"token":"Yes","logprob":-0.105,"top_logprobs":[{"token":"Yes","logprob":-0.105},{"token":"No","logprob":null}]}]`:                1,
		`[{"token":"Yes","logprob":-0.51,"top_logprobs":[{"token":"Yes","logprob":-0.51},{"token":"No","logprob":-0.92},{"token":"yes"}]}]`: 0.6,
	} {
		var tokens []llm.Token
		if err := json.Unmarshal([]byte(body), &tokens); err != nil {
			t.Fatal(err)
		}
		got, err := entail.NewYesNo(chat(func(llm.Request) llm.Reply { return llm.Reply{Text: "Yes", Tokens: tokens} }), llm.Request{Model: "m"},
			entail.FormFor("m"), nil).Score(t.Context(), []entail.Pair{{Document: "d", Claim: "c"}})
		if err != nil || math.Abs(got[0].Entailed-want) > 0.01 {
			t.Errorf("%s: %+v, %v: want %v", body, got, err, want)
		}
	}
}
