package stats

import "slices"

// A Distance is the distance of two ratings in Krippendorff's alpha.
type Distance uint8

const (
	// NominalDistance: ratings are equal or not.
	NominalDistance Distance = iota
	// OrdinalDistance: the number of ratings in between, (Σ_{g=c..k} n_g −
	// (n_c+n_k)/2)².
	OrdinalDistance
	// IntervalDistance: the squared difference, (c−k)².
	IntervalDistance
)

// Alpha is Krippendorff's alpha: 1 − observed/expected disagreement over units
// rated by any number of raters. units holds the ratings of each unit. Units with
// fewer than two ratings are ignored. ok is false if no unit is left, if all
// ratings are equal, or if one is not a finite number. Source: Krippendorff,
// Computing Krippendorff's Alpha-Reliability, 2011.
func Alpha(units [][]float64, distance Distance) (alpha float64, ok bool) {
	values, units := ratings(units)
	place := make(map[float64]int, len(values))
	for i, v := range values {
		place[v] = i
	}
	// The coincidence matrix: every pair of ratings of a unit, weighted by
	// 1/(number of ratings − 1).
	k := len(values)
	pairs := make([][]float64, k)
	for i := range pairs {
		pairs[i] = make([]float64, k)
	}
	total := make([]float64, k)
	n := 0.0
	for _, u := range units {
		share := 1 / float64(len(u)-1)
		for i, a := range u {
			if !isFinite(a) {
				return 0, false
			}
			for j, b := range u {
				if i != j {
					pairs[place[a]][place[b]] += share
				}
			}
			total[place[a]]++
			n++
		}
	}
	square := squares(values, total, distance)
	var observed, expected float64
	for c := range k {
		for d := range k {
			observed += pairs[c][d] * square(c, d)
			expected += total[c] * total[d] * square(c, d)
		}
	}
	alpha = 1 - observed*(n-1)/expected
	if !isFinite(alpha) {
		return 0, false
	}
	return alpha, true
}

// ratings lists the distinct values, in order, of the units that count.
func ratings(units [][]float64) (values []float64, kept [][]float64) {
	for _, u := range units {
		if len(u) >= 2 {
			kept = append(kept, u)
			values = append(values, u...)
		}
	}
	slices.Sort(values)
	return slices.Compact(values), kept
}

// squares returns the squared distance of two values by their indexes.
func squares(values, total []float64, distance Distance) func(c, d int) float64 {
	// upTo is the cumulative count before an index.
	upTo := make([]float64, len(values)+1)
	for i, t := range total {
		upTo[i+1] = upTo[i] + t
	}
	return func(c, d int) float64 {
		c, d = min(c, d), max(c, d)
		switch {
		case c == d:
			return 0
		case distance == NominalDistance:
			return 1
		case distance == IntervalDistance:
			return (values[d] - values[c]) * (values[d] - values[c])
		}
		between := upTo[d+1] - upTo[c] - (total[c]+total[d])/2
		return between * between
	}
}
