package reply_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/entail"
	"github.com/assay-eval/assay/judge/model"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/spans"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/reply"
)

// A habit is how a server writes a reply: {{text}} stands for what the model says, {{draft}}
// for what it thinks. In the body both are parts of JSON texts.
type habit struct {
	Habit string `json:"habit"`
	// Kind is the protocol, openai if empty; Type the content type, of JSON if empty.
	Kind string `json:"kind"`
	Type string `json:"type"`
	Body string `json:"body"`
	// Rejects is a part of a request that the server rejects, with Status and the message Error.
	Rejects string `json:"rejects"`
	Status  int    `json:"status"`
	Error   string `json:"error"`
	// Why is part of what a judge says of a reply that has no text, and of what a target says.
	Why string `json:"why"`
	// Empty is set if the reply has no answer, Fails if it is a failure, whatever text it holds.
	Empty bool `json:"empty"`
	Fails bool `json:"fails"`
	// Only is "target" for what no model's server sends, "word" for a frame around one word,
	// which a target's answer keeps.
	Only string `json:"only"`
}

func (h habit) reply(text, draft string) string {
	quoted := func(s string) string {
		if h.Type == "text/plain" {
			return s
		}
		raw, _ := json.Marshal(s) // texts never fail
		return string(raw[1 : len(raw)-1])
	}
	return strings.NewReplacer("{{text}}", quoted(text), "{{draft}}", quoted(draft)).Replace(h.Body)
}

func habits(t *testing.T) (out []habit) {
	f, err := os.Open("testdata/habits.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var h habit
		if err := json.Unmarshal(lines.Bytes(), &h); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		out = append(out, h)
	}
	return out
}

