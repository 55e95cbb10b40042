package report

import "slices"

// mapped returns what f makes of each element of a list; nil for an empty one.
func mapped[T, U any](list []T, f func(T) U) (out []U) {
	for _, x := range list {
		out = append(out, f(x))
	}
	return out
}

// edited returns a copy of a list in which edit has changed each element.
func edited[T any](list []T, edit func(*T)) []T {
	list = slices.Clone(list)
	for i := range list {
		edit(&list[i])
	}
	return list
}
