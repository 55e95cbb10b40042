//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/assay-eval/assay/internal/servertest"
)

// A lab is a folder, a PostgreSQL server, a stub, and the workers on them.
type lab struct {
	program, dir string
	server       *servertest.Server
	stub         *stub
	databases    int
	workers      []*worker
}

// settings make the server wait for the disk, count statements, and remember when
// transactions were committed.
var settings = []string{"fsync=on", "shared_buffers=512MB", "max_connections=400", "max_wal_size=8GB",
	"shared_preload_libraries=pg_stat_statements", "pg_stat_statements.max=1000", "track_commit_timestamp=on", "autovacuum_naptime=10s"}

// newLab starts the server and the stub.
func newLab(program, dir string, target, judge time.Duration) (l *lab, err error) {
	l = &lab{}
	defer func() {
		if err != nil {
			err = errors.Join(err, l.close())
		}
	}()
	if l.program, err = filepath.Abs(program); err != nil {
		return l, err
	}
	if l.dir, err = os.MkdirTemp(dir, "assay-bench-queue"); err != nil {
		return l, err
	}
	if l.stub, err = startStub(target, judge); err != nil {
		return l, err
	}
	bin, err := servertest.Programs()
	if err != nil {
		return l, err
	}
	if l.server, err = servertest.New(bin, settings...); err != nil {
		return l, err
	}
	return l, errors.Join(
		l.write("eval-config.yaml", fmt.Sprintf("providers:\n  stub:\n    kind: openai\n    base_url: %s/v1\n", l.stub.url)),
		// A reply costs 0.0011 dollars.
		l.write("prices.yaml", "prices:\n  - {provider: stub, model: stand-in, input: 1, output: 1}\n"))
}

// close ends everything and removes the folder.
func (l *lab) close() error {
	err := l.stopWorkers()
	if l.stub != nil {
		l.stub.stop()
	}
	if l.server != nil {
		err = errors.Join(err, l.server.Close())
	}
	return errors.Join(err, os.RemoveAll(l.dir))
}

func (l *lab) write(name, text string) error {
	return os.WriteFile(filepath.Join(l.dir, name), []byte(text), 0o600)
}

// dataset writes a dataset of so many cases and returns its name.
func (l *lab) dataset(cases int) (string, error) {
	name := fmt.Sprintf("cases-%d.jsonl", cases)
	var b strings.Builder
	for i := range cases {
		fmt.Fprintf(&b, `{"id": "q%d", "question": "`+questionForm+`", "ground_truth": "Door %d is green."}`+"\n", i, i, i)
	}
	return name, l.write(name, b.String())
}

// database makes an empty database and returns its address.
func (l *lab) database() (string, error) {
	l.databases++
	name := fmt.Sprintf("bench_%d", l.databases)
	return l.server.URL(name), l.exec(l.server.URL("postgres"), `CREATE DATABASE `+name)
}

