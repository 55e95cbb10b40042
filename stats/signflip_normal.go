package stats

import (
	"math"
	"math/rand/v2"
)

const (
	// manyClusters is the number of clusters above which the sums of random sign patterns
	// are drawn from their normal limit.
	manyClusters = 5000
	// fewEffective is the effective number of terms below which a sum is not normal enough.
	fewEffective = 1000
)

// signSums sums each list of terms, all of the same length, under the same random sign
// patterns.
//
// Sums of many terms are jointly normal with the covariances Σₖ tᵢₖ tⱼₖ, up to an error of
// the order of 1/n, because signs have no skewness: from manyClusters on that is less than
// the Monte Carlo error. Sums of equal terms fall on few values; they are spread here, so
// that those equal to the observed one count half. The terms of a list of which few matter
// are drawn as they are, together with the terms of the other lists in these places.
// Source: Lehmann and Romano, Testing Statistical Hypotheses, 3rd ed., 2005, §15.2.
func signSums(terms [][]float64, seed uint64) [][]float64 {
	n := len(terms[0])
	if n <= manyClusters {
		return drawSums(terms, seed)
	}
	apart, few := make([]bool, n), 0
	for _, list := range terms {
		if effective(list) >= fewEffective {
			continue
		}
		for k, t := range list {
			if t != 0 && !apart[k] {
				apart[k] = true
				few++
			}
		}
	}
	if few > manyClusters {
		return drawSums(terms, seed)
	}
	rest, one := make([][]float64, len(terms)), make([][]float64, len(terms))
	for i, list := range terms {
		rest[i], one[i] = make([]float64, 0, n-few), make([]float64, 0, few)
		for k, t := range list {
			if apart[k] {
				one[i] = append(one[i], t)
			} else {
				rest[i] = append(rest[i], t)
			}
		}
	}
	sums := normalSums(rest, seed)
	if few > 0 {
		for i, list := range drawSums(one, seed) {
			for b, s := range list {
				sums[i][b] += s
			}
		}
	}
	return sums
}

// effective returns the number of equal terms whose signed sum has the kurtosis of that of
// the terms; +Inf if all are 0, which is exact.
func effective(terms []float64) float64 {
	most := 0.0
	for _, t := range terms {
		most = max(most, math.Abs(t))
	}
	if most == 0 {
		return math.Inf(1)
	}
	squares, fourths := 0.0, 0.0
	for _, t := range terms {
		square := (t / most) * (t / most)
		squares, fourths = squares+square, fourths+square*square
	}
	return squares * squares / fourths
}

// normalSums draws normal sums with the covariances of the signed sums of the lists.
func normalSums(terms [][]float64, seed uint64) [][]float64 {
	root := choleskyOf(terms)
	sums := make([][]float64, len(terms))
	for i := range sums {
		sums[i] = make([]float64, draws)
	}
	rng := rand.New(signs(seed, 0))
	z := make([]float64, len(terms))
	for b := range draws {
		for i := range z {
			z[i] = rng.NormFloat64()
		}
		for i, row := range root {
			s := 0.0
			for j, v := range row {
				s += v * z[j]
			}
			sums[i][b] = s
		}
	}
	return sums
}

// choleskyOf returns the lower triangle L with LLᵀ = (Σₖ tᵢₖ tⱼₖ). A list that is a sum of
// multiples of those before it has 0 on the diagonal.
func choleskyOf(terms [][]float64) [][]float64 {
	root := make([][]float64, len(terms))
	for i := range terms {
		root[i] = make([]float64, i+1)
		for j := range root[i] {
			s := 0.0
			for k, t := range terms[i] {
				s += t * terms[j][k]
			}
			whole := s
			for k := range j {
				s -= root[i][k] * root[j][k]
			}
			switch {
			case i == j && s > 1e-10*whole:
				root[i][j] = math.Sqrt(s)
			case i != j && root[j][j] > 0:
				root[i][j] = s / root[j][j]
			}
		}
	}
	return root
}
