package document

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// A Remark is a caveat about a row.
type Remark struct {
	// Alone is the remark for one row.
	Alone string
	// Remarks with the same Shared are merged into one note: Shared, then the Own
	// of each row. With Shared "" only equal remarks are merged.
	Shared, Own string
}

// Remarks returns remarks that are merged only if they are equal.
func Remarks(texts ...string) []Remark {
	var out []Remark
	for _, s := range texts {
		out = append(out, Remark{Alone: s})
	}
	return out
}

// Notes numbers the remarks of a table for the notes below it.
type Notes struct{ all []note }

// A note is the remarks with one shared part.
type note struct {
	key        string
	alone, own []string
}

// Mark adds the remarks of a row and returns their marks, "¹ ²".
func (n *Notes) Mark(remarks []Remark) string {
	var numbers []int
	for _, r := range remarks {
		key := cmp.Or(r.Shared, r.Alone)
		i := slices.IndexFunc(n.all, func(x note) bool { return x.key == key })
		if i < 0 {
			i = len(n.all)
			n.all = append(n.all, note{key: key})
		}
		x := &n.all[i]
		x.alone = append(x.alone, r.Alone)
		if r.Own != "" {
			x.own = append(x.own, r.Own)
		}
		numbers = append(numbers, i+1)
	}
	slices.Sort(numbers)
	marks := make([]string, len(numbers))
	for i, k := range numbers {
		marks[i] = superscript(k)
	}
	return strings.Join(marks, " ")
}

// Texts returns the notes in the order of their numbers, each with its mark.
func (n *Notes) Texts() []string {
	var out []string
	for i, x := range n.all {
		text := x.alone[0]
		if slices.ContainsFunc(x.alone, func(s string) bool { return s != text }) {
			text = x.key
			if x.own != nil {
				text += ": " + strings.Join(x.own, ", ")
			}
		}
		out = append(out, superscript(i+1)+" "+text)
	}
	return out
}

var superscripts = [...]string{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"}

func superscript(n int) string {
	var b strings.Builder
	for _, d := range strconv.Itoa(n) {
		b.WriteString(superscripts[d-'0'])
	}
	return b.String()
}
