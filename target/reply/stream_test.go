package reply_test

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/assay-eval/assay/target/reply"
)

// events writes data lines, an event each.
func events(data ...string) string {
	return "data: " + strings.Join(data, "\n\ndata: ") + "\n\n"
}

func TestReadBodyEvents(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{
			"OpenAI", events(
				`{"id":"c","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},`+
					`"finish_reason":null}],"usage":null}`,
				`{"id":"c","choices":[{"index":0,"delta":{"content":"Hel"}},{"index":1,"delta":{"content":"other"}}],"citations":["a.md"]}`,
				`{"id":"c","choices":[{"index":0,"delta":{"content":"lo"}}],"citations":[]}`,
				`{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
				`{"id":"c","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2}}`,
				`[DONE]`, `not read`),
			`{"choices":[{"finish_reason":"stop","message":{"content":"Hello","role":"assistant"}}],"citations":["a.md"],"id":"c","model":"m",` +
				`"usage":{"completion_tokens":2,"prompt_tokens":3}}`,
		},
		{
			"OpenAI, texts that look cumulative", events(
				`{"choices":[{"delta":{"content":"1"}}]}`, `{"choices":[{"delta":{"content":"10"}}]}`, `{"choices":[{"delta":{"content":"100"}}]}`,
				`[DONE]`),
			`{"choices":[{"message":{"content":"110100"}}]}`,
		},
		{
			"MiniMax: the whole message after its pieces", events(
				`{"choices":[{"index":0,"delta":{"content":"Hel"}}]}`, `{"choices":[{"index":0,"delta":{"content":"lo"}}]}`,
				`{"choices":[{"index":0,"finish_reason":"stop","message":{"content":"Hello","role":"assistant"}}]}`),
			`{"choices":[{"finish_reason":"stop","message":{"content":"Hello","role":"assistant"}}]}`,
		},
		{
			"Azure On Your Data", events(
				`{"choices":[{"index":0,"delta":{"role":"assistant","context":{"citations":[{"content":"c","filepath":"f"}],"intent":"[]"}}}]}`,
				`{"choices":[{"index":0,"delta":{"content":"A"}}]}`, `[DONE]`),
			`{"choices":[{"message":{"content":"A","context":{"citations":[{"content":"c","filepath":"f"}],"intent":"[]"},"role":"assistant"}}]}`,
		},
		{
			"Perplexity: delta and the message so far", events(
				`{"choices":[{"delta":{"content":"Hel"},"message":{"content":"Hel"}}]}`,
				`{"choices":[{"delta":{"content":"lo"},"message":{"content":"Hello"},"finish_reason":"stop"}]}`),
			`{"choices":[{"finish_reason":"stop","message":{"content":"Hello"}}]}`,
		},
		{"older completions", events(`{"choices":[{"text":"Hel","index":0}]}`, `{"choices":[{"text":"lo","index":0}]}`, `[DONE]`),
			`{"choices":[{"text":"Hello"}]}`},
		{
			"LangServe texts", "event: metadata\r\ndata: {\"run_id\": \"r\"}\r\n\r\nevent: data\r\ndata: \"Hel\"\r\n\r\nevent: data\r\ndata: " +
				"\"lo\"\r\n\r\nevent: end\r\n\r\n",
			`{"output":"Hello"}`,
		},
		{
			"LangServe messages", "event: data\ndata: {\"content\":\"Hel\",\"type\":\"AIMessageChunk\",\"id\":\"r\"}\n\nevent: data\ndata: " +
				"{\"content\":\"lo\",\"type\":\"AIMessageChunk\",\"id\":null}\n\nevent: end\n\n",
			`{"output":{"content":"Hello","id":"r","type":"AIMessageChunk"}}`,
		},
		{
			"LangServe objects", "event: data\ndata: {\"input\":\"q\"}\n\nevent: data\ndata: {\"context\":[{\"page_content\":\"a\"}]}\n\nevent: " +
				"data\ndata: {\"answer\":\"Hel\"}\n\nevent: data\ndata: {\"answer\":\"lo\",\"n\":1}\n\nevent: data\ndata: " +
				"{\"context\":[{\"page_content\":\"b\"}],\"meta\":{\"j\":1},\"n\":2}\n\nevent: data\ndata: {\"meta\":{\"k\":1}}\n\nevent: end\n\n",
			`{"output":{"answer":"Hello","context":[{"page_content":"a"},{"page_content":"b"}],"input":"q","meta":{"k":1},"n":2}}`,
		},
		{
			"Dify", "event: ping\n\n" + events(
				`{"event":"message","message_id":"m","answer":"1"}`, `{"event":"agent_thought","thought":"hm"}`, `{"event":"message","answer":"11"}`,
				`{"event":"message_end","metadata":{"usage":{"prompt_tokens":3},"retriever_resources":[{"content":"c"}]}}`,
				`{"event":"tts_message_end","audio":""}`),
			`{"answer":"111","message_id":"m","metadata":{"retriever_resources":[{"content":"c"}],"usage":{"prompt_tokens":3}}}`,
		},
		{"AI SDK, cut", events(`{"type":"text-delta","id":"1","delta":"Hel"}`), `{"answer":"Hel","delta":"Hel","finish_reason":"cut","id":"1"}`},
		{"Anthropic, cut", events(`{"type":"content_block_delta","delta":{"type":"text_delta","text":"Hel"}}`),
			`{"answer":"Hel","delta":"Hel","finish_reason":"cut"}`},
		{"Dify, cut", events(`{"event":"message","answer":"Hel","task_id":"t"}`), `{"answer":"Hel","finish_reason":"cut","task_id":"t"}`},
		{"LangServe, cut", "event: data\ndata: \"Hel\"\n\n", `{"finish_reason":"cut","output":"Hel"}`},
		{"Dify, moderated", events(`{"event":"message","answer":"bad"}`, `{"event":"message_replace","answer":"good"}`,
			`{"event":"message","answer":"!"}`), `{"answer":"good!"}`},
		{
			"Dify workflow", events(`{"event":"workflow_started","data":{"id":"w"}}`, `{"event":"text_chunk","data":{"text":"Hel"}}`,
				`{"event":"text_chunk","data":{"text":"lo"}}`,
				`{"event":"workflow_finished","workflow_run_id":"r","data":{"outputs":{"out":1},"error":""}}`),
			`{"answer":"Hello","data":{"error":"","outputs":{"out":1}},"workflow_run_id":"r"}`,
		},
		{
			"RAGFlow, whole texts", "data:{\"code\":0,\"data\":{\"answer\":\"A " +
				"f\",\"reference\":{}}}\n\ndata:{\"code\":0,\"data\":{\"answer\":\"A fact.\",\"reference\":{}}}\n\n" +
				"data:{\"code\":0,\"data\":{\"answer\":\"A ##0$$ " +
				"fact.\",\"reference\":{\"chunks\":[{\"content\":\"c\"}]}}}\n\ndata:{\"code\":0,\"message\":\"\",\"data\":true}\n\n",
			`{"data":{"answer":"A ##0$$ fact.","reference":{"chunks":[{"content":"c"}]}}}`,
		},
		{
			"RAGFlow, pieces", events(`{"code":0,"data":{"answer":"A f"}}`, `{"code":0,"data":{"answer":"act."}}`,
				`{"code":0,"data":{"answer":"","final":true,"reference":{"chunks":[{"content":"c"}]}}}`, `{"code":0,"data":true}`),
			`{"data":{"answer":"A fact.","final":true,"reference":{"chunks":[{"content":"c"}]}}}`,
		},
		{
			"AI SDK", events(`{"type":"start"}`, `{"type":"reasoning-delta","id":"0","delta":"hm"}`, `{"type":"text-start","id":"1"}`,
				`{"type":"text-delta","id":"1","delta":"Hel"}`, `{"type":"text-delta","id":"1","delta":"lo"}`,
				`{"type":"source-url","sourceId":"s","url":"u"}`, `{"type":"source-document","sourceId":"t","title":"T"}`, `{"type":"finish"}`,
				`[DONE]`),
			`{"answer":"Hello","delta":"Hello","id":"1","sources":[{"sourceId":"s","type":"source-url","url":"u"},{"sourceId":"t","title":"T",` +
				`"type":"source-document"}]}`,
		},
		{
			"AI SDK, steps", events(`{"type":"start"}`, `{"type":"start-step"}`, `{"type":"text-start","id":"1"}`,
				`{"type":"text-delta","id":"1","delta":"Let me "}`, `{"type":"text-delta","id":"1","delta":"look."}`, `{"type":"finish-step"}`,
				`{"type":"start-step"}`, `{"type":"text-delta","id":"2","delta":"6 "}`, `{"type":"text-delta","id":"2","delta":"pm"}`,
				`{"type":"finish-step"}`, `{"type":"finish"}`, `[DONE]`),
			`{"answer":"6 pm","delta":"6 pm","id":"2"}`,
		},
		{
			"AI SDK, a last step without a text", events(`{"type":"start-step"}`, `{"type":"text-delta","id":"1","delta":"Let me look."}`,
				`{"type":"finish-step"}`, `{"type":"start-step"}`, `{"type":"finish-step"}`, `{"type":"finish"}`, `[DONE]`),
			`{"answer":"","id":"1"}`,
		},
		{
			"Anthropic, a message after that which calls a tool", events(`{"type":"message_start"}`,
				`{"type":"content_block_delta","delta":{"type":"text_delta","text":"Let me look."}}`, `{"type":"message_stop"}`, `{"type":"message_start"}`,
				`{"type":"content_block_delta","delta":{"type":"text_delta","text":"6 pm"}}`, `{"type":"message_stop"}`),
			`{"answer":"6 pm","delta":"6 pm"}`,
		},
		{
			"Anthropic", "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":3}}}\n\n" +
				"event: content_block_delta\ndata: " +
				"{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"hm\"}}\n\n" +
				"event: content_block_delta\ndata: " +
				"{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Hel\"}}\n\nevent: " +
				"content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"lo\"}}\n\n" +
				"event: message_delta\ndata: " +
				"{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":2}}\n\nevent: " +
				"message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
			`{"answer":"Hello","delta":"Hello","index":0,"message":{"usage":{"input_tokens":3}},"stop_reason":"end_turn","usage":{"output_tokens":2}}`,
		},
		{
			"OpenAI responses", "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"Hel\"}\n\nevent: " +
				"response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"lo\"}\n\n" +
				"event: response.output_text.done\ndata: {\"type\":\"response.output_text.done\",\"text\":\"Hello\"}\n\nevent: " +
				"response.completed\ndata: {\"type\":\"response.completed\",\"response\":{\"id\":\"r\"}}\n\n",
			`{"answer":"Hello","delta":"Hello","response":{"id":"r"}}`,
		},
		{"tokens, then sources", events(`{"token":"Hel"}`, `{"token":"lo"}`, `{"sources":[{"text":"s"}]}`),
			`{"answer":"Hello","sources":[{"text":"s"}],"token":"Hello"}`},
		{"tokens, then everything", events(`{"token":"Hel"}`, `{"token":"lo"}`, `{"answer":"Hello.","contexts":["c"]}`),
			`{"answer":"Hello.","contexts":["c"],"token":"Hello."}`},
		{"typed", events(`{"type":"sources","data":[{"text":"s"}]}`, `{"type":"status","content":"thinking"}`, `{"type":"token","content":"Hel"}`,
			`{"type":"token","content":"lo"}`, `{"type":"done"}`), `{"answer":"Hello","content":"Hello","sources":[{"text":"s"}]}`},
		{"named", "event: sources\ndata: [{\"text\":\"s\"}]\n\nevent: token\ndata: {\"text\":\"Hel\"}\n\nevent: token\ndata: " +
			"{\"text\":\"lo\"}\n\nevent: done\ndata: {}\n\n", `{"answer":"Hello","sources":[{"text":"s"}],"text":"Hello"}`},
		{"a typed final answer", events(`{"type":"token","content":"Hel"}`, `{"type":"final","answer":"Hello"}`),
			`{"answer":"Hello","content":"Hello"}`},
		{"plain words", "data: The\n\ndata:  answer is\n\ndata:  42\n\ndata: 42\n\ndata: \ndata: \n\ndata: null\n\ndata: [1] x\n\n",
			`"The answer is 4242\nnull[1] x"`},
		{"words that are JSON", events("[1]", " says ", `"yes"`, "[1, 2]", "null", " 20"), `"[1] says \"yes\"[1, 2]null 20"`},
		{"one event", events(`{"answer":"A","contexts":[]}`), `{"answer":"A","contexts":[]}`},
		{"one list", events(`[{"text":"a"}]`), `[{"text":"a"}]`},
		{"whole texts", events(`{"text":"The"}`, `{"text":"The answer"}`, `{"text":"The answer is"}`, `{"text":"The answer [1] is"}`),
			`{"answer":"The answer [1] is","text":"The answer [1] is"}`},
		{"no empty lines", "data: {\"token\":\"Hel\"}\ndata: {\"token\":\"lo\"}\ndata: [DONE]\n", `{"answer":"Hello","token":"Hello"}`},
		{"an object on two lines", "data: {\"answer\":\ndata: \"A\"}\n", `{"answer":"A"}`},
		{"two whole texts", events(`{"text":"Par"}`, `{"text":"Paris"}`), `{"answer":"Paris","text":"Paris"}`},
		{"whole texts that end as repeats", events(`{"text":"ab"}`, `{"text":"aba"}`, `{"text":"abab"}`), `{"answer":"abab","text":"abab"}`},
		{"a type of their own", events(`{"type":"llm","token":"Hel"}`, `{"type":"llm","token":"lo"}`), `{"answer":"Hello","token":"Hello"}`},
		{"pieces that begin as whole texts", events(`{"text":"a"}`, `{"text":"a"}`, `{"text":"ab"}`, `{"text":"c"}`),
			`{"answer":"aaabc","text":"aaabc"}`},
		{"repeats are pieces", events(`{"text":"ha"}`, `{"text":"ha"}`, `{"text":"haha"}`), `{"answer":"hahahaha","text":"hahahaha"}`},
		{"a long text once more", events(`{"text":"The answer is 42."}`, `{"text":"The answer is 42."}`),
			`{"answer":"The answer is 42.","text":"The answer is 42."}`},
		{"pieces, then the whole", events(`{"text":"The answer"}`, `{"text":" is 42 or so."}`, `{"text":"The answer is 42 or so."}`),
			`{"answer":"The answer is 42 or so.","text":"The answer is 42 or so."}`},
	} {
		got, err := reply.ReadBody(iotest.OneByteReader(strings.NewReader(c.in)), reply.Events, reply.Mapping{})
		if err != nil || encode(t, got) != c.want {
			t.Errorf("%s:\n got %s, %v\nwant %s", c.name, encode(t, got), err, c.want)
		}
	}
}

