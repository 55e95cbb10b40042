package stats

import (
	"math"
)

// An Equivalence says whether a mean difference is negligible.
type Equivalence struct {
	N    int     `json:"n"`
	Mean float64 `json:"mean"`
	SE   float64 `json:"se"`
	// CI has the level 1 − 2·alpha; it is within ±Margin exactly if Equivalent is
	// set.
	CI     Interval `json:"ci"`
	Margin float64  `json:"margin"`
	// P is the larger p-value of the two one-sided tests.
	P          float64 `json:"p"`
	Equivalent bool    `json:"equivalent"`
}

// TOST uses two one-sided t tests to test whether the mean of differences is
// within ±margin: whether an effect of margin or more can be ruled out at level
// alpha, 0 < alpha < 0.5. Standard errors are cluster-robust. Equal differences
// have an error of 0, and are equivalent if they are within the margin. ok is
// false with fewer than two samples or clusters, with a number that is not finite
// or too large to square, or with another alpha. Source: Schuirmann, Journal of
// Pharmacokinetics and Biopharmaceutics 15, 1987.
func TOST(differences []Sample, margin, alpha float64) (e Equivalence, ok bool) {
	if len(differences) < 2 || !isLevel(2*alpha) || !isFinite(margin) {
		return e, false
	}
	e = Equivalence{N: len(differences), Mean: meanOf(differences), Margin: margin}
	se, df := standardError(differences, e.Mean)
	if df < 1 || !isFinite(se) || !isFinite(e.Mean) {
		return Equivalence{}, false
	}
	e.SE = se
	room := margin - math.Abs(e.Mean)
	switch {
	case se > 0:
		e.P = tSurvival(room/se, df)
	case room <= 0:
		e.P = 1
	}
	ci := studentInterval(e.Mean, se, df, 1-2*alpha)
	if ci == nil {
		return Equivalence{}, false
	}
	e.CI = *ci
	e.Equivalent = e.P < alpha
	return e, true
}
