// Package attack finds text that seems to be addressed to a judge, such as instructions to rule
// in a certain way, before a judge sees it.
package attack

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// Kind classifies a suspicious span of text.
type Kind string

// The kinds of suspicious text.
const (
	// KindOverride: text that revokes instructions, or announces new ones.
	KindOverride Kind = "override"
	// KindVerdict: an order to rule, mark or answer in a certain way.
	KindVerdict Kind = "verdict"
	// KindAddress: text that addresses the judge, or assigns the reader a role.
	KindAddress Kind = "address"
	// KindRole: marks of a conversation's turns, such as "system:".
	KindRole Kind = "role"
	// KindReply: an imitation of a judge's reply or reasoning.
	KindReply Kind = "reply"
	// KindDelimiter: an imitation of the delimiters between data and instructions.
	KindDelimiter Kind = "delimiter"
	// KindHidden: an unusual number of invisible characters.
	KindHidden Kind = "hidden"
	// KindEncoded: text wrapped in base64.
	KindEncoded Kind = "encoded"
)

// A Span is a range of a text by byte offsets, excluding End, that appears to be
// addressed to the judge.
type Span struct {
	Start int  `json:"start"`
	End   int  `json:"end"`
	Kind  Kind `json:"kind"`
}

// Of returns the span of s.
func (p Span) Of(s string) string { return s[p.Start:p.End] }

// Detect finds text that looks like an attempt to manipulate a judge. Patterns are
// matched in English and Chinese, regardless of case, width and invisible characters.
// The spans are in order and do not overlap; a match of words is extended to its
// sentence, so that [Clean] leaves no partial instruction behind. nil means that
// nothing was found.
//
// A match proves nothing: documents about security rightly contain such text. So no
// case fails because of one; a caller judges with and without the spans and discards
// rulings that differ. Nor does an empty result prove that a text is harmless: a
// request in plain words is not detected. The time is linear in the length of s.
func Detect(s string) []Span {
	spans := append(hidden(s), encoded(s)...)
	var sentences []text.Span
	v := viewOf(s)
	likely, _ := table().likely(v.text)
	for span, p := range matches(v, likely) {
		if p.Reach == reachSentence && sentences == nil {
			sentences = text.Sentences(s)
		}
		spans = append(spans, p.Reach.widen(s, span, sentences))
	}
	return merge(spans, 0)
}

// matches yields what patterns match, before it is extended.
func matches(v view, list []pattern) iter.Seq2[Span, pattern] {
	return func(yield func(Span, pattern) bool) {
		for _, p := range list {
			for _, m := range p.expression.FindAllStringIndex(v.text, maxFinds) {
				// An expression may begin with the end of the sentence before.
				start := m[1] - len(strings.TrimLeft(v.text[m[0]:m[1]], " \t\r\n.!?。！？"))
				if !yield(Span{Start: v.origin(start), End: v.origin(m[1]), Kind: p.Kind}, p) {
					return
				}
			}
		}
	}
}

// maxFinds bounds the matches of one pattern.
const maxFinds = 1000

// Clean returns the text without the spans, which may be in any order and are clipped
// to the text. Doubled white space becomes single.
func Clean(s string, spans []Span) string {
	var b strings.Builder
	at := 0
	for _, p := range merge(slices.Clone(spans), 0) {
		start, end := min(max(p.Start, at), len(s)), min(p.End, len(s))
		if end <= start {
			continue
		}
		b.WriteString(s[at:start])
		if rest := s[end:]; start == 0 || strings.HasSuffix(s[:start], " ") || strings.HasSuffix(s[:start], "\n") {
			end += len(rest) - len(strings.TrimLeft(rest, " "))
		}
		at = end
	}
	if at == 0 {
		return s
	}
	b.WriteString(s[at:])
	return strings.TrimSpace(b.String())
}

// merge sorts spans and joins those that overlap, or are less than so many bytes apart; a
// joined span has the kind of the first.
func merge(spans []Span, apart int) []Span {
	slices.SortStableFunc(spans, func(a, b Span) int { return cmp.Or(a.Start-b.Start, b.End-a.End) })
	var out []Span
	for _, p := range spans {
		if n := len(out); n > 0 && p.Start < out[n-1].End+apart {
			out[n-1].End = max(out[n-1].End, p.End)
			continue
		}
		out = append(out, p)
	}
	return out
}

// reach says how far a match is extended.
type reach string

