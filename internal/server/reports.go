package server

import (
	"bytes"
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay/report"
)

// A file is a reply with its own media type.
type file struct {
	Type        string `header:"Content-Type"`
	Disposition string `header:"Content-Disposition"`
	Policy      string `header:"Content-Security-Policy"`
	Language    string `header:"Content-Language"`
	Vary        string `header:"Vary"`
	Body        []byte
}

// pagePolicy lets an HTML report run its inline styles and scripts and reach
// nothing else. A policy in the page's head says the same.
const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri " +
	"'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts"

// reports adds the report of a run in every format.
func (s *Server) reports(api huma.API) {
	for _, f := range report.Formats {
		op := operation("runs", http.MethodGet, "/runs/{run_id}/report"+f.Ext, reportID(f), "The report of a run as "+f.Name)
		op.Responses = files(f.Media)
		written := func(ctx context.Context, id, language string) (*file, error) {
			h, err := s.header(ctx, id)
			if err != nil {
				return nil, err
			}
			if len(h.Metrics) == 0 {
				return nil, conflict("the run has not started: nothing to report")
			}
			release, err := s.renders.take(ctx)
			if err != nil {
				return nil, err
			}
			defer release()
			rep, err := s.report(ctx, h)
			if err != nil {
				return nil, s.fail(ctx, err)
			}
			var b bytes.Buffer
			if err := f.Write(&b, rep, report.Options{Language: language}); err != nil {
				return nil, s.fail(ctx, err)
			}
			out := &file{Type: f.Media, Body: b.Bytes()}
			switch mediaType(f.Media) {
			case "text/html":
				out.Policy = pagePolicy
			case "application/json":
			default:
				out.Disposition = `attachment; filename="` + h.ID + f.Ext + `"`
			}
			return out, nil
		}
		if !f.Prose {
			huma.Register(api, op, func(ctx context.Context, in *RunPath) (*file, error) { return written(ctx, in.ID, "") })
			continue
		}
		huma.Register(api, op, func(ctx context.Context, in *proseInput) (*file, error) {
			language := string(in.Language)
			if language == "" {
				language = report.Accept(in.Accept, s.cfg.Settings.Language)
			}
			out, err := written(ctx, in.ID, language)
			if out != nil {
				out.Language, out.Vary = language, "Accept-Language"
			}
			return out, err
		})
	}
}

// proseInput identifies a report in prose, with its language.
type proseInput struct {
	RunPath
	Language language `query:"language" doc:"language of the report (default: the first of Accept-Language that there is)"`
	Accept   string   `header:"Accept-Language" doc:"languages in the order of preference"`
}

// A language is the code of one that reports can be written in.
type language string

// Schema lists the languages.
func (language) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, code := range report.Languages() {
		s.Enum = append(s.Enum, code)
	}
	return s
}

// reportID is the operation id of a report, such as "report-md".
func reportID(f report.Format) string { return "report" + strings.ReplaceAll(f.Ext, ".", "-") }

// files describes a reply of a media type.
func files(kind string) map[string]*huma.Response {
	return map[string]*huma.Response{
		"200": {Description: "OK", Content: map[string]*huma.MediaType{mediaType(kind): {Schema: fileSchema(kind)}}},
	}
}

// mediaType is a media type without its parameters.
func mediaType(kind string) string {
	kind, _, _ = strings.Cut(kind, ";")
	return kind
}

func fileSchema(kind string) *huma.Schema {
	if mediaType(kind) == "application/json" {
		return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
	}
	return &huma.Schema{Type: huma.TypeString}
}
