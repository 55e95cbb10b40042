package rag

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/rag/chunk"
)

// HashDocuments identifies a corpus by the ids, titles and texts of its documents, in
// order: "sha256:" and hexadecimal digits. Sources are ignored.
func HashDocuments(docs []assay.Document) string {
	h := sha256.New()
	var length [8]byte
	write := func(s string) {
		// Lengths distinguish "ab" + "c" from "a" + "bc".
		binary.LittleEndian.PutUint64(length[:], uint64(len(s)))
		h.Write(length[:])
		h.Write([]byte(s))
	}
	for _, d := range docs {
		write(d.ID)
		write(d.Title)
		write(d.Text)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// passage is one chunk of a document, the unit of search.
type passage struct {
	doc        int // in Config.Documents
	index      int // in the document
	start, end int // in the document's text
	headings   []string
}

// split makes the passages of all documents. A document with only a title is also a
// passage, found by its title, as in BEIR.
func split(ctx context.Context, c Config) ([]passage, error) {
	var out []passage
	for i, d := range c.Documents {
		if i%256 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			c.Progress("chunk", i, len(c.Documents))
		}
		chunks, err := chunk.Split(d, c.Chunk)
		if err != nil {
			return nil, fmt.Errorf("document %q: %w", d.ID, err)
		}
		for _, k := range chunks {
			out = append(out, passage{doc: i, index: k.Index, start: k.Start, end: k.End, headings: k.Headings})
		}
		if len(chunks) == 0 && strings.TrimSpace(d.Title) != "" {
			out = append(out, passage{doc: i})
		}
	}
	c.Progress("chunk", len(c.Documents), len(c.Documents))
	return out, nil
}

// text returns a passage's own text.
func (p *Pipeline) text(i int) string {
	s := p.passages[i]
	return p.config.Documents[s.doc].Text[s.start:s.end]
}

// searchable returns the text by which a passage is found: the document's title, the
// headings above the passage and its text, joined by spaces, as BEIR and MTEB join
// title and text. A heading that is part of the text is not repeated.
func (p *Pipeline) searchable(i int) string {
	s, body := p.passages[i], p.text(i)
	title := p.config.Documents[s.doc].Title
	var parts []string
	if !(slices.Contains(s.headings, title) && strings.Contains(body, title)) {
		parts = append(parts, title)
	}
	for _, h := range s.headings {
		if h != title && !strings.Contains(body, h) {
			parts = append(parts, h)
		}
	}
	return strings.TrimSpace(strings.Join(append(parts, body), " "))
}

// searchables yields the texts of all passages in order, until ctx is done.
func (p *Pipeline) searchables(ctx context.Context, stage string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range p.passages {
			if i%256 == 0 {
				if ctx.Err() != nil {
					return
				}
				p.config.Progress(stage, i, len(p.passages))
			}
			if !yield(p.searchable(i)) {
				return
			}
		}
		p.config.Progress(stage, len(p.passages), len(p.passages))
	}
}

// passage returns passage i in the form of a response.
func (p *Pipeline) passage(i int, score float64) assay.Passage {
	s := p.passages[i]
	d := p.config.Documents[s.doc]
	return assay.Passage{
		ID: d.ID + "#" + strconv.Itoa(s.index), Document: d.ID, Source: d.Source, Title: d.Title,
		Text: p.text(i), Index: s.index, Score: score,
	}
}
