package assay

import (
	"html"
	"net/url"
	"slices"
	"strings"
)

// Label finds the label of a passage's document: the label that equals one of
// names, which identify the document, else one that equals the last element of a
// name that is a path, else the one that the passage's own id names, as [Stem]
// tells. Earlier names have priority and empty ones are ignored. ok is false when
// no label matches.
//
// An id of digits alone may be the number of a row: it counts only if names are
// empty, or if all labels are such ids and no name is. Names as they are have
// priority over names as [Decoded] returns them.
func Label(labels map[string]int, id string, names ...string) (label string, ok bool) {
	if label, ok = labelOf(labels, id, names); ok || !encoded(id) && !slices.ContainsFunc(names, encoded) {
		return label, ok
	}
	plain := make([]string, len(names))
	for _, decode := range decoders {
		for i, name := range names {
			plain[i] = decode(name)
		}
		if label, ok = labelOf(labels, decode(id), plain); ok {
			return label, ok
		}
	}
	return "", false
}

// Decoded returns what a name is whose percent-encoding, HTML entities or "+" for spaces are undone once.
func Decoded(name string) (out []string) {
	for _, decode := range decoders {
		if plain := decode(name); plain != name {
			out = append(out, plain)
		}
	}
	return out
}

func encoded(name string) bool { return strings.ContainsAny(name, "%&+") }

var decoders = []func(name string) string{unescaped(url.PathUnescape), html.UnescapeString, unescaped(url.QueryUnescape)}

// unescaped undoes an encoding of a name, if it has one.
func unescaped(undo func(string) (string, error)) func(name string) string {
	return func(name string) string {
		if plain, err := undo(name); err == nil {
			return plain
		}
		return name
	}
}

func labelOf(labels map[string]int, id string, names []string) (label string, ok bool) {
	named := false
	for _, n := range names {
		if _, ok := labels[n]; ok && n != "" {
			return n, true
		}
		named = named || n != ""
	}
	for _, n := range names {
		if base := n[strings.LastIndexAny(n, `/\`)+1:]; base != "" {
			if _, ok := labels[base]; ok {
				return base, true
			}
		}
	}
	for stem := id; stem != ""; {
		if _, ok := labels[stem]; ok && !(named && isNumber(stem) && !rowsOf(labels, names)) {
			return stem, true
		}
		base := stem[strings.LastIndexAny(stem, `/\`)+1:]
		if _, ok := labels[base]; ok && base != "" && !isNumber(base) {
			return base, true
		}
		if stem, ok = Stem(id, len(stem)); !ok {
			break
		}
	}
	return "", false
}

// rowsOf reports whether labels are numbers, and names are not: the labels are then ids of chunks.
func rowsOf(labels map[string]int, names []string) bool {
	for label := range labels {
		if !isNumber(label) {
			return false
		}
	}
	return !slices.ContainsFunc(names, func(n string) bool {
		base, _, _ := strings.Cut(n[strings.LastIndexAny(n, `/\`)+1:], ".")
		return n != "" && isNumber(base)
	})
}

// Stem returns the longest start of a chunk's id, shorter than within bytes, that
// may be the id of its document: what precedes "#", ":" or "|", or precedes "_",
// "-", ".", "/" or a space if the rest only numbers the chunk, as in "doc_3",
// "doc-p2-3" and "doc/chunk 4". ok is false if there is none.
func Stem(id string, within int) (stem string, ok bool) {
	for i := min(within, len(id)) - 1; i > 0; i-- {
		switch id[i] {
		case '#', ':', '|':
			return id[:i], true
		case '_', '-', '.', '/', ' ':
			if numbers(id[i+1:]) {
				return id[:i], true
			}
		}
	}
	return "", false
}

// numbers reports whether the rest of an id only numbers a chunk: numbers, each of
// which a word for a part may precede.
func numbers(rest string) bool {
	some := false
	for len(rest) > 0 {
		word := len(rest) - len(strings.TrimLeftFunc(rest, func(r rune) bool { return 'a' <= r|0x20 && r|0x20 <= 'z' }))
		if word > 0 && !partWords[strings.ToLower(rest[:word])] {
			return false
		}
		rest = rest[word:]
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		some = some || digits > 0
		after := strings.TrimLeft(rest[digits:], "#:|_-./ ")
		if after != "" && len(after) == len(rest) {
			return false
		}
		rest = after
	}
	return some
}

var partWords = map[string]bool{
	"c": true, "chunk": true, "p": true, "part": true, "passage": true, "page": true, "para": true, "paragraph": true,
	"s": true, "sec": true, "section": true, "seg": true, "segment": true, "split": true, "n": true, "node": true, "block": true,
}

func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }
