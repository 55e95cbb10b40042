//go:build race

package requiretest

// Race reports whether the race detector is on. It slows computation down by ten, so
// that pure speed tests do less work.
const Race = true
