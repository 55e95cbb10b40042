package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The parameter of an address that asks for the page as one file, and its value.
const (
	asName = "as"
	asFile = "file"
)

// unsaved are the templates of pages that show nothing to keep.
var unsaved = []string{"settings", "signin", "search", "views", "error", "choose", "new", "label", "editpoints"}

// fileAddress is where a reader gets what a page shows as one file, "" if nowhere.
func fileAddress(r *request, v view) string {
	switch {
	case v.File != "":
		return v.File
	case v.Status != 0 || slices.Contains(unsaved, v.Template):
		return ""
	}
	return r.URL.Path + r.values.with("page", r.values.Get("page"), asName, asFile)
}

// A savedPage is what the template of a saved page gets.
type savedPage struct {
	frame
	Style  template.CSS
	Policy string
	// From is the address of the page, Filter the filter that it states.
	From, Filter, At string
}

// save writes the body of a page as one file that needs no server: without what acts, with
// the style sheets in it, and with links to where the page was.
func (p *Pages) save(w http.ResponseWriter, r *request, f frame, body []byte) error {
	scheme := "http"
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	base := scheme + "://" + r.Host
	kept, err := still(body, base)
	if err != nil {
		return err
	}
	f.Body = template.HTML(kept)
	style := string(p.static.files["report.css"]) + string(p.static.files["web.css"])
	sum := sha256.Sum256([]byte(style))
	page := savedPage{
		frame: f, Style: template.CSS(style),
		Policy: "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'",
		From:   base + r.URL.Path + r.values.with("page", r.values.Get("page")),
		Filter: strings.TrimSpace(r.values.Get("q")), At: p.cfg.Now().UTC().Format(time.DateTime) + " UTC",
	}
	var out bytes.Buffer
	if err := p.pages.ExecuteTemplate(&out, "saved", page); err != nil {
		return err
	}
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", fileName(f.Template+" "+f.Title)))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Language", f.Lang)
	// A reader who has gone is nobody's error.
	_, _ = w.Write(out.Bytes())
	return nil
}

// fileName makes the name of a file of a title.
func fileName(title string) string {
	parts := strings.FieldsFunc(title, func(c rune) bool {
		return c >= 0x80 || !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-", c)
	})
	name := "assay-" + strings.Join(parts, "-")
	return name[:min(len(name), 80)] + ".html"
}

// The parts of a page that only act: these elements, and those of these classes.
var (
	acting       = []atom.Atom{atom.Script, atom.Button, atom.Input, atom.Select, atom.Textarea, atom.Nav, atom.Aside, atom.Dialog, atom.Progress}
	actingNames  = []string{"case-map", "run-live"}
	actingClass  = []string{"filters", "columns", "actions", "classes", "choose", "mark-run"}
	actingAttrs  = []string{"data-part", "data-rows", "aria-keyshortcuts", "aria-sort", "tabindex"}
	leadingAttrs = []string{"href", "action"}
)

// still returns the elements of a page without those that act, and with links that lead to the
// server at base.
func still(body []byte, base string) ([]byte, error) {
	top := &html.Node{Type: html.ElementNode, Data: "main", DataAtom: atom.Main}
	nodes, err := html.ParseFragment(bytes.NewReader(body), top)
	if err != nil {
		return nil, err
	}
	for _, n := range nodes {
		top.AppendChild(n)
	}
	keepStill(top, base)
	var out bytes.Buffer
	for n := range top.ChildNodes() {
		if err := html.Render(&out, n); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

func keepStill(n *html.Node, base string) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		switch {
		case c.Type == html.ElementNode && acts(c) && !isCitation(c):
			n.RemoveChild(c)
		case c.Type == html.ElementNode && (c.DataAtom == atom.Form || isCitation(c)):
			// What a form surrounds is shown, and a citation is a part of a text.
			keepStill(c, base)
			for c.FirstChild != nil {
				inner := c.FirstChild
				c.RemoveChild(inner)
				n.InsertBefore(inner, c)
			}
			n.RemoveChild(c)
		default:
			lead(c, base)
			keepStill(c, base)
		}
		c = next
	}
}

// isCitation reports whether an element is a citation within a text.
func isCitation(n *html.Node) bool {
	return n.DataAtom == atom.Button && slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "class" && a.Val == "cite" })
}

// acts reports whether an element only acts.
func acts(n *html.Node) bool {
	if slices.Contains(acting, n.DataAtom) || slices.Contains(actingNames, n.Data) {
		return true
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "class":
			if slices.ContainsFunc(strings.Fields(a.Val), func(c string) bool { return slices.Contains(actingClass, c) }) {
				return true
			}
		case "role":
			if a.Val == "search" {
				return true
			}
		}
	}
	return false
}

// lead makes the links of an element lead to the server.
func lead(n *html.Node, base string) {
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return slices.Contains(actingAttrs, a.Key) })
	for i, a := range n.Attr {
		if slices.Contains(leadingAttrs, a.Key) && local(a.Val) != "" {
			n.Attr[i].Val = base + a.Val
		}
	}
}
