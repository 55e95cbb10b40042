package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/metric/speech"
)

// alternationMarks are the marks of alternatives in .ctm files, and what .stm and trn files
// write in their place.
var alternationMarks = map[string]string{"<ALT_BEGIN>": "{", "<ALT>": "/", "<ALT_END>": "}"}

// wordTags matches the tags that .stm and .ctm files add to a word: "i've;tag".
var wordTags = lazyregexp.New(`([^\s\\;]);\S*`)

// mostCells bounds the memory for the alignment of alternatives.
const mostCells = 1 << 24

// An arc is a word between two states of a lattice; key is its normalised form, "" if it is
// not spoken. An arc leads to a later state.
type arc struct {
	to        int
	word, key string
}

// notationTokens returns the words and marks of a text with alternatives. Marks need no
// spaces: "{e/is}". A slash is a mark within braces only.
func notationTokens(s string) []string {
	var b strings.Builder
	depth := 0
	for _, r := range s {
		switch {
		case r == '{':
			depth++
		case r == '}':
			depth--
		}
		if r == '{' || r == '}' || r == '/' && depth > 0 {
			b.WriteString(" " + string(r) + " ")
		} else {
			b.WriteRune(r)
		}
	}
	return strings.Fields(b.String())
}

// lattice reads a text with alternatives in sclite's notation, "{ a / b c / @ }", which may
// be nested. It returns the arcs that leave each state; the last state is the end.
func lattice(s string) (states [][]arc, err error) {
	tokens := notationTokens(s)
	states = [][]arc{nil}
	add := func(from []int, word string) int {
		states = append(states, nil)
		for _, f := range from {
			states[f] = append(states[f], arc{len(states) - 1, word, speech.Profile{}.Normalise(word)})
		}
		return len(states) - 1
	}
	var sequence func(from int, inner bool) (int, error)
	sequence = func(from int, inner bool) (int, error) {
		for len(tokens) > 0 {
			t := tokens[0]
			if inner && (t == "/" || t == "}") {
				return from, nil
			}
			tokens = tokens[1:]
			switch {
			case t == "{":
				var ends []int
				for open := true; open; {
					end, err := sequence(from, true)
					if err != nil {
						return 0, err
					}
					if len(tokens) == 0 {
						return 0, errors.New(`"{" has no "}"`)
					}
					ends, open, tokens = append(ends, end), tokens[0] != "}", tokens[1:]
				}
				from = add(ends, "")
			case t == "}":
				return 0, errors.New(`"}" has no "{"`)
			case t == "@":
				from = add([]int{from}, "")
			default:
				from = add([]int{from}, t)
			}
		}
		return from, nil
	}
	_, err = sequence(0, false)
	return states, err
}

// Costs of an alignment of alternatives, as sclite has them.
const substitutionCost, otherCost = 4, 3

// chosenAlternatives returns the texts with the alternatives whose words align most cheaply at
// the costs of sclite, and of several the one with the most hits. There sclite may choose another.
func chosenAlternatives(ref, hyp string) (string, string, error) {
	r, err := lattice(ref)
	if err != nil {
		return "", "", err
	}
	h, err := lattice(hyp)
	if err != nil {
		return "", "", err
	}
	if len(r)*len(h) > mostCells {
		return "", "", fmt.Errorf("%d and %d words are too many for alternatives: cut the recording into segments", len(r), len(h))
	}
	type cell struct {
		cost, hits, from int32
		ref, hyp         *arc
	}
	cells := make([]cell, len(r)*len(h))
	for i := range cells {
		cells[i].from = -1
	}
	reach := func(from, i, j int, a, b *arc, cost, hit int32) {
		next := cell{cells[from].cost + cost, cells[from].hits + hit, int32(from), a, b}
		if c := &cells[i*len(h)+j]; c.from < 0 || next.cost < c.cost || next.cost == c.cost && next.hits > c.hits {
			*c = next
		}
	}
	spoken := func(a *arc) int32 { return int32(min(len(a.key), 1)) }
	for at := range cells {
		i, j := at/len(h), at%len(h)
		if at > 0 && cells[at].from < 0 {
			continue
		}
		for b := range h[j] {
			heard := &h[j][b]
			reach(at, i, heard.to, nil, heard, otherCost*spoken(heard), 0)
		}
		for a := range r[i] {
			said := &r[i][a]
			reach(at, said.to, j, said, nil, otherCost*spoken(said), 0)
			for b := range h[j] {
				heard := &h[j][b]
				switch {
				case spoken(said)*spoken(heard) == 0:
				case said.key == heard.key:
					reach(at, said.to, heard.to, said, heard, 0, 1)
				default:
					reach(at, said.to, heard.to, said, heard, substitutionCost, 0)
				}
			}
		}
	}
	path := func(word func(cell) *arc) string {
		var words []string
		for at := len(cells) - 1; at > 0; at = int(cells[at].from) {
			if a := word(cells[at]); a != nil {
				words = append([]string{a.word}, words...)
			}
		}
		return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
	}
	return path(func(c cell) *arc { return c.ref }), path(func(c cell) *arc { return c.hyp }), nil
}

// choose resolves the notation of sclite in the formats that have it.
func (p *spokenPair) choose(refFormat, hypFormat string) error {
	texts := []*string{&p.Reference, &p.Hypothesis}
	braced := false
	for i, format := range []string{refFormat, hypFormat} {
		if format == "stm" || format == "ctm" {
			*texts[i] = wordTags().ReplaceAllString(*texts[i], "$1")
		}
		if format == "stm" || format == "ctm" || format == "sphinx" {
			braced = braced || strings.ContainsAny(*texts[i], "{}")
		}
	}
	if !braced {
		return nil
	}
	var err error
	p.Reference, p.Hypothesis, err = chosenAlternatives(p.Reference, p.Hypothesis)
	return err
}
