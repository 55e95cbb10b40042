package index

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/assay-eval/assay/internal/simd"
)

const (
	// window is how many passages are scored at a time; their sums take 32 KB, a
	// first-level cache.
	window = 4096
	// commonShare says from which share of the passages, one in so many, a term is
	// worth skipping: below it, walking its postings costs less than looking it up.
	commonShare = 4
	// histogramBits is the precision of the histogram of a window's sums.
	histogramBits = 10
	// maxTables is how many terms of a query have a table of their contributions, 32 KB
	// each.
	maxTables = 24
	// maxQuery is how many terms of a query count: sums of more might overflow.
	maxQuery = 1 << 24
)

// noPassage is the passage before the first: adding one gives 0.
const noPassage = math.MaxUint32

// Search returns the k passages with the best scores for a query, fewer if fewer
// contain any of its terms; nil if k is below 1 or no term is known. A repeated term of
// the query counts repeatedly.
//
// It uses MaxScore, window by window: common terms whose greatest contributions in the
// window cannot, together, lift a passage into the best k are not walked, only looked
// up for passages that other terms bring up. Skipping is exact: the hits and the scores
// are those of an exhaustive search. Source: Turtle and Flood, Query evaluation, 1995;
// Ding and Suel, Faster top-k document retrieval using block-max indexes, 2011.
func (x *BM25) Search(query string, k int) []Hit {
	if k < 1 || len(x.lengths) == 0 {
		return nil
	}
	s := x.scratch.Get().(*scratch)
	defer x.scratch.Put(s)
	s.open(x, query)
	if len(s.cursors) == 0 {
		return nil
	}
	s.best.reset(min(k, len(x.lengths)))
	for lo := 0; lo < len(x.lengths); lo += window {
		s.searchWindow(uint32(lo), uint32(min(lo+window, len(x.lengths))))
	}
	return s.best.hits(scoreUnit)
}

// scratch is the memory of one search.
type scratch struct {
	x     *BM25
	split *splitter
	word  []byte
	pool  []*cursor
	// tables holds the tables of the most common terms.
	tables []*[256 * tableTF]uint64
	// found holds the number of each known term of the query, cursors one cursor per
	// distinct term, the most common first.
	found   []uint32
	cursors []*cursor
	// sums holds the partial scores of the passages of a window.
	sums [window]uint64
	// below holds, for each number of cursors, the maximum that so many of the first
	// can add in the window.
	below     []uint64
	histogram [1 << histogramBits]uint32
	best      best[uint64]
}

func newScratch() *scratch {
	s := &scratch{}
	s.split = newSplitter(s.add)
	return s
}

// open makes a cursor for each term of the query.
func (s *scratch) open(x *BM25, query string) {
	s.x, s.found, s.cursors = x, s.found[:0], s.cursors[:0]
	s.split.split(query)
	slices.Sort(s.found)
	for i, t := range s.found {
		if i > 0 && t == s.found[i-1] {
			s.cursors[len(s.cursors)-1].times++
			continue
		}
		if len(s.cursors) == len(s.pool) {
			s.pool = append(s.pool, new(cursor))
		}
		c := s.pool[len(s.cursors)]
		c.reset(x, t)
		s.cursors = append(s.cursors, c)
	}
	slices.SortFunc(s.cursors, func(a, b *cursor) int { return cmp.Compare(b.list.df, a.list.df) })
	for i, c := range s.cursors {
		c.table = nil
		if i < maxTables {
			if i == len(s.tables) {
				s.tables = append(s.tables, new([256 * tableTF]uint64))
			}
			c.table = s.tables[i]
		}
	}
	s.below = slices.Grow(s.below[:0], len(s.cursors)+1)[:len(s.cursors)+1]
}

func (s *scratch) add(word []byte) {
	s.word = append(s.word[:0], word...)
	t := term(s.word)
	if t == nil || len(s.found) == maxQuery {
		return
	}
	if n, ok := s.x.terms.find(t); ok {
		s.found = append(s.found, n)
	}
}

