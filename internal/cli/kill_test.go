//go:build unix

package cli_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/cli"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/store"
)

// kills is how often a run is killed, each time at another moment.
const kills = 20

// killCases at killRate make a run long enough that kills land in the middle of
// it, whatever else the machine does, and cheap enough to be made twenty times.
const (
	killCases = 60
	killRate  = "--rate=200"
)

// TestKilledRunResumes kills real processes at random moments with SIGKILL and
// resumes them. The report must be that of an undisturbed run, and no case that
// was finished before the kill may be evaluated again.
func TestKilledRunResumes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bin := buildProgram(t)
	writeKillData(t, dir)
	if out, err := killable(bin, dir, "whole").CombinedOutput(); err != nil {
		t.Fatalf("undisturbed run: %v\n%s", err, out)
	}
	// The second run finds the index in the cache, as the killed ones do.
	start := time.Now()
	again := killable(bin, dir, "again")
	again.Args = append(again.Args, killRate)
	if out, err := again.CombinedOutput(); err != nil {
		t.Fatalf("second run: %v\n%s", err, out)
	}
	whole := time.Since(start)
	want := comparable(t, filepath.Join(dir, "whole.json"))
	rng := rand.New(rand.NewPCG(20, 26))
	landed := 0
	for i := range kills {
		// Most when so many cases are done, some at any time.
		done, after := 1+rng.IntN(killCases*2/3), time.Duration(0)
		if i%5 == 0 {
			done, after = 0, time.Duration(rng.Int64N(int64(whole)))
		}
		name := fmt.Sprintf("killed%d", i)
		if killAndResume(t, bin, dir, name, done, after) {
			landed++
		}
		if d := cmp.Diff(want, comparable(t, filepath.Join(dir, name+".json"))); d != "" {
			t.Fatalf("kill %d: the report differs from that of an undisturbed run (-want +got):\n%s", i, d)
		}
	}
	t.Logf("%d of %d kills landed between the first and the last case (a run takes %v)", landed, kills, whole.Round(time.Millisecond))
	if landed < kills/2 {
		t.Errorf("only %d of %d kills landed in a run: the test shows little", landed, kills)
	}
}

