package simd

import "fmt"

// Width is the number of columns that a matrix product computes at once. Its right-hand
// side is a strip: consecutive rows of Width values.
const Width = 32

// RowBlock divides the number of rows of a matrix product; callers pad smaller
// matrices.
const RowBlock = 6

// A Matrix is a view of rows of float32. Row i begins at Data[i·Stride], so that stride
// 0 repeats one row.
type Matrix struct {
	Data   []float32
	Stride int
}

// From returns the submatrix of m from row and column on.
func (m Matrix) From(row, column int) Matrix {
	return Matrix{m.Data[row*m.Stride+column:], m.Stride}
}

// holds panics unless m has rows of at least width values.
func (m Matrix) holds(name string, rows, width int) {
	if m.Stride < 0 || (rows-1)*m.Stride+width > len(m.Data) {
		panic(fmt.Sprintf("simd: %s: %d values at stride %d: expected %d rows of %d", name, len(m.Data), m.Stride, rows, width))
	}
}

// MulAdd sets Width columns of rows of dst to those of add plus the product of
// a, of which depth columns are used, and strip, which holds depth rows. rows
// must be a multiple of [RowBlock]. dst and add may be the same; dst and a must
// not overlap. It panics when an operand is too short.
//
// Each value is add + a₀·b₀ + a₁·b₁ + … in this order, whatever the number of
// rows.
func (l Level) MulAdd(dst, add, a Matrix, strip []float32, rows, depth int) {
	if rows < 0 || depth < 0 {
		panic(fmt.Sprintf("simd: product of %d rows and depth %d", rows, depth))
	}
	if rows == 0 {
		return
	}
	if rows%RowBlock != 0 {
		panic(fmt.Sprintf("simd: product of %d rows: expected a multiple of %d", rows, RowBlock))
	}
	dst.holds("dst", rows, Width)
	add.holds("add", rows, Width)
	a.holds("a", rows, depth)
	Matrix{strip, Width}.holds("strip", depth, Width)
	if l == Generic {
		mulAdd(dst, add, a, strip, rows, depth)
		return
	}
	mulAddVector(l, dst, add, a, strip, rows, depth)
}

func mulAdd(dst, add, a Matrix, strip []float32, rows, depth int) {
	for i := range rows {
		sum := (*[Width]float32)(dst.Data[i*dst.Stride:])
		*sum = [Width]float32(add.Data[i*add.Stride:])
		for k, x := range a.Data[i*a.Stride:][:depth] {
			b := (*[Width]float32)(strip[k*Width:])
			for j := range sum {
				sum[j] += x * b[j]
			}
		}
	}
}
