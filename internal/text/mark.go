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
	// symbol matches signs of currencies, comparison and arithmetic, what stands before them,
	// and 1.200, which may be a thousand times as much. Temperatures are units.
	symbol = lazyregexp.New(`\d ?°[CF]\b|\b\d{1,3}(?:\.\d{3})+\b|` +
		`\pL{0,3}\p{Sc}|[\pL\d]?[\p{Sm}#♭‰°]+|([\pL\d]-)(?:[^\pL\d]|$)|\d['"]|\d[-/:*^]\d`)
	// measured matches a word after a number, which may be a unit.
	measured = lazyregexp.New(`\d[ -]?(\pL[\pL/]*)`)
	oneForm  = strings.NewReplacer("−", "-", "–", "-", "<=", "≤", ">=", "≥",
		"′′", `"`, "“", `"`, "”", `"`, "′", "'", "‘", "'", "’", "'", "|", " ")
	powers = strings.NewReplacer("⁰", "^0", "¹", "^1", "²", "^2", "³", "^3",
		"⁴", "^4", "⁵", "^5", "⁶", "^6", "⁷", "^7", "⁸", "^8", "⁹", "^9")
	// anyCase are words after a number that are no units of another size in capitals.
	anyCase = wordSet("am pm us hk usd hkd eur gbp")
)

// Marks returns what [Folded] leaves out of a text and may tell two values apart, in order:
// signs beside letters and numbers, as in "C++", "≤5", "A$10", "5 ‰", letters after a
// number, as in "12b", and units in their case, as in "5 mW" and "5 MW".
func Marks(s string) (out []string) {
	s = oneForm.Replace(norm.NFKC.String(powers.Replace(Seen(s))))
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
	return out
}
