package assay

import "strings"

// Label finds the label of a document with the given names: the label that
// equals a name, else one that equals the last element of a name that is a path.
// Earlier names have priority and empty names are ignored. ok is false when no
// label matches.
func Label(labels map[string]int, names ...string) (label string, ok bool) {
	for _, n := range names {
		if _, ok := labels[n]; ok && n != "" {
			return n, true
		}
	}
	for _, n := range names {
		if base := n[strings.LastIndexAny(n, `/\`)+1:]; base != "" {
			if _, ok := labels[base]; ok {
				return base, true
			}
		}
	}
	return "", false
}
