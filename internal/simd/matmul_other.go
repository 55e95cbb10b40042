//go:build !amd64 && !arm64

package simd

func mulAddVector(_ Level, dst, add, a Matrix, strip []float32, rows, depth int) {
	mulAdd(dst, add, a, strip, rows, depth)
}
