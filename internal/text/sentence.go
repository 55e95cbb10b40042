package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// A Span is a stretch of a text by byte offsets, the end excluded.
type Span struct{ Start, End int }

// Of returns the stretch of s.
func (p Span) Of(s string) string { return s[p.Start:p.End] }

// abbreviations end in a full stop that ends no sentence. The list holds the
// common ones of English prose and science; a missing one costs a sentence cut
// in two, a wrong one costs two sentences read as one.
var abbreviations = map[string]bool{
	"dr": true, "mr": true, "mrs": true, "ms": true, "prof": true, "sr": true, "jr": true, "st": true, "vs": true, "etc": true,
	"e.g": true, "i.e": true, "cf": true, "al": true, "fig": true, "figs": true, "eq": true, "no": true, "nos": true, "vol": true,
	"pp": true, "ed": true, "eds": true, "inc": true, "ltd": true, "co": true, "corp": true, "dept": true, "approx": true, "ca": true,
	"u.s": true, "u.k": true, "a.m": true, "p.m": true, "jan": true, "feb": true, "mar": true, "apr": true, "jun": true, "jul": true,
	"aug": true, "sep": true, "sept": true, "oct": true, "nov": true, "dec": true,
}

// Sentences splits s into sentences by Unicode's rules (UAX 29), mended for
// English abbreviations, list items and headings: a line break followed by
// another, by a list mark or by a heading ends a sentence too. The spans are in
// order, do not overlap, and are trimmed of white space; blank ones are left
// out.
func Sentences(s string) []Span {
	var out []Span
	for _, block := range blocks(s) {
		out = appendSentences(out, s, block)
	}
	return out
}

func appendSentences(out []Span, s string, block Span) []Span {
	start, pos, state := block.Start, block.Start, -1
	rest := block.Of(s)
	for rest != "" {
		var sentence string
		sentence, rest, state = uniseg.FirstSentenceInString(rest, state)
		pos += len(sentence)
		if rest != "" && endsInAbbreviation(s[start:pos]) {
			continue
		}
		if p := trim(s, Span{start, pos}); p.Start < p.End {
			out = append(out, p)
		}
		start = pos
	}
	if p := trim(s, Span{start, pos}); start < pos && p.Start < p.End {
		out = append(out, p)
	}
	return out
}

// blocks cuts s at blank lines and before lines that begin a list item, a
// heading or a table row.
func blocks(s string) []Span {
	var out []Span
	start := 0
	for pos := 0; pos < len(s); {
		end := pos + strings.IndexByte(s[pos:], '\n')
		if end < pos {
			end = len(s)
		}
		line := strings.TrimSpace(s[pos:end])
		if line == "" || startsBlock(line) {
			out = append(out, Span{start, pos})
			start = pos
		}
		pos = end + 1
		if strings.HasPrefix(line, "#") && pos <= len(s) {
			out = append(out, Span{start, min(pos, len(s))})
			start = min(pos, len(s))
		}
	}
	return append(out, Span{start, len(s)})
}

func startsBlock(line string) bool {
	switch line[0] {
	case '#', '|', '>':
		return true
	case '-', '*', '+':
		return len(line) > 1 && line[1] == ' '
	}
	n := 0
	for n < len(line) && line[n] >= '0' && line[n] <= '9' {
		n++
	}
	return n > 0 && n < 4 && len(line) > n+1 && (line[n] == '.' || line[n] == ')') && line[n+1] == ' '
}

func endsInAbbreviation(s string) bool {
	s = strings.TrimRightFunc(s, unicode.IsSpace)
	s, ok := strings.CutSuffix(s, ".")
	if !ok {
		return false
	}
	word := s[strings.LastIndexFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '(' || r == '[' })+1:]
	if abbreviations[strings.ToLower(word)] {
		return true
	}
	// A single capital is an initial: "J. Smith".
	r, n := utf8.DecodeRuneInString(word)
	return n == len(word) && unicode.IsUpper(r) && r != 'I'
}

func trim(s string, p Span) Span {
	t := p.Of(s)
	p.Start += len(t) - len(strings.TrimLeftFunc(t, unicode.IsSpace))
	p.End -= len(t) - len(strings.TrimRightFunc(t, unicode.IsSpace))
	return Span{p.Start, max(p.Start, p.End)}
}
