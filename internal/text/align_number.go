package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// numbersFor maps equal tokens to equal numbers, which compare faster.
func numbersFor(reference, hypothesis []string) (a, b []int32) {
	var g grid
	g.number(reference, hypothesis)
	return g.a, g.b
}

// number numbers the tokens of both lists from 0, equal ones alike.
func (g *grid) number(reference, hypothesis []string) {
	if g.words == nil || len(g.words) > mostKept {
		g.words = make(map[string]int32, len(reference))
	}
	clear(g.words)
	number := func(tokens []string) {
		for _, t := range tokens {
			id, ok := g.words[t]
			if !ok {
				id = int32(len(g.words))
				g.words[t] = id
			}
			g.tokens = append(g.tokens, id)
		}
	}
	g.tokens = g.tokens[:0]
	number(reference)
	number(hypothesis)
	g.a, g.b, g.kinds = g.tokens[:len(reference)], g.tokens[len(reference):], len(g.words)
	// The tokens may be parts of a large text.
	clear(g.words)
}

// mostKept bounds the tokens for which a table is kept for the next pair.
const mostKept = 1 << 12

// A runeTable maps characters to numbers, in pages that are made when they are needed.
type runeTable struct {
	pages [(invalid+utf8.RuneSelf*2)>>pageBits + 1]*[1 << pageBits]int32
	// used lists the characters with a number.
	used []int32
}

const (
	pageBits = 8
	// invalid + n stands for the byte n outside of UTF-8.
	invalid = unicode.MaxRune + 1
)

// id returns the number of a character, which it numbers from 0.
func (t *runeTable) id(r int32) int32 {
	page := t.pages[r>>pageBits]
	if page == nil {
		page = new([1 << pageBits]int32)
		t.pages[r>>pageBits] = page
	}
	at := &page[r&(1<<pageBits-1)]
	if *at == 0 {
		t.used = append(t.used, r)
		*at = int32(len(t.used))
	}
	return *at - 1
}

func (t *runeTable) reset() {
	for _, r := range t.used {
		t.pages[r>>pageBits][r&(1<<pageBits-1)] = 0
	}
	t.used = t.used[:0]
}

// numberCharacters numbers the characters of both texts, without white space.
func (g *grid) numberCharacters(reference, hypothesis string) {
	if g.runes == nil {
		g.runes = new(runeTable)
	}
	number := func(s string) {
		for i, r := range s {
			switch {
			case ' ' < r && r < utf8.RuneSelf:
			case r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)):
				r = invalid + int32(s[i])
			case unicode.IsSpace(r):
				continue
			}
			g.tokens = append(g.tokens, g.runes.id(r))
		}
	}
	g.tokens = g.tokens[:0]
	number(reference)
	n := len(g.tokens)
	number(hypothesis)
	g.a, g.b, g.kinds = g.tokens[:n], g.tokens[n:], len(g.runes.used)
	g.runes.reset()
}
