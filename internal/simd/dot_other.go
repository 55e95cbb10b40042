//go:build !amd64 && !arm64

package simd

func dotVector(_ Level, a, b []float32) float32 { return dot(a, b) }
