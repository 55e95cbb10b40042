package html

import (
	"cmp"
	"html/template"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/report/document"
)

// functions are what the templates call besides the methods of the renderer.
var functions = template.FuncMap{
	"line": document.Line, "esc": esc, "text": func(t document.Text) template.HTML { return Text(t, Links{}) },
	"class": classes, "mark": markClass, "column": columnClass, "cellClass": cellClass, "lookupClass": lookupClass, "label": label,
	"kind": func(k document.Kind) string {
		return map[document.Kind]string{document.Finding: "findings", document.Note: "note"}[k]
	},
	"rank": func(r document.Rank) string {
		return map[document.Rank]string{document.First: "first", document.End: "end", document.Whole: "whole"}[r]
	},
	"relevance": func(m document.Mark) string {
		if m == document.Good {
			return "good"
		}
		return "none"
	},
	"add":   func(a, b int) int { return a + b },
	"order": func(v *float64) string { return strconv.FormatFloat(*v, 'g', -1, 64) },
	"claim": func(n int, c document.Claim) template.HTML {
		to := "claim-"
		if c.Said {
			to = "said-"
		}
		return template.HTML(number(n, "", to+strconv.Itoa(n), c.Label))
	},
	// broken lets a browser break the name of a metric.
	"broken": func(s string) template.HTML { return template.HTML(strings.ReplaceAll(string(esc(s)), "_", "_<wbr>")) },
}

// classes returns a class attribute, or "" without a class.
func classes(names ...string) template.HTMLAttr {
	var kept []string
	for _, n := range names {
		if n != "" {
			kept = append(kept, n)
		}
	}
	if kept == nil {
		return ""
	}
	return template.HTMLAttr(` class="` + strings.Join(kept, " ") + `"`)
}

func markClass(m document.Mark) string {
	return map[document.Mark]string{document.Good: "pass", document.Bad: "fail", document.Unsure: "unsure"}[m]
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

func cellClass(column document.Column, c document.Cell) template.HTMLAttr {
	bad, free := "", ""
	if c.Mark == document.Bad && c.Plot == nil {
		bad = "bad"
	}
	if c.Text == nil && c.Plot == nil && c.Cases == nil {
		free = "free"
	}
	return classes(columnClass(column), column.Role, bad, c.Shade, free)
}

func lookupClass(column document.Column, c document.Cell) template.HTMLAttr {
	folded := ""
	if column.Folded {
		folded = "folded"
	}
	mark := map[document.Mark]string{document.Bad: "bad", document.Unsure: "dim"}[c.Mark]
	return classes(columnClass(column), column.Role, folded, mark)
}

// label names the cells of a column on a narrow page, which has no head; "" for cells that need
// no name.
func label(c document.Column) string {
	if c.Plot > 0 || c.Role == "big" || c.Role == "status" {
		return ""
	}
	return document.Line(cmp.Or(c.Short, document.LowerFirst(document.Line(c.Head))))
}
