//go:build unix

package cli_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/internal/cli"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/store/postgrestest"
)

// A fleet is workers on a database, a target that they ask, and a folder that they share.
type fleet struct {
	*testing.T
	bin, dir, db string
	server       *postgrestest.Server
	target       *httptest.Server
	asked        atomic.Int64
	// version is that of the process that performs runs.
	version string
	// at is called in another goroutine when so many questions were asked.
	at      sync.Map
	workers []*fleetWorker
}

type fleetWorker struct {
	cmd  *exec.Cmd
	said *watched
}

func newFleet(t *testing.T, cases, workers int) *fleet {
	t.Helper()
	f := &fleet{T: t, bin: buildProgram(t), dir: t.TempDir(), server: postgrestest.Start(t)}
	f.version = version(t, f.bin)
	f.server.Exec(t, "postgres", `CREATE DATABASE fleet`)
	f.db = f.server.URL("fleet")
	var data strings.Builder
	for i := range cases {
		fmt.Fprintf(&data, `{"id": "q%03d", "question": "Which colour has door %d?", "ground_truth": "Door %d is green."}`+"\n", i, i, i)
	}
	f.write("gold.jsonl", data.String())
	f.write("judge.yaml", "simulate: true\n")
	f.target = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if do, ok := f.at.LoadAndDelete(f.asked.Add(1)); ok {
			go do.(func())()
		}
		var q struct{ Question string }
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		time.Sleep(20 * time.Millisecond)
		fmt.Fprintf(w, `{"answer": "About %s: it is green.", "contexts": []}`, q.Question)
	}))
	t.Cleanup(f.target.Close)
	for range workers {
		f.worker()
	}
	return f
}

func (f *fleet) write(name, text string) {
	f.Helper()
	if err := os.WriteFile(filepath.Join(f.dir, name), []byte(text), 0o644); err != nil {
		f.Fatal(err)
	}
}

// worker starts a worker, and waits until it takes cases.
func (f *fleet) worker(args ...string) *fleetWorker {
	f.Helper()
	here := make(chan struct{})
	var once sync.Once
	w := &fleetWorker{said: &watched{hear: func(text string) {
		if strings.Contains(text, "takes cases from") {
			once.Do(func() { close(here) })
		}
	}}}
	w.cmd = exec.Command(f.bin, append([]string{"serve", "worker", "--store", f.db, "--cache", "off"}, args...)...)
	w.cmd.Dir, w.cmd.Stderr = f.dir, w.said
	w.cmd.Env = []string{"HOME=" + f.dir, "PATH=" + os.Getenv("PATH")}
	if err := w.cmd.Start(); err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		_ = w.cmd.Process.Kill()
		_ = w.cmd.Wait()
	})
	f.workers = append(f.workers, w)
	select {
	case <-here:
	case <-time.After(time.Minute):
		f.Fatalf("the worker takes no cases: %s", w.said)
	}
	return w
}

// busy returns the worker that began its batch last: one that has none is missed by nobody.
func (f *fleet) busy() *fleetWorker {
	db, err := sql.Open("pgx", f.db)
	if err != nil {
		f.Error(err)
		return f.workers[0]
	}
	defer db.Close()
	var id string
	if err := db.QueryRow(`SELECT attempted_by[array_upper(attempted_by, 1)] FROM river_job WHERE state = 'running'
		ORDER BY attempted_at DESC LIMIT 1`).Scan(&id); err != nil {
		f.Error(err)
	}
	for _, w := range f.workers {
		if strings.Contains(w.said.String(), "worker "+id+" takes cases from") {
			return w
		}
	}
	f.Errorf("no worker %q of those that were started has cases", id)
	return f.workers[0]
}

// inTransaction reports whether a worker that was stopped holds a transaction open.
func (f *fleet) inTransaction(w *fleetWorker) (open bool) {
	time.Sleep(3 * time.Millisecond) // what the server was asked has ended
	db, err := sql.Open("pgx", f.db)
	if err == nil {
		defer db.Close()
		err = db.QueryRow(`SELECT count(*) > 0 FROM pg_stat_activity WHERE application_name = $1 AND state LIKE 'idle in transaction%'`, fmt.Sprint("assay ", w.cmd.Process.Pid)).Scan(&open)
	}
	if err != nil {
		f.Error(err)
	}
	return open
}

