//go:build unix && !amd64

package main

// sum adds up data.
func sum(data []float32) float32 { return plainSum(data) }
