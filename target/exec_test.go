package target_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/reply"
	"github.com/assay-eval/assay/target/targettest"
)

// execAsk asks and wants an answer.
func execAsk(t *testing.T, e assay.Target, question string) assay.Response {
	t.Helper()
	r, err := e.Ask(t.Context(), &assay.Case{ID: "c", Question: question})
	if err != nil {
		t.Fatalf("%.100q: %v", question, err)
	}
	return r
}

// execFails asks and wants a failure of a kind that says all of the words.
func execFails(t *testing.T, e assay.Target, question string, kind target.Kind, words ...string) *target.Error {
	t.Helper()
	r, err := e.Ask(t.Context(), &assay.Case{ID: "c", Question: question})
	var fail *target.Error
	if !errors.As(err, &fail) || fail.Kind != kind {
		t.Fatalf("%.100q: response %+v, error %v: want one of kind %q", question, r, err, kind)
	}
	for _, word := range words {
		if !strings.Contains(fail.Error(), word) {
			t.Errorf("%.100q: message %q lacks %q", question, fail, word)
		}
	}
	return fail
}

func execSuite(e assay.Target) targettest.Suite {
	return targettest.Suite{
		Target: e, Cases: []assay.Case{{ID: "1", Question: "one?"}, {ID: "2", Question: "zwei — 二?", Metadata: map[string]any{"lang": "de"}}},
		Fails: map[string]assay.Case{
			"error": {ID: "e", Question: `raw:{"seq": SEQ, "error": "no index"}`},
			"reply": {ID: "r", Question: `raw:{"seq": SEQ, "passages": 5}`},
			"crash": {ID: "k", Question: "exit:"},
		},
		Silent: &assay.Case{ID: "s", Question: `raw:{"seq": SEQ, "answer": "a"}`},
		Empty:  &assay.Case{ID: "0", Question: `raw:{"seq": SEQ, "passages": []}`},
		Hangs:  &assay.Case{ID: "h", Question: "hang:"},
	}
}

// Not parallel: the kit counts goroutines.
func TestExecConforms(t *testing.T) {
	defer goleak.VerifyNone(t)
	for name, change := range map[string]func(*target.ExecConfig){
		"one process":    nil,
		"four processes": func(c *target.ExecConfig) { c.Processes = 4 },
		"pipelined":      func(c *target.ExecConfig) { c.Pipelined = true },
		"two pipelined":  func(c *target.ExecConfig) { c.Pipelined, c.Processes = true, 2 },
	} {
		t.Run(name, func(t *testing.T) { targettest.Run(t, execSuite(helper(t, "", change))) })
	}
}

func TestExecLine(t *testing.T) {
	t.Parallel()
	ask := func(c assay.Case, change func(*target.ExecConfig)) string {
		t.Helper()
		r, err := helper(t, "", change).Ask(t.Context(), &c)
		if err != nil {
			t.Fatal(err)
		}
		return r.Answer
	}
	c := assay.Case{ID: "c7", Question: "echo:<a> & \"b\"\nc\u2028\xff", Metadata: map[string]any{"n": 1.0}}
	if got, want := ask(c, nil),
		`{"id":"c7","metadata":{"n":1},"question":"echo:<a> & \"b\"\nc\u2028\ufffd","seq":1,"top_k":null}`; got != want {
		t.Errorf("the line is %s\nwant %s", got, want)
	}
	got := ask(assay.Case{ID: "c8", Question: "echo:"}, func(c *target.ExecConfig) {
		c.TopK = 4
		c.Values = map[string]any{"tenant": "blue"}
		c.Send = map[string]any{"question": "{{question}}", "n": "{{top_k}}", "nr": "{{seq}}", "who": "{{tenant}}"}
	})
	if want := `{"n":4,"nr":1,"question":"echo:","who":"blue"}`; got != want {
		t.Errorf("the line of a template is %s\nwant %s", got, want)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	got = ask(assay.Case{Question: "env:COLOUR"}, func(c *target.ExecConfig) {
		c.Command[0], c.Dir, c.Env = self, dir, append(c.Env, "COLOUR=red")
	})
	if want := "red in " + dir; got != want {
		t.Errorf("environment and folder: %q, want %q", got, want)
	}
}

func TestExecConfig(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		c    target.ExecConfig
		says string
	}{
		{target.ExecConfig{}, "no command"},
		{target.ExecConfig{Command: []string{" "}}, "no command"},
		{target.ExecConfig{Command: []string{"a", "b\x00"}}, "argument 1"},
		{target.ExecConfig{Command: []string{"a"}, Env: []string{"=x"}}, "expected NAME=value"},
		{target.ExecConfig{Command: []string{"a"}, Env: []string{"SECRET"}}, "expected NAME=value"},
		{target.ExecConfig{Command: []string{"a"}, Start: -1}, "expected 0 or more"},
		{target.ExecConfig{Command: []string{"a"}, Send: "{{question}}"}, "expected an object"},
		{target.ExecConfig{Command: []string{"a"}, Send: map[string]any{"q": "{{qestion}}"}}, "qestion"},
		{target.ExecConfig{Command: []string{"a"}, Send: map[string]any{"q": "{{question"}}, "q"},
		{target.ExecConfig{Command: []string{"a"}, Send: map[string]any{"q": "{{question}}"}, Pipelined: true}, "{{seq}}"},
	} {
		if _, err := target.NewExec(test.c); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%+v: error %v, want one that says %q", test.c, err, test.says)
		}
	}
}

