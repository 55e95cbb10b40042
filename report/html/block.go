package html

import (
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/assay-eval/assay/report/document"
)

// A renderer gathers the sections of a page; the first error is kept.
type renderer struct {
	b    strings.Builder
	more func(int) string
	// colon stands between a title and its word.
	colon string
	// script names the asset that the page needs; "" for none.
	script string
	// holds reports whether a case is on the page; nil if all are.
	holds func(id string) bool
	links Links
	open  bool
	err   error
}

func newRenderer(d *document.Document, links Links) *renderer {
	return &renderer{more: d.More, colon: d.Colon, holds: d.Holds(), links: links}
}

// write writes what was rendered.
func (r *renderer) write(w io.Writer) error {
	if r.err != nil {
		return r.err
	}
	_, err := io.WriteString(w, r.b.String())
	return err
}

func (r *renderer) printf(format string, args ...any) { fmt.Fprintf(&r.b, format, args...) }

// esc returns a text as one escaped line.
func esc(s string) string { return template.HTMLEscapeString(document.Line(s)) }

func (r *renderer) section(s document.Section) {
	if s.Sub {
		if s.Title != "" {
			r.printf("<h3>%s</h3>\n", esc(s.Title))
		}
		r.blocks(s.Blocks)
		return
	}
	r.end()
	r.open = true
	class := ""
	if s.Word != nil {
		class = ` class="` + esc(s.ID) + " " + markClass(s.Word.Mark) + `"`
	}
	r.printf("\n<section id=\"%s\"%s>\n", esc(s.ID), class)
	if s.Title != "" {
		title := esc(s.Title)
		if s.Word != nil {
			title += r.colon + "<b>" + esc(s.Word.Text) + "</b>"
		}
		r.printf("<h2>%s</h2>\n", title)
	}
	r.blocks(s.Blocks)
}

// end closes the section that is open.
func (r *renderer) end() {
	if r.open {
		r.printf("</section>\n")
	}
	r.open = false
}

func (r *renderer) blocks(blocks []document.Block) {
	for _, b := range blocks {
		r.block(b)
	}
}

func (r *renderer) block(b document.Block) {
	switch b := b.(type) {
	case document.Paragraph:
		r.printf("<p%s>%s</p>\n", kindClass(b.Kind), r.text(b.Text))
	case document.List:
		r.list(b)
	case document.Facts:
		r.printf("<dl class=\"facts\">\n")
		for _, f := range b.Items {
			r.printf("<dt>%s</dt>", esc(f.Name))
			for _, l := range f.Lines {
				r.printf("<dd>%s</dd>", r.text(l))
			}
			r.printf("\n")
		}
		r.printf("</dl>\n")
	case document.Figure:
		r.printf("<figure>%s", b.Plot.SVG())
		if b.Caption != nil {
			r.printf("<figcaption>%s</figcaption>", r.text(b.Caption))
		}
		r.printf("</figure>\n")
	case document.Fold:
		r.printf("<details><summary>%s</summary>\n", esc(b.Title))
		r.blocks(b.Blocks)
		r.printf("</details>\n")
	case document.Beside:
		r.printf("<div class=\"pair\">\n")
		for _, inner := range b.Blocks {
			r.printf("<div>\n")
			r.block(inner)
			r.printf("</div>\n")
		}
		r.printf("</div>\n")
	case document.Table:
		r.table(b)
	case document.Labelled:
		r.labelled(b)
	case document.Quote:
		r.quote(b)
	case document.Passages:
		r.passages(b)
	case document.Claims:
		r.claims(b)
	case document.Transcript:
		r.transcript(b)
	case document.Lookup:
		r.lookup(b)
	}
}

func (r *renderer) list(l document.List) {
	tag := "ul"
	if l.Ordered {
		tag = "ol"
	}
	r.printf("<%s%s>", tag, kindClass(l.Kind))
	for _, item := range l.Items {
		r.printf("<li>%s", r.text(item.Text))
		if item.Sub != nil {
			r.printf("<ul>")
			for _, s := range item.Sub {
				r.printf("<li>%s</li>", r.text(s))
			}
			r.printf("</ul>")
		}
		r.printf("</li>\n")
	}
	r.printf("</%s>\n", tag)
}

func kindClass(k document.Kind) string {
	return map[document.Kind]string{document.Finding: ` class="findings"`, document.Note: ` class="note"`}[k]
}

func markClass(m document.Mark) string {
	return map[document.Mark]string{document.Good: "pass", document.Bad: "fail", document.Unsure: "unsure"}[m]
}

// text renders the spans of a text.
func (r *renderer) text(t document.Text) template.HTML {
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
			words = `<span class="title">` + esc(s.Title) + "</span>"
			if s.Estimate {
				words += " ≈"
			}
			for _, note := range s.Notes {
				words += ` <span class="dim">` + esc(note) + "</span>"
			}
		}
		b.WriteString(words)
	}
	return template.HTML(b.String())
}

// caseLink links to a case.
func (r *renderer) caseLink(id string) string {
	if r.links.Case == nil {
		return esc(id)
	}
	return fmt.Sprintf(`<a href="%s">%s</a>`, template.HTMLEscapeString(r.links.Case(id)), esc(id))
}
