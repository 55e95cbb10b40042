package server

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/accuracy"
	"github.com/assay-eval/assay/store"
)

// A described is a schema of the contract as clients read it.
type described struct {
	Ref                 string `json:"$ref"`
	Type                any
	Description, Format string
	Enum, Examples      []any
	Const               any
	Properties          map[string]described
	Items               *described
	Others              others `json:"additionalProperties"`
	MinItems, MaxItems  int
	OneOf, AnyOf, AllOf []described
}

// others are the further members of an object: of a schema, or any or none.
type others struct{ *described }

// UnmarshalJSON leaves it nil if it is true, false, or a schema that says nothing.
func (o *others) UnmarshalJSON(text []byte) error {
	if text[0] != '{' || string(text) == "{}" {
		return nil
	}
	return json.Unmarshal(text, &o.described)
}

// is reports whether a value may be of the type.
func (d described) is(kind string) bool {
	kinds, several := d.Type.([]any)
	return d.Type == kind || several && slices.Contains(kinds, any(kind))
}

// shown reports whether an example would add nothing to the schema: it has one, it
// names its values, or it is a boolean, an object, or a list or a map of objects, whose
// fields have theirs.
func (d described) shown() bool {
	if d.Format == "binary" || d.Items != nil && (d.Items.Format == "binary" || len(d.Items.Enum) > 0) {
		return true // a file, or words
	}
	if d.Items != nil && d.Items.Ref != "" || d.Others.described != nil && d.Others.Ref != "" {
		return true
	}
	return len(d.Examples) > 0 || len(d.Enum) > 0 || d.Const != nil || d.Ref != "" || d.Properties != nil || d.is("boolean") ||
		len(d.OneOf)+len(d.AnyOf)+len(d.AllOf) > 0
}

type contractParameter struct {
	Name, In, Description, Style string
	Explode                      *bool
	Schema                       described
}

type contractOperation struct {
	ID         string `json:"operationId"`
	Summary    string
	Tags       []string
	Parameters []contractParameter
	Body       struct {
		Content map[string]struct{ Schema *described }
	} `json:"requestBody"`
	Responses map[string]struct {
		Content map[string]struct{ Schema *described }
	}
}

type contract struct {
	Paths      map[string]map[string]contractOperation
	Components struct{ Schemas map[string]described }
}

// contractOf reads the description that a server gives of itself.
func contractOf(t *testing.T) (c contract) {
	t.Helper()
	if err := json.Unmarshal([]byte(start(t).do("GET", "/openapi.json", nil).want(t, 200).text), &c); err != nil {
		t.Fatal(err)
	}
	if len(c.Paths) == 0 || len(c.Components.Schemas) == 0 {
		t.Fatal("the description has no paths or no schemas")
	}
	return c
}

var operationName = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)

// Generators of clients name a method after an operation and a module after a tag.
// Lists in queries have one form, a,b, and are never null.
func TestContractOperations(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for path, methods := range contractOf(t).Paths {
		for method, op := range methods {
			where := strings.ToUpper(method) + " " + path
			if other := seen[op.ID]; other != "" || !operationName.MatchString(op.ID) {
				t.Errorf("%s: operation id %q: want words joined by -, and one operation only (other: %q)", where, op.ID, other)
			}
			seen[op.ID] = where
			if op.Summary == "" || len(op.Tags) != 1 {
				t.Errorf("%s: summary %q, tags %q: want a summary and one tag", where, op.Summary, op.Tags)
			}
			for _, p := range op.Parameters {
				if p.Description == "" && p.Schema.Description == "" {
					t.Errorf("%s: parameter %s has no description", where, p.Name)
				}
				if p.Schema.is("array") && (p.Schema.is("null") || p.Explode == nil || *p.Explode || p.Style != "" && p.Style != "form") {
					t.Errorf("%s: parameter %s: type %v, style %q: want a list a,b that is never null", where, p.Name, p.Schema.Type, p.Style)
				}
			}
			for status, reply := range op.Responses {
				for kind, content := range reply.Content {
					if content.Schema == nil {
						t.Errorf("%s: reply %s of type %s has no schema", where, status, kind)
					}
				}
			}
		}
	}
}

