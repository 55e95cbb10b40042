package target_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/reply"
	"github.com/assay-eval/assay/target/targettest"
)

// python makes a target of an object in testdata.
func python(t testing.TB, interpreter, path string, change func(*target.ExecConfig)) *target.Exec {
	t.Helper()
	c := target.ExecConfig{
		Dir: "testdata", Now: time.Now,
		Env: []string{"LANGSMITH_TRACING=false", "LANGCHAIN_TRACING_V2=false", "ANONYMIZED_TELEMETRY=false", "PYTHONDONTWRITEBYTECODE=1",
			"OPENAI_API_KEY="},
	}
	if change != nil {
		change(&c)
	}
	kind := target.Python
	switch {
	case strings.HasPrefix(path, "langchain/"):
		kind = target.LangChain
	case strings.HasPrefix(path, "llamaindex/") || !strings.Contains(path, ".py"):
		kind = target.LlamaIndex
	}
	e, err := target.NewPython(kind, interpreter, path, c)
	if err != nil {
		t.Fatal(err)
	}
	closing(t, e)
	return e
}

func TestPythonShapes(t *testing.T) {
	t.Parallel()
	e := python(t, requiretest.Command(t, "python3"), "shim/app.py:returns", nil)
	none := []assay.Passage(nil)
	p, second := []assay.Passage{{Text: "p"}}, []assay.Passage{{Source: "b/c.md", Text: "second"}}
	used, cut := assay.Usage{InputTokens: 3, OutputTokens: 4}, []string{"the target's answer ended at its limit of tokens (length)"}
	for question, want := range map[string]assay.Response{
		"text":                {Answer: "t"},
		"tokens of a context": {Answer: "a"},
		"empty text":          {},
		"number":              {Answer: "5"},
		"bytes":               {Answer: "café"},
		"bytes alone":         {Answer: "café"},
		"decimal":             {Answer: "9.50"},
		"no failure":          {Answer: "a"},
		"frame":               {NoAnswer: true, Passages: []assay.Passage{{Text: "p", Source: "a.md"}, {Text: "q", Source: "b.md"}}},
		"frame beside":        {Answer: "a", Passages: []assay.Passage{{Text: "p", Source: "a.md"}, {Text: "q", Source: "b.md"}}},
		"frame in it":         {Answer: "a", Passages: []assay.Passage{{Text: "p", Source: "a.md"}, {Text: "q", Source: "b.md"}}},
		"tuples":              {NoAnswer: true, Passages: []assay.Passage{{Text: "p", Source: "a.md"}, {Text: "q", Source: "b.md"}}},
		"surrogate":           {Answer: "a\uFFFDb", Warnings: []string{"the answer has characters that cannot be decoded (\ufffd): the target must write UTF-8"}},
		"list of texts":       {NoAnswer: true, Passages: []assay.Passage{{Text: "p"}, {Text: "q"}}},
		"empty list":          {NoAnswer: true, Passages: []assay.Passage{}},
		"nested": {NoAnswer: true, Passages: []assay.Passage{{ID: "7", Document: "d1", Source: "a.md", Title: "A", Text: "first",
			Index: 3, Score: 0.5}, {Source: "b/c.md", Text: "second"}}},
		"one document": {NoAnswer: true, Passages: []assay.Passage{{ID: "7", Document: "d1", Source: "a.md", Title: "A", Text: "first",
			Index: 3, Score: 0.5}}},
		"by id":            {Answer: "a", Passages: []assay.Passage{{ID: "d5", Text: "five"}}},
		"two texts":        {Answer: "a", Passages: []assay.Passage{{Text: "p"}}},
		"answer and extra": {Answer: "a", Passages: []assay.Passage{{Text: "p"}}},
		"two lists":        {NoAnswer: true, Passages: []assay.Passage{{Text: "p"}}},
		"roles":            {Answer: "a"},
		"usage":            {Answer: "a", Usage: assay.Usage{InputTokens: 3, OutputTokens: 4}},
		"scored":           {NoAnswer: true, Passages: []assay.Passage{{Text: "p", Score: 0.25}, {Text: "q", Score: 0.125}}},
		"cycle":            {Answer: "a"},
		"events":           {Answer: "a"},
		"ended":            {Answer: "Par"},
		"cut":              {Answer: "Par", Warnings: []string{"the target's answer ended at its limit of tokens (length)"}},
		"cut, beside passages": {Answer: "Par", Passages: []assay.Passage{{Text: "p"}},
			Warnings: []string{"the target's answer ended at its limit of tokens (max_tokens)"}},
		"cut, as JSON":  {Answer: "Par", Warnings: []string{"the target's answer ended at its limit of tokens (length)"}},
		"cut, Bedrock":  {Answer: "Par", Warnings: []string{"the target's answer ended at its limit of tokens (max_tokens)"}},
		"cut, haystack": {Answer: "Par", Warnings: []string{"the target's answer ended at its limit of tokens (length)"}},
		"cut, meta":     {Answer: "Par", Warnings: []string{"the target's answer ended at its limit of tokens (length)"}},
		"declined": {Answer: "No.",
			Warnings: []string{"the target's model or its content filter ended the answer (refusal)"}},
		// These are in the table of shapes that replies over HTTP are read by.
		"haystack": {Answer: "a", Passages: []assay.Passage{{ID: "7", Document: "d1", Source: "a.md", Title: "A", Text: "first",
			Index: 3, Score: 0.5}}},
		"inner":                     {Answer: "a", Passages: []assay.Passage{{Text: "p"}}},
		"choices":                   {Answer: "a"},
		"deep":                      {NoAnswer: true, Passages: []assay.Passage{{Text: "p"}}},
		"history":                   {Answer: "a", Passages: none},
		"view":                      {Answer: "a"},
		"no view":                   {Answer: "a", Passages: []assay.Passage{{Text: "p"}}},
		"view of JSON":              {Answer: "a", Passages: []assay.Passage{{Text: "p"}}},
		"response":                  {Answer: "a", Passages: []assay.Passage{{Text: "p"}}},
		"streamed response":         {Answer: "ab"},
		"JSON":                      {Answer: "a", Passages: []assay.Passage{{Text: "p"}}, Warnings: readJSON},
		"rows":                      {Answer: "a", Passages: []assay.Passage{{ID: "7", Source: "a.md", Text: "p"}}},
		"points":                    {Answer: "a", Passages: []assay.Passage{{ID: "7", Source: "a.md", Text: "p", Score: 0.5}}},
		"JSON of its own":           {Answer: `{"verdict": true}`, Warnings: unknownJSON},
		"view of a text":            {Answer: "a"},
		"cut, LangChain's response": {Answer: "Par", Warnings: []string{"the target's answer ended at its limit of tokens (max_output_tokens)"}},
		// An object is read as its JSON is over HTTP.
		"blocks": {Answer: "a"}, "answer of blocks": {Answer: "a", Passages: p}, "blocks and documents": {Answer: "a", Passages: second},
		"documents and blocks": {Answer: "a", Passages: second}, "passages of a type": {Answer: "a", Passages: []assay.Passage{{Text: "p", Source: "a.md"}}},
		"block": {Answer: "a"}, "message": {Answer: "a", Usage: used}, "answer of a message": {Answer: "a", Usage: used, Passages: p},
		"message and documents": {Answer: "a", Usage: used, Passages: p}, "completion": {Answer: "a", Usage: used, Warnings: cut},
		"answer of a completion":   {Answer: "a", Usage: used, Warnings: cut, Passages: p},
		"completion and documents": {Answer: "a", Usage: used, Warnings: cut, Passages: p}, "response of a model": {Answer: "a", Usage: used},
		"answer of a response": {Answer: "a", Usage: used}, "items": {Answer: "a"}, "content of Gemini": {Answer: "a"},
		"Gemini":           {Answer: "a", Usage: used, Passages: []assay.Passage{{Text: "p", Source: "a.md"}}},
		"answer of Gemini": {Answer: "a", Usage: used, Passages: []assay.Passage{{Text: "p", Source: "a.md"}}},
		"attrs":            {Answer: "a", Passages: p}, "model of the user": {Answer: "a", Usage: used, Passages: []assay.Passage{{Text: "p", Source: "a.md"}}},
		"model in a field": {Answer: "a", Passages: p}, "usage of a model": {Answer: "a", Usage: used}, "one document beside": {Answer: "a", Passages: second},
		"haystack message": {Answer: "a"},
		// Objects of the user's own classes, and those that keep what they say in properties, items or rows.
		"plain and documents": {Answer: "a", Passages: p}, "slots and documents": {Answer: "a", Passages: p}, "plain in answer": {Answer: "a", Passages: p},
		"nested in answer": {Answer: "a", Passages: p}, "list of both": {Answer: "a", Passages: p}, "date": {Answer: "2026-11-30"},
		"property": {Answer: "Par", Warnings: cut}, "run": {Answer: "Par", Warnings: cut}, "Semantic Kernel": {Answer: "Par", Warnings: cut},
		"response of LlamaIndex": {Answer: "Par", Warnings: cut},
		"Cohere":                 {Answer: "Par", Warnings: []string{"the target's answer ended at its limit of tokens (MAX_TOKENS)"}},
		"protobuf":               {NoAnswer: true, Passages: []assay.Passage{{Text: "p", Source: "a.md"}}},
		"named tuples":           {NoAnswer: true, Passages: []assay.Passage{{Text: "p", Source: "a.md"}}},
		"named tuples beside":    {Answer: "a", Passages: []assay.Passage{{Text: "p", Source: "a.md"}}},
		"cursor":                 {NoAnswer: true, Passages: []assay.Passage{{ID: "7", Source: "a.md", Text: "p"}}},
		"objects beside a model": {Answer: "a", Usage: used, Passages: []assay.Passage{{Text: "p", Source: "a.md"}}},
		"stream in a field":      {Answer: "ab", Passages: p},
	} {
		got := execAsk(t, e, question)
		got.Latency = 0
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v\nwant %+v", question, got, want)
		}
	}
	for question, says := range map[string]string{
		"None":                 "returned None",
		"long":                 "17 MiB of JSON: expected at most 16",
		"colour":               `no known shape: it has "colour": expected "answer" or "passages"`,
		"class":                "returned",
		"unknown":              "KeyError: 'unknown'",
		"file":                 "returned app.Web: expected its text, or its JSON as a dict",
		"exception in a field": "KeyError: 'parking'",
		"tuples of texts":      "returned a passage as a tuple of str, str: expected a dict with its text and source",
		"view of unknown":      `no known shape: it has "verdict"`,
		"objects":              "returned builtins.object in a list, which is no passage: expected a dict with its text and source, and an answer as text",
		"tuple of lists":       "returned a tuple of str, list, list: return a dict",
		"texts and documents":  "returned a tuple of list, list: return a dict", "score and documents": "returned a tuple of tuple, list: return a dict",
		"set": "returned passages as a set, which has no order: return a list, best first",
	} {
		execFails(t, e, question, target.Raised, says)
	}
	paths := python(t, requiretest.Command(t, "python3"), "shim/app.py:returns", func(c *target.ExecConfig) {
		c.Read = httpMapping(t, map[string]string{reply.Answer: "answer"})
	})
	for _, e := range []*target.Exec{e, paths} {
		for _, where := range []string{"", " in answer", " in contexts", " in a list", " in a tuple", " in a message", " in a stage", " in a stream"} {
			execFails(t, e, "exception"+where, target.Raised, "KeyError: 'parking'")
		}
		if got := execAsk(t, e, "exception beside"); got.Answer != "a" {
			t.Errorf("an exception beside the answer: %+v", got)
		}
	}
	for question, says := range map[string]string{
		"object in answer":          "an object with n, verdict: expected a text, or the path of one inside it (the answer is builtins.dict)",
		"unknown in answer":         "an object with n, verdict: expected a text, or the path of one inside it (the answer is app.Model)",
		"no output":                 "the limit of tokens ended the reply before its text",
		"reasoning alone":           "the reply has reasoning and no text after it",
		"reasoning and no text":     "the reply has reasoning and no text after it",
		"view of a page":            `a web page, "502", not JSON`,
		"events that end in a call": "calls a tool instead of writing text",
		"unknown object":            "an object with class builtins.object: expected a text, or the path of one inside it",
		"unknowns":                  "a list without a text: expected a text, or the path of one inside it (the answer is builtins.list)",
	} {
		execFails(t, e, question, target.Reply, says)
	}
	execFails(t, paths, "None", target.Raised, "returned None: expected an answer")
	for question, status := range map[string]string{
		"failed view": `503, {"error": "index down"}`, "failed view of text": "404, No such index", "view of a response": "429, busy",
		"failed response": "404, No such index",
	} {
		for _, e := range []*target.Exec{e, paths} {
			if fail := execFails(t, e, question, target.Failed, `"status": `+status); fail.Again == strings.HasPrefix(status, "404") {
				t.Errorf("%s: retried: %t", question, fail.Again)
			}
		}
	}
	execFails(t, e, "status", target.Failed, `"status_code": 404`)
	for question, says := range map[string]string{"failed": "model down", "failed with an apology": `{"code":503}`} {
		if fail := execFails(t, e, question, target.Failed, says); !fail.Again {
			t.Errorf("%s is not retried", question)
		}
	}
}

