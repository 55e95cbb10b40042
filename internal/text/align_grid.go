package text

import (
	"math"
	"math/bits"
	"slices"

	"github.com/assay-eval/assay/internal/simd"
)

// A grid computes the table of edits of two lists of tokens, of which cell (r, c) is the
// fewest edits between the last r tokens of the one and the last c of the other.
//
// A row is held as differences between neighbours, 64 to a word: Myers, A fast bit-vector
// algorithm for approximate string matching based on dynamic programming, 1999, in the
// form of Hyyrö, A bit-vector algorithm for computing Levenshtein and Damerau edit
// distances, 2003. Of long lists only those blocks of 64 columns are computed that an
// alignment with few enough edits can pass: Ukkonen, Algorithms for approximate string
// matching, 1985. Some rows are kept, from which the rows between are computed again.
// The moves of alignments with the fewest edits are then followed from the far end of the
// table, which is the beginning of the lists: see [grid.follow].
type grid struct {
	words map[string]int32
	runes *runeTable
	// tokens holds a and b; once the table is computed, in reverse order.
	tokens []int32
	a, b   []int32
	// kinds is the number of different tokens.
	kinds int

	progress func(done, total int)

	matches matchTable
	row     tableRow
	// part is the part of the table in which moves are followed.
	part struct {
		// Rows from to to, and blocks lo to hi of each.
		from, to, lo, hi int
		// right, down and across have a bit for each cell: whether it has one edit more
		// than the one before it in its row; than the one above it; and whether it has as
		// many as the one before that. They lack the row from.
		right, down, across []uint64
	}
	// hits are those of the row that is followed, next those of the row after it.
	hits, next front
}

// Columns are numbered from 0, which has no token; column c > 0 is in block (c−1)/64.
const blockSize = 64

func blockOf(column int) int { return (column - 1) / blockSize }

// rowsAtOnce is how many rows of a large table are computed together, and slack how many
// words more than its blocks a row has for that.
const (
	rowsAtOnce = simd.EditRows
	slack      = rowsAtOnce - 1
)

// A tableRow is the computed part of a row, blocks lo to hi.
type tableRow struct {
	r, lo, hi int
	// more and less have a bit for each column that has one edit more, or one less, than
	// the column before it. After those of all blocks are words of slack.
	more, less []uint64
	// left are the edits of the column before block lo, right those of the last column of
	// block hi. Those of cells that no alignment within the limit passes may be too large,
	// never too small.
	left, right int
	// down and across are those of the part, of this row.
	down, across []uint64
}

// first makes the row that of an empty list, with blocks 0 to hi of n.
func (w *tableRow) first(n, hi int) {
	w.grow(n)
	w.r, w.lo, w.hi = 0, 0, -1
	w.left, w.right = 0, 0
	for w.hi < hi {
		w.open()
	}
}

// grow makes space for n blocks.
func (w *tableRow) grow(n int) {
	w.more, w.less = slices.Grow(w.more[:0], n+slack)[:n+slack], slices.Grow(w.less[:0], n+slack)[:n+slack]
	w.down, w.across = slices.Grow(w.down[:0], n)[:n], slices.Grow(w.across[:0], n)[:n]
}

// open adds a block of insertions after the last one.
func (w *tableRow) open() {
	w.hi++
	w.right += blockSize
	w.more[w.hi], w.less[w.hi] = ^uint64(0), 0
	w.down[w.hi], w.across[w.hi] = 0, ^uint64(0)
}

// rise returns how many edits the last column of a block has more than that before its first.
func rise(more, less uint64) int { return bits.OnesCount64(more) - bits.OnesCount64(less) }

// end returns the edits of the last of n columns, or of the last that is computed.
func (w *tableRow) end(n int) int {
	if after := (w.hi+1)*blockSize - n; after > 0 {
		last := ^uint64(0) << (blockSize - after)
		return w.right - rise(w.more[w.hi]&last, w.less[w.hi]&last)
	}
	return w.right
}

