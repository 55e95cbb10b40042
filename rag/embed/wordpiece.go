package embed

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// wordPiece splits texts into word pieces as Hugging Face's tokenizers do for uncased
// BERT: control characters are dropped, Chinese characters and punctuation split off,
// accents stripped, letters lowered, and the longest known piece is repeatedly taken
// from the front of a word. The name of a special token in a text, such as "[SEP]", is
// that token. Source: Wu et al., Google's Neural Machine Translation System, 2016.
type wordPiece struct {
	first    map[string]int32 // pieces at the front of a word
	later    map[string]int32 // pieces inside a word, without "##"
	longest  int              // bytes in the longest piece
	special  []special
	cls, sep int32
	unknown  int32
}

type special struct {
	name string
	id   int32
}

// wordRunes is the maximum length of a word; a longer one is unknown.
const wordRunes = 100

func newWordPiece(vocabulary string, words int) (*wordPiece, error) {
	all := lines(vocabulary)
	if len(all) != words {
		return nil, fmt.Errorf("%d words: expected %d", len(all), words)
	}
	p := &wordPiece{first: make(map[string]int32, words), later: make(map[string]int32, words/4)}
	for i, word := range all {
		if rest, ok := strings.CutPrefix(word, "##"); ok && rest != "" {
			p.later[rest] = int32(i)
		} else {
			p.first[word] = int32(i)
		}
		p.longest = max(p.longest, len(word))
	}
	for _, name := range []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"} {
		id, ok := p.first[name]
		if !ok {
			return nil, fmt.Errorf("has no %q", name)
		}
		p.special = append(p.special, special{name, id})
	}
	p.unknown, p.cls, p.sep = p.special[1].id, p.special[2].id, p.special[3].id
	return p, nil
}

// encode appends the word pieces of text to dst, between the two end markers, at most
// limit in all.
func (p *wordPiece) encode(dst []int32, text string, limit int) []int32 {
	c := cutter{wordPiece: p, out: append(dst, p.cls), limit: len(dst) + limit - 1}
	for text != "" && !c.full() {
		at, s := p.findSpecial(text)
		c.text(text[:at])
		if s != nil && !c.full() {
			c.out = append(c.out, s.id)
			at += len(s.name)
		}
		text = text[at:]
	}
	return append(c.out[:min(len(c.out), c.limit)], p.sep)
}

// findSpecial returns the position of the first special token's name in text, or the
// length of text.
func (p *wordPiece) findSpecial(text string) (int, *special) {
	for at := 0; ; at++ {
		next := strings.IndexByte(text[at:], '[')
		if next < 0 {
			return len(text), nil
		}
		at += next
		for i := range p.special {
			if strings.HasPrefix(text[at:], p.special[i].name) {
				return at, &p.special[i]
			}
		}
	}
}

// A cutter splits one text.
type cutter struct {
	*wordPiece
	out   []int32
	limit int    // of out
	word  []byte // the word being read
	plain bool   // the word is ASCII
	runes []byte // scratch
}

func (c *cutter) full() bool { return len(c.out) >= c.limit }

// text splits a range without special tokens.
func (c *cutter) text(s string) {
	c.word, c.plain = c.word[:0], true
	for i := 0; i < len(s) && !c.full(); {
		b := s[i]
		if b < utf8.RuneSelf {
			i++
			switch class[b] {
			case letter:
				c.word = append(c.word, b)
			case upper:
				c.word = append(c.word, b|0x20)
			case space:
				c.flush()
			case mark:
				c.flush()
				c.word = append(c.word, b)
				c.flush()
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case dropped(r):
		case unicode.IsSpace(r):
			c.flush()
		case isHan(r):
			c.flush()
			c.word, c.plain = append(c.word, s[i:i+size]...), false
			c.flush()
		default:
			c.word, c.plain = append(c.word, s[i:i+size]...), false
		}
		i += size
	}
	c.flush()
}

// flush splits the current word and starts the next.
func (c *cutter) flush() {
	switch {
	case len(c.word) == 0:
		return
	case c.plain:
		c.pieces(c.word)
	default:
		c.fold()
	}
	c.word, c.plain = c.word[:0], true
}

// fold strips accents and case from a non-ASCII word, and splits it at punctuation.
func (c *cutter) fold() {
	c.runes = norm.NFD.Append(c.runes[:0], c.word...)
	folded := c.word[:0]
	for b := c.runes; len(b) > 0; {
		r, size := utf8.DecodeRune(b)
		b = b[size:]
		switch {
		case isAccent(r):
		case isPunctuation(r):
			c.pieces(folded)
			c.pieces(utf8.AppendRune(nil, r))
			folded = folded[:0]
		default:
			folded = utf8.AppendRune(folded, unicode.ToLower(r))
		}
	}
	c.pieces(folded)
}

// pieces appends the word pieces of a word: at each position the longest known one. If
// a position has none, the whole word is unknown.
func (c *cutter) pieces(word []byte) {
	if len(word) == 0 {
		return
	}
	if len(word) > wordRunes && utf8.RuneCount(word) > wordRunes {
		c.out = append(c.out, c.unknown)
		return
	}
	before := len(c.out)
	known := c.first
	for len(word) > 0 {
		n := min(len(word), c.longest)
		id, ok := known[string(word[:n])]
		for !ok && n > 1 {
			n--
			id, ok = known[string(word[:n])]
		}
		if !ok {
			c.out = append(c.out[:before], c.unknown)
			return
		}
		c.out = append(c.out, id)
		word = word[n:]
		known = c.later
	}
}