func TestExecReplies(t *testing.T) {
	t.Parallel()
	e := helper(t, "", nil)
	for line, want := range map[string]string{
		`{"answer": "a"}`:                                   "a",
		`{"seq": SEQ, "answer": "a"}`:                       "a",
		`{"seq": "SEQ", "answer": "a"}`:                     "a",
		`{"seq": SEQ.0, "answer": "a"}`:                     "a",
		"\uFEFF{\"answer\": \"bom\"}":                       "bom",
		"  {\"answer\": \"crlf\"}\r":                        "crlf",
		"\n\n\r\n{\"answer\": \"blank lines\"}":             "blank lines",
		"{\"answer\": \"a\xff\"}":                           "a\uFFFD",
		`{"answer": "NaN and 'so'"}`:                        "NaN and 'so'",
		`{"answer": "a", "error": null}`:                    "a",
		`{"answer": "a", "error": ""}`:                      "a",
		`{"answer": "a", "error": 0.5}`:                     "a", // a rate
		`{"answer": "a", "error": false, "x": {"seq": 77}}`: "a",
	} {
		if got := execAsk(t, e, "raw:"+line).Answer; got != want {
			t.Errorf("%q is read as %q, want %q", line, got, want)
		}
	}
	if got := execAsk(t, e, "big:").Answer; len(got) != 15<<20 {
		t.Errorf("a reply of 15 MiB has %d bytes", len(got))
	}
	for line, test := range map[string]struct {
		kind target.Kind
		says string
	}{
		`{"error": "no index"}`:               {target.Failed, "no index"},
		`{"error": {"message": "no memory"}}`: {target.Failed, "no memory"},
		`{"error": {"code": 5}}`:              {target.Failed, `{"code":5}`},
		`{"error": true}`:                     {target.Failed, "true"},
		`{"score": NaN}`:                      {target.Reply, "column 11: NaN is not JSON: json.dumps"},
		`{"score": -Infinity}`:                {target.Reply, "column 12: Infinity is not JSON"},
		`{"score": [Infinity]}`:               {target.Reply, "column 12: Infinity is not JSON"},
		`{'answer': 'a'}`:                     {target.Reply, "single quotes; use json.dumps"},
		`{"answer": "a",}`:                    {target.Reply, "column 16"},
		`{"answer": "a"} {"answer": "b"}`:     {target.Reply, "one object a line"},
		`{"seq": 9999, "answer": "a"}`:        {target.Reply, `"seq" 9999`},
		`{"passages": 7}`:                     {target.Reply, "passages"},
	} {
		execFails(t, e, "raw:"+line, test.kind, test.says)
		if got := execAsk(t, e, "next?").Answer; got != "next?" {
			t.Errorf("after %q the next question is answered %q", line, got)
		}
	}
	execFails(t, e, "huge:", target.Reply, "longer than 16 MiB")
	if got := execAsk(t, e, "next?").Answer; got != "next?" {
		t.Errorf("after a huge line the next question is answered %q", got)
	}
}