// Every habit of a server is read alike by the clients of judges, of entailment models and of
// targets.
func TestHabitsOfServers(t *testing.T) {
	t.Parallel()
	for _, h := range habits(t) {
		t.Run(h.Habit, func(t *testing.T) {
			t.Parallel()
			said, calls, rejected := "", 0, 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				calls++
				if sent, _ := io.ReadAll(r.Body); h.Rejects != "" && strings.Contains(string(sent), h.Rejects) {
					rejected++
					w.WriteHeader(h.Status)
					_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": h.Error}})
					return
				}
				w.Header().Set("Content-Type", "application/json")
				if h.Type != "" {
					w.Header().Set("Content-Type", h.Type)
				}
				_, _ = w.Write([]byte(said))
			}))
			defer server.Close()
			kind := h.Kind
			if kind == "" {
				kind = "openai"
			}
			p, err := llm.Open(kind, llm.Options{BaseURL: server.URL, Getenv: func(string) string { return "k" }, KeyEnv: "K", HTTP: server.Client()})
			if err != nil {
				t.Fatal(err)
			}
			j, err := model.New(model.Config{Provider: p, Request: llm.Request{Model: "m"}})
			if err != nil {
				t.Fatal(err)
			}
			if h.Only != "target" {
				testWord(t, h, j, p, &said, &calls)
			}
			if h.Rejects != "" {
				said = h.reply(`{"a":1}`, "{}")
				r, err := p.Complete(context.Background(), llm.Request{Model: "m", Messages: []llm.Message{{Role: "user", Text: "q"}},
					Schema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"integer"}}}`)})
				if err != nil || r.Text != `{"a":1}` || rejected == 0 {
					t.Errorf("%q, %v after %d rejected requests", r.Text, err, rejected)
				}
			}
			if h.Only == "word" {
				return
			}
			// A text that has a closing tag is not cut.
			for _, text := range []string{"It opens at 10 am.", `{"why":"The tag </think> is noise","a":"<think>"}`} {
				if said = h.reply(text, "Maybe 9 am?"); h.Empty && strings.Contains(text, "</") {
					continue
				}
				system, err := target.NewHTTP(target.HTTPConfig{Endpoint: server.URL})
				if err != nil {
					t.Fatal(err)
				}
				response, err := system.Ask(context.Background(), &assay.Case{Question: "q"})
				var own *target.Error
				if h.Fails {
					if !errors.As(err, &own) || own.Kind != target.Failed || !strings.Contains(err.Error(), h.Why) {
						t.Errorf("target: %+v, %v: want %q", response, err, h.Why)
					}
					continue
				}
				if err != nil && !strings.Contains(err.Error(), h.Why) {
					t.Errorf("target: %v: want %q", err, h.Why)
				}
				if h.Empty && (response.Answer != "" || err == nil && len(response.Warnings) == 0) || !h.Empty && (err != nil || response.Answer != text) ||
					err != nil && !errors.As(err, &own) {
					t.Errorf("target: %q, %q, %v: want %q", response.Answer, response.Warnings, err, text)
				}
				if h.Only == "target" {
					continue
				}
				if reply, err := p.Complete(context.Background(), llm.Request{Model: "m", Messages: []llm.Message{{Role: "user", Text: "q"}}}); err != nil ||
					!h.Empty && reply.Text != text || h.Empty && reply.Text != "" && reply.Stop != "tool_calls" {
					t.Errorf("model: %q, %v: want %q", reply.Text, err, text)
				}
			}
		})
	}
}

// testWord reads a word of the judge and one of the entailment model.
func testWord(t *testing.T, h habit, j judge.Judge, p llm.Provider, said *string, calls *int) {
	*said = h.reply("TRUE", "FALSE? No. FALSE")
	ruling, err := question.RuleTrueFalse.Ask(context.Background(), j, judge.Subject{Question: "q"},
		question.CompareInput{Answer: "a", References: []string{"r"}})
	if h.Fails {
		if _, unread := p.Complete(context.Background(), llm.Request{Model: "m", Messages: []llm.Message{{Role: "user", Text: "q"}}}); err == nil ||
			!strings.Contains(err.Error(), h.Why) || unread == nil || !strings.Contains(unread.Error(), h.Why) {
			t.Errorf("judge: %+v, %v; model: %v: want %q", ruling, err, unread, h.Why)
		}
		return
	}
	if (err != nil) != h.Empty || !h.Empty && (!ruling.Holds || *calls != 1 && h.Rejects == "") || h.Empty && !strings.Contains(err.Error(), h.Why) {
		t.Errorf("judge: %+v, %v after %d calls", ruling, err, *calls)
	}
	*said = h.reply("Yes", "No? No.")
	scores, err := entail.NewYesNo(p, llm.Request{Model: "m"}, entail.FormFor("m"), nil).Score(context.Background(),
		[]entail.Pair{{Document: "d", Claim: "c"}})
	if err != nil || (scores[0].Why != "") != h.Empty || !h.Empty && scores[0].Entailed != 1 {
		t.Errorf("entailment: %+v, %v", scores, err)
	}
}

// What was recorded is read as what a server returns: in datasets, files of responses and traces.
func TestRecordedAnswersWithoutReasoning(t *testing.T) {
	t.Parallel()
	for _, said := range []string{"<think>Maybe 9?</think>At 10 am.", "[THINK]9?[/THINK]\nAt 10 am.", "9?\n</think>\n\nAt 10 am.", "Maybe 9?</think>At 10 am.", "At 10 am.",
		"<|START_THINKING|>9?<|END_THINKING|><|START_RESPONSE|>At 10 am.<|END_RESPONSE|>", "<|inner_prefix|>9?<|inner_suffix|>At 10 am.",
		"<|channel>thought\n9?<channel|>At 10 am.", "<think>9?</think><answer>\nAt 10 am.\n</answer>", "<response>At 10 am.</response>",
		"<think>9?</think><|begin_of_box|>At 10 am.<|end_of_box|>", "Thought: 9?\nFinal Answer: At 10 am.",
		`<think duration="3">9?</think>At 10 am.`, "<think>9? <think>8?</think> No.</think>At 10 am.", "<think>A <think> tag?</think>At 10 am.",
		"<details type=\"reasoning\" done=\"true\">\n<summary>Thought for 3 seconds</summary>\n> 9?\n</details>\nAt 10 am.",
		"<details style=\"color:gray;\" open> <summary> Thinking... </summary>\n9?\n</details>\n\nAt 10 am.",
		":::thinking\n9?\n:::\nAt 10 am.",
		"At 10 am.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nNext?", "At 10 am.<|im_end|>\n<|im_start|>user\nNext?",
	} {
		text, _ := json.Marshal(said) // a string never fails
		name := filepath.Join(t.TempDir(), "cases.jsonl")
		if err := os.WriteFile(name, fmt.Appendf(nil, `{"id":"a","user_input":"When?","response":%s,"reference":"10 am"}`+"\n", text), 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := dataset.Load(context.Background(), name, dataset.Options{})
		if err != nil {
			t.Fatal(err)
		}
		recorded, err := target.Read(strings.NewReader(fmt.Sprintf(`{"id":"a","answer":%s}`, text)), "responses.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		response, err := recorded.Ask(context.Background(), &assay.Case{ID: "a", Question: "When?"})
		if err != nil {
			t.Fatal(err)
		}
		exchanges, _ := spans.Exchanges([]spans.Span{{ID: "s", Trace: "t", Attributes: map[string]any{
			"openinference.span.kind": "CHAIN", "input.value": "When?", "output.value": said,
		}}})
		for from, got := range map[string]string{
			"dataset": d.Responses["a"].Answer, "responses": response.Answer, "trace": exchanges[0].Response.Answer,
		} {
			if got != "At 10 am." {
				t.Errorf("%s: %q: got %q", from, said, got)
			}
		}
	}
}

// What only looks like reasoning stays.
func TestSplitKeepsAnswers(t *testing.T) {
	t.Parallel()
	for _, said := range []string{
		"Models write <think> and </think> around it.\nThen they answer.", "The tag </think> ends it.", "Write 「</think>」 last.", "It ends with `</think>`.", "```\n{{ .Thought }}\n</think>\n```",
		"  [1] first\n", "analysis of finals", "<thinker>Rodin</thinker>", "<think different> was a slogan", `{"a":"</think>"}`, "",
		"Its end token is <|eot_id|>", "<s>old</s>", "`<|im_end|>", `{"why":"It ends with </s>"}`, `{"why":"so<|im_end|>it is"}`, "<details><summary>More</summary>9?</details>",
		"<details><summary>What people think</summary>9?</details>", "<details type=\"info\"><summary>Sources</summary>9?</details>b", ":::note\n9?\n:::\nb",
		"A block begins with :::thinking and ends with :::",
		"Closed.</details>\nMore.", "<answer>a</answer> or <answer>b</answer>", "<response><status>ok</status></response>", "<answer> is a tag", "It writes `<|begin_of_box|>x<|end_of_box|>`",
		"Thought: I know nothing.", "Its separator is <sep>",
	} {
		if answer, reasoning := reply.Split(said); answer != said || reasoning != "" {
			t.Errorf("%q: answer %q, reasoning %q", said, answer, reasoning)
		}
	}
	const tool = "<details type=\"tool_calls\" done=\"true\" name=\"search\">\n<summary>Ran</summary>\nx\n</details>"
	if answer, _ := reply.Split("I look.\n" + tool + "\nIt is 9."); answer != "I look.\nIt is 9." {
		t.Errorf("a tool within: answer %q", answer)
	}
	if said := "Write:\n```\n" + tool + "\n```"; true {
		if answer, _ := reply.Split(said); answer != said {
			t.Errorf("a tool in code: answer %q", answer)
		}
	}
	if answer, reasoning := reply.Split("<think>a</think>\n<reasoning>b</reasoning> c "); answer != "c" || reasoning != "a\nb" {
		t.Errorf("answer %q, reasoning %q", answer, reasoning)
	}
}

