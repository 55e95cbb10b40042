package question

import "github.com/assay-eval/assay/judge"

// eachOf puts each item of a list to a vote of its own.
func eachOf[In, Item any](b judge.Ballot[Item]) judge.Each[[]In, Item] {
	return judge.Each[[]In, Item]{Ballot: b, Len: func(in []In) int { return len(in) }, Some: judge.Pick[In]}
}

// yes is the label of a ruling that says yes or no.
func yes(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

// rulingBallot puts rulings to a vote.
var rulingBallot = judge.Ballot[judge.Ruling]{
	Label: func(r judge.Ruling) (float64, string, bool) { return yes(r.Holds), "", true },
	Votes: func(r *judge.Ruling) *judge.Votes { return &r.Votes },
}

// weightBallot puts it to a vote whether a point is vital.
var weightBallot = judge.Ballot[judge.Weight]{
	Label:   func(w judge.Weight) (float64, string, bool) { return yes(w.Vital), w.Why, w.Known },
	Unknown: unknownWeight,
	Votes:   func(w *judge.Weight) *judge.Votes { return &w.Votes },
}

// gradeBallot puts grades to a vote.
var gradeBallot = judge.Ballot[judge.Grade]{
	Label:   func(g judge.Grade) (float64, string, bool) { return float64(g.Level), g.Why, g.Known },
	Unknown: unknownGrade,
	Votes:   func(g *judge.Grade) *judge.Votes { return &g.Votes },
	Ordered: true, Merge: lowerGrade, Level: 1,
}

func unknownWeight(why string) judge.Weight { return judge.Weight{Why: why} }
func unknownGrade(why string) judge.Grade   { return judge.Grade{Why: why} }

// markBallot puts marks to a vote.
var markBallot = judge.Ballot[judge.Mark]{
	Label:   func(m judge.Mark) (float64, string, bool) { return m.Level, "", true },
	Votes:   func(m *judge.Mark) *judge.Votes { return &m.Votes },
	Ordered: true,
}

// lowerGrade takes the lower of two levels, which credits a passage with no more
// than half of the judges did, and the mean of the degrees.
func lowerGrade(low, high judge.Grade) (decision, voted judge.Grade) {
	decision = low
	decision.Degree = (low.Degree + high.Degree) / 2
	return decision, low
}