// run performs a run, and returns the exit code and what was said.
func (f *fleet) run(name string, interrupted chan struct{}, hear func(string), more ...string) (code int, said string) {
	f.Helper()
	if hear == nil {
		hear = func(string) {}
	}
	stderr := &watched{hear: hear}
	var stdout bytes.Buffer
	env := &cli.Env{
		Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: stderr, Dir: f.dir, Now: time.Now, Width: 100, Version: f.version,
		Getenv: func(string) string { return "" }, Interrupted: interrupted,
	}
	args := append([]string{
		"run", "--adapter=http", "--endpoint=" + f.target.URL, "--dataset=gold.jsonl", "--metrics=answer_correctness,token_f1",
		"--judge=fake:judge.yaml", "--passes=1", "--concurrency=2", "--set=judge-concurrency=3", "--formats=json", "--output=" + name,
		"--store=" + f.db, "--set=cache=off",
	}, more...)
	code = cli.Main(f.Context(), env, args)
	return code, stderr.String() + stdout.String()
}

// version is what the program says it is: workers refuse the runs of others.
func version(t *testing.T, bin string) string {
	t.Helper()
	out, err := exec.Command(bin, "--version").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(strings.TrimPrefix(string(out), "assay "))
}

func (f *fleet) report(name string) map[string]any {
	f.Helper()
	return comparable(f.T, filepath.Join(f.dir, name+".json"))
}

// TestWorkers: a run over several workers, of which one is killed, and whose database is killed
// meanwhile, has the report of an undisturbed run of one process. Each case has one record.
func TestWorkers(t *testing.T) {
	t.Parallel()
	const cases = 240
	f := newFleet(t, cases, 3)
	if code, said := f.run("whole", make(chan struct{}), nil, "--store=whole.db"); code != cli.ExitOK {
		t.Fatalf("one process: exit code %d\n%s", code, said)
	}
	if n := f.asked.Swap(0); n != cases {
		t.Fatalf("one process asked %d times", n)
	}
	killed := make(chan *fleetWorker, 1)
	f.at.Store(int64(40), func() {
		w := f.busy()
		_ = w.cmd.Process.Kill()
		killed <- w
	})
	f.at.Store(int64(100), func() {
		if err := errors.Join(f.server.Kill(), f.server.Restart()); err != nil {
			t.Error(err)
		}
	})
	code, said := f.run("shared", make(chan struct{}), nil, "--workers=queue")
	if code != cli.ExitOK {
		t.Fatalf("exit code %d\n%s", code, said)
	}
	if d := cmp.Diff(f.report("whole"), f.report("shared")); d != "" {
		t.Errorf("the report differs from that of one process (-want +got):\n%s", d)
	}
	f.at.Range(func(at, _ any) bool {
		t.Errorf("only %d questions were asked: nothing happened at %v", f.asked.Load(), at)
		return true
	})
	var gone *fleetWorker
	select {
	case gone = <-killed:
	case <-time.After(time.Minute):
		t.Fatal("no worker was killed")
	}
	left := slices.DeleteFunc(slices.Clone(f.workers), func(w *fleetWorker) bool { return w == gone })
	if !strings.Contains(said, "has ended: others take over its cases") {
		t.Errorf("nobody noticed that a worker was killed:\n%s", said)
	}
	// What was in flight when the worker and the database were killed is asked again.
	if n, most := f.asked.Load(), int64(cases+2*3*2*2); n > most {
		t.Errorf("the target was asked %d times, want at most %d", n, most)
	}
	for _, w := range left {
		if !strings.Contains(w.said.String(), "its cases are evaluated here") {
			t.Errorf("a worker evaluated nothing: %s", w.said)
		}
	}
	s, err := store.Open(t.Context(), f.db)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	h, err := s.Run(t.Context(), store.Latest)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := s.Counts(t.Context(), h.ID); err != nil || n.Records != cases {
		t.Errorf("%+v, %v: want %d records", n, err, cases)
	}
	// A worker ends when it is asked to.
	last := left[len(left)-1]
	if err := last.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := last.cmd.Wait(); err != nil {
		t.Errorf("a worker that was asked to end: %v\n%s", err, last.said)
	}
}

