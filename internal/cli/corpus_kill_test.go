//go:build unix

package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/cli"
	"github.com/assay-eval/assay/target/upload/nextcloudtest"
)

// uploader starts the program as a process of its own.
func uploader(t *testing.T, dir, journal string, s *nextcloudtest.Server) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The test binary is the program when it is called so.
	bin := filepath.Join(dir, "assay")
	if err := os.Symlink(exe, bin); err != nil && !errors.Is(err, os.ErrExist) {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, "corpus", "upload", "--to", "nextcloud", "--endpoint", s.URL, "--user", nextcloudtest.User, "--dataset", "data",
		"--journal", journal)
	cmd.Dir = dir
	cmd.Env = []string{"NEXTCLOUD_PASSWORD=" + nextcloudtest.Password, "HOME=" + dir, "PATH=" + os.Getenv("PATH")}
	return cmd
}

// TestKilledUpload kills uploads with SIGKILL while they send, each at another
// document, and gives the same command again: every document is there once.
func TestKilledUpload(t *testing.T) {
	t.Parallel()
	const documents = 80
	dir := t.TempDir()
	writeDocuments(t, dir, documents)
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 8 {
		s := nextcloudtest.New(t, time.Now)
		journal := fmt.Sprintf("journal%d.jsonl", i)
		posts, at := 0, 1+rng.IntN(documents-10)
		cmd, started := uploader(t, dir, journal, s), make(chan struct{})
		kind := i % 3
		s.Fail(func(r *http.Request) *nextcloudtest.Fault {
			if r.Method != http.MethodPost {
				return nil
			}
			if posts++; posts != at {
				return nil
			}
			<-started
			if err := cmd.Process.Kill(); err != nil {
				t.Error(err)
			}
			// What is in flight was carried out, or begun, or not.
			return &nextcloudtest.Fault{Done: kind == 0, Half: kind == 1}
		})
		var exit *exec.ExitError
		if out, err := outputOf(cmd, started); !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Fatalf("the upload ended by itself: %v\n%s", err, out)
		}
		s.Fail(nil)
		if there := len(s.Notes()); there < at-4 || there > documents-1 {
			t.Errorf("killed at document %d, and %d are there", at, there)
		}
		if out, err := uploader(t, dir, journal, s).CombinedOutput(); err != nil {
			t.Fatalf("again: %v\n%s", err, out)
		}
		allOnce(t, s, documents)
	}
}

// outputOf runs a command; started is closed when it may be sent signals.
func outputOf(cmd *exec.Cmd, started chan<- struct{}) ([]byte, error) {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	close(started)
	err := cmd.Wait()
	return out.Bytes(), err
}

func allOnce(t *testing.T, s *nextcloudtest.Server, documents int) {
	t.Helper()
	seen := map[string]bool{}
	for _, n := range s.Notes() {
		id, _, _ := strings.Cut(n.Title, " ")
		if seen[id] || !strings.HasPrefix(n.Content, "text of "+id[1:]+". ") {
			t.Errorf("note %q holds %.20q, and is there twice: %v", n.Title, n.Content, seen[id])
		}
		seen[id] = true
	}
	if len(seen) != documents {
		t.Errorf("%d of %d documents are there", len(seen), documents)
	}
}

// TestInterruptedUpload sends the signal of Ctrl-C in the middle.
func TestInterruptedUpload(t *testing.T) {
	t.Parallel()
	const documents = 400
	dir := t.TempDir()
	writeDocuments(t, dir, documents)
	s := nextcloudtest.New(t, time.Now)
	cmd, started := uploader(t, dir, "journal.jsonl", s), make(chan struct{})
	posts := 0
	s.Fail(func(r *http.Request) *nextcloudtest.Fault {
		if r.Method == http.MethodPost {
			if posts++; posts == 30 {
				<-started
				if err := cmd.Process.Signal(os.Interrupt); err != nil {
					t.Error(err)
				}
			}
		}
		return nil
	})
	out, err := outputOf(cmd, started)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != cli.ExitInterrupted {
		t.Fatalf("the upload ended with %v, want exit code %d\n%s", err, cli.ExitInterrupted, out)
	}
	there := len(s.Notes())
	if want := fmt.Sprintf("hint: %d of %d documents are there; the same command continues from there\n", there,
		documents); !strings.Contains(string(out), want) || there == documents {
		t.Errorf("no %q in:\n%s", want, out)
	}
	out, err = uploader(t, dir, "journal.jsonl", s).CombinedOutput()
	if want := fmt.Sprintf("  known      %6d", there); err != nil || !strings.Contains(string(out), want) {
		t.Errorf("again: %v: no %q in:\n%s", err, want, out)
	}
	allOnce(t, s, documents)
}
