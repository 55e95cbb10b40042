package speech

import "github.com/assay-eval/assay/internal/text"

// An alignment is a list of steps; the Op of a step says what happened to a token.
type (
	Op   = text.Op
	Step = text.Step
)

// The operations of a step: see [Op].
const (
	Hit          = text.Hit
	Substitution = text.Substitution
	Deletion     = text.Deletion
	Insertion    = text.Insertion
)

// Count returns the counts of an alignment of two lists of tokens that has the
// fewest edits and, among those, the most hits. All such alignments have the same
// counts, and both are exact. The time grows with the length times the number of edits / 64.
//
// Matches jiwer in hits + substitutions + deletions and in the rate; jiwer may
// find fewer hits among alignments of equally many edits.
func Count(reference, hypothesis []string) Counts {
	edits, hits := text.Edits(reference, hypothesis)
	return countsOf(edits, hits, len(reference), len(hypothesis))
}

// countCharacters is [Count] of the [Characters] of two texts. For
// progress see [Options].
func countCharacters(reference, hypothesis string, progress func(done, total int)) Counts {
	return countsOf(text.CharacterEdits(reference, hypothesis, progress))
}

// countsOf returns the counts of an alignment of n tokens with m.
func countsOf(edits, hits, n, m int) Counts {
	insertions := edits - (n - hits)
	substitutions := m - hits - insertions
	return Counts{Hits: hits, Substitutions: substitutions, Deletions: n - hits - substitutions, Insertions: insertions}
}

// Align returns one alignment of the kind that [Count] counts, in order. It is
// deterministic: of several it is the one that is found from the end of the lists, without
// what they have in common at both ends, by preferring a pair to a deletion, and a deletion
// to an insertion. It takes twice the time of Count.
func Align(reference, hypothesis []string) []Step { return text.Align(reference, hypothesis) }

// CountSteps counts the steps of an alignment.
func CountSteps(steps []Step) Counts {
	var c Counts
	for _, s := range steps {
		c.add(s.Op)
	}
	return c
}

func (c *Counts) add(op Op) {
	switch op {
	case Hit:
		c.Hits++
	case Substitution:
		c.Substitutions++
	case Deletion:
		c.Deletions++
	case Insertion:
		c.Insertions++
	}
}
