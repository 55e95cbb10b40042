package assay

import (
	"slices"
	"time"
)

// A Canary tells whether a model that judged a run still answers as it did when a frozen set of
// questions was first put to it. A vendor can change a model behind its name; its rulings are
// then those of another judge.
type Canary struct {
	// Provider and Model name the model.
	Provider string `json:"provider"`
	Model    string `json:"model"`
	// Since is when the frozen answers were given; the zero time if there are none. The run that froze them has First set and
	// compares nothing.
	Since time.Time `json:"since,omitzero"`
	First bool      `json:"first,omitempty"`
	// Items counts the items with an answer then and now.
	Items int `json:"items"`
	// Changed counts the items that are ruled otherwise now than in both rounds of the frozen
	// answers. Noise counts those that were
	// ruled otherwise when the questions were put a second time, right after the first.
	Changed int `json:"changed"`
	Noise   int `json:"noise"`
	// Likeness is the mean share of words that the answers now have in common with the
	// frozen ones, Usual that of the second answers; a ruling that differs has none.
	Likeness float64 `json:"likeness"`
	Usual    float64 `json:"usual"`
	// P is the p-value of the difference between Usual and Likeness; nil if there are too few
	// passages to tell one at the level of the test.
	P *float64 `json:"p"`
	// Differs is set if the answers are less alike than usual, by the test.
	Differs bool `json:"differs,omitempty"`
	// Past are the times of the frozen sets that this one replaced because the answers were no
	// longer like those.
	Past []time.Time `json:"past,omitempty"`
	// Why says why nothing was compared; "" if something was.
	Why string `json:"why,omitempty"`
}

// CanariesBetween returns the canaries of two runs that tell of a change of a model between
// them, as those of the run on that side of the change where the model was no longer the frozen
// one, or was further from it. Without frozen answers in common nothing is known of a model, and it is left out.
func CanariesBetween(a, b []Canary) []Canary {
	var out []Canary
	for _, x := range a {
		for _, y := range b {
			switch {
			case x.Provider != y.Provider || x.Model != y.Model || x.Why != "" || y.Why != "":
			case x.Since.Equal(y.Since) && (x.Differs != y.Differs || x.Differs && apart(x.Changed, y.Changed)):
				if y.Differs && (!x.Differs || x.Changed < y.Changed) {
					out = append(out, y)
				} else {
					out = append(out, x)
				}
			case !x.Differs && within(y.Past, x.Since):
				out = append(out, y)
			case !y.Differs && within(x.Past, y.Since):
				out = append(out, x)
			}
		}
	}
	return out
}

// apart reports whether two counts of changed items differ by more than chance, at the level 0.01: the square of a
// difference of counts is 6.6 times their sum there.
func apart(a, b int) bool { return 10*(a-b)*(a-b) > 66*(a+b) }

func within(all []time.Time, t time.Time) bool {
	return slices.ContainsFunc(all, t.Equal)
}
