package metrictest

import (
	"context"
	"hash/fnv"
	"math"
	"strings"

	"github.com/assay-eval/assay"
)

const dimensions = 4

// Embedder returns an embedder for tests. It needs no model; equal texts have
// equal vectors, and texts that share words have similar ones.
func Embedder() assay.Embedder { return hashing{} }

// hashing adds up one vector per word, derived from the word's hash.
type hashing struct{}

func (hashing) Dimensions() int  { return dimensions }
func (hashing) Identity() string { return "hashing" }

func (hashing) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = vector(t)
	}
	return out, nil
}

func vector(s string) []float32 {
	sum := make([]float64, dimensions)
	for _, w := range strings.Fields(strings.ToLower(s)) {
		h := fnv.New64a()
		h.Write([]byte(w))
		bits := h.Sum64()
		for i := range sum {
			sum[i] += float64(int16(bits>>(16*i))) / math.MaxInt16
		}
	}
	length := 0.0
	for _, x := range sum {
		length += x * x
	}
	out := make([]float32, dimensions)
	if length == 0 {
		out[0] = 1
		return out
	}
	for i, x := range sum {
		out[i] = float32(x / math.Sqrt(length))
	}
	return out
}

// broken returns an error, or the same vector for every text. Without a vector
// it returns none at all.
type broken struct {
	err    error
	vector []float32
}

func (broken) Dimensions() int  { return dimensions }
func (broken) Identity() string { return "broken" }

func (b broken) Embed(_ context.Context, texts []string) ([][]float32, error) {
	if b.err != nil || b.vector == nil {
		return nil, b.err
	}
	out := make([][]float32, len(texts))
	for i := range out {
		out[i] = b.vector
	}
	return out, nil
}
