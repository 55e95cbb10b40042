// Package html renders documents as one page that needs nothing else: styles,
// scripts and plots are inside, and a policy in its head forbids every request.
package html

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"github.com/assay-eval/assay/report/document"
)

//go:embed assets
var assets embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{"line": document.Line, "text": text}).ParseFS(assets,
	"assets/*.tmpl"))

// Write writes the page of a document.
func Write(w io.Writer, d *document.Document) error {
	style := asset("style.css")
	p := page{Document: d, Style: template.CSS(style)}
	r := &renderer{more: d.More, colon: d.Colon, holds: d.Holds()}
	for _, s := range d.For(document.Page) {
		if !s.Sub {
			nav := s.Nav
			if nav == "" {
				nav = s.Title
			}
			if nav != "" {
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
	return templates.ExecuteTemplate(w, "page.html.tmpl", p)
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
