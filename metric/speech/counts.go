package speech

// Counts are the counts of an alignment of a hypothesis with its reference. The
// zero value is that of two empty texts. [Counts.Add] pools the counts of several texts.
type Counts struct {
	Hits          int `json:"hits"`
	Substitutions int `json:"substitutions"`
	Deletions     int `json:"deletions"`
	Insertions    int `json:"insertions"`
}

// Reference returns N, the number of tokens in the reference.
func (c Counts) Reference() int { return c.Hits + c.Substitutions + c.Deletions }

// Hypothesis returns M, the number of tokens in the hypothesis.
func (c Counts) Hypothesis() int { return c.Hits + c.Substitutions + c.Insertions }

// Errors returns the number of edits that turn the reference into the hypothesis.
func (c Counts) Errors() int { return c.Substitutions + c.Deletions + c.Insertions }

// Add returns the sum of both counts.
func (c Counts) Add(o Counts) Counts {
	return Counts{c.Hits + o.Hits, c.Substitutions + o.Substitutions, c.Deletions + o.Deletions, c.Insertions + o.Insertions}
}

// Rate returns errors/N: the word, character or mixed error rate. Range [0,∞),
// because the number of errors may exceed the number of reference tokens. The rate
// is 0 if both texts are empty. It is undefined, and ok is false, if only the
// reference is empty.
func (c Counts) Rate() (rate float64, ok bool) {
	switch {
	case c.Errors() == 0:
		return 0, true
	case c.Reference() == 0:
		return 0, false
	}
	return float64(c.Errors()) / float64(c.Reference()), true
}

// MatchErrorRate returns errors/(hits + errors), the share of wrong steps in the
// alignment. Range [0,1]; 0 if both texts are empty, 1 if one is.
func (c Counts) MatchErrorRate() float64 {
	if c.Errors() == 0 {
		return 0
	}
	return float64(c.Errors()) / float64(c.Hits+c.Errors())
}

// InformationPreserved returns (hits/N)·(hits/M). Range [0,1]; 1 if both texts are
// empty, 0 if one is. Source: Morris, Maier, Green, From WER and RIL to MER and
// WIL, 2004.
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

// InformationLost returns 1 − [Counts.InformationPreserved].
func (c Counts) InformationLost() float64 { return 1 - c.InformationPreserved() }
