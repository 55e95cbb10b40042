package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
)

// A file is a reply with its own media type.
type file struct {
	Type        string `header:"Content-Type"`
	Disposition string `header:"Content-Disposition"`
	Body        []byte
}

// A written is a report that is sent as it is read.
type written struct {
	Type        string `header:"Content-Type"`
	Disposition string `header:"Content-Disposition"`
	Policy      string `header:"Content-Security-Policy"`
	Language    string `header:"Content-Language"`
	Vary        string `header:"Vary"`
	Tag         string `header:"ETag"`
	Body        func(huma.Context)
}

// A Seen is the request header with the tags of the reports that a client has.
type Seen struct {
	Tags string `header:"If-None-Match" doc:"tag of the report that the client has: if it is still the report, the reply is 304 without it"`
}

// has reports whether the client has the report with the tag.
func (s Seen) has(tag string) bool { return tag != "" && hasTag(s.Tags, tag) }

// pagePolicy lets an HTML report run its inline styles and scripts and reach
// nothing else. A policy in the page's head says the same.
const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri " +
	"'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts"

// reports adds the report of a run in every format.
func (s *Server) reports() {
	for _, f := range report.Formats {
		as := func(op *huma.Operation) {
			op.Path, op.OperationID, op.Summary = op.Path+f.Ext, op.OperationID+strings.ReplaceAll(f.Ext, ".", "-"), op.Summary+" "+f.Name
			op.Responses = files(f.Media)
			op.Responses["304"] = &huma.Response{Description: "the client has the report"}
		}
		if !f.Prose {
			register(s, "report", func(ctx context.Context, in *ReportPath) (*written, error) {
				return s.written(ctx, f, in.ID, "", in.Seen)
			}, as)
			continue
		}
		register(s, "report", func(ctx context.Context, in *proseInput) (*written, error) {
			language := string(in.Language)
			if language == "" {
				language = report.Accept(in.Accept, s.cfg.Settings.Language)
			}
			out, err := s.written(ctx, f, in.ID, language, in.Seen)
			if out != nil {
				out.Language, out.Vary = language, "Accept-Language"
			}
			return out, err
		}, as)
	}
}

// written returns the report of a run in a format. The error is a problem.
func (s *Server) written(ctx context.Context, f report.Format, id, language string, has Seen) (*written, error) {
	h, err := s.header(ctx, id)
	if err != nil {
		return nil, err
	}
	if len(h.Metrics) == 0 {
		return nil, conflict("the run has not started: nothing to report")
	}
	out := &written{Type: f.Media}
	switch mediaType(f.Media) {
	case "text/html":
		out.Policy = pagePolicy
	case "application/json":
	default:
		out.Disposition = `attachment; filename="` + h.ID + f.Ext + `"`
	}
	key, err := s.reportKey(ctx, h, f.Name, language)
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return s.render(ctx, out, key, has, func(w io.Writer) error {
		rep, err := s.report(ctx, h)
		if err != nil {
			return err
		}
		return f.Write(w, rep, report.Options{Language: language, Strict: rep.Strict()})
	})
}

// render completes a reply with what write writes, or with what was kept of it under the
// key; "" is not kept. The error is a problem.
func (s *Server) render(
	ctx context.Context, out *written, key string, has Seen, write func(io.Writer) error,
) (*written, error) {
	release, err := s.renders.take(ctx)
	if err != nil {
		return nil, err
	}
	if key != "" {
		out.Tag = `W/"` + key + `"`
	}
	if has.has(out.Tag) {
		release()
		out.Body = func(ctx huma.Context) { ctx.SetStatus(http.StatusNotModified) }
		return out, nil
	}
	text, size, done, err := s.rendered.of(ctx, key, write)
	if err != nil {
		release()
		return nil, s.fail(ctx, err)
	}
	out.Body = func(ctx huma.Context) {
		defer release()
		defer done()
		ctx.SetHeader("Content-Length", strconv.FormatInt(size, 10))
		if key != "" {
			// A client may keep the report and asks whether it is still that.
			ctx.SetHeader("Cache-Control", "private, no-cache")
		}
		ctx.SetStatus(http.StatusOK)
		_, _ = io.Copy(ctx.BodyWriter(), text) // the client sees that it is short
	}
	return out, nil
}

// reportKey returns a name for all that the report of a finished run rests on: the run,
// its records, the format, the language and the program. It is "" if the report may differ
// when it is written again.
func (s *Server) reportKey(ctx context.Context, h assay.Header, format, language string) (string, error) {
	if h.State != stateFinished {
		return "", nil
	}
	n, err := s.store.Counts(ctx, h.ID)
	if err != nil {
		return "", err
	}
	head, err := json.Marshal(h)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, part := range []string{s.cfg.World.Version, format, language, strconv.Itoa(n.Records), string(head)} {
		fmt.Fprintf(sum, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16]), nil
}

// ReportPath identifies a report.
type ReportPath struct {
	RunPath
	Seen
}

// proseInput identifies a report in prose, with its language.
type proseInput struct {
	ReportPath
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

// files describes a reply of a media type.
func files(kind string) map[string]*huma.Response {
	return map[string]*huma.Response{
		"200": {Description: "OK", Content: map[string]*huma.MediaType{mediaType(kind): {Schema: fileSchema(kind)}}},
	}
}

// jsonFiles describes a reply in JSON with the members of a format.
func jsonFiles(format string) map[string]*huma.Response {
	return map[string]*huma.Response{
		"200": {Description: "OK", Content: map[string]*huma.MediaType{"application/json": {Schema: membersOf(format)}}},
	}
}

// mediaType is a media type without its parameters.
func mediaType(kind string) string {
	kind, _, _ = strings.Cut(kind, ";")
	return kind
}

func fileSchema(kind string) *huma.Schema {
	if mediaType(kind) == "application/json" {
		// A report: its members are told.
		return membersOf("report")
	}
	return &huma.Schema{Type: huma.TypeString}
}