// TestContractSchemas: every field of a schema has a description and shows what it holds, no
// object is without members and without the type of others, and no list is null. What is
// two numbers or nothing, such as an interval, is null when there is nothing.
func TestContractSchemas(t *testing.T) {
	t.Parallel()
	c := contractOf(t)
	schemas := c.Components.Schemas
	for path, methods := range c.Paths {
		for method, op := range methods {
			where := strings.ToUpper(method) + " " + path
			for kind, content := range op.Body.Content {
				schemas[where+" "+kind] = *content.Schema
			}
			for status, reply := range op.Responses {
				for kind, content := range reply.Content {
					if kind != eventStreamType {
						schemas[where+" "+status+" "+kind] = *content.Schema
					}
				}
			}
		}
	}
	for name, s := range schemas {
		s.each(name, func(at string, d described, field bool) {
			switch list := d.is("array") && d.is("null"); {
			case field && d.Description == "" && (d.Items == nil || d.Items.Description == ""):
				t.Errorf("%s: no description", at)
			case field && !d.shown():
				t.Errorf("%s: no example", at)
			case d.is("object") && d.bare():
				t.Errorf("%s: an object without properties, and without the type of additional ones", at)
			case list && (d.MinItems == 0 || d.MinItems != d.MaxItems):
				t.Errorf("%s: a list that may be null", at)
			}
		})
	}
}

// each calls f with the schema and all within it, with their places.
func (d described) each(at string, f func(at string, d described, field bool)) {
	var visit func(at string, d described, field bool)
	visit = func(at string, d described, field bool) {
		f(at, d, field)
		for name, p := range d.Properties {
			visit(at+"."+name, p, true)
		}
		if d.Items != nil {
			visit(at+"[]", *d.Items, false)
		}
		if d.Others.described != nil {
			visit(at+".*", *d.Others.described, false)
		}
		for _, p := range slices.Concat(d.OneOf, d.AnyOf, d.AllOf) {
			visit(at, p, false)
		}
	}
	visit(at, d, false)
}

// bare reports whether nothing is said of the members of an object.
func (d described) bare() bool {
	return len(d.Properties) == 0 && d.Others.described == nil && len(d.OneOf)+len(d.AnyOf)+len(d.AllOf) == 0
}

// TestContractExamples: every example is valid against the schema of its field.
func TestContractExamples(t *testing.T) {
	t.Parallel()
	doc, at := schemasOf(start(t))
	checked := 0
	var visit func(path []string, v any)
	visit = func(path []string, v any) {
		switch v := v.(type) {
		case []any:
			for i, e := range v {
				visit(append(slices.Clip(path), strconv.Itoa(i)), e)
			}
		case map[string]any:
			// A field may have the name examples, and then is an object.
			examples, _ := v["examples"].([]any)
			for _, e := range examples {
				checked++
				if err := at(path...).Validate(e); err != nil {
					t.Errorf("%s: %v", strings.Join(path, "."), err)
				}
			}
			for _, name := range slices.Sorted(maps.Keys(v)) {
				if name != "examples" || examples == nil {
					visit(append(slices.Clip(path), name), v[name])
				}
			}
		}
	}
	visit(nil, doc)
	if checked < 400 {
		t.Errorf("%d examples, want 400", checked)
	}
}

