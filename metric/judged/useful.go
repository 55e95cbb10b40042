package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
)

// useful tells of each passage how far it alone supports one of the claims.
type useful struct {
	degree []float64
	// open is set where a claim without a ruling may make a passage useful.
	open bool
	// missing of n claims have no ruling.
	missing, n int
}

// usefulness gives that of each of n passages for the claims.
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

// of gives the usefulness of the best passage that supports a claim; it is not
// known when a passage may yet prove more useful.
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

// precision gives the mean precision at the useful ones of the first k
// passages, or their share. k is at most the number of passages, and above 0.
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

// extremes gives the least and the most that the measure can become when some
// of the passages without use have one after all. For a given number of them
// the first such places give the most and the last ones the least.
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
		first, last := append([]float64{}, u.degree[:k]...), append([]float64{}, u.degree[:k]...)
		for i := range m {
			first[places[i]] = 1
			last[places[len(places)-1-i]] = 1
		}
		high, low = max(high, measure(first)), min(low, measure(last))
	}
	return low, high
}

// averagePrecision is the mean of the precision at each useful place, 0 when
// there is none. A place of half a use counts half, in both.
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

// idle lists the passages among the first k that no claim has a use for.
func (u useful) idle(in metric.Input, k int) []assay.Evidence {
	var out []assay.Evidence
	for j, v := range u.degree[:k] {
		if v < 0.5 {
			out = append(out, assay.Evidence{Kind: "not useful", Text: start(in.Response.Passages[j].Text), Where: passageNumber(j)})
		}
	}
	return out
}

// cutAt gives the number of passages to look at: the first k of those that the
// judge saw, all when k is 0.
func cutAt(k, n int) int {
	if k == 0 {
		return n
	}
	return min(k, n)
}

// unretrieved is the score where nothing was retrieved: rightly so when the case
// cannot be answered, else 0.
func unretrieved(in metric.Input) assay.Score {
	if a := in.Case.Want.Answerable; a != nil && !*a {
		return assay.None("nothing was retrieved, and there was nothing to find")
	}
	s := assay.Value(0)
	s.Reason = nothing
	return s
}
