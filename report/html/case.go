package html

import (
	"html/template"
	"strconv"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/lazyregexp"
	textkit "github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/report/document"
)

// A passage of longPassage characters or more is folded; its first folded
// characters are shown.
const longPassage, folded = 700, 220

// labelled writes a named part of a case. A text without blocks is its
// content; a text before blocks belongs to the heading.
func (r *renderer) labelled(b document.Labelled) {
	switch {
	case b.Text == nil:
		r.printf("<h3>%s</h3>\n", esc(b.Label))
	case b.Blocks == nil:
		r.printf("<h3>%s</h3>\n<p class=\"prose\">%s</p>\n", esc(b.Label), r.text(b.Text))
	default:
		r.printf("<h3>%s <span class=\"dim\">%s</span></h3>\n", esc(b.Label), r.text(b.Text))
	}
	r.blocks(b.Blocks)
}

// LongText is the length in bytes from which the rest of a text is folded: browsers take
// seconds to lay out a megabyte.
const LongText = 20_000

// quote writes a text with its line breaks. The rest of a very long one is folded.
func (r *renderer) quote(q document.Quote) {
	if len(q.Text) > LongText {
		end := LongText
		for !utf8.RuneStart(q.Text[end]) {
			end--
		}
		first, rest := q, document.Quote{Text: q.Text[end:], Role: q.Role, Cites: q.Cites}
		first.Text = q.Text[:end]
		first.Marks, rest.Marks = splitMarks(q.Marks, end)
		r.quoted(first)
		r.printf("<details><summary>%s</summary>", esc(r.more(utf8.RuneCountInString(rest.Text))))
		r.quoted(rest)
		r.printf("</details>\n")
		return
	}
	r.quoted(q)
}

func (r *renderer) quoted(q document.Quote) {
	words := ""
	switch {
	case q.Role == document.Verbatim:
		r.printf("<pre dir=\"auto\">%s</pre>\n", escLines(q.Text))
		return
	case q.Marks != nil:
		words = marked(q)
	default:
		words = cited(escLines(q.Text), q.Cites)
	}
	r.printf("<p%s dir=\"auto\">%s</p>\n", classes("prose", string(q.Role)), words)
}

// escLines returns an escaped text with its line breaks.
func escLines(s string) string { return template.HTMLEscapeString(textkit.Visible(s)) }

var citation = lazyregexp.New(`\[\d{1,3}\]`)

// cited turns the citations in an escaped text into buttons that lead to a passage.
func cited(words string, passages int) string {
	if passages == 0 {
		return words
	}
	return citation().ReplaceAllStringFunc(words, func(s string) string {
		rank, err := strconv.Atoi(s[1 : len(s)-1])
		if err != nil || rank < 1 || rank > passages {
			return s
		}
		return `<button type="button" class="cite" data-rank="` + strconv.Itoa(rank) + `">` + s + "</button>"
	})
}

func (r *renderer) passages(p document.Passages) {
	class := ""
	if p.Cited {
		class = ` class="cited"`
	}
	r.printf("<ol%s>", class)
	for _, x := range p.Items {
		r.printf(`<li><div class="source" dir="auto">%s`, esc(x.Name))
		for _, s := range []string{x.Title, x.Score, x.Note} {
			if s != "" {
				r.printf(" · %s", esc(s))
			}
		}
		if x.Relevance != "" {
			class := "mark none"
			if x.Mark == document.Good {
				class = "mark good"
			}
			r.printf(` <span class="%s">%s</span>`, class, esc(x.Relevance))
		}
		r.printf("</div>")
		r.passageText(x)
		r.printf("</li>\n")
	}
	if p.Left > 0 {
		r.printf("<li>%s</li>", esc(r.more(p.Left)))
	}
	r.printf("</ol>\n")
}

// passageText writes the text of a passage. A long one is folded, unless words of it are
// marked.
func (r *renderer) passageText(x document.Passage) {
	q := document.Quote{Text: x.Text, Marks: x.Marks}
	switch {
	case x.Text == "":
	case x.Marks != nil || utf8.RuneCountInString(x.Text) < longPassage:
		r.quote(q)
	default:
		r.printf("<details><summary dir=\"auto\">%s</summary>", esc(document.Clip(document.Line(x.Text), folded)))
		r.quote(q)
		r.printf("</details>")
	}
}

// transcript strikes out words of the reference that are missing and underlines
// words that were added.
func (r *renderer) transcript(t document.Transcript) {
	r.printf(`<p class="heard" dir="auto">`)
	for i, p := range t.Pieces {
		if i > 0 {
			r.printf(" ")
		}
		if p.Same {
			r.printf("%s", esc(p.Hyp))
			continue
		}
		if p.Ref != "" {
			r.printf("<del>%s</del> ", esc(p.Ref))
		}
		if p.Hyp != "" {
			r.printf("<ins>%s</ins>", esc(p.Hyp))
		}
	}
	r.printf("</p>\n")
}
