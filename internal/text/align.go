package text

import "sync"

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
// maximum number of hits with that many edits. Both are exact. The time grows with
// length × edits / 64, the memory with the length plus edits × √length / 64.
func Edits(reference, hypothesis []string) (edits, hits int) {
	g := grids.Get().(*grid)
	defer grids.Put(g)
	g.number(reference, hypothesis)
	return g.count()
}

// CharacterEdits returns what [Edits] returns for the characters of two texts other than
// white space, and the numbers n and m of those. A byte that is not UTF-8 is a character.
//
// progress, unless it is nil, is told now and then how many characters of the reference are
// compared, of all of a long text.
func CharacterEdits(reference, hypothesis string, progress func(done, total int)) (edits, hits, n, m int) {
	g := grids.Get().(*grid)
	defer grids.Put(g)
	g.numberCharacters(reference, hypothesis)
	n, m = len(g.a), len(g.b)
	g.progress = progress
	edits, hits = g.count()
	g.progress = nil
	return edits, hits, n, m
}

// Align returns the alignment with the fewest edits and, among those, the most hits, in
// order. Of several such alignments it is the one that is found from the end of the
// lists, without what they have in common at both ends, by preferring a pair to a
// deletion, and a deletion to an insertion. The time is that of [Edits]; the memory also
// grows with the number of steps.
func Align(reference, hypothesis []string) []Step {
	g := grids.Get().(*grid)
	defer grids.Put(g)
	g.number(reference, hypothesis)
	head, tail := g.trim()
	steps := make([]Step, 0, head+tail+max(len(g.a), len(g.b)))
	for k := range head {
		steps = append(steps, Step{Hit, k, k})
	}
	n, m := head+len(g.a), head+len(g.b)
	steps = g.align(steps, head)
	for k := range tail {
		steps = append(steps, Step{Hit, n + k, m + k})
	}
	return steps
}

var grids = sync.Pool{New: func() any { return new(grid) }}

func (g *grid) count() (edits, hits int) {
	head, tail := g.trim()
	edits, hits = g.edits()
	return edits, hits + head + tail
}

// trim removes the common beginning and end from both lists. Some optimal alignment hits
// there, since moving its first pair there makes no alignment worse.
func (g *grid) trim() (head, tail int) {
	g.a, g.b, head, tail = trim(g.a, g.b)
	return head, tail
}

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
