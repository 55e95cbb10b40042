package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Span is a range of a text by byte offsets, excluding End.
type Span struct{ Start, End int }

// Of returns the span of s.
func (p Span) Of(s string) string { return s[p.Start:p.End] }

// Sentences splits s into sentences. A sentence ends at ".", "!", "?" and their
// equivalents in other scripts, including the closing quotes, brackets and reference
// marks ("[1]") after them; but not in a number, an address or an abbreviation, and not
// if the text continues in lower case or with a comma. A single line break does not end
// a sentence, since lines may be wrapped; a blank line, a list item, a heading and a
// table row do. A fenced code block is one sentence up to its first blank line.
//
// The spans are in order, do not overlap, and cover everything except the white space
// around them. The time is linear in the length of s.
func Sentences(s string) []Span {
	var out []Span
	for _, b := range blocks(s) {
		if b.code {
			out = appendSpan(out, s, b.Span)
		} else {
			out = appendSentences(out, s, b.Span)
		}
	}
	return out
}

func appendSentences(out []Span, s string, block Span) []Span {
	start := block.Start
	for i := block.Start; i < block.End; {
		r, n := utf8.DecodeRuneInString(s[i:block.End])
		if !isTerminal(r) {
			i += n
			continue
		}
		end, ends := sentenceEnd(s[start:block.End], i-start)
		i = start + end
		if ends {
			out = appendSpan(out, s, Span{start, i})
			start = i
		}
	}
	return appendSpan(out, s, Span{start, block.End})
}

func appendSpan(out []Span, s string, p Span) []Span {
	t := strings.TrimLeftFunc(p.Of(s), unicode.IsSpace)
	p.Start = p.End - len(t)
	p.End = p.Start + len(strings.TrimRightFunc(t, unicode.IsSpace))
	if p.Start == p.End {
		return out
	}
	return append(out, p)
}

// sentenceEnd checks the terminator at s[at], where s begins with the sentence. It
// returns the end of the run of terminators and closing marks, and whether the sentence
// ends there.
func sentenceEnd(s string, at int) (end int, ends bool) {
	end = at
	wide, stops := false, true
	for end < len(s) {
		r, n := utf8.DecodeRuneInString(s[end:])
		if !isTerminal(r) {
			break
		}
		wide = wide || r >= utf8.RuneSelf && !isStop(r)
		stops = stops && isStop(r)
		end += n
	}
	end += closing(s[end:])
	rest := strings.TrimLeftFunc(s[end:], unicode.IsSpace)
	spaced := len(rest) < len(s)-end
	next, _ := utf8.DecodeRuneInString(rest)
	switch {
	case rest == "":
		return end, true
	case strings.ContainsRune(",;:-–—、，；：", next):
		return end, false
	case wide:
		return end, true
	case unicode.IsLower(next):
		return end, false
	case !spaced:
		return end, IsCJK(next) && next != 'ー' || unicode.Is(unicode.Pi, next) || next >= 0x3000 && unicode.Is(unicode.Ps, next)
	case stops:
		return end, !isListMark(s[:at]) && !isAbbreviation(s[:at], rest)
	}
	return end, true
}

func isTerminal(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '.' || r == '!' || r == '?'
	}
	return unicode.Is(unicode.Sentence_Terminal, r)
}

// isStop reports whether r is a full stop, which also occurs in numbers and
// abbreviations.
func isStop(r rune) bool { return r == '.' || r == '．' || r == '․' || r == '﹒' }

// closing returns the length of the closing quotes, brackets, emphasis and reference
// marks at the beginning of s.
func closing(s string) int {
	i := 0
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case strings.ContainsRune("\"'*_`", r), unicode.In(r, unicode.Pe, unicode.Pf):
			i += n
		case r == '[' && referenceMark(s[i:]) > 0:
			i += referenceMark(s[i:])
		default:
			return i
		}
	}
	return i
}

// referenceMark returns the length of a mark such as "[12]" or "[1, 3]" at the
// beginning of s, 0 if there is none.
func referenceMark(s string) int {
	const longest, longestNumber = 24, 3
	run := 0
	for i := 1; i < min(len(s), longest); i++ {
		switch c := s[i]; {
		case '0' <= c && c <= '9' && run < longestNumber:
			run++
		case c == ',', c == ' ', c == '-':
			run = 0
		case c == ']' && '0' <= s[i-1] && s[i-1] <= '9':
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

// isListMark reports whether the sentence is only the number of a list item, such as
// "12" before the full stop.
func isListMark(s string) bool {
	s = strings.TrimSpace(s)
	return s != "" && len(s) < 4 && strings.Trim(s, "0123456789") == ""
}

type block struct {
	Span
	code bool
}

// blocks splits s at blank lines and before lines that begin a list item, a heading, a
// table row, a quotation or a fence.
func blocks(s string) []block {
	var out []block
	start := 0
	cut := func(at int, code bool) {
		if at > start {
			out = append(out, block{Span{start, at}, code})
			start = at
		}
	}
	fence, quoted := "", false
	for pos := 0; pos < len(s); {
		end := len(s)
		if i := strings.IndexByte(s[pos:], '\n'); i >= 0 {
			end = pos + i + 1
		}
		line := strings.TrimSpace(s[pos:end])
		switch mark := fenceMark(line); {
		case fence != "":
			if line == "" {
				cut(pos, true)
			}
			if mark == fence {
				cut(end, true)
				fence = ""
			}
		case mark != "" && strings.Contains(s[end:], "\n"+mark):
			cut(pos, false)
			fence = mark
		case isHeading(line):
			cut(pos, false)
			cut(end, false)
		case line == "", mark != "", line[0] == '|', startsItem(line), line[0] == '>' && !quoted:
			cut(pos, false)
		}
		quoted = strings.HasPrefix(line, ">")
		pos = end
	}
	cut(len(s), fence != "")
	return out
}

// fenceMark returns the mark of a line that opens or closes a code block.
func fenceMark(line string) string {
	for _, m := range []string{"```", "~~~"} {
		if strings.HasPrefix(line, m) {
			return m
		}
	}
	return ""
}

// isHeading reports whether the line is "# Title", or the underline of a heading.
func isHeading(line string) bool {
	text := strings.TrimLeft(line, "#")
	if n := len(line) - len(text); n > 0 {
		return n <= 6 && (text == "" || text[0] == ' ')
	}
	return len(line) >= 3 && (strings.Trim(line, "=") == "" || strings.Trim(line, "-") == "")
}

// startsItem reports whether the line begins a list item: "- a", "• a", "1. a",
// "2) a".
func startsItem(line string) bool {
	if r, n := utf8.DecodeRuneInString(line); strings.ContainsRune("-*+•‣◦▪●", r) {
		return r >= utf8.RuneSelf || strings.HasPrefix(line[n:], " ")
	}
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	mark := line[digits:]
	return digits > 0 && digits < 4 && (strings.HasPrefix(mark, ". ") || strings.HasPrefix(mark, ") "))
}
