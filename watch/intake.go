package watch

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/assay-eval/assay/spans"
	"github.com/assay-eval/assay/store"
)

// Reading says what of the received spans is done.
type Reading struct {
	// Mark is the id of a batch: all up to it are done.
	Mark string `json:"mark,omitempty"`
	// Decided are the traces with spans in later batches that are done, each with the id of its
	// last batch.
	Decided map[string]string `json:"decided,omitempty"`
}

// late is how long the batches of other servers, or of slow transactions, may take to appear
// among those that are there already.
const late = time.Minute

// mostOpen bounds the spans of traces that are not complete. Beyond it, those that wait longest
// are taken as they are.
const mostOpen = 50_000

// errFull ends a reading when too many spans are held.
var errFull = errors.New("too many spans are held")

// An intake brings the spans of sampled traces together until each trace is complete.
type intake struct {
	open map[string]*openTrace
	// seen are the batches that were read, each with the time of its receipt.
	seen  map[string]time.Time
	spans int
	// most is the number of spans that are held.
	most int
	// until is the time of receipt of the last batch that was read.
	until time.Time
}

// An openTrace is a trace that may get more spans.
type openTrace struct {
	id          string
	spans       []spans.Span
	first, last string // batches
	received    time.Time
}

func newIntake() *intake {
	return &intake{open: map[string]*openTrace{}, seen: map[string]time.Time{}, most: mostOpen}
}

// read reads the batches that were not read yet, and holds the spans of sampled traces. more is
// set if it stopped because it holds too many.
func (in *intake) read(ctx context.Context, s *store.Store, st *State) (more bool, _ error) {
	err := s.Spans(ctx, st.Reading.Mark, st.From, func(b store.SpanBatch) error {
		if _, ok := in.seen[b.ID]; ok {
			return nil
		}
		if in.spans > in.most {
			return errFull
		}
		body, err := b.Body(ctx)
		if err != nil {
			return err
		}
		list, err := spans.Batch(body)
		if err != nil {
			return err
		}
		in.seen[b.ID], in.until = b.Received, b.Received
		for _, span := range list {
			if !drawn(st.Name, span.Trace, st.Settings.Rate) {
				continue
			}
			if last, done := st.Reading.Decided[span.Trace]; done {
				st.Reading.Decided[span.Trace] = max(last, b.ID)
				continue
			}
			t := in.open[span.Trace]
			if t == nil {
				t = &openTrace{id: span.Trace, first: b.ID}
				in.open[span.Trace] = t
			}
			t.spans = append(t.spans, span)
			t.first, t.last = min(t.first, b.ID), max(t.last, b.ID)
			if b.Received.After(t.received) {
				t.received = b.Received
			}
			in.spans++
		}
		return nil
	})
	if errors.Is(err, errFull) {
		return true, nil
	}
	return false, err
}

// complete takes the traces that got no span for the time to settle before now, which is that
// of the last batch read if there are more; or all traces. They come in the order in which they
// came.
func (in *intake) complete(st *State, now time.Time, all bool) []*openTrace {
	traces := slices.SortedFunc(maps.Values(in.open), func(a, b *openTrace) int {
		if d := a.received.Compare(b.received); d != 0 {
			return d
		}
		return compare(a.id, b.id)
	})
	var out []*openTrace
	for _, t := range traces {
		if !all && now.Sub(t.received) < st.Settings.Settle && in.spans <= in.most {
			continue
		}
		out = append(out, t)
		in.spans -= len(t.spans)
		delete(in.open, t.id)
		if st.Reading.Decided == nil {
			st.Reading.Decided = map[string]string{}
		}
		st.Reading.Decided[t.id] = t.last
	}
	return out
}

// advance moves the mark over the batches that are done: no open trace has spans in them, and
// no batch before them can still appear.
func (in *intake) advance(r *Reading, now time.Time) {
	bound := ""
	for _, t := range in.open {
		if bound == "" || t.first < bound {
			bound = t.first
		}
	}
	mark := r.Mark
	for _, id := range slices.Sorted(maps.Keys(in.seen)) {
		if bound != "" && id >= bound || now.Sub(in.seen[id]) < late {
			break
		}
		mark = id
	}
	r.Mark = mark
	maps.DeleteFunc(in.seen, func(id string, _ time.Time) bool { return id <= mark })
	maps.DeleteFunc(r.Decided, func(_, last string) bool { return last <= mark })
}
