package text

// BERTScore matches every token of each side to the nearest of the other by
// the cosine of their vectors, greedily: precision is the mean over the answer,
// recall over the reference, both -1 to 1; f is the harmonic mean, 0 unless both
// are above 0. ok is false when a side is empty. Source: Zhang et al., ICLR
// 2020, without weights.
//
// It is not a metric of the catalog: it needs a vector for every token, and an
// [assay.Embedder] gives one for a text.
func BERTScore(answer, reference [][]float32) (precision, recall, f float64, ok bool) {
	if len(answer) == 0 || len(reference) == 0 {
		return 0, 0, 0, false
	}
	mean := func(of, among [][]float32) float64 {
		sum := 0.0
		for _, v := range of {
			_, c := nearest(v, among)
			sum += c
		}
		return sum / float64(len(of))
	}
	precision, recall = mean(answer, reference), mean(reference, answer)
	if precision <= 0 || recall <= 0 {
		return precision, recall, 0, true
	}
	return precision, recall, 2 * precision * recall / (precision + recall), true
}

// Rescale spreads a BERTScore over its range, given the mean score of random
// pairs of texts: the baseline becomes 0 and 1 stays 1. A baseline of 1 or more
// leaves no range, and gives 0.
func Rescale(score, baseline float64) float64 {
	if baseline >= 1 {
		return 0
	}
	return (score - baseline) / (1 - baseline)
}