// A stream has pieces of the answer, or the whole text so far each time.
func TestPythonStreams(t *testing.T) {
	t.Parallel()
	e := python(t, requiretest.Command(t, "python3"), "shim/app.py:streams", nil)
	for question, want := range map[string]string{
		"pieces": "It opens.", "text so far": "It opens.", "repeats": "hahaha", "none": "", "pieces of objects": "It opens.", "objects so far": "It opens.",
		"events": "It opens.", "one event": "It opens.", "events of bytes": "It opens.", "events of text": "It opens.",
		"events of objects": "It opens.", "lines": "haha", "lines of objects": "It opens.",
		// Answers that only look like events or lines.
		"like events": "data: is a plural\n\nof datum", "like an event": "data: 5", "JSON": "{\"delta\": \"ha\"}\n",
		"lines of data": "{\"city\": \"Rome\"}\n{\"city\": \"Oslo\"}\n",
		"records":       "{\"text\": \"Rome\", \"kind\": \"city\"}\n{\"text\": \"Po\", \"kind\": \"river\"}\n",
		"questions":     "{\"question\": \"a\", \"answer\": \"b\"}\n{\"question\": \"c\", \"answer\": \"d\"}\n",
		// Events of providers, as objects.
		"chunks": "It opens.", "chunks and objects": "It opens.", "dumped chunks": "It opens.", "Gemini": "It opens.", "Mistral": "It opens.", "Ollama": "It opens.",
		// What a generator returns is its result, and what an agent yields last its answer.
		"returned": "It opens.", "returned objects": "It opens.", "returned count": "It opens.", "returned usage": "It opens.",
		"last step": "It opens.", "last step of objects": "It opens.",
		"Anthropic": "It opens.", "Cohere": "It opens.", "OpenAI response": "It opens.", "texts and objects": "It opens.", "one model": "It opens.",
	} {
		if got := execAsk(t, e, question); got.Answer != want || strings.Contains(question, "objects") != (len(got.Passages) == 1) {
			t.Errorf("%s: %+v, want %q", question, got, want)
		}
	}
	if got := execAsk(t, e, "Cohere, cut"); got.Answer != "Par" || len(got.Warnings) != 1 {
		t.Errorf("a stream of Cohere that was cut: %+v", got)
	}
	if got := execAsk(t, e, "rows"); !got.NoAnswer || len(got.Passages) != 2 {
		t.Errorf("rows: %+v", got)
	}
	execFails(t, e, "failed event", target.Failed, "index down")
	execFails(t, e, "texts and documents", target.Raised, "yields Document, str: it must yield pieces of text, or one dict with the answer and its documents")
	execFails(t, e, "unknown objects", target.Raised, `no known shape: it has "verdict": expected`)
	paths := python(t, requiretest.Command(t, "python3"), "shim/app.py:streams", func(c *target.ExecConfig) {
		c.Read = httpMapping(t, map[string]string{reply.Answer: "answer", reply.Passages: "contexts"})
	})
	if got := execAsk(t, paths, "events of objects"); got.Answer != "It opens." || len(got.Passages) != 1 {
		t.Errorf("by paths: %+v", got)
	}
}

