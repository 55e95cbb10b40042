package server

import (
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
)

const (
	// maxBody bounds a JSON body, maxUpload one with files, in bytes.
	maxBody   = 16 << 20
	maxUpload = 100 << 20
)

// prefix is where the API begins.
const prefix = "/api/v1"

// operation describes an operation: a method and a path below /api/v1, a unique
// id, and a summary without a full stop. The scope is read for GET, admin for
// DELETE and PUT, and run otherwise, unless [needs] sets another.
func operation(tag, method, path, id, summary string, more ...func(*huma.Operation)) huma.Operation {
	op := huma.Operation{
		Tags: []string{tag}, Method: method, Path: prefix + path, OperationID: id, Summary: summary, Metadata: map[string]any{},
	}
	for _, f := range more {
		f(&op)
	}
	return op
}

// needs sets the scope of an operation.
func needs(scope Scope) func(*huma.Operation) {
	return func(op *huma.Operation) { op.Metadata["scope"] = scope }
}

// succeeds sets the status of success.
func succeeds(status int) func(*huma.Operation) {
	return func(op *huma.Operation) { op.DefaultStatus = status }
}

// says sets the description of an operation.
func says(text string) func(*huma.Operation) {
	return func(op *huma.Operation) { op.Description = text }
}

// gives describes the replies of an operation that are not in the JSON of its handler.
func gives(replies map[string]*huma.Response) func(*huma.Operation) {
	return func(op *huma.Operation) { op.Responses = replies }
}

// fails names statuses of failure that the operation has besides 400.
func fails(statuses ...int) func(*huma.Operation) {
	return func(op *huma.Operation) { op.Errors = append(op.Errors, statuses...) }
}

// asksTarget names what an operation that asks a target may answer in place of a reply.
func asksTarget(op *huma.Operation) {
	fails(http.StatusConflict, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout)(op)
}

// scopeOf returns the scope that an operation needs.
func scopeOf(op *huma.Operation) Scope {
	if s, ok := op.Metadata["scope"].(Scope); ok {
		return s
	}
	switch op.Method {
	case http.MethodGet, http.MethodHead:
		return ScopeRead
	case http.MethodPut, http.MethodDelete:
		return ScopeAdmin
	}
	return ScopeRun
}

// added completes an operation: limits, scope and common errors.
func (s *Server) added(api *huma.OpenAPI, op *huma.Operation) {
	scope := scopeOf(op)
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
