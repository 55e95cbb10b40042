package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

var (
	// symbol matches signs of currencies, comparison and arithmetic, arrows, ticks and other pictures, what stands before them,
	// 1.200, which may be a thousand times as much, and amounts in brackets, which may be negative.
	// Temperatures are units.
	symbol = lazyregexp.New(`(?:^|\p{Sc})\(\pL{0,3}\p{Sc}?\d[^()]*\)|\d ?°[CF]\b|\b\d{1,3}(?:\.\d{3})+\b|` +
		`\pL{0,3}\p{Sc}|[\pL\d]?[\p{Sm}\p{So}#♭‰]+|([\pL\d]-)(?:[^\pL\d]|$)|\d['"]|\d[-/:*^]\d`)
	// measured matches a word after a number, which may be a unit.
	measured = lazyregexp.New(`\d[ -]?(\pL[\pL/]*)`)
	// lettered matches letters that hyphens join, whose order counts: "a-b".
	lettered = lazyregexp.New(`^\pL(?:-\pL)+$`)
	oneForm  = strings.NewReplacer("−", "-", "–", "-", "<=", "≤", ">=", "≥",
		"′′", `"`, "“", `"`, "”", `"`, "′", "'", "‘", "'", "’", "'", "|", " ")
	powers = strings.NewReplacer("⁰", "^0", "¹", "^1", "²", "^2", "³", "^3",
		"⁴", "^4", "⁵", "^5", "⁶", "^6", "⁷", "^7", "⁸", "^8", "⁹", "^9")
	// anyCase are words after a number that are no units of another size in capitals.
	anyCase = Set("am pm us hk usd hkd eur gbp")
)

// Marks returns what [Folded] leaves out of a text and may tell two values apart, in order:
// signs beside letters and numbers, as in "C++", "≤5", "A$10", "5 ‰", letters after a
// number, as in "12b", units in their case, as in "5 mW" and "5 MW", words with signs that
// end no phrase, as in "a-b", "-a", "n!", "f'" and "6(1)(a)", letters that look like words, as in
// "hepatitis A", or have accents, and symbols, as in "▼ 3 %", "△3億円" and "❌ dogs".
func Marks(s string) (out []string) {
	s = inMarks(s)
	timed := times(MatchForm(s)) != nil
	for _, at := range symbol().FindAllStringSubmatchIndex(s, -1) {
		if at[3] > 0 { // without what follows "B-"
			at[1] = at[3]
		}
		m := strings.ToLower(s[at[0]:at[1]])
		last := m[len(m)-1:]
		switch {
		case strings.ContainsAny(last, `'"`) && strings.Contains(" "+s[:at[0]], " "+last), // a quotation
			strings.Count(m, ".") > 1, timed && isDigit(rune(m[0])) && isDigit(rune(last[0])),
			slices.ContainsFunc(coins, func(c coin) bool { return c.sign == m }), strings.HasSuffix(m, "°c"), strings.HasSuffix(m, "°f"):
			continue
		}
		out = append(out, strings.Map(func(r rune) rune {
			if isDigit(r) {
				return '0'
			}
			return r
		}, m))
	}
	for _, at := range measured().FindAllStringSubmatchIndex(s, -1) {
		word := s[at[2]:at[3]]
		lower := strings.ToLower(word)
		_, first := utf8.DecodeRuneInString(word)
		named := len(word) > 3 && !strings.Contains(word, "/") && strings.ToLower(word[first:]) == word[first:]
		_, unit := units[word]
		if word == lower && (len(word) > 1 || unit || word == "k") || named || anyCase[lower] || months[lower] || hasFold(s[at[3]:], ".m") {
			continue
		}
		out = append(out, strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }))
	}
	words := writtenIn(s)
	for i, w := range words {
		switch {
		case lettered().MatchString(w.text), w.coded() && (i == 0 || !isDigit(rune(words[i-1].text[len(words[i-1].text)-1]))):
			out = append(out, w.text)
		case utf8.RuneCountInString(w.text) == 1 && unaccented(w.text) != w.text:
			out = append(out, strings.ToLower(w.text))
		case utf8.RuneCountInString(w.text) == 1 && strings.HasPrefix(w.after, "'") && strings.Count(s, "'") == 1:
			out = append(out, w.text+"'")
		case w.text == "a" && (w.after != "" || i == len(words)-1),
			// "It is A Tale of Two Cities."
			w.text == "A" && !w.opens && (i+1 == len(words) || capital(words[i-1].text) || !capital(words[i+1].text)):
			out = append(out, strings.ToLower(w.text))
		}
	}
	return out
}

