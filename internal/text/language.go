package text

import (
	_ "embed" // the words of grammar
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// chineseWords are characters of grammar: particles, pronouns, question words and verbs
// that sentences are built with, in written Chinese and in Cantonese. A name hardly has
// one.
const chineseWords = "的了是在不吗嗎呢吧么麼什甚谁誰哪怎几幾何请請问問与與及或這这那些也" +
	"就被把让讓從从對对於于嘅喺咗唔係系邊边點点佢哋啲嗰咁冇乜咩啦喎俾畀"

//go:embed grammar.txt
var grammarLines string

// grammar holds common words of grammar of some languages, a line of code and words each.
var grammar = sync.OnceValue(func() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for line := range strings.Lines(grammarLines) {
		language, words, _ := strings.Cut(line, ": ")
		out[language] = Set(words)
	}
	return out
})

// Chinese reports whether Han characters carry the words of a text: whether it is Chinese,
// whatever digits, names and terms in other scripts stand beside them.
//
// Latin words that have a digit or a capital after their first letter, single letters, and
// capitalized words within the text count as names. Of the others two Han characters
// balance one, where both languages have words of grammar or neither has; else the one that
// has them is that of the text, as in "What does 紅樓夢 mean?". Kana and hangul make it another language, but for a name
// in a Chinese sentence.
func Chinese(s string) bool {
	var han, kana, grammar int
	for _, r := range s {
		switch {
		case unicode.Is(unicode.Han, r):
			han++
			if strings.ContainsRune(chineseWords, r) {
				grammar++
			}
		case unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			kana++
		}
	}
	if han == 0 || kana > 0 && (grammar == 0 || 5*kana > han) {
		return false
	}
	words, english := latinWords(s)
	if (english == 0) != (grammar == 0) {
		return grammar > 0
	}
	return han > 2*words
}

// address matches a web or mail address, whose parts are no words.
var address = lazyregexp.New(`(?:https?://|www\.)[!-~]+|[!-~]+@[!-~]+`)

// latinWords counts the words of the text that are written in Latin letters and are no
// names, and those of English grammar among them.
func latinWords(s string) (words, englishWords int) {
	first, english := true, grammar()["en"]
	for w := range strings.FieldsFuncSeq(address().ReplaceAllString(s, " "), func(r rune) bool {
		return !unicode.Is(unicode.Latin, r) && !unicode.IsDigit(r) && r != '\'' && r != '’' && r != '-'
	}) {
		w = strings.Trim(w, "'’-")
		r, size := utf8.DecodeRuneInString(w)
		name := utf8.RuneCountInString(w) < 2 || unicode.IsUpper(r) && !first ||
			strings.ContainsFunc(w[size:], func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) }) || unicode.IsDigit(r)
		if w == "" {
			continue
		}
		first = false
		if name && !english[strings.ToLower(w)] {
			continue
		}
		words++
		if english[strings.ToLower(w)] {
			englishWords++
		}
	}
	return words, englishWords
}

// Languages are the results of [Language]: codes of languages that it tells from others, and
// writing systems of which it does not.
var Languages = []string{
	"en", "zh", "ja", "ko", "latin", "cyrillic", "greek", "arabic", "hebrew", "devanagari", "thai", "other",
}

// Language returns the language of a text as far as its writing system and English words of
// grammar tell: "en", "zh", "ja" or "ko", else its writing system; "latin" is a language in
// Latin letters other than English. It is "" if the text has too few words to tell.
func Language(s string) string {
	if Chinese(s) {
		return "zh"
	}
	counts := map[string]int{}
	for _, r := range s {
		if at, ok := scriptOf(r); ok {
			counts[Scripts[at]]++
		}
	}
	switch script := Script(s); {
	case script == "" || script == "latin":
		words, english := latinWords(s)
		switch {
		case 6*english >= words && english > 0:
			return "en"
		case words < fewestWords:
			return ""
		}
		return "latin"
	case counts["kana"] > 0 && (script == "kana" || script == "han"):
		return "ja"
	case script == "hangul":
		return "ko"
	case script == "han": // Han characters beside more words of English
		return "en"
	default:
		return script
	}
}

// fewestWords is how many words without English grammar make a text one of another language.
const fewestWords = 5

// Tongue returns the language of a text, as far as its words of grammar tell: the one that has
// most of them, at least two, and one that no other has. It is "zh", "ja" or "ko" by the writing
// system, and "" if two languages have as many.
func Tongue(s string) string {
	switch by := Language(s); by {
	case "zh", "ja", "ko":
		return by
	}
	best, most, own := "", 1, false
	said := Set(strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M) }), " "))
	for language, words := range grammar() {
		n, alone := 0, false
		for w := range said {
			if words[w] {
				n, alone = n+1, alone || speakers()[w] == 1
			}
		}
		if n > most {
			best, most, own = language, n, alone
		} else if n == most {
			best = ""
		}
	}
	if !own {
		return ""
	}
	return best
}

// speakers counts the languages of each word of grammar.
var speakers = sync.OnceValue(func() map[string]int {
	out := map[string]int{}
	for _, words := range grammar() {
		for w := range words {
			out[w]++
		}
	}
	return out
})

// Grammatical reports whether a word in lower case is one of grammar in a language that [Tongue] returns.
func Grammatical(word, tongue string) bool { return grammar()[tongue][word] }
