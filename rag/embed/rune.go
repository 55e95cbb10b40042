package embed

import "unicode"

// The classes of an ASCII character to the tokenizer.
const (
	ignored = iota // dropped
	letter
	upper
	space
	mark // punctuation: every printing character other than letters and digits
)

var class = func() (c [128]uint8) {
	for b := range c {
		switch {
		case b == ' ' || b == '\t' || b == '\n' || b == '\r':
			c[b] = space
		case b < ' ' || b == 0x7F:
		case 'A' <= b && b <= 'Z':
			c[b] = upper
		case 'a' <= b && b <= 'z' || '0' <= b && b <= '9':
			c[b] = letter
		default:
			c[b] = mark
		}
	}
	return c
}()

// dropped reports whether the tokenizer ignores r: control and format characters,
// private use, and the replacement character.
func dropped(r rune) bool {
	return r == unicode.ReplacementChar || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co) && !unicode.Is(newer, r)
}

// isAccent reports whether the tokenizer strips r. U+1734 was such a mark in
// Unicode 8.
func isAccent(r rune) bool {
	return unicode.Is(unicode.Mn, r) && !unicode.Is(newer, r) && r != 0x111C9 || r == 0x1734
}

// isHan reports whether the tokenizer treats r as a word: the blocks of Chinese
// characters that BERT lists, without kana and hangul.
func isHan(r rune) bool {
	return r >= 0x3400 && (r <= 0x4DBF || 0x4E00 <= r && r <= 0x9FFF || 0xF900 <= r && r <= 0xFAFF ||
		0x20000 <= r && r <= 0x2A6DF || 0x2A700 <= r && r <= 0x2B73F || 0x2B740 <= r && r <= 0x2B81F ||
		0x2B920 <= r && r <= 0x2CEAF || 0x2F800 <= r && r <= 0x2FA1F)
}

// isPunctuation reports whether the tokenizer splits r off. U+166D and U+111C9
// were punctuation in Unicode 8.
func isPunctuation(r rune) bool {
	if r < 128 {
		return class[r] == mark
	}
	return unicode.IsPunct(r) && !unicode.Is(newer, r) || r == 0x166D || r == 0x111C9
}
