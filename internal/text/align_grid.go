package text

import (
	"math"
	"math/bits"
	"slices"
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

// A tableRow is the computed part of a row, blocks lo to hi.
type tableRow struct {
	r, lo, hi int
	// base is the block of the first word, 0 unless the row is a copy.
	base int
	// more and less have a bit for each column that has one edit more, or one less, than
	// the column before it.
	more, less []uint64
	// ends are the edits of the last column of each block. Those of cells that no
	// alignment within the limit passes may be too large, never too small.
	ends []int32
	// down and across are those of the part, of this row.
	down, across []uint64
}

// first makes the row that of an empty list, with blocks 0 to hi of n.
func (w *tableRow) first(n, hi int) {
	w.grow(n)
	w.r, w.lo, w.hi = 0, 0, hi
	for b := range hi + 1 {
		w.open(b)
	}
}

// grow makes space for n blocks.
func (w *tableRow) grow(n int) {
	w.more, w.less = slices.Grow(w.more[:0], n)[:n], slices.Grow(w.less[:0], n)[:n]
	w.down, w.across = slices.Grow(w.down[:0], n)[:n], slices.Grow(w.across[:0], n)[:n]
	w.ends = slices.Grow(w.ends[:0], n)[:n]
}

// open sets a block to insertions after the block before it.
func (w *tableRow) open(b int) {
	before := int32(w.r)
	if b > w.lo {
		before = w.ends[b-1]
	}
	w.more[b], w.less[b], w.ends[b] = ^uint64(0), 0, before+blockSize
	w.down[b], w.across[b] = 0, ^uint64(0)
}

// edits returns those of a column.
func (w *tableRow) edits(column int) int {
	if column == 0 {
		return w.r
	}
	b := blockOf(column) - w.base
	after := ^uint64(0) << (uint(column-1)%blockSize + 1)
	if uint(column)%blockSize == 0 {
		after = 0
	}
	return int(w.ends[b]) - bits.OnesCount64(w.more[b]&after) + bits.OnesCount64(w.less[b]&after)
}

// advance computes the blocks of the next row, given the columns that match its token.
// Left of the first block the row is one edit more than the row before.
func (w *tableRow) advance(match []uint64) {
	w.r++
	lo, hi := w.lo, w.hi+1
	match, more, less := match[lo:hi], w.more[lo:hi], w.less[lo:hi]
	down, across, ends := w.down[lo:hi], w.across[lo:hi], w.ends[lo:hi]
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
		ends[b] += int32(nextUp) - int32(nextUnder)
		up, under = nextUp, nextUnder
	}
}

// advanceTwo is advance for the next two rows, given the columns that match the token of each.
// A processor computes one row while it waits for the other. It leaves down and across.
func (w *tableRow) advanceTwo(first, second []uint64) {
	w.r += 2
	lo, hi := w.lo, w.hi+1
	// All are of one length, which the compiler sees.
	n := hi - lo
	first, second, more, less, ends := first[lo:][:n], second[lo:][:n], w.more[lo:][:n], w.less[lo:][:n], w.ends[lo:][:n]
	up, under, upTwo, underTwo := uint64(1), uint64(0), uint64(1), uint64(0)
	for b, m := range first {
		p, n := more[b], less[b]
		x := m | under
		same := (((x & p) + p) ^ p) | x | n
		plus, minus := n|^(same|p), p&same
		nextUp, nextUnder := plus>>(blockSize-1), minus>>(blockSize-1)
		plus, minus = plus<<1|up, minus<<1|under
		p, n = minus|^(same|plus), plus&same
		change := int32(nextUp) - int32(nextUnder)
		up, under = nextUp, nextUnder

		x = second[b] | underTwo
		same = (((x & p) + p) ^ p) | x | n
		plus, minus = n|^(same|p), p&same
		nextUp, nextUnder = plus>>(blockSize-1), minus>>(blockSize-1)
		plus, minus = plus<<1|upTwo, minus<<1|underTwo
		more[b], less[b] = minus|^(same|plus), plus&same
		ends[b] += change + int32(nextUp) - int32(nextUnder)
		upTwo, underTwo = nextUp, nextUnder
	}
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
	// their columns.
	sparse [2][]uint64
	filled [2][]int32
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
	t.bits = zeroed(t.bits, dense*t.blocks)
	t.columns = slices.Grow(t.columns[:0], len(b))[:len(b)]
	for i, token := range b {
		if k := t.dense[token]; k >= 0 {
			t.bits[int(k)*t.blocks+i/blockSize] |= 1 << (uint(i) % blockSize)
			continue
		}
		t.columns[t.starts[token]] = int32(i)
		t.starts[token]++
	}
	// Each start has moved to the next one.
	copy(t.starts[1:], t.starts)
	t.starts[0] = 0
	for turn := range t.sparse {
		t.sparse[turn], t.filled[turn] = zeroed(t.sparse[turn], t.blocks), nil
	}
}

