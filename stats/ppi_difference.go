package stats

// A LabelledPair is one case whose answers by two systems a person and the judge
// both scored.
type LabelledPair struct {
	Old, New Scores
	// Cluster is "" for a case that is independent of all others.
	Cluster string
}

// Scores of one answer, by a person and by the judge.
type Scores struct{ Human, Judge float64 }

// PPIDifference estimates the mean difference, new less old, that people would
// see between two systems over a whole population: [PPI] of the differences of
// each case, Y = human(new) − human(old) and F = judge(new) − judge(old), with the
// judge's pairs of the rest. The labelled cases must be a random sample, and both
// answers of each be labelled. A judge that favours one system is corrected for;
// the weight is 0 when its differences say nothing of theirs. The rest is as in
// [PPI]. Source: Angelopoulos, Duchi and Zrnic, arXiv 2311.01453.
func PPIDifference(labelled []LabelledPair, rest []Pair, o PPIOptions) (p Powered, ok bool) {
	l := make([]Labelled, len(labelled))
	for i, v := range labelled {
		l[i] = Labelled{Human: v.New.Human - v.Old.Human, Judge: v.New.Judge - v.Old.Judge, Cluster: v.Cluster}
	}
	r := make([]Sample, len(rest))
	for i, v := range rest {
		r[i] = Sample{v.New - v.Old, v.Cluster}
	}
	return PPI(l, r, o)
}
