//go:build unix

package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/store"
)

const (
	// judgedKills is the number of times that one run is killed.
	judgedKills = 10
	// judgedCases make a run long enough that kills land in it.
	judgedCases = 40
	// inFlight is the most calls that the client makes at once, and so the most
	// replies that may be handed out and not in the ledger at a kill.
	inFlight = 4
)

// judgedCommand runs the program itself with a fake judge.
func judgedCommand(bin, dir, name string, more ...string) *exec.Cmd {
	cmd := exec.Command(bin, append([]string{
		"run", "--adapter=recorded", "--dataset=gold.jsonl", "--responses=responses.jsonl", "--metrics=" + judgedMetrics,
		"--judge=fake:" + name + "/judge.yaml", "--passes=1", "--concurrency=4", fmt.Sprintf("--set=judge-concurrency=%d", inFlight), "--store=" +
			name + ".db", "--output=" + name,
	}, more...)...)
	cmd.Dir = dir
	cmd.Env = []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")}
	return cmd
}

// selfAs makes the test binary, which is the program when it is called assay,
// callable in dir.
func selfAs(t *testing.T, dir string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "assay")
	if err := os.Symlink(self, bin); err != nil {
		t.Fatal(err)
	}
	return bin
}

func writeScript(t *testing.T, dir, name, script string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name, "judge.yaml"), []byte(script+"log: "+name+".log\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestKilledJudgedRunPaysNothingTwice kills a judged run with SIGKILL again and
// again, at random moments, and resumes it until it ends. What the ledger held
// at a kill is never asked again; what is asked twice was in flight, handed out
// by the provider and not yet kept. The report is that of an undisturbed run.
func TestKilledJudgedRunPaysNothingTwice(t *testing.T) {
	dir := t.TempDir()
	bin := selfAs(t, dir)
	writeRecorded(t, dir, judgedCases)
	const latency = 30 * time.Millisecond
	script := fmt.Sprintf("simulate: true\nlatency: %v\n", latency)
	writeScript(t, dir, "whole", script)
	writeScript(t, dir, "killed", script)
	start := time.Now()
	if out, err := judgedCommand(bin, dir, "whole").CombinedOutput(); err != nil {
		t.Fatalf("undisturbed run: %v\n%s", err, out)
	}
	whole := time.Since(start)
	calls := len(logOf(t, filepath.Join(dir, "whole.log")))

	rng := rand.New(rand.NewPCG(20, 26))
	landed, twice, worst := 0, 0, 0
	var held map[string]bool // contents that the ledger has
	for attempt := 0; ; attempt++ {
		cmd := judgedCommand(bin, dir, "killed")
		if held != nil {
			cmd.Args = append(cmd.Args, "--resume")
		}
		before := 0
		if attempt > 0 {
			before = len(logOf(t, filepath.Join(dir, "killed.log")))
		}
		// Some calls later, and some time after that.
		more := 0
		if landed < judgedKills {
			more = 1 + rng.IntN(calls/(2*judgedKills))
		}
		ended := killAfter(t, cmd, filepath.Join(dir, "killed.log"), before+more, more > 0, time.Duration(rng.Int64N(int64(latency))))
		log := logOf(t, filepath.Join(dir, "killed.log"))
		for _, c := range log[before:] {
			if held[c.Content] {
				t.Errorf("attempt %d asked %s of content %.8s again, whose reply the ledger held", attempt, c.Operation, c.Content)
			}
		}
		if ended {
			break
		}
		now := kept(t, filepath.Join(dir, "killed.db"), log)
		if now == nil {
			continue // no run was begun
		}
		lost := replied(log[before:]) - (len(now) - len(held))
		if held = now; lost < 0 || lost > inFlight {
			t.Errorf("attempt %d: %d replies were handed out and are not in the ledger, want 0 to %d", attempt, lost, inFlight)
		}
		twice += lost
		worst = max(worst, lost)
		if replied(log[before:]) > 0 && len(held) < calls {
			landed++
		}
	}
	log := logOf(t, filepath.Join(dir, "killed.log"))
	if n := replied(log); n != calls+twice {
		t.Errorf("%d replies, want the %d of an undisturbed run and %d that were in flight at a kill", n, calls, twice)
	}
	t.Logf("%d kills landed in a run of %d calls and %v; %d calls were in flight and asked again, %d at most after one kill", landed, calls,
		whole.Round(time.Millisecond), twice, worst)
	if landed < judgedKills {
		t.Errorf("%d kills landed in the run, want %d", landed, judgedKills)
	}
	if d := cmp.Diff(comparable(t, filepath.Join(dir, "whole.json")), comparable(t, filepath.Join(dir, "killed.json"))); d != "" {
		t.Errorf("the report differs from that of an undisturbed run (-want +got):\n%s", d)
	}
}

// killAfter runs a command. If it is to be killed, that is some time after the
// log has so many lines. It reports whether the command ended by itself.
func killAfter(t *testing.T, cmd *exec.Cmd, log string, lines int, kill bool, after time.Duration) (ended bool) {
	t.Helper()
	out, err := os.CreateTemp(t.TempDir(), "out")
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	if kill {
		go func() {
			tick := time.NewTicker(time.Millisecond)
			defer tick.Stop()
			for {
				select {
				case <-done:
					return
				case <-tick.C:
				}
				if data, err := os.ReadFile(log); err == nil && bytes.Count(data, []byte("\n")) >= lines {
					time.AfterFunc(after, func() { cmd.Process.Signal(syscall.SIGKILL) })
					return
				}
			}
		}()
	}
	err = cmd.Wait()
	close(done)
	var exit *exec.ExitError
	switch {
	case err == nil:
		return true
	case errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL:
		return false
	}
	said, _ := os.ReadFile(out.Name())
	t.Fatalf("the run ended with %v\n%s", err, said)
	return false
}

// kept returns the contents whose replies are in the ledger, or nil if there is no run
// yet. The nonce identifies the log line of an entry.
func kept(t *testing.T, path string, log []llm.FakeCall) map[string]bool {
	t.Helper()
	ctx := context.Background()
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	s, err := store.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Run(ctx, store.Latest); errors.Is(err, store.ErrNotFound) {
		return nil
	}
	content := map[string]string{}
	for _, c := range log {
		if c.Replied() {
			content[c.Nonce] = c.Content
		}
	}
	out := map[string]bool{}
	for call, err := range s.Calls(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		nonce := nonceOf(t, call)
		if content[nonce] == "" {
			t.Fatalf("the ledger has a reply of nonce %q, which the provider never gave", nonce)
		}
		out[content[nonce]] = true
	}
	return out
}

func nonceOf(t *testing.T, c assay.Call) string {
	t.Helper()
	var reply llm.Reply
	if err := json.Unmarshal(c.Reply, &reply); err != nil {
		t.Fatal(err)
	}
	return reply.Nonce
}

// TestKilledWhileOneCallHangs lets one call hang until all others are in the
// ledger, kills the run, and resumes it with a provider that answers: nothing
// at all is paid twice.
func TestKilledWhileOneCallHangs(t *testing.T) {
	dir := t.TempDir()
	bin := selfAs(t, dir)
	writeRecorded(t, dir, judgedCases)
	writeScript(t, dir, "whole", "simulate: true\n")
	if out, err := judgedCommand(bin, dir, "whole").CombinedOutput(); err != nil {
		t.Fatalf("undisturbed run: %v\n%s", err, out)
	}
	calls := len(logOf(t, filepath.Join(dir, "whole.log")))

	// The support of a case is its last call, so that no other waits for it.
	writeScript(t, dir, "killed", "simulate: true\nrules:\n- {when: {operation: support, contains: 'Lamma A'}, hang: true}\n")
	cmd := judgedCommand(bin, dir, "killed")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitForCalls(t, filepath.Join(dir, "killed.db"), calls-1)
	if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("the run ended although a call hangs")
	}
	writeScript(t, dir, "killed", "simulate: true\n")
	if out, err := judgedCommand(bin, dir, "killed", "--resume").CombinedOutput(); err != nil {
		t.Fatalf("resume: %v\n%s", err, out)
	}
	asked, paid, hung := 0, map[string]int{}, ""
	for _, c := range logOf(t, filepath.Join(dir, "killed.log")) {
		if c.Fault == llm.FaultHang {
			hung = c.Content
			continue
		}
		asked++
		paid[c.Content]++
	}
	if hung == "" || paid[hung] != 1 {
		t.Errorf("the call that hung, %.8s, was answered %d times, want once", hung, paid[hung])
	}
	if asked != calls || len(paid) != calls {
		t.Errorf("%d calls with %d contents, want the %d of an undisturbed run, each once", asked, len(paid), calls)
	}
	if d := cmp.Diff(comparable(t, filepath.Join(dir, "whole.json")), comparable(t, filepath.Join(dir, "killed.json"))); d != "" {
		t.Errorf("the report differs from that of an undisturbed run (-want +got):\n%s", d)
	}
}

// waitForCalls returns when the ledger of a running process holds n calls.
func waitForCalls(t *testing.T, path string, n int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	held := -1
	for held < n {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("the ledger holds %d calls, want %d", held, n)
		}
		if _, err := os.Stat(path); err != nil {
			continue
		}
		s, err := store.Open(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		if h, err := s.Run(ctx, store.Latest); err == nil {
			spent, err := s.Spent(ctx, h.ID)
			if err != nil {
				t.Fatal(err)
			}
			held = spent.Calls
		}
		s.Close()
	}
}
