package reply

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
)

// stageNames match systems' names of stages, in lower case with underscores, by the stage
// of assay: the first counts. "search_query_rewriting" is no search.
var stageNames = []struct {
	stage string
	match func() *regexp.Regexp
}{
	{"", lazyregexp.New(`embed|prompt`)},
	{assay.StageTranscribe, lazyregexp.New(`transcri|speech_to_text|^(?:stt|asr)$`)},
	{assay.StageDecompose, lazyregexp.New(`decompos|sub_?(?:question|quer)|quer(?:y|ies)_(?:rewrit|expan)|rewrit`)},
	{assay.StageFilter, lazyregexp.New(`filter|re_?rank|ranker|cross_encoder|^grad(?:e|ing)(?:_documents)?$|compress|post_?process|dedup`)},
	{assay.StageRetrieve, lazyregexp.New(`search|retriev|look_?up|fetch|knn|bm25|tf_?idf|splade|vector|dense|sparse|hybrid|^rrf|fusion`)},
	{assay.StageGenerate, lazyregexp.New(`^(?:generation|generator|answer|synthesis|llm|answer_generation|response_synthesis)$`)},
}

// fusing matches the names of stages that make one list of those of several retrievers.
var fusing = lazyregexp.New(`rrf|fusion`)

// pipeline is the default order of stages.
var pipeline = []string{assay.StageTranscribe, assay.StageDecompose, assay.StageRetrieve, assay.StageFilter, assay.StageGenerate}

// named returns assay's name of a stage. A tool whose output is a text is none, whatever its name.
func named(s string, isText bool, before ...assay.Stage) string {
	if isText && strings.HasPrefix(s, "tool ") {
		return s
	}
	return stageName(s, before...)
}

// stageName returns assay's name of a stage after others, or the system's own. What fuses the
// lists of retrievers keeps some of their passages, as a filter does.
func stageName(s string, before ...assay.Stage) string {
	word := strings.ReplaceAll(strings.Join(strings.Fields(strings.ToLower(s)), "_"), "-", "_")
	if slices.Contains(pipeline, word) {
		return word
	}
	for _, n := range stageNames {
		if !n.match().MatchString(word) {
			continue
		}
		if fusing().MatchString(word) && slices.ContainsFunc(before, func(s assay.Stage) bool { return s.Name == assay.StageRetrieve }) {
			return assay.StageFilter
		}
		return cmp.Or(n.stage, strings.TrimSpace(s))
	}
	return strings.TrimSpace(s)
}

// NameStages gives the stages of a response's trace assay's names. Without passages the
// response has those of its last filter, or of its retrievals.
func NameStages(r *assay.Response) {
	if r.Trace == nil {
		return
	}
	stages := r.Trace.Stages
	for i := range stages {
		stages[i].Name = named(stages[i].Name, bytes.HasPrefix(stages[i].Output, []byte(`"`)), stages[:i]...)
		r.Warnings = append(r.Warnings, strange(stages[i])...)
	}
	if from := assay.StageFilter; r.Passages == nil {
		if r.Stages(from) == nil {
			from = assay.StageRetrieve
		}
		if passages, ok := r.StagePassages(from); ok && !slices.ContainsFunc(passages, nothingOf) {
			r.Passages = passages
		}
	}
}

// strange warns of a stage that puts out passages, and whose name says nothing.
func strange(s assay.Stage) []string {
	var list []any
	if slices.Contains(pipeline, s.Name) || json.Unmarshal(s.Output, &list) != nil || len(list) == 0 || !arePassages(list) {
		return nil
	}
	return []string{fmt.Sprintf("the passages of the stage %q are not followed: name it retrieve or filter", s.Name)}
}

