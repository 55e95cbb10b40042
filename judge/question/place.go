package question

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/text"
)

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
