package server

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
)

//go:embed assets
var assets embed.FS

// document completes the OpenAPI description. It and the reference page are rendered when
// they are first asked for, since that takes longer than the rest of the start.
func (s *Server) document() error {
	nullable(s.api.OpenAPI().Components.Schemas)
	problems(s.api.OpenAPI().Components.Schemas)
	s.contract = sync.OnceValues(func() ([]byte, error) { return json.Marshal(s.api.OpenAPI()) })
	s.reference = sync.OnceValues(func() ([]byte, error) {
		t, err := template.ParseFS(assets, "assets/reference.html")
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		err = t.Execute(&b, referenceOf(s.api.OpenAPI()))
		return b.Bytes(), err
	})
	style, err := assets.ReadFile("assets/reference.css")
	if err != nil {
		return err
	}
	s.page("GET /docs.css", ScopeNone, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		// Ignore clients that are gone.
		_, _ = w.Write(style)
	}))
	return nil
}

// nullable marks fields that are pointers to objects as nullable, unless they are
// omitted when nil. The library does not.
func nullable(schemas huma.Registry) {
	for name, schema := range schemas.Map() {
		t := schemas.TypeFromRef("#/components/schemas/" + name)
		if t == nil || t.Kind() != reflect.Struct {
			continue
		}
		for i := range t.NumField() {
			f := t.Field(i)
			key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			p := schema.Properties[key]
			if f.Type.Kind() == reflect.Pointer && p != nil && p.Ref != "" && !strings.Contains(options, "omitempty") {
				schema.Properties[key] = &huma.Schema{OneOf: []*huma.Schema{{Ref: p.Ref}, {Type: "null"}}, Description: p.Description}
			}
		}
	}
}

// problems completes the schemas of the library's own types. Nothing refers to its
// FormFile: forms describe their files themselves.
func problems(schemas huma.Registry) {
	all := schemas.Map()
	delete(all, "FormFile")
	all["ErrorModel"].Properties["errors"].Nullable = false
	for field, example := range map[string]any{"location": "body.question", "message": "blank: want a question", "value": "  "} {
		all["ErrorDetail"].Properties[field].Examples = []any{example}
	}
}

func (s *Server) serveReference(w http.ResponseWriter, r *http.Request) {
	// The page has no script and one style sheet.
	w.Header().Set(
		"Content-Security-Policy", "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	)
	s.serveRendered(w, r, "text/html; charset=utf-8", s.reference)
}

// serveRendered writes what render returns.
func (s *Server) serveRendered(w http.ResponseWriter, r *http.Request, kind string, render func() ([]byte, error)) {
	content, err := render()
	if err != nil {
		s.log.ErrorContext(r.Context(), "description of the API cannot be rendered", "error", err)
		writeProblem(w, http.StatusInternalServerError, "the description of the API cannot be rendered: the log says why")
		return
	}
	w.Header().Set("Content-Type", kind)
	// Ignore clients that are gone.
	_, _ = w.Write(content)
}

// A reference is the page.
type reference struct {
	Version, About string
	Tags           []referenceTag
}

type referenceTag struct {
	Name, Doc  string
	Operations []referenceOperation
}

type referenceOperation struct {
	ID, Method, Path, Summary, Doc string
	Parameters                     []referenceField
	Bodies                         []referenceBody
	Replies                        []referenceBody
}

// Parts splits the path before its slashes, where a line may break.
func (o referenceOperation) Parts() []string {
	parts := strings.SplitAfter(o.Path, "/")
	for i := len(parts) - 1; i > 0; i-- {
		parts[i], parts[i-1] = "/"+parts[i], strings.TrimSuffix(parts[i-1], "/")
	}
	return parts[1:]
}

// A referenceBody is a request or reply with its fields; nested fields go by their
// paths.
type referenceBody struct {
	Name, Type, Doc string
	Fields          []referenceField
}

type referenceField struct {
	Name, Type, Doc string
	Required        bool
}

func referenceOf(api *huma.OpenAPI) reference {
	r := reference{Version: api.Info.Version, About: api.Info.Description}
	for _, tag := range api.Tags {
		t := referenceTag{Name: tag.Name, Doc: tag.Description}
		for _, path := range slices.Sorted(maps.Keys(api.Paths)) {
			item := api.Paths[path]
			for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Delete} {
				if op != nil && slices.Contains(op.Tags, tag.Name) {
					t.Operations = append(t.Operations, referenceTo(api, op))
				}
			}
		}
		if t.Operations != nil {
			r.Tags = append(r.Tags, t)
		}
	}
	return r
}