// The rules of the HTML standard, section "Interpreting an event stream".
func TestEventStreamRules(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"data: a\n\ndata: b\n\n":         "ab",
		"data: a\r\rdata: b\r\r":         "ab",
		"data: a\r\n\r\ndata: b\r\n\r\n": "ab",
		"data: a\ndata: b\n\n":           "a\nb",
		"data:a\n\ndata:  b\n\n":         "a b", // one space is taken off
		": comment\ndata: a\n\n:\n\n":    "a",
		"id: 1\nretry: 5\ndata: a\n\n":   "a",
		"data: a\nevent: text\n\n":       "a",
		"data\n\ndata: a\n\n":            "a",
		"\ufeffdata: a\n\n":              "a",
		// Servers that send no empty line: one at the end alone is the standard's.
		"data: The\ndata:  end\n":                                        "The end",
		"data: The\ndata:  end\ndata: [DONE]\n\n":                        "The end",
		"event: token\ndata: The\nevent: token\ndata:  end\n":            "The end",
		"data: a\n\ndata: b\ndata: c\ndata: [DONE]\n\n":                  "ab\nc",
		"data: \"The\"\n\ndata: \" end\"\n\n":                            "The end",
		"data: a\n\ndata: b":                                             "ab", // our liberty: the last event may lack its end
		"unknown: x\ndata: a\n\n":                                        "a",
		"data: \xff\n\n":                                                 "\ufffd",
		"event: ping\ndata: {}\n\ndata: a\n\nevent: done\ndata: bye\n\n": "a",
	} {
		got, err := reply.ReadBody(strings.NewReader(in), reply.Events, reply.Mapping{})
		if err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", in, got, err, want)
		}
	}
}

func TestReadBodyLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{
			"Ollama chat", `{"model":"m","message":{"role":"assistant","content":"Hel"},"done":false}` + "\n" +
				`{"model":"m","message":{"role":"assistant","content":"lo"},"done":false}` + "\r\n\n" +
				`{"model":"m","message":{"role":"assistant","content":""},"done":true,"prompt_eval_count":3,"eval_count":2}`,
			`{"done":true,"eval_count":2,"message":{"content":"Hello","role":"assistant"},"model":"m","prompt_eval_count":3}`,
		},
		{"Ollama", `{"response":"1","done":false}` + "\n" + `{"response":"12","done":false}` + "\n" +
			`{"response":"","done":true,"context":[1,2]}` + "\n", `{"context":[1,2],"done":true,"response":"112"}`},
		{"one line", `{"answer":"A"}`, `{"answer":"A"}`},
		{"AI SDK 4", "f:{\"messageId\":\"m\"}\n2:[{\"text\":\"one\"}]\ng:\"hm\"\n0:\"Hel\"\n0:\"lo\"\ne:{\"finishReason\":\"stop\"}\n" +
			"d:{\"finishReason\":\"stop\"}\n", `{"answer":"Hello","data":[{"text":"one"}],"delta":"Hello","finishReason":"stop"}`},
		{"AI SDK 4, steps", "f:{\"messageId\":\"m\"}\n0:\"Let me look.\"\ne:{}\nf:{\"messageId\":\"n\"}\n0:\"6 pm\"\nd:{\"finishReason\":\"stop\"}\n",
			`{"answer":"6 pm","delta":"6 pm","finishReason":"stop"}`},
		{"AI SDK 4, cut", "0:\"Hel\"\n", `{"answer":"Hel","delta":"Hel","finish_reason":"cut"}`},
		{"JSON text sequence", "\x1e{\"token\":\"a\"}\n\x1e{\"token\":\"b\"}\n", `{"answer":"ab","token":"ab"}`},
		{"texts", "\"a\"\n\"b\"\n", `"ab"`},
	} {
		got, err := reply.ReadBody(strings.NewReader(c.in), reply.Lines, reply.Mapping{})
		if err != nil || encode(t, got) != c.want {
			t.Errorf("%s:\n got %s, %v\nwant %s", c.name, encode(t, got), err, c.want)
		}
	}
}

