package embed_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/assay-eval/assay/rag/embed"
)

// TestWordPiece gives the pieces by name, without the two ends. What a word
// falls into is by the vocabulary: it has "cafe", "em", "##bed", "##ding",
// "##s", not "embeddings".
func TestWordPiece(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                     "",
		" \t\r\n":              "",
		"Hello, World!":        "hello , world !",
		"embeddings":           "em ##bed ##ding ##s",
		"Café CAFÉ Cafe\u0301": "cafe cafe cafe",
		"don't":                "don ' t",
		"U.S.A.":               "u . s . a .",
		"北京ok":                 "北 京 ok",
		"日本 にほん":               "日 本 に ##ほ ##ん",
		// control and format characters vanish
		"a\u0000b\u200bc": "abc",
		// and so do white ones that are not tab or line end
		"a\u0085b \x0bc":         "ab c",
		"a\u00a0b\u3000c\u2028d": "a b c d",      // other white space separates
		"a\u0301\u0301b":         "ab",           // any number of accents
		"\u0301":                 "",             // an accent alone
		"$5+5=10":                "$ 5 + 5 = 10", // ASCII symbols split
		"5€ €":                   "5 ##€ €",      // others do not
		// but Unicode's punctuation does
		"x—y…":                   "x — y …",
		"[SEP]a[sep]":            "[SEP] a [ sep ]",                // the name of a special token is one
		"[[MASK]":                "[ [MASK]",                       // wherever it begins
		"bad \xff\xfe utf-8":     "bad ut ##f - 8",                 // as if the bytes were not there
		strings.Repeat("a", 101): "[UNK]",                          // longer than 100
		strings.Repeat("я", 60):  "я" + strings.Repeat(" ##я", 59), // 120 bytes
		strings.Repeat("é", 101): "[UNK]",                          // counted in letters
		// one unknown piece spoils the word
		"zebra😀 😀": "[UNK] [UNK]",
		// letters with an unusual lower case
		"İstanbul ẞ":                             "istanbul ß",
		"가":                                      "ᄀ ##ᅡ",                                                  // Hangul falls into its letters
		strings.Repeat("no ", 300):               strings.Repeat("no ", 254),                               // 256 with the ends
		"a " + strings.Repeat("embeddings ", 64): "a " + strings.Repeat("em ##bed ##ding ##s ", 63) + "em", // cut within a word
	} {
		if got := names(t, text); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%q: %q, want %q", text, got, strings.Fields(want))
		}
	}
	if n := encoder(t).Tokens(""); n != 2 {
		t.Errorf("empty text: %d tokens, want 2", n)
	}
}

// TestEveryRune compares the word pieces of "a", the rune and "b" for every
// rune of the first two planes with a digest that scripts/minilm/codepoints.py
// made from Hugging Face's tokenizers 0.23.3.
func TestEveryRune(t *testing.T) {
	t.Parallel()
	const want = "f5bc0b813d2b104e7c4cc5b87fcad488c3e6fa3af7225a946780fce98e66b756"
	e := encoder(t)
	h := sha256.New()
	for r := rune(0); r < 0x20000; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		for _, id := range e.Pieces("a" + string(r) + "b") {
			h.Write(binary.LittleEndian.AppendUint32(nil, uint32(id)))
		}
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
}

// FuzzWordPiece compares with a slow tokenizer that takes the steps one after
// the other over the whole text.
func FuzzWordPiece(f *testing.F) {
	for _, s := range []string{
		"", "Hello, World!", "Café", "今天ok", "a\u0000b\u200bc", "[SEP]a[sep]", "[[MASK]", "\xff\xfe", "각 가", "x—y…", "e\u0323\u0302",
		strings.Repeat("no ", 300), strings.Repeat("é", 101), "\u166d\u1734\u09fd", "\U00020000\U0002f800",
	} {
		f.Add(s)
	}
	e := encoder(f)
	files := vocabulary()
	f.Fuzz(func(t *testing.T, text string) {
		got := e.Pieces(text)
		want := slowPieces(files, text)
		want = append(append([]int32{101}, want[:min(len(want), 254)]...), 102)
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
		if e.Tokens(text) != len(got) {
			t.Errorf("%q: %d tokens, want %d", text, e.Tokens(text), len(got))
		}
	})
}

