package llm_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/llm"
)

// question is a request as the prompts make it, with its nonce filled in.
func question(operation, nonce, data string) llm.Request {
	return llm.Request{
		Operation: operation, Model: "m", System: "You judge. Echo the nonce " + nonce + ".",
		Messages: []llm.Message{{Role: "user", Text: fmt.Sprintf("<data nonce=%q>\n%s\n</data nonce=%q>\nEcho %q.", nonce, data, nonce, nonce)}},
	}
}

func newFake(t *testing.T, s llm.FakeScript) *llm.Fake {
	t.Helper()
	f, err := llm.NewFake(s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func script(t *testing.T, yaml string) llm.FakeScript {
	t.Helper()
	s, err := llm.ReadFakeScript("script.yaml", []byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func logged(t *testing.T, path string) []llm.FakeCall {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var calls []llm.FakeCall
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var c llm.FakeCall
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("log line %q: %v", lines.Text(), err)
		}
		calls = append(calls, c)
	}
	return calls
}

func TestFakeFirstMatchingRuleAnswers(t *testing.T) {
	t.Parallel()
	f := newFake(t, script(t, `
rules:
  - when: {operation: claims, contains: ferry}
    reply: {nonce: "{{nonce}}", items: [{id: 1, claim: The ferry runs.}]}
  - when: {operation: claims, nth: 2}
    text: second {{nonce}}
    thinking: hmm
    usage: {input: 7, output: 5, reasoning: 2}
  - when: {matches: '"question":\s*"Wh(y|o)'}
    reply: "why {{nonce}}"
  - when: {model: other}
    reply: [1, 2.5, null, true]
  - when: {operation: claims}
    text: ""
`))
	other := question("x", "n6", "{}")
	other.Model = "other"
	for _, c := range []struct {
		name string
		r    llm.Request
		want llm.Reply
	}{
		{
			"a value is written as JSON",
			question("claims", "n1", `{"text":"the ferry"}`),
			llm.Reply{Text: `{"items":[{"claim":"The ferry runs.","id":1}],"nonce":"n1"}`},
		},
		{"the first of the second rule's", question("claims", "n2", `{"text":"a bus"}`), llm.Reply{Text: ""}},
		{
			"the second of the second rule's",
			question("claims", "n3", `{"text":"a bus"}`),
			llm.Reply{Text: "second {{nonce}}", Thinking: "hmm", Usage: llm.Usage{Input: 7, Output: 5, Reasoning: 2}},
		},
		{"the third of the second rule's", question("claims", "n4", `{"text":"a bus"}`), llm.Reply{Text: ""}},
		{"a pattern", question("support", "n5", `{"question": "Why?"}`), llm.Reply{Text: "why n5"}},
		{"a model", other, llm.Reply{Text: "[1,2.5,null,true]"}},
	} {
		got, err := f.Complete(t.Context(), c.r)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		c.want.Model, c.want.Stop = c.r.Model, "end"
		if c.want.Usage == (llm.Usage{}) {
			c.want.Usage = got.Usage
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
	_, err := f.Complete(t.Context(), question("support", "n7", `{"question":"Where?"}`))
	if !llm.IsKind(err, llm.KindReply) || !strings.Contains(err.Error(), `operation "support"`) || !strings.Contains(err.Error(), "Where?") {
		t.Errorf("a request without a rule: %v", err)
	}
}

func TestFakeCountsTokens(t *testing.T) {
	t.Parallel()
	f := newFake(t, script(t, "rules:\n- text: 十二 abcde\n  thinking: abcdefgh\n"))
	got, err := f.Complete(t.Context(), llm.Request{
		System:   "abcd",
		Schema:   []byte(`{}`),
		Messages: []llm.Message{{Text: "渡輪"}, {Text: "a"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	// By the rule of thumb of EstimateTokens. In: 1 for "abcd", 1 for "{}", 2
	// for "渡輪", 1 for "a". Out: 4 for "十二 abcde", which is 3.5, and 2 that
	// were thought.
	if want := (llm.Usage{Input: 5, Output: 6, Reasoning: 2}); got.Usage != want {
		t.Errorf("usage %+v, want %+v", got.Usage, want)
	}
	// The same question costs the same, whatever its nonce.
	f = newFake(t, script(t, "rules:\n- reply: '{{nonce}}'\n"))
	var usage []llm.Usage
	for _, nonce := range []string{"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "11111111111111111111111111111111"} {
		got, err := f.Complete(t.Context(), question("a", nonce, "{}"))
		if err != nil {
			t.Fatal(err)
		}
		usage = append(usage, got.Usage)
	}
	if usage[0] != usage[1] {
		t.Errorf("usage %+v and %+v of the same question", usage[0], usage[1])
	}
}

func TestFakeErrors(t *testing.T) {
	t.Parallel()
	f := newFake(t, script(t, `
rules:
  - {when: {operation: "401"}, status: 401}
  - {when: {operation: "403"}, status: 403}
  - {when: {operation: "404"}, status: 404}
  - {when: {operation: "400"}, status: 400}
  - {when: {operation: "408"}, status: 408}
  - {when: {operation: "413"}, status: 413}
  - {when: {operation: "429"}, status: 429}
  - {when: {operation: "429 after"}, status: 429, retry_after: 3s}
  - {when: {operation: "500"}, status: 500}
  - {when: {operation: "529"}, status: 529}
  - {when: {operation: closed}, closed: true}
`))
	for _, c := range []struct {
		operation string
		want      llm.Error
	}{
		{"401", llm.Error{Kind: llm.KindAuth, Status: 401, Message: "unauthorized"}},
		{"403", llm.Error{Kind: llm.KindAuth, Status: 403, Message: "forbidden"}},
		{"404", llm.Error{Kind: llm.KindModel, Status: 404, Message: "not found"}},
		{"400", llm.Error{Kind: llm.KindRequest, Status: 400, Message: "bad request"}},
		{"408", llm.Error{Kind: llm.KindTimeout, Status: 408, Message: "request timeout"}},
		{"413", llm.Error{Kind: llm.KindTooLong, Status: 413, Message: "request entity too large"}},
		{"429", llm.Error{Kind: llm.KindRate, Status: 429, Message: "too many requests"}},
		{"429 after", llm.Error{Kind: llm.KindRate, Status: 429, Message: "too many requests", After: 3 * time.Second}},
		{"500", llm.Error{Kind: llm.KindServer, Status: 500, Message: "internal server error"}},
		{"529", llm.Error{Kind: llm.KindServer, Status: 529, Message: "unknown status"}},
		{"closed", llm.Error{Kind: llm.KindNetwork, Message: "the connection was closed before the reply"}},
	} {
		_, err := f.Complete(t.Context(), question(c.operation, "n", "{}"))
		var got *llm.Error
		if !errors.As(err, &got) {
			t.Errorf("%s: %v, want an *llm.Error", c.operation, err)
			continue
		}
		plain := *got
		plain.Err = nil
		c.want.Provider, c.want.Model, c.want.Attempts = "fake", "m", 1
		if d := cmp.Diff(c.want, plain); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.operation, d)
		}
	}
}

// TestFakeHangsAndWaits runs on a clock of its own: no real time passes.
func TestFakeHangsAndWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t,
			script(t, "latency: 2s\nrules:\n- {when: {operation: hang}, hang: true}\n- {when: {operation: slow}, delay: 3s, text: a}\n"))
		start := time.Now()
		if _, err := f.Complete(t.Context(), question("slow", "n", "{}")); err != nil || time.Since(start) != 5*time.Second {
			t.Errorf("took %v with error %v, want latency and delay, 5s", time.Since(start), err)
		}
		for _, operation := range []string{"hang", "slow"} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			start = time.Now()
			if _, err := f.Complete(ctx,
				question(operation, "n", "{}")); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
				t.Errorf("%s: %v after %v, want the deadline of 1s", operation, err, time.Since(start))
			}
			cancel()
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := f.Complete(ctx, question("other", "n", "{}")); !errors.Is(err, context.Canceled) {
			t.Errorf("a context that has ended: %v", err)
		}
	})
}

func TestFakeSimulates(t *testing.T) {
	t.Parallel()
	s := script(t, "simulate: true\nrules:\n- {when: {contains: scripted}, text: by rule}\n- {when: {contains: fenced}, fault: fence}\n")
	s.Answer = func(r llm.Request) (string, error) {
		if r.Operation == "bad" {
			return "", errors.New("no such task")
		}
		return "played", nil
	}
	f := newFake(t, s)
	for _, c := range []struct{ data, want string }{{"scripted", "by rule"}, {"fenced", "```json\nplayed\n```"}, {"other", "played"}} {
		if got, err := f.Complete(t.Context(), question("support", "n", c.data)); err != nil || got.Text != c.want {
			t.Errorf("%s: %q, %v, want %q", c.data, got.Text, err, c.want)
		}
	}
	if _, err := f.Complete(t.Context(),
		question("bad", "n", "")); !llm.IsKind(err, llm.KindReply) || !strings.Contains(err.Error(), "no such task") {
		t.Errorf("an error of the simulation: %v", err)
	}
	if _, err := newFake(t, llm.FakeScript{Simulate: true}).Complete(t.Context(), question("x", "n", "")); !llm.IsKind(err, llm.KindReply) {
		t.Errorf("nothing to simulate with: %v", err)
	}
}

// TestFakeFaults shows what each fault makes of one reply.
func TestFakeFaults(t *testing.T) {
	t.Parallel()
	const valid = `{"items":[{"id":1,"verdict":"a"},{"id":2,"verdict":"b"}],"nonce":"n"}`
	for _, c := range []struct {
		fault     llm.FakeFault
		operation string
		check     func(items []map[string]any, nonce, raw, stop string) bool
	}{
		{llm.FaultFence, "support", func(_ []map[string]any, _, raw, _ string) bool { return raw == "```json\n"+valid+"\n```" }},
		{llm.FaultProse, "support", func(_ []map[string]any, _, raw, _ string) bool {
			return strings.Contains(raw, valid) && !json.Valid([]byte(raw))
		}},
		{llm.FaultMissingID, "support", func(items []map[string]any, nonce, _, _ string) bool { return len(items) == 1 && nonce == "n" }},
		{llm.FaultMissingID, "claims", func(items []map[string]any, _, _, _ string) bool {
			return len(items) == 2 && (items[0]["id"] == nil) != (items[1]["id"] == nil)
		}},
		{llm.FaultDuplicateID, "support", func(items []map[string]any, _, _, _ string) bool {
			// The first or the third says of one item what was said of the other.
			said := ""
			for _, i := range items {
				said += fmt.Sprint(i["id"], i["verdict"])
			}
			return slices.Contains([]string{"1b1a2b", "2a1a2b", "1a2b1b", "1a2b2a"}, said)
		}},
		{llm.FaultWrongNonce, "support", func(items []map[string]any, nonce, _, _ string) bool {
			return len(items) == 2 && nonce != "n" && len(nonce) == 32
		}},
		{llm.FaultTruncated, "support", func(_ []map[string]any, _, raw, stop string) bool {
			return raw == valid[:len(valid)/2] && stop == "length"
		}},
		{llm.FaultEmpty, "support", func(_ []map[string]any, _, raw, stop string) bool { return raw == "" && stop == "end" }},
	} {
		s := llm.FakeScript{
			Simulate: true, Answer: func(llm.Request) (string, error) { return valid, nil },
			Faults: llm.FakeFaults{Rate: 1, Kinds: []llm.FakeFault{c.fault}},
		}
		var heard llm.FakeCall
		s.Observe = func(call llm.FakeCall) { heard = call }
		got, err := newFake(t, s).Complete(t.Context(), question(c.operation, "n", "{}"))
		if err != nil {
			t.Errorf("%s: %v", c.fault, err)
			continue
		}
		var reply struct {
			Nonce string           `json:"nonce"`
			Items []map[string]any `json:"items"`
		}
		if err := json.Unmarshal([]byte(got.Text), &reply); err != nil {
			reply.Items = nil
		}
		if !c.check(reply.Items, reply.Nonce, got.Text, got.Stop) {
			t.Errorf("%s of %s: %q (%s)", c.fault, c.operation, got.Text, got.Stop)
		}
		if heard.Fault != c.fault || !heard.Replied() {
			t.Errorf("%s: logged as %+v", c.fault, heard)
		}
	}
}

func TestFakeFaultThatFindsNoPlaceIsNotLogged(t *testing.T) {
	t.Parallel()
	for _, fault := range []llm.FakeFault{llm.FaultMissingID, llm.FaultDuplicateID, llm.FaultWrongNonce} {
		for _, said := range []string{"plain", `{"equivalent":true}`, `{"items":[]}`} {
			s := llm.FakeScript{
				Simulate: true, Answer: func(llm.Request) (string, error) { return said, nil },
				Faults: llm.FakeFaults{Rate: 1, Kinds: []llm.FakeFault{fault}},
			}
			var heard llm.FakeCall
			s.Observe = func(call llm.FakeCall) { heard = call }
			got, err := newFake(t, s).Complete(t.Context(), question("support", "n", "{}"))
			if err != nil || got.Text != said || heard.Fault != "" {
				t.Errorf("%s of %q: %q, %v, logged as %q", fault, said, got.Text, err, heard.Fault)
			}
		}
	}
}

// TestFakeDrawsAreTheSameInAnyOrder asks the same questions one by one, and all
// at once with other nonces.
func TestFakeDrawsAreTheSameInAnyOrder(t *testing.T) {
	t.Parallel()
	const questions, attempts = 50, 4
	draw := func(t *testing.T, nonce string, atOnce bool) map[string][]llm.FakeFault {
		var mu sync.Mutex
		out := map[string][]llm.FakeFault{}
		s := llm.FakeScript{
			Simulate: true, Answer: func(llm.Request) (string, error) { return `{"nonce":"x","items":[{"id":1},{"id":2}]}`, nil },
			Faults: llm.FakeFaults{Rate: 0.5, Seed: 7},
			Observe: func(c llm.FakeCall) {
				mu.Lock()
				defer mu.Unlock()
				out[c.Content] = append(out[c.Content], c.Fault)
			},
		}
		f := newFake(t, s)
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		for i := range questions {
			ask := func() {
				for range attempts {
					// A hang ends when the context does, and is logged before.
					wg.Go(func() { f.Complete(ctx, question("support", nonce, fmt.Sprintf(`{"n":%d}`, i))) })
				}
			}
			if ask(); !atOnce {
				synctest.Wait()
			}
		}
		synctest.Wait()
		cancel()
		wg.Wait()
		for _, faults := range out {
			slices.Sort(faults)
		}
		return out
	}
	synctest.Test(t, func(t *testing.T) {
		one, other := draw(t, "aaaa", false), draw(t, "bbbb", true)
		if d := cmp.Diff(one, other); d != "" {
			t.Errorf("the faults differ (-one by one +at once):\n%s", d)
		}
		if len(one) != questions {
			t.Errorf("%d contents, want %d: the nonce is part of them", len(one), questions)
		}
	})
}

// TestFakeRate counts 4000 draws: with rate 0.3 the standard deviation of the
// share is √(0.3·0.7/4000) = 0.0072; of each of two kinds, 0.15 with 0.0056.
func TestFakeRate(t *testing.T) {
	t.Parallel()
	counts := map[llm.FakeFault]float64{}
	f := newFake(t, llm.FakeScript{
		Simulate: true, Answer: func(llm.Request) (string, error) { return "a", nil },
		Faults:  llm.FakeFaults{Rate: 0.3, Seed: 1, Kinds: []llm.FakeFault{llm.FaultEmpty, llm.FaultServer}},
		Observe: func(c llm.FakeCall) { counts[c.Fault] += 1. / 4000 },
	})
	for i := range 4000 {
		_, err := f.Complete(t.Context(), question("x", "n", fmt.Sprint(i)))
		if err != nil && !llm.IsKind(err, llm.KindServer) {
			t.Fatal(err)
		}
	}
	if len(counts) != 3 || math.Abs(counts[llm.FaultEmpty]-0.15) > 4*0.0056 || math.Abs(counts[llm.FaultServer]-0.15) > 4*0.0056 {
		t.Errorf("shares %v, want 0.15 of each fault", counts)
	}
}

func TestFakeLog(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "calls.jsonl")
	s := script(t,
		"rules:\n- {when: {operation: a}, text: abcde, usage: {input: 3, output: 2}}\n- {when: {operation: b}, status: 429}\n- {when: {operation: c}, hang: true}\n")
	s.Log = path
	s.Now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600)) }
	ctx, cancel := context.WithCancel(t.Context())
	s.Observe = func(c llm.FakeCall) {
		if c.Fault == llm.FaultHang {
			cancel()
		}
	}
	for _, f := range []*llm.Fake{newFake(t, s), newFake(t, s)} {
		f.Complete(t.Context(), question("a", "n1", "{}"))
		f.Complete(t.Context(), question("a", "n2", "{}"))
	}
	f := newFake(t, s)
	f.Complete(t.Context(), question("b", "n3", "{}"))
	f.Complete(ctx, question("c", "n3", "{}"))
	got := logged(t, path)
	content, data := got[0].Content, got[0].Data
	at := s.Now().UTC()
	want := []llm.FakeCall{
		{Time: at, Operation: "a", Model: "m", Content: content, Data: data, Nonce: "n1", Attempt: 1, Rule: 1, Input: 3, Output: 2},
		{Time: at, Operation: "a", Model: "m", Content: content, Data: data, Nonce: "n2", Attempt: 2, Rule: 1, Input: 3, Output: 2},
		{Time: at, Operation: "a", Model: "m", Content: content, Data: data, Nonce: "n1", Attempt: 1, Rule: 1, Input: 3, Output: 2},
		{Time: at, Operation: "a", Model: "m", Content: content, Data: data, Nonce: "n2", Attempt: 2, Rule: 1, Input: 3, Output: 2},
		{
			Time:      at,
			Operation: "b",
			Model:     "m",
			Content:   content,
			Data:      data,
			Nonce:     "n3",
			Attempt:   1,
			Rule:      2,
			Status:    429,
			Error:     "too many requests",
		},
		{
			Time:      at,
			Operation: "c",
			Model:     "m",
			Content:   content,
			Data:      data,
			Nonce:     "n3",
			Attempt:   2,
			Rule:      3,
			Fault:     llm.FaultHang,
			Error:     "hangs",
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("log (-want +got):\n%s", d)
	}
	if len(content) != 64 || len(data) != 64 {
		t.Errorf("content %q, data %q, want 64 hexadecimal digits", content, data)
	}
}

