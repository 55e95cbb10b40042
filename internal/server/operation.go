package server

import (
	"cmp"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
)

const (
	// maxBody bounds a JSON body, maxUpload one with files, in bytes.
	maxBody   = 16 << 20
	maxUpload = 100 << 20
)

// prefix is where the API begins.
const prefix = "/api/v1"

// An operation is what assets/operations says of an operation of the API.
type operation struct {
	// At is the method and the path, Summary a sentence without a full stop, and Says the description.
	At, Summary, Says string
	// Scope is what a token needs: read for GET, admin for DELETE and PUT, and run otherwise, unless it is set.
	Scope Scope
	// Status is that of success, 0 for the usual one. Fails are the statuses of failure besides 400.
	Status int
	Fails  []int
	tag    string
}

// An operationSet has the tags of the API in the order of the reference page, and its operations by their ids.
type operationSet struct {
	tags []*huma.Tag
	byID map[string]operation
}

// apiOperations reads assets/operations. Each file is a tag, whose name follows a number.
var apiOperations = sync.OnceValue(func() operationSet {
	c := operationSet{byID: map[string]operation{}}
	files, _ := fs.Glob(assets, "assets/operations/*.yaml") // the pattern is one
	for _, name := range files {
		var tag struct {
			Doc        string
			Operations map[string]operation
		}
		readAsset("operations/"+path.Base(name), &tag)
		_, word, _ := strings.Cut(strings.TrimSuffix(path.Base(name), ".yaml"), "-")
		c.tags = append(c.tags, &huma.Tag{Name: word, Description: tag.Doc})
		for id, o := range tag.Operations {
			o.tag = word
			c.byID[id] = o
		}
	}
	return c
})

// operationOf returns the operation with an id, which assets/operations describes.
func operationOf(id string, more ...func(*huma.Operation)) huma.Operation {
	o, ok := apiOperations().byID[id]
	if !ok {
		panic("no operation " + id + " in assets/operations")
	}
	method, at, _ := strings.Cut(o.At, " ")
	op := huma.Operation{
		Tags: []string{o.tag}, Method: method, Path: at, OperationID: id, Summary: o.Summary, Description: o.Says,
		DefaultStatus: o.Status, Errors: slices.Clone(o.Fails), Metadata: map[string]any{"scope": cmp.Or(o.Scope, scopeOf(method))},
	}
	for _, f := range more {
		f(&op)
	}
	return op
}

// gives describes the replies of an operation that are not in the JSON of its handler.
func gives(replies map[string]*huma.Response) func(*huma.Operation) {
	return func(op *huma.Operation) { op.Responses = replies }
}

// scopeOf returns the scope that operations of a method need unless they say so.
func scopeOf(method string) Scope {
	switch method {
	case http.MethodGet:
		return ScopeRead
	case http.MethodPut, http.MethodDelete:
		return ScopeAdmin
	}
	return ScopeRun
}

// absent says of the optional single values in request bodies that null is as if they were absent, as the
// library reads them.
func (s *Server) absent() {
	all := s.api.OpenAPI().Components.Schemas
	for _, path := range s.api.OpenAPI().Paths {
		if path.Post == nil || path.Post.RequestBody == nil || path.Post.RequestBody.Content["application/json"] == nil {
			continue
		}
		of := all.SchemaFromRef(path.Post.RequestBody.Content["application/json"].Schema.Ref)
		for name, p := range of.Properties {
			single := slices.Contains([]string{huma.TypeString, huma.TypeBoolean, huma.TypeInteger, huma.TypeNumber}, p.Type)
			if p.Nullable || !single || slices.Contains(of.Required, name) {
				continue
			}
			if p.Nullable = true; p.Enum != nil {
				p.Enum = append(p.Enum, nil)
			}
		}
	}
}

// added completes an operation: limits, scope and common errors.
func (s *Server) added(api *huma.OpenAPI, op *huma.Operation) {
	scope, _ := op.Metadata["scope"].(Scope)
	s.scopes[op.Method+" "+op.Path] = scope
	// body.go enforces the limits of bodies.
	op.BodyReadTimeout = -1
	op.MaxBodyBytes = -1
	for _, p := range op.Parameters {
		if p.In == "query" && p.Schema != nil && (p.Schema.Type != huma.TypeString || len(p.Schema.Enum) > 0) {
			s.filled[op.Method+" "+op.Path] = append(s.filled[op.Method+" "+op.Path], p.Name)
		}
	}
	if op.RequestBody != nil && op.RequestBody.Content["multipart/form-data"] != nil {
		s.uploads[op.Method+" "+op.Path] = true
	}
	if op.Description != "" {
		op.Description += "\n\n"
	}
	op.Description += "Scope: " + string(scope) + "."
	if scope != ScopeNone {
		op.Security = []map[string][]string{{"token": {}}}
		if !s.cfg.Tokens {
			op.Security = append(op.Security, map[string][]string{})
		}
	}
	if op.Method == http.MethodPost {
		least, most := 1, 255
		op.Parameters = append(op.Parameters, &huma.Param{
			Name: idempotencyHeader, In: "header", Schema: &huma.Schema{Type: "string", MinLength: &least, MaxLength: &most, Pattern: "^[!-~]+$"},
			Description: "Makes the request idempotent: for 24 hours, the same key with the same body gets the same reply.",
		})
	}
	schema := api.Components.Schemas.Schema(problemType, true, "Problem")
	problem := func(description string) *huma.Response {
		return &huma.Response{Description: description, Content: map[string]*huma.MediaType{"application/problem+json": {Schema: schema}}}
	}
	delete(op.Responses, strconv.Itoa(http.StatusUnprocessableEntity))
	op.Responses["default"] = problem("A problem; see its status.")
	for _, status := range append([]int{http.StatusBadRequest}, op.Errors...) {
		if status != http.StatusUnprocessableEntity {
			op.Responses[strconv.Itoa(status)] = problem(http.StatusText(status))
		}
	}
}
