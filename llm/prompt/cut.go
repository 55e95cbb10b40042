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
	// shortest is the length in tokens below which no field is cut: claims and
	// questions are about as long, and a piece of one means something else.
	shortest = 64
	// cutMark stands where the rest of a field was.
	cutMark = " […]"
)

// room gives how many tokens of a window are left for the data, when the words
// around it take so many and the reply may take as many as reply. A quarter of
// the window is the most that is kept for the reply and a sixteenth for a repair
// turn, for a small window is of more use to the data; a tenth is kept because
// all counts are estimates.
func room(window, words, reply int) int {
	return window - words - min(reply, window/4) - min(1500, window/16) - window/10
}

// fit cuts the longest strings of n to a common length so that the whole is no
// longer than limit tokens. It tells what was cut.
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

// tokens estimates the length of a string as it is written.
func tokens(s string) int {
	var b strings.Builder
	quote(&b, s)
	return llm.EstimateTokens(b.String())
}

// level gives the largest length that all lengths can be cut to so that their
// sum is at most limit, which they exceed.
func level(lengths []int, limit int) int {
	sorted := slices.Sorted(slices.Values(lengths))
	for i, l := range sorted {
		// The ones before i stay whole; the others share what is left.
		if share := limit / (len(sorted) - i); l > share {
			return share
		}
		limit -= l
	}
	// The parts are rounded up one by one, so that their sum may be below what
	// was estimated of the whole.
	return slices.Max(append(lengths, shortest))
}

// prefix gives the longest beginning of s that is at most so many tokens long.
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
