package server

import (
	"context"
	"sync"

	"github.com/assay-eval/assay"
)

// summarySpace is the size limit of the cached summaries, in bytes.
const summarySpace = 32 << 20

// summaries caches the summaries of the most recently requested runs, because
// computing one reads every record of its run.
type summaries struct {
	mu    sync.Mutex
	by    map[string]*summaryEntry
	size  int
	turn  int64
	limit int
}

type summaryEntry struct {
	// records and state are those of the run when the summary was computed.
	records int
	state   string
	text    []byte
	used    int64
	// ready is closed when text or err is set.
	ready chan struct{}
	err   error
}

func newSummaries(limit int) *summaries {
	return &summaries{by: map[string]*summaryEntry{}, limit: limit}
}

// of returns the summary of a run with the given number of records. Concurrent
// callers wait for one of them to compute it.
func (c *summaries) of(ctx context.Context, s *Server, h assay.Header, records int) ([]byte, error) {
	c.mu.Lock()
	c.turn++
	e := c.by[h.ID]
	if e != nil && e.records == records && e.state == h.State {
		e.used = c.turn
		c.mu.Unlock()
		select {
		case <-e.ready:
			if e.err == nil {
				return e.text, nil
			}
			// It failed, perhaps because that caller's context ended.
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		c.mu.Lock()
	}
	e = &summaryEntry{records: records, state: h.State, used: c.turn, ready: make(chan struct{})}
	c.drop(h.ID)
	c.by[h.ID] = e
	c.mu.Unlock()
	rep, err := s.report(ctx, h)
	var text []byte
	if err == nil {
		text, err = summarised(rep)
	}
	c.mu.Lock()
	e.text, e.err = text, err
	close(e.ready)
	if err != nil && c.by[h.ID] == e {
		delete(c.by, h.ID)
	} else if c.by[h.ID] == e {
		c.size += len(text)
	}
	c.shrink(h.ID)
	c.mu.Unlock()
	return text, err
}

func (c *summaries) drop(id string) {
	if e := c.by[id]; e != nil {
		c.size -= len(e.text)
		delete(c.by, id)
	}
}

// shrink drops the least recently used summaries, except that of the run but, until
// the rest fits.
func (c *summaries) shrink(but string) {
	for c.size > c.limit {
		oldest := ""
		for id, e := range c.by {
			if id != but && e.text != nil && (oldest == "" || e.used < c.by[oldest].used) {
				oldest = id
			}
		}
		if oldest == "" {
			return
		}
		c.drop(oldest)
	}
}
