package store_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/store/storetest"
)

// victimEnv makes the test binary a process that records until it is killed.
const victimEnv = "ASSAY_STORE_VICTIM"

func TestMain(m *testing.M) {
	if path := os.Getenv(victimEnv); path != "" {
		f := victim
		if calls, ok := strings.CutPrefix(path, "calls:"); ok {
			path, f = calls, callsVictim
		}
		err := f(path)
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if err := server.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// victim locks the run, goes on where the run ends, and prints the place of
// each record once Put has returned.
func victim(path string) error {
	ctx := context.Background()
	s, err := store.Open(ctx, path)
	if err != nil {
		return err
	}
	id := storetest.Header(1).ID
	if _, err := s.Lock(ctx, id); err != nil {
		return err
	}
	c, err := s.Counts(ctx, id)
	if err != nil {
		return err
	}
	fmt.Println("from", c.Records)
	for seq := c.Records; ; {
		// One record, and several at once, by turns.
		n := 1 + seq%3
		recs := storetest.Records(seq, n)
		if err := s.Put(ctx, id, recs...); err != nil {
			return err
		}
		seq += n
		fmt.Println("done", seq)
	}
}

// A process that is killed at any moment loses no record that it was told is
// durable, leaves no torn one, and leaves its lock to the next.
func TestKill(t *testing.T) {
	t.Parallel()
	testKill(t, filepath.Join(t.TempDir(), "assay.db"))
}

func TestKillPostgres(t *testing.T) {
	t.Parallel()
	testKill(t, server.Server(t).Database(t))
}

func testKill(t *testing.T, path string) {
	s := open(t, path)
	id := storetest.Header(1).ID
	if err := s.CreateRun(t.Context(), storetest.Header(1)); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	acked := 0
	for round := range 20 {
		acked = killOne(t, path, acked, random.IntN(60))
		if t.Failed() {
			t.Fatalf("round %d", round)
		}
		next := 0
		for r, err := range s.Records(t.Context(), id) {
			if err != nil || r.Seq != next || r.Case.ID != storetest.Record(next).Case.ID {
				t.Fatalf("round %d: record %d is %d (%q), %v", round, next, r.Seq, r.Case.ID, err)
			}
			next++
		}
		// A batch may have been committed without being acknowledged.
		if next < acked || next > acked+3 {
			t.Fatalf("round %d: %d records, %d acknowledged", round, next, acked)
		}
		acked = next
		if err := storetest.Sound(t.Context(), s); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
	if acked == 0 {
		t.Error("no process lived long enough to record anything")
	}
}

// killOne runs a victim, kills it after it has acknowledged a number of
// batches, and returns the number of records that it acknowledged in all.
func killOne(t *testing.T, path string, before, batches int) int {
	t.Helper()
	acked := before
	for _, line := range killVictim(t, path, batches) {
		var word, count string
		fmt.Sscan(line, &word, &count)
		n, err := strconv.Atoi(count)
		if err != nil || n < acked || word == "from" && n != before {
			t.Errorf("after %d: %q", acked, line)
		}
		acked = n
	}
	return acked
}

// killVictim runs a victim, kills it after it has printed a number of lines, and
// returns all that it printed in whole.
func killVictim(t *testing.T, path string, after int) (said []string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), victimEnv+"="+path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	for i := 0; ; i++ {
		if i == after {
			// It goes on recording while the signal is under way.
			if err := cmd.Process.Kill(); err != nil {
				t.Error(err)
			}
		}
		line, err := lines.ReadString('\n')
		if err != nil {
			// A line without its end was not printed in whole.
			if !errors.Is(err, io.EOF) {
				t.Error(err)
			}
			break
		}
		said = append(said, line)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != -1 {
		t.Errorf("the process ended with %v, want killed", err)
	}
	return said
}
