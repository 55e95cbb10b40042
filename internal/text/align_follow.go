package text

import "slices"

// A front holds the cells of a row that some alignment with the fewest edits passes, and
// the most hits of such an alignment from the far end of the table to the cell; -1 for
// other cells.
type front struct {
	lo, hi int
	hits   []int32
}

func (f *front) at(column int) int32 {
	if column < f.lo || column > f.hi {
		return -1
	}
	return f.hits[column-f.lo]
}

func (f *front) clone() front { return front{f.lo, f.hi, slices.Clone(f.hits)} }

// A trail holds the moves into the cells of some rows, each the best one from the far end:
// a pair before a deletion, and a deletion before an insertion, if they lead to as many
// hits.
type trail struct {
	moves []Op
	// rows are the rows from the part's first one: the first column, and the index of its
	// move.
	rows []struct{ lo, at int }
}

// unmoved marks the cells of the first row that is followed, into which the moves lead
// from another part.
const unmoved = Op(255)

// edits returns the fewest edits between a and b, which have no common beginning or end,
// and the most hits with so many. It reverses a and b.
func (g *grid) edits() (edits, hits int) {
	n, m := len(g.a), len(g.b)
	if n == 0 || m == 0 {
		return n + m, 0
	}
	kept := g.compute()
	edits = g.row.end(m)
	g.followAll(kept, nil)
	return edits, int(g.hits.at(0))
}

// align appends the steps of a and b, which have no common beginning or end, and begin at
// an index of both lists.
func (g *grid) align(steps []Step, start int) []Step {
	n, m := len(g.a), len(g.b)
	if n == 0 || m == 0 {
		for k := range n {
			steps = append(steps, Step{Deletion, start + k, -1})
		}
		for k := range m {
			steps = append(steps, Step{Insertion, -1, start + k})
		}
		return steps
	}
	kept := g.compute()
	first := len(steps)
	column := 0
	walk := func(t *trail) {
		for r := g.part.from; ; {
			row := t.rows[r-g.part.from]
			switch t.moves[row.at+column-row.lo] {
			case Hit:
				steps = append(steps, Step{Hit, start + n - r - 1, start + m - column - 1})
				r, column = r+1, column+1
			case Substitution:
				steps = append(steps, Step{Substitution, start + n - r - 1, start + m - column - 1})
				r, column = r+1, column+1
			case Deletion:
				steps = append(steps, Step{Deletion, start + n - r - 1, -1})
				r++
			case Insertion:
				steps = append(steps, Step{Insertion, -1, start + m - column - 1})
				column++
			default:
				return
			}
		}
	}
	g.followAll(kept, walk)
	slices.Reverse(steps[first:])
	return steps
}

// followAll follows the moves from the far end to cell (0, 0), part by part. If walk is set,
// it is given the trail of each part, from (0, 0) on.
func (g *grid) followAll(kept []keptRow, walk func(*trail)) {
	g.hits = front{len(g.b), len(g.b), append(g.hits.hits[:0], 0)}
	if len(kept) == 0 {
		// The only part is computed.
		if walk == nil {
			g.follow(nil)
			return
		}
		var t trail
		g.follow(&t)
		walk(&t)
		return
	}
	fronts := make([]front, len(kept)-1)
	for i := len(fronts) - 1; i >= 0; i-- {
		if walk != nil {
			fronts[i] = g.hits.clone()
		}
		g.recompute(&kept[i], &kept[i+1])
		g.follow(nil)
	}
	if walk == nil {
		return
	}
	for i := range fronts {
		g.hits = fronts[i]
		g.recompute(&kept[i], &kept[i+1])
		var t trail
		g.follow(&t)
		walk(&t)
	}
}

// follow follows the moves through the part, from the front of its last row to that of its
// first.
func (g *grid) follow(t *trail) {
	p := &g.part
	rows := p.to - p.from
	if t != nil {
		t.rows = make([]struct{ lo, at int }, rows+1)
	}
	for r := p.to; r >= p.from; r-- {
		g.step(r, t)
	}
}

// step makes hits, the front of the row after r, that of r. For the last row of the part,
// hits is already that of r, but for insertions. The insertions of the first row are those
// of the next part, if there is one.
func (g *grid) step(r int, t *trail) {
	p := &g.part
	g.hits, g.next = g.next, g.hits
	width := p.hi - p.lo + 1
	var right, down, across []uint64
	if r > p.from {
		right = p.right[(r-p.from-1)*width:][:width]
	}
	if r < p.to {
		down, across = p.down[(r-p.from)*width:][:width], p.across[(r-p.from)*width:][:width]
	}
	least := p.lo*blockSize + 1
	if p.lo == 0 {
		least = 0
	}
	list := g.hits.hits[:0]
	var moves []Op
	// The list is made from its end.
	hi, last := g.next.hi, int32(-1)
	for c := g.next.hi; c >= least; c-- {
		best, move := int32(-1), unmoved
		if r == p.to {
			best = g.next.at(c)
		} else {
			if h := g.next.at(c + 1); h >= 0 {
				if g.a[r] == g.b[c] {
					best, move = h+1, Hit
				} else if !bit(across, c+1-p.lo*blockSize) {
					best, move = h, Substitution
				}
			}
			if h := g.next.at(c); h > best && (c == 0 || bit(down, c-p.lo*blockSize)) {
				best, move = h, Deletion
			}
		}
		if last > best && (r == 0 || right != nil && bit(right, c+1-p.lo*blockSize)) {
			best, move = last, Insertion
		}
		if best < 0 && c < g.next.lo {
			break
		}
		if last = best; best < 0 && len(list) == 0 {
			hi = c - 1
			continue
		}
		list = append(list, best)
		if t != nil {
			moves = append(moves, move)
		}
	}
	for list[len(list)-1] < 0 {
		list = list[:len(list)-1]
	}
	slices.Reverse(list)
	g.hits = front{hi - len(list) + 1, hi, list}
	if t != nil {
		moves = moves[:len(list)]
		slices.Reverse(moves)
		row := &t.rows[r-p.from]
		row.lo, row.at = g.hits.lo, len(t.moves)
		t.moves = append(t.moves, moves...)
	}
}

// bit returns the bit of a column, counted from that before the first block.
func bit(words []uint64, column int) bool {
	return words[(column-1)/blockSize]>>(uint(column-1)%blockSize)&1 == 1
}
