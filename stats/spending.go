package stats

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
)

// OBrienFlemingSpending is the share of the two-sided level alpha that may be
// spent until a share t of the cases is in, when results are looked at before
// the end: 2 − 2·Φ(z₁₋α⸝₂/√t). Almost none early, all at the end. It is 0 at and
// before t = 0, alpha at and after t = 1, and 0 for an alpha that is not between
// 0 and 1. Source: Lan and DeMets, Biometrika 1983.
func OBrienFlemingSpending(alpha, t float64) float64 {
	switch {
	case !isLevel(alpha) || !(t > 0):
		return 0
	case t >= 1:
		return alpha
	}
	return 2 * distuv.UnitNormal.Survival(zQuantile(1-alpha/2)/math.Sqrt(t))
}

// A Look is one planned look at results that are not all in.
type Look struct {
	// Information is the share of the cases that are in, 0…1.
	Information float64 `json:"information"`
	// Spent is the chance of a false alarm at this look or before.
	Spent float64 `json:"spent"`
	// Z is the boundary: the looks end here when |mean/se| reaches it.
	Z float64 `json:"z"`
	// P is the same as a two-sided p-value, to be compared with that of any
	// test of the mean.
	P float64 `json:"p"`
}

// maxLooks is far beyond what anyone plans; from about fifty on
// [ConfidenceSequence] costs little more and needs no plan.
const maxLooks = 100

// Looks gives the boundaries of planned looks at the shares of the cases that
// ascend to at most 1, such that all looks together raise a false alarm with the
// chance alpha (two-sided) when the last share is 1, spent as by
// [OBrienFlemingSpending]. They are computed, not bounded: the density of the
// mean on the paths not yet stopped is carried from look to look by numerical
// integration. Boundaries are those of a normal mean, so with few cases the
// first looks should use the p-value of an exact test against P. Cases must come
// in random order. For a one-sided bound at alpha hand over 2·alpha: either side
// then spends alpha at most.
//
// ok is false unless there are 1 to 100 shares, each by 0.001 or more above the
// one before, and alpha lies between 0 and 1. Source: Lan and DeMets, Biometrika
// 1983; Armitage, McPherson and Rowe, JRSS A 1969.
func Looks(alpha float64, information []float64) (looks []Look, ok bool) {
	if !isLevel(alpha) || len(information) == 0 || len(information) > maxLooks {
		return nil, false
	}
	paths := startPaths()
	before, spent := 0.0, 0.0
	for _, t := range information {
		if !(t-before >= 0.001-tie && t <= 1) {
			return nil, false
		}
		l := Look{Information: t, Spent: OBrienFlemingSpending(alpha, t)}
		step := math.Sqrt(t - before)
		edge := paths.edge(step, l.Spent-spent)
		l.Z = edge / math.Sqrt(t)
		l.P = 2 * distuv.UnitNormal.Survival(l.Z)
		looks = append(looks, l)
		// Nothing lies beyond 9 standard deviations.
		paths = paths.next(step, min(edge, 9*math.Sqrt(t)))
		before, spent = t, l.Spent
	}
	return looks, true
}

// paths is the density of the score mean·√cases, scaled to 1 at the end, on the
// paths that no look has stopped: mass at points.
type paths struct{ at, mass []float64 }

func startPaths() *paths { return &paths{[]float64{0}, []float64{1}} }

// edge is the distance from 0 beyond which lies the chance spend after a step
// with this standard deviation.
func (p *paths) edge(step, spend float64) float64 {
	// Nothing reaches 40 standard deviations of the whole.
	lo, hi := 0.0, 40.0
	for range 100 {
		mid := (lo + hi) / 2
		if p.beyond(step, mid) > spend {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

func (p *paths) beyond(step, edge float64) float64 {
	sum := 0.0
	for i, u := range p.at {
		sum += p.mass[i] * (distuv.UnitNormal.Survival((edge-u)/step) + distuv.UnitNormal.Survival((edge+u)/step))
	}
	return sum
}

// next carries the density over a step and cuts it at ±edge.
func (p *paths) next(step, edge float64) *paths {
	// The density is as smooth as a normal one of the step's deviation, in which
	// eight points a deviation leave an error far below 1e-9.
	n := max(64, int(16*edge/step))
	q := &paths{make([]float64, n), make([]float64, n)}
	quad.Legendre{}.FixedLocations(q.at, q.mass, -edge, edge)
	for i, x := range q.at {
		density := 0.0
		for j, u := range p.at {
			density += p.mass[j] * distuv.UnitNormal.Prob((x-u)/step)
		}
		q.mass[i] *= density / step
	}
	return q
}

// phi is the distribution function of the standard normal.
func phi(z float64) float64 { return distuv.UnitNormal.CDF(z) }
