// Package queue has the cases of runs evaluated by workers: processes on any number of machines
// that share a store on PostgreSQL. Jobs are kept by River in the database of the store.
//
// The session of a run ([run.Session]) stays in the process that began it. Its [Dispatcher] puts
// batches of cases into the queue and reads the records that workers store. A [Worker] prepares
// the run from the settings in its header and runs the engine on each batch. What a worker
// stores is what the session's own engine would store, so that the report is the same.
//
// A record is stored once, whoever finished the case: records are unique by run and case. A
// batch whose worker ended, or did not finish all cases, goes back into the queue.
package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/assay-eval/assay/store"
)

// A batch is the job of evaluating some cases of a run.
type batch struct {
	Run string `json:"run"`
	// Cases are their numbers.
	Cases []int `json:"cases"`
	// Host is the machine that has the program which is the target; "" if every machine reaches
	// the target.
	Host string `json:"host,omitempty"`
}

// Kind implements [river.JobArgs].
func (batch) Kind() string { return "assay_cases" }

// casesQueue is the name of the queue, apart from those of other programs.
const casesQueue = "assay"

// A Queue is the queue of a store.
type Queue struct {
	store *store.Store
	pool  *pgxpool.Pool
	log   *slog.Logger
}

// connections is the number of connections of a process to the queue, beside those to the store:
// one listens, the others fetch, finish and cancel jobs.
const connections = 4

// Open opens the queue of a store, and makes its tables if there are none. The error is
// [store.ErrOneMachine] if the store is a file.
func Open(ctx context.Context, s *store.Store, log *slog.Logger) (_ *Queue, err error) {
	pool, err := s.Pool(ctx, connections)
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	defer func() {
		if err != nil {
			pool.Close()
		}
	}()
	// Two processes must not make the tables at the same time.
	release, err := claim(ctx, s, "queue tables")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, release()) }()
	m, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Logger: log})
	if err == nil {
		err = s.Try(ctx, func(ctx context.Context) error {
			_, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil)
			return err
		})
	}
	if err == nil {
		_, err = pool.Exec(ctx, limitTables)
	}
	if err != nil {
		return nil, fmt.Errorf("queue: its tables: %w", err)
	}
	return &Queue{s, pool, log}, nil
}

// claim waits for a claim that others hold for a moment.
func claim(ctx context.Context, s *store.Store, name string) (release func() error, err error) {
	pause := time.NewTicker(200 * time.Millisecond)
	defer pause.Stop()
	for {
		if release, err = s.Claim(ctx, name); !errors.Is(err, store.ErrLocked) {
			return release, err
		}
		select {
		case <-pause.C:
		case <-ctx.Done():
			return nil, errors.Join(err, ctx.Err())
		}
	}
}

// Close closes the connections.
func (q *Queue) Close() { q.pool.Close() }

// client returns a client that works the jobs of the workers of its configuration, or only
// inserts and cancels jobs if there are none.
func (q *Queue) client(driver riverdriver.Driver[pgx.Tx], c river.Config) (*river.Client[pgx.Tx], error) {
	c.Logger = q.log
	// A job runs until its cases are done; the dispatcher notices a worker that has ended.
	c.JobTimeout, c.RescueStuckJobsAfter = -1, 10*365*24*time.Hour
	c.CompletedJobRetentionPeriod, c.CancelledJobRetentionPeriod = time.Hour, time.Hour
	return river.NewClient(driver, &c)
}

// Kinds of items of a run in the queue, which are deleted with it. Their bodies are JSON.
const (
	// kindTrouble says why a run cannot go on, kindRefusal why a worker refuses it, kindLearned
	// what a worker has learned.
	kindTrouble = store.OfRun + "trouble"
	kindRefusal = store.OfRun + "refusal"
	kindLearned = store.OfRun + "learned"
)

// noteID returns the id of the note of a worker on a run.
func noteID(run, worker string) string { return run + " " + worker }

// A note is the body of such an item.
type note struct {
	Worker string `json:"worker"`
	Reason string `json:"reason,omitempty"`
	// Kind says what the trouble is, for the error that the session ends with.
	Kind trouble `json:"kind,omitempty"`
	// Cases is the number of those that failed, if the target is unreachable.
	Cases int `json:"cases,omitempty"`
	// Learned is what the worker has learned.
	Learned Learned `json:"learned,omitzero"`
}
