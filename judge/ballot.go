package judge

// A ballot says how rulings of one type are put to a vote, whether of the passes
// of one judge or of the judges of a panel.
type ballot[T any] struct {
	operation string
	// ordered labels are settled by their median, others by majority.
	ordered bool
	// label is the vote that a ruling is; ok is false when it is none, and why
	// then says so.
	label func(T) (label float64, why string, ok bool)
	// unknown is the ruling on what could not be settled; nil where the type has
	// none.
	unknown func(why string) T
	votes   func(*T) *Votes
}

var (
	supportBallot = ballot[Finding]{
		operation: "support",
		label:     func(f Finding) (float64, string, bool) { return float64(f.Verdict), f.Why, f.Verdict != Unknown },
		unknown:   func(why string) Finding { return Finding{Why: why} },
		votes:     func(f *Finding) *Votes { return &f.Votes },
	}
	relevanceBallot = ballot[Grade]{
		operation: "relevance", ordered: true,
		label:   func(g Grade) (float64, string, bool) { return float64(g.Level), g.Why, g.Known },
		unknown: func(why string) Grade { return Grade{Why: why} },
		votes:   func(g *Grade) *Votes { return &g.Votes },
	}
	assignBallot = ballot[Assignment]{
		operation: "assign", ordered: true,
		label:   func(a Assignment) (float64, string, bool) { return a.Credit, a.Why, a.Known },
		unknown: func(why string) Assignment { return Assignment{Why: why} },
		votes:   func(a *Assignment) *Votes { return &a.Votes },
	}
	equivalenceBallot = ballot[Ruling]{
		operation: "equivalence",
		label: func(r Ruling) (float64, string, bool) {
			if r.Holds {
				return 1, "", true
			}
			return 0, "", true
		},
		votes: func(r *Ruling) *Votes { return &r.Votes },
	}
	markBallot = ballot[Mark]{
		operation: "mark", ordered: true,
		label: func(m Mark) (float64, string, bool) { return m.Level, "", true },
		votes: func(m *Mark) *Votes { return &m.Votes },
	}
)

// An outcome is what a vote made of one item.
type outcome[T any] struct {
	// ruling is that of the first who voted for the decision, or one between
	// those in the middle.
	ruling T
	known  bool
	// why says why the item is not known.
	why string
	Votes
}

// rulings gives what was decided on each item, with its votes.
func (b ballot[T]) rulings(out []outcome[T]) []T {
	list := make([]T, len(out))
	for i, o := range out {
		list[i] = o.ruling
		if !o.known {
			list[i] = b.unknown(o.why)
		}
		*b.votes(&list[i]) = o.Votes
	}
	return list
}

// pick takes the items of a list by their indices.
func pick[T any](list []T, items []int) []T {
	if len(items) == len(list) {
		return list
	}
	out := make([]T, len(items))
	for k, i := range items {
		out[k] = list[i]
	}
	return out
}
