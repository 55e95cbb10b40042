package speech

import "github.com/assay-eval/assay/internal/text"

// An alignment is a list of steps, each with what became of a token.
type (
	Op   = text.Op
	Step = text.Step
)

// What became of a token: see [Op].
const (
	Hit          = text.Hit
	Substitution = text.Substitution
	Deletion     = text.Deletion
	Insertion    = text.Insertion
)

// Count counts what an alignment of least edits, and among those of most hits,
// finds between two lists of tokens; the counts of all such alignments are the
// same. The time grows with the length times the edits, the memory with the
// length.
//
// Matches jiwer in hits + substitutions + deletions and in the rate; jiwer may
// find fewer hits among alignments of equally many edits.
func Count(reference, hypothesis []string) Counts {
	edits, hits := text.Edits(reference, hypothesis)
	n, m := len(reference), len(hypothesis)
	insertions := edits - (n - hits)
	substitutions := m - hits - insertions
	return Counts{Hits: hits, Substitutions: substitutions, Deletions: n - hits - substitutions, Insertions: insertions}
}

// Align returns one alignment of the kind that [Count] counts, in order: the same
// one every time. It takes twice the time of Count, and memory that grows with
// the length alone.
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