// schemasOf returns the description of a server, and a function that finds a schema in it.
func schemasOf(b *bench) (doc any, at func(path ...string) *jsonschema.Schema) {
	b.t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(b.do("GET", "/openapi.json", nil).want(b.t, 200).text))
	if err != nil {
		b.t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	const place = "https://assay.test/openapi.json"
	if err := compiler.AddResource(place, doc); err != nil {
		b.t.Fatal(err)
	}
	return doc, func(path ...string) *jsonschema.Schema {
		b.t.Helper()
		schema, err := compiler.Compile(place + "#" + pointer(path))
		if err != nil {
			b.t.Fatal(err)
		}
		return schema
	}
}

// pointer is the fragment with the JSON pointer of a place.
func pointer(path []string) string {
	var b strings.Builder
	for _, name := range path {
		b.WriteString("/" + url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(name)))
	}
	return b.String()
}

// keeps checks JSON against a schema.
func keeps(t *testing.T, schema *jsonschema.Schema, what, text string) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err == nil {
		err = schema.Validate(v)
	}
	if err != nil {
		t.Errorf("%s: %v\n%s", what, err, text)
	}
}

// replyAt is where the description has the schema of a reply to a GET of a path below /api/v1.
func replyAt(path string) []string {
	return []string{"paths", prefix + path, "get", "responses", "200", "content", "application/json", "schema"}
}

// TestContractReplies: replies keep their schemas, also those about runs, whose members are
// listed apart from the types that they come from, and have no member that is not listed.
func TestContractReplies(t *testing.T) {
	t.Parallel()
	b := start(t, withRivers(t))
	doc, at := schemasOf(b)
	one, two := b.begin(`{"dataset":"rivers.jsonl"}`), b.begin(`{"dataset":"rivers.jsonl","config":{"top-k":1}}`)
	b.ended(one)
	b.ended(two)
	b.do("PUT", "/api/v1/baselines/main", map[string]any{"run_id": one, "reason": "first"}).want(t, 200)
	b.do("POST", "/api/v1/labels", map[string]any{"run_id": one, "case_id": "tc_1", "metric": "hit@1", "value": 1, "how": "random"}).want(t, 201)
	for path, concrete := range map[string]string{
		"/runs": "", "/runs/{run_id}": "/runs/" + one, "/runs/{run_id}/cases": "/runs/" + one + "/cases",
		"/runs/{run_id}/cases/{case_id}": "/runs/" + one + "/cases/tc_1", "/runs/{run_id}/report.json": "/runs/" + one + "/report.json",
		"/compare":   "/compare?runs=" + one + "," + two,
		"/baselines": "", "/baselines/{name}": "/baselines/main", "/labels": "/labels?run_id=" + one, "/labels/next": "/labels/next?metric=hit@1&run_id=" + one, "/datasets": "",
		"/datasets/{name}": "/datasets/rivers.jsonl", "/targets": "", "/metrics": "/metrics?limit=500", "/profiles": "",
		"/profiles/{name}": "/profiles/A", "/calibration": "/calibration?metric=hit@1&run_id=" + one, "/trends": "/trends?metric=hit@1",
	} {
		if concrete == "" {
			concrete = path
		}
		text := b.do("GET", prefix+concrete, nil).want(t, 200).text
		keeps(t, at(replyAt(path)...), path, text)
		schema := doc
		for _, name := range replyAt(path) {
			schema = schema.(map[string]any)[name]
		}
		properties, _ := schema.(map[string]any)["properties"].(map[string]any)
		var members map[string]any
		if err := json.Unmarshal([]byte(text), &members); err != nil {
			t.Fatal(err)
		}
		for name := range members {
			if properties != nil && properties[name] == nil {
				t.Errorf("%s: the member %s is not described", path, name)
			}
		}
	}
	gate := map[string]any{"run_id": two, "baseline": "main", "rules": []string{"hit@1 >= 0.1"}}
	keeps(t, at("components", "schemas", "GateReply"), "gate", b.do("POST", "/api/v1/gate", gate).want(t, 200).text)
}

