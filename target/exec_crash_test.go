package target_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/target"
)

// After a crash the next question finds a new process.
func TestExecCrash(t *testing.T) {
	t.Parallel()
	for _, pipelined := range []bool{false, true} {
		e := helper(t, "", func(c *target.ExecConfig) { c.Pipelined = pipelined })
		for question, says := range map[string]string{"exit:": "exit status 3", "kill:": "signal: killed", "close:": "ended without a reply"} {
			fail := execFails(t, e, question, target.Crash, says)
			if !fail.Again {
				t.Errorf("%s: another attempt may help", question)
			}
			if got := execAsk(t, e, "next?").Answer; got != "next?" {
				t.Errorf("after %s: %q", question, got)
			}
		}
		// The last twenty of forty lines.
		fail := execFails(t, e, "exit:", target.Crash, "line 20\n", "line 39")
		if strings.Contains(fail.Error(), "line 19") {
			t.Errorf("message %q", fail)
		}
		if n := strings.Count(fail.Error(), "\n"); n != 19 {
			t.Errorf("%d line ends in %q", n, fail)
		}
		// What is no JSON is quoted when nothing else came.
		e = helper(t, "", func(c *target.ExecConfig) { c.Pipelined = pipelined })
		execFails(t, e, "gasp:", target.Crash, `on stdout it wrote "Fatal: no memory"`, "exit status 1")
	}
}

// A process that is killed from outside while it is asked.
func TestExecKilled(t *testing.T) {
	t.Parallel()
	e := helper(t, "", nil)
	pid, err := strconv.Atoi(execAsk(t, e, "pid:").Answer)
	if err != nil {
		t.Fatal(err)
	}
	there := filepath.Join(t.TempDir(), "asked")
	asked := make(chan error, 1)
	go func() {
		_, err := e.Ask(t.Context(), &assay.Case{Question: "hang:" + there})
		asked <- err
	}()
	// Killed before it is asked, the process would be replaced by one that hangs for good.
	for _, err := os.Stat(there); err != nil; _, err = os.Stat(there) {
		if t.Context().Err() != nil {
			t.Fatal("the process was never asked")
		}
		runtime.Gosched()
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	var fail *target.Error
	if err := <-asked; !errors.As(err, &fail) || fail.Kind != target.Crash {
		t.Errorf("got %v, want a crash", err)
	}
}

func TestExecStart(t *testing.T) {
	t.Parallel()
	text := filepath.Join(t.TempDir(), "rag.sh")
	if err := os.WriteFile(text, []byte("echo"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		mode   string
		change func(*target.ExecConfig)
		says   string
		again  bool
	}{
		"unknown":      {"", func(c *target.ExecConfig) { c.Command = []string{"assay-no-such-program"} }, "PATH", false},
		"no such file": {"", func(c *target.ExecConfig) { c.Command = []string{"./no/such"} }, "expected a program that exists", false},
		"no program":   {"", func(c *target.ExecConfig) { c.Command = []string{text} }, "chmod +x", false},
		"no folder":    {"", func(c *target.ExecConfig) { c.Dir = filepath.Join(c.Dir, "no-such-folder") }, "working directory", false},
		"refuses":      {"refuses", nil, "no index: run ingest.py first", false},
		"dies":         {"dies", func(c *target.ExecConfig) { c.Start = time.Minute }, "exit status 4); stderr: cannot load the model", true},
		"never ready":  {"silent", func(c *target.ExecConfig) { c.Start = 30 * time.Millisecond }, `{"ready": true} within 30ms`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := helper(t, test.mode, test.change)
			for range 2 { // and again
				if fail := execFails(t, e, "one?", target.Refused, test.says); fail.Again != test.again {
					t.Errorf("again %v", fail.Again)
				}
			}
			if err := e.Open(t.Context()); err == nil {
				t.Error("it opens")
			}
		})
	}
}

// A process that is slow to start is not killed with the question that waits.
func TestExecSlowStart(t *testing.T) {
	t.Parallel()
	e := helper(t, "silent", func(c *target.ExecConfig) { c.Start = time.Minute })
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	ctx, x := target.Watch(ctx)
	_, err := e.Ask(ctx, &assay.Case{Question: "one?"})
	var fail *target.Error
	if !errors.As(err, &fail) || fail.Kind != target.Timeout || !strings.Contains(err.Error(), "still starting") {
		t.Errorf("error %v", err)
	}
	if x.Sent != "" {
		t.Errorf("sent %q", x.Sent)
	}
}

// A hang costs one process, not the target.
func TestExecHang(t *testing.T) {
	t.Parallel()
	for _, pipelined := range []bool{false, true} {
		e := helper(t, "", func(c *target.ExecConfig) { c.Pipelined = pipelined })
		execAsk(t, e, "one?")
		times := 1
		if pipelined {
			times = 2 // the first time it may just be slow
		}
		for range times {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			_, err := e.Ask(ctx, &assay.Case{Question: "hang:"})
			var fail *target.Error
			if !errors.As(err, &fail) || fail.Kind != target.Timeout || !errors.Is(err, context.DeadlineExceeded) ||
				!strings.Contains(err.Error(), "one line, terminated and flushed") {
				t.Errorf("error %v", err)
			}
		}
		if got := execAsk(t, e, "next?").Answer; got != "next?" {
			t.Errorf("answer %q", got)
		}
	}
}

// Close ends children too, also those that hold the streams, and a process that
// does not end with its input.
func TestExecClose(t *testing.T) {
	defer goleak.VerifyNone(t)
	e := helper(t, "", nil)
	pid, err := strconv.Atoi(execAsk(t, e, "child:").Answer)
	if err != nil {
		t.Fatal(err)
	}
	deaf := helper(t, "deaf", nil)
	if err := deaf.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	for range 2 {
		if err := errors.Join(e.Close(), deaf.Close()); err != nil {
			t.Error(err)
		}
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("closing took %v", took)
	}
	// Nobody may reap an orphan here: a zombie is dead as well.
	state, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err == nil && !strings.Contains(string(state), ") Z ") {
		t.Errorf("the child lives: %s", state)
	}
	execFails(t, e, "one?", target.Refused, "closed")
	if err := e.Open(t.Context()); err == nil {
		t.Error("a closed target opens")
	}
}

// A command that answers one question and ends crashes at worst on the next, and
// answers the one after that.
func TestExecEnds(t *testing.T) {
	t.Parallel()
	e := helper(t, "", nil)
	for range 5 {
		r, err := e.Ask(t.Context(), &assay.Case{Question: "last:"})
		if err != nil {
			var fail *target.Error
			if !errors.As(err, &fail) || fail.Kind != target.Crash || !strings.Contains(err.Error(), "until its input ends") {
				t.Fatalf("error %v", err)
			}
			r, err = e.Ask(t.Context(), &assay.Case{Question: "last:"})
		}
		if err != nil || r.Answer != "last:" {
			t.Fatalf("%+v, %v", r, err)
		}
	}
}

// The examples answer, one question at a time and several.
func TestExecExamples(t *testing.T) {
	t.Parallel()
	for program, file := range map[string]string{"python3": "rag.py", "node": "rag.mjs"} {
		path := requiretest.Command(t, program)
		e, err := target.NewExec(target.ExecConfig{Command: []string{path, file}, Dir: "../examples/exec", TopK: 2, Pipelined: program == "node"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close() })
		r := execAsk(t, e, "Who replaces a broken laptop?")
		if len(r.Passages) != 2 || r.Passages[0].Document != "equipment.md" || !strings.HasPrefix(r.Answer, "The service desk") ||
			r.Warnings != nil {
			t.Errorf("%s: %+v", file, r)
		}
	}
}
