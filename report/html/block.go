package html

import (
	"fmt"
	"html/template"
	"io"
	"strings"
	"unicode/utf8"

	textkit "github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/report/document"
)

// A renderer gathers the sections of a page; the first error is kept. Its exported methods are
// called by the templates.
type renderer struct {
	b    strings.Builder
	more func(int) string
	// Colon stands between a title and its word.
	Colon string
	// script names the asset that the page needs; "" for none.
	script string
	// holds reports whether a case is on the page; nil if all are.
	holds func(id string) bool
	links Links
	open  bool
	err   error
}

// A part is what a template renders of a page: a section, a block or a cell.
type part struct {
	*renderer
	Block any
}

func newRenderer(d *document.Document, links Links) *renderer {
	return &renderer{more: d.More, Colon: d.Colon, holds: d.Holds(), links: links}
}

// write writes what was rendered.
func (r *renderer) write(w io.Writer) error {
	if r.err != nil {
		return r.err
	}
	_, err := io.WriteString(w, r.b.String())
	return err
}

func (r *renderer) section(s document.Section) {
	if s.Sub {
		r.b.WriteString(string(r.execute("subsection", s)))
		return
	}
	r.end()
	r.open = true
	r.b.WriteString(string(r.execute("section", s)))
}

// end closes the section that is open.
func (r *renderer) end() {
	if r.open {
		r.b.WriteString("</section>\n")
	}
	r.open = false
}

func (r *renderer) execute(name string, block any) template.HTML {
	var b strings.Builder
	if err := templates().ExecuteTemplate(&b, name, r.With(block)); err != nil && r.err == nil {
		r.err = err
	}
	return template.HTML(b.String())
}

// With returns what the template of a part of a block gets.
func (r *renderer) With(block any) part { return part{r, block} }

// Blocks renders blocks one after the other.
func (r *renderer) Blocks(blocks []document.Block) template.HTML {
	var b strings.Builder
	for _, one := range blocks {
		b.WriteString(string(r.One(one)))
	}
	return template.HTML(b.String())
}

// Page renders the blocks that a page shows.
func (r *renderer) Page(blocks []document.Block) template.HTML {
	return r.Blocks(document.Visible(blocks, document.Page))
}

// One renders a block by the template of its type. A block of no such type is not for pages.
func (r *renderer) One(b document.Block) template.HTML {
	if l, ok := b.(document.Lookup); ok {
		r.script = l.Script
	}
	name := fmt.Sprintf("%T", b)
	if templates().Lookup(name) == nil {
		return ""
	}
	return r.execute(name, b)
}

// More says that n are left out.
func (r *renderer) More(n int) string { return r.more(n) }

// Text renders the spans of a text.
func (r *renderer) Text(t document.Text) template.HTML {
	var b strings.Builder
	for _, s := range t {
		words := template.HTMLEscapeString(document.Spaced(s.Text))
		switch s.Style {
		case document.Code:
			words = "<code>" + words + "</code>"
		case document.Strong:
			words = "<b>" + words + "</b>"
		case document.Dim:
			words = `<span class="dim">` + words + "</span>"
		case document.Verdict:
			words = strings.TrimSpace(`<b class="verdict `+markClass(s.Mark)) + `">` + words + "</b>"
		case document.CaseID:
			words = r.caseLink(s.Text)
		case document.Metric:
			words = `<span class="title">` + string(esc(s.Title)) + "</span>"
			if s.Estimate {
				words += " ≈"
			}
			for _, note := range s.Notes {
				words += ` <span class="dim">` + string(esc(note)) + "</span>"
			}
		}
		b.WriteString(words)
	}
	return template.HTML(b.String())
}

// caseLink links to a case.
func (r *renderer) caseLink(id string) string {
	if r.links.Case == nil {
		return string(esc(id))
	}
	return fmt.Sprintf(`<a href="%s">%s</a>`, template.HTMLEscapeString(r.links.Case(id)), esc(id))
}

// Query returns the address of the cases that a filter selects; "" if there is none.
func (r *renderer) Query(filter string) string {
	if filter == "" || r.links.Query == nil {
		return ""
	}
	return r.links.Query(filter)
}

// mostLinks bounds the ids of cases behind a cell.
const mostLinks = 20

// Cases renders ids of cases. Those to which the page can link come first.
func (r *renderer) Cases(ids []string) []template.HTML {
	var here, away []template.HTML
	for _, id := range ids {
		if r.holds == nil || r.holds(id) {
			here = append(here, template.HTML(r.caseLink(id)))
		} else {
			away = append(away, esc(id))
		}
	}
	all := append(here, away...)
	if n := len(all) - mostLinks; n > 0 {
		all = append(all[:mostLinks], template.HTML(fmt.Sprintf("… +%d", n)))
	}
	return all
}

// A passage of longPassage characters or more is folded; its first folded
// characters are shown.
const longPassage, folded = 700, 220

// Passage renders the text of a passage. A long one is folded, unless words of it are marked.
func (r *renderer) Passage(x document.Passage) template.HTML {
	if x.Text == "" {
		return ""
	}
	words := r.Quote(document.Quote{Text: x.Text, Marks: x.Marks})
	if x.Marks != nil || utf8.RuneCountInString(x.Text) < longPassage {
		return words
	}
	return `<details><summary dir="auto">` + esc(document.Clip(document.Line(x.Text), folded)) + "</summary>" + words + "</details>"
}

// LongText is the length in bytes from which the rest of a text is folded: browsers take
// seconds to lay out a megabyte.
const LongText = 20_000

// Quote renders a text with its line breaks. The rest of a very long one is folded.
func (r *renderer) Quote(q document.Quote) template.HTML {
	if len(q.Text) <= LongText {
		return quoted(q)
	}
	end := LongText
	for !utf8.RuneStart(q.Text[end]) {
		end--
	}
	first, rest := q, document.Quote{Text: q.Text[end:], Role: q.Role, Cites: q.Cites}
	first.Text = q.Text[:end]
	first.Marks, rest.Marks = splitMarks(q.Marks, end)
	return quoted(first) + "<details><summary>" + esc(r.more(utf8.RuneCountInString(rest.Text))) + "</summary>" + quoted(rest) + "</details>\n"
}

func quoted(q document.Quote) template.HTML {
	words := ""
	switch {
	case q.Role == document.Verbatim:
		return template.HTML(`<pre dir="auto">` + escLines(q.Text) + "</pre>\n")
	case q.Marks != nil:
		words = marked(q)
	default:
		words = cited(escLines(q.Text), q.Cites)
	}
	return template.HTML(fmt.Sprintf("<p%s dir=\"auto\">%s</p>\n", classes("prose", string(q.Role)), words))
}

// esc returns a text as one escaped line.
func esc(s string) template.HTML { return template.HTML(template.HTMLEscapeString(document.Line(s))) }

// escLines returns an escaped text with its line breaks.
func escLines(s string) string { return template.HTMLEscapeString(textkit.Visible(s)) }
