//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"
	"time"

	"github.com/assay-eval/assay/bench/internal/proc"
)

// idle is the part of the page about what waits: workers without a run, and a run without
// workers. Statements and processor time of the server are by second, for one of them.
type idle struct {
	Machine    machine `json:"machine"`
	Worker     load    `json:"worker"`
	Session    load    `json:"session"`
	SessionCPU float64 `json:"session_cpu"`
}

// A load is what the server does in a second.
type load struct {
	Statements float64 `json:"statements"`
	// CPU is a share of a processor.
	CPU float64 `json:"cpu"`
}

// idleWorkers is the number of workers that wait.
const idleWorkers = 8

func idlePart(ctx context.Context, out io.Writer, o options) error {
	return in(o, func(l *lab) (err error) {
		var i idle
		if i.Machine, err = l.machine(); err != nil {
			return err
		}
		db, err := l.database()
		if err != nil {
			return err
		}
		data, err := l.dataset(o.cases)
		if err != nil {
			return err
		}
		if err := l.exec(l.admin(), `CREATE EXTENSION IF NOT EXISTS pg_stat_statements`); err != nil {
			return err
		}
		none, err := l.load(ctx, db)
		if err != nil {
			return err
		}
		run, err := l.start(form{Concurrency: o.concurrency}.args(l, db, data, "idle", "--workers=queue"))
		if err != nil {
			return err
		}
		i.Session, err = l.load(ctx, db)
		if err = errors.Join(err, run.cmd.Process.Signal(syscall.SIGINT), run.wait(130)); err != nil {
			return err
		}
		i.Session.CPU -= none.CPU
		cpu, _ := used(run.cmd.ProcessState)
		i.SessionCPU = cpu.Seconds() / (settle + look).Seconds()
		for range idleWorkers {
			if _, err := l.work(db); err != nil {
				return err
			}
		}
		if i.Worker, err = l.load(ctx, db); err != nil {
			return err
		}
		i.Worker = load{i.Worker.Statements / idleWorkers, (i.Worker.CPU - none.CPU) / idleWorkers}
		fmt.Fprintf(out, "a second: a worker %.1f statements and %.1f ms of PostgreSQL; a run %.1f and %.1f ms\n", i.Worker.Statements, 1e3*i.Worker.CPU,
			i.Session.Statements, 1e3*i.Session.CPU)
		return o.save("idle", i)
	})
}

// What happens once, such as the start of a process, is over after settle; then the server is
// looked at for look.
const (
	settle = 5 * time.Second
	look   = 20 * time.Second
)

// load returns what the server does for a database.
func (l *lab) load(ctx context.Context, db string) (load, error) {
	pause(ctx, settle)
	before, err := number(l.admin(), countQuery, name(db))
	if err != nil {
		return load{}, err
	}
	used, err := proc.UsedByFamily(l.server.PID())
	if err != nil {
		return load{}, err
	}
	begun := time.Now()
	pause(ctx, look)
	took := time.Since(begun).Seconds()
	later, err := proc.UsedByFamily(l.server.PID())
	if err != nil {
		return load{}, err
	}
	after, err := number(l.admin(), countQuery, name(db))
	return load{(after - before) / took, (later - used).Seconds() / took}, err
}