// TestWorkersTakeOverFromAStoppedOne: the kernel answers for a process that is stopped, so that
// the database keeps its connection. Others take over its cases within a minute, and pay for no
// call that the ledger has.
func TestWorkersTakeOverFromAStoppedOne(t *testing.T) {
	t.Parallel()
	const cases = 60
	f := newFleet(t, cases, 2)
	f.write("judge.yaml", "simulate: true\nlog: calls.jsonl\n")
	stopped := make(chan *fleetWorker, 1)
	f.at.Store(int64(20), func() {
		w := f.busy()
		for range 300 { // its locks are then held for ever, unless the server ends its transaction
			if err := w.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
				t.Error(err)
			}
			if f.inTransaction(w) {
				break
			}
			_ = w.cmd.Process.Signal(syscall.SIGCONT)
			time.Sleep(time.Millisecond)
		}
		_ = w.cmd.Process.Signal(syscall.SIGSTOP)
		stopped <- w
	})
	began := time.Now()
	code, said := f.run("shared", make(chan struct{}), nil, "--workers=queue")
	if took := time.Since(began); code != cli.ExitOK || took > time.Minute+20*time.Second {
		t.Fatalf("exit code %d after %v\n%s", code, took, said)
	}
	if !strings.Contains(said, "does not respond: others take over its cases") {
		t.Errorf("nobody noticed that a worker was stopped:\n%s", said)
	}
	if n := len(f.report("shared")["cases"].([]any)); n != cases {
		t.Errorf("%d cases in the report, want %d", n, cases)
	}
	gone := <-stopped
	if absent := f.absent(); len(absent) != 1 || !strings.Contains(gone.said.String(), "worker "+absent[0]+" takes cases from") {
		t.Errorf("absent workers %q, want the one that was stopped", absent)
	}
	asked := f.asked.Load()
	if most := int64(cases + 2*2*2); asked > most {
		t.Errorf("the target was asked %d times, want at most %d", asked, most)
	}
	if err := gone.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(gone.cmd.Process.Signal(syscall.SIGTERM), gone.cmd.Wait()); err != nil {
		t.Errorf("a worker that goes on after it was stopped: %v\n%s", err, gone.said)
	}
	if more := f.asked.Load() - asked; more > 2*2 {
		t.Errorf("the worker that was stopped asked %d more questions", more)
	}
	// What was in flight when the worker was stopped is paid twice: the ledger did not have it.
	paid, twice := map[string]int{}, 0
	for _, call := range logOf(t, filepath.Join(f.dir, "calls.jsonl")) {
		key := call.Operation + call.Content
		if paid[key]++; call.Replied() && paid[key] > 1 {
			twice++
		}
	}
	if len(paid) < cases || twice > 2*3 {
		t.Errorf("%d calls, of which %d were paid twice", len(paid), twice)
	}
}

// absent returns the workers that the status shows as absent.
func (f *fleet) absent() (ids []string) {
	f.Helper()
	var stdout bytes.Buffer
	env := &cli.Env{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stdout, Dir: f.dir, Now: time.Now, Getenv: func(string) string { return "" }}
	if code := cli.Main(f.Context(), env, []string{"serve", "status", "--json", "--store=" + f.db}); code != cli.ExitOK {
		f.Fatalf("exit code %d: %s", code, stdout.String())
	}
	var state struct {
		Workers []struct {
			ID      string `json:"worker_id"`
			Present bool   `json:"present"`
		} `json:"workers"`
	}
	if err := json.Unmarshal(stdout.Bytes(), &state); err != nil {
		f.Fatal(err)
	}
	for _, w := range state.Workers {
		if !w.Present {
			ids = append(ids, w.ID)
		}
	}
	return ids
}

// TestWorkersStopAndResume: a run that is stopped finishes the cases in flight, keeps them, and
// is resumed by its command; its workers remain.
func TestWorkersStopAndResume(t *testing.T) {
	t.Parallel()
	const cases = 200
	f := newFleet(t, cases, 2)
	stop := make(chan struct{})
	f.at.Store(int64(50), func() { close(stop) })
	code, said := f.run("part", stop, nil, "--workers=queue")
	if code != cli.ExitInterrupted {
		t.Fatalf("exit code %d\n%s", code, said)
	}
	asked := f.asked.Load()
	n := len(f.report("part")["cases"].([]any))
	if n == 0 || n >= cases || int64(n) != asked {
		t.Errorf("%d cases in the report, %d asked: want those that were asked, and not all", n, asked)
	}
	if code, said = f.run("part", make(chan struct{}), nil, "--workers=queue", "--resume"); code != cli.ExitOK {
		t.Fatalf("exit code %d\n%s", code, said)
	}
	if again := f.asked.Load(); again != cases {
		t.Errorf("the target was asked %d times in all, want each of %d cases once", again, cases)
	}
	if code, said = f.run("whole", make(chan struct{}), nil, "--store=whole.db"); code != cli.ExitOK {
		t.Fatalf("exit code %d\n%s", code, said)
	}
	if d := cmp.Diff(f.report("whole"), f.report("part")); d != "" {
		t.Errorf("the report differs from that of one process (-want +got):\n%s", d)
	}
}

