package reply

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
)

// stageNames maps the words of systems for stages to ours, as they are after
// white space and dashes have become underscores.
var stageNames = map[string]string{
	"transcription": assay.StageTranscribe, "transcriber": assay.StageTranscribe, "speech_to_text": assay.StageTranscribe, "stt": assay.StageTranscribe,
	"asr":           assay.StageTranscribe,
	"decomposition": assay.StageDecompose, "query_decomposition": assay.StageDecompose, "decomposer": assay.StageDecompose,
	"sub_questions": assay.StageDecompose, "query_rewriting": assay.StageDecompose, "query_expansion": assay.StageDecompose,
	"retrieval": assay.StageRetrieve, "retriever": assay.StageRetrieve, "search": assay.StageRetrieve, "vector_search": assay.StageRetrieve,
	"hybrid_search": assay.StageRetrieve, "semantic_search": assay.StageRetrieve,
	"filtering": assay.StageFilter, "rerank": assay.StageFilter, "reranking": assay.StageFilter, "reranker": assay.StageFilter, "context_filter": assay.StageFilter,
	"generation": assay.StageGenerate, "generator": assay.StageGenerate, "answer": assay.StageGenerate, "synthesis": assay.StageGenerate, "llm": assay.StageGenerate,
	"answer_generation": assay.StageGenerate, "response_synthesis": assay.StageGenerate,
}

// pipeline is the order of the stages whose order is not known otherwise.
var pipeline = []string{assay.StageTranscribe, assay.StageDecompose, assay.StageRetrieve, assay.StageFilter, assay.StageGenerate}

// stageName gives our word for a stage, or the system's own.
func stageName(s string) string {
	word := strings.ReplaceAll(strings.Join(strings.Fields(strings.ToLower(s)), "_"), "-", "_")
	if slices.Contains(pipeline, word) {
		return word
	}
	if ours, ok := stageNames[word]; ok {
		return ours
	}
	return strings.TrimSpace(s)
}

// stages reads the stages into the trace: a list in its order, an object by name
// in the order of a pipeline, names that are not known last, sorted (the order
// of an object's keys is not kept when JSON is decoded).
func (r *reader) stages() {
	p, ok := r.m.paths[Stages]
	if !ok {
		return
	}
	values, found := p.Find(r.root)
	if !found {
		r.missing(Stages, p.text, p.stops(r.root, "the reply"))
		return
	}
	if !p.plural() {
		switch v := values[0].(type) {
		case []any:
			values = v
		case map[string]any:
			r.stagesByName(p.text, v)
			return
		default:
			r.problem(Stages, p.text, kindOf(v), "a list of stages, or an object of stages by name")
			return
		}
	}
	var stages []assay.Stage
	for i, v := range values {
		at := fmt.Sprintf("%s[%d]", p.text, i)
		switch v := v.(type) {
		case nil:
		case string:
			if strings.TrimSpace(v) == "" {
				r.problem(Stages, at, "an empty text", "the name of a stage")
				return
			}
			stages = append(stages, assay.Stage{Name: stageName(v)})
		case map[string]any:
			name := ""
			for _, k := range []string{"name", "stage", "step", "component", "type"} {
				if s, ok := v[k].(string); ok && name == "" {
					name = s
				}
			}
			if strings.TrimSpace(name) == "" {
				r.problem(Stages, at, noText(v), `a stage with a "name"`)
				return
			}
			stages = append(stages, r.stage(at, name, v))
		default:
			r.problem(Stages, at, kindOf(v), `an object with a "name"`)
			return
		}
	}
	r.keepStages(p.text, stages)
}

func (r *reader) stagesByName(path string, o map[string]any) {
	names := slices.SortedFunc(maps.Keys(o), func(a, b string) int {
		return cmp.Or(cmp.Compare(placeOf(a), placeOf(b)), cmp.Compare(a, b))
	})
	var stages []assay.Stage
	for _, name := range names {
		if strings.TrimSpace(name) == "" {
			r.problem(Stages, path, "an object with an empty key", "an object of stages by name")
			return
		}
		fields, ok := o[name].(map[string]any)
		if !ok { // the stage is what it gave
			if o[name] == nil {
				continue
			}
			fields = map[string]any{"output": o[name]}
		}
		stages = append(stages, r.stage(path+"."+name, name, fields))
	}
	r.keepStages(path, stages)
}

