// Package gotest shows how to evaluate a system within go test: a small search over a
// folder of notes, and tests that compare it with a baseline.
package gotest

import (
	"context"
	"io/fs"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-eval/assay"
)

// A Search finds notes by the words of a question, weighted by rarity.
type Search struct {
	notes []note
	// in counts the notes that contain a word.
	in map[string]int
}

type note struct {
	name, text string
	words      map[string]bool
}

// Open reads the notes of a folder.
func Open(folder fs.FS) (*Search, error) {
	s := &Search{in: map[string]int{}}
	names, err := fs.Glob(folder, "*.md")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, err
		}
		n := note{name, string(text), map[string]bool{}}
		for _, w := range words(n.text) {
			if !n.words[w] {
				n.words[w] = true
				s.in[w]++
			}
		}
		s.notes = append(s.notes, n)
	}
	return s, nil
}

// Ask makes the search a target: it returns the three best notes and no answer.
func (s *Search) Ask(_ context.Context, c *assay.Case) (assay.Response, error) {
	r := assay.Response{NoAnswer: true, Passages: []assay.Passage{}}
	for _, n := range s.notes {
		score := 0.0
		for _, w := range words(c.Question) {
			if n.words[w] {
				score += math.Log(1 + float64(len(s.notes))/float64(s.in[w]))
			}
		}
		if score > 0 {
			r.Passages = append(r.Passages, assay.Passage{Document: n.name, Text: n.text, Score: score})
		}
	}
	slices.SortStableFunc(r.Passages, func(a, b assay.Passage) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
	r.Passages = r.Passages[:min(3, len(r.Passages))]
	return r, nil
}

func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
