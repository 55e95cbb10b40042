package text

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// sourceName is how a mark names what it cites.
const sourceName = `(?:doc(?:ument)?|source|src|ref(?:erence)?|cit(?:ation|e)|passage|chunk|context|来源|來源|文档|文檔|资料|資料|引用)s?[\s.:_#-]*`

var (
	// citation is a mark whose numbers are those of passages, from 1: "[1]", "[1, 2]", "[1-3]", "[^1]", "【1】", "[doc1]",
	// "[citation:1]". Numbers of more than three digits are years and the like.
	citation = lazyregexp.New(`(?i)\\?[\[［【]\s*(?:\^|` + sourceName + `)?\d{1,3}(?:\s*[-–—~～]\s*\d{1,3}|[\s,;，、；]+(?:` + sourceName +
		`)?\d{1,3})*\s*\\?[\]］】]`)
	// source is a mark that names what it cites: one of those with a name, "(Source 2)",
	// "[ID:3]" and "##3$$" of RAGFlow, "[Data: Sources (15)]" of GraphRAG, "[1](#ref)", "(a.pdf, p. 2)",
	// or that is none to read a passage's number from, "【4:0†source】", "¹", "<sup>2</sup>".
	source = lazyregexp.New(`(?i)[\[［【]\s*(?:\^|id[\s:]+|` + sourceName + `)\s*\d{1,6}(?:[\s,;、-]+(?:` + sourceName + `)?\d{1,6})*\s*\^?[\]］】](?:\([^()\s]*\))?|` +
		`[(（]\s*` + sourceName + `\d{1,3}(?:(?:[\s,;、&-]|and)+(?:` + sourceName + `)?\d{1,3})*\s*[)）]|` +
		`\[\d{1,3}\]\((?:#|\w+:|[\w./-]+\.\w+)[^()\s]*\)|##\d{1,3}\$\$|\[Data:[^\[\]\n]*\]|<sup>[\s\d,\[\]]+</sup>|` +
		`[\[(][^\[\]()\n]{1,80}\.(?:pdf|docx?|pptx?|xlsx?|md|txt|html?)\b[^\[\]()\n]{0,40}[\])]|` +
		`[\[【]\d+(?::\d+)?†[^\]】\n]*[\]】]|[⁰¹²³⁴⁵⁶⁷⁸⁹]+`)
	// numbers are the parts of a mark: a number, or a range.
	numbers = lazyregexp.New(`(\d+)(?:\s*[-–—~～]\s*(\d+))?`)
	// code is a stretch in which "[1]" is an index.
	code = lazyregexp.New("```[^`]*(?:```|$)|`[^`\n]*`")
	// sourceList is a heading, or a line across, after which an answer lists what it cites.
	sourceList = lazyregexp.New(`(?i)^[\s#*_]*(references|sources|citations|bibliography|literature|notes|footnotes|quellen|belege|fuentes|referencias|` +
		`sources? citées|références|fonti|riferimenti|fontes|referências|bronnen|källor|kilder|źródła|источники|参考文献|參考文獻|` +
		`参考资料|參考資料|来源|來源|出处|出處|出典|資料來源|资料来源|참고 ?문헌|출처)[\s*_:：]*$|^\s*(?:-{3,}|\*{3,}|_{3,}|—{3,})\s*$`)
	// sourceItem is an item of such a list that nothing else is: a footnote of Markdown, or the name of a file or page.
	sourceItem = lazyregexp.New(`^(?:\[\^\d{1,3}\]:.*|[\[［【]\s*\^?\d{1,3}\s*[\]］】]\s*[:：]?\s*(?:\w+://\S+|\S+\.(?:pdf|docx?|pptx?|xlsx?|md|txt|html?)\b)[^.。!?]*)\s*$`)
)

// A Cited is a sentence of an answer with the passages that it cites.
type Cited struct {
	// Sentence is its number in the answer, from 1.
	Sentence int
	Text     string
	// Cites are the passages cited, from 0, each once, in order; Invalid are numbers that
	// no passage has.
	Cites   []int
	Invalid []int
}

