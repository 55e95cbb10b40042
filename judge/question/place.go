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
	if p, ok := verbatim(s, quote); ok {
		return p
	}
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
	for next, tries := found, 0; len(next) == 1 && tries < mostPlaces; next, tries = q.places(quote, next[0].End), tries+1 {
		if same := at.spans(s, next); same != nil && strings.Contains(quote, same[0].Of(s)) {
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
		q, o := newQuotable(near), originOf(near)
		if string(o.form) != string(q) {
			return nil, false
		}
		for p := q.places(quote, 0); len(p) == 1; p = q.places(quote, p[0].End) {
			// The place may be another that is near.
			if in := o.spans(near, p); in != nil && in[0].Start >= at-from && in[0].End <= at-from+len(words) {
				return []text.Span{{Start: from + in[0].Start, End: from + in[0].End}}, true
			}
		}
		at += len(words)
	}
	return nil, false
}

// An origin is the form in which a text is compared, and for each byte of it the start and
// the end of the characters of the text that it comes from.
type origin struct {
	form     []byte
	from, to []int
}

func (o *origin) put(c byte, from, to int) {
	o.form, o.from, o.to = append(o.form, c), append(o.from, from), append(o.to, to)
}

func (o *origin) add(s string, from, to int) {
	for i := range len(s) {
		o.put(s[i], from, to)
	}
}

// isOrdinary reports whether a byte is a character that [quoteForm] at most folds.
func isOrdinary(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == ' ' || c == '\n' || c == ',' || c == '.'
}

// spans maps places in the form to the text. It is nil unless every place has the same form
// in the text: a place can begin within the form of one character.
func (o *origin) spans(s string, places []text.Span) []text.Span {
	out := make([]text.Span, len(places))
	for i, p := range places {
		out[i] = text.Span{Start: o.from[p.Start], End: o.to[p.End-1]}
		if trimPunctuation(quoteForm(out[i].Of(s))) != trimPunctuation(string(o.form[p.Start:p.End])) {
			return nil
		}
	}
	return out
}

// originOf computes [quoteForm] step by step, with the origin of every byte.
func originOf(s string) *origin {
	plain, folded, out := newOrigin(len(s)), newOrigin(len(s)), newOrigin(len(s))
	for i := 0; i < len(s); {
		if c := s[i]; isOrdinary(c) {
			plain.put(c, i, i+1)
			i++
			continue
		}
		n := len("--")
		if !strings.HasPrefix(s[i:], "--") {
			_, n = utf8.DecodeRuneInString(s[i:])
		}
		plain.add(strings.Map(seen, dashes.Replace(s[i:i+n])), i, i+n)
		i += n
	}
	for i := 0; i < len(plain.form); {
		if c := plain.form[i]; c < utf8.RuneSelf && (i+1 == len(plain.form) || plain.form[i+1] < utf8.RuneSelf) {
			// ASCII combines with nothing but what follows it.
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			folded.put(c, plain.from[i], plain.to[i])
			i++
			continue
		}
		n := max(1, norm.NFKC.NextBoundary(plain.form[i:], true))
		folded.add(text.Fold(string(plain.form[i:i+n])), plain.from[i], plain.to[i+n-1])
		i += n
	}
	last, space := rune(0), -1
	for i, n := 0, 0; i < len(folded.form); i += n {
		var r rune
		r, n = utf8.DecodeRune(folded.form[i:])
		if unicode.IsSpace(r) {
			if space < 0 {
				space = i
			}
			continue
		}
		if space >= 0 && len(out.form) > 0 && !isWide(last) && !isWide(r) {
			out.add(" ", folded.from[space], folded.to[i-1])
		}
		for k := range n {
			out.put(folded.form[i+k], folded.from[i], folded.to[i+n-1])
		}
		last, space = r, -1
	}
	return out
}

func newOrigin(n int) *origin {
	return &origin{make([]byte, 0, n), make([]int, 0, n), make([]int, 0, n)}
}
