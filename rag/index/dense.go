package index

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/assay-eval/assay/internal/simd"
)

// chunkFloats is how much of the matrix a worker takes at a time: large enough to be
// read sequentially, small enough that a worker that loses its processor for a while
// leaves the rest to others.
const chunkFloats = 1 << 18

// A Dense searches passages by the dot product of vectors, exactly: it compares every
// one. With vectors of length 1 that is the cosine.
//
// A Dense is safe for concurrent use.
type Dense struct {
	dim, rows int
	// data is the matrix, row by row.
	data []float32
}

// NewDense makes an index of vectors with dim numbers each, stored consecutively in
// data: the vector of passage i is data[i*dim : (i+1)*dim]. It keeps data. Errors: a
// dim below 1, data whose length is not a multiple of dim, a number that is not finite.
func NewDense(dim int, data []float32) (*Dense, error) {
	if dim < 1 {
		return nil, fmt.Errorf("dense index: vectors of %d numbers: expected at least 1", dim)
	}
	if len(data)%dim != 0 {
		return nil, fmt.Errorf("dense index: %d numbers: expected a multiple of %d", len(data), dim)
	}
	if i := notFinite(data); i >= 0 {
		return nil, fmt.Errorf("dense index: passage %d: number %d is %v: expected a finite one", i/dim, i%dim, data[i])
	}
	d := &Dense{dim: dim, rows: len(data) / dim, data: data}
	if d.rows > math.MaxInt32 {
		return nil, fmt.Errorf("dense index: %d passages: expected at most %d", d.rows, math.MaxInt32)
	}
	return d, nil
}

// notFinite returns the index of the first NaN or infinity, -1 if there is none.
func notFinite(data []float32) int {
	for i, v := range data {
		// v-v is 0, but NaN for NaN and infinities.
		if v-v != 0 {
			return i
		}
	}
	return -1
}

// Vector returns the vector of a passage, which the caller must not change.
func (d *Dense) Vector(passage int) []float32 {
	return d.data[passage*d.dim : (passage+1)*d.dim : (passage+1)*d.dim]
}

// Search returns the k passages with the greatest dot products with the query, fewer if
// there are fewer; nil if k is below 1. It uses all processors, and the result does not
// depend on their number. A passage whose product is NaN is not found. Errors: a query
// with another dimension or with a number that is not finite, as after a change of
// model.
func (d *Dense) Search(query []float32, k int) ([]Hit, error) {
	hits, err := d.SearchBatch([][]float32{query}, k)
	if err != nil {
		return nil, err
	}
	return hits[0], nil
}

// SearchBatch is [Dense.Search] for several queries: list i is what Search returns for
// query i, bit by bit. The matrix is read once for all of them. An error names the query
// by its position if there are several; no queries give no lists.
func (d *Dense) SearchBatch(queries [][]float32, k int) ([][]Hit, error) {
	for i, q := range queries {
		if err := d.checkQuery(q); err != nil {
			if len(queries) > 1 {
				err = fmt.Errorf("query %d of %d: %w", i+1, len(queries), err)
			}
			return nil, fmt.Errorf("dense index: %w", err)
		}
	}
	hits := make([][]Hit, len(queries))
	if k < 1 || d.rows == 0 || len(queries) == 0 {
		return hits, nil
	}
	k = min(k, d.rows)
	chunk := max(1, chunkFloats/d.dim)
	workers := min(runtime.GOMAXPROCS(0), (d.rows+chunk-1)/chunk)
	found := make([][]best[float32], workers)
	var next atomic.Int64
	var wait sync.WaitGroup
	for w := range found {
		found[w] = make([]best[float32], len(queries))
		for q := range queries {
			found[w][q].reset(k)
		}
		wait.Go(func() {
			for {
				end := int(next.Add(int64(chunk)))
				if end-chunk >= d.rows {
					return
				}
				for i := end - chunk; i < min(end, d.rows); i++ {
					row := d.Vector(i)
					for q, query := range queries {
						offerProduct(&found[w][q], simd.Dot(row, query), i)
					}
				}
			}
		})
	}
	wait.Wait()
	for q := range hits {
		all := &found[0][q]
		for _, other := range found[1:] {
			for _, r := range other[q].heap {
				all.offer(r)
			}
		}
		hits[q] = all.hits(1)
	}
	return hits, nil
}

// offerProduct offers a passage unless its score is NaN.
func offerProduct(b *best[float32], score float32, passage int) {
	// The second comparison is false for NaN.
	if !b.full() && score == score || b.full() && score >= b.heap[0].score {
		b.offer(ranked[float32]{score, uint32(passage)})
	}
}

func (d *Dense) checkQuery(query []float32) error {
	if len(query) != d.dim {
		return fmt.Errorf("a query of %d numbers: expected %d", len(query), d.dim)
	}
	if i := notFinite(query); i >= 0 {
		return fmt.Errorf("number %d of the query is %v: expected a finite one", i, query[i])
	}
	return nil
}
