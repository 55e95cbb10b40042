//go:build unix

package main

// plainSum keeps eight sums, so that no addition waits for the one before.
func plainSum(data []float32) float32 {
	var s [8]float32
	for ; len(data) >= 8; data = data[8:] {
		for i := range s {
			s[i] += data[i]
		}
	}
	for i, v := range data {
		s[i] += v
	}
	return s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7]
}
