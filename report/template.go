package report

import (
	"embed"
	"encoding/json"
	"encoding/xml"
	"strings"
	"sync"
	"text/template"

	"github.com/assay-eval/assay/report/markdown"
)

//go:embed templates
var templateFiles embed.FS

// templates returns the templates of formats that are text, parsed at the first use.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"line": line, "attr": xmlEscaped, "inline": markdown.Inline, "code": markdown.Code,
		"json": func(v any) (string, error) { b, err := json.Marshal(v); return string(b), err },
		// Lines of a text are lines of the file.
		"content": func(s string) string { return strings.ReplaceAll(xmlEscaped(s), "&#xA;", "\n") },
	}).ParseFS(templateFiles, "templates/*.tmpl"))
})

// xmlEscaped returns a text for XML. What XML cannot represent becomes U+FFFD.
func xmlEscaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a builder takes everything
	return b.String()
}
