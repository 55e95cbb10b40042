package chunk

import (
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/text"
)

// maxAtom is the maximum number of bytes of a token. No word of prose is that long, and
// a 256-bit hash in hexadecimal just fits.
const maxAtom = 64

// A boundary is the strength of the division before a token.
type boundary uint8

const (
	inWord boundary = iota
	atWord
	atSentence
	atLine
	atParagraph
	atHeading
)

// tokens holds the tokens of a text and the boundary before each.
type tokens struct {
	text   string
	atoms  []text.Span
	before []boundary
}

// scan finds the tokens of s and sets only word boundaries.
func scan(s string) *tokens {
	t := &tokens{text: s}
	for _, word := range text.TokenSpans(s) {
		t.add(word)
	}
	return t
}

// add adds a word, cut between characters into pieces of at most maxAtom bytes.
func (t *tokens) add(word text.Span) {
	level := atWord
	for word.End-word.Start > maxAtom {
		cut := word.Start + maxAtom
		for cut > word.Start+maxAtom-utf8.UTFMax && !utf8.RuneStart(t.text[cut]) {
			cut--
		}
		t.atoms, t.before = append(t.atoms, text.Span{Start: word.Start, End: cut}), append(t.before, level)
		word.Start, level = cut, inWord
	}
	t.atoms, t.before = append(t.atoms, word), append(t.before, level)
}

// mark sets the boundaries that the method uses.
func (t *tokens) mark(method string) {
	if method == Token {
		return
	}
	i := 0
	for _, s := range text.Sentences(t.text) {
		i = t.raise(i, s.Start, atSentence)
	}
	if method == Sentence {
		return
	}
	for i := 1; i < len(t.atoms); i++ {
		switch lines(t.text[t.atoms[i-1].End:t.atoms[i].Start]) {
		case 0:
		case 1:
			t.before[i] = max(t.before[i], atLine)
		default:
			t.before[i] = atParagraph
		}
	}
	i = 0
	for _, h := range Headings(t.text) {
		i = t.raise(i, h.Start, atHeading)
	}
}

// raise strengthens the boundary before the first token, from i on, that begins at or
// after the offset, and returns that token.
func (t *tokens) raise(i, offset int, level boundary) int {
	for i < len(t.atoms) && t.atoms[i].Start < offset {
		i++
	}
	if i < len(t.atoms) {
		t.before[i] = max(t.before[i], level)
	}
	return i
}

// lines counts the line breaks in white space; a form feed, which ends a page,
// counts as two.
func lines(space string) int {
	return strings.Count(space, "\n") + 2*strings.Count(space, "\f")
}

// cut makes the chunks. Each starts at the end of the previous one minus the overlap
// and ends at the best boundary within Size tokens; since that is past the previous
// end, every step adds at least one token.
func (t *tokens) cut(c Config) []Chunk {
	var out []Chunk
	for start, end := 0, 0; end < len(t.atoms); {
		end = t.end(c, start, end)
		out = append(out, Chunk{Start: t.atoms[start].Start, End: t.atoms[end-1].End})
		if end < len(t.atoms) {
			start = t.next(c, start, end)
		}
	}
	return out
}

// end chooses the end of the chunk that begins at start: after done, the end of the
// previous chunk, and within reach.
func (t *tokens) end(c Config, start, done int) int {
	reach := start + c.Size
	if c.Method == Token {
		return min(reach, len(t.atoms))
	}
	if c.Method == Recursive {
		// A section that fills at least a quarter of a chunk is its own chunk; a
		// smaller one says too little alone and is joined with the next.
		for i := max(done, start+c.Size/4) + 1; i < len(t.atoms) && i <= reach; i++ {
			if t.before[i] == atHeading {
				return i
			}
		}
	}
	if reach >= len(t.atoms) {
		return len(t.atoms)
	}
	// Recursive leaves no chunk less than half full for the sake of a better boundary;
	// Sentence always keeps sentences whole.
	low := done + 1
	if c.Method == Recursive {
		low = max(low, start+c.Size/2)
	}
	best := reach
	for i := reach; i >= low; i-- {
		if t.before[i] > t.before[best] {
			best = i
		}
	}
	return best
}

// next chooses the start of the chunk after the one from start to end.
func (t *tokens) next(c Config, start, end int) int {
	low := max(end-c.Overlap, start+1)
	switch {
	case c.Method == Token:
		return low
	case t.before[end] == atHeading:
		return end
	}
	for i := low; i < end; i++ {
		if t.before[i] >= atSentence {
			return i
		}
	}
	if c.Method == Sentence {
		return end
	}
	return low
}
