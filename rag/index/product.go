package index

import (
	"math"

	"github.com/assay-eval/assay/internal/simd"
)

const (
	// blockFloats is how much of the matrix is multiplied with all queries before the
	// next part: half of a second-level cache.
	blockFloats = 1 << 15
	// fewQueries is how many queries are multiplied one by one: a matrix product has a
	// fixed number of columns, and computing unused ones costs more from here down.
	fewQueries = 12
)

// A product holds the queries of a search in the form in which a matrix product takes
// them.
//
// The matrix product adds in another order than [simd.Dot], so that its value may differ
// in the last bits. It therefore only tells which passages cannot be among the best; the
// scores of the others are computed by Dot. Both values of a sum of n products differ
// from the true one by at most γ·Σ|xᵢqᵢ| ≤ γ·‖x‖·‖q‖ with γ = nu/(1−nu) and u = 2⁻²⁴, in
// any order and with or without fused additions. Source: Higham, Accuracy and Stability
// of Numerical Algorithms, 2nd edition, section 3.1.
type product struct {
	dim     int
	queries [][]float32
	// strips holds the first queries, Width to a strip, transposed; columns counts them.
	strips  [][]float32
	columns int
	// margins holds, for each column, the bound on the difference of the two values for
	// a passage of norm 1.
	margins []float64
}

// unitRoundoff is that of float32.
const unitRoundoff = 1.0 / (1 << 24)

// tiny is more than dim underflows can add to a sum of products, for every dim up to
// 2³¹: each is at most 2⁻¹⁵⁰.
const tiny = 0x1p-118

func newProduct(dim int, queries [][]float32) *product {
	p := &product{dim: dim, queries: queries}
	for left := queries; len(left) > fewQueries; left = left[min(simd.Width, len(left)):] {
		strip := make([]float32, dim*simd.Width)
		n := min(simd.Width, len(left))
		for j, q := range left[:n] {
			for i, v := range q {
				strip[i*simd.Width+j] = v
			}
			p.margins = append(p.margins, p.margin(norm(q)))
		}
		p.strips = append(p.strips, strip)
		p.columns += n
	}
	return p
}

// margin bounds the difference of both sums for a passage of norm 1, with a
// twice as large γ for the roundings of the norms and of the bound itself.
func (p *product) margin(norm float64) float64 {
	nu := float64(p.dim) * unitRoundoff
	if nu > 0.25 {
		return math.Inf(1)
	}
	return 4 * nu / (1 - nu) * norm
}

// norm bounds the Euclidean norm of a vector from above, up to the rounding of a sum,
// which margin allows for. It is infinite where a product of two such vectors could
// overflow.
func norm(v []float32) float64 {
	n := math.Sqrt(float64(simd.Dot(v, v)) + tiny)
	if !(n < 0x1p63) {
		return math.Inf(1)
	}
	return n
}

// A walker keeps the best passages of each query among those that it walked.
type walker struct {
	*product
	found  []best[float32]
	values []float32
	// cut holds, for each column of a strip, a value below which no product of the block
	// belongs to the best.
	cut [simd.Width]float32
}

func (w *walker) reset(p *product, k int) {
	w.product = p
	w.found = make([]best[float32], len(p.queries))
	for i := range w.found {
		w.found[i].reset(k)
	}
	if len(p.strips) > 0 {
		w.values = make([]float32, w.blockRows()*simd.Width)
	}
}

// blockRows is how many passages a block holds.
func (w *walker) blockRows() int {
	n := max(1, blockFloats/w.dim)
	return (n + simd.RowBlock - 1) / simd.RowBlock * simd.RowBlock
}

// walk offers consecutive passages, of which the first has the ordinal first.
func (w *walker) walk(rows []float32, first int) {
	for size := w.blockRows() * w.dim; len(rows) > 0; {
		block := rows[:min(size, len(rows))]
		n := len(block) / w.dim
		// A matrix product takes a multiple of RowBlock rows.
		whole := 0
		if len(w.strips) > 0 {
			whole = n / simd.RowBlock * simd.RowBlock
			w.multiply(block[:whole*w.dim], first)
		}
		w.each(0, w.columns, block[whole*w.dim:], first+whole)
		w.each(w.columns, len(w.queries), block, first)
		first += n
		rows = rows[len(block):]
	}
}

// each offers every passage of a block to the queries from one up to another.
func (w *walker) each(from, to int, block []float32, first int) {
	if from == to {
		return
	}
	for i := first; len(block) > 0; i++ {
		row := block[:w.dim]
		for q := from; q < to; q++ {
			offerProduct(&w.found[q], simd.Dot(row, w.queries[q]), i)
		}
		block = block[w.dim:]
	}
}

// offerProduct offers a passage unless its score is NaN.
func offerProduct(b *best[float32], score float32, passage int) {
	// The second comparison is false for NaN.
	if !b.full() && score == score || b.full() && score >= b.heap[0].score {
		b.offer(ranked[float32]{score, uint32(passage)})
	}
}

// multiply offers the passages of a block to the queries of all strips.
func (w *walker) multiply(block []float32, first int) {
	rows := len(block) / w.dim
	if rows == 0 {
		return
	}
	longest := 0.0
	for at := 0; at < len(block); at += w.dim {
		longest = max(longest, norm(block[at:at+w.dim]))
	}
	var zeros [simd.Width]float32
	for s, strip := range w.strips {
		column := s * simd.Width
		n := min(simd.Width, w.columns-column)
		w.setCut(column, n, longest)
		simd.Best().MulAdd(simd.Matrix{Data: w.values, Stride: simd.Width}, simd.Matrix{Data: zeros[:]},
			simd.Matrix{Data: block, Stride: w.dim}, strip, rows, w.dim)
		for i := range rows {
			for j, v := range w.values[i*simd.Width:][:n] {
				// Not below: NaN and the sums that overflowed are decided by Dot.
				if !(v < w.cut[j]) {
					offerProduct(&w.found[column+j], simd.Dot(block[i*w.dim:(i+1)*w.dim], w.queries[column+j]), first+i)
				}
			}
		}
	}
}

// setCut sets the cut of n columns for a block whose passages have at most a norm.
func (w *walker) setCut(column, n int, norm float64) {
	for j := range n {
		w.cut[j] = float32(math.Inf(-1))
		if b := &w.found[column+j]; b.full() {
			worst := float64(b.heap[0].score)
			w.cut[j] = math.Nextafter32(float32(worst-norm*w.margins[column+j]-tiny), float32(math.Inf(-1)))
		}
	}
}
