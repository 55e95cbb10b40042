package server

import (
	"context"
	"sync"
	"time"

	"github.com/assay-eval/assay"
)

// A runCache keeps what takes long to derive from the records of a run, for the runs that
// were asked for last.
type runCache[T any] struct {
	// size returns the memory that a value takes, in bytes; limit bounds their sum.
	size  func(T) int
	limit int
	now   func() time.Time
	// places bounds the values that are derived at a time, with whatever else takes them; nil
	// bounds nothing.
	places chan struct{}

	mu   sync.Mutex
	by   map[string]*runEntry[T]
	turn int64
}

type runEntry[T any] struct {
	// records, state and ended are those of the run when the value was derived.
	records int
	state   string
	ended   time.Time
	used    int64
	// ready is closed when value or err is set, and the times.
	ready chan struct{}
	value T
	err   error
	made  time.Time
	took  time.Duration
}

func newRunCache[T any](limit int, now func() time.Time, size func(T) int, places chan struct{}) *runCache[T] {
	return &runCache[T]{size: size, limit: limit, now: now, places: places, by: map[string]*runEntry[T]{}}
}

// derivingShare bounds the part of the time that goes into deriving a value of a run that
// goes on: one in derivingShare.
const derivingShare = 20

// fixed returns the value with a key that names all that the value rests on.
func (c *runCache[T]) fixed(ctx context.Context, key string, derive func() (T, error)) (T, error) {
	return c.of(ctx, assay.Header{ID: key, State: stateFinished}, 0, derive)
}

// of returns the value of a run with the given number of records. Concurrent callers wait
// for one of them to derive it. That of a run which goes on can be of fewer records, so
// that those who poll it do not slow it down.
func (c *runCache[T]) of(ctx context.Context, h assay.Header, records int, derive func() (T, error)) (T, error) {
	c.mu.Lock()
	c.turn++
	e := c.by[h.ID]
	if e != nil && c.serves(e, h, records) {
		e.used = c.turn
		c.mu.Unlock()
		select {
		case <-e.ready:
			if e.err == nil {
				return e.value, nil
			}
			// It failed, perhaps because that caller's context ended.
		case <-ctx.Done():
			var none T
			return none, ctx.Err()
		}
		c.mu.Lock()
	}
	e = &runEntry[T]{records: records, state: h.State, ended: h.Finished, used: c.turn, ready: make(chan struct{})}
	c.by[h.ID] = e
	c.mu.Unlock()
	start := c.now()
	value, err := c.inTurn(ctx, derive)
	c.mu.Lock()
	e.value, e.err, e.made = value, err, c.now()
	e.took = e.made.Sub(start)
	close(e.ready)
	if err != nil && c.by[h.ID] == e {
		delete(c.by, h.ID)
	}
	c.shrink(e)
	c.mu.Unlock()
	return value, err
}

// inTurn derives a value when there is a place.
func (c *runCache[T]) inTurn(ctx context.Context, derive func() (T, error)) (value T, err error) {
	if c.places != nil {
		release, err := take(ctx, c.places)
		if err != nil {
			return value, err
		}
		defer release()
	}
	return derive()
}

// serves reports whether a value can be given for a run with a number of records.
func (c *runCache[T]) serves(e *runEntry[T], h assay.Header, records int) bool {
	if e.state != h.State || !e.ended.Equal(h.Finished) {
		return false
	}
	if e.records == records || h.State != stateRunning {
		return e.records == records
	}
	select {
	case <-e.ready:
		return c.now().Sub(e.made) < derivingShare*e.took
	default:
		return true // it is being derived
	}
}

// shrink drops the least recently used values, except one, until the rest fits. Values can
// grow, so their sizes are asked for again.
func (c *runCache[T]) shrink(but *runEntry[T]) {
	for {
		size, oldest := 0, ""
		for id, e := range c.by {
			select {
			case <-e.ready:
			default:
				continue
			}
			size += c.size(e.value)
			if e != but && (oldest == "" || e.used < c.by[oldest].used) {
				oldest = id
			}
		}
		if size <= c.limit || oldest == "" {
			return
		}
		delete(c.by, oldest)
	}
}