// placeOf is a stage's place in a pipeline, after all others when it has none.
func placeOf(name string) int {
	if i := slices.Index(pipeline, stageName(name)); i >= 0 {
		return i
	}
	return len(pipeline)
}

func (r *reader) keepStages(path string, stages []assay.Stage) {
	var names []string
	for _, s := range stages {
		names = append(names, s.Name)
	}
	r.found(Stages, path, "%d: %s", len(stages), strings.Join(names, ", "))
	r.out.Trace = &assay.Trace{Stages: stages}
}

// stage reads one stage.
func (r *reader) stage(at, name string, o map[string]any) assay.Stage {
	s := assay.Stage{Name: stageName(name)}
	s.Model, _ = textOf(firstOf(o, "model", "model_name", "algorithm"))
	s.Prompt, _ = textOf(firstOf(o, "prompt"))
	s.Note, _ = textOf(firstOf(o, "note", "notes"))
	s.Input = r.stageValue(at+".input", firstOf(o, "input", "inputs", "query"))
	s.Output = r.stageValue(at+".output", firstOf(o, "output", "outputs", "result", "results", "documents", "contexts"))
	s.Latency = r.stageLatency(at, o)
	return s
}

// firstOf is the value of the first of the names that has one.
func firstOf(o map[string]any, names ...string) any {
	for _, n := range names {
		if o[n] != nil {
			return o[n]
		}
	}
	return nil
}

// stageValue writes what went into a stage or came out of it: a list of objects
// that have the text or the id of a passage as passages, anything else as it is.
func (r *reader) stageValue(at string, v any) json.RawMessage {
	if v == nil {
		return nil
	}
	if list, ok := v.([]any); ok && len(list) > 0 && arePassages(list) {
		m := Mapping{paths: map[string]Path{Passages: {text: at}}}
		inner := &reader{m: m, root: v}
		inner.passages()
		if inner.problems == nil {
			v = inner.out.Passages
		}
	}
	raw, err := json.Marshal(v)
	if err != nil { // no number, in a value that no JSON gave
		r.warn(at, err.Error())
		return nil
	}
	return raw
}

// arePassages reports whether each of a list is an object with the text, the id
// or the document of a passage.
func arePassages(list []any) bool {
	return !slices.ContainsFunc(list, func(v any) bool { return !isPassage(v) })
}

// isPassage reports whether a value is an object with the text, the id or the
// document of a passage under a usual name.
func isPassage(v any) bool {
	o, ok := v.(map[string]any)
	if !ok {
		return false
	}
	in := places(o)
	return slices.ContainsFunc([]string{Text, ID, Document, Source}, func(field string) bool {
		_, path := find(field, in)
		return path != nil
	})
}

// maxLatency is a month: far from what a Duration cannot hold.
const maxLatency = 30 * 24 * time.Hour

// latencyNames are the names of a stage's duration with their units.
var latencyNames = []struct {
	name string
	unit time.Duration
}{
	{"latency_ms", time.Millisecond}, {"duration_ms", time.Millisecond}, {"time_ms", time.Millisecond}, {"ms", time.Millisecond},
	{"seconds", time.Second}, {"latency_s", time.Second}, {"duration_s", time.Second}, {"latency_seconds", time.Second}, {"duration_seconds", time.Second},
}

func (r *reader) stageLatency(at string, o map[string]any) time.Duration {
	for _, l := range latencyNames {
		if o[l.name] == nil {
			continue
		}
		f, ok := number(o[l.name])
		if !ok || f < 0 || f*float64(l.unit) > float64(maxLatency) {
			r.warn(at+"."+l.name, "is no duration")
			return 0
		}
		return time.Duration(f * float64(l.unit))
	}
	return 0
}

func (r *reader) warn(at, what string) {
	r.out.Warnings = append(r.out.Warnings, at+": "+what)
}