// searchWindow offers the passages from lo up to hi.
func (s *scratch) searchWindow(lo, hi uint32) {
	for _, c := range s.cursors {
		c.bound = c.most(lo, hi) * c.times
	}
	for i, c := range s.cursors {
		s.below[i+1] = s.below[i] + c.bound
	}
	// A later passage loses a tie, so it must score more than the worst one kept.
	var worst uint64
	if s.best.full() {
		worst = s.best.heap[0].score
	}
	if s.below[len(s.cursors)] <= worst {
		return
	}
	weak := 0
	for s.below[weak+1] <= worst && int(s.cursors[weak].list.df)*commonShare >= len(s.x.lengths) {
		weak++
	}
	for _, c := range s.cursors[weak:] {
		c.sum(&s.sums, lo, hi)
	}
	sums := s.sums[:hi-lo]
	s.offer(sums, lo, weak)
}

// offer completes the sums that may belong to the best with the weak terms, offers them,
// and sets all sums to 0.
func (s *scratch) offer(sums []uint64, lo uint32, weak int) {
	var worst, need uint64
	if s.best.full() {
		worst = s.best.heap[0].score
		need = worst - s.below[weak]
	} else {
		need = s.floor(sums)
	}
	for i := 0; i < len(sums); {
		i += simd.Best().ClearUpTo(sums[i:], need)
		for end := min(i+simd.ClearGroup, len(sums)); i < end; i++ {
			sum, passage := sums[i], lo+uint32(i)
			sums[i] = 0
			if sum <= need {
				continue
			}
			sum = s.complete(sum, passage, weak, worst)
			if sum <= worst {
				continue
			}
			s.best.offer(ranked[uint64]{sum, passage})
			if s.best.full() {
				worst = s.best.heap[0].score
				need = worst - s.below[weak]
			}
		}
	}
}

// complete adds what the weak terms contribute to the sum of a passage. It stops when
// the sum cannot exceed worst, also by the bound of the block that holds the passage;
// what it returns then is at most worst.
func (s *scratch) complete(sum uint64, passage uint32, weak int, worst uint64) uint64 {
	for w := weak - 1; w >= 0 && sum+s.below[w+1] > worst; w-- {
		c := s.cursors[w]
		if !c.seek(passage) || c.before+1 > passage {
			continue
		}
		if sum+s.below[w]+contribution(c.idf, c.current().most)*c.times <= worst {
			return 0
		}
		sum += c.score(passage)
	}
	return sum
}

// floor returns a score below all of the k best of a window, as close to the k-th best
// as a histogram can tell. Without it most passages of the first window would go
// through the heap.
func (s *scratch) floor(sums []uint64) uint64 {
	shift := max(0, bits.Len64(s.below[len(s.cursors)])-histogramBits)
	clear(s.histogram[:])
	for _, sum := range sums {
		s.histogram[sum>>shift&(1<<histogramBits-1)]++
	}
	left := s.best.k
	for i := len(s.histogram) - 1; i > 0; i-- {
		left -= int(s.histogram[i])
		if left <= 0 {
			return uint64(i)<<shift - 1
		}
	}
	return 0
}

// A cursor walks the postings of a term.
type cursor struct {
	x     *BM25
	list  list
	idf   uint64
	times uint64
	bound uint64

	// block is the current block of the list, before the last passage of the one
	// before. ready says that its passages are unpacked, n is their number, and at the
	// next one.
	block, blocks int
	before        uint32
	ready         bool
	passages      [blockLen]uint32
	n, at         int
	tfs           []byte
	tfBits        uint8
	// counts holds the frequencies minus one if counted is set.
	counts  [blockLen]uint32
	counted bool
	// table holds what the term adds to a passage, by the code of its length and the
	// frequency minus one, once tabled is set.
	// table is nil for the rarer terms of a long query.
	table  *[256 * tableTF]uint64
	tabled bool
}

func (c *cursor) reset(x *BM25, term uint32) {
	c.x, c.list, c.times = x, x.lists[term], 1
	c.idf = x.idf(c.list.df)
	c.block, c.blocks, c.before, c.ready, c.tabled = 0, c.list.blocks(), noPassage, false, false
}