// A program gives the text of a reply over HTTP as its body; an answer is read so if it is events.
func TestExecStreams(t *testing.T) {
	t.Parallel()
	e := helper(t, "", func(c *target.ExecConfig) { c.Read = reply.Mapping{} })
	for in, want := range map[string]assay.Response{
		`{"answer": "data: {\"token\": \"A\"}\n\n", "contexts": ["p"]}`: {Answer: "A", Passages: []assay.Passage{{Text: "p"}}},
		`{"body": "{\"delta\": \"A\"}\n{\"sources\": [\"p q\"]}\n"}`:    {Answer: "A", Passages: []assay.Passage{{Text: "p q"}}},
		`{"body": "{\"answer\": \"A\", \"contexts\": [\"p\"]}"}`:        {Answer: "A", Passages: []assay.Passage{{Text: "p"}}},
		`{"body": "[{\"text\": \"p\"}, {\"text\": \"q\"}]"}`:            {NoAnswer: true, Passages: []assay.Passage{{Text: "p"}, {Text: "q"}}},
		`{"body": "A"}`:                                                    {Answer: "A"},
		`{"returned_text": ""}`:                                            {},
		`{"returned_text": "{\"verdict\": true}"}`:                         {Answer: `{"verdict": true}`, Warnings: unknownJSON},
		`{"returned_text": "{\"answer\": \"A\"}"}`:                         {Answer: "A", Warnings: readJSON},
		`{"answer": "{\"text\": \"a\"}\n{\"text\": \"b\"}"}`:               {Answer: "{\"text\": \"a\"}\n{\"text\": \"b\"}"},
		`{"body": "data: {\"answer\": \"A\"}\n\n", "contexts": ["heard"]}`: {Answer: "A", Passages: []assay.Passage{{Text: "heard"}}},
	} {
		got := execAsk(t, e, "raw:"+in)
		got.Latency = 0
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v\nwant %+v", in, got, want)
		}
	}
}

