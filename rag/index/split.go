package index

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/assay-eval/assay/internal/text"
)

// maxWord is the maximum length of a word in bytes, 255 as in Lucene's
// StandardAnalyzer.
const maxWord = 255

// A class is the role of an ASCII character in words under UAX 29.
type class uint8

const (
	// boundary characters are never part of a word. It is the zero value.
	boundary class = iota
	// betweenLetters joins the letters on its two sides, as in "o:clock".
	betweenLetters
	// betweenDigits joins digits: "1,000".
	betweenDigits
	// betweenEither joins two letters or two digits: "e.g", "3.14", "don't".
	betweenEither
	// underscore joins both sides and is not a word alone.
	underscore
	letter
	digit
)

// ascii holds the class of each byte; bytes from 0x80 on are handled separately.
var ascii = [256]class{
	':': betweenLetters, ',': betweenDigits, ';': betweenDigits, '.': betweenEither, '\'': betweenEither, '_': underscore,
	'0': digit, '1': digit, '2': digit, '3': digit, '4': digit, '5': digit, '6': digit, '7': digit, '8': digit, '9': digit,
	'a': letter, 'b': letter, 'c': letter, 'd': letter, 'e': letter, 'f': letter, 'g': letter, 'h': letter, 'i': letter, 'j': letter,
	'k': letter, 'l': letter, 'm': letter,
	'n': letter, 'o': letter, 'p': letter, 'q': letter, 'r': letter, 's': letter, 't': letter, 'u': letter, 'v': letter, 'w': letter,
	'x': letter, 'y': letter, 'z': letter,
	'A': letter, 'B': letter, 'C': letter, 'D': letter, 'E': letter, 'F': letter, 'G': letter, 'H': letter, 'I': letter, 'J': letter,
	'K': letter, 'L': letter, 'M': letter,
	'N': letter, 'O': letter, 'P': letter, 'Q': letter, 'R': letter, 'S': letter, 'T': letter, 'U': letter, 'V': letter, 'W': letter,
	'X': letter, 'Y': letter, 'Z': letter,
}

// simpleEnd bounds the letters with a table: Latin, Greek and Cyrillic are below it.
const simpleEnd = 0x530

// simpleLetters holds the folded letter of each letter that folds independently of its
// neighbours; 0 for all other characters.
var simpleLetters = sync.OnceValue(func() *[simpleEnd]uint16 {
	var table [simpleEnd]uint16
	for r := rune(0x80); r < simpleEnd; r++ {
		folded := []rune(text.Fold(string(r)))
		if unicode.IsLetter(r) && len(folded) == 1 && folded[0] < simpleEnd && unicode.IsLetter(folded[0]) {
			table[r] = uint16(folded[0])
		}
	}
	return &table
})

// A splitter splits texts into folded words and passes each to emit, which must not
// keep it. ASCII and simple letters are split directly; a range with any other
// character is folded first and split by the full rules.
type splitter struct {
	emit   func(word []byte)
	simple *[simpleEnd]uint16
	word   []byte
	plain  []byte
}

func newSplitter(emit func([]byte)) *splitter {
	return &splitter{emit: emit, simple: simpleLetters()}
}

func (sp *splitter) split(s string) {
	for i := 0; i < len(s); {
		if ascii[s[i]] < underscore && s[i] < utf8.RuneSelf {
			i++
			continue
		}
		end, ok := sp.simpleWord(s, i)
		if !ok {
			end = i
			for end < len(s) && (s[end] >= utf8.RuneSelf || ascii[s[end]] != boundary) {
				end++
			}
			sp.unfolded(s[i:end])
		}
		i = end
	}
}