// stages reads the stages into the trace: first the stages at the common path (a list
// in its own order; an object by name in pipeline order, with unknown names last and
// sorted, since decoding loses the order of keys), then those with a path of their own.
func (r *reader) stages() {
	var stages []assay.Stage
	ok := true
	if r.m.result != nil {
		stages, ok = r.resultStages()
	} else if p, given := r.m.paths[Stages]; given {
		stages, ok = r.stagesAt(p)
	}
	if !ok {
		return
	}
	stages = r.ownStages(stages)
	if stages == nil {
		return
	}
	numbered(stages, len(r.retrievers) > 1)
	r.out.Trace = &assay.Trace{Stages: stages, Latency: r.total}
	r.passagesOfStages()
}

// stagesAt reads the stages at a path; ok is false if something is missing or cannot be
// read.
func (r *reader) stagesAt(p Path) (stages []assay.Stage, ok bool) {
	values, found := p.Find(r.root)
	if !found {
		r.missing(Stages, p.text, p.stops(r.root, "the reply"))
		return nil, true
	}
	if !p.plural() {
		switch v := values[0].(type) {
		case []any:
			values = v
		case map[string]any:
			if stages, ok = r.stagesByName(p.text, v); ok {
				r.foundStages(p.text, stages)
			}
			return stages, ok
		default:
			r.problem(Stages, p.text, kindOf(v), "a list of stages, or an object of stages by name")
			return nil, false
		}
	}
	if stages, ok = r.stageList(p.text, values); ok {
		r.foundStages(p.text, stages)
	}
	return stages, ok
}

// nameOf returns the name of a stage in a list; "" if it has none.
func nameOf(o map[string]any) string { return textIn(o, "name", "stage", "step", "component", "type") }

// countsFromZero reports whether a list of stages numbers its sub-questions from 0: the
// same stage occurs for 0 and for another number. A single 0 does not count.
func countsFromZero(values []any) bool {
	const zero, more = 1, 2
	of := map[string]int{}
	for _, v := range values {
		o, _ := v.(map[string]any)
		n, ok := count(o["sub_question"])
		if _, isText := o["sub_question"].(string); !ok || isText {
			continue
		}
		name := stageName(nameOf(o))
		if n == 0 {
			of[name] |= zero
		} else {
			of[name] |= more
		}
	}
	return slices.Contains(slices.Collect(maps.Values(of)), zero|more)
}

func (r *reader) stageList(path string, values []any) ([]assay.Stage, bool) {
	stages := []assay.Stage{}
	r.fromZero = countsFromZero(values)
	for i, v := range values {
		at := fmt.Sprintf("%s[%d]", path, i)
		switch v := v.(type) {
		case nil:
		case string:
			if strings.TrimSpace(v) == "" {
				r.problem(Stages, at, "an empty text", "the name of a stage")
				return nil, false
			}
			stages = append(stages, assay.Stage{Name: stageName(v)})
		case map[string]any:
			name := nameOf(v)
			if strings.TrimSpace(name) == "" {
				r.problem(Stages, at, noText(v), `a stage with a "name"`)
				return nil, false
			}
			stages = append(stages, r.stage(at, name, v, stages)...)
		default:
			r.problem(Stages, at, kindOf(v), `an object with a "name"`)
			return nil, false
		}
	}
	return stages, true
}

func (r *reader) stagesByName(path string, o map[string]any) ([]assay.Stage, bool) {
	names := slices.SortedFunc(maps.Keys(o), func(a, b string) int {
		return cmp.Or(cmp.Compare(placeOf(a), placeOf(b)), cmp.Compare(a, b))
	})
	stages := []assay.Stage{}
	for _, name := range names {
		if strings.TrimSpace(name) == "" {
			r.problem(Stages, path, "an object with an empty key", "an object of stages by name")
			return nil, false
		}
		fields, ok := o[name].(map[string]any)
		if !ok { // the value is the stage's output
			if o[name] == nil {
				continue
			}
			fields = map[string]any{"output": o[name]}
		}
		stages = append(stages, r.stage(path+"."+name, name, fields, stages)...)
	}
	// Of filters, the one that keeps fewer is the later.
	slices.SortStableFunc(stages, func(a, b assay.Stage) int {
		if a.Name != assay.StageFilter || b.Name != a.Name {
			return placeOf(a.Name) - placeOf(b.Name)
		}
		return cmp.Or(a.SubQuestion-b.SubQuestion, countIn(b.Output)-countIn(a.Output))
	})
	return stages, true
}