// han are the blocks of Chinese characters by their names in Unicode: the
// unified ideographs, the extensions A to E, both compatibility blocks.
var han = &unicode.RangeTable{
	R16: []unicode.Range16{{0x3400, 0x4DBF, 1}, {0x4E00, 0x9FFF, 1}, {0xF900, 0xFAFF, 1}},
	R32: []unicode.Range32{{0x20000, 0x2A6DF, 1}, {0x2A700, 0x2B73F, 1}, {0x2B740, 0x2B81F, 1}, {0x2B920, 0x2CEAF, 1}, {0x2F800, 0x2FA1F, 1}},
}

func slowPieces(ids map[string]int32, text string) []int32 {
	for _, name := range []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"} {
		if before, after, ok := strings.Cut(text, name); ok {
			return append(append(slowPieces(ids, before), ids[name]), slowPieces(ids, after)...)
		}
	}
	in := func(r rune, tables ...*unicode.RangeTable) bool { return unicode.In(r, tables...) && !isNewer(r) }
	var clean strings.Builder
	for _, r := range text {
		switch {
		case r == ' ' || r == '\t' || r == '\n' || r == '\r':
			clean.WriteByte(' ')
		case r == 0xFFFD || in(r, unicode.Cc, unicode.Cf, unicode.Co):
		case unicode.IsSpace(r):
			clean.WriteByte(' ')
		case unicode.Is(han, r):
			clean.WriteString(" " + string(r) + " ")
		default:
			clean.WriteRune(r)
		}
	}
	var split strings.Builder
	for _, r := range norm.NFD.String(clean.String()) {
		switch {
		case in(r, unicode.Mn) && r != 0x111C9 || r == 0x1734:
		case in(r, unicode.P) || r < 128 && unicode.In(r, unicode.S) || r == 0x166D || r == 0x111C9:
			split.WriteString(" " + string(r) + " ")
		default:
			split.WriteRune(unicode.ToLower(r))
		}
	}
	var out []int32
	for _, word := range strings.Fields(split.String()) {
		out = append(out, slowWord(ids, word)...)
	}
	return out
}

func slowWord(ids map[string]int32, word string) []int32 {
	unknown := []int32{100}
	if utf8.RuneCountInString(word) > 100 {
		return unknown
	}
	var out []int32
	for begin := 0; begin < len(word); {
		end := len(word)
		for ; end > begin; end-- {
			piece := word[begin:end]
			if begin > 0 {
				piece = "##" + piece
			}
			if id, ok := ids[piece]; ok {
				out = append(out, id)
				break
			}
		}
		if end == begin {
			return unknown
		}
		begin = end
	}
	return out
}

func isNewer(r rune) bool { return embed.Newer(r) }

// vocabulary gives the number of each word piece, which is its line.
func vocabulary() map[string]int32 {
	ids := map[string]int32{}
	for i, word := range lines() {
		ids[word] = int32(i)
	}
	return ids
}

func lines() []string {
	files, _ := embed.Files()
	return strings.Split(strings.TrimSuffix(files["vocab.txt"], "\n"), "\n")
}

// names gives the word pieces of text without its ends.
func names(t *testing.T, text string) []string {
	t.Helper()
	all := lines()
	pieces := encoder(t).Pieces(text)
	if len(pieces) > 256 || all[pieces[0]] != "[CLS]" || all[pieces[len(pieces)-1]] != "[SEP]" {
		t.Fatalf("%q: %v: want [CLS] … [SEP] of at most 256", text, pieces)
	}
	var out []string
	for _, id := range pieces[1 : len(pieces)-1] {
		out = append(out, all[id])
	}
	return out
}
