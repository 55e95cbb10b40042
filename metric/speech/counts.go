package speech

// Counts are those of an alignment of a hypothesis with its reference. The zero
// value is that of two empty texts. Counts of several texts are pooled by [Counts.Add].
type Counts struct {
	Hits          int `json:"hits"`
	Substitutions int `json:"substitutions"`
	Deletions     int `json:"deletions"`
	Insertions    int `json:"insertions"`
}

// Reference is N, the number of the reference's tokens.
func (c Counts) Reference() int { return c.Hits + c.Substitutions + c.Deletions }

// Hypothesis is M, the number of the hypothesis's tokens.
func (c Counts) Hypothesis() int { return c.Hits + c.Substitutions + c.Insertions }

// Errors is the number of edits that lead from the reference to the hypothesis.
func (c Counts) Errors() int { return c.Substitutions + c.Deletions + c.Insertions }

// Add returns the counts of both.
func (c Counts) Add(o Counts) Counts {
	return Counts{c.Hits + o.Hits, c.Substitutions + o.Substitutions, c.Deletions + o.Deletions, c.Insertions + o.Insertions}
}

// Rate is errors/N: the word, character or mixed error rate. Range [0,∞), for a
// hypothesis may hold more errors than the reference has tokens. 0 if both are
// empty; not ok, and so no number, when only the reference is.
func (c Counts) Rate() (rate float64, ok bool) {
	switch {
	case c.Errors() == 0:
		return 0, true
	case c.Reference() == 0:
		return 0, false
	}
	return float64(c.Errors()) / float64(c.Reference()), true
}

// MatchErrorRate is errors/(hits + errors): the share of the alignment that is
// wrong. Range [0,1]; 0 if both are empty, 1 if one is.
func (c Counts) MatchErrorRate() float64 {
	if c.Errors() == 0 {
		return 0
	}
	return float64(c.Errors()) / float64(c.Hits+c.Errors())
}

// InformationPreserved is (hits/N)·(hits/M). Range [0,1]; 1 if both are empty,
// 0 if one is. Source: Morris, Maier, Green, From WER and RIL to MER and WIL,
// 2004.
func (c Counts) InformationPreserved() float64 {
	switch {
	case c.Errors() == 0:
		return 1
	case c.Hits == 0:
		return 0
	}
	h := float64(c.Hits)
	return h / float64(c.Reference()) * (h / float64(c.Hypothesis()))
}

// InformationLost is 1 less [Counts.InformationPreserved].
func (c Counts) InformationLost() float64 { return 1 - c.InformationPreserved() }
