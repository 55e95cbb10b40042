package stats

// A Vote decides by the majority of an odd number of passes. It is settled as
// soon as no further vote could change the decision, so the decision is the one
// that all passes would give. A failed pass casts no vote.
type Vote struct {
	passes  int
	ordered bool
	votes   []float64
}

// NewVote starts a vote with an odd number of passes. In an ordered vote the
// labels are levels and the median decides, so that 1, 2 and 3 give 2. An
// unordered vote needs more than half of the passes for one label.
func NewVote(passes int, ordered bool) *Vote { return &Vote{passes: passes, ordered: ordered} }

// Cast adds a vote.
func (v *Vote) Cast(label float64) { v.votes = append(v.votes, label) }

// Len counts the votes so far.
func (v *Vote) Len() int { return len(v.votes) }

func (v *Vote) count(label float64) (below, equal, above int) {
	for _, w := range v.votes {
		switch {
		case w < label:
			below++
		case w > label:
			above++
		default:
			equal++
		}
	}
	return below, equal, above
}

// missing is the number of votes for the label that would settle the vote on it.
func (v *Vote) missing(label float64) int {
	majority := v.passes/2 + 1
	below, equal, above := v.count(label)
	if v.ordered {
		// The label is certainly the median if a majority is not above it and a
		// majority is not below it.
		return max(0, majority-equal-min(below, above))
	}
	return max(0, majority-equal)
}

// Decision is the label on which the vote is settled; ok is false if it is not
// settled.
func (v *Vote) Decision() (label float64, ok bool) {
	for _, w := range v.votes {
		if v.missing(w) == 0 {
			return w, true
		}
	}
	return 0, false
}

// Open is the least number of further votes that can settle the vote: 0 if it is
// settled, or too divided to be settled.
func (v *Vote) Open() int {
	left := v.passes - len(v.votes)
	least := v.passes/2 + 1
	for _, w := range v.votes {
		least = min(least, v.missing(w))
	}
	if least > left {
		return 0
	}
	return least
}

// Votes counts the votes for a label and the other votes.
func (v *Vote) Votes(label float64) (same, other int) {
	_, same, _ = v.count(label)
	return same, len(v.votes) - same
}

// Divided reports whether the votes differ.
func (v *Vote) Divided() bool {
	for _, w := range v.votes {
		if w != v.votes[0] {
			return true
		}
	}
	return false
}
