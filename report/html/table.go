package html

import (
	"cmp"
	"html/template"
	"strings"

	"github.com/assay-eval/assay/report/document"
)

// mostLinks bounds the ids of cases behind a cell.
const mostLinks = 20

func (r *renderer) table(t document.Table) {
	if t.Name != "" {
		r.printf("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">\n", esc(t.Name))
	}
	r.printf("<table class=\"%s\">\n<thead><tr>", esc(t.ID))
	for _, c := range t.Columns {
		if c.Head == "" { // a heading must not be empty
			r.printf(`<td%s></td>`, classes(columnClass(c)))
			continue
		}
		r.printf(`<th scope="col"%s>%s</th>`, classes(columnClass(c)), esc(c.Head))
	}
	r.printf("</tr></thead>\n<tbody>\n")
	for _, row := range t.Rows {
		r.printf("<tr%s>", classes(rankClass(row.Rank)))
		for k, c := range row.Cells {
			r.cell(t.Columns[k], c, k == 0)
		}
		r.printf("</tr>\n")
	}
	r.printf("</tbody>\n")
	if t.Foot != nil {
		r.printf("<tfoot><tr>")
		for k, c := range t.Foot {
			r.printf("<td%s>", classes(columnClass(t.Columns[k])))
			r.content(c)
			r.printf("</td>")
		}
		r.printf("</tr></tfoot>\n")
	}
	r.printf("</table>\n")
	if t.Name != "" {
		r.printf("</div>\n")
	}
}

// classes returns a class attribute, or "" without a class.
func classes(names ...string) string {
	var kept []string
	for _, n := range names {
		if n != "" {
			kept = append(kept, n)
		}
	}
	if kept == nil {
		return ""
	}
	return ` class="` + strings.Join(kept, " ") + `"`
}

func columnClass(c document.Column) string {
	switch {
	case c.Plot > 0:
		return "plotcol"
	case c.Words:
		return ""
	}
	return "num"
}

func rankClass(r document.Rank) string {
	return map[document.Rank]string{document.First: "first", document.End: "end", document.Whole: "whole"}[r]
}

func (r *renderer) cell(column document.Column, c document.Cell, first bool) {
	if c.Joined {
		return
	}
	if first {
		scope := ` scope="row"`
		if c.Span > 1 {
			scope = ""
		}
		r.printf("<th%s", scope)
		if c.Span > 0 {
			r.printf(` rowspan="%d"`, c.Span)
		}
		r.printf("%s>", classes(columnClass(column)))
		r.content(c)
		r.printf("</th>")
		return
	}
	bad, free := "", ""
	if c.Mark == document.Bad && c.Plot == nil {
		bad = "bad"
	}
	if c.Text == nil && c.Plot == nil && c.Cases == nil {
		free = "free"
	}
	r.printf("<td%s", classes(columnClass(column), column.Role, bad, c.Shade, free))
	if column.Plot == 0 && column.Role != "big" && column.Role != "status" {
		r.printf(` data-label="%s"`, esc(label(column)))
	}
	r.printf(">")
	r.content(c)
	r.printf("</td>")
}

// label names the cells of a column on a narrow page, which has no head.
func label(c document.Column) string {
	return cmp.Or(c.Short, document.LowerFirst(document.Line(c.Head)))
}

// content writes the content of a cell.
func (r *renderer) content(c document.Cell) {
	if c.Plot != nil {
		r.printf("%s", c.Plot.SVG())
	}
	if c.Query != "" && r.links.Query != nil {
		r.printf(`<a href="%s">%s</a>`, template.HTMLEscapeString(r.links.Query(c.Query)), r.text(c.Text))
	} else {
		r.printf("%s", r.text(c.Text))
	}
	if c.Below != "" {
		r.printf("<small>%s</small>", esc(c.Below))
	}
	if c.Fold == nil && c.Remarks == nil && c.Cases == nil {
		return
	}
	open, end := `<ul class="proof">`, "</ul>"
	if c.FoldTitle != "" {
		open, end = "<details><summary>"+esc(c.FoldTitle)+"</summary><ul>", "</ul></details>"
	}
	r.printf("%s", open)
	for _, x := range c.Remarks {
		r.printf("<li>%s</li>", esc(x.Alone))
	}
	for _, x := range c.Fold {
		r.printf("<li>%s</li>", esc(x))
	}
	for i, id := range r.heldFirst(c.Cases) {
		switch {
		case i == mostLinks:
			r.printf("<li>… +%d</li>", len(c.Cases)-i)
		case i > mostLinks:
		case r.holds == nil || r.holds(id):
			r.printf("<li>%s</li>", r.caseLink(id))
		default:
			r.printf("<li>%s</li>", esc(id))
		}
	}
	r.printf("%s", end)
}

// heldFirst returns ids of cases with those first to which the page can link.
func (r *renderer) heldFirst(ids []string) []string {
	if r.holds == nil {
		return ids
	}
	var here, away []string
	for _, id := range ids {
		if r.holds(id) {
			here = append(here, id)
		} else {
			away = append(away, id)
		}
	}
	return append(here, away...)
}