func TestReadBodyMapped(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ paths, in, want string }{
		// delta says that these are pieces, and where.
		{"delta: d.t", events(`{"d":{"t":"a"}}`, `{"d":{"t":"ab"}}`, `{"d":{"t":"abc"}}`, `{"list":[1]}`),
			`{"answer":"aababc","d":{"t":"abc"},"list":[1]}`},
		{"delta: d.t | answer: out.text", events(`{"d":{"t":"a"}}`, `{"d":{"t":"b"}}`), `{"answer":"ab","d":{"t":"b"},"out":{"text":"ab"}}`},
		{"delta: choices[0].delta.content | answer: choices[0].message.content", events(`{"choices":[{"delta":{"content":"a"}}]}`,
			`{"choices":[{"delta":{"content":"b"}}]}`), `{"answer":"ab","choices":[{"delta":{"content":"b"},"message":{"content":"ab"}}]}`},
		// The path of the answer is that of the pieces where the stream has no form that is known.
		{"answer: d.t", events(`{"d":{"t":"The"}}`, `{"d":{"t":" end"}}`, `{"d":{"n":1}}`), `{"answer":"The end","d":{"n":1,"t":"The end"}}`},
		{"answer: d.t", events(`{"d":{"t":"The"}}`, `{"d":{"t":"The end"}}`), `{"answer":"The end","d":{"t":"The end"}}`},
		{"answer: d[0].t", events(`{"d":[{"t":"a","k":1}]}`, `{"d":[{"t":"b","k":2}]}`), `{"answer":"ab","d":[{"k":2,"t":"ab"}]}`},
		// What is not at the path of the answer is none of it.
		{"answer: d.t", events(`{"d":{"t":"The"}}`, `{"message":"x"}`, `{"d":{"t":" end"}}`, `{"type":"done","content":"x"}`),
			`{"answer":"The end","content":"x","d":{"t":"The end"},"message":"x"}`},
		{"answer: d.t", events(`{"token":"Hel"}`, `{"token":"lo"}`, `{"d":{"t":"The end"}}`), `{"answer":"The end","d":{"t":"The end"}}`},
		// A state has all the messages so far.
		{"answer: m[-1].t", events(`{"m":[{"t":"q"}]}`, `{"m":[{"t":"q"},{"t":"The"}]}`, `{"m":[{"t":"q"},{"t":"The end"}]}`),
			`{"answer":"The end","m":[{"t":"q"},{"t":"The end"}]}`},
		// The path that a person saw in the events.
		{"answer: choices[0].delta.content", events(`{"choices":[{"delta":{"content":"a"}}]}`, `{"choices":[{"delta":{"content":"b"}}]}`),
			`{"choices":[{"delta":{"content":"ab"},"finish_reason":"cut","message":{"content":"ab"}}]}`},
		{"answer: answer", events(`{"event":"message","answer":"a"}`, `{"event":"message","answer":"b"}`), `{"answer":"ab"}`},
	} {
		m := mapping(t, strings.Split(c.paths, " | ")...)
		got, err := reply.ReadBody(strings.NewReader(c.in), reply.Events, m)
		if err != nil || encode(t, got) != c.want {
			t.Errorf("%s:\n got %s, %v\nwant %s", c.paths, encode(t, got), err, c.want)
			continue
		}
		resp, _, err := m.Read(got)
		if err != nil || resp.Answer == "" || !strings.Contains(c.want, `"`+resp.Answer+`"`) || resp.NoAnswer {
			t.Errorf("%s: reads %+v, %v", c.paths, resp, err)
		}
	}
}

