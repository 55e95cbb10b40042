package text

import "slices"

// An Op is the type of an alignment step.
type Op uint8

const (
	// Hit is a token of both the reference and the hypothesis.
	Hit Op = iota
	// Substitution is a token of the reference that another one replaces.
	Substitution
	// Deletion is a token of the reference that the hypothesis lacks.
	Deletion
	// Insertion is a token that only the hypothesis has.
	Insertion
)

// A Step is one position of an alignment. Reference and Hypothesis are token indexes;
// the missing one of an insertion or a deletion is -1.
type Step struct {
	Op                    Op
	Reference, Hypothesis int
}

// Edits returns the minimum number of edits between two lists of tokens, and the
// maximum number of hits with that many edits. The time grows with the length times the
// edits, the memory with the length.
func Edits(reference, hypothesis []string) (edits, hits int) {
	a, b := numbersFor(reference, hypothesis)
	a, b, head, tail := trim(a, b)
	cost := distance(a, b)
	return editsOf(cost), hitsOf(cost) + head + tail
}

// Align returns the alignment with the fewest edits and, among those, the most hits, in
// order; the result is deterministic. It takes twice the time of [Edits], and memory
// that grows only with the length.
func Align(reference, hypothesis []string) []Step {
	a, b := numbersFor(reference, hypothesis)
	w := walk{steps: make([]Step, 0, max(len(a), len(b)))}
	w.align(a, b, 0, 0, -1)
	return w.steps
}

// The cost of an alignment is a single number, its edits minus a small value for each
// hit, so that the minimum cost means the fewest edits, then the most hits.
const (
	edit = int64(1) << 32
	hit  = int64(-1)
	// never is larger than the cost of any alignment, and small enough to add edits to.
	never = int64(1) << 61
)

// editsOf and hitsOf split a cost; there are fewer than 2³² hits.
func editsOf(cost int64) int { return int((cost + edit - 1) / edit) }
func hitsOf(cost int64) int  { return int(int64(editsOf(cost))*edit - cost) }

// numbersFor maps equal tokens to equal numbers, which compare faster.
func numbersFor(reference, hypothesis []string) (a, b []int32) {
	ids := make(map[string]int32, len(reference))
	number := func(tokens []string) []int32 {
		out := make([]int32, len(tokens))
		for i, t := range tokens {
			id, ok := ids[t]
			if !ok {
				id = int32(len(ids))
				ids[t] = id
			}
			out[i] = id
		}
		return out
	}
	return number(reference), number(hypothesis)
}

// trim removes the common beginning and end. Some optimal alignment hits there, since
// moving its first pair there makes no alignment worse.
func trim(a, b []int32) (restA, restB []int32, head, tail int) {
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	a, b = a[head:], b[head:]
	for tail < min(len(a), len(b)) && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return a[:len(a)-tail], b[:len(b)-tail], head, tail
}

// distance returns the minimum cost of an alignment. It computes the diagonals that so
// many edits can reach, and more if that was too few.
func distance(a, b []int32) int64 {
	row := make([]int64, len(b)+1)
	most := max(len(a), len(b))
	for limit := min(atLeast(a, b)+16, most); ; limit = min(2*limit, most) {
		lo, hi := band(len(a), len(b), limit)
		lastRow(a, b, lo, hi, row)
		if cost := row[len(b)]; editsOf(cost) <= limit {
			return cost
		}
	}
}

// atLeast returns a lower bound of the edits: every token without a counterpart needs
// one.
func atLeast(a, b []int32) int {
	left := map[int32]int{}
	for _, t := range a {
		left[t]++
	}
	common := 0
	for _, t := range b {
		if left[t] > 0 {
			left[t]--
			common++
		}
	}
	return max(len(a), len(b)) - common
}

// band returns the diagonals, hypothesis minus reference, that an alignment of at most
// limit edits can use.
func band(n, m, limit int) (lo, hi int) {
	over := m - n
	return -((limit - over) / 2), (limit + over) / 2
}