// Citations parts an answer into sentences and tells which of n passages each
// cites by number, from 1: "[1]", "[2][3]", "[1, 2]", "[1-3]", "【1】". Marks that
// stand behind a full stop belong to the sentence before it. A number that no
// passage has, 0 among them, is invalid. Sentences without a letter or a digit
// are left out, and so is a list of sources at the end. Superscript figures and
// names ("Smith 2020") are not read as citations.
func Citations(answer string, n int) []Cited {
	answer = withoutSources(answer)
	var out []Cited
	end, leading := 0, false
	for i, span := range Sentences(answer) {
		s := span.Of(answer)
		marks := marksOf(s)
		behind := 0
		if i == 0 {
			// Whoever puts the first mark before its sentence puts all there.
			leading = marksBefore(s, marks) > 0
		} else if !leading && len(out) > 0 && !strings.Contains(answer[end:span.Start], "\n\n") {
			behind = marksBefore(s, marks)
		}
		end = span.End
		c := Cited{Sentence: i + 1, Text: s}
		for j, m := range marks {
			if j < behind {
				cite(&out[len(out)-1], m.Of(s), n)
			} else {
				cite(&c, m.Of(s), n)
			}
		}
		if hasWord(WithoutCitations(s)) {
			out = append(out, c)
		} else if len(out) > 0 && behind < len(marks) {
			for _, m := range marks[behind:] {
				cite(&out[len(out)-1], m.Of(s), n)
			}
		}
	}
	return out
}

// withoutSources cuts a list of sources off the end of an answer: lines that begin with a mark, after a heading that says
// so, or that nothing else can be.
func withoutSources(answer string) string {
	lines := strings.SplitAfter(answer, "\n")
	at, listed, items := len(lines), false, len(lines)
	for at > 0 {
		line := strings.TrimLeft(lines[at-1], " \t-*•")
		switch m := citation().FindStringIndex(line); {
		case listed && sourceList().MatchString(strings.TrimRight(lines[at-1], "\r\n")):
			return strings.Join(lines[:at-1], "")
		case strings.TrimSpace(line) == "":
			if items == at {
				items = at - 1
			}
		case m != nil && m[0] == 0:
			listed = true
			if items == at && sourceItem().MatchString(line) {
				items = at - 1
			}
		default:
			return strings.Join(lines[:items], "")
		}
		at--
	}
	return answer
}

// OtherMark returns the first mark of an answer that cites something whose number, if it has one, is not that of a
// passage: "[ID:0]", "【4:0†source】", "(a.pdf, p. 2)"; "" if there is none.
func OtherMark(answer string) string {
	for _, m := range source().FindAllStringIndex(answer, -1) {
		mark := answer[m[0]:m[1]]
		before := strings.TrimRightFunc(answer[:m[0]], unicode.IsLetter)
		exponent := strings.Trim(mark, "⁰¹²³⁴⁵⁶⁷⁸⁹") == "" && m[0]-len(before) < 3
		if !exponent && !citation().MatchString(mark) {
			return mark
		}
	}
	return ""
}

// marksOf finds the marks of a sentence that are not in code.
func marksOf(s string) []Span {
	codes := code().FindAllStringIndex(s, -1)
	var out []Span
	for _, m := range citation().FindAllStringIndex(s, -1) {
		inCode := slices.ContainsFunc(codes, func(c []int) bool { return c[0] <= m[0] && m[0] < c[1] })
		if !inCode {
			out = append(out, Span{Start: m[0], End: m[1]})
		}
	}
	return out
}

// marksBefore counts the marks that a sentence begins with.
func marksBefore(s string, marks []Span) int {
	at := 0
	for i, m := range marks {
		if hasWord(s[at:m.Start]) {
			return i
		}
		at = m.End
	}
	return len(marks)
}

// WithoutCitations returns what a sentence says without what it cites.
func WithoutCitations(s string) string {
	var b strings.Builder
	at := 0
	for _, m := range marksOf(s) {
		b.WriteString(strings.TrimRightFunc(s[at:m.Start], unicode.IsSpace))
		at = m.End
	}
	b.WriteString(s[at:])
	return strings.TrimSpace(b.String())
}

func hasWord(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// cite adds what a mark cites, each once.
func cite(c *Cited, mark string, n int) {
	for _, m := range numbers().FindAllStringSubmatch(mark, -1) {
		// Three digits always fit.
		from, _ := strconv.Atoi(m[1])
		to := from
		if m[2] != "" {
			to, _ = strconv.Atoi(m[2])
		}
		if to < from {
			from, to = to, from
		}
		for k := from; k <= to; k++ {
			switch {
			case k < 1 || k > n:
				if !slices.Contains(c.Invalid, k) {
					c.Invalid = append(c.Invalid, k)
				}
			case !slices.Contains(c.Cites, k-1):
				c.Cites = append(c.Cites, k-1)
			}
		}
	}
}
