package text

import (
	"context"
	"fmt"
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// Vectors returns a vector for each text. Equal texts are embedded once. It is an
// error if the embedder returns anything other than one vector for each text.
func Vectors(ctx context.Context, e assay.Embedder, texts []string) ([][]float32, error) {
	at := map[string]int{}
	var unique []string
	for _, t := range texts {
		if _, ok := at[t]; !ok {
			at[t] = len(unique)
			unique = append(unique, t)
		}
	}
	vectors, err := e.Embed(ctx, unique)
	if err != nil {
		return nil, err
	}
	if len(vectors) != len(unique) {
		return nil, fmt.Errorf("embedder %s: %d vectors for %d texts", e.Identity(), len(vectors), len(unique))
	}
	for i, v := range vectors {
		if len(v) != e.Dimensions() {
			return nil, fmt.Errorf("embedder %s: %q: %d values: expected %d", e.Identity(), start(unique[i]), len(v), e.Dimensions())
		}
		for _, x := range v {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return nil, fmt.Errorf("embedder %s: %q: the vector holds %v", e.Identity(), start(unique[i]), x)
			}
		}
	}
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = vectors[at[t]]
	}
	return out, nil
}

// start returns the beginning of a text, for messages.
func start(s string) string { return text.Shorten(s, 40) }

// Cosine returns the cosine of the angle between two vectors of the same dimension,
// from -1 to 1; 0 if one of them is the zero vector.
func Cosine(a, b []float32) float64 {
	var dot, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		dot += x * y
		aa += x * x
		bb += y * y
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return min(max(dot/(math.Sqrt(aa)*math.Sqrt(bb)), -1), 1)
}

// nearest returns the index of the vector with the largest cosine to v, and that
// cosine. Of equal ones the first wins; at is -1 if there is no vector.
func nearest(v []float32, among [][]float32) (at int, best float64) {
	at = -1
	for i, w := range among {
		if c := Cosine(v, w); at < 0 || c > best {
			at, best = i, c
		}
	}
	return at, best
}

// Cosines returns the cosine of a text with each of the others, -1 to 1.
func Cosines(ctx context.Context, e assay.Embedder, text string, others []string) ([]float64, error) {
	vectors, err := Vectors(ctx, e, append([]string{text}, others...))
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(others))
	for i, v := range vectors[1:] {
		out[i] = Cosine(vectors[0], v)
	}
	return out, nil
}