// TestWorkersRefuse: a worker that would score otherwise takes no case, and the run says why.
func TestWorkersRefuse(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 20, 0)
	elsewhere := f.dir
	// The other machine has another dataset of the same name.
	f.dir = t.TempDir()
	f.write("gold.jsonl", `{"id": "q000", "question": "Which colour has door 0?", "ground_truth": "Door 0 is red."}`+"\n")
	f.write("judge.yaml", "simulate: true\n")
	f.worker()
	f.dir = elsewhere
	refused := make(chan struct{})
	var once sync.Once
	var code int
	var said string
	var running sync.WaitGroup
	running.Go(func() {
		code, said = f.run("refused", make(chan struct{}), func(text string) {
			if strings.Contains(text, "refuses the run") {
				once.Do(func() { close(refused) })
			}
		}, "--workers=queue")
	})
	<-refused
	f.worker()
	running.Wait()
	if code != cli.ExitOK || !strings.Contains(said, "the dataset changed since it started") {
		t.Errorf("exit code %d, want the cases evaluated by the other worker, and the reason of the first:\n%s", code, said)
	}

	// A run that cannot go on anywhere ends.
	f.target.URL = "http://127.0.0.1:1"
	code, said = f.run("away", make(chan struct{}), nil, "--workers=queue", "--set=retries=0")
	if code != cli.ExitFatal || !strings.Contains(said, "target unreachable") {
		t.Errorf("exit code %d: want the target to be unreachable\n%s", code, said)
	}
}

// TestWorkersOfTheVersionBefore: a worker refuses the run of another version. Who resumes such a
// run is told that workers of that version must evaluate it; in one process it goes on.
func TestWorkersOfTheVersionBefore(t *testing.T) {
	t.Parallel()
	const cases = 20
	f := newFleet(t, cases, 1)
	// until performs the run until something is said.
	until := func(want string, more ...string) {
		t.Helper()
		stop := make(chan struct{})
		var once sync.Once
		code, said := f.run("part", stop, func(text string) {
			if strings.Contains(text, want) {
				once.Do(func() { close(stop) })
			}
		}, append(more, "--workers=queue")...)
		if code != cli.ExitInterrupted {
			t.Fatalf("exit code %d, want %q:\n%s", code, want, said)
		}
	}
	now := f.version
	f.version = "0.9"
	until(`it was begun by version "0.9"`)
	f.version = now
	until(`the run was begun by version "0.9"`, "--resume")
	if code, said := f.run("part", make(chan struct{}), nil, "--workers=here", "--resume"); code != cli.ExitOK || f.asked.Load() != cases {
		t.Errorf("exit code %d, %d of %d cases asked\n%s", code, f.asked.Load(), cases, said)
	}
}

// TestWorkersThroughAPooler: workers share a run through PgBouncer that keeps sessions, and each
// command says so if it does not.
func TestWorkersThroughAPooler(t *testing.T) {
	t.Parallel()
	const cases = 60
	f := newFleet(t, cases, 0)
	transactions := f.server.Pooler(t, "transaction")("fleet")
	if code, said := f.run("refused", make(chan struct{}), nil, "--workers=queue", "--store="+transactions); code != cli.ExitFatal ||
		!strings.Contains(said, "use a pooler that keeps sessions (PgBouncer: pool_mode = session)") {
		t.Errorf("exit code %d, want the mode that works:\n%s", code, said)
	}
	f.db = f.server.Pooler(t, "session")("fleet")
	f.worker()
	f.worker()
	if code, said := f.run("shared", make(chan struct{}), nil, "--workers=queue"); code != cli.ExitOK {
		t.Fatalf("exit code %d\n%s", code, said)
	}
	if n := f.asked.Load(); n != cases {
		t.Errorf("the target was asked %d times for %d cases", n, cases)
	}
}

// TestWorkersNeedAServer: a file is of one machine.
func TestWorkersNeedAServer(t *testing.T) {
	h := newHarness(t)
	h.wants(h.assay(cli.ExitFatal, "serve", "worker"), "of one machine alone", "hint: a run on one machine needs no worker")
	h.wants(h.assay(cli.ExitFatal, "run", "--dataset", "gold.jsonl", "--workers", "queue"), "of one machine alone")
	h.wants(h.assay(cli.ExitFatal, "serve", "worker", "--batches", "0"), "expected 1 or more")
	h.wants(h.assay(cli.ExitFatal, "run", "--dataset", "gold.jsonl", "--workers", "many"), `"here"`, `"queue"`)
}
