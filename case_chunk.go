package assay

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"sort"
	"sync"
)

// chunkSize is the size of packed cases that are compressed together. Larger chunks compress
// a little better, and a single case takes longer to read.
const chunkSize = 64 << 10

// plainSize is how much of a list is not compressed: a list is read many times before a run
// begins, and few lists are longer.
const plainSize = 8 << 20

// A chunk is a sequence of packed cases.
type chunk struct {
	// end is the index behind its last case.
	end int
	// plain is the chunk without compression; nil if it is compressed. body is then what
	// is compressed, and size how long it was.
	plain *openChunk
	size  int
	body  []byte
}

// An openChunk is a sequence of packed cases that is added to.
type openChunk struct {
	text []byte
	// starts are the positions of the cases in the text.
	starts []uint32
}

func (o *openChunk) begin() { o.starts = append(o.starts, uint32(len(o.text))) }

// complete returns the open chunk, and begins another.
func (l *Cases) complete() chunk {
	c := chunk{end: l.n}
	if l.plain += len(l.open.text); l.plain <= plainSize {
		c.plain = &openChunk{bytes.Clone(l.open.text), slices.Clone(l.open.starts)}
	} else {
		c.body, c.size = l.open.compressed()
	}
	l.open.text, l.open.starts = l.open.text[:0], l.open.starts[:0]
	return c
}

// deflaters are idle compressors. Each takes more than half a megabyte.
var deflaters = sync.Pool{New: func() any {
	w, err := flate.NewWriter(io.Discard, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is valid
	}
	return w
}}

// inflaters are idle decompressors.
var inflaters = sync.Pool{New: func() any { return flate.NewReader(bytes.NewReader(nil)) }}

// compressed returns the chunk, compressed, and its size without compression.
func (o *openChunk) compressed() (body []byte, size int) {
	w := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(w)
	head := binary.AppendUvarint(nil, uint64(len(o.starts)))
	for _, start := range o.starts {
		head = binary.AppendUvarint(head, uint64(start))
	}
	var b bytes.Buffer
	w.Reset(&b)
	size = len(head) + len(o.text)
	for _, part := range [][]byte{head, o.text} {
		if _, err := w.Write(part); err != nil {
			panic(fmt.Sprintf("assay: packing cases: %v", err)) // memory takes every byte
		}
	}
	if err := w.Close(); err != nil {
		panic(fmt.Sprintf("assay: packing cases: %v", err))
	}
	return bytes.Clone(b.Bytes()), size
}

// openAgain returns what a compressed chunk was made of.
func (c chunk) openAgain() openChunk {
	r := inflaters.Get().(io.Reader)
	defer inflaters.Put(r)
	text := make([]byte, c.size)
	err := r.(flate.Resetter).Reset(bytes.NewReader(c.body), nil)
	if err == nil {
		_, err = io.ReadFull(r, text)
	}
	if err != nil {
		panic(fmt.Sprintf("assay: unpacking cases: %v", err)) // compressed made it
	}
	n, size := binary.Uvarint(text)
	text = text[size:]
	starts := make([]uint32, n)
	for i := range starts {
		start, size := binary.Uvarint(text)
		starts[i], text = uint32(start), text[size:]
	}
	return openChunk{text, starts}
}

// at returns the packed case at an index in the chunk, in memory of its own.
func (o *openChunk) at(i int) string {
	end := uint32(len(o.text))
	if i+1 < len(o.starts) {
		end = o.starts[i+1]
	}
	return string(o.text[o.starts[i]:end])
}

// A chunkCache holds the chunks that were read last.
type chunkCache struct {
	mu   sync.Mutex
	held [4]heldChunk
	next int
}

type heldChunk struct {
	openChunk
	// number is that of the chunk plus one; 0 holds none.
	number int
}

// text returns the packed case at an index.
func (l *Cases) text(i int) string {
	k := sort.Search(len(l.full), func(k int) bool { return l.full[k].end > i })
	first := 0
	if k > 0 {
		first = l.full[k-1].end
	}
	switch {
	case k == len(l.full):
		return l.open.at(i - first)
	case l.full[k].plain != nil:
		return l.full[k].plain.at(i - first)
	}
	c := &l.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	at := slices.IndexFunc(c.held[:], func(h heldChunk) bool { return h.number == k+1 })
	if at < 0 {
		at = c.next
		c.next = (c.next + 1) % len(c.held)
		c.held[at] = heldChunk{l.full[k].openAgain(), k + 1}
	}
	return c.held[at].at(i - first)
}