// TestInterruptedRunResumes sends a real process the signal of Ctrl-C, of a service that
// stops it, or of a terminal that goes away when the first case is done: the run ends with
// exit code 130, a report of what is finished, and the way to go on. Under nohup it does
// not end when the terminal goes away.
func TestInterruptedRunResumes(t *testing.T) {
	t.Parallel()
	const cases = 40
	dir := t.TempDir()
	bin := buildProgram(t)
	writeKillData(t, dir)
	// A judge that takes its time keeps the run going until the signal is
	// there, however busy the machine is.
	if err := os.WriteFile(filepath.Join(dir, "slow.yaml"), []byte("simulate: true\nlatency: 5ms\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	slow := func(name string, more ...string) *exec.Cmd {
		cmd := killable(bin, dir, name)
		cmd.Args = append(cmd.Args, fmt.Sprintf("--limit=%d", cases), "--metrics=answer_correctness", "--judge=fake:slow.yaml", "--passes=1",
			"--set=judge-concurrency=1")
		cmd.Args = append(cmd.Args, more...)
		return cmd
	}
	if out, err := slow("whole").CombinedOutput(); err != nil {
		t.Fatalf("undisturbed run: %v\n%s", err, out)
	}
	// The tests themselves may run under nohup; a signal that is handled here is not ignored
	// by the processes that are started.
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	defer signal.Stop(hangup)
	for name, sent := range map[string]syscall.Signal{"interrupt": syscall.SIGINT, "terminate": syscall.SIGTERM, "hangup": syscall.SIGHUP} {
		said, err := signalled(t, slow(name, "--verbose"), sent, fmt.Sprintf("  1/%d ", cases))
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != cli.ExitInterrupted {
			t.Fatalf("%s: the run ended with %v, want exit code %d\n%s", name, err, cli.ExitInterrupted, said)
		}
		for _, want := range []string{"assay: stopping: waits for what is in flight", "interrupted after ", fmt.Sprintf(" of %d cases", cases),
			"hint: assay run --resume="} {
			if !strings.Contains(said, want) {
				t.Errorf("%s: standard error has no %q:\n%s", name, want, said)
			}
		}
		part := comparable(t, filepath.Join(dir, name+".json"))
		if n := len(part["cases"].([]any)); n == 0 || n >= cases {
			t.Errorf("%s: the report of what is finished holds %d cases", name, n)
		}
		if out, err := slow(name, "--resume").CombinedOutput(); err != nil {
			t.Fatalf("%s: resume: %v\n%s", name, err, out)
		}
		if d := cmp.Diff(comparable(t, filepath.Join(dir, "whole.json")), comparable(t, filepath.Join(dir, name+".json"))); d != "" {
			t.Errorf("%s: the report differs from that of an undisturbed run (-want +got):\n%s", name, d)
		}
	}
	ignoring := slow("nohup", "--verbose")
	ignoring.Args = append([]string{"sh", "-c", `trap "" HUP; exec "$@"`, "sh"}, ignoring.Args...)
	ignoring.Path = requiretest.Command(t, "sh")
	if said, err := signalled(t, ignoring, syscall.SIGHUP, fmt.Sprintf("  1/%d ", cases)); err != nil {
		t.Errorf("under nohup the run ended with %v:\n%s", err, said)
	}
}

// signalled runs a command in a session of its own, as in the background of a terminal,
// sends it a signal when its standard error says something, and returns what it said.
func signalled(t *testing.T, cmd *exec.Cmd, sent syscall.Signal, when string) (string, error) {
	t.Helper()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	for lines := bufio.NewScanner(pipe); lines.Scan(); {
		if strings.Contains(lines.Text(), when) {
			if err := cmd.Process.Signal(sent); err != nil {
				t.Fatal(err)
			}
		}
		said.WriteString(lines.Text() + "\n")
	}
	return said.String(), cmd.Wait()
}

// killAndResume kills a run when so many cases are done, or, if that is 0, some
// time after its start. It reports whether the kill came while cases were being
// evaluated.
func killAndResume(t *testing.T, bin, dir, name string, done int, after time.Duration) bool {
	t.Helper()
	cmd := killable(bin, dir, name)
	cmd.Args = append(cmd.Args, "--verbose", killRate)
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := func() { cmd.Process.Signal(syscall.SIGKILL) }
	if done == 0 {
		defer time.AfterFunc(after, kill).Stop()
	}
	for lines := bufio.NewScanner(pipe); lines.Scan(); {
		if done > 0 && strings.Contains(lines.Text(), fmt.Sprintf(" %d/%d ", done, killCases)) {
			kill()
		}
	}
	err = cmd.Wait()
	before := stored(t, filepath.Join(dir, name+".db"))
	if err == nil {
		return false // it was faster than the kill
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("the run ended by itself: %v", err)
	}
	again := killable(bin, dir, name)
	if before != nil {
		again.Args = append(again.Args, "--resume", "--rate=0")
	}
	if out, err := again.CombinedOutput(); err != nil {
		t.Fatalf("resume: %v\n%s", err, out)
	}
	after2 := stored(t, filepath.Join(dir, name+".db"))
	for id, rec := range before {
		if d := cmp.Diff(rec, after2[id]); d != "" {
			t.Fatalf("case %s was finished before the kill and changed afterwards:\n%s", id, d)
		}
	}
	return len(before) > 0 && len(before) < killCases
}

func killable(bin, dir, name string) *exec.Cmd {
	cmd := exec.Command(bin, "run", "--dataset", "cases.json", "--corpus", "docs", "--retriever", "sparse", "--concurrency", "2",
		"--metrics", "ndcg@10,token_f1,answer_keyword_recall,k_precision", "--store", name+".db", "--output", name, "--formats", "json",
		"--set", "cache=cache")
	cmd.Dir = dir
	cmd.Env = []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")}
	return cmd
}

func writeKillData(t *testing.T, dir string) {
	t.Helper()
	type testCase struct {
		ID       string   `json:"id"`
		Question string   `json:"question"`
		Answer   string   `json:"ground_truth"`
		Contexts []string `json:"expected_contexts"`
		Keywords []string `json:"expected_keywords"`
	}
	var cases []testCase
	if err := os.MkdirAll(filepath.Join(dir, "docs"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range killCases {
		name := fmt.Sprintf("house%d.md", i%40)
		cases = append(cases, testCase{fmt.Sprintf("c%03d", i), fmt.Sprintf("Which colour has the door of house %d, asked for the %dth time?",
			i%40, i/40+1),
			"green", []string{name}, []string{"green"}})
		text := fmt.Sprintf("# House %d\n\nThe door of house %d is green. The roof of house %d has %d tiles. Nobody knows who built it.\n", i%40,
			i%40, i%40, i)
		if err := os.WriteFile(filepath.Join(dir, "docs", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := json.Marshal(map[string]any{"test_cases": cases})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "cases.json"), data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// stored gives the records of the only run in a database; nil when there is no
// run yet.
func stored(t *testing.T, path string) map[string]assay.Record {
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
	h, err := s.Run(ctx, store.Latest)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]assay.Record{}
	for rec, err := range s.Records(ctx, h.ID) {
		if err != nil {
			t.Fatal(err)
		}
		out[rec.Case.ID] = rec
	}
	return out
}
