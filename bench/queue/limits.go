//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/bench/internal/proc"
	"github.com/assay-eval/assay/store"
)

// limits is the part of the page about how fast records can be stored.
type limits struct {
	Machine machine   `json:"machine"`
	Writes  []writing `json:"writes"`
}

// A writing is processes that store records at once, as fast as they can.
type writing struct {
	// Writers is the number of processes, Runs that of the runs that they write to.
	Writers int `json:"writers"`
	Runs    int `json:"runs"`
	// Together is the number of records in a transaction.
	Together int `json:"together"`
	// Commits and Records are by second.
	Commits float64 `json:"commits"`
	Records float64 `json:"records"`
	// ServerCPU is the processor time of the server for a record, in milliseconds.
	ServerCPU float64 `json:"server_cpu_ms"`
	// Others are the cores that other processes used meanwhile.
	Others float64 `json:"others"`
}

func limitsPart(ctx context.Context, out io.Writer, o options) error {
	return in(o, func(l *lab) error {
		m, err := l.machine()
		if err != nil {
			return err
		}
		all := limits{Machine: m}
		for _, w := range []writing{{Writers: 1, Runs: 1, Together: 1}, {Writers: 8, Runs: 1, Together: 1}, {Writers: 8, Runs: 8, Together: 1},
			{Writers: 8, Runs: 1, Together: 8}, {Writers: 8, Runs: 8, Together: 8}} {
			if err := l.writes(ctx, o, &w); err != nil {
				return err
			}
			fmt.Fprintf(out, "%d writers to %d runs, %d records a transaction: %.0f transactions and %.0f records a second; %.2f ms of PostgreSQL a record; others %.2f cores\n",
				w.Writers, w.Runs, w.Together, w.Commits, w.Records, w.ServerCPU, w.Others)
			all.Writes = append(all.Writes, w)
		}
		return o.save("limits", all)
	})
}

// writes stores records for some seconds. They are those of a run of the stub.
func (l *lab) writes(ctx context.Context, o options, w *writing) (err error) {
	db, err := l.database()
	if err != nil {
		return err
	}
	data, err := l.dataset(o.cases)
	if err != nil {
		return err
	}
	if _, err := l.run(form{Concurrency: 64}.args(l, db, data, "source")); err != nil {
		return err
	}
	first, err := store.Open(ctx, db)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, first.Close()) }()
	h, err := first.Run(ctx, store.Latest)
	if err != nil {
		return err
	}
	var records []assay.Record
	for r, err := range first.Records(ctx, h.ID) {
		if err != nil {
			return err
		}
		records = append(records, r)
	}
	for i := range w.Runs {
		h.ID = fmt.Sprint("run", i)
		if err := first.CreateRun(ctx, h); err != nil {
			return err
		}
	}
	before, err := proc.UsedByFamily(l.server.PID())
	if err != nil {
		return err
	}
	self, err := proc.Used(os.Getpid())
	if err != nil {
		return err
	}
	all, err := proc.UsedByAll()
	if err != nil {
		return err
	}
	begun := time.Now()
	var commits, stored atomic.Int64
	var writing sync.WaitGroup
	errs := make([]error, w.Writers)
	for i := range w.Writers {
		writing.Go(func() {
			errs[i] = func() (err error) {
				s, err := store.Open(ctx, db)
				if err != nil {
					return err
				}
				defer func() { err = errors.Join(err, s.Close()) }()
				for seq := i * 1_000_000; time.Since(begun) < writeFor; {
					var some []assay.Record
					for range w.Together {
						r := records[seq%len(records)]
						r.Seq, r.Case.ID = seq, fmt.Sprint("q", seq)
						some = append(some, r)
						seq++
					}
					if err := s.Put(ctx, fmt.Sprint("run", i%w.Runs), some...); err != nil {
						return err
					}
					commits.Add(1)
					stored.Add(int64(w.Together))
				}
				return nil
			}()
		})
	}
	writing.Wait()
	took := time.Since(begun).Seconds()
	after, err := proc.UsedByFamily(l.server.PID())
	selfLater, errSelf := proc.Used(os.Getpid())
	allLater, errAll := proc.UsedByAll()
	w.Commits, w.Records = float64(commits.Load())/took, float64(stored.Load())/took
	w.ServerCPU = (after - before).Seconds() * 1e3 / float64(stored.Load())
	w.Others = ((allLater - all) - (selfLater - self) - (after - before)).Seconds() / took
	return errors.Join(append(errs, err, errSelf, errAll)...)
}

// writeFor is how long records are stored.
const writeFor = 8 * time.Second
