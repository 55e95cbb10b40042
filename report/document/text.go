package document

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/text"
)

// A Mark is the verdict that a text expresses.
type Mark uint8

// The marks: nothing, good, bad, and not known.
const (
	None Mark = iota
	Good
	Bad
	Unsure
)

// Style is the kind of a span.
type Style uint8

// The styles: words, code, emphasis, less important text, a verdict, the name of a
// metric, and the id of a case.
const (
	Words Style = iota
	Code
	Strong
	Dim
	Verdict
	Metric
	CaseID
)

// A Span is a part of a text in one style.
type Span struct {
	Text  string
	Style Style
	Mark  Mark
	// Title is the full name of a metric, Notes are remarks on it. Lower is set if
	// less is better, Estimate if a formula estimates the metric: "≈" follows its name.
	Title    string
	Notes    []string
	Lower    bool
	Estimate bool
}

// A Text is one line or paragraph.
type Text []Span

// T returns a text of words.
func T(s string) Text {
	if s == "" {
		return nil
	}
	return Text{{Text: s}}
}

// C returns a text in the style [Code].
func C(s string) Text { return Text{{Text: s, Style: Code}} }

// Join concatenates texts.
func Join(texts ...Text) Text {
	var out Text
	for _, t := range texts {
		out = append(out, t...)
	}
	return out
}

// Of returns texts of words.
func Of(lines ...string) []Text {
	out := make([]Text, len(lines))
	for i, l := range lines {
		out[i] = T(l)
	}
	return out
}

// Items returns items of words.
func Items(lines ...string) []Item {
	out := make([]Item, len(lines))
	for i, l := range lines {
		out[i] = Item{Text: T(l)}
	}
	return out
}

// Line returns a text as one line of visible characters, each run of white space
// replaced by one space.
func Line(s string) string { return strings.Join(strings.Fields(text.Visible(s)), " ") }

// Clip returns at most most characters of a line, ending in "…" if it was longer.
func Clip(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	r := []rune(s)
	return strings.TrimSpace(string(r[:max(most-1, 0)])) + "…"
}

// Spaced is [Line] that keeps one space at each end of a span, and of a blank one.
func Spaced(s string) string {
	l := Line(s)
	if l == "" {
		return strings.Repeat(" ", min(len(s), 1))
	}
	if s[0] == ' ' {
		l = " " + l
	}
	if s[len(s)-1] == ' ' {
		l += " "
	}
	return l
}

// LowerFirst begins a heading with a small letter, as terminals show it. That of an abbreviation stays.
func LowerFirst(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	if next, _ := utf8.DecodeRuneInString(s[n:]); !unicode.IsLower(next) {
		return s
	}
	return string(unicode.ToLower(first)) + s[n:]
}
