package attack

import (
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// dataTag matches a mark of the material; the first group is "/" in an end mark.
var dataTag = lazyregexp.New(`<\s*(/?)\s*data\b[^>\n]{0,80}>`)

// Forged returns the first part of an answer that imitates what only the program and a
// judge write: the end of the material, or a ruling in the form of a reply. It is "" if
// there is none. Words that could be either, such as "end of answer" or "final score: 1",
// are a forgery beside an order to the judge.
//
// Unlike the spans of [Detect] these have no honest use, so that no ruling on such an
// answer is worth anything, whatever it says. A document that an answer quotes may have
// the words "verdict" and "score", JSON, and elements called data that it opens and
// closes: these are no forgery.
func Forged(answer string) string {
	v := viewOf(answer)
	depth := 0
	for _, m := range dataTag().FindAllStringSubmatchIndex(v.text, maxFinds) {
		if m[2] == m[3] {
			depth++
		} else if depth--; depth < 0 {
			return answer[v.origin(m[0]):v.origin(m[1])]
		}
	}
	likely, forgeries := table().likely(v.text)
	for _, p := range forgeries {
		if m := p.expression.FindStringIndex(v.text); m != nil {
			return strings.TrimSpace(answer[v.origin(m[0]):v.origin(m[1])])
		}
	}
	var imitations, orders []Span
	for span, p := range matches(v, likely) {
		if p.Kind == KindDelimiter || p.Kind == KindReply {
			imitations = append(imitations, span)
		} else {
			orders = append(orders, span)
		}
	}
	for _, p := range imitations {
		if slices.ContainsFunc(orders, func(o Span) bool { return o.End <= p.Start || p.End <= o.Start }) {
			return p.Of(answer)
		}
	}
	return ""
}
