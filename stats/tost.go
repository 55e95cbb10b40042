package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// An Equivalence says whether a mean difference is as good as none.
type Equivalence struct {
	N    int     `json:"n"`
	Mean float64 `json:"mean"`
	SE   float64 `json:"se"`
	// CI has the level 1 − 2·alpha; it lies within ±Margin exactly when
	// Equivalent.
	CI     Interval `json:"ci"`
	Margin float64  `json:"margin"`
	// P is the larger of the p-values of both one-sided tests.
	P          float64 `json:"p"`
	Equivalent bool    `json:"equivalent"`
}

// TOST tests by two one-sided t tests whether the mean of differences lies
// within ±margin: not that no effect was seen, but that one of the margin or
// more can be ruled out at the level alpha, 0 < alpha < 0.5. Standard errors are
// cluster-robust. Differences that are all equal have an error of 0, and are
// equivalent when they lie within the margin. It is not ok with fewer than two
// samples or clusters, with a number that is not finite or too large to be
// squared, or with another alpha. Source: Schuirmann,
// Journal of Pharmacokinetics and Biopharmaceutics 15, 1987.
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
		e.P = distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Survival(room / se)
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
