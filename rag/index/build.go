package index

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

const (
	// batchPassages and batchBytes bound what a worker takes at a time.
	batchPassages = 256
	batchBytes    = 1 << 20
	// maxSorted is how many postings a worker sorts by term at a time, 8 bytes each.
	maxSorted = 1 << 24
)

// BuildBM25 indexes texts, each of which becomes the passage with its ordinal. It uses
// all processors; the index does not depend on their number. An empty text becomes a
// passage that no query finds. Errors: parameters out of range; more than 2³¹ passages,
// or 4 GB of different terms.
func BuildBM25(texts iter.Seq[string], params BM25Params) (*BM25, error) {
	if err := params.check(); err != nil {
		return nil, err
	}
	jobs := make(chan job)
	workers := make([]*indexer, runtime.GOMAXPROCS(0))
	var wait sync.WaitGroup
	for i := range workers {
		workers[i] = newIndexer()
		wait.Go(func() {
			for j := range jobs {
				workers[i].index(j)
			}
		})
	}
	n := feed(jobs, texts)
	close(jobs)
	wait.Wait()
	for _, w := range workers {
		if w.overflow {
			return nil, errors.New("bm25: the texts hold more than 4 GB of different words")
		}
	}
	if n > math.MaxInt32 {
		return nil, fmt.Errorf("bm25: %d passages: expected at most %d", n, math.MaxInt32)
	}
	return merge(workers, n, params)
}

// feed sends the texts in batches and returns how many there were.
func feed(jobs chan<- job, texts iter.Seq[string]) int {
	n, size := 0, 0
	next := job{}
	send := func() {
		jobs <- next
		next = job{number: next.number + 1, first: n}
		size = 0
	}
	for s := range texts {
		next.texts = append(next.texts, s)
		n++
		size += len(s)
		if len(next.texts) == batchPassages || size >= batchBytes {
			send()
		}
	}
	if len(next.texts) > 0 {
		send()
	}
	return n
}

// A job is a batch of texts; first is the ordinal of the first.
type job struct {
	number, first int
	texts         []string
}

// A batch is an indexed job. The worker that made it numbers its terms.
type batch struct {
	number, first int
	worker        *indexer
	// oldTerms and terms bound the terms that the worker first met in this batch.
	oldTerms, terms int
	// lengths holds the number of terms of each passage, ends the end of its entries.
	lengths []uint32
	ends    []int
	entries []entry
}

// An entry says that a passage contains a term tf times.
type entry struct{ term, tf uint32 }

// An indexer numbers terms and counts them per passage. Words are looked up in their
// original form, so that each is stemmed only once.
type indexer struct {
	words  *dictionary
	termOf []uint32
	terms  *dictionary
	// df counts, for each term, the passages that contain it.
	df []uint32
	// seen holds, for each term, the last passage with it, counted from 1, and entryOf
	// the entry that counts it there.
	seen     []uint32
	entryOf  []uint32
	batches  []batch
	overflow bool

	entries []entry
	passage uint32
	length  uint32
	split   *splitter
	word    []byte
}

// noTerm stands for the term of a stop word.
const noTerm = math.MaxUint32

func newIndexer() *indexer {
	w := &indexer{words: newDictionary(1 << 14), terms: newDictionary(1 << 14)}
	w.split = newSplitter(w.add)
	return w
}

func (w *indexer) index(j job) {
	w.entries = w.entries[:0]
	b := batch{number: j.number, first: j.first, worker: w, oldTerms: w.terms.len()}
	for i, s := range j.texts {
		w.passage, w.length = uint32(j.first+i+1), 0
		w.split.split(s)
		b.lengths = append(b.lengths, w.length)
		b.ends = append(b.ends, len(w.entries))
	}
	b.terms = w.terms.len()
	b.entries = append([]entry(nil), w.entries...)
	w.batches = append(w.batches, b)
}

func (w *indexer) add(word []byte) {
	n, isNew := w.words.add(word)
	if isNew {
		if len(w.words.text) > maxDictionary {
			w.overflow = true
			w.words, w.termOf = newDictionary(0), nil
			return
		}
		w.termOf = append(w.termOf, w.newTerm(word))
	}
	t := w.termOf[n]
	if t == noTerm {
		return
	}
	w.length++
	if w.seen[t] == w.passage {
		w.entries[w.entryOf[t]].tf++
		return
	}
	w.seen[t] = w.passage
	w.entryOf[t] = uint32(len(w.entries))
	w.df[t]++
	w.entries = append(w.entries, entry{t, 1})
}

// newTerm returns the term of a new word.
func (w *indexer) newTerm(word []byte) uint32 {
	w.word = append(w.word[:0], word...)
	t := term(w.word)
	if t == nil {
		return noTerm
	}
	n, isNew := w.terms.add(t)
	if isNew {
		w.df = append(w.df, 0)
		w.seen = append(w.seen, 0)
		w.entryOf = append(w.entryOf, 0)
	}
	return n
}

