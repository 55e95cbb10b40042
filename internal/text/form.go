package text

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// MatchForm is the form in which texts are compared: [Normalize] without invisible characters
// and zero-width spaces, which PDF and HTML leave behind, and in one spelling. Digits of any
// script are ASCII, letters that people type in several ways are one, HTML entities are
// characters, words that a line end cut are whole, and spaces that a tokenizer put before
// punctuation are left out. A letter alone behind a dash keeps its case: -r and -R are two options. It is idempotent.
func MatchForm(s string) string {
	const private = '\uE000' // stands for A while the text is folded
	s = optionLetters(s, 'A', private)
	if strings.Contains(s, "-\n") || strings.Contains(s, "-\r\n") {
		s = nameCut().ReplaceAllString(cutAtLine().ReplaceAllString(s, "$1$2"), "$1$2")
	}
	form := untokenized(oneSpelling(folded(s)))
	for strings.Contains(form, "&") && strings.Contains(form, ";") {
		plain := untokenized(oneSpelling(folded(html.UnescapeString(form))))
		if plain == form {
			break
		}
		form = plain
	}
	return optionLetters(form, private, 'A')
}

// optionLetters replaces the letters of options such as -R, of which a is the first, by others, of which to is.
func optionLetters(s string, a, to rune) string {
	if !strings.Contains(s, "-") {
		return s
	}
	var b strings.Builder
	from := 0
	for i, r := range s {
		if r < a || r > a+'Z'-'A' || i == 0 || s[i-1] != '-' {
			continue
		}
		end := i + utf8.RuneLen(r)
		before, _ := utf8.DecodeLastRuneInString(s[:i-1])
		after, _ := utf8.DecodeRuneInString(s[end:])
		if part := func(r rune) bool { return r == '-' || isWord(r) }; !part(before) && !part(after) {
			b.WriteString(s[from:i])
			b.WriteRune(r - a + to)
			from = end
		}
	}
	b.WriteString(s[from:])
	return b.String()
}

var (
	cutAtLine = lazyregexp.New(`(\pL)-\r?\n\s*(\p{Ll})`)
	nameCut   = lazyregexp.New(`(\pL-)\r?\n\s*(\pL)`)
	tokenized = lazyregexp.New(`([\pL\pN%]) ((?:n't|'(?:s|re|ve|ll|d|m)|[.,;:!?%)]+)(?: |$))|([\pL\pN]) (-) (\pL)|(\$) (\d)`)
)

func folded(s string) string {
	if folded, ok := normalASCII(s); ok {
		return folded
	}
	return Normalize(strings.ReplaceAll(s, "\u200b", ""))
}

// oneOf has the characters that stand for others.
var oneOf = map[rune]rune{
	'ı': 'i', 'ё': 'е', 'ي': 'ی', 'ك': 'ک', 'أ': 'ا', 'إ': 'ا', 'آ': 'ا', 'ٱ': 'ا', '٫': '.', '٬': ',', '٪': '%',
	'־': '-', '‐': '-', '‑': '-', 'ʼ': '\'', '‘': '\'', '’': '\'', '“': '"', '”': '"', '„': '"',
}

// oneSpelling writes letters and digits in one of the ways in which they are typed, without the
// marks that are mostly left out.
func oneSpelling(s string) string {
	several := func(r rune) bool { return r > 0xFF && (r < 0x3000 || r > 0xD7FF) }
	if !strings.ContainsFunc(s, several) {
		return s
	}
	var b strings.Builder
	changed := false
	for _, r := range s {
		was := r
		switch {
		case !several(r):
		case r == 'ـ', changed && unicode.Is(unicode.Mn, r), 0x591 <= r && r < 0x700 && unicode.Is(unicode.Mn, r):
			continue
		case unicode.Is(unicode.Greek, r): // capitals have no accents
			r, _ = utf8.DecodeRuneInString(norm.NFD.String(string(r)))
		case unicode.Is(unicode.Nd, r):
			r = Digit(r)
		case oneOf[r] != 0:
			r = oneOf[r]
		}
		changed = r != was || r == 'i' || unicode.Is(unicode.Greek, r)
		b.WriteRune(r)
	}
	return strings.Join(strings.Fields(b.String()), " ") // a mark that is left out may have stood alone
}

// Digit returns the ASCII digit for a decimal digit of any script, and another rune unchanged.
func Digit(r rune) rune {
	if r < 0x80 || !unicode.Is(unicode.Nd, r) {
		return r
	}
	n := rune(0)
	for unicode.Is(unicode.Nd, r-n-1) {
		n++ // digits are in rows from 0 to 9
	}
	return '0' + n%10
}

// untokenized leaves out the spaces that a tokenizer put into "it 's self - taught , is n't it",
// "$ 12" and "5 %".
func untokenized(s string) string {
	for i := 1; i+1 < len(s); i++ {
		if s[i] == ' ' && (strings.IndexByte(`.,;:!?%)-'`, s[i+1]) >= 0 || s[i-1] == '$' || strings.HasPrefix(s[i:], " n't")) {
			if joined := tokenized().ReplaceAllString(s, "$1$2$3$4$5$6$7"); joined != s {
				return untokenized(joined)
			}
			break
		}
	}
	return s
}

// mentioned reports whether a text has a word apart, as it is or without its hyphens and accents, or
// with ae for ä.
func mentioned(form, word string, compounds bool) bool {
	whole := func(s, word string, at int) bool { return isApart(s, word, at, compounds) }
	if occurs(form, word, whole) {
		return true
	}
	if wide := umlauts(word); (wide != word || strings.IndexByte(form, 0xC3) >= 0) && occurs(umlauts(form), wide, whole) {
		return true
	}
	const least = 5 // shorter words differ by accents
	plain := unmarked(word)
	if utf8.RuneCountInString(word) < least || plain == word && isPlain(form) && !strings.Contains(form, "-") {
		return false
	}
	if plain != word {
		return occurs(form, plain, whole) || occurs(form, strings.ReplaceAll(word, "-", ""), whole)
	}
	hyphened := unaccented(form)
	return occurs(unhyphened(hyphened), plain, func(_, word string, at int) bool { return isApart(hyphened, word, at, compounds) })
}

var umlauted = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ø", "oe", "å", "aa", "æ", "ae", "œ", "oe")

func umlauts(s string) string {
	if isPlain(s) {
		return s
	}
	return umlauted.Replace(s)
}
