package judged

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/assay-eval/assay"
)

// cosines gives the cosine of a text with each of others, -1 to 1.
func cosines(ctx context.Context, e assay.Embedder, text string, others []string) ([]float64, error) {
	vectors, err := e.Embed(ctx, append([]string{text}, others...))
	if err != nil {
		return nil, err
	}
	if len(vectors) != len(others)+1 {
		return nil, fmt.Errorf("embedder %s: %d vectors for %d texts", e.Identity(), len(vectors), len(others)+1)
	}
	for _, v := range vectors {
		if len(v) != e.Dimensions() {
			return nil, fmt.Errorf("embedder %s: a vector of %d values: want %d", e.Identity(), len(v), e.Dimensions())
		}
	}
	out := make([]float64, len(others))
	for i := range out {
		if out[i], err = cosine(vectors[0], vectors[i+1]); err != nil {
			return nil, fmt.Errorf("embedder %s: %w", e.Identity(), err)
		}
	}
	return out, nil
}

// cosine gives the cosine of two vectors as long as each other; 0 when one of
// them has no length.
func cosine(a, b []float32) (float64, error) {
	var dot, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		dot += x * y
		aa += x * x
		bb += y * y
	}
	v := dot / (math.Sqrt(aa) * math.Sqrt(bb))
	switch {
	case aa == 0 || bb == 0:
		return 0, nil
	case math.IsNaN(v) || math.IsInf(aa, 0) || math.IsInf(bb, 0):
		return 0, errors.New("a vector holds what is not a finite number")
	}
	return min(max(v, -1), 1), nil
}
