//go:build !race

package require

// Race tells whether the race detector watches.
const Race = false
