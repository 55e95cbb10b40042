package text

import (
	"maps"
	"slices"
)

// Within returns the texts in a decoded JSON value, those of an object in the order of their names.
func Within(v any) (all []string) {
	switch v := v.(type) {
	case string:
		all = append(all, v)
	case []any:
		for _, e := range v {
			all = append(all, Within(e)...)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = append(all, Within(v[name])...)
		}
	}
	return all
}