func TestReadBodyFailures(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"event: error\ndata: {\"status_code\": 500, \"message\": \"Internal Server Error\"}\n\n": "Internal Server Error",
		"event: error\ndata: out of memory\n\n":                                                  "out of memory",

		"event: error\ndata: {}\n\n": "error event without text",

		events(`{"event":"message","answer":"a"}`, `{"event":"error","status":400,"code":"invalid","message":"no quota"}`): "no quota",
		events(`{"code":0,"data":{"answer":"a"}}`, `{"code":500,"message":"boom","data":{"answer":"**ERROR**: boom"}}`):    "boom",
		events(`{"choices":[{"delta":{"content":"a"}}]}`, `{"error":{"message":"overloaded"}}`):                            "overloaded",
		events(`{"type":"text-delta","delta":"a"}`, `{"type":"error","errorText":"bad"}`):                                  "bad",
		events(`{"token":"a"}`, `{"error":"bad"}`):                                                                         "bad",
		events(`{"type":"response.output_text.delta","delta":"A"}`,
			`{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"boom"}}}`): "boom",
		events(`{"event":"workflow_finished","data":{"status":"failed","error":"node 3"}}`): "node 3",
	} {
		got, err := reply.ReadBody(strings.NewReader(in), reply.Events, reply.Mapping{})
		var failure *reply.FailureError
		if !errors.As(err, &failure) || failure.Message != want || got != nil {
			t.Errorf("%q: %v, %v; want %q", in, got, err, want)
		}
	}
}