// of returns the bits of the columns that have a token. They are right in the blocks lo to
// hi, until the next call in the same turn.
func (t *matchTable) of(token int32, lo, hi, turn int) []uint64 {
	if k := int(t.dense[token]); k >= 0 {
		return t.bits[k*t.blocks : (k+1)*t.blocks]
	}
	sparse := t.sparse[turn]
	for _, i := range t.filled[turn] {
		sparse[i/blockSize] = 0
	}
	list := t.columns[t.starts[token]:t.starts[token+1]]
	from, _ := slices.BinarySearch(list, int32(lo*blockSize))
	to, _ := slices.BinarySearch(list, int32((hi+1)*blockSize))
	t.filled[turn] = list[from:to]
	for _, i := range list[from:to] {
		sparse[i/blockSize] |= 1 << (uint(i) % blockSize)
	}
	return sparse
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
func (g *grid) compute() (kept []tableRow) {
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
	// An even number, since rows are computed in twos.
	every := max(blockSize, int(math.Sqrt(float64(n)))) &^ 1
	g.pass(limit, blocks, func() {
		if g.row.r%every == 0 || g.row.r == n {
			kept = append(kept, g.row.clone())
		}
		const often = 1 << 10
		if g.progress != nil && (g.row.r%often < 2 || g.row.r == n) {
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
// many blocks of each, and calls each for every second row, and the last. It returns the
// edits of an alignment that it has found.
func (g *grid) pass(limit, widest int, each func()) int {
	w := &g.row
	over := len(g.b) - len(g.a)
	// In the row that is not looked at, a block may become passable with so many edits less.
	limit += 2
	w.first(g.matches.blocks, 0)
	w.fit(over, limit, widest)
	each()
	for w.r < len(g.a) {
		first := g.matches.of(g.a[w.r], w.lo, w.hi, 0)
		if w.r+1 < len(g.a) {
			w.advanceTwo(first, g.matches.of(g.a[w.r+1], w.lo, w.hi, 1))
		} else {
			w.advance(first)
		}
		w.fit(over+w.r, limit, widest)
		each()
	}
	if end := (w.hi + 1) * blockSize; end < len(g.b) {
		return w.edits(end) + len(g.b) - end
	}
	return w.edits(len(g.b))
}

// fit removes the blocks that no alignment of at most limit edits can pass, and opens those
// that one may enter next. From a column to the end it takes at least as many edits as there
// are columns between it and the given one.
func (w *tableRow) fit(column, limit, widest int) {
	last := len(w.more) - 1
	through := func(b int) int {
		return int(w.ends[b]) + max((b+1)*blockSize-column, column-(b+1)*blockSize)
	}
	for w.lo < w.hi && (w.lo+1)*blockSize <= column && through(w.lo) > limit {
		w.lo++
	}
	for w.hi > w.lo && w.hi*blockSize >= column && through(w.hi-1) > limit {
		w.hi--
	}
	for w.hi < last && w.hi-w.lo < widest && through(w.hi) <= limit {
		w.hi++
		w.open(w.hi)
	}
	for w.hi-w.lo >= widest {
		if through(w.lo) > through(w.hi-1) {
			w.lo++
		} else {
			w.hi--
		}
	}
}

// clone returns a copy of the computed part of the row.
func (w *tableRow) clone() tableRow {
	c := tableRow{r: w.r, lo: w.lo, hi: w.hi, base: w.lo}
	c.more, c.less = slices.Clone(w.more[w.lo:w.hi+1]), slices.Clone(w.less[w.lo:w.hi+1])
	c.ends = slices.Clone(w.ends[w.lo : w.hi+1])
	return c
}

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
func (g *grid) recompute(from, to *tableRow) {
	rows := to.r - from.r
	spare := math.MinInt
	for i, hits := range g.hits.hits {
		if hits >= 0 {
			spare = max(spare, to.edits(g.hits.lo+i)-g.hits.lo-i+rows)
		}
	}
	lo, hi := from.lo, blockOf(max(g.hits.hi, 1))
	for (lo+1)*blockSize <= g.hits.lo-rows && int(from.ends[lo-from.base])-(lo+1)*blockSize > spare {
		lo++
	}
	w := &g.row
	w.grow(g.matches.blocks)
	w.r, w.lo, w.hi = from.r, lo, hi
	for b := lo; b <= hi; b++ {
		if b > from.hi {
			w.open(b)
			continue
		}
		w.more[b], w.less[b], w.ends[b] = from.more[b-from.base], from.less[b-from.base], from.ends[b-from.base]
	}
	g.record(to.r, lo, hi)
}
