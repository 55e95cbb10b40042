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
// items than were accepted, unless an item was cut: then it was the length of that item.
// do and Do report whether one was cut.
func (b *Batch) Do(first, last int, do func(first, last int) (cut bool, err error)) (cut bool, err error) {
	n := last - first
	if n > b.Most() {
		return b.halves(first, last, do)
	}
	cut, err = do(first, last)
	if n < 2 || !Refused(err) {
		return cut, err
	}
	if cut, err = b.halves(first, last, do); err != nil || cut {
		return cut, err
	}
	for half := int64(n+1) / 2; ; {
		if most := b.most.Load(); most <= half || b.most.CompareAndSwap(most, half) {
			return false, nil
		}
	}
}

func (b *Batch) halves(first, last int, do func(first, last int) (cut bool, err error)) (cut bool, err error) {
	middle := first + (last-first+1)/2
	before, err := b.Do(first, middle, do)
	if err != nil {
		return before, err
	}
	after, err := b.Do(middle, last, do)
	return before || after, err
}
