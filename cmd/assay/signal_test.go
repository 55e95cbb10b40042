//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if os.Getenv("ASSAY_TEST_PROGRAM") != "" {
		os.Exit(run())
	}
	os.Exit(m.Run())
}

// TestTheSecondSignalEndsACommandAtOnce: also one that waits for what knows no context, here for
// somebody who writes into a pipe.
func TestTheSecondSignalEndsACommandAtOnce(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "gold.jsonl")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "dataset", "stats", pipe)
	cmd.Env = append(os.Environ(), "ASSAY_TEST_PROGRAM=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	// The command reads when it has opened the pipe.
	writer, err := os.OpenFile(pipe, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	for range 2 {
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond) // two signals at once are one
	}
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
