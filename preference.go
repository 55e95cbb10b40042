package assay

// A Preference is which of the answers of two runs to a case is better. A judge is asked
// twice, with either answer first.
type Preference struct {
	// Case is the id of the case, Cluster its group; "" if the case is independent.
	Case    string         `json:"id"`
	Cluster string         `json:"group,omitempty"`
	How     PreferenceKind `json:"how"`
	// Value is from −1, the answer of the old run is better, to 1, that of the new run is: the
	// mean of the two orders. ±½ is a preference in one order alone, and 0 is no difference,
	// or that the judge preferred the same place twice.
	Value float64 `json:"value"`
	// Orders are what the judge preferred, with the answer of the old run first and with that
	// of the new run first: 1 the first answer, 0 neither, −1 the second one. They are nil
	// unless How is PreferenceJudged.
	Orders *[2]int `json:"first_preferred,omitempty"`
	// Reasons are the judge's reasons in the two orders; of another kind, the first says why.
	Reasons [2]string `json:"reasons,omitzero"`
	// Declined tells which of the runs, the old and the new one, gave an empty answer.
	Declined [2]bool `json:"empty,omitzero"`
	// Addressed is set if a response seems to address the judge, which then ruled with and
	// without those words. The case is PreferenceUnjudged if they made a difference.
	Addressed bool `json:"addresses_judge,omitempty"`
}

// A PreferenceKind is how a preference came about.
type PreferenceKind string

const (
	// PreferenceJudged is a judge's ruling.
	PreferenceJudged PreferenceKind = "judged"
	// PreferenceEqual is a tie of equal answers, without a ruling.
	PreferenceEqual PreferenceKind = "equal"
	// PreferenceFailed is a case in which the target failed in one run, which loses, or in
	// both, a tie.
	PreferenceFailed PreferenceKind = "target_failed"
	// PreferenceUnjudged is a case without a usable ruling; it counts for neither run.
	PreferenceUnjudged PreferenceKind = "unjudged"
)

// Counts reports whether the preference is part of the win rate.
func (p Preference) Counts() bool { return p.How != PreferenceUnjudged }