// simpleWord emits the word that begins at s[i] and returns its end. It emits nothing
// and gives up if the word contains or touches a character that needs the full rules.
func (sp *splitter) simpleWord(s string, i int) (end int, ok bool) {
	w := sp.word[:0]
	last, only := boundary, true
	for ; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r >= simpleEnd || sp.simple[r] == 0 {
				return 0, false
			}
			w = utf8.AppendRune(w, rune(sp.simple[r]))
			last, only = letter, false
			i += n - 1
			continue
		}
		cl := ascii[c]
		if cl < underscore {
			if cl == boundary {
				break
			}
			if i+1 < len(s) && s[i+1] >= utf8.RuneSelf {
				return 0, false
			}
			if i+1 == len(s) || last == underscore || ascii[s[i+1]] != last ||
				cl == betweenLetters && last != letter || cl == betweenDigits && last != digit {
				break
			}
			w = append(w, c)
			continue
		}
		if cl == letter {
			c |= 0x20
		}
		if cl != underscore {
			only = false
		}
		w = append(w, c)
		last = cl
	}
	sp.word = w
	if !only {
		sp.cut(w)
	}
	return i, true
}

// cut emits a word in pieces of limited length.
func (sp *splitter) cut(w []byte) {
	for len(w) > maxWord {
		n := maxWord
		for n > maxWord-utf8.UTFMax && !utf8.RuneStart(w[n]) {
			n--
		}
		sp.emit(w[:n])
		w = w[n:]
	}
	sp.emit(w)
}

// unfolded folds a range and splits it.
func (sp *splitter) unfolded(s string) {
	folded, ok := foldPlain(sp.plain[:0], s)
	sp.plain = folded
	if !ok {
		folded = []byte(text.Fold(s))
	}
	for len(folded) > 0 {
		n := 0
		isUnspaced := false
		for n < len(folded) {
			r, size := utf8.DecodeRune(folded[n:])
			if n == 0 {
				isUnspaced = unspaced(r)
			} else if unspaced(r) != isUnspaced {
				break
			}
			n += size
		}
		if isUnspaced {
			sp.pairs(folded[:n])
		} else {
			sp.words(folded[:n])
		}
		folded = folded[n:]
	}
}

// words splits a folded range without unspaced scripts.
func (sp *splitter) words(s []byte) {
	state := -1
	for len(s) > 0 {
		var w []byte
		w, s, state = uniseg.FirstWord(s, state)
		for _, r := range string(w) {
			if unicode.IsLetter(r) || unicode.IsNumber(r) {
				sp.cut(w)
				break
			}
		}
	}
}

// pairs emits the overlapping pairs of characters in a run of an unspaced script.
func (sp *splitter) pairs(run []byte) {
	_, first := utf8.DecodeRune(run)
	if first == len(run) {
		sp.emit(run)
		return
	}
	for {
		_, second := utf8.DecodeRune(run[first:])
		if second == 0 {
			return
		}
		// The capacity is limited so that shortening the pair in place cannot overwrite
		// the next.
		sp.emit(run[: first+second : first+second])
		run, first = run[first:], second
	}
}

// unspaced reports whether r belongs to a script without spaces between words.
func unspaced(r rune) bool {
	switch {
	case r < 0x0E00:
		return false
	case r == '々', r == '〇':
		return true
	case r == '・', r == '゠':
		return false
	}
	return text.IsCJK(r) || r < 0x1800 && unicode.In(r, unicode.Thai, unicode.Lao, unicode.Myanmar, unicode.Khmer)
}

// foldPlain folds a range of characters that fold independently of their neighbours:
// ASCII, Han, kana and Hangul as they are usually typed, and the full-width forms of
// ASCII. Most Chinese text qualifies, and the general folding takes a hundred times as
// long. ok is false at any other character.
func foldPlain(dst []byte, s string) (folded []byte, ok bool) {
	for _, r := range s {
		switch {
		case r > 0xFF00 && r <= 0xFF5E:
			r -= 0xFF00 - 0x20
			fallthrough
		case r < utf8.RuneSelf:
			if r >= 'A' && r <= 'Z' {
				r |= 0x20
			}
			dst = append(dst, byte(r))
		case r >= 0x4E00 && r <= 0x9FFF, r >= 0x3400 && r <= 0x4DBF, r >= 0x3041 && r <= 0x3096, r >= 0x30A1 && r <= 0x30FC,
			r >= 0xAC00 && r <= 0xD7A3, r >= 0x3001 && r <= 0x3003, r >= 0x3005 && r <= 0x3011:
			dst = utf8.AppendRune(dst, r)
		default:
			return dst, false
		}
	}
	return dst, true
}
