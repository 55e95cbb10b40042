package question

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
)

// shortestQuote is the least that a quote must weigh to prove anything: four
// letters or digits, of which a Chinese, Japanese or Korean character counts as
// two. "1957" passes; "of" turns up in any text. A text that is shorter as a
// whole may be quoted as a whole.
const shortestQuote = 4

// quotable is a text in which quotes are looked for.
type quotable string

func newQuotable(s string) quotable { return quotable(quoteForm(s)) }

// has reports whether the text holds the quote word for word, up to what does
// not change the words: Unicode form, case, white space, kinds of dashes and
// quotation marks, emphasis, characters that are not seen, punctuation at the
// ends. Where the quote has an ellipsis that is not one of the text, its
// parts must stand in the text in their order.
//
// A part begins and ends with whole words and whole numbers, and not right after
// a negation: "refundable" is no quote from "non-refundable" or "not
// refundable", nor "1" from "1.5".
func (q quotable) has(quote string) bool { return q.places(quote, 0) != nil }

// places returns where the parts of a quote stand at or after from: the first places. It
// is nil if the text does not hold the quote there.
func (q quotable) places(quote string, from int) []text.Span {
	parts := ellipsis().Split(quoteForm(quote), -1)
	if len(parts) > 1 {
		// The ellipsis may be one of the text.
		if whole := trimPunctuation(quoteForm(quote)); whole != "" && find(string(q), from, whole) >= 0 {
			parts = []string{whole}
		}
	}
	var out []text.Span
	for _, part := range parts {
		part = trimPunctuation(part)
		if part == "" {
			continue
		}
		if weight(part) < shortestQuote && part != trimPunctuation(string(q)) {
			return nil
		}
		if from = find(string(q), from, part); from < 0 {
			return nil
		}
		out = append(out, text.Span{Start: from - len(part), End: from})
	}
	return out
}

var ellipsis = lazyregexp.New(`[\[(]? ?\.{3,} ?[\])]?`)

// find returns the end of the first place at or after from where the part stands
// between borders, -1 if there is none.
func find(s string, from int, part string) int {
	for {
		i := strings.Index(s[from:], part)
		if i < 0 {
			return -1
		}
		start := from + i
		if end := start + len(part); begins(s[:start], part) && ends(part, s[end:]) {
			return end
		}
		_, n := utf8.DecodeRuneInString(s[start:])
		from = start + n
	}
}

// begins reports whether part may begin after before.
func begins(before, part string) bool {
	first, _ := utf8.DecodeRuneInString(part)
	last, n := utf8.DecodeLastRuneInString(before)
	if n == 0 {
		return true
	}
	earlier := before[:len(before)-n]
	prior, _ := utf8.DecodeLastRuneInString(earlier)
	switch {
	case text.IsCJK(first):
		return !strings.ContainsRune(hanNegations, last) && !(isHanDigit(first) && isHanDigit(last))
	case isWord(last) && isWord(first):
		return false
	case unicode.IsDigit(first) && (last == '-' || last == '.' || last == ',' && unicode.IsDigit(prior)):
		return false
	case last == '-':
		return !prefixes[lastWord(earlier)]
	case last == ' ':
		return !negations[lastWord(earlier)]
	}
	return true
}

// ends reports whether part may end before after.
func ends(part, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(part)
	first, n := utf8.DecodeRuneInString(after)
	second, _ := utf8.DecodeRuneInString(after[n:])
	switch {
	case n == 0:
		return true
	case text.IsCJK(last):
		return !(isHanDigit(last) && isHanDigit(first))
	case isWord(last) && isWord(first):
		return false
	case unicode.IsDigit(last) && (first == '%' || (first == '.' || first == ',') && unicode.IsDigit(second)):
		return false
	}
	return true
}

// isWord reports whether r is a part of a word that spaces set apart.
func isWord(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !text.IsCJK(r)
}

const hanNegations = "不没沒未無无非唔冇毋勿莫別别"

func isHanDigit(r rune) bool {
	return strings.ContainsRune("零〇一二三四五六七八九兩两十百千萬万億亿", r)
}

// negations are words after which a quote turns round what the text says;
// apostrophes are gone.
var negations = text.Set("not no never neither nor without cannot cant dont doesnt didnt isnt arent wasnt werent wont wouldnt couldnt " +
	"shouldnt mustnt neednt hasnt havent hadnt")

// prefixes do so when a hyphen joins them.
var prefixes = text.Set("non anti un ex pre post semi quasi pseudo")

func lastWord(s string) string {
	return s[strings.LastIndexFunc(s, func(r rune) bool { return !isWord(r) })+1:]
}

func weight(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case text.IsCJK(r):
			n += 2
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			n++
		}
	}
	return n
}

// trimPunctuation drops what quoting adds or leaves off at the ends, but for a
// sign and a percent sign, which belong to a number.
func trimPunctuation(s string) string {
	isEnd := func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsPunct(r) && r != '%' && r != '-'
	}
	s = strings.TrimFunc(s, isEnd)
	for rest, ok := strings.CutPrefix(s, "- "); ok; rest, ok = strings.CutPrefix(s, "- ") {
		s = strings.TrimLeftFunc(rest, isEnd)
	}
	return strings.TrimRightFunc(s, func(r rune) bool { return r == '-' || isEnd(r) })
}

