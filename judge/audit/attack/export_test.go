package attack

import (
	"fmt"
	"slices"
)

// Screened counts the expressions that match a text, and lists those of them that the screens
// leave out.
func Screened(s string) (matched int, left []string) {
	v := viewOf(s)
	patterns, forgeries := table().likely(v.text)
	for _, p := range slices.Concat(table().Patterns, table().Forgeries) {
		if !p.expression.MatchString(v.text) {
			continue
		}
		matched++
		same := func(q pattern) bool { return q.expression == p.expression }
		if !slices.ContainsFunc(patterns, same) && !slices.ContainsFunc(forgeries, same) {
			left = append(left, fmt.Sprint(p.expression))
		}
	}
	return matched, left
}
