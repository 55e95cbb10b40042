package cli_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
)

// A program that writes something other than a reply times out; the run, its report and
// the doctor show what it wrote.
func TestExecLate(t *testing.T) {
	t.Parallel()
	requiretest.Command(t, "sh")
	a := newAgent(t, "")
	const says = `no response within 1s: the command gave no reply; on stdout it wrote "[1]", which is not a JSON object; stderr: loading`
	args := []string{"--adapter", "exec", "--command", `sh -c 'echo loading >&2; echo "[1]"; while read line; do :; done'`, "--dataset",
		"tests.json", "--ids", "tc_001", "--timeout", "1s", "--set", "retries=0"}
	code, _, stderr := a.run(append([]string{"run"}, args...)...)
	if code != 3 {
		t.Errorf("exit code %d", code)
	}
	holds(t, "standard error", stderr, `the target failed the only case; "tc_001": `+says)
	if c := a.page("results/eval_report.json").Cases[0]; c.Failure == nil || c.Failure.Kind != "timeout" || c.Failure.Message != says {
		t.Errorf("failure %+v", c.Failure)
	}
	code, stdout, _ := a.run(append([]string{"doctor"}, args...)...)
	if code != 3 {
		t.Errorf("exit code %d of the doctor", code)
	}
	holds(t, "the doctor", stdout, "did not answer: "+says, "  failed: "+says)
}

// A program's output of several lines is indented below its heading.
func TestExecTraceback(t *testing.T) {
	t.Parallel()
	requiretest.Command(t, "sh")
	a := newAgent(t, "")
	_, stdout, _ := a.run("doctor", "--adapter", "exec", "--command", `sh -c 'printf "first\nsecond\n" >&2; exit 1'`, "--dataset",
		"tests.json")
	holds(t, "the doctor", stdout, "stderr: first\n    second\n")
	for line := range strings.Lines(stdout) {
		if strings.HasPrefix(line, "second") {
			t.Errorf("a line without its heading:\n%s", stdout)
		}
	}
}

// Starting a program and asking it note its command, which is shown once.
func TestExecCommandOnce(t *testing.T) {
	t.Parallel()
	requiretest.Command(t, "sh")
	a := newAgent(t, "")
	code, stdout, stderr := a.run("run", "--dry-run", "--command",
		`sh -c 'while read line; do echo "{\"seq\": 1, \"answer\": \"yes\"}"; done'`, "--set", "exec.pipelined", "--dataset", "tests.json")
	if n := strings.Count(stdout, "command: "); code != 0 || n != 1 {
		t.Errorf("exit code %d, the command stands there %d times: want once\n%s%s", code, n, stdout, stderr)
	}
}