var dashes = strings.NewReplacer("--", " - ", "—", " - ", "―", " - ", "‐", "-", "‑", "-", "‒", "-", "–", "-", "−", "-", "﹘",
	"-", "⋯", "...")

// quoteForm is the form in which quotes and texts are compared.
func quoteForm(s string) string {
	// A table of content or a form may have hundreds of dots or dashes in a row.
	return joinWide(text.MatchForm(strings.Map(seen, dashes.Replace(s))))
}

// seen drops characters that are no part of the words.
func seen(r rune) rune {
	switch r {
	case '*', '\'', '"', '`', '´', '‘', '’', '‚', '‛', '“', '”', '„', '‟', '«', '»', '‹', '›', '「', '」', '『', '』', '〝', '〞', '〟', '′', '″':
		return -1
	}
	if r >= utf8.RuneSelf && unicode.Is(unicode.Cf, r) {
		return -1
	}
	return r
}

// joinWide drops the space beside characters whose words need none: a line that
// is broken between two of them, or a space that sets a number off, is no part
// of the words.
func joinWide(s string) string {
	if !strings.ContainsFunc(s, isWide) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	last := rune(0)
	for i, r := range s {
		if r == ' ' {
			if next, _ := utf8.DecodeRuneInString(s[i+1:]); isWide(last) || isWide(next) {
				continue
			}
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

func isWide(r rune) bool { return text.IsCJK(r) || 0x3001 <= r && r <= 0x303f }

// Places returns where a quote stands in a text, in bytes of the text: one span, or one for
// each part of a quote with an ellipsis, in order. A quote is found as rulings accept it: up
// to what does not change the words, such as case, white space and quotation marks. Where the
// text has it more than once, the first place with the very characters of the quote counts,
// else the first. Punctuation at the ends is not part of a span.
//
// Places returns nil if the text does not hold the quote, or if its form cannot be traced
// back to the text, as with some invalid UTF-8.
func Places(s, quote string) []text.Span {
	if p, ok := verbatim(s, quote); ok {
		return p
	}
	q := newQuotable(s)
	found := q.places(quote, 0)
	if found == nil {
		return nil
	}
	best := q.spans(s, found)
	for next, tries := found, 0; len(next) == 1 && tries < mostPlaces; next, tries = q.places(quote, next[0].End), tries+1 {
		if same := q.spans(s, next); same != nil && strings.Contains(quote, same[0].Of(s)) {
			return same
		}
	}
	return best
}

// mostPlaces is how many places of a quote are looked at for the one that is meant.
const mostPlaces = 20

// around is how many bytes beside a quote decide whether it stands between borders: a word
// that turns the quote round.
const around = 100

// verbatim finds the first place with the very characters of a quote, without the form of all
// of a long text. ok is false if there may be a place that it does not find.
func verbatim(s, quote string) (_ []text.Span, ok bool) {
	words := strings.TrimFunc(quote, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) })
	if len(s) < 4*around || weight(quoteForm(words)) < shortestQuote {
		return nil, false
	}
	for at, tries := 0, 0; tries < mostPlaces; tries++ {
		i := strings.Index(s[at:], words)
		if i < 0 {
			return nil, false
		}
		at += i
		from, to := max(0, at-around), min(len(s), at+len(words)+around)
		for from > 0 && !utf8.RuneStart(s[from]) {
			from--
		}
		for to < len(s) && !utf8.RuneStart(s[to]) {
			to++
		}
		near := s[from:to]
		q := newQuotable(near)
		for p := q.places(quote, 0); len(p) == 1; p = q.places(quote, p[0].End) {
			// The place may be another that is near.
			if in := q.spans(near, p); in != nil && in[0].Start >= at-from && in[0].End <= at-from+len(words) {
				return []text.Span{{Start: from + in[0].Start, End: from + in[0].End}}, true
			}
		}
		at += len(words)
	}
	return nil, false
}

// spans maps places in the form of a text to the text. It is nil unless every place has the
// same form in the text: a place can begin within the form of one character.
func (q quotable) spans(s string, places []text.Span) []text.Span {
	out := make([]text.Span, len(places))
	for i, p := range places {
		first := shortest(s, func(before string) bool { return len(quoteForm(before)) > p.Start })
		last := shortest(s, func(before string) bool { return strings.HasPrefix(quoteForm(before), string(q[:p.End])) })
		if first > last || last > len(s) {
			return nil
		}
		_, n := utf8.DecodeLastRuneInString(s[:first])
		out[i] = text.Span{Start: first - n, End: last}
		if trimPunctuation(quoteForm(out[i].Of(s))) != trimPunctuation(string(q[p.Start:p.End])) {
			return nil
		}
	}
	return out
}

// shortest returns the length of the shortest beginning of a text, in whole characters, of
// which something is true that stays true of longer ones; more than that of the text if none.
func shortest(s string, is func(beginning string) bool) int {
	return sort.Search(len(s)+1, func(n int) bool {
		for n > 0 && n < len(s) && !utf8.RuneStart(s[n]) {
			n--
		}
		return is(s[:n])
	})
}