const (
	reachSentence reach = "sentence"
	reachLine     reach = "line"
	// reachBraces is the innermost pair of braces around the match, or the line if
	// there is none.
	reachBraces reach = "braces"
)

func (r reach) widen(s string, p Span, sentences []text.Span) Span {
	switch r {
	case reachSentence:
		return withSentences(p, sentences)
	case reachBraces:
		if start := strings.LastIndexByte(s[:p.Start], '{'); start >= 0 {
			if end := strings.IndexByte(s[p.End:], '}'); end >= 0 {
				p.Start, p.End = start, p.End+end+1
				return p
			}
		}
		return wholeLine(s, p)
	case reachLine:
		return wholeLine(s, p)
	}
	return p
}

func wholeLine(s string, p Span) Span {
	p.Start = strings.LastIndexByte(s[:p.Start], '\n') + 1
	if i := strings.IndexByte(s[p.End:], '\n'); i >= 0 {
		p.End += i
	} else {
		p.End = len(s)
	}
	return p
}

// withSentences extends the span to every sentence that it touches.
func withSentences(p Span, sentences []text.Span) Span {
	first, _ := slices.BinarySearchFunc(sentences, p.Start, func(q text.Span, at int) int { return cmp.Compare(q.End, at+1) })
	start, end := p.Start, p.End
	for _, q := range sentences[first:] {
		if q.Start >= end {
			break
		}
		p.Start, p.End = min(p.Start, q.Start), max(p.End, q.End)
	}
	// a match between sentences is not extended
	if p.End <= p.Start {
		p.Start, p.End = start, end
	}
	return p
}

// A view is a text in the form that patterns match: ASCII letters in lower case,
// full-width and look-alike letters as ASCII, invisible characters removed.
type view struct {
	text string
	// at holds the offset in the original of every byte of text; nil if they are equal.
	at  []int
	end int
}

func (v view) origin(i int) int {
	switch {
	case v.at == nil:
		return i
	case i >= len(v.at):
		return v.end
	}
	return v.at[i]
}

func viewOf(s string) view {
	if text.ASCII(s) {
		return view{text: strings.ToLower(s)}
	}
	b := make([]byte, 0, len(s))
	at := make([]int, 0, len(s))
	for i, r := range s {
		if isInvisible(r) {
			if r >= tagFirst && r <= tagLast {
				r -= tagFirst - ' '
			} else {
				continue
			}
		}
		switch {
		case r >= 0xFF01 && r <= 0xFF5E:
			r -= 0xFF01 - '!'
		case r == 0x3000 || r == 0xA0:
			r = ' '
		case r >= 0x370 && r <= 0x45F:
			if latin, ok := lookAlikes[r]; ok {
				r = latin
			}
		}
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		n := len(b)
		b = utf8.AppendRune(b, r)
		for range len(b) - n {
			at = append(at, i)
		}
	}
	return view{text: string(b), at: at, end: len(s)}
}

// lookAlikes are the Greek and Cyrillic letters that look like Latin ones.
var lookAlikes = map[rune]rune{
	'а': 'a', 'е': 'e', 'о': 'o', 'р': 'p', 'с': 'c', 'у': 'y', 'х': 'x', 'і': 'i', 'ѕ': 's', 'ј': 'j',
	'А': 'a', 'В': 'b', 'Е': 'e', 'К': 'k', 'М': 'm', 'Н': 'h', 'О': 'o', 'Р': 'p', 'С': 'c', 'Т': 't', 'Х': 'x', 'І': 'i',
	'Ѕ': 's',
	'ο': 'o', 'ν': 'v', 'α': 'a', 'ι': 'i', 'Α': 'a', 'Ε': 'e', 'Ι': 'i', 'Ο': 'o', 'Τ': 't', 'Ρ': 'p',
}

// Defuse removes from a response the text that seems to address the judge, see [Detect], and
// returns what it removed, with where it was; nothing if the response has no such text.
func Defuse(r assay.Response) (clean assay.Response, found []string) {
	without := func(where, s string) string {
		spans := Detect(s)
		for _, p := range spans {
			found = append(found, fmt.Sprintf("%s: %q", where, text.Shorten(p.Of(s), 80)))
		}
		return Clean(s, spans)
	}
	r.Answer = without("answer", r.Answer)
	r.Passages = slices.Clone(r.Passages)
	for i := range r.Passages {
		r.Passages[i].Text = without(fmt.Sprintf("passage %d", i+1), r.Passages[i].Text)
	}
	return r, found
}
