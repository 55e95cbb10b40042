//go:build !race

package requiretest

// Race reports whether the race detector is on.
const Race = false