// Lines that are no JSON objects are ignored, and told once.
func TestExecNoise(t *testing.T) {
	t.Parallel()
	e := helper(t, "", nil)
	r := execAsk(t, e, "raw:Loading weights: 100%\n[1, 2]\n{INFO} starting\n{\"answer\": \"a\"}")
	want := []string{`3 lines on the command's standard output were not JSON and were ignored, the first "Loading weights: 100%": print to ` +
		`standard error instead`}
	if r.Answer != "a" || !reflect.DeepEqual(r.Warnings, want) {
		t.Errorf("answer %q with warnings %q\nwant %q", r.Answer, r.Warnings, want)
	}
	if r := execAsk(t, e, "raw:more\n{\"answer\": \"b\"}"); r.Answer != "b" || r.Warnings != nil {
		t.Errorf("the second time: answer %q with warnings %q", r.Answer, r.Warnings)
	}
	// A second reply to one question must not become that of the next.
	fail := execFails(t, e, "raw:{\"level\": \"info\"}\n{\"answer\": \"a\"}", target.Reply, "two replies to one question",
		`{\"answer\": \"a\"}`)
	if fail.Again {
		t.Error("another attempt would find the same")
	}
	if got := execAsk(t, e, "next?").Answer; got != "next?" {
		t.Errorf("answer %q", got)
	}
}

