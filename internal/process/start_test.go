package process_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/process"
)

// roleVariable makes the test binary a program that TestKillEndsChildren starts.
const roleVariable = "ASSAY_TEST_PROCESS_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(roleVariable) {
	case "parent":
		// The child holds the output of its parent open.
		child := exec.Command(os.Args[0])
		child.Env, child.Stdout = append(os.Environ(), roleVariable+"=child"), os.Stdout
		if err := child.Start(); err != nil {
			os.Exit(3)
		}
		time.Sleep(time.Hour)
	case "child":
		os.Stdout.WriteString("ready\n")
		time.Sleep(time.Hour)
	default:
		os.Exit(m.Run())
	}
}

// TestKillEndsChildren ends a process, and the output that its child holds open ends too.
func TestKillEndsChildren(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.Command(os.Args[0])
	cmd.Env, cmd.Stdout = append(os.Environ(), roleVariable+"=parent"), w
	if err := process.Start(cmd); err != nil {
		t.Fatal(err)
	}
	w.Close()
	out := bufio.NewReader(r)
	if line, err := out.ReadString('\n'); line != "ready\n" || err != nil {
		t.Fatalf("the child says %q, %v", line, err)
	}
	if err := process.Kill(cmd); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("the process ended well: want it killed")
	}
	if _, err := out.ReadByte(); err != io.EOF {
		t.Errorf("the child's output: %v: want its end", err)
	}
	_ = process.Kill(cmd) // which may be too late, and does no harm
}

func TestStartFails(t *testing.T) {
	t.Parallel()
	if err := process.Start(exec.Command("no-such-program-of-assay")); err == nil {
		t.Error("a program that is not there was started")
	}
	if err := process.Kill(&exec.Cmd{}); err == nil {
		t.Error("a process that was not started was killed")
	}
}
