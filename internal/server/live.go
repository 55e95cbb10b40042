package server

import (
	"context"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
)

// liveSpace is the size limit of what is kept of the runs of other processes that were
// followed last, in bytes.
const liveSpace = 64 << 20

// A live is what is known of a run that another process executes. Every record is read
// once, however often the run is asked for.
type live struct {
	mu    sync.Mutex
	build *report.Builder
	// at is the position of the last record that was read, n the number of records.
	at int64
	n  int
}

// size returns roughly how much memory the columns of the run take, in bytes.
func (l *live) size() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return 160 * l.n
}

// catchUp reads the records that were stored since the last call.
func (l *live) catchUp(ctx context.Context, s *Server, run string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		more, err := s.store.RecordsSince(ctx, run, l.at, eventBatch)
		if err != nil || len(more) == 0 {
			return err
		}
		seqs := make([]int, len(more))
		for i, k := range more {
			seqs[i] = k.Record.Seq
		}
		records, err := s.store.RecordsAt(ctx, run, seqs)
		if err != nil {
			return err
		}
		for i := range records {
			l.build.Add(&records[i])
		}
		l.at, l.n = more[len(more)-1].Position, l.n+len(more)
	}
}

// reportSoFar returns the report of a run that goes on. Its source may have more records
// by the time it is read.
func (s *Server) reportSoFar(ctx context.Context, h assay.Header) (*report.Report, error) {
	var build *report.Builder
	if g := s.queue.find(h.ID); g != nil && g.feed != nil {
		build = g.feed.building()
	}
	if build == nil {
		l, err := s.lives.fixed(ctx, h.ID, func() (*live, error) { return &live{build: report.NewBuilder()}, nil })
		if err == nil {
			err = l.catchUp(ctx, s, h.ID)
		}
		if err != nil {
			return nil, err
		}
		build = l.build
	}
	rep, err := build.Report(h, wire.Stored(ctx, s.store, h.ID))
	if err != nil {
		return nil, err
	}
	rep.Gate = nil // it decides at the end
	return rep, nil
}