func TestExecPipelined(t *testing.T) {
	t.Parallel()
	e := helper(t, "ready", func(c *target.ExecConfig) { c.Pipelined = true })
	if err := e.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := e.Versions(); !reflect.DeepEqual(got, map[string]string{"helper": "1.2"}) {
		t.Errorf("versions %v", got)
	}
	// Out of order: ten questions whose replies come last to first.
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			q := fmt.Sprintf("slow:%d", i)
			r, err := e.Ask(t.Context(), &assay.Case{ID: fmt.Sprint(i), Question: q})
			if err != nil || r.Answer != q || r.Passages[0].Text != "p of "+fmt.Sprint(i) {
				t.Errorf("%s: %+v, %v", q, r, err)
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	for flushing := true; flushing; {
		execAsk(t, e, "flush:")
		select {
		case <-done:
			flushing = false
		default:
		}
	}
	// A reply that comes when nobody waits for it any more is dropped.
	var late sync.WaitGroup
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	pid := execAsk(t, e, `raw:{"seq": SEQ, "answer": "x"}`)
	late.Go(func() {
		_, err := e.Ask(ctx, &assay.Case{Question: "slow:late"})
		var fail *target.Error
		if !errors.As(err, &fail) || fail.Kind != target.Timeout || !fail.Again || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
	})
	for open := true; open; {
		if r := execAsk(t, e, "one?"); r.Answer != "one?" || r.Warnings != nil {
			t.Errorf("%+v", r)
		}
		select {
		case <-ctx.Done():
			open = false
		default:
		}
	}
	late.Wait()
	if r := execAsk(t, e, "flush:"); r.Warnings != nil || pid.Warnings != nil {
		t.Errorf("warnings %q", r.Warnings)
	}
	if r := execAsk(t, e, "one?"); r.Answer != "one?" || r.Warnings != nil {
		t.Errorf("after a late reply: %+v", r)
	}
	// A remark among the replies of a process that repeats seq hangs nobody.
	r := execAsk(t, e, "raw:{\"level\": \"info\"}\n{\"seq\": 4000, \"answer\": \"b\"}\n{\"seq\": SEQ, \"answer\": \"a\"}")
	if r.Answer != "a" || len(r.Warnings) != 2 || !strings.Contains(r.Warnings[0], `no "seq"`) || !strings.Contains(r.Warnings[1],
		"seq\" 4000") {
		t.Errorf("answer %q, warnings %q", r.Answer, r.Warnings)
	}
}

// A process that never repeats seq fails at once, and does not hang.
func TestExecPipelinedWithoutSeq(t *testing.T) {
	t.Parallel()
	e := helper(t, "", func(c *target.ExecConfig) { c.Pipelined = true })
	execFails(t, e, `raw:{"answer": "a"}`, target.Reply, `no "seq"`, "pipelined")
	execFails(t, e, `raw:{"seq": 77, "answer": "a"}`, target.Reply, `"seq" 77`)
	execFails(t, e, `raw:{'answer': 'a'}`, target.Reply, "single quotes")
	if got := execAsk(t, e, "one?").Answer; got != "one?" {
		t.Errorf("answer %q", got)
	}
}

func TestExecWatch(t *testing.T) {
	t.Parallel()
	e := helper(t, "", nil)
	ctx, x := target.Watch(t.Context())
	if _, err := e.Ask(ctx, &assay.Case{ID: "c", Question: "stderr:searching"}); err != nil {
		t.Fatal(err)
	}
	if want := `{"id":"c","metadata":{},"question":"stderr:searching","seq":1,"top_k":null}`; x.Sent != want {
		t.Errorf("sent %s\nwant %s", x.Sent, want)
	}
	if !strings.HasPrefix(x.Received, `{"seq": 1, "answer": "stderr:searching"`) || len(x.Readings) == 0 {
		t.Errorf("received %s, readings %v", x.Received, x.Readings)
	}
	// What comes over standard error may be there a moment later.
	for range 10_000 {
		if strings.Contains(strings.Join(x.Notes, "\n"), "stderr: searching") {
			break
		}
		if ctx, x = target.Watch(t.Context()); execWatched(ctx, e) != nil {
			break
		}
	}
	if notes := strings.Join(x.Notes, "\n"); !strings.Contains(notes, "command: [") || !strings.Contains(notes, "stderr: searching") {
		t.Errorf("notes %q", x.Notes)
	}
}

func execWatched(ctx context.Context, e *target.Exec) error {
	_, err := e.Ask(ctx, &assay.Case{Question: "one?"})
	return err
}

// What a command says is answered as it is, and shown without a secret that it was given.
func TestExecSecrets(t *testing.T) {
	t.Parallel()
	const key = "sk-0123456789abcdef"
	var log bytes.Buffer
	e := helper(t, "", func(c *target.ExecConfig) {
		c.Secrets, c.Env, c.Stderr = secret.Set{secret.New(key)}, append(c.Env, "KEY="+key), &log
	})
	ctx, x := target.Watch(t.Context())
	r, err := e.Ask(ctx, &assay.Case{Question: "env:KEY"})
	if err != nil || !strings.HasPrefix(r.Answer, key+" in ") {
		t.Errorf("%+v, %v", r, err)
	}
	execAsk(t, e, "stderr:key "+key)
	execFails(t, e, `raw:{"error": "key `+key+` is wrong"}`, target.Failed, "key [secret] is wrong")
	execFails(t, e, "exit:", target.Crash)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"stderr": log.String(), "exchange": fmt.Sprintf("%+v", x)} {
		if strings.Contains(text, key) {
			t.Errorf("%s shows the key: %s", name, text)
		}
	}
	if !strings.Contains(log.String(), "key [secret]\n") {
		t.Errorf("stderr is %q", log.String())
	}
}

// Without a mapping a known shape is looked for.
func TestExecDetects(t *testing.T) {
	t.Parallel()
	e := helper(t, "", func(c *target.ExecConfig) { c.Read = reply.Mapping{} })
	r := execAsk(t, e, "one?")
	if want := []assay.Passage{{ID: "c1", Document: "d1", Text: "p of c"}}; r.Answer != "one?" || !reflect.DeepEqual(r.Passages, want) {
		t.Errorf("%+v", r)
	}
	if r := execAsk(t, e, `raw:{"seq": SEQ, "passages": []}`); r.Passages == nil || len(r.Passages) != 0 || r.Answer != "" {
		t.Errorf("retrieval without a result: %+v", r)
	}
	if r := execAsk(t, e, `raw:{"seq": SEQ, "answer": "a"}`); r.Passages != nil || r.Answer != "a" {
		t.Errorf("an answer alone: %+v", r)
	}
	execFails(t, e, `raw:{"seq": SEQ, "colour": "red"}`, target.Reply, `"colour"`, `"passages"`)
}
