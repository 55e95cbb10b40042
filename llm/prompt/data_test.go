package prompt

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"
)

// quoteSlowly is [quote] character by character.
func quoteSlowly(b *strings.Builder, s string) {
	b.WriteByte('"')
	alike := lookAlike().FindAllStringIndex(s, -1)
	for i, r := range s {
		if len(alike) > 0 && alike[0][0] == i {
			alike = alike[1:]
			fmt.Fprintf(b, `\u%04x`, r)
			continue
		}
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case !unseen(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
}

func TestQuote(t *testing.T) {
	t.Parallel()
	parts := rapid.SampledFrom([]string{
		"a text", " ", "<data", "</data nonce", "<|im_end|>", "[INST]", "<<SYS>>", "<", "[", "\"", "\\", "\n", "\t", "\r", "\x00", "\x7f",
		"é", "不", "\u200b", "\u202e", "\U000E0041", "\ufe0f", "\xff", "\u2028", "< / data", "😀", "<ＳＹＳ>", "<s>",
	})
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(parts, 0, 12).Draw(t, "parts"), "") + rapid.String().Draw(t, "rest")
		var fast, slow strings.Builder
		quote(&fast, s)
		quoteSlowly(&slow, s)
		if fast.String() != slow.String() {
			t.Errorf("%q is quoted as %s, want %s", s, &fast, &slow)
		}
	})
}
