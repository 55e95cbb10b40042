package text

import "strings"

// Squeeze replaces each run of white space by one space, and drops that at the ends.
func Squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }
