package question

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

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
	q := newQuotable(s)
	found := q.places(quote, 0)
	if found == nil {
		return nil
	}
	at := originOf(s)
	if string(at.form) != string(q) {
		return nil
	}
	best := at.spans(s, found)
	for next := found; len(next) == 1; next = q.places(quote, next[0].End) {
		if same := at.spans(s, next); same != nil && strings.Contains(quote, same[0].Of(s)) {
			return same
		}
	}
	return best
}

// An origin is the form in which a text is compared, and for each byte of it the start and
// the end of the characters of the text that it comes from.
type origin struct {
	form     []byte
	from, to []int
}

func (o *origin) add(s string, from, to int) {
	o.form = append(o.form, s...)
	for range len(s) {
		o.from, o.to = append(o.from, from), append(o.to, to)
	}
}

// spans maps places in the form to the text. It is nil unless every place has the same form
// in the text: a place can begin within the form of one character.
func (o *origin) spans(s string, places []text.Span) []text.Span {
	out := make([]text.Span, len(places))
	for i, p := range places {
		out[i] = text.Span{Start: o.from[p.Start], End: o.to[p.End-1]}
		if trimPunctuation(quoteForm(out[i].Of(s))) != string(o.form[p.Start:p.End]) {
			return nil
		}
	}
	return out
}

// originOf computes [quoteForm] step by step, with the origin of every byte.
func originOf(s string) *origin {
	var plain, folded, out origin
	for i := 0; i < len(s); {
		n := len("--")
		if !strings.HasPrefix(s[i:], "--") {
			_, n = utf8.DecodeRuneInString(s[i:])
		}
		plain.add(strings.Map(seen, dashes.Replace(s[i:i+n])), i, i+n)
		i += n
	}
	for i := 0; i < len(plain.form); {
		n := max(1, norm.NFKC.NextBoundary(plain.form[i:], true))
		folded.add(text.Fold(string(plain.form[i:i+n])), plain.from[i], plain.to[i+n-1])
		i += n
	}
	last, space := rune(0), -1
	for i, r := range string(folded.form) {
		if unicode.IsSpace(r) {
			if space < 0 {
				space = i
			}
			continue
		}
		if space >= 0 && len(out.form) > 0 && !isWide(last) && !isWide(r) {
			out.add(" ", folded.from[space], folded.to[i-1])
		}
		// Invalid UTF-8 has become a character by now.
		n := utf8.RuneLen(r)
		out.add(string(folded.form[i:i+n]), folded.from[i], folded.to[i+n-1])
		last, space = r, -1
	}
	return &out
}
