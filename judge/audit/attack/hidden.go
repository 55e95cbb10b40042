package attack

import (
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/text"
)

// Tag characters repeat ASCII invisibly: U+E0020 is a space.
const (
	tagFirst = 0xE0020
	tagLast  = 0xE007E
)

// isInvisible reports whether a character is not drawn.
func isInvisible(r rune) bool {
	switch {
	case r < 0xAD:
		return false
	case r == 0xAD, r >= 0x200B && r <= 0x200F, r >= 0x2060 && r <= 0x2064, r == 0xFEFF, r == 0x180E:
		return true
	}
	return isBidi(r) || r >= 0xE0000 && r <= 0xE01EF
}

// isBidi reports whether a character overrides, embeds or isolates the direction of
// text. The marks U+200E and U+200F are common in Arabic and Hebrew and are not
// included.
func isBidi(r rune) bool { return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 }

// usualInvisible is how many zero-width characters between Latin letters are
// acceptable: a few mark where a long word may be broken.
const usualInvisible = 2

// hidden finds invisible characters that do not belong in prose. Joiners in emoji and
// in scripts that need them, soft hyphens, and a byte order mark at the beginning are
// accepted.
func hidden(s string) []Span {
	if text.ASCII(s) {
		return nil
	}
	var sure, maybe []Span
	before := rune(0)
	flag := false
	// How many overrides of direction are open. Without one, its end has no effect.
	open := 0
	for i, r := range s {
		size := utf8.RuneLen(r)
		next := Span{Start: i, End: i + max(size, 1), Kind: KindHidden}
		switch {
		case r == 0x1F3F4:
			// The flags of England, Scotland and Wales are spelled in tag characters.
			flag = true
		case r >= 0xE0000 && r <= 0xE007F:
			if !flag {
				sure = append(sure, next)
			}
		case isBidi(r):
			if ends := r == 0x202C || r == 0x2069; !ends {
				open++
				sure = append(sure, next)
			} else if open > 0 {
				open--
				sure = append(sure, next)
			}
			flag = false
		case isInvisible(r) && r != 0xAD && i > 0:
			after, _ := utf8.DecodeRuneInString(s[next.End:])
			if isInvisible(before) || isLatin(before) && (isLatin(after) || isInvisible(after)) {
				maybe = append(maybe, next)
			}
			flag = false
		default:
			flag = false
		}
		before = r
	}
	if len(maybe) > usualInvisible {
		sure = append(sure, maybe...)
	}
	return merge(sure, 1)
}

func isLatin(r rune) bool { return unicode.Is(unicode.Latin, r) }

// minEncoded is the shortest run of base64 that is checked: 24 bytes, the length of a
// short instruction.
const minEncoded = 32

// encoded finds runs of base64 that decode to text, unlike hashes, sequences and
// images.
func encoded(s string) []Span {
	var out []Span
	for i := 0; i < len(s); {
		start := i
		for i < len(s) && isBase64(s[i]) {
			i++
		}
		end := i
		for i < len(s) && s[i] == '=' {
			i++
		}
		// A line of "=" is no padding.
		if min(i, end+2)-start >= minEncoded && decodes(s[start:end]) {
			out = append(out, Span{Start: start, End: i, Kind: KindEncoded})
		}
		if i == start {
			i++
		}
	}
	return out
}

func isBase64(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '-' || c == '_'
}

// decodes reports whether a run of base64 contains text: only printable characters with
// white space between them, which random data do not give.
func decodes(run string) bool {
	run = strings.NewReplacer("-", "+", "_", "/").Replace(run)
	b, err := base64.RawStdEncoding.DecodeString(run[:len(run)/4*4])
	if err != nil || !utf8.Valid(b) {
		return false
	}
	for _, r := range string(b) {
		if !unicode.IsPrint(r) && !unicode.IsSpace(r) {
			return false
		}
	}
	return true
}
