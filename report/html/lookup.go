package html

import (
	"strconv"
	"strings"

	"github.com/assay-eval/assay/report/document"
)

// lookup writes the form, the table of cases and the dialog for one case. Each
// row holds its case in a template element, which a browser parses and does not
// show.
func (r *renderer) lookup(l document.Lookup) {
	r.script = l.Script
	r.execute("lookup-head", l)
	r.printf("<table class=\"cases\" id=\"cases-table\"><thead><tr>")
	for _, c := range l.Columns {
		data := ""
		if c.Words {
			data += " data-text"
		}
		if c.Folded {
			data += " data-folded"
		}
		if c.Metric != "" {
			data += ` data-metric="` + esc(c.Metric) + `"`
		}
		if c.Group != "" {
			data += ` data-group="` + esc(c.Group) + `"`
		}
		r.printf(`<th scope="col" data-id="%s"%s%s><button type="button">%s</button></th>`, esc(c.ID), data, classes(columnClass(c), c.Role),
			strings.ReplaceAll(esc(c.Head), "_", "_<wbr>"))
	}
	r.printf("</tr></thead>\n<tbody>\n")
	for row := range l.Rows {
		r.printf(`<tr data-id="%s" data-is="%s" data-place="%d">`, esc(row.ID), esc(strings.Join(row.Is, " ")), row.Place)
		for i, c := range row.Cells {
			r.lookupCell(l.Columns[i], c, row)
		}
		r.printf("</tr>\n")
	}
	r.printf("</tbody></table>\n")
	r.execute("lookup-foot", l)
}

func (r *renderer) lookupCell(column document.Column, c document.Cell, row document.LookupRow) {
	mark := map[document.Mark]string{document.Bad: "bad", document.Unsure: "dim"}[c.Mark]
	folded, data := "", ""
	if column.Folded {
		folded, data = "folded", ` data-label="`+esc(column.Head)+`"`
	}
	if c.Order != nil {
		data += ` data-sort="` + strconv.FormatFloat(*c.Order, 'g', -1, 64) + `"`
	}
	r.printf("<td%s%s>", classes(columnClass(column), column.Role, folded, mark), data)
	switch column.Role {
	case "id":
		id := esc(row.ID)
		r.printf(`<button type="button" class="open" title="%s" aria-haspopup="dialog">%s</button><template>`, id, id)
		r.blocks(document.Visible(row.Case.Blocks, document.Page))
		r.printf("</template>")
	case "q":
		r.printf(`<span class="clamp" dir="auto">%s</span>`, r.text(c.Text))
		if c.Below != "" {
			r.printf(`<span class="tagline">%s</span>`, esc(c.Below))
		}
	default:
		r.printf("%s", r.text(c.Text))
		if c.Below != "" {
			r.printf("<small>%s</small>", esc(c.Below))
		}
	}
	r.printf("</td>")
}

func (r *renderer) execute(name string, data any) {
	if err := templates().ExecuteTemplate(&r.b, name, data); err != nil && r.err == nil {
		r.err = err
	}
}