// advance computes the blocks of the next row, given the columns that match its token, from
// block lo on. Left of the first block the row is one edit more than the row before.
func (w *tableRow) advance(match []uint64) {
	w.r++
	w.left++
	lo, hi := w.lo, w.hi+1
	match, more, less := match[:hi-lo], w.more[lo:hi], w.less[lo:hi]
	down, across := w.down[lo:hi], w.across[lo:hi]
	up, under := uint64(1), uint64(0)
	for b, m := range match {
		p, n := more[b], less[b]
		x := m | under
		same := (((x & p) + p) ^ p) | x | n
		plus, minus := n|^(same|p), p&same
		down[b], across[b] = plus, same
		nextUp, nextUnder := plus>>(blockSize-1), minus>>(blockSize-1)
		plus, minus = plus<<1|up, minus<<1|under
		more[b], less[b] = minus|^(same|plus), plus&same
		up, under = nextUp, nextUnder
	}
	w.right += int(up) - int(under)
}

// advanceAll is advance for rowsAtOnce rows. It leaves down and across.
func (w *tableRow) advanceAll(match *[rowsAtOnce][]uint64) {
	w.r += rowsAtOnce
	w.left += rowsAtOnce
	w.right += simd.Best().AdvanceEdits(w.more[w.lo:], w.less[w.lo:], match, w.hi-w.lo+1)
}

// A keptRow is a copy of the computed part of a row.
type keptRow struct {
	r, lo, hi  int
	more, less []uint64
	// ends are the edits of the column before block lo, and of the last one of each block.
	ends []int
}

func (w *tableRow) keep() keptRow {
	k := keptRow{r: w.r, lo: w.lo, hi: w.hi, more: slices.Clone(w.more[w.lo : w.hi+1]), less: slices.Clone(w.less[w.lo : w.hi+1])}
	k.ends = make([]int, 1, len(k.more)+1)
	k.ends[0] = w.left
	for b, more := range k.more {
		k.ends = append(k.ends, k.ends[b]+rise(more, k.less[b]))
	}
	return k
}

// edits returns those of a column.
func (k *keptRow) edits(column int) int {
	b, bit := column/blockSize-k.lo, uint(column)%blockSize
	if bit == 0 {
		return k.ends[b]
	}
	before := uint64(1)<<bit - 1
	return k.ends[b] + rise(k.more[b]&before, k.less[b]&before)
}

// A matchTable says which columns have a token.
type matchTable struct {
	blocks int
	// starts and columns list the columns of each token, from 0.
	starts  []int32
	columns []int32
	// dense are the bits of tokens that are in many blocks, at an index; -1 for others.
	dense []int32
	bits  []uint64
	// sparse are the bits of the last tokens that were asked for in each turn, and filled
	// their columns. Before and after all bits are words of slack.
	sparse [rowsAtOnce][]uint64
	filled [rowsAtOnce][]int32
}

// build lists the columns of the tokens of b, which are less than kinds.
func (t *matchTable) build(b []int32, kinds int) {
	t.blocks = (len(b) + blockSize - 1) / blockSize
	t.starts = zeroed(t.starts, kinds+1)
	for _, token := range b {
		t.starts[token+1]++
	}
	t.dense = slices.Grow(t.dense[:0], kinds)[:kinds]
	dense := 0
	for k := range kinds {
		t.dense[k] = -1
		if n := int(t.starts[k+1]); n > 0 && 2*n >= t.blocks {
			t.dense[k], t.starts[k+1] = int32(dense), 0
			dense++
		}
		t.starts[k+1] += t.starts[k]
	}
	t.bits = zeroed(t.bits, slack+dense*t.blocks+slack)
	t.columns = slices.Grow(t.columns[:0], len(b))[:len(b)]
	for i, token := range b {
		if k := t.dense[token]; k >= 0 {
			t.bits[slack+int(k)*t.blocks+i/blockSize] |= 1 << (uint(i) % blockSize)
			continue
		}
		t.columns[t.starts[token]] = int32(i)
		t.starts[token]++
	}
	// Each start has moved to the next one.
	copy(t.starts[1:], t.starts)
	t.starts[0] = 0
	for turn := range t.sparse {
		t.sparse[turn], t.filled[turn] = zeroed(t.sparse[turn], slack+t.blocks+slack), nil
	}
}