// lastRow sets row[j] to the minimum cost of an alignment of a with b[:j] that stays
// between the diagonals lo and hi, or to never. The band must contain the diagonal 0.
func lastRow(a, b []int32, lo, hi int, row []int64) {
	for j := range row {
		row[j] = never
		if j <= hi {
			row[j] = int64(j) * edit
		}
	}
	for i, token := range a {
		first, last := max(i+1+lo, 0), min(i+1+hi, len(b))
		var diagonal, left int64
		if first == 0 {
			diagonal, left = row[0], int64(i+1)*edit
			row[0] = left
			first = 1
		} else {
			diagonal, left = row[first-1], never
		}
		for j := first; j <= last; j++ {
			up := row[j]
			c := min(up, left) + edit
			if b[j-1] == token {
				c = min(c, diagonal+hit)
			} else {
				c = min(c, diagonal+edit)
			}
			diagonal, left = up, c
			row[j] = c
		}
	}
	for j := range min(max(len(a)+lo, 0), len(row)) {
		row[j] = never
	}
	for j := len(a) + hi + 1; j < len(row); j++ {
		row[j] = never
	}
}

// A walk collects the steps of an alignment by divide and conquer: Hirschberg, A linear
// space algorithm for computing maximal common subsequences, 1975.
type walk struct {
	steps []Step
	moves []Op
	row   []int64
}

// table bounds the cells of a part that is aligned with a table of moves.
const table = 1 << 20

// align appends the steps of a and b, which begin at the indexes i and j of the whole.
// limit is the number of edits, -1 if unknown.
func (w *walk) align(a, b []int32, i, j, limit int) {
	a, b, head, tail := trim(a, b)
	w.hits(i, j, head)
	i, j = i+head, j+head
	defer w.hits(i+len(a), j+len(b), tail)
	switch {
	case len(a) == 0 || len(b) == 0:
		for k := range a {
			w.steps = append(w.steps, Step{Deletion, i + k, -1})
		}
		for k := range b {
			w.steps = append(w.steps, Step{Insertion, -1, j + k})
		}
		return
	case len(a) == 1 || (len(a)+1)*(len(b)+1) <= table:
		w.small(a, b, i, j)
		return
	}
	if limit < 0 {
		limit = editsOf(distance(a, b))
	}
	lo, hi := band(len(a), len(b), limit)
	middle := len(a) / 2
	before, after := make([]int64, len(b)+1), make([]int64, len(b)+1)
	lastRow(a[:middle], b, lo, hi, before)
	backA, backB := slices.Clone(a[middle:]), slices.Clone(b)
	slices.Reverse(backA)
	slices.Reverse(backB)
	over := len(b) - len(a)
	lastRow(backA, backB, over-hi, over-lo, after)
	cut := 0
	for k := range before {
		if before[k]+after[len(b)-k] < before[cut]+after[len(b)-cut] {
			cut = k
		}
	}
	w.align(a[:middle], b[:cut], i, j, editsOf(before[cut]))
	w.align(a[middle:], b[cut:], i+middle, j+cut, editsOf(after[len(b)-cut]))
}

func (w *walk) hits(i, j, n int) {
	for k := range n {
		w.steps = append(w.steps, Step{Hit, i + k, j + k})
	}
}

// small aligns with a table of the move into each cell: at equal cost a pair precedes a
// deletion, which precedes an insertion.
func (w *walk) small(a, b []int32, i, j int) {
	width := len(b) + 1
	w.moves = slices.Grow(w.moves[:0], (len(a)+1)*width)[:(len(a)+1)*width]
	w.row = slices.Grow(w.row[:0], width)[:width]
	for c := range width {
		w.row[c], w.moves[c] = int64(c)*edit, Insertion
	}
	for r, token := range a {
		moves := w.moves[(r+1)*width:]
		diagonal := w.row[0]
		w.row[0], moves[0] = int64(r+1)*edit, Deletion
		for c, other := range b {
			best, move := diagonal+edit, Substitution
			if other == token {
				best, move = diagonal+hit, Hit
			}
			if up := w.row[c+1] + edit; up < best {
				best, move = up, Deletion
			}
			if left := w.row[c] + edit; left < best {
				best, move = left, Insertion
			}
			diagonal, w.row[c+1], moves[c+1] = w.row[c+1], best, move
		}
	}
	start := len(w.steps)
	for r, c := len(a), len(b); r > 0 || c > 0; {
		switch move := w.moves[r*width+c]; move {
		case Deletion:
			r--
			w.steps = append(w.steps, Step{Deletion, i + r, -1})
		case Insertion:
			c--
			w.steps = append(w.steps, Step{Insertion, -1, j + c})
		default:
			r, c = r-1, c-1
			w.steps = append(w.steps, Step{move, i + r, j + c})
		}
	}
	slices.Reverse(w.steps[start:])
}