var readJSON = []string{`the text that the target returned is JSON and was read as a reply: return {"answer": TEXT} if the JSON is the answer`}

var unknownJSON = []string{`a text that the target returned is JSON of no known shape, and was read as the answer: return {"answer": …} if it is one`}

// A body is read as over HTTP: what is no reply there is no answer of a program or of a response that a function returns.
func TestBodiesThatAreNoReplies(t *testing.T) {
	t.Parallel()
	program := helper(t, "", func(c *target.ExecConfig) { c.Read = reply.Mapping{} })
	for body, says := range map[string]string{
		`{"id": "c", "choices": [], "usage": {"prompt_tokens": 5}}`:     "no known shape",
		`{"object": "response", "status": "completed", "output": null}`: "no known shape",
		`{"candidates": []}`:                          "no known shape",
		`{"message": "Internal Server Error"}`:        "no known shape",
		`<html><title>502 Bad Gateway</title></html>`: `a web page, "502 Bad Gateway"`,
		`{"choices": [{"index": 0, "mess`:             "ends within",
		``:                                            "is empty",
		`{"output": [], "incomplete_details": {"reason": "max_output_tokens"}}`: "the limit of tokens ended the reply before its text",
	} {
		raw, err := json.Marshal(map[string]string{"body": body})
		if err != nil {
			t.Fatal(err)
		}
		execFails(t, program, "raw:"+string(raw), target.Reply, says)
	}
}

