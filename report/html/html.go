// Package html renders documents as one page that needs nothing else: styles,
// scripts and plots are inside, and a policy in its head forbids every request.
package html

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"strings"
	"sync"

	"github.com/assay-eval/assay/internal/lazyregexp"
	textkit "github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/report/document"
)

//go:embed assets
var assets embed.FS

// templates returns the templates, parsed at the first use.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(functions).ParseFS(assets, "assets/*.tmpl"))
})

// Write writes the page of a document.
func Write(w io.Writer, d *document.Document) error {
	style := asset("style.css")
	p := page{Document: d, Style: template.CSS(style)}
	r := newRenderer(d, Links{Case: func(id string) string { return "#case=" + url.PathEscape(textkit.Visible(id)) }})
	for _, s := range d.For(document.Page) {
		if !s.Sub {
			if nav := cmp.Or(s.Nav, s.Title); nav != "" {
				p.Nav = append(p.Nav, link{s.ID, document.Line(nav)})
			}
		}
		r.section(s)
	}
	r.end()
	if r.err != nil {
		return r.err
	}
	p.Body = template.HTML(r.b.String())
	scripts := "'none'"
	if r.script != "" {
		code := "(() => {\n\"use strict\";\n" + asset("table.js") + asset("detail.js") + asset(r.script) + "})();\n"
		p.Script = template.JS(code)
		scripts = "'" + digest(code) + "'"
	}
	p.Policy = fmt.Sprintf("default-src 'none'; script-src %s; style-src '%s'; img-src data:; base-uri 'none'; form-action 'none'",
		scripts, digest(style))
	return templates().ExecuteTemplate(w, "page.html.tmpl", p)
}

// Links are the addresses to which a part of a page leads.
type Links struct {
	// Case returns the address of a case by its id.
	Case func(id string) string
	// Query returns the address of the cases that a filter selects; nil if the page has none.
	Query func(filter string) string
}

// Sections writes some sections of a document, as a part of a page that has the sheet of
// [Style]. Tables of cases ([document.Lookup]) need a page of their own.
func Sections(w io.Writer, d *document.Document, sections []document.Section, links Links) error {
	r := newRenderer(d, links)
	for _, s := range sections {
		r.section(s)
	}
	r.end()
	return r.write(w)
}

// Head writes what stands below the title of a document: its headline, its state and the
// figures at a glance.
func Head(w io.Writer, d *document.Document) error {
	if err := templates().ExecuteTemplate(w, "headline", d); err != nil {
		return err
	}
	return templates().ExecuteTemplate(w, "cards", d)
}

// Blocks writes some blocks of a document, as [Sections] does.
func Blocks(w io.Writer, d *document.Document, blocks []document.Block, links Links) error {
	r := newRenderer(d, links)
	r.b.WriteString(string(r.Page(blocks)))
	return r.write(w)
}

// Text renders a line of a document.
func Text(t document.Text, links Links) template.HTML { return (&renderer{links: links}).Text(t) }

// Style returns the style sheet of all pages.
func Style() string { return asset("style.css") }

// colours are the blocks of the sheet that name the colours, for light and for dark.
var colours = lazyregexp.New(`(?s):root \{(.*?)\n *\}`)

// Themes returns rules that follow the sheet of [Style], by which a page with the attribute
// data-theme "light" or "dark" has these colours whatever the system has.
func Themes() string {
	var b strings.Builder
	for i, block := range colours().FindAllStringSubmatch(Style(), 2) {
		theme := []string{"light", "dark"}[i]
		fmt.Fprintf(&b, ":root[data-theme=%s] { %s color-scheme: %s; }\n", theme, block[1], theme)
	}
	return b.String()
}

// A page is the data of the template.
type page struct {
	*document.Document
	Policy string
	Style  template.CSS
	Script template.JS
	Nav    []link
	Body   template.HTML
}

type link struct{ ID, Text string }

func asset(name string) string {
	b, err := assets.ReadFile("assets/" + name)
	if err != nil { // the file is inside the program
		panic(err)
	}
	return string(b)
}

// digest names an inline text in a content security policy.
func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
