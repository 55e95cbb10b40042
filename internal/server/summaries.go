package server

import (
	"context"
	"sync"

	"github.com/assay-eval/assay"
)

// summarySpace is how much of the summaries of runs is kept at hand, in bytes.
const summarySpace = 32 << 20

// summaries keeps the summaries of the runs that were asked for last: making one
// reads every record of its run.
type summaries struct {
	mu    sync.Mutex
	by    map[string]*summaryEntry
	size  int
	turn  int64
	limit int
}

type summaryEntry struct {
	// records and state tell of which moment of the run it is.
	records int
	state   string
	text    []byte
	used    int64
	// ready is closed when it is made; err is why it is not.
	ready chan struct{}
	err   error
}

func newSummaries(limit int) *summaries {
	return &summaries{by: map[string]*summaryEntry{}, limit: limit}
}

// of gives the summary of a run that has so many records. Those who ask at the
// same time wait for one to make it.
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
			// Who made it may have given up.
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

// shrink drops those that were used longest ago, until the rest fits.
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
