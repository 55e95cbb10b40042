//go:build unix

package main

import "github.com/assay-eval/assay/internal/simd"

// sum adds up data, whose length must be a multiple of 64.
func sum(data []float32) float32 {
	if simd.Best() < simd.AVX2 || len(data) == 0 {
		return plainSum(data)
	}
	return sumAVX2(&data[0], len(data)/64)
}

// sumAVX2 adds up n times 64 numbers.
//
//go:noescape
func sumAVX2(p *float32, n int) float32