// The user's paths are looked for in what the chain returned.
// What a result tells of its stages is in the trace.
func TestPythonStages(t *testing.T) {
	t.Parallel()
	e := python(t, requiretest.Command(t, "python3"), "shim/app.py:staged", nil)
	for question, want := range map[string]struct{ passages, retrieved, kept int }{
		"stages": {1, 4, 1}, "fields": {1, 3, 0}, "whole": {1, 1, 0},
	} {
		got := execAsk(t, e, question)
		qs, _ := got.SubQuestions()
		retrieved, _ := got.StagePassagesEach(assay.StageRetrieve)
		kept, _ := got.StagePassagesEach(assay.StageFilter)
		count := func(lists [][]assay.Passage) (n int) {
			for _, l := range lists {
				n += len(l)
			}
			return n
		}
		if got.Answer != "a" || got.NoAnswer || strings.Join(qs, " ") != "one? two?" || len(retrieved) != 2 ||
			count(retrieved) != want.retrieved || count(kept) != want.kept || len(got.Passages) != want.passages {
			t.Errorf("%s: %+v", question, got)
		}
		if p := retrieved[0][0]; p.Text != "first" || p.Document != "d1" || p.Index != 3 {
			t.Errorf("%s: passage %+v", question, p)
		}
	}
	if text, ok := ptr(execAsk(t, e, "fields")).Transcript(); !ok || text != "heard" {
		t.Errorf("transcript %q", text)
	}
}

func ptr[T any](v T) *T { return &v }

func TestPythonPaths(t *testing.T) {
	t.Parallel()
	read, err := reply.NewMapping(map[string]string{reply.Answer: "said", reply.Passages: "data.hits", reply.Text: "body"})
	if err != nil {
		t.Fatal(err)
	}
	e := python(t, requiretest.Command(t, "python3"), "shim/app.py:returns", func(c *target.ExecConfig) { c.Read = read })
	if r := execAsk(t, e, "deep"); r.Answer != "a" || !reflect.DeepEqual(r.Passages, []assay.Passage{{Text: "p"}}) {
		t.Errorf("%+v", r)
	}
}

