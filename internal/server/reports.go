package server

import (
	"bytes"
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay/report"
)

// A file is a reply with a type of its own.
type file struct {
	Type        string `header:"Content-Type"`
	Disposition string `header:"Content-Disposition"`
	Policy      string `header:"Content-Security-Policy"`
	Body        []byte
}

// reportFiles lists the reports of a run. An HTML report has its own styles and
// scripts inside, and a policy in its head that forbids every request; the header
// says the same, so that it may run at all and still reach nothing.
var reportFiles = []struct{ ext, format, kind, policy string }{
	{"md", "markdown", "text/markdown; charset=utf-8", ""},
	{"html", "html", "text/html; charset=utf-8", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts"},
	{"json", "json", "application/json", ""},
	{"csv", "csv", "text/csv; charset=utf-8", ""},
	{"xml", "junit", "application/xml", ""},
}

func (s *Server) reports(api huma.API) {
	for _, f := range reportFiles {
		op := operation("runs", http.MethodGet, "/runs/{run_id}/report."+f.ext, "report-"+f.ext, "The report of a run as "+f.format)
		op.Responses = files(f.kind)
		huma.Register(api, op, func(ctx context.Context, in *RunPath) (*file, error) {
			h, err := s.header(ctx, in.ID)
			if err != nil {
				return nil, err
			}
			if len(h.Metrics) == 0 {
				return nil, conflict("the run has not begun: there is nothing to report")
			}
			format, err := report.Lookup(f.format)
			if err != nil {
				return nil, s.fail(ctx, err)
			}
			rep, err := s.report(ctx, h)
			if err != nil {
				return nil, s.fail(ctx, err)
			}
			var b bytes.Buffer
			if err := format.Write(&b, rep, report.Options{}); err != nil {
				return nil, s.fail(ctx, err)
			}
			out := &file{Type: f.kind, Policy: f.policy, Body: b.Bytes()}
			if f.ext == "csv" || f.ext == "xml" || f.ext == "md" {
				out.Disposition = `attachment; filename="` + h.ID + "." + f.ext + `"`
			}
			return out, nil
		})
	}
}

// files describes a reply of a type.
func files(kind string) map[string]*huma.Response {
	return map[string]*huma.Response{"200": {Description: "OK", Content: map[string]*huma.MediaType{mediaType(kind): {Schema: fileSchema(kind)}}}}
}

func mediaType(kind string) string {
	for i, c := range kind {
		if c == ';' {
			return kind[:i]
		}
	}
	return kind
}

func fileSchema(kind string) *huma.Schema {
	if mediaType(kind) == "application/json" {
		return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
	}
	return &huma.Schema{Type: huma.TypeString}
}
