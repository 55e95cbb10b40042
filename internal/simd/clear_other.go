//go:build !amd64 && !arm64

package simd

func clearVector(values []uint64, limit uint64) int { return clearUpTo(values, limit) }
