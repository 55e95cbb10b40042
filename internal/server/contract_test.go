package server

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A described is a schema of the contract as clients read it.
type described struct {
	Ref                  string `json:"$ref"`
	Type                 any
	Description          string
	Enum, Examples       []any
	Const                any
	Properties           map[string]described
	Items                *described
	AdditionalProperties any
	OneOf, AnyOf, AllOf  []described
}

// is reports whether a value may be of the type.
func (d described) is(kind string) bool {
	kinds, several := d.Type.([]any)
	return d.Type == kind || several && slices.Contains(kinds, any(kind))
}

// shown reports whether an example would add nothing to the schema: it has one, it
// names its values, or it is a boolean, an object or a list of objects, whose fields
// have theirs.
func (d described) shown() bool {
	if d.Items != nil && d.Items.Ref != "" {
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
	Responses  map[string]struct {
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

// TestContractFields: every field of a schema has a description and shows what it
// holds. Schemas of undescribed have fields that do not yet; one that has none must
// leave the list.
func TestContractFields(t *testing.T) {
	t.Parallel()
	schemas := contractOf(t).Components.Schemas
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		var missing []string
		fields := schemas[name].Properties
		for _, field := range slices.Sorted(maps.Keys(fields)) {
			if f := fields[field]; field != "$schema" && (f.Description == "" || !f.shown()) {
				missing = append(missing, field)
			}
		}
		switch listed := slices.Contains(undescribed, name); {
		case missing != nil && !listed:
			t.Errorf("%s: %s: want a description and an example", name, strings.Join(missing, ", "))
		case missing == nil && listed:
			t.Errorf("%s is described: take it off the list", name)
		}
	}
	for _, name := range undescribed {
		if _, ok := schemas[name]; !ok {
			t.Errorf("%s is no schema: take it off the list", name)
		}
	}
}

var undescribed = []string{
	"AnswerEvent", "AudioEvaluation", "AverageAccuracy", "BaselineRequest", "CaseEvent", "CaseView", "Check", "Chunk",
	"ChunkAccuracy", "ChunkEvaluation", "ChunkRef", "ChunkTruth", "Config", "Corpus", "DatasetView", "DecomposedEvent",
	"DimensionError", "Disagreement", "DocumentChunk", "DocumentEvent", "DocumentList", "DocumentView", "DocumentsDone",
	"DoneEvent", "ErrorDetail", "Evaluation", "EvaluationRequest", "EvaluationTiming", "EvaluationView", "Evaluator",
	"Failure", "Filtered", "FormFile", "GateReply", "GateRequest", "GateRule", "GroundTruth", "Input", "JobRequest",
	"JobView", "KeyQuestionsEvaluation", "LabelView", "Loss", "Marks", "Member", "Metadata", "MetricParamView",
	"MetricView", "ModelReplies", "Models", "PassagesEvent", "Pool", "PoolEstimate", "Preparation", "ProfileRequest",
	"ProfileView", "ProfileWhole", "Prompts", "Provenance", "QueryAudio", "QueryDone", "QueryFailed", "QueryPassage",
	"QueryRequest", "QueryView", "Reply", "ResponseEvaluation", "ResponseTruth", "Result", "ResultView", "Retrieval",
	"RunRequest", "RunWhole", "ScoreView", "Scores", "Stage", "SubQuestionChunks", "SubQuestionSources",
	"SubQuestionTruth", "TargetView", "TextQuestion", "Timing", "Trace", "TranscribedEvent", "TranscriptErrors",
	"Truth", "WarningEvent",
}