// of returns the bits of the columns that have a token, of the blocks lo to hi. Those are
// preceded by as many words as the turn says, and followed by so many that there are slack
// more than blocks. They are right until the next call in the same turn.
func (t *matchTable) of(token int32, lo, hi, turn int) []uint64 {
	from, to := slack+lo-turn, slack+hi+1+slack-turn
	if k := int(t.dense[token]); k >= 0 {
		return t.bits[k*t.blocks+from : k*t.blocks+to]
	}
	sparse := t.sparse[turn]
	for _, i := range t.filled[turn] {
		sparse[slack+i/blockSize] = 0
	}
	list := t.columns[t.starts[token]:t.starts[token+1]]
	first, _ := slices.BinarySearch(list, int32(lo*blockSize))
	after, _ := slices.BinarySearch(list, int32((hi+1)*blockSize))
	t.filled[turn] = list[first:after]
	for _, i := range list[first:after] {
		sparse[slack+i/blockSize] |= 1 << (uint(i) % blockSize)
	}
	return sparse[from:to]
}

// zeroed returns a slice of n zeros in the memory of s, if that is enough.
func zeroed[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// smallTable bounds the blocks of a table that is one part.
const smallTable = 1 << 16

// compute reverses a and b and computes the table. Of a large one it returns rows, the
// first and the last among them, between which parts can be computed; else the part is the
// whole table.
func (g *grid) compute() (kept []keptRow) {
	slices.Reverse(g.a)
	slices.Reverse(g.b)
	g.matches.build(g.b, g.kinds)
	n, blocks := len(g.a), g.matches.blocks
	if n*blocks <= smallTable {
		g.row.first(blocks, blocks-1)
		g.record(n, 0, blocks-1)
		return nil
	}
	limit := g.bound()
	every := max(blockSize, int(math.Sqrt(float64(n)))/rowsAtOnce*rowsAtOnce)
	g.pass(limit, blocks, func() {
		if g.row.r%every == 0 || g.row.r == n {
			kept = append(kept, g.row.keep())
		}
		const often = 1 << 10
		if g.progress != nil && (g.row.r%often == 0 || g.row.r == n) {
			g.progress(g.row.r, n)
		}
	})
	return kept
}

// bound returns as many edits as some alignment has, from tables of few blocks to a row. The
// wider they are, the fewer the edits may be.
func (g *grid) bound() int {
	limit := max(len(g.a), len(g.b))
	for widest := 8; limit > 4*widest*blockSize; widest *= 4 {
		found := g.pass(limit, widest, func() {})
		if found > limit-limit/16 {
			return min(found, limit)
		}
		limit = found
	}
	return limit
}

// pass computes the rows of all alignments that have at most limit edits, but at most so
// many blocks of each, and calls each for every row whose number is a multiple of rowsAtOnce,
// and the last. It returns the edits of an alignment that it has found.
func (g *grid) pass(limit, widest int, each func()) int {
	w := &g.row
	over := len(g.b) - len(g.a)
	// In each row that is not looked at, a block may become passable with two edits less.
	limit += 2 * (rowsAtOnce - 1)
	w.first(g.matches.blocks, 0)
	w.fit(over, limit, widest)
	each()
	for n := len(g.a); w.r < n; {
		if w.r+rowsAtOnce <= n {
			var match [rowsAtOnce][]uint64
			for turn := range match {
				match[turn] = g.matches.of(g.a[w.r+turn], w.lo, w.hi, turn)
			}
			w.advanceAll(&match)
		} else {
			for w.r < n {
				w.advance(g.matches.of(g.a[w.r], w.lo, w.hi, 0))
			}
		}
		w.fit(over+w.r, limit, widest)
		each()
	}
	return w.end(len(g.b)) + max(0, len(g.b)-(w.hi+1)*blockSize)
}

// fit removes the blocks that no alignment of at most limit edits can pass, and opens those
// that one may enter next. From a column to the end it takes at least as many edits as there
// are columns between it and the given one.
func (w *tableRow) fit(column, limit, widest int) {
	last := len(w.more) - slack - 1
	for w.lo < w.hi && (w.lo+1)*blockSize <= column && w.afterFirst()+column-(w.lo+1)*blockSize > limit {
		w.closeFirst()
	}
	for w.hi > w.lo && w.hi*blockSize >= column && w.beforeLast()+w.hi*blockSize-column > limit {
		w.closeLast()
	}
	through := func() int { return w.right + distance((w.hi+1)*blockSize, column) }
	for w.hi < last && w.hi-w.lo < widest && through() <= limit {
		w.open()
	}
	for w.hi-w.lo >= widest {
		if w.afterFirst()+distance((w.lo+1)*blockSize, column) > w.beforeLast()+distance(w.hi*blockSize, column) {
			w.closeFirst()
		} else {
			w.closeLast()
		}
	}
}

func distance(a, b int) int { return max(a-b, b-a) }

// afterFirst returns the edits of the last column of the first block, and beforeLast those of
// the column before the last block.
func (w *tableRow) afterFirst() int { return w.left + rise(w.more[w.lo], w.less[w.lo]) }
func (w *tableRow) beforeLast() int { return w.right - rise(w.more[w.hi], w.less[w.hi]) }

func (w *tableRow) closeFirst() { w.left, w.lo = w.afterFirst(), w.lo+1 }
func (w *tableRow) closeLast()  { w.right, w.hi = w.beforeLast(), w.hi-1 }

// record makes the rows from that of g.row to another one the part, with the blocks lo to
// hi. The row must have these blocks.
func (g *grid) record(to, lo, hi int) {
	w, p := &g.row, &g.part
	p.from, p.to, p.lo, p.hi = w.r, to, lo, hi
	width := hi - lo + 1
	size := (to - w.r) * width
	p.right, p.down = slices.Grow(p.right[:0], size)[:size], slices.Grow(p.down[:0], size)[:size]
	p.across = slices.Grow(p.across[:0], size)[:size]
	w.lo, w.hi = lo, hi
	for at := 0; w.r < to; at += width {
		w.advance(g.matches.of(g.a[w.r], lo, hi, 0))
		copy(p.right[at:], w.more[lo:hi+1])
		copy(p.down[at:], w.down[lo:hi+1])
		copy(p.across[at:], w.across[lo:hi+1])
	}
}

// recompute makes the rows between two that were kept the part, with the blocks through which
// the front of the later one can be reached: an alignment that gets to column c within so
// many rows from a column left of c − rows has as many edits as it is farther left.
func (g *grid) recompute(from, to *keptRow) {
	rows := to.r - from.r
	spare := math.MinInt
	for i, hits := range g.hits.hits {
		if hits >= 0 {
			spare = max(spare, to.edits(g.hits.lo+i)-g.hits.lo-i+rows)
		}
	}
	lo, hi := from.lo, blockOf(max(g.hits.hi, 1))
	for (lo+1)*blockSize <= g.hits.lo-rows && from.ends[lo+1-from.lo]-(lo+1)*blockSize > spare {
		lo++
	}
	w := &g.row
	w.grow(g.matches.blocks)
	w.r, w.lo, w.hi = from.r, lo, min(hi, from.hi)
	at, after := lo-from.lo, w.hi+1-from.lo
	copy(w.more[lo:], from.more[at:after])
	copy(w.less[lo:], from.less[at:after])
	w.left, w.right = from.ends[at], from.ends[after]
	for w.hi < hi {
		w.open()
	}
	g.record(to.r, lo, hi)
}