// TestFailuresHaveTheirStatus: the status of a failure is known in a stream and with a mapping,
// as it is without, because it decides whether the target is asked again.
func TestFailuresHaveTheirStatus(t *testing.T) {
	t.Parallel()
	m, err := reply.NewMapping(map[string]string{"answer": "answer"})
	named, err2 := reply.NewMapping(map[string]string{"answer": "answer", "error": "message"})
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	for _, in := range []string{
		`{"status": 400, "message": "too long", "code": "invalid_param"}`, `{"event": "error", "status_code": 400, "message": "too long"}`,
		`{"statusCode": 400, "error": "too long"}`, `{"status": "400", "error": "too long"}`,
	} {
		var v any
		if err := json.Unmarshal([]byte(in), &v); err != nil {
			t.Fatal(err)
		}
		found, _, _ := reply.Detect(v)
		_, _, plain := found.Read(v)
		_, _, mapped := m.Read(v)
		_, _, own := named.Read(v)
		_, streamed := reply.ReadBody(strings.NewReader("event: error\ndata: "+in+"\n\n"), reply.Events, reply.Mapping{})
		for how, err := range map[string]error{"plain": plain, "mapped": mapped, "named": own, "streamed": streamed} {
			var failure *reply.FailureError
			if how == "named" && !strings.Contains(in, "message") {
				continue // it has no such failure
			}
			if !errors.As(err, &failure) || failure.Status != 400 {
				t.Errorf("%s, %s: %v, want the status 400", in, how, err)
			}
		}
	}
}