func TestPythonAsks(t *testing.T) {
	t.Parallel()
	py := requiretest.Command(t, "python3")
	for _, test := range []struct {
		path, question, answer string
		change                 func(*target.ExecConfig)
	}{
		{"shim/app.py:loud", "q", "typed nothing", nil},
		{"shim/app.py:takes", "q", "q 3 {'lang': 'de'}", func(c *target.ExecConfig) { c.TopK = 3 }},
		{"shim/app.py:Index()", "q", "q 3 {'lang': 'de'}", func(c *target.ExecConfig) { c.TopK = 3 }},
		{"shim/app.py:Index()", "q", "q 5 {'lang': 'de'}", nil},
		{"shim/app.py:Runs()", "q", "q 3 {'lang': 'de'}", func(c *target.ExecConfig) { c.TopK = 3 }},
		{"shim/app.py:wants_object", "q", "got q", func(c *target.ExecConfig) { c.Send = map[string]any{"query": "{{question}}"} }},
		{"shim/app.py:named", "q", "named q", nil},
		{"shim/app.py:optional", "q", "3 None q", func(c *target.ExecConfig) { c.TopK = 3 }},
		{"shim/app.py:optional_keyword", "q", "None q", nil},
		{"shim/app.py:required", "q", "q Be brief.", nil},
		{"shim/app.py:wants_key", "q", "got q!", func(c *target.ExecConfig) { c.Send = map[string]any{"ticket": "{{question}}!"} }},
		{"shim/app.py:echo", "q", "'Q: q'", func(c *target.ExecConfig) { c.Send = "Q: {{question}}" }},
		{"shim/app.py:Chat()", "q", "q", nil},
		{"shim/app.py:chat.chat", "q", "q", nil},
		{"shim.app:echo", "q", "'q'", nil},
	} {
		t.Run(test.path, func(t *testing.T) {
			t.Parallel()
			e := python(t, py, test.path, func(c *target.ExecConfig) {
				if test.change != nil {
					test.change(c)
				}
			})
			r, err := e.Ask(t.Context(), &assay.Case{Question: test.question, Metadata: map[string]any{"lang": "de"}})
			if err != nil || r.Answer != test.answer || r.Warnings != nil {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
	e := python(t, py, "shim/app.py:chat", nil)
	for range 2 {
		if got := execAsk(t, e, "alone?").Answer; got != "alone?" {
			t.Errorf("a chat remembers another question: %q", got)
		}
	}
	if v := e.Versions(); v["python"] == "" || v["asked"] != "app.Chat.chat(text)" {
		t.Errorf("versions %v", v)
	}
}

// An exception is the failure of its case: the object is asked once, and every other case in the same form.
func TestPythonExceptions(t *testing.T) {
	t.Parallel()
	py := requiretest.Command(t, "python3")
	for _, path := range []string{"shim/app.py:raises", "shim/app.py:Invoked()", "shim/app.py:Run()"} {
		for question, says := range map[string]string{
			"KeyError": "KeyError: 'parking'", "TypeError": "TypeError: expected str instance", "AttributeError": "AttributeError: messages",
			"ValueError": "ValueError: the input key expected a message", "Custom": "Custom: a bug",
		} {
			t.Run(path+" "+question, func(t *testing.T) {
				t.Parallel()
				e := python(t, py, path, nil)
				for range 2 { // in the first row and in a later one
					if fail := execFails(t, e, question, target.Raised, says, "(shim/app.py:", "in raises)"); fail.Again {
						t.Error("another attempt would raise the same")
					}
					if got := execAsk(t, e, "next?").Answer; got != "'next?'" {
						t.Errorf("the function got %s, want the text", got)
					}
				}
			})
		}
	}
	e := python(t, py, "shim/app.py:outage", nil)
	for question, again := range map[string]bool{"busy": true, "refused": true, "cause": true, "bug": false, "code 503": true, "status 429": true, "code 404": false,
		"code 7": false} {
		kind := map[bool]target.Kind{true: target.Failed, false: target.Raised}[again]
		if fail := execFails(t, e, question, kind); fail.Again != again {
			t.Errorf("%s: retried: %t", question, fail.Again)
		}
	}
}

// Questions are asked at once, by threads and in the event loop.
func TestPythonAtOnce(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"shim/app.py:meeting", "shim/app.py:async_meeting"} {
		e := python(t, requiretest.Command(t, "python3"), path, nil)
		var wg sync.WaitGroup
		for _, q := range []string{"one", "two"} {
			wg.Go(func() {
				r, err := e.Ask(t.Context(), &assay.Case{Question: q})
				if err != nil || r.Answer != q {
					t.Errorf("%s: %+v, %v", path, r, err)
				}
			})
		}
		wg.Wait()
	}
}

// An empty list of sources is marked, as over HTTP.
func TestPythonCites(t *testing.T) {
	t.Parallel()
	e := python(t, requiretest.Command(t, "python3"), "shim/app.py:lists", nil)
	for q, want := range map[string]bool{"none": true, "some": false} {
		if r := execAsk(t, e, q); r.Cites != want || r.Passages == nil {
			t.Errorf("%s: %+v", q, r)
		}
	}
}

// An asynchronous function that blocks its loop fails alone: the others are answered within
// their time, and say what to change.
func TestPythonBlockedLoop(t *testing.T) {
	t.Parallel()
	e := python(t, requiretest.Command(t, "python3"), "shim/app.py:blocks", nil)
	execAsk(t, e, "0")
	ask := func(q string) (assay.Response, error) {
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		defer cancel()
		return e.Ask(ctx, &assay.Case{Question: q})
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if _, err := ask("60"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the question that blocks: %v", err)
		}
	})
	time.Sleep(200 * time.Millisecond) // the question that blocks is the first
	for range 3 {
		wg.Go(func() {
			r, err := ask("0")
			if err != nil {
				t.Errorf("a question beside it: %v", err)
			} else if w := strings.Join(r.Warnings, ""); !strings.Contains(w, "blocks the event loop (shim/app.py:") ||
				!strings.Contains(w, "in blocks)") || !strings.Contains(w, "def instead of async def") {
				t.Errorf("warnings %q", w)
			}
		})
	}
	wg.Wait()
}

func TestPythonTrouble(t *testing.T) {
	t.Parallel()
	py := requiretest.Command(t, "python3")
	e := python(t, py, "shim/app.py:trouble", nil)
	execFails(t, e, "raise", target.Raised, "RuntimeError: no model\nis loaded (shim/app.py:", "in trouble)")
	execFails(t, e, "leave", target.Raised, "SystemExit: 3")
	loop := python(t, requiretest.Command(t, "python3"), "shim/app.py:troubled", nil)
	execFails(t, loop, "leave", target.Raised, "SystemExit: 3")
	if got := execAsk(t, loop, "q"); got.Answer != "q" {
		t.Errorf("after an exit of an asynchronous function: %+v", got)
	}
	execFails(t, e, "interrupt", target.Raised, "KeyboardInterrupt")
	execFails(t, e, "mute", target.Raised, "Mute (shim/app.py:", "in trouble)")
	execFails(t, e, "die", target.Crash, "exit status 9", "out of memory")
	if got := execAsk(t, e, "next?").Answer; got != "next?" {
		t.Errorf("answer %q", got)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := e.Ask(ctx, &assay.Case{Question: "hang"}); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "the target has not returned") {
		t.Errorf("error %v", err)
	}
	if got := execAsk(t, e, "next?").Answer; got != "next?" {
		t.Errorf("answer %q", got)
	}
	for path, says := range map[string]string{
		"shim/app.py:anser":     "did you mean 'answer'",
		"shim/app.py:zzz":       "it has ",
		"shim/app.py:Chat":      "is a class: expected an object, such as shim/app.py:Chat()",
		"shim/app.py:nothing":   "is None",
		"shim/app.py:nothing()": "cannot be called",
		"shim/app.py:PipelineBase()": "wrap it in a function such as\ndef ask(question):\n    " +
			`return pipeline.run({"retriever": {"query": question}}, include_outputs_from={"retriever"})`,
		"shim/app.py:DOCUMENTS":   "expected a function, or an object with one of invoke",
		"shim/app.py:after()":     "missing 1 required positional argument",
		"shim/app.py:two":         "app.py:two requires more than the question: expected a default for other",
		"shim/app.py:none_at_all": "app.py:none_at_all has no parameter for the question",
		"shim/imports.py:chain":   "ModuleNotFoundError: No module named 'no_such_package' (shim/imports.py:1 in <module>); this is /",
		"shim/syntax.py:chain":    "SyntaxError",
		"shim/script.py:chain":    "SystemExit: 2",
		"nomodule:chain":          "No module named 'nomodule'",
	} {
		e := python(t, py, path, nil)
		if fail := execFails(t, e, "q", target.Refused, says); fail.Again {
			t.Errorf("%s: another attempt would find the same", path)
		}
	}
	execFails(t, python(t, "no-such-python", "shim/app.py:answer", nil), "q", target.Refused, "no-such-python", "PATH")
	for path, says := range map[string]string{
		"":                  "expected a file and the name",
		"shim/app.py":       `expected "shim/app.py:chain"`,
		"shim/app.py:":      "expected a file and the name",
		"shim/no.py:chain":  `no file "shim/no.py"`,
		"shim:chain/x":      "expected a file and the name",
		"shim/folder:chain": "no file",
	} {
		if _, err := target.NewPython(target.LangChain, py, path, target.ExecConfig{Dir: "testdata"}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: error %v, want one that says %q", path, err, says)
		}
	}
	if _, err := target.NewPython(target.LlamaIndex, py, "no-folder", target.ExecConfig{}); err == nil || !strings.Contains(err.Error(), "persist") {
		t.Errorf("error %v", err)
	}
}

// Not parallel: the kit counts goroutines.
func TestPythonConforms(t *testing.T) {
	defer goleak.VerifyNone(t)
	py := requiretest.Command(t, "python3")
	t.Run("trouble", func(t *testing.T) {
		targettest.Run(t, targettest.Suite{
			Target: python(t, py, "shim/app.py:trouble", nil),
			Cases:  []assay.Case{{ID: "1", Question: "one?"}, {ID: "2", Question: "zwei?"}},
			Fails:  map[string]assay.Case{"exception": {ID: "e", Question: "raise"}, "crash": {ID: "d", Question: "die"}},
			Silent: &assay.Case{ID: "s", Question: "one?"}, Hangs: &assay.Case{ID: "h", Question: "hang"},
		})
	})
	t.Run("returns", func(t *testing.T) {
		targettest.Run(t, targettest.Suite{
			Target: python(t, py, "shim/app.py:returns", nil),
			Cases:  []assay.Case{{ID: "1", Question: "nested"}, {ID: "2", Question: "usage"}},
			Fails:  map[string]assay.Case{"exception": {ID: "e", Question: "None"}},
			Silent: &assay.Case{ID: "s", Question: "text"}, Empty: &assay.Case{ID: "0", Question: "empty list"},
		})
	})
}

// An agent that keeps the steps of a question is asked one at a time, also by a function.
func TestPythonAsksAgentsAlone(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"SOLO", "solo"} {
		e := python(t, requiretest.Command(t, "python3"), "shim/app.py:"+path, nil)
		answers := make(chan string)
		for range 3 {
			go func() {
				r, err := e.Ask(t.Context(), &assay.Case{ID: "a", Question: "q"})
				answers <- fmt.Sprint(r.Answer, err)
			}()
		}
		for range 3 {
			if got := <-answers; got != "1<nil>" {
				t.Errorf("%s: most at once: %s", path, got)
			}
		}
		// One that ends at its maximum of steps says so, and only of the question that it ended at.
		for _, question := range []string{"q", "too long", "the answer of before"} {
			if r := execAsk(t, e, question); strings.Contains(fmt.Sprint(r.Warnings), "ended at its maximum of steps") != (question == "too long") {
				t.Errorf("%s: %s: warnings %q", path, question, r.Warnings)
			}
		}
	}
}

// A number is read as under the name of an answer. A text beside a number may be an answer with its confidence.
func TestPythonReadsNumbers(t *testing.T) {
	t.Parallel()
	e := python(t, requiretest.Command(t, "python3"), "shim/app.py:typed", nil)
	for question, want := range map[string]string{"float": "40", "flag": "false", "tuple": "a tuple of a text and a number"} {
		r, err := e.Ask(t.Context(), &assay.Case{ID: "a", Question: question})
		if got := r.Answer + fmt.Sprint(err); !strings.HasPrefix(got, want) && (r.Answer != "" || !strings.Contains(got, want)) {
			t.Errorf("%s: %s, want %s", question, got, want)
		}
	}
}

// A history that cases share is warned about, also where a path of the answer is given.
func TestPythonStateBetweenCases(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"remembers": "the default of 'history' changes", "filtered": "", "answer": "", "logs": "", "Remembers()": "'_history' changes", "shared": "'HISTORY' changes",
		"Bot()": "keeps a conversation (memory: BufferMemory)", "converses": "keeps a conversation (ENGINE: ChatEngine)", "restarts": "", "ENGINE": "",
		"threaded": "every case has the thread_id '1'",
	} {
		for _, read := range []reply.Mapping{{}, httpMapping(t, map[string]string{reply.Answer: "$"})} {
			if path == "answer" && !read.Empty() {
				continue
			}
			e := python(t, requiretest.Command(t, "python3"), "shim/app.py:"+path, func(c *target.ExecConfig) { c.Read = read })
			var warned []string
			for _, q := range []string{"q1", "q2"} {
				r, err := e.Ask(t.Context(), &assay.Case{ID: q, Question: q})
				if err != nil {
					t.Fatalf("%s: %v", path, err)
				}
				warned = r.Warnings
			}
			if got := strings.Join(warned, "\n"); (got != "") != (want != "") || !strings.Contains(got, want) {
				t.Errorf("%s: warnings %q, want %q", path, got, want)
			}
		}
	}
}
