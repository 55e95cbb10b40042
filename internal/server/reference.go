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
		api := s.api.OpenAPI()
		t, err := template.New("reference.html").Funcs(template.FuncMap{
			"operations": func(tag string) []*huma.Operation { return operationsOf(api, tag) },
			"fields":     func(schema *huma.Schema) []referenceField { return fieldsOf(api, "", schema, 0) },
			"type":       func(schema *huma.Schema) string { return typeOf(api, schema) },
			"parts":      pathParts,
		}).ParseFS(assets, "assets/reference.html")
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		err = t.Execute(&b, api)
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
	for field, example := range map[string]any{"location": "body.question", "message": "blank: expected a question", "value": "  "} {
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

// A referenceField is a field of a body; nested fields go by their paths.
type referenceField struct {
	Name, Type, Doc string
	Required        bool
}

// operationsOf returns the operations of a tag by their paths.
func operationsOf(api *huma.OpenAPI, tag string) (out []*huma.Operation) {
	for _, path := range slices.Sorted(maps.Keys(api.Paths)) {
		item := api.Paths[path]
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if op != nil && slices.Contains(op.Tags, tag) {
				out = append(out, op)
			}
		}
	}
	return out
}

// pathParts splits a path before its slashes, where a line may break.
func pathParts(path string) (parts []string) {
	for part := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		parts = append(parts, "/"+part)
	}
	return parts
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
