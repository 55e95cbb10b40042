package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
)

// pdfText joins the pages: it removes running heads and page numbers, and joins lines
// that were broken to fit the page.
func pdfText(pages []string) string {
	split := make([][]string, len(pages))
	heads := map[string]int{}
	for i, p := range pages {
		split[i] = trimLines(p)
		for _, at := range edges(split[i]) {
			heads[runningHead(split[i][at])]++
		}
	}
	var b strings.Builder
	said := map[string]bool{}
	for _, lines := range split {
		keep := slices.Clone(lines)
		for _, at := range edges(lines) {
			// A line that occurs on three pages, ignoring numbers, is a running head.
			// Its first occurrence is kept, since it may be the title.
			head := runningHead(lines[at])
			if heads[head] >= 3 && (said[head] || !strings.ContainsFunc(head, unicode.IsLetter)) {
				keep[at] = ""
			}
			said[head] = true
		}
		b.WriteString(strings.Join(keep, "\n"))
		b.WriteString("\n\n")
	}
	return tidyPDF(b.String())
}

// trimLines splits a page into lines, without blank lines at either end.
func trimLines(page string) []string {
	lines := strings.Split(strings.TrimSpace(page), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	return lines
}

// edges returns the indexes of the first and the last line.
func edges(lines []string) []int {
	if len(lines) < 3 {
		return nil
	}
	return []int{0, len(lines) - 1}
}

// runningHead returns a line with every number replaced.
func runningHead(line string) string { return numbers().ReplaceAllString(line, "0") }

var numbers = lazyregexp.New(`\p{Nd}+`)

// fullLine is the share of a long line's length from which a line is assumed to end at
// the margin rather than at the end of a sentence, heading or list item. Justified
// lines differ by a few per cent, ragged ones by up to a quarter.
const fullLine = 0.75

// tidyPDF joins the lines of paragraphs. A hyphen at the end of a line, followed by a
// small letter, is treated as hyphenation, which is far more frequent in justified text
// than a compound.
func tidyPDF(s string) string {
	lines := strings.Split(s, "\n")
	var lengths []int
	for i, l := range lines {
		lines[i] = strings.TrimSpace(ligatures.Replace(l))
		if lines[i] != "" {
			lengths = append(lengths, utf8.RuneCountInString(lines[i]))
		}
	}
	if len(lengths) == 0 {
		return ""
	}
	slices.Sort(lengths)
	full := fullLine * float64(lengths[len(lengths)*9/10])
	var b strings.Builder
	for i, l := range lines {
		if i == len(lines)-1 || l == "" || lines[i+1] == "" {
			b.WriteString(l + "\n")
			continue
		}
		next, _ := utf8.DecodeRuneInString(lines[i+1])
		last, n := utf8.DecodeLastRuneInString(l)
		before, _ := utf8.DecodeLastRuneInString(l[:len(l)-n])
		switch {
		case last == '-' && unicode.IsLetter(before) && unicode.IsLower(next):
			b.WriteString(l[:len(l)-n])
		case float64(utf8.RuneCountInString(l)) < full || next == '•' || next == '-' || next == '*':
			b.WriteString(l + "\n")
		case text.IsCJK(last) || text.IsCJK(next) || last >= 0x3000 && last < 0x3040:
			b.WriteString(l)
		default:
			b.WriteString(l + " ")
		}
	}
	return blanks().ReplaceAllString(b.String(), "\n\n")
}

// blanks are several blank lines.
var blanks = lazyregexp.New(`\n{3,}`)

// ligatures maps joined letter forms to letters, and special white space to spaces.
// Other compatibility forms, such as full-width punctuation, are kept.
var ligatures = strings.NewReplacer("ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st", "\u00a0",
	" ", "\u00ad", "", "\x00", "\ufffd", "\r", " ", "\t", " ")