// merge combines the workers' batches into one index. Terms are numbered in the order
// of the batches, so the assignment of batches to workers does not matter.
func merge(workers []*indexer, n int, params BM25Params) (*BM25, error) {
	batches := inOrder(workers)
	x := &BM25{params: params, lengths: make([]byte, 0, n), terms: newDictionary(workers[0].terms.len())}
	numbers := make(map[*indexer][]uint32, len(workers))
	for _, w := range workers {
		numbers[w] = make([]uint32, w.terms.len())
	}
	for _, b := range batches {
		for t := b.oldTerms; t < b.terms; t++ {
			term := b.worker.terms.at(uint32(t))
			numbers[b.worker][t], _ = x.terms.add(term)
		}
		for _, length := range b.lengths {
			x.lengths = append(x.lengths, lengthByte(length))
			x.total += uint64(length)
			if length > 0 {
				x.nonEmpty++
			}
		}
		if len(x.terms.text) > maxDictionary {
			return nil, errors.New("bm25: the texts hold more than 4 GB of different terms")
		}
	}
	x.lists = make([]list, x.terms.len())
	for _, w := range workers {
		for t, df := range w.df {
			x.lists[numbers[w][t]].df += df
		}
	}
	x.prepare()
	x.packLists(batches, numbers)
	return x, nil
}

// inOrder returns the batches of all workers in order.
func inOrder(workers []*indexer) []batch {
	n := 0
	for _, w := range workers {
		n += len(w.batches)
	}
	out := make([]batch, n)
	for _, w := range workers {
		for _, b := range w.batches {
			out[b.number] = b
		}
	}
	return out
}

// A section is a range of terms whose lists are packed together.
type section struct {
	from, to int
	postings int
	blocks   []block
	data     []byte
}

// packLists sorts the entries by term and packs them, section by section.
func (x *BM25) packLists(batches []batch, numbers map[*indexer][]uint32) {
	workers := runtime.GOMAXPROCS(0)
	sections := x.sections(workers)
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(workers, len(sections)) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(sections); i = int(next.Add(1)) - 1 {
				x.packSection(&sections[i], batches, numbers)
			}
		})
	}
	wait.Wait()
	x.join(sections)
}

// sections divides the terms into ranges with about equal numbers of postings.
func (x *BM25) sections(workers int) []section {
	all := 0
	for _, l := range x.lists {
		all += int(l.df)
	}
	count := max(workers, (all+maxSorted-1)/maxSorted)
	var out []section
	s := section{}
	for t, l := range x.lists {
		s.postings += int(l.df)
		if s.postings >= all/count+1 || t == len(x.lists)-1 {
			s.to = t + 1
			out = append(out, s)
			s = section{from: s.to}
		}
	}
	return out
}

func (x *BM25) packSection(s *section, batches []batch, numbers map[*indexer][]uint32) {
	// at holds the position of the next posting of each term.
	at := make([]uint32, s.to-s.from+1)
	for i := range at[1:] {
		at[i+1] = at[i] + x.lists[s.from+i].df
	}
	sorted := make([]posting, s.postings)
	for _, b := range batches {
		number := numbers[b.worker]
		start := 0
		for i, end := range b.ends {
			passage := uint32(b.first + i)
			for _, e := range b.entries[start:end] {
				if t := int(number[e.term]) - s.from; t >= 0 && t < s.to-s.from {
					sorted[at[t]] = posting{passage, e.tf}
					at[t]++
				}
			}
			start = end
		}
	}
	for t := s.from; t < s.to; t++ {
		df := int(x.lists[t].df)
		s.pack(x, sorted[:df])
		sorted = sorted[df:]
	}
}

// pack appends the blocks of one list.
func (s *section) pack(x *BM25, postings []posting) {
	before := uint32(math.MaxUint32)
	listStart := len(s.data)
	for len(postings) > 0 {
		n := min(len(postings), blockLen)
		start := len(s.data)
		data, b := pack(s.data, before, postings[:n])
		s.data = data
		b.data = uint32(start - listStart)
		for _, p := range postings[:n] {
			b.most = max(b.most, x.part(p.tf, x.lengths[p.passage]))
		}
		s.blocks = append(s.blocks, b)
		before = b.last
		postings = postings[n:]
	}
}

// join concatenates the sections.
func (x *BM25) join(sections []section) {
	blocks, size := 0, 0
	for _, s := range sections {
		blocks += len(s.blocks)
		size += len(s.data)
	}
	x.blocks = make([]block, 0, blocks)
	x.data = make([]byte, 0, size+slack)
	for _, s := range sections {
		x.blocks = append(x.blocks, s.blocks...)
		x.data = append(x.data, s.data...)
	}
	x.data = x.data[:size+slack]
	x.locate()
}

// locate computes the start of each list from the lengths before it.
func (x *BM25) locate() {
	nextBlock, nextData := 0, uint64(0)
	for t := range x.lists {
		l := &x.lists[t]
		l.block, l.data = uint32(nextBlock), nextData
		if n := l.blocks(); n > 0 {
			nextBlock += n
			last := x.blocks[nextBlock-1]
			nextData += uint64(last.data) + uint64(last.size(l.length(n-1)))
		}
	}
}
