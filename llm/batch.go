package llm

import "sync/atomic"

// Refused reports whether a server refused what is in a request, so that one with less in
// it may be accepted.
func Refused(err error) bool { return IsKind(err, KindTooLong) || IsKind(err, KindRequest) }

// A Batch is the number of items that go into one call, which grows smaller when a server
// refuses so many. It is safe for concurrent use.
type Batch struct{ most atomic.Int64 }

// NewBatch returns one of at most so many items, at least 1.
func NewBatch(most int) *Batch {
	b := &Batch{}
	b.most.Store(int64(max(1, most)))
	return b
}

// Most is the most items of a call.
func (b *Batch) Most() int { return int(b.most.Load()) }

// Do calls do for the items from first up to last, in halves if they are too many. If a
// call of several items is refused, Do halves it until the server accepts, or until the
// one item that it refuses stands alone, whose error Do returns. Later calls have no more
// items than were accepted.
func (b *Batch) Do(first, last int, do func(first, last int) error) error {
	n := last - first
	if n > b.Most() {
		return b.halves(first, last, do)
	}
	err := do(first, last)
	if n < 2 || !Refused(err) {
		return err
	}
	if err := b.halves(first, last, do); err != nil {
		return err
	}
	for half := int64(n+1) / 2; ; {
		if most := b.most.Load(); most <= half || b.most.CompareAndSwap(most, half) {
			return nil
		}
	}
}

func (b *Batch) halves(first, last int, do func(first, last int) error) error {
	middle := first + (last-first+1)/2
	if err := b.Do(first, middle, do); err != nil {
		return err
	}
	return b.Do(middle, last, do)
}
