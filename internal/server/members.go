package server

import (
	"encoding/json"
	"reflect"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay/internal/accuracy"
)

// members are the members of the objects of each format.
var members = sync.OnceValue(func() (all map[string]map[string]struct{ Doc, Example string }) {
	readAsset("members.yaml", &all)
	return all
})

// membersOf describes an object of a format, which is checked by what reads the file. It allows
// other members: later versions may have more.
func membersOf(format string) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{}, AdditionalProperties: true}
	for name, m := range members()[format] {
		s.Properties[name] = &huma.Schema{Description: m.Doc, Examples: []any{json.RawMessage(m.Example)}}
	}
	return s
}

// A recordObject is a stored case as JSON.
type recordObject struct{ json.RawMessage }

// Schema lists its members.
func (recordObject) Schema(huma.Registry) *huma.Schema { return membersOf("record") }

// A traceObject is a trace as JSON, as records have it; empty is null.
type traceObject struct{ json.RawMessage }

// Schema lists its members, or null.
func (traceObject) Schema(huma.Registry) *huma.Schema {
	s := membersOf("trace")
	s.Nullable = true
	return s
}

// A resultObject is a result in a request. [accuracy.ReadResult] checks it.
type resultObject struct{ json.RawMessage }

// Schema is that of a result, or of any object.
func (resultObject) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{
		r.Schema(reflect.TypeFor[accuracy.Result](), true, ""),
		{Type: huma.TypeObject, AdditionalProperties: &huma.Schema{Description: "some fields of a result; others are ignored"}},
	}}
}

// A baselineObject is a baseline in a request.
type baselineObject struct{ json.RawMessage }

// Schema lists its members.
func (baselineObject) Schema(huma.Registry) *huma.Schema { return membersOf("baseline") }