// inMarks returns a text in one form of Unicode, without marks of lists and of trade, and lines of tables.
func inMarks(s string) string {
	s = strings.Map(func(r rune) rune {
		if 0x2500 <= r && r < 0x25A0 || strings.ContainsRune("©®™℠", r) {
			return ' '
		}
		return r
	}, Seen(s))
	if lines := strings.Split(s, "\n"); strings.ContainsAny(s, "◦▪●") {
		for i, line := range lines {
			if line = strings.TrimSpace(line); startsItem(line) {
				lines[i] = strings.TrimLeft(line, "◦▪●")
			}
		}
		s = strings.Join(lines, "\n")
	}
	return oneForm.Replace(norm.NFKC.String(powers.Replace(s)))
}

// A written word is a word in its case, without the punctuation around it.
type written struct {
	text, after string
	// opens is set where a sentence begins.
	opens bool
}

func writtenIn(s string) (out []written) {
	opens := true
	for p := range tokens(s) {
		w := strings.Trim(p.Of(s), "`")
		if strings.Count(s, "*") > 1 {
			w = strings.Trim(w, "*")
		}
		if hasWord(w) {
			w = strings.TrimLeft(strings.TrimPrefix(w, "..."), `"'«»„「『《〈([【¿¡`)
		}
		text := strings.TrimRight(w, `"'«»」』》〉】.,;:!?。、`)
		for _, pair := range []string{"()", "[]"} {
			if strings.HasSuffix(text, pair[1:]) && !strings.Contains(text, pair[:1]) {
				text = strings.TrimRight(text, pair[1:]+`"'.,;:!?`)
			}
		}
		if text != "" {
			out = append(out, written{text, w[len(text):], opens})
			opens = strings.ContainsAny(w[len(text):], ".!?:。")
		}
	}
	return out
}

// coded reports whether signs belong to a word.
func (w written) coded() bool {
	sign := func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.N, unicode.M, unicode.S) && !strings.ContainsRune(`%‰'"#-`, r) || r == '^'
	}
	first, size := utf8.DecodeRuneInString(w.text)
	last, _ := utf8.DecodeLastRuneInString(w.text)
	digits := strings.ContainsAny(w.text, "0123456789")
	switch {
	case !hasWord(w.text):
		return len(w.text) > 1 && strings.ContainsAny(w.text, `=<>^~@\_`) && strings.ContainsFunc(w.text, sign)
	case first == '-', first == '$', first == '%':
		return !digits
	case first == '.' && digits:
		return false
	}
	return sign(first) || sign(last) || digits && strings.ContainsAny(w.text, `^_()[]{}\@&*`) ||
		(len(w.text) == size || strings.Trim(w.text, "0123456789") == "") && strings.HasPrefix(w.after, "!")
}

func capital(w string) bool { return w != "" && unicode.IsUpper(firstRune(w)) }

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// SameCase reports whether the words of a reference that a text has are of the same case
// where it may tell two words apart: "IT", "As" and "mW", and not at the beginning of a sentence.
func SameCase(s, reference string) bool {
	said, counted := writtenIn(inMarks(s)), false
	words := writtenIn(inMarks(reference))
	for _, r := range words {
		unit := counted
		counted = strings.ContainsAny(r.text, "0123456789")
		if unit || counted {
			continue
		}
		found, same := false, false
		for _, w := range said {
			if strings.EqualFold(w.text, r.text) {
				found = true
				same = same || sameCase(w, r, len(said) == 1 || len(words) == 1)
			}
		}
		if found && !same {
			return false
		}
	}
	return true
}

// sameCase compares two spellings of a word, the second one that of a reference; alone is set
// if one of them is a text.
func sameCase(a, b written, alone bool) bool {
	const short = 3
	_, n := utf8.DecodeRuneInString(a.text)
	_, m := utf8.DecodeRuneInString(b.text)
	rest := a.text[n:]
	switch {
	case a.text == b.text, !alone && n == len(a.text) && strings.HasPrefix(b.after, "."),
		!alone && utf8.RuneCountInString(b.text) > short && a.text == strings.ToLower(a.text):
		return true
	case rest != b.text[m:] || rest != strings.ToLower(rest):
		return false
	}
	return utf8.RuneCountInString(a.text) >= short || !alone && (a.opens || b.opens) || slices.Contains([]string{"no", "ja"}, strings.ToLower(a.text))
}
