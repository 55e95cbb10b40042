package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/report/document"
)

// special holds the characters that have a meaning within a line of CommonMark or
// GitHub's Markdown. The colon and the full stop are escaped only where they would
// turn a bare address into a link.
const special = "\\`*_[]<>|~&$"

// Inline returns a text as one line of Markdown that shows the text itself: it
// holds no markup, link, image, mention or start of a block.
func Inline(s string) string { return opening(Escape(document.Line(s))) }

// Escape escapes a line of visible text.
func Escape(s string) string {
	var b strings.Builder
	for i, r := range s {
		next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		switch {
		case strings.ContainsRune(special, r):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == ':' && strings.HasPrefix(s[i:], "://"), r == '.' && www(s[:i]):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '@' && (mention(s[:i], next) || address(s[i+1:])), r == '#' && unicode.IsDigit(next):
			// A backslash does not stop GitHub from linking a mention, a mail
			// address or an issue; a zero-width space does.
			b.WriteRune(r)
			b.WriteString("&#8203;")
		case r == '!' && next == '[':
			b.WriteString(`\!`)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// mention reports whether GitHub reads an "@" between these texts as a mention.
// "recall@5" is none.
func mention(before string, next rune) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	return isName(next) && !isName(last)
}

// address reports whether the text after an "@" looks like a host, which makes
// the whole a mail address.
func address(after string) bool {
	host := after
	if end := strings.IndexFunc(after, func(r rune) bool { return !isName(r) && r != '-' && r != '.' }); end >= 0 {
		host = after[:end]
	}
	return strings.Contains(strings.TrimRight(host, "."), ".")
}

func isName(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// www reports whether the text ends in the start of an address like www.
func www(before string) bool {
	return len(before) >= 3 && strings.EqualFold(before[len(before)-3:], "www")
}

// opening escapes the start of a line that would begin a block: a heading, a list,
// a rule or the delimiter row of a table.
func opening(s string) string {
	if s == "" {
		return s
	}
	if strings.ContainsRune("#-+=:", rune(s[0])) {
		return `\` + s
	}
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if digits > 0 && digits < len(s) && (s[digits] == '.' || s[digits] == ')') && (digits+1 == len(s) || s[digits+1] == ' ') {
		return s[:digits] + `\` + s[digits:]
	}
	return s
}

// Quote returns a text of several lines as a block quote without a final line
// end.
func Quote(s string) string {
	lines := strings.Split(strings.TrimSpace(text.Visible(s)), "\n")
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		l = opening(Escape(strings.Join(strings.Fields(l), " ")))
		b.WriteString(strings.TrimRight("> "+l, " "))
		if l != "" && i+1 < len(lines) && strings.TrimSpace(lines[i+1]) != "" {
			b.WriteByte('\\') // keeps the line break
		}
	}
	return b.String()
}

// Code returns a text of one line as a code span, delimited by as many backquotes
// as it needs.
func Code(s string) string {
	s = strings.ReplaceAll(document.Line(s), "|", "¦")
	if s == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}