func TestReadBodyProblems(t *testing.T) {
	t.Parallel()
	broken := func(s string) io.Reader {
		return io.MultiReader(strings.NewReader(s), iotest.ErrReader(io.ErrUnexpectedEOF))
	}
	text := func(s string) io.Reader { return strings.NewReader(s) }
	for _, c := range []struct {
		in   io.Reader
		kind reply.Kind
		want string
	}{
		{text(""), reply.Value, "the reply is empty: expected JSON"},
		{text(" \n"), reply.Value, "the reply is empty: expected JSON"},
		{text(`{"a": `), reply.Value, "the JSON ends within a value, at offset 6"},
		{text(`<html><body>Bad Gateway</body></html>`), reply.Value, `invalid JSON: offset 1: invalid character '<' looking for beginning of ` +
			`value: the reply begins "<html><body>Bad Gateway</body></html>"`},
		{text(`{"a": 1} x`), reply.Value, `offset 9: "x" follows the JSON value: expected one value`},
		{text(`{"a": 1}{"b": 2}`), reply.Value, `offset 8: "{\"b\": 2}" follows the JSON value: expected one value`},
		{broken(`{"a": 1`), reply.Value, "the reply was interrupted after 7 bytes: unexpected EOF"},
		{broken("half"), reply.Plain, "the reply was interrupted after 4 bytes: unexpected EOF"},
		{text(""), reply.Events, "the stream has no events: expected the pieces of an answer"},
		{text("event: x\n\n: c\n\n"), reply.Events, "the stream has no events: expected the pieces of an answer"},
		{text(""), reply.Lines, "the stream has no events: expected the pieces of an answer"},
		{broken(events(`{"token":"a"}`) + "data: {\"tok"), reply.Events, "the stream was interrupted after 1 events: unexpected EOF"},
		{broken(`{"token":"a"}` + "\n{"), reply.Lines, "the stream was interrupted after 1 events: unexpected EOF"},
		{broken(events(`{"event":"message","answer":"a"}`)), reply.Events, "the stream was interrupted after 1 events: unexpected EOF"},
		{text(events(`{"token":"a"}`) + "data: {\"tok"), reply.Events, "event 2: the JSON ends within a value, at offset 5"},
		{text(`data: {"answer": "Hel`), reply.Events, "event 1: the JSON ends within a value, at offset 15"},
		{text(events(`{"token":"a"}`, "b")), reply.Events, `event 2: invalid JSON: offset 1: invalid character 'b' looking for beginning of ` +
			`value: the reply begins "b"`},
		{text("{\"token\":\"a\"}\nb\n"), reply.Lines, `line 2: invalid JSON: offset 1: invalid character 'b' looking for beginning of value: ` +
			`the reply begins "b"`},
	} {
		got, err := reply.ReadBody(c.in, c.kind, reply.Mapping{})
		if err == nil || err.Error() != c.want || got != nil {
			t.Errorf("got %v, %v\nwant %s", got, err, c.want)
		}
		if strings.Contains(c.want, "breaks off") && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%v does not wrap its cause", err)
		}
	}
	// What breaks off after its end is whole.
	for in, kind := range map[string]reply.Kind{
		events(`{"token":"a"}`, "[DONE]"):                                                       reply.Events,
		events(`{"event":"message","answer":"a"}`, `{"event":"message_end"}`):                   reply.Events,
		events(`{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}`):                reply.Events,
		"event: data\ndata: \"a\"\n\nevent: end\n\n":                                            reply.Events,
		events(`{"type":"token","content":"a"}`, `{"type":"done"}`):                             reply.Events,
		`{"message":{"content":"a"},"done":true}` + "\n":                                        reply.Lines,
		events(`{"code":0,"data":{"answer":"a"}}`, `{"code":0,"message":"","data":true}`) + "x": reply.Events,
	} {
		if _, err := reply.ReadBody(broken(in), kind, reply.Mapping{}); err != nil {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func TestReadBodyValue(t *testing.T) {
	t.Parallel()
	utf16 := func(s string, high, low int) string {
		out := []byte{0xfe, 0xff}
		if high == 1 {
			out = []byte{0xff, 0xfe}
		}
		for _, r := range s {
			b := [2]byte{}
			b[high], b[low] = byte(r>>8), byte(r)
			out = append(out, b[:]...)
		}
		return string(out)
	}
	for in, want := range map[string]string{
		`{"n": 12345678901234567890, "x": 1.50}`: `{"n":12345678901234567890,"x":1.50}`,
		"\ufeff [1]\n":                           `[1]`,
		utf16(`{"a": "é"}`, 0, 1):                `{"a":"é"}`,
		utf16(`{"a": "é"}`, 1, 0):                `{"a":"é"}`,
		"\"\xffa\"":                              `"` + "\ufffd" + `a"`,
		"null":                                   `null`,
		`"{\"answer\": \"A\"}"`:                  `{"answer":"A"}`, // encoded twice
		`"{\"city\": {\"a\": 1}}"`:               `"{\"city\": {\"a\": 1}}"`,
	} {
		got, err := reply.ReadBody(strings.NewReader(in), reply.Value, reply.Mapping{})
		if err != nil || encode(t, got) != want {
			t.Errorf("%q: %s, %v; want %s", in, encode(t, got), err, want)
		}
	}
	if got, err := reply.ReadBody(strings.NewReader("\ufeff Plain \xff text\n"), reply.Plain, reply.Mapping{}); err != nil ||
		got != " Plain \ufffd text\n" {
		t.Errorf("plain: %q, %v", got, err)
	}
}

func TestKindOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		contentType, head string
		want              reply.Kind
	}{
		{"application/json", `{"a": 1}`, reply.Value},
		{"application/json; charset=utf-8", "", reply.Value},
		{"application/problem+json", `{"a": "cut of`, reply.Value},
		{"application/json", "<html>", reply.Value}, // the error is right
		{"", "", reply.Value},
		{"text/html", "<html>", reply.Plain},
		{"text/plain", "The answer", reply.Plain},
		{"text/plain", "f:{\"messageId\":\"m\"}\n0:\"A\"\n", reply.Lines}, {"text/plain", "0:\"A", reply.Lines}, // the AI SDK 4
		{"text/plain", "a:\"b\" is a pair\n", reply.Plain}, {"text/plain", "1: one\n2: two", reply.Plain},
		{"text/plain", "[1] According to the manual", reply.Plain},
		{"text/plain", "{curly} words", reply.Plain},
		{"text/plain", `{"answer": "A`, reply.Value},
		{"text/plain", `{"answer": tr`, reply.Value},
		{"text/plain; charset=utf-8", "data: {\"token\": \"a\"}\n\n", reply.Events},
		{"text/html", "event: data\ndata: x\n\n", reply.Events},
		{"application/json", "data: {\"token\": \"a\"}\n\n", reply.Events},
		{"", ": ping\n\ndata: x\n\n", reply.Events},
		{"text/event-stream", "", reply.Events},
		{"text/event-stream;charset=UTF-8", ": waiting\n\n", reply.Events},
		{"TEXT/EVENT-STREAM", "data: x", reply.Events},
		{"text/event-stream", `{"error": "bad"}`, reply.Value}, // an error beside a stream
		{"application/x-ndjson", `{"a": 1}`, reply.Lines},
		{"application/x-ndjson", "", reply.Lines},
		{"application/jsonl", "{\"a\": 1}\n", reply.Lines},
		{"application/json", "{\"a\": 1}\n{\"a\": 2}\n", reply.Lines},
		{"application/json", "{\n\"a\": 1}\n", reply.Value},
		{"application/octet-stream", "{\"a\": 1}\n", reply.Value},
		{";;", "\ufeff{\"a\": 1}", reply.Value},
		{"", "\xff\xfe{\x00}\x00", reply.Value},
		{"text/plain", "id: 12\nName: x\n", reply.Plain},
	} {
		if got := reply.KindOf(c.contentType, []byte(c.head)); got != c.want {
			t.Errorf("%q, %q: %v, want %v", c.contentType, c.head, got, c.want)
		}
	}
}

// counted counts what is read.
type counted struct {
	in io.Reader
	n  int
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.in.Read(b)
	c.n += n
	return n, err
}

// A server that leaves the connection open after the end does not make us wait.
func TestReadBodyStopsAtTheEnd(t *testing.T) {
	t.Parallel()
	in := &counted{in: io.MultiReader(strings.NewReader(events(`{"token":"a"}`, "[DONE]")), iotest.ErrReader(errors.New("read on")))}
	if got, err := reply.ReadBody(in, reply.Events, reply.Mapping{}); err != nil || encode(t, got) != `{"answer":"a","token":"a"}` {
		t.Errorf("%v, %v", got, err)
	}
}
