//go:build race

package require

// Race tells whether the race detector watches: it makes plain computing ten
// times slower, so that tests of nothing but its speed do less of it.
const Race = true