// An answer that only reads like the call of a tool, or shows one, stays and has a warning; prose about calls has none.
func TestCleanOfWhatReadsLikeACall(t *testing.T) {
	t.Parallel()
	for said, warned := range map[string]bool{
		`{"name": "search", "parameters": {"q": "a"}}`: true, `[{"name": "search", "arguments": {"q": "a"}}]`: true, `[search(q="a")]`: true,
		"```json\n{\"type\": \"function\", \"function\": {\"name\": \"f\"}}\n```": true, "```xml\n<tool_call>\n{\"name\": \"f\"}\n</tool_call>\n```": true,
		"Thought: I search.\nAction: search\nAction Input: a\n": true, `{"tool_calls": [{"name": "f"}]}`: true, `functions.f:0{"q": "a"}`: true,
		`It writes <tool_call>{"name": "f"}</tool_call> at the end of its turn.`: false, "<tool_call> begins a call, </tool_call> ends it.": false,
		"Granite writes <|tool_call|> and a list.": false, "Kimi has `<|tool_calls_section_begin|><|tool_call_begin|>f<|tool_call_end|>`": false,
		"The [TOOL_CALLS] token.": false, "[TOOL_CALLS] comes first.": false, "```python\nprint(f(a=1))\n```": false, `{"name": "Ada", "age": 36}`: false,
		"[1] At 10 am.": false, "[see (a=1)]": false, "Call search(q=1).": false, "Action: run.\nThen rest.": false, "The tag is <function=f>": false,
		"DeepSeek writes <｜tool▁calls▁begin｜><｜tool▁call▁begin｜> before a call.": false,
	} {
		r := assay.Response{Answer: said}
		if err := reply.Clean(&r); err != nil || r.Answer != said || (len(r.Warnings) > 0) != warned {
			t.Errorf("%q: %q, %q, %v: want a warning %v", said, r.Answer, r.Warnings, err, warned)
		}
	}
}

