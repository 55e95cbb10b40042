// Package lazyregexp compiles regular expressions at their first use. A variable of a
// package that holds a compiled one would add to the time that every start of the
// program takes.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that returns the compiled expression. Its first call compiles it,
// and panics as [regexp.MustCompile] does if the expression is invalid. The function is
// safe for concurrent use.
func New(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