// exec runs statements on a database.
func (l *lab) exec(db string, statements ...string) (err error) {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, db)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	for _, s := range statements {
		if _, err := conn.Exec(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

// rows returns the rows of a query as values of T, by the names of their columns.
func rows[T any](db, query string, args ...any) (_ []T, err error) {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, db)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	found, err := conn.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(found, pgx.RowToStructByPos[T])
}

// number returns the number that a query gives.
func number(db, query string, args ...any) (float64, error) {
	all, err := rows[struct{ N float64 }](db, query, args...)
	if err != nil || len(all) == 0 {
		return 0, errors.Join(err, fmt.Errorf("%s: no row", query))
	}
	return all[0].N, nil
}

// A worker is a process of assay serve worker.
type worker struct {
	cmd  *exec.Cmd
	said *said
	// db is the store that it is on.
	db string
	// ended receives the result of its end, once.
	ended chan error
}

// said is what a process writes to standard error.
type said struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// keep reads lines, and closes heard at the first that has the text.
func (s *said) keep(r io.Reader, text string, heard chan<- struct{}) {
	for lines := bufio.NewScanner(r); lines.Scan(); {
		s.mu.Lock()
		fmt.Fprintln(&s.text, lines.Text())
		s.mu.Unlock()
		if heard != nil && strings.Contains(lines.Text(), text) {
			close(heard)
			heard = nil
		}
	}
}

// command returns a command of assay in the folder.
func (l *lab) command(args ...string) *exec.Cmd {
	cmd := exec.Command(l.program, args...)
	cmd.Dir = l.dir
	cmd.Env = []string{"HOME=" + l.dir, "PATH=" + os.Getenv("PATH")}
	return cmd
}

// work starts a worker on a store, and waits until it takes cases.
func (l *lab) work(db string) (*worker, error) {
	w := &worker{cmd: l.command("serve", "worker", "--store", db, "--cache", "off"), said: &said{}, db: db, ended: make(chan error, 1)}
	// A pipe of its own, since Wait must not close it before all is read.
	out, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	w.cmd.Stderr = in
	if err := errors.Join(w.cmd.Start(), in.Close()); err != nil {
		return nil, errors.Join(err, out.Close())
	}
	here := make(chan struct{})
	go func() {
		w.said.keep(out, "takes cases from", here)
		_ = out.Close()
		w.ended <- w.cmd.Wait()
	}()
	l.workers = append(l.workers, w)
	select {
	case <-here:
		return w, nil
	case err := <-w.ended:
		w.ended <- err
		return nil, fmt.Errorf("a worker ends at once: %w: %s", err, w.said)
	}
}

// end sends a signal to a worker and waits for its end.
func (l *lab) end(w *worker, signal os.Signal) error {
	for i, one := range l.workers {
		if one == w {
			l.workers = append(l.workers[:i:i], l.workers[i+1:]...)
		}
	}
	if err := w.cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	if err := <-w.ended; err != nil && signal != os.Kill {
		return fmt.Errorf("a worker: %w: %s", err, w.said)
	}
	return nil
}

// stopWorkers ends all workers as an operator does.
func (l *lab) stopWorkers() error {
	var errs []error
	for len(l.workers) > 0 {
		errs = append(errs, l.end(l.workers[0], syscall.SIGTERM))
	}
	return errors.Join(errs...)
}

// A form is how the cases of a run are evaluated.
type form struct {
	// Judged runs ask the judge.
	Judged bool `json:"judged"`
	// Concurrency is the number of questions at once of each batch of a worker.
	Concurrency int `json:"concurrency"`
	// Budget is the most that a run may cost in dollars; 0 is no limit.
	Budget float64 `json:"budget,omitempty"`
}

// args are the arguments of assay run.
func (f form) args(l *lab, db, dataset, output string, more ...string) []string {
	args := []string{"run", "--adapter=http", "--endpoint=" + l.stub.url + "/ask", "--dataset=" + dataset, fmt.Sprint("--concurrency=", f.Concurrency),
		"--formats=json", "--output=" + output, "--store=" + db, "--set=cache=off", "--read=answer=answer", "--read=passages=contexts"}
	if f.Judged {
		args = append(args, "--metrics=faithfulness,answer_correctness,token_f1", "--judge=stub:stand-in", "--passes=1", "--set=judge-concurrency=1000",
			"--set=canary=0", "--set=prices=prices.yaml")
	} else {
		args = append(args, "--metrics=token_f1,rouge_l")
	}
	if f.Budget > 0 {
		args = append(args, fmt.Sprint("--max-cost=", f.Budget))
	}
	return append(args, more...)
}

// A running is a process of assay run.
type running struct {
	cmd  *exec.Cmd
	said bytes.Buffer
}

// start starts assay run.
func (l *lab) start(args []string) (*running, error) {
	r := &running{cmd: l.command(args...)}
	r.cmd.Stdout, r.cmd.Stderr = &r.said, &r.said
	return r, r.cmd.Start()
}

// wait waits for the end of the run, whose exit code must be the given one.
func (r *running) wait(code int) error {
	err := r.cmd.Wait()
	if got := r.cmd.ProcessState.ExitCode(); got != code {
		return fmt.Errorf("%s: exit code %d, want %d: %w: %s", strings.Join(r.cmd.Args, " "), got, code, err, r.said.String())
	}
	return nil
}

// used returns the processor time of a process that has ended, and its peak memory in bytes.
func used(s *os.ProcessState) (cpu time.Duration, peak int64) {
	if usage, ok := s.SysUsage().(*syscall.Rusage); ok {
		peak = usage.Maxrss << 10
	}
	return s.UserTime() + s.SystemTime(), peak
}

// run performs a run to its end.
func (l *lab) run(args []string) (*running, error) {
	r, err := l.start(args)
	if err != nil {
		return nil, err
	}
	return r, r.wait(0)
}

// save writes the figures of a part to the folder that keeps them, if there is one.
func (o options) save(part string, v any) error {
	if o.keep == "" {
		return nil
	}
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(o.keep, part+".json"), append(text, '\n'), 0o644)
}