func referenceTo(api *huma.OpenAPI, op *huma.Operation) referenceOperation {
	out := referenceOperation{ID: op.OperationID, Method: op.Method, Path: op.Path, Summary: op.Summary, Doc: op.Description}
	for _, p := range op.Parameters {
		doc := p.Description
		if p.Schema != nil && doc == "" {
			doc = p.Schema.Description
		}
		out.Parameters = append(out.Parameters, referenceField{p.Name, p.In + ", " + typeOf(api, p.Schema), doc, p.Required})
	}
	if op.RequestBody != nil {
		for _, kind := range slices.Sorted(maps.Keys(op.RequestBody.Content)) {
			out.Bodies = append(out.Bodies, bodyTo(api, "body", kind, op.RequestBody.Description, op.RequestBody.Content[kind]))
		}
	}
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		reply := op.Responses[status]
		// Errors are the same everywhere.
		if status >= "4" {
			continue
		}
		if len(reply.Content) == 0 {
			out.Replies = append(out.Replies, referenceBody{Name: status, Doc: reply.Description})
		}
		for _, kind := range slices.Sorted(maps.Keys(reply.Content)) {
			out.Replies = append(out.Replies, replyTo(api, status, kind, reply.Description, reply.Content[kind]))
			if kind == eventStreamType {
				out.Replies = append(out.Replies, eventsTo(api, reply.Content[kind].Schema)...)
			}
		}
	}
	return out
}

// eventsTo describes the events of a stream with their data.
func eventsTo(api *huma.OpenAPI, stream *huma.Schema) (out []referenceBody) {
	for _, e := range stream.OneOf {
		data, _ := e.Properties["data"].Extensions["contentSchema"].(*huma.Schema)
		out = append(out, referenceBody{Name: e.Title, Type: "event", Fields: replyTo(api, "", "", "", &huma.MediaType{Schema: data}).Fields})
	}
	return out
}

// replyTo describes a reply. "Required" has no meaning there.
func replyTo(api *huma.OpenAPI, status, kind, doc string, m *huma.MediaType) referenceBody {
	if code, err := strconv.Atoi(status); err == nil && doc == http.StatusText(code) {
		doc = ""
	}
	b := bodyTo(api, status, kind, doc, m)
	for i := range b.Fields {
		b.Fields[i].Required = false
	}
	return b
}

func bodyTo(api *huma.OpenAPI, name, kind, doc string, m *huma.MediaType) referenceBody {
	b := referenceBody{Name: name, Type: kind, Doc: doc}
	if m != nil && m.Schema != nil {
		b.Fields = fieldsOf(api, "", m.Schema, 0)
	}
	return b
}

// referenceDepth bounds the nesting of objects.
const referenceDepth = 4

func fieldsOf(api *huma.OpenAPI, prefix string, s *huma.Schema, depth int) []referenceField {
	s = resolved(api, s)
	if s == nil || depth > referenceDepth {
		return nil
	}
	if s.Type == huma.TypeArray {
		return fieldsOf(api, prefix+"[]", s.Items, depth)
	}
	var out []referenceField
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		is := resolved(api, p)
		path := strings.TrimPrefix(prefix+"."+name, ".")
		doc := p.Description
		if doc == "" && is != nil {
			doc = is.Description
		}
		out = append(out, referenceField{path, typeOf(api, p), doc, slices.Contains(s.Required, name)})
		out = append(out, fieldsOf(api, path, p, depth+1)...)
	}
	return out
}

// resolved follows a reference.
func resolved(api *huma.OpenAPI, s *huma.Schema) *huma.Schema {
	if s != nil {
		for _, of := range [][]*huma.Schema{s.OneOf, s.AnyOf} {
			if len(of) > 0 && of[0].Ref != "" {
				s = of[0] // or null, or some of its fields
				break
			}
		}
	}
	if s != nil && s.Ref != "" {
		return api.Components.Schemas.SchemaFromRef(s.Ref)
	}
	return s
}

func typeOf(api *huma.OpenAPI, s *huma.Schema) string {
	s = resolved(api, s)
	if s == nil {
		return "any"
	}
	kind := s.Type
	switch {
	case kind == "":
		kind = "any"
	case kind == huma.TypeArray:
		kind = "list of " + typeOf(api, s.Items)
	case s.Format != "" && s.Format != "int64" && s.Format != "int32" && s.Format != "double":
		kind += " (" + s.Format + ")"
	}
	if len(s.Enum) > 0 {
		var words []string
		for _, w := range s.Enum {
			words = append(words, fmt.Sprint(w))
		}
		kind += ": " + strings.Join(words, " | ")
	}
	if s.Minimum != nil && s.Maximum != nil {
		kind += fmt.Sprintf(", %g to %g", *s.Minimum, *s.Maximum)
	}
	if s.Default != nil {
		kind += fmt.Sprintf(", default %v", s.Default)
	}
	return kind
}
