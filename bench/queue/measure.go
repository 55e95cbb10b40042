//go:build unix

package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/assay-eval/assay/bench/internal/proc"
)

// figures are what a run took. Times are in seconds, sizes in bytes.
type figures struct {
	Workers int     `json:"workers"`
	Cases   int     `json:"cases"`
	Wall    float64 `json:"wall"`
	// Processor times of the processes, and of all others on the machine.
	WorkersCPU float64 `json:"workers_cpu"`
	SessionCPU float64 `json:"session_cpu"`
	ServerCPU  float64 `json:"server_cpu"`
	StubCPU    float64 `json:"stub_cpu"`
	OthersCPU  float64 `json:"others_cpu"`
	// WorkerMemory is the largest of the workers, SessionMemory that of the process of the run.
	WorkerMemory  int64 `json:"worker_memory"`
	SessionMemory int64 `json:"session_memory"`
	// Connections is the most at once.
	Connections int `json:"connections"`
	// Statements are those that the server counted, WAL the bytes of its log, Syncs how often it
	// waited for the disk with it.
	Statements float64     `json:"statements"`
	WAL        float64     `json:"wal"`
	Syncs      float64     `json:"syncs"`
	Tables     []table     `json:"tables"`
	Top        []statement `json:"top"`
	// Prompts is the number of calls of the judge.
	Prompts int `json:"prompts"`
}

// rate is the throughput in cases a second.
func (f figures) rate() float64 { return float64(f.Cases) / f.Wall }

// A table is a table of the database after a run, with its indexes.
type table struct {
	Name string `json:"name"`
	Rows int64  `json:"rows"`
	Size int64  `json:"size"`
}

// A statement is a kind of statement.
type statement struct {
	Text  string `json:"text"`
	Calls int64  `json:"calls"`
	// Mean and Total are times of the server, in milliseconds.
	Mean  float64 `json:"mean_ms"`
	Total float64 `json:"total_ms"`
}

// A meter reads what is used between two moments.
type meter struct {
	l     *lab
	db    string
	begun time.Time
	// at the beginning
	server, stub, all, workers time.Duration
	wal, syncs                 float64
	stop                       chan struct{}
	watching                   sync.WaitGroup
	connections                int
}

const (
	walQuery  = `SELECT pg_current_wal_lsn() - '0/0'::pg_lsn`
	syncQuery = `SELECT wal_sync FROM pg_stat_wal`
	// countQuery counts the statements on the database.
	countQuery = `SELECT coalesce(sum(calls), 0) FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = $1)`
)

// name returns the name of a database.
func name(db string) string {
	db, _, _ = strings.Cut(db, "?")
	return db[strings.LastIndexByte(db, '/')+1:]
}

// admin is the database that the figures are asked from, so that these questions are not counted.
func (l *lab) admin() string { return l.server.URL("postgres") }

// begin starts to measure what a run on a database takes.
func (l *lab) begin(db string) (m *meter, err error) {
	m = &meter{l: l, db: db, stop: make(chan struct{})}
	if err := l.exec(l.admin(), `CREATE EXTENSION IF NOT EXISTS pg_stat_statements`, `CHECKPOINT`, `SELECT pg_stat_statements_reset()`); err != nil {
		return nil, err
	}
	if m.wal, err = number(l.admin(), walQuery); err != nil {
		return nil, err
	}
	if m.syncs, err = number(l.admin(), syncQuery); err != nil {
		return nil, err
	}
	if err := m.times(&m.server, &m.stub, &m.all, &m.workers); err != nil {
		return nil, err
	}
	m.watching.Go(m.watch)
	m.begun = time.Now()
	return m, nil
}

// times reads the processor times so far.
func (m *meter) times(server, stub, all, workers *time.Duration) (err error) {
	if *server, err = proc.UsedByFamily(m.l.server.PID()); err != nil {
		return err
	}
	if *stub, err = proc.Used(m.l.stub.cmd.Process.Pid); err != nil {
		return err
	}
	*workers = 0
	for _, w := range m.l.workers {
		one, err := proc.Used(w.cmd.Process.Pid)
		if err != nil {
			return err
		}
		*workers += one
	}
	*all, err = proc.UsedByAll()
	return err
}

// watch counts the connections twice a second.
func (m *meter) watch() {
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-m.stop:
			return
		}
		n, err := number(m.l.admin(), `SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND datname = $1`, name(m.db))
		if err == nil { // the server may be away
			m.connections = max(m.connections, int(n))
		}
	}
}

// end returns what was used since the beginning. The run, if there is one, has ended.
func (m *meter) end(r *running, cases int) (f figures, err error) {
	f = figures{Workers: len(m.l.workers), Cases: cases, Wall: time.Since(m.begun).Seconds()}
	close(m.stop)
	m.watching.Wait()
	f.Connections = m.connections
	var server, stub, all, workers, session time.Duration
	if err := m.times(&server, &stub, &all, &workers); err != nil {
		return f, err
	}
	if r != nil {
		session, f.SessionMemory = used(r.cmd.ProcessState)
	}
	f.WorkersCPU, f.SessionCPU = (workers - m.workers).Seconds(), session.Seconds()
	f.ServerCPU, f.StubCPU = (server - m.server).Seconds(), (stub - m.stub).Seconds()
	f.OthersCPU = max(0, (all-m.all).Seconds()-f.WorkersCPU-f.SessionCPU-f.ServerCPU-f.StubCPU)
	for _, w := range m.l.workers {
		_, peak, err := proc.Memory(w.cmd.Process.Pid)
		if err != nil {
			return f, err
		}
		f.WorkerMemory = max(f.WorkerMemory, peak)
	}
	admin := m.l.admin()
	if f.Statements, err = number(admin, countQuery, name(m.db)); err != nil {
		return f, err
	}
	if f.Top, err = rows[statement](admin, `SELECT regexp_replace(query, '\s+', ' ', 'g'), calls, mean_exec_time, total_exec_time FROM pg_stat_statements
		WHERE dbid = (SELECT oid FROM pg_database WHERE datname = $1) ORDER BY total_exec_time DESC LIMIT 12`, name(m.db)); err != nil {
		return f, err
	}
	wal, err := number(admin, walQuery)
	if err != nil {
		return f, err
	}
	syncs, err := number(admin, syncQuery)
	if err != nil {
		return f, err
	}
	f.WAL, f.Syncs = wal-m.wal, syncs-m.syncs
	f.Tables, err = tables(m.db)
	return f, err
}

// tables returns the tables of a store and of its queue that have rows.
func tables(db string) (all []table, err error) {
	for _, t := range []string{"records", "calls", "texts", "items", "river_job"} {
		found, err := rows[table](db, fmt.Sprintf(`SELECT '%s', count(*), pg_total_relation_size('%s') FROM %s`, t, t, t))
		if err != nil {
			return nil, err
		}
		if found[0].Rows > 0 {
			all = append(all, found[0])
		}
	}
	return all, nil
}

// pause waits.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