func (c *cursor) current() *block { return &c.x.blocks[int(c.list.block)+c.block] }

// seek moves to the first block that may contain a passage from lo on, and reports
// whether there is one.
func (c *cursor) seek(lo uint32) bool {
	for c.block < c.blocks {
		b := c.current()
		if b.last >= lo {
			return true
		}
		c.before, c.ready = b.last, false
		c.block++
	}
	return false
}

// most returns the maximum that one occurrence of the term adds to the score of a
// passage from lo up to hi.
func (c *cursor) most(lo, hi uint32) uint64 {
	if !c.seek(lo) {
		return 0
	}
	var part uint32
	before := c.before
	for _, b := range c.x.blocks[int(c.list.block)+c.block : int(c.list.block)+c.blocks] {
		if before+1 >= hi {
			break
		}
		part = max(part, b.most)
		before = b.last
	}
	if part == 0 {
		return 0
	}
	return contribution(c.idf, part)
}

// unpack decodes the passages of the current block.
func (c *cursor) unpack() {
	b := c.current()
	data := c.x.data[c.list.data+uint64(b.data):]
	c.n, c.at = c.list.length(c.block), 0
	simd.Best().UnpackSums(c.passages[:c.n], data, b.gapBits, c.before)
	c.tfs, c.tfBits = data[packedLen(c.n, b.gapBits):], b.tfBits
	c.ready, c.counted = true, false
}

// sum adds the term's contributions to the passages from lo up to hi.
func (c *cursor) sum(sums *[window]uint64, lo, hi uint32) {
	for c.seek(lo) && c.before+1 < hi {
		if !c.ready {
			c.unpack()
		}
		for c.at < c.n && c.passages[c.at] < lo {
			c.at++
		}
		end := c.n
		if c.passages[c.n-1] >= hi {
			n, _ := slices.BinarySearch(c.passages[c.at:c.n], hi)
			end = c.at + n
		}
		c.sumBlock(sums, lo, end)
		if c.at = end; end < c.n {
			return
		}
		c.before, c.ready = c.passages[c.n-1], false
		c.block++
	}
}

// sumBlock adds the contributions of the current block's postings up to end.
func (c *cursor) sumBlock(sums *[window]uint64, lo uint32, end int) {
	if !c.counted {
		simd.Best().Unpack(c.counts[:c.n], c.tfs, c.tfBits)
		c.counted = true
	}
	passages, counts := c.passages[c.at:end], c.counts[c.at:end]
	if c.tfBits <= tableBits && c.table != nil {
		if !c.tabled {
			c.tabulate()
		}
		add(sums, lo, passages, counts, c.x.lengths, c.table)
		return
	}
	for i, p := range passages {
		sums[p-lo] += contribution(c.idf, c.x.part(counts[i]+1, c.x.lengths[p])) * c.times
	}
}

// tabulate fills the table for the lengths that passages have.
func (c *cursor) tabulate() {
	for _, code := range c.x.codes {
		at := uint(code) * tableTF
		for i, part := range c.x.parts[at : at+tableTF] {
			c.table[at+uint(i)] = contribution(c.idf, part) * c.times
		}
	}
	c.tabled = true
}

// score returns what the term adds to a passage that the current block may hold, 0 if it
// does not. Passages must be requested in ascending order.
func (c *cursor) score(passage uint32) uint64 {
	if !c.ready {
		c.unpack()
	}
	// The passages ascend, so that each lies at most as far on as its number.
	first := c.passages[c.at]
	if passage < first {
		return 0
	}
	last := min(c.n, c.at+int(passage-first)+1)
	n, _ := slices.BinarySearch(c.passages[c.at:last], passage)
	c.at += n
	if c.at == last || c.passages[c.at] != passage {
		c.at = min(c.at, c.n-1)
		return 0
	}
	tf := uint32(1)
	if c.tfBits > 0 {
		tf += unpack(c.tfs, c.at, c.tfBits)
	}
	return contribution(c.idf, c.x.part(tf, c.x.lengths[passage])) * c.times
}
