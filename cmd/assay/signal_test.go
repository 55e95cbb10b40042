//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if os.Getenv("ASSAY_TEST_SIGNALS") != "" {
		interrupts(func() {})
		fmt.Println("ready")
		time.Sleep(time.Minute) // it knows no context
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestTheSecondSignalEndsACommandAtOnce: also one that waits for what knows no context.
func TestTheSecondSignalEndsACommandAtOnce(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "ASSAY_TEST_SIGNALS=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 16)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond) // two signals at once are one
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-ended:
		if code := cmd.ProcessState.ExitCode(); code != 130 {
			t.Errorf("exit code %d, want 130", code)
		}
	case <-time.After(20 * time.Second):
		t.Error("the command goes on after the second signal")
		_ = cmd.Process.Kill()
		<-ended
	}
}
