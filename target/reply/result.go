package reply

import "github.com/assay-eval/assay"

// A result of accuracy testing has every stage of a pipeline: the form of
// assay's own API, and of the systems that it is compatible with.
//
//	input {text, audio_filename}              extracted_key_questions [text]
//	retrieval {per_sub_question [{sub_question_index, sub_question_text, chunks}], retriever_time_ms}
//	filtered {per_sub_question […], filter_time_ms}
//	response {final_answer, sub_question_sources [{…, sources}], generate_time_ms}
//	timing, prompts {decompose_prompt, …, models}

// ResultShape is what [Detect] calls a result of accuracy testing.
const ResultShape = "result of accuracy testing"

// result detects an accuracy test result, at the top or in a field.
func result(root map[string]any) (Mapping, bool) {
	for _, c := range containers {
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
		p := pathsOf(at, " | ")[0]
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
	object := func(name string) map[string]any { v, _ := root[name].(map[string]any); return v }
	input, retrieval, filtered, response, timing, prompts := object("input"), object("retrieval"), object("filtered"), object("response"),
		object("timing"), object("prompts")
	models, _ := prompts["models"].(map[string]any)
	first := func(v ...any) any {
		for _, one := range v {
			if one != nil {
				return one
			}
		}
		return nil
	}
	var list []any
	add := func(name string, o map[string]any) {
		o["name"] = name
		list = append(list, o)
	}
	if root["input_type"] == "audio" || input["audio_filename"] != nil {
		add(assay.StageTranscribe, map[string]any{"input": input["audio_filename"], "output": input["text"], "time_ms": timing["asr_time_ms"],
			"model": models["asr"]})
	}
	questions, _ := root["extracted_key_questions"].([]any)
	// A pipeline without decomposition lists only the question itself.
	only := ""
	if len(questions) == 1 {
		only, _ = questions[0].(string)
	}
	said, _ := input["text"].(string)
	if parted := len(questions) != 1 || only != said || first(prompts["decompose_prompt"], "") != "" ||
		first(models["decompose"], "") != ""; parted {
		add(assay.StageDecompose, map[string]any{
			"input": input["text"], "output": questions, "time_ms": timing["decomposer_time_ms"], "prompt": prompts["decompose_prompt"],
			"model": models["decompose"],
		})
	}
	add(assay.StageRetrieve, map[string]any{"output": retrieval["per_sub_question"], "time_ms": first(retrieval["retriever_time_ms"],
		timing["retriever_time_ms"])})
	if filtered["per_sub_question"] != nil {
		add(assay.StageFilter, map[string]any{
			"output": filtered["per_sub_question"], "time_ms": first(filtered["filter_time_ms"], timing["filter_time_ms"]),
			"prompt": prompts["filter_prompt"], "model": models["filter"],
		})
	}
	add(assay.StageGenerate, map[string]any{
		"input": response["sub_question_sources"], "output": response["final_answer"], "time_ms": first(response["generate_time_ms"],
			timing["generator_time_ms"]),
		"prompt": prompts["generate_prompt"], "model": models["generate"],
	})
	stages, ok := r.stageList(r.m.result.text, list)
	if ok {
		r.total = r.stageLatency(r.m.result.text, map[string]any{"time_ms": timing["total_time_ms"]})
		r.foundStages(r.m.result.text, stages)
	}
	return stages, ok
}
