package prompt

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay/llm"
)

const (
	// shortest is the length in tokens below which no field is truncated: claims and
	// questions are about that long, and a part of one has another meaning.
	shortest = 64
	// cutMark replaces the removed end of a field.
	cutMark = " […]"
)

// room returns how many tokens of a window are left for the data if the text around it
// takes words tokens and the reply may take reply tokens. At most a quarter of the
// window is reserved for the reply and a sixteenth for a repair turn, because in a
// small window the data matters more. A tenth is reserved because all counts are
// estimates.
func room(window, words, reply int) int {
	return window - words - min(reply, window/4) - min(1500, window/16) - window/10
}

// fit truncates the longest strings of n to a common length until n has at most limit
// tokens. It returns descriptions of what was truncated.
func fit(n *node, limit, window int) ([]string, error) {
	written := llm.EstimateTokens(n.string())
	if written <= limit {
		return nil, nil
	}
	fields := texts(n, "", nil)
	lengths := make([]int, len(fields))
	for i, f := range fields {
		lengths[i] = tokens(f.node.text)
		written -= lengths[i]
	}
	longest := level(lengths, limit-written)
	if longest < shortest {
		return nil, fmt.Errorf("the material does not fit a window of %d tokens: want a larger window, or less material at once", window)
	}
	var cuts []string
	for i, f := range fields {
		if lengths[i] <= longest {
			continue
		}
		kept := prefix(f.node.text, longest-tokens(cutMark))
		cuts = append(cuts, fmt.Sprintf("%s was cut from %d to %d characters to fit the judge's window of %d tokens",
			f.name, utf8.RuneCountInString(f.node.text), utf8.RuneCountInString(kept), window))
		f.node.text = kept + cutMark
	}
	return cuts, nil
}

// tokens estimates the length of a string as encoded, in tokens.
func tokens(s string) int {
	var b strings.Builder
	quote(&b, s)
	return llm.EstimateTokens(b.String())
}

// level returns the largest maximum length at which the sum of the lengths is at most
// limit. The sum must exceed limit.
func level(lengths []int, limit int) int {
	sorted := slices.Sorted(slices.Values(lengths))
	for i, l := range sorted {
		// The lengths before i are kept; the others share the rest.
		if share := limit / (len(sorted) - i); l > share {
			return share
		}
		limit -= l
	}
	// The parts are rounded individually, so their sum may be below the estimate of the
	// whole.
	return slices.Max(append(lengths, shortest))
}

// prefix returns the longest prefix of s with at most most tokens.
func prefix(s string, most int) string {
	var ends []int
	for i := range s {
		ends = append(ends, i)
	}
	ends = append(ends, len(s))
	beyond := sort.Search(len(ends), func(i int) bool { return tokens(s[:ends[i]]) > most })
	return s[:ends[max(beyond-1, 0)]]
}

type field struct {
	name string
	node *node
}

// texts lists the strings of n with the names by which a reader knows them: for
// a text that of the object it stands in, when it has one ("passage 3"), else
// its path ("claim 2 again"). What has an id goes by it: lists are asked in
// batches, and each draw begins them elsewhere.
func texts(n *node, path string, out []field) []field {
	if n.kind == 's' {
		return append(out, field{strings.TrimSpace(path), n})
	}
	for i, item := range n.items {
		out = texts(item, n.nameOf(i, path), out)
	}
	return out
}

// nameOf gives the name of an item of n, whose own is path.
func (n *node) nameOf(i int, path string) string {
	item := n.items[i]
	if n.kind == '[' {
		number := strconv.Itoa(i + 1)
		if id := item.at("id"); id != nil && id.kind == 'r' {
			number = id.raw
		}
		return strings.TrimSuffix(path, "s") + " " + number
	}
	key := n.keys[i]
	own := n.at("name")
	switch {
	case key == "text" && own != nil && own.kind == 's':
		return own.text
	case path != "" && (key == "text" || strings.HasPrefix(strings.TrimSpace(path), key+" ")):
		return path // "passage 3", "claim 2"
	}
	return path + " " + key
}