// countIn counts the entries of a list.
func countIn(list json.RawMessage) int {
	var all []json.RawMessage
	_ = json.Unmarshal(list, &all)
	return len(all)
}

// ownFields are the fields of a mapping that are the output of a stage, or the
// generator's input.
var ownFields = []struct{ field, stage string }{
	{Transcript, assay.StageTranscribe}, {SubQuestions, assay.StageDecompose}, {Retrieved, assay.StageRetrieve}, {Filtered, assay.StageFilter},
	{Prompted, assay.StageGenerate},
}

// ownStages adds the stages that have a path of their own and are not present yet.
func (r *reader) ownStages(stages []assay.Stage) []assay.Stage {
	for _, f := range ownFields {
		p, given := r.m.paths[f.field]
		if !given {
			continue
		}
		values, found := p.column(r.root)
		if !found {
			r.missing(f.field, p.text, p.stops(r.root, "the reply"))
			continue
		}
		var v any = values
		if !p.plural() {
			v = values[0]
		}
		if slices.ContainsFunc(stages, func(s assay.Stage) bool { return s.Name == f.stage }) {
			r.found(f.field, p.text, "the stage %s is there already", f.stage)
			continue
		}
		o := map[string]any{"output": v}
		if f.field == Prompted {
			o = map[string]any{"input": v}
			if !r.out.NoAnswer {
				o["output"] = r.out.Answer
			}
		}
		more := r.stage(p.text, f.stage, o, stages)
		stages = append(stages, more...)
		r.found(f.field, p.text, "%d", len(more))
	}
	return stages
}

// passagesOfStages uses the passages that the filter kept, else the retrieved ones, if
// the reply has no passages elsewhere, or only citations.
func (r *reader) passagesOfStages() {
	if _, mapped := r.m.paths[Passages]; (mapped || r.out.Passages != nil) && !r.m.cited {
		return
	}
	for _, name := range []string{assay.StageFilter, assay.StageRetrieve} {
		lists, ok := r.out.StagePassagesEach(name)
		passages := interleaved(lists)
		if ok && !slices.ContainsFunc(passages, nothingOf) {
			r.out.Passages = passages
			r.found(Passages, "the stage "+name, "%d", len(passages))
			return
		}
	}
}

// nothingOf reports whether a passage has no identifying field, as for a stage whose
// output is something else.
func nothingOf(p assay.Passage) bool {
	return strings.TrimSpace(p.Text) == "" && p.ID == "" && p.Document == "" && p.Source == ""
}

// numbered numbers stages that occur once per sub-question; filters may follow each other
// instead, and are numbered only after a decomposition, one for each retrieval. Without one,
// retrievers of several names ask the same question.
func numbered(stages []assay.Stage, several bool) {
	retrievals := 0
	decomposed := slices.ContainsFunc(stages, func(s assay.Stage) bool { return s.Name == assay.StageDecompose })
	for _, name := range []string{assay.StageRetrieve, assay.StageFilter, assay.StageGenerate} {
		var of []int
		known := false
		for i, s := range stages {
			if s.Name == name {
				of = append(of, i)
				known = known || s.SubQuestion > 0
			}
		}
		if name == assay.StageRetrieve {
			retrievals = len(of)
		}
		if known || len(of) < 2 || name == assay.StageRetrieve && several && !decomposed || name == assay.StageFilter && (!decomposed || len(of) != retrievals) {
			continue
		}
		for n, i := range of {
			stages[i].SubQuestion = n + 1
		}
	}
}

// placeOf returns a stage's position in a pipeline; unknown stages come last.
func placeOf(name string) int {
	if i := slices.Index(pipeline, stageName(name)); i >= 0 {
		return i
	}
	return len(pipeline)
}

func (r *reader) foundStages(path string, stages []assay.Stage) {
	var names []string
	for _, s := range stages {
		names = append(names, s.Name)
	}
	r.found(Stages, path, "%d: %s", len(stages), strings.Join(names, ", "))
}

// stage reads one stage: one entry of a trace, or one for each sub-question. before are
// the earlier stages.
func (r *reader) stage(at, name string, o map[string]any, before []assay.Stage) []assay.Stage {
	_, isText := firstOf(o, names().StageOutput...).(string)
	s := assay.Stage{Name: named(name, isText, before...)}
	if s.Name == assay.StageRetrieve {
		if r.retrievers == nil {
			r.retrievers = map[string]bool{}
		}
		r.retrievers[name] = true
	}
	s.Model, _ = TextOf(firstOf(o, "model", "model_name", "algorithm"))
	s.Prompt, _ = TextOf(firstOf(o, "prompt"))
	s.Note, _ = TextOf(firstOf(o, "note", "notes"))
	s.Latency = r.stageLatency(at, o)
	s.Usage = stageUsage(o)
	in, out := firstOf(o, names().StageInput...), firstOf(o, names().StageOutput...)
	if out == nil && s.Name != assay.StageGenerate { // whose documents are its input
		out = firstOf(o, "documents", "contexts")
	}
	if out == nil {
		out = firstOf(o, names().Stages[s.Name].Output...)
	}
	if in == nil && s.Name == assay.StageGenerate {
		in = firstOf(o, names().Prompted...)
	}
	question := ""
	s.SubQuestion, question = r.subQuestionOf(o, before)
	if in == nil && question != "" && s.Name != assay.StageGenerate {
		in = question
	}
	s.Input = r.stageValue(at+".input", in)
	switch s.Name {
	case assay.StageTranscribe:
		if text, ok := TextOf(out); ok {
			out = text
		}
	case assay.StageDecompose:
		if questions, ok := questionsOf(out); ok {
			out = questions
		}
	case assay.StageRetrieve, assay.StageFilter:
		if s.Name == assay.StageFilter {
			out = chosen(out)
		}
		if list, ok := r.groupsOf(out, before); ok {
			return r.grouped(at, s, list, before)
		}
		if passages, ok := r.passageList(at+".output", out, s.Name, before); ok {
			s.Output = asJSON(passages)
			return []assay.Stage{s}
		}
		if out != nil {
			r.warn(at+".output", "no passages could be read: expected a list of them or of their ids, or one for each sub-question")
		}
	case assay.StageGenerate:
		if passages, ok := r.prompted(at+".input", in, before); ok {
			s.Input = asJSON(passages)
		}
		if out == nil && o["error"] != nil {
			s.Name = name + " (failed)" // another call wrote the answer, from another prompt
		}
	}
	s.Output = r.stageValue(at+".output", out)
	r.out.Warnings = append(r.out.Warnings, strange(s)...)
	return []assay.Stage{s}
}

// chosen returns the output of a filter without the passages that it marks as dropped.
func chosen(v any) any {
	switch v := v.(type) {
	case []any:
		out := []any{}
		for _, e := range v {
			if o, _ := e.(map[string]any); !marked(o) {
				out = append(out, chosen(e))
			}
		}
		return out
	case map[string]any: // by sub-question
		out := maps.Clone(v)
		for k, e := range v {
			if list, ok := e.([]any); ok {
				out[k] = chosen(list)
			}
		}
		return out
	}
	return v
}

