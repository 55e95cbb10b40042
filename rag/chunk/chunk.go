// Package chunk splits documents into the passages that are retrieved.
//
// Sizes are token counts by [text.Tokens]: words between white space, and each Chinese,
// Japanese or Korean character separately. A word of more than 64 bytes counts as one
// token per 64 bytes started and may be cut there, so that a line of base64, or of a
// language without spaces, does not become a giant passage.
//
// Every method is deterministic. The chunks of a document together contain all of its
// text except white space, in order; each chunk is a byte range of the document,
// trimmed of white space.
package chunk

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-eval/assay"
)

// Version changes whenever a document would be split differently. It belongs in the key
// of every cache of chunks.
const Version = 1

// The methods of splitting.
const (
	// Recursive cuts at the strongest boundary within reach: before a heading, or else
	// between paragraphs, lines, sentences, words, characters.
	Recursive = "recursive"
	// Sentence packs whole sentences up to the size; a longer one is cut
	// between words.
	Sentence = "sentence"
	// Token cuts every Size tokens, regardless of boundaries.
	Token = "token"
	// Document does not split: for corpora whose documents are passages, such as those
	// of BEIR.
	Document = "document"
)

// Methods lists the methods, the default first.
func Methods() []string { return []string{Recursive, Sentence, Token, Document} }

// A Config says how to split.
type Config struct {
	// Method is one of [Methods].
	Method string `json:"method"`
	// Size is the largest number of tokens of a chunk, 1 or more.
	Size int `json:"size"`
	// Overlap is the maximum number of tokens repeated from the previous chunk, 0 to
	// half of Size. Recursive does not repeat across a heading, Sentence repeats only
	// whole sentences.
	Overlap int `json:"overlap"`
}

// Default is recursive, 160 tokens, 32 of them repeated. Rationale: a sentence encoder
// such as all-MiniLM-L6-v2 reads 256 word pieces and ignores the rest. Encyclopedic
// prose has 1.3 pieces per word (XQuAD), so that 98 of 100 chunks are read completely
// with their title; scientific abstracts have 1.5 (SciFact), where every other chunk
// loses its last words. The overlap of a fifth is about two sentences, so that an
// answer divided by a cut is complete in one of the two chunks.
func Default() Config { return Config{Method: Recursive, Size: 160, Overlap: 32} }

// Validate names the first field that is wrong.
func (c Config) Validate() error {
	switch {
	case !slices.Contains(Methods(), c.Method):
		return fmt.Errorf("chunk method: %q: expected one of %q", c.Method, Methods())
	case c.Method == Document:
		return nil
	case c.Size < 1:
		return fmt.Errorf("chunk size: %d: expected 1 token or more", c.Size)
	case c.Overlap < 0 || c.Overlap > c.Size/2:
		return fmt.Errorf("chunk overlap: %d: expected 0 to half of the size, %d: lower chunk-overlap or raise chunk-size", c.Overlap, c.Size/2)
	}
	return nil
}

// String returns the method with its numbers, such as "recursive(160,32)".
func (c Config) String() string {
	if c.Method == Document {
		return Document
	}
	return fmt.Sprintf("%s(%d,%d)", c.Method, c.Size, c.Overlap)
}

// A Chunk is a range of a document.
type Chunk struct {
	// Index is the chunk's position in its document, from 0.
	Index int
	// Start and End are byte offsets into the document's text, End excluded.
	Start, End int
	// Text is the text of the range.
	Text string
	// Headings are the titles of the sections in which the chunk begins, outermost
	// first; a chunk that begins with a heading is in that section.
	Headings []string
}

// Split splits a document's text. A blank text has no chunks.
func Split(doc assay.Document, c Config) ([]Chunk, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if c.Method == Document {
		return whole(doc.Text), nil
	}
	t := scan(doc.Text)
	if len(t.atoms) <= c.Size {
		return whole(doc.Text), nil
	}
	t.mark(c.Method)
	chunks := t.cut(c)
	for i := range chunks {
		chunks[i].Index = i
		chunks[i].Text = doc.Text[chunks[i].Start:chunks[i].End]
	}
	locate(chunks, Headings(doc.Text))
	return chunks, nil
}

// whole returns s as one chunk, or no chunk if s is blank.
func whole(s string) []Chunk {
	body := strings.TrimSpace(s)
	if body == "" {
		return nil
	}
	start := len(s) - len(strings.TrimLeftFunc(s, unicode.IsSpace))
	out := []Chunk{{Start: start, End: start + len(body), Text: body}}
	if strings.ContainsAny(body, "#=") || strings.Contains(body, "---") {
		locate(out, Headings(s))
	}
	return out
}

// locate assigns headings to the chunks; both are in order.
func locate(chunks []Chunk, headings []Heading) {
	var path []Heading
	for i := range chunks {
		for len(headings) > 0 && headings[0].Start <= chunks[i].Start {
			for len(path) > 0 && path[len(path)-1].Level >= headings[0].Level {
				path = path[:len(path)-1]
			}
			path = append(path, headings[0])
			headings = headings[1:]
		}
		for _, h := range path {
			chunks[i].Headings = append(chunks[i].Headings, h.Title)
		}
	}
}
