//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"
	"time"
)

// operated is the part of the page about a large run that an operator drains, cancels and
// resumes.
type operated struct {
	form
	Machine machine `json:"machine"`
	Latency float64 `json:"latency"`
	Workers int     `json:"workers"`
	Cases   int     `json:"cases"`
	Steps   []step  `json:"steps"`
	// Wall is from the first question to the end, in seconds.
	Wall float64 `json:"wall"`
	// Records is the number of records, and Asked that of questions.
	Records    int `json:"records"`
	Asked      int `json:"asked"`
	AskedAgain int `json:"asked_again"`
	// SessionMemory and SessionCPU are of the process of the run that resumed it, WorkerMemory is
	// the largest of a worker.
	SessionMemory int64   `json:"session_memory"`
	SessionCPU    float64 `json:"session_cpu"`
	WorkerMemory  int64   `json:"worker_memory"`
	Tables        []table `json:"tables"`
}

// A step is something that the operator did.
type step struct {
	What string `json:"what"`
	// At is the number of questions that had been asked, Took how long the step took in seconds.
	At   int     `json:"at"`
	Took float64 `json:"took"`
}

const operateWorkers = 4

func operatePart(ctx context.Context, out io.Writer, o options) error {
	return in(o, func(l *lab) error {
		r, err := operate(ctx, l, out, o)
		return errors.Join(err, o.save("operate", r))
	})
}

// operate performs a run whose workers are drained and replaced one after the other, and which
// is cancelled and resumed. The error tells what does not hold.
func operate(ctx context.Context, l *lab, out io.Writer, o options) (r operated, err error) {
	r = operated{form: form{Concurrency: o.concurrency}, Latency: o.latency.Seconds(), Workers: operateWorkers, Cases: o.cases}
	if r.Machine, err = l.machine(); err != nil {
		return r, err
	}
	db, err := l.database()
	if err != nil {
		return r, err
	}
	data, err := l.dataset(o.cases)
	if err != nil {
		return r, err
	}
	for range operateWorkers {
		if _, err := l.work(db); err != nil {
			return r, err
		}
	}
	if _, err := l.stub.seen(); err != nil {
		return r, err
	}
	begun := time.Now()
	args := r.args(l, db, data, "operated", "--workers=queue")
	run, err := l.start(args)
	if err != nil {
		return r, err
	}
	// do performs a step when a share of the questions was asked.
	do := func(what string, share float64, f func() error) {
		if err != nil {
			return
		}
		var n int
		for {
			if n, err = l.stub.asked(); err != nil || float64(n) >= share*float64(o.cases) {
				break
			}
			if pause(ctx, 20*time.Millisecond); ctx.Err() != nil {
				err = ctx.Err()
				break
			}
		}
		began := time.Now()
		if err == nil {
			err = f()
		}
		s := step{what, n, time.Since(began).Seconds()}
		r.Steps = append(r.Steps, s)
		fmt.Fprintf(out, "%6d questions: %s, %.1f s\n", s.At, s.What, s.Took)
	}
	drain := func() error {
		w := l.workers[0]
		if err := l.end(w, syscall.SIGTERM); err != nil {
			return err
		}
		_, err := l.work(db)
		return err
	}
	do("SIGTERM to a worker, which finishes its cases in flight; another is started", .15, drain)
	do("the same with a second worker", .2, drain)
	do("Ctrl-C (SIGINT) to assay run, which ends with exit code 130", .35, func() error {
		return errors.Join(run.cmd.Process.Signal(syscall.SIGINT), run.wait(130))
	})
	do("assay run --resume with the same arguments", 0, func() (err error) {
		run, err = l.start(append(args, "--resume"))
		return err
	})
	do("SIGTERM to all workers; as many are started", .6, func() error {
		if err := l.stopWorkers(); err != nil {
			return err
		}
		for range operateWorkers {
			if _, err := l.work(db); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		_ = run.cmd.Process.Kill()
		return r, errors.Join(err, run.cmd.Wait())
	}
	if err := run.wait(0); err != nil {
		return r, err
	}
	r.Wall = time.Since(begun).Seconds()
	cpu, peak := used(run.cmd.ProcessState)
	r.SessionCPU, r.SessionMemory = cpu.Seconds(), peak
	last := l.workers
	if err := l.stopWorkers(); err != nil {
		return r, err
	}
	for _, w := range last {
		_, peak := used(w.cmd.ProcessState)
		r.WorkerMemory = max(r.WorkerMemory, peak)
	}
	return r, r.verify(l, db, out)
}

// verify counts the records and the questions.
func (r *operated) verify(l *lab, db string, out io.Writer) error {
	n, err := number(db, `SELECT count(DISTINCT seq) FROM records`)
	if err != nil {
		return err
	}
	r.Records = int(n)
	v, err := l.stub.seen()
	if err != nil {
		return err
	}
	r.Asked, r.AskedAgain = len(v.Questions), again(v.Questions)
	if r.Tables, err = tables(db); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d records of %d cases in %.1f s; %d questions, %d again\n", r.Records, r.Cases, r.Wall, r.Asked, r.AskedAgain)
	if r.Records != r.Cases || int64(r.Records) != r.Tables[0].Rows {
		return fmt.Errorf("%d records of %d cases, %d in all: want one of each", r.Records, r.Cases, r.Tables[0].Rows)
	}
	// Nothing was killed, so that nothing in flight was lost.
	if r.AskedAgain > 0 {
		return fmt.Errorf("%d questions were asked again, want none", r.AskedAgain)
	}
	return nil
}

// smokePart performs small forms of all parts, which check what workers leave behind.
func smokePart(ctx context.Context, out io.Writer, o options) error {
	o.keep, o.workers, o.rounds = "", []int{2}, 1
	return in(o, func(l *lab) error {
		one, err := l.measured(form{Concurrency: o.concurrency}, 2, 100)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%d cases over %d workers: %.1f statements a case\n", one.Cases, one.Workers, one.Statements/float64(one.Cases))
		if _, err := measureChaos(ctx, l, out, o); err != nil {
			return err
		}
		o.cases = 1000
		_, err = operate(ctx, l, out, o)
		return err
	})
}