// TestContractEvaluations: so do those about questions, their events, results and evaluations.
func TestContractEvaluations(t *testing.T) {
	t.Parallel()
	l := laboratory(t, nil)
	_, at := schemasOf(l.bench)
	named := func(name string) *jsonschema.Schema { return at("components", "schemas", name) }
	events, _ := l.ask(asked)
	for _, e := range events {
		name := map[string]string{
			"decomposed": "DecomposedEvent", "retrieved": "PassagesEvent", "filtered": "PassagesEvent", "answer": "AnswerEvent", "done": "QueryDone",
		}[e.name]
		keeps(t, named(name), e.name, e.data)
	}
	r := l.speaks("q.wav", wave(1), "profile", "A", "language", "en", "reference_transcript", asked).want(t, 200)
	keeps(t, named("Result"), "result", r.text)
	id := read[accuracy.Result](t, r).ResultID
	for _, dimensions := range []string{"", "?dimensions=audio"} {
		e := l.do("POST", "/api/v1/test/evaluate"+dimensions, map[string]any{"result_id": id}).want(t, 200)
		keeps(t, named("Evaluation"), "evaluation", e.text)
	}
	for _, path := range []string{"/query/history", "/test/results", "/test/evaluations"} {
		keeps(t, at(replyAt(path)...), path, l.do("GET", prefix+path, nil).want(t, 200).text)
	}
}

// TestNullLists: what an earlier build stored with null for an empty list is read with [], a
// stage that gives null is told as [], and a request cannot give null for a list that it must
// have.
func TestNullLists(t *testing.T) {
	t.Parallel()
	l := laboratory(t, nil)
	_, at := schemasOf(l.bench)
	r := l.asks("A")
	l.do("PUT", "/api/v1/test/results/"+r.ResultID+"/ground-truth",
		`{"per_sub_question":[{"sub_question_index":0,"relevant_chunks":null}]}`).want(t, 400)
	l.do("PUT", "/api/v1/test/results/"+r.ResultID+"/ground-truth",
		`{"per_sub_question":[{"sub_question_index":0,"relevant_chunks":[]}]}`).want(t, 200)
	e := l.evaluates(r.ResultID, "")
	for kind, one := range map[string]struct{ id, path, at string }{
		store.KindResult:     {r.ResultID, "/test/results/{result_id}", "{result_id}"},
		store.KindTruth:      {r.ResultID, "/test/results/{result_id}/ground-truth", "{result_id}"},
		store.KindEvaluation: {e.EvaluationID, "/test/evaluations/{evaluation_id}", "{evaluation_id}"},
	} {
		it, err := l.store.Item(t.Context(), kind, one.id)
		if err != nil {
			t.Fatal(err)
		}
		it.Body = innerLists.ReplaceAll(it.Body, []byte(":null"))
		if err := l.store.PutItem(t.Context(), it); err != nil {
			t.Fatal(err)
		}
		text := l.do("GET", prefix+strings.Replace(one.path, one.at, one.id, 1), nil).want(t, 200).text
		if !bytes.Contains(it.Body, []byte(":null")) || !strings.Contains(text, ":[]") {
			t.Errorf("%s: %s\n%s: want null stored and [] read", kind, it.Body, text)
		}
		keeps(t, at(replyAt(one.path)...), kind, text)
	}
	out := &eventStream{}
	if err := addStage(out, assay.Stage{Name: assay.StageDecompose, Output: []byte("null")}); err != nil {
		t.Fatal(err)
	}
	if want := "event: decomposed\ndata: {\"sub_questions\":[],\"time_ms\":0}\n\n"; out.buf.String() != want {
		t.Errorf("%s, want %s", out.buf.String(), want)
	}
	if err := out.add("done", "", queryDone{}); err != nil || !strings.Contains(out.buf.String(), `"trace":null`) {
		t.Errorf("%v: %s: want no trace", err, out.buf.String())
	}
}

// innerLists are lists without lists in them.
var innerLists = regexp.MustCompile(`:\[[^][]*\]`)