// TestFakeContent tells questions apart by everything but their nonces and what
// is not sent.
func TestFakeContent(t *testing.T) {
	t.Parallel()
	var contents, data []string
	f := newFake(t, llm.FakeScript{
		Rules:   []llm.FakeRule{{Reply: "a"}},
		Observe: func(c llm.FakeCall) { contents, data = append(contents, c.Content), append(data, c.Data) },
	})
	repair := func(nonce, earlier string) llm.Request {
		r := question("a", nonce, "{}")
		r.Messages = append(r.Messages, llm.Message{
			Role: "assistant",
			Text: `{"nonce": "` + earlier + `"}`,
		}, llm.Message{Role: "user", Text: "again"})
		return r
	}
	drawn := question("a", "n1", "{}")
	drawn.Draw = 1
	for _, r := range []llm.Request{
		question("a", "n1", "{}"), question("b", "n2", "{}"), question("a", "n1", "[]"), drawn,
		repair("n3", "n4"), repair("n5", "n6"),
	} {
		if _, err := f.Complete(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if contents[0] != contents[1] {
		t.Error("the nonce or the operation is part of the content")
	}
	if contents[4] != contents[5] {
		t.Error("the nonce of an earlier reply is part of the content")
	}
	if data[0] != data[4] || data[0] == data[2] {
		t.Errorf("data %.8q: want that of a question and its repair to be the same, and of another question to differ", data)
	}
	slices.Sort(contents)
	if n := len(slices.Compact(contents)); n != 4 {
		t.Errorf("%d different contents, want 4", n)
	}
}

func TestFakeLogThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	if _, err := llm.NewFake(llm.FakeScript{Log: filepath.Join(t.TempDir(), "none", "log")}); err == nil {
		t.Error("a log in a folder that is not there: no error")
	}
	dir := filepath.Join(t.TempDir(), "logs")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	f := newFake(t, llm.FakeScript{Rules: []llm.FakeRule{{Reply: "a"}}, Log: filepath.Join(dir, "log")})
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	_, err := f.Complete(t.Context(), question("a", "n", ""))
	var e *llm.Error
	if !errors.As(err, &e) || !e.Fatal() {
		t.Errorf("a call that cannot be logged: %v, want a fatal error", err)
	}
}
