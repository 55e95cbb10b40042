//go:build unix

package main

import (
	"errors"
	"fmt"
	"io"
)

// throughput is the part of the page about runs over several workers.
type throughput struct {
	form
	Machine machine `json:"machine"`
	// Latency and JudgeLatency are those of the stub in seconds.
	Latency      float64   `json:"latency"`
	JudgeLatency float64   `json:"judge_latency"`
	Runs         []figures `json:"runs"`
}

// A worker evaluates so many batches of so many cases at once, by default.
const batches, batchSize = 2, 16

// measureThroughput performs a run for each number of workers, with as many cases for each.
func measureThroughput(l *lab, out io.Writer, o options, f form) (t throughput, err error) {
	t = throughput{form: f, Latency: o.latency.Seconds()}
	if t.Machine, err = l.machine(); err != nil {
		return t, err
	}
	if f.Judged {
		t.JudgeLatency = o.judgeLatency.Seconds()
	}
	for _, n := range o.workers {
		one, err := l.measured(f, n, n*o.cases)
		if err != nil {
			return t, fmt.Errorf("%d workers: %w", n, err)
		}
		t.Runs = append(t.Runs, one)
		fmt.Fprintf(out, "%d workers: %d cases in %.1f s, %.1f a second (%.1f %% of linear); CPU: workers %.1f s, session %.1f, PostgreSQL %.1f, stub %.1f, "+
			"others %.1f; %.1f statements and %.2f kB of WAL a case; %d connections\n", n, one.Cases, one.Wall, one.rate(), 100*t.linear(len(t.Runs)-1),
			one.WorkersCPU, one.SessionCPU, one.ServerCPU, one.StubCPU, one.OthersCPU, one.Statements/float64(one.Cases), one.WAL/float64(one.Cases)/1e3,
			one.Connections)
	}
	return t, nil
}

// measured performs a run of so many cases over new workers on a new database.
func (l *lab) measured(f form, workers, cases int) (figures, error) {
	db, err := l.database()
	if err != nil {
		return figures{}, err
	}
	data, err := l.dataset(cases)
	if err != nil {
		return figures{}, err
	}
	for range workers {
		if _, err := l.work(db); err != nil {
			return figures{}, err
		}
	}
	if _, err := l.stub.seen(); err != nil {
		return figures{}, err
	}
	m, err := l.begin(db)
	if err != nil {
		return figures{}, err
	}
	r, err := l.run(f.args(l, db, data, "measured", "--workers=queue"))
	if err != nil {
		return figures{}, err
	}
	one, err := m.end(r, cases)
	if err != nil {
		return figures{}, err
	}
	v, err := l.stub.seen()
	if err == nil && len(v.Questions) != cases {
		err = fmt.Errorf("%d questions were asked for %d cases", len(v.Questions), cases)
	}
	one.Prompts = len(v.Prompts)
	return one, errors.Join(err, l.stopWorkers())
}

// linear is the throughput of a run as a share of that of the first, by the number of workers.
func (t throughput) linear(i int) float64 {
	first, run := t.Runs[0], t.Runs[i]
	return run.rate() / first.rate() * float64(first.Workers) / float64(run.Workers)
}
