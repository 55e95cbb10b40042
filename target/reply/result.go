package reply

import "github.com/assay-eval/assay"

// ResultShape is what [Detect] calls a result of accuracy testing.
const ResultShape = "result of accuracy testing"

// result detects an accuracy test result, at the top or in a field.
func result(root map[string]any) (Mapping, bool) {
	for _, c := range names().Containers {
		o, at := root, "$"
		if c != "" {
			at = c
			if o, _ = root[c].(map[string]any); o == nil {
				continue
			}
		}
		retrieval, _ := o["retrieval"].(map[string]any)
		response, _ := o["response"].(map[string]any)
		_, asked := o["extracted_key_questions"].([]any)
		_, found := retrieval["per_sub_question"].([]any)
		said, answered := response["final_answer"]
		if _, readable := TextOf(said); !asked || !found || !answered || said != nil && !readable {
			continue
		}
		p := builtIn(at)
		answer := "response.final_answer"
		if c != "" {
			answer = c + "." + answer
		}
		m := at1(Answer, answer)
		m.result = &p
		return m, true
	}
	return Mapping{}, false
}

// resultStages builds the stages of a result.
func (r *reader) resultStages() ([]assay.Stage, bool) {
	values, found := r.m.result.Find(r.root)
	var root map[string]any
	if found {
		root, _ = values[0].(map[string]any)
	}
	if root == nil {
		r.problem(Stages, r.m.result.text, "no object", "a result of accuracy testing")
		return nil, false
	}
	var list []any
	for _, s := range known().Result {
		stage := map[string]any{"name": s.Name}
		for field, paths := range s.Read {
			stage[field] = paths.first(root)
		}
		if happened(stage, root) {
			list = append(list, stage)
		}
	}
	stages, ok := r.stageList(r.m.result.text, list)
	if total, _ := builtIn("timing.total_time_ms").one(root); ok {
		r.total = r.stageLatency(r.m.result.text, map[string]any{"time_ms": total})
		r.foundStages(r.m.result.text, stages)
	}
	return stages, ok
}

// happened reports whether a result has a stage that not every pipeline has. A pipeline
// without decomposition lists only the question itself.
func happened(stage, root map[string]any) bool {
	switch stage["name"] {
	case assay.StageTranscribe:
		return root["input_type"] == "audio" || stage["input"] != nil
	case assay.StageDecompose:
		questions, _ := stage["output"].([]any)
		if len(questions) != 1 {
			return true
		}
		only, _ := questions[0].(string)
		said, _ := stage["input"].(string)
		return only != said || !empty(stage["prompt"]) || !empty(stage["model"])
	case assay.StageFilter:
		return stage["output"] != nil
	}
	return true
}