// marked reports whether a filter says of a passage, by a yes or no or a word for one, that it drops it.
func marked(passage map[string]any) bool {
	says := func(v any, words []string) bool {
		word := strings.ToLower(strings.TrimSpace(fmt.Sprint(v)))
		return slices.Contains(words, strings.NewReplacer("_", " ", "-", " ").Replace(word))
	}
	denies := func(o map[string]any) func(string) bool { // by a word
		return func(name string) bool { return says(o[name], names().No) && fmt.Sprint(o[name]) != "0" }
	}
	return slices.ContainsFunc(names().States, denies(passage)) || slices.ContainsFunc(places(passage), func(in place) bool {
		return slices.ContainsFunc(names().Kept, func(name string) bool { return says(in.object[name], names().No) }) ||
			slices.ContainsFunc(names().Graded, denies(in.object)) ||
			slices.ContainsFunc(names().Dropped, func(name string) bool { return says(in.object[name], names().Yes) })
	})
}

// firstOf returns the first value that is present under one of the names.
func firstOf(o map[string]any, names ...string) any {
	for _, n := range names {
		if o[n] != nil {
			return o[n]
		}
	}
	return nil
}

// stageValue encodes the input or output of a stage: a list of objects that look like
// passages as passages, anything else unchanged.
func (r *reader) stageValue(at string, v any) json.RawMessage {
	if v == nil {
		return nil
	}
	if list, ok := v.([]any); ok && len(list) > 0 && arePassages(list) {
		if passages, ok := passagesIn(at, list); ok {
			v = passages
		}
	}
	raw, err := json.Marshal(v)
	if err != nil { // a value without JSON form, which decoded JSON never holds
		r.warn(at, err.Error())
		return nil
	}
	return raw
}

// passagesIn reads a list of passages under their common names.
func passagesIn(at string, list []any) ([]assay.Passage, bool) {
	r := &reader{m: Mapping{paths: map[string]Path{Passages: {text: at}}}, root: list}
	r.passages()
	return r.out.Passages, r.problems == nil
}

// arePassages reports whether all elements of a list look like passages.
func arePassages(list []any) bool {
	return !slices.ContainsFunc(list, func(v any) bool { return !isPassage(v) })
}

// isPassage reports whether a value is an object with a text, an id or a document under
// a common name, and nothing that only what somebody says has.
func isPassage(v any) bool {
	o, _ := v.(map[string]any)
	in := places(o)
	return !isSaid(o, in) && slices.ContainsFunc([]string{Text, ID, Document, Source}, func(field string) bool {
		_, path := find(field, in, true)
		return path != nil
	})
}

// isSaid reports whether an object is a message, which is a passage only if it has a score.
func isSaid(o map[string]any, in []place) bool {
	_, scored := find(Score, in, false)
	return scored == nil && (slices.Contains(names().Speakers, textIn(o, "role")) || firstOf(o, names().Said...) != nil)
}

// maxLatency is a month, well within a Duration.
const maxLatency = 30 * 24 * time.Hour

func (r *reader) stageLatency(at string, o map[string]any) time.Duration {
	for _, d := range names().Durations {
		for _, name := range d.Names {
			if o[name] == nil {
				continue
			}
			f, ok := number(o[name])
			if !ok || f < 0 || f*float64(d.Unit) > float64(maxLatency) {
				r.warn(at+"."+name, "is no duration")
				return 0
			}
			return time.Duration(f * float64(d.Unit))
		}
	}
	return 0
}

// stageUsage returns the tokens of a stage: in the stage itself, or in its usage.
func stageUsage(o map[string]any) assay.Usage {
	used, _ := o["usage"].(map[string]any)
	tokens := func(names ...string) int {
		for _, in := range []map[string]any{o, used} {
			if n, ok := count(firstOf(in, names...)); ok {
				return n
			}
		}
		return 0
	}
	in, out := tokens("input_tokens", "prompt_tokens"), tokens("output_tokens", "completion_tokens")
	return assay.Usage{InputTokens: in, OutputTokens: Output(in, out, tokens("total_tokens"))}
}

func (r *reader) warn(at, what string) {
	r.out.Warnings = append(r.out.Warnings, at+": "+what)
}
