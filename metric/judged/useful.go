package judged

import (
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
)

// useful is how far each passage alone supports one of the claims.
type useful struct {
	degree []float64
	// open is set if a claim without a ruling could make a passage useful.
	open bool
	// missing of n claims have no ruling.
	missing, n int
}

// usefulness returns the usefulness of n passages for the claims.
func usefulness(findings []judge.Finding, n int) useful {
	u := useful{degree: make([]float64, n), n: len(findings)}
	for _, f := range findings {
		v, known := credit(f)
		if !known {
			u.open = true
			u.missing++
			continue
		}
		if passages, alone := supporters(f, n); alone {
			for _, j := range passages {
				u.degree[j] = max(u.degree[j], v)
			}
		}
	}
	return u
}

// of is the usefulness of the best passage that supports a claim. It is unknown
// if a missing ruling could raise it.
func (u useful) of(f judge.Finding) (v float64, known bool) {
	if _, ruled := credit(f); !ruled {
		return 0, false
	}
	passages, _ := supporters(f, len(u.degree))
	for _, j := range passages {
		v = max(v, u.degree[j])
	}
	return v, v >= 1 || !u.open || len(passages) == 0
}

// precision is the average precision of the first k passages, or the share of
// useful ones. k is from 1 to the number of passages.
func (u useful) precision(k int, share bool) assay.Score {
	measure := averagePrecision
	if share {
		measure = mean
	}
	value := measure(u.degree[:k])
	low, high := value, value
	if u.open {
		low, high = u.extremes(k, measure)
	}
	return bounded(value, min(low, value), max(high, value), u.missing, u.n)
}

// extremes returns the smallest and the largest value of the measure if some of
// the passages that are not useful turn out to be. For a given number of them
// the first such places give the largest value and the last ones the smallest.
func (u useful) extremes(k int, measure func([]float64) float64) (low, high float64) {
	var places []int
	for i, v := range u.degree[:k] {
		if v < 1 {
			places = append(places, i)
		}
	}
	low = measure(u.degree[:k])
	high = low
	for m := range len(places) + 1 {
		first, last := slices.Clone(u.degree[:k]), slices.Clone(u.degree[:k])
		for i := range m {
			first[places[i]] = 1
			last[places[len(places)-1-i]] = 1
		}
		high, low = max(high, measure(first)), min(low, measure(last))
	}
	return low, high
}

// averagePrecision is the mean of the precision at each useful place, 0 if
// there is none. A degree of a half counts half in both.
func averagePrecision(u []float64) float64 {
	found, sum := 0.0, 0.0
	for i, v := range u {
		found += v
		sum += v * found / float64(i+1)
	}
	if found == 0 {
		return 0
	}
	return sum / found
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// cutAt is the number of passages to score: the first k of the n that the judge
// saw, all if k is 0.
func cutAt(k, n int) int {
	if k == 0 {
		return n
	}
	return min(k, n)
}

// emptyList is the score where nothing was retrieved: none if the case cannot
// be answered, else 0.
func emptyList(in metric.Input) assay.Score {
	if !answerable(in) {
		return assay.None("nothing was retrieved, and there was nothing to find")
	}
	return because(0, nothing)
}
