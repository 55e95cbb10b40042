package question

import "github.com/assay-eval/assay/internal/text"

// sureFrom is the confidence, in percent, from which a judge counts as sure.
const sureFrom = 90

// confident reports whether a judge says that it is sure. A number that is no percentage
// says nothing.
func confident(percent int) bool { return percent >= sureFrom && percent <= 100 }

// A numberSet has the values of the numbers and dates in texts.
type numberSet map[string]bool

func numbersOf(texts ...string) numberSet {
	out := numberSet{}
	for _, s := range texts {
		for _, n := range text.Numbers(s) {
			out[n.Key] = true
		}
	}
	return out
}

// in reports whether others hold all of the numbers.
func (n numberSet) in(others numberSet) bool {
	for key := range n {
		if !others[key] {
			return false
		}
	}
	return true
}