// A ruling counts as little as an answer whose reply did not end by itself.
func TestEndingsOfReplies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ kind, body, judge, target string }{
		{"anthropic", `{"role":"assistant","content":[{"type":"text","text":"TRUE"}],"stop_reason":"pause_turn"}`, "cut the reply off", "(pause_turn)"},
		{"anthropic", `{"role":"assistant","content":[{"type":"text","text":"TRUE"}],"stop_reason":"model_context_window_exceeded"}`, "limit of tokens", "limit of tokens"},
		{"anthropic", `{"role":"assistant","content":[{"type":"text","text":"TRUE"}],"stop_reason":"max_tokens"}`, "limit of tokens", "limit of tokens"},
		{"gemini", `{"candidates":[{"content":{"parts":[{"text":"TRUE"}]},"finishReason":"IMAGE_SAFETY"}]}`, "the model declined", "(IMAGE_SAFETY)"},
		{"ollama", `{"message":{"content":"TRUE"},"done":false}`, "cut the reply off", "without saying that it is complete"},
		{"openai", `{"result":"TRUE","is_truncated":true,"finish_reason":"normal"}`, "no choices", "limit of tokens"},
		{"openai", `{"result":"TRUE","is_truncated":true}`, "no choices", "limit of tokens"},
		{"openai", `{"answer":"TRUE","errors":["no index"]}`, "no choices", "also reports a failure: no index"},
		{"openai", `{"answer":"TRUE","code":7,"message":"no index"}`, "no choices", "also reports a failure: no index"},
		{"openai", `{"choices":[{"message":{"content":"TRUE"},"finish_reason":"repetition"}]}`, "cut the reply off", "(repetition)"},
		{"openai", `{"choices":[{"message":{"content":"TRUE"},"finish_reason":"new_reason"}]}`, "", "does not know"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(c.body)) }))
		defer server.Close()
		p, err := llm.Open(c.kind, llm.Options{BaseURL: server.URL, Getenv: func(string) string { return "k" }, KeyEnv: "K", HTTP: server.Client()})
		if err != nil {
			t.Fatal(err)
		}
		j, err := model.New(model.Config{Provider: p, Request: llm.Request{Model: "m"}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = question.RuleTrueFalse.Ask(t.Context(), j, judge.Subject{Question: "q"}, question.CompareInput{Answer: "a", References: []string{"r"}})
		if (err != nil) != (c.judge != "") || err != nil && !strings.Contains(err.Error(), c.judge) {
			t.Errorf("judge of %s: %v, want %q", c.body, err, c.judge)
		}
		system, err := target.NewHTTP(target.HTTPConfig{Endpoint: server.URL})
		if err != nil {
			t.Fatal(err)
		}
		if r, err := system.Ask(t.Context(), &assay.Case{Question: "q"}); err != nil || r.Answer != "TRUE" || !strings.Contains(strings.Join(r.Warnings, "; "), c.target) {
			t.Errorf("target with %s: %+v, %v, want %q", c.body, r, err, c.target)
		}
	}
}
