package stats

// Brier is the mean squared distance of probabilities from labels, Σ(p−y)²/n: 0
// is perfect, and always predicting 0.5 gets 0.25. ok is false without items, or
// if a probability is outside 0…1. Source: Brier, Monthly Weather Review 78,
// 1950.
func Brier(probabilities []float64, labels []bool) (score float64, ok bool) {
	if !areProbabilities(probabilities, len(labels)) {
		return 0, false
	}
	for i, p := range probabilities {
		d := p - one(labels[i])
		score += d * d
	}
	return score / float64(len(labels)), true
}

// ECE is the expected calibration error: the distance of the mean probability
// from the share labelled true in bins of equal width, weighted by the number of
// items. Empty bins are skipped; 1 belongs to the last bin. ok is false as in
// [Brier], or without a bin. Source: Naeini, Cooper and Hauskrecht, AAAI 2015.
func ECE(probabilities []float64, labels []bool, bins int) (ece float64, ok bool) {
	if !areProbabilities(probabilities, len(labels)) || bins < 1 {
		return 0, false
	}
	gap := make([]float64, bins)
	for i, p := range probabilities {
		gap[min(int(p*float64(bins)), bins-1)] += p - one(labels[i])
	}
	for _, g := range gap {
		ece += max(g, -g)
	}
	return ece / float64(len(labels)), true
}

func areProbabilities(p []float64, n int) bool {
	if len(p) != n || n == 0 {
		return false
	}
	for _, v := range p {
		if !(v >= 0 && v <= 1) {
			return false
		}
	}
	return true
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
