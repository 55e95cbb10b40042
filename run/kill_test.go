package run_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/run"
	"github.com/assay-eval/assay/store"
	"github.com/google/go-cmp/cmp"
)

// victimEnv makes the test binary a process that runs until it is killed.
const victimEnv = "ASSAY_RUN_VICTIM"

const (
	victimCases = 700
	// lead is how many cases a victim may be ahead of what it was seen to
	// count when it is killed: enough that it is never waiting.
	lead = 12
)

// victim resumes the run in the database at path, prints each case that the
// target is asked, and then each that is counted. Each case takes a byte from
// the standard input, so that the run does not end before it is killed.
func victim(path string) error {
	ctx := context.Background()
	s, err := store.Open(ctx, path)
	if err != nil {
		return err
	}
	target := &fake{ask: moody, delay: func(id string, call int) {
		if call == 1 {
			// At the end of the input there is no limit.
			_, _ = os.Stdin.Read(make([]byte, 1))
			fmt.Println("asked", id)
		}
	}}
	cfg := config(&testing.T{}, target, cases("k", victimCases))
	cfg.Metrics = metrics(&testing.T{}, "length", "passages", "fragile")
	cfg.Concurrency = 3
	plan := run.Plan{Config: cfg, Observer: counting{}}
	h, err := s.Run(ctx, "kill")
	if err != nil {
		return err
	}
	if err := plan.Resume(h); err != nil {
		return err
	}
	session, err := run.Begin(ctx, plan, s)
	if err != nil {
		return err
	}
	for _, err := range session.Records(ctx) {
		if err != nil {
			return err
		}
	}
	_, err = session.Finish(ctx, nil)
	return errors.Join(err, s.Close(), errors.New("finished"))
}

// counting prints each case that is durable.
type counting struct{}

func (counting) Started(assay.Header, int) {}
func (counting) Finished(r assay.Record)   { fmt.Println("counted", r.Case.ID) }

// A run that is killed at random moments, and resumed each time, ends with the
// records of an undisturbed one and asks no case that was counted before.
func TestKillAndResume(t *testing.T) {
	t.Parallel()
	calm, killed := filepath.Join(t.TempDir(), "calm.db"), filepath.Join(t.TempDir(), "killed.db")
	for _, path := range []string{calm, killed} {
		s := openStore(t, path)
		if err := s.CreateRun(t.Context(), assay.Header{ID: "kill"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, finished := session(t, calm, -1, nil); !finished {
		t.Fatal("the undisturbed run did not end")
	}
	random := rand.New(rand.NewPCG(3, 4))
	var counted []string
	kills := 0
	for finished := false; !finished; {
		limit := -1
		if kills < 20 {
			limit = random.IntN(20)
		}
		counted, finished = session(t, killed, limit, counted)
		if !finished {
			kills++
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	if kills < 20 {
		t.Errorf("the run ended after %d kills: want 20", kills)
	}
	if d := cmp.Diff(records(t, calm), records(t, killed)); d != "" {
		t.Errorf("(-calm +killed):\n%s", d)
	}
}

// session runs a victim and kills it after it has counted limit cases (never
// when limit is below 0). counted lists the cases that are known to be durable;
// the list is returned with those of this session.
func session(t *testing.T, path string, limit int, counted []string) (_ []string, finished bool) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), victimEnv+"="+path)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if limit >= 0 {
		in, feed, err := os.Pipe() // which stays open, unlike a reader
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		defer feed.Close()
		if _, err := feed.Write(make([]byte, limit+lead)); err != nil {
			t.Fatal(err)
		}
		cmd.Stdin = in
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if limit == 0 {
		cmd.Process.Kill()
	}
	before, n := slices.Clone(counted), 0
	for lines := bufio.NewScanner(out); lines.Scan(); {
		what, id, _ := strings.Cut(lines.Text(), " ")
		switch what {
		case "asked":
			if slices.Contains(before, id) {
				t.Errorf("case %q is asked again", id)
			}
		case "counted":
			counted = append(counted, id)
			if n++; n == limit {
				cmd.Process.Kill()
			}
		}
	}
	err = cmd.Wait()
	if strings.TrimSpace(said.String()) == "finished" {
		return counted, true
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != -1 {
		t.Errorf("the process ended with %v: %s", err, said.String())
	}
	kept := records(t, path)
	for _, id := range counted {
		if !slices.ContainsFunc(kept, func(r assay.Record) bool { return r.Case.ID == id }) {
			t.Errorf("case %q was counted and is lost", id)
		}
	}
	return counted, false
}

func openStore(t *testing.T, path string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func records(t *testing.T, path string) (out []assay.Record) {
	t.Helper()
	for r, err := range openStore(t, path).Records(t.Context(), "kill") {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}
