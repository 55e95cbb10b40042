package spans

import (
	"cmp"
	"encoding/json"
	"fmt"
)

// langSmithRun is a run of LangSmith, as its API returns it and its SDK sends it.
var langSmithRun = Format{
	Name: "LangSmith",
	Doc:  "a run an object, as the API's /runs/query returns it and the SDK's Run has it",
	is: func(o map[string]json.RawMessage) bool {
		return o["run_type"] != nil && o["id"] != nil
	},
	read: readLangSmith,
}

func readLangSmith(raw json.RawMessage) ([]Span, error) {
	var r struct {
		ID      string `json:"id"`
		Trace   string `json:"trace_id"`
		Parent  string `json:"parent_run_id"`
		Name    string `json:"name"`
		Type    string `json:"run_type"`
		Start   any    `json:"start_time"`
		End     any    `json:"end_time"`
		Inputs  any    `json:"inputs"`
		Outputs any    `json:"outputs"`
		Extra   any    `json:"extra"`
		Tags    any    `json:"tags"`
		Error   string `json:"error"`
		Status  string `json:"status"`
		// The API counts the tokens of a run.
		Prompt     any `json:"prompt_tokens"`
		Completion any `json:"completion_tokens"`
	}
	if err := unmarshal(raw, &r); err != nil {
		return nil, fmt.Errorf("run of LangSmith: %w", err)
	}
	if r.ID == "" {
		return nil, fmt.Errorf("run %q of LangSmith: id is missing", r.Name)
	}
	s := Span{
		Trace: cmp.Or(r.Trace, r.ID), ID: r.ID, Parent: r.Parent, Name: r.Name, Failed: r.Error != "" || r.Status == "error", Failure: r.Error,
		Attributes: map[string]any{langSmithType: r.Type},
	}
	for name, v := range map[string]any{langSmithInputs: r.Inputs, langSmithOutputs: r.Outputs, langSmithExtra: r.Extra,
		langSmithTags: r.Tags, langSmithPrompt: r.Prompt, langSmithCompletion: r.Completion} {
		if v != nil {
			s.Attributes[name] = v
		}
	}
	if err := s.took(r.Start, r.End); err != nil {
		return nil, fmt.Errorf("run %q of LangSmith: %w", r.Name, err)
	}
	return []Span{s}, nil
}
