package assay

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// JudgeInfo identifies a judge. Judgements are not comparable when their infos
// differ, except in prompts that the judgement does not use: see [SameJudge].
type JudgeInfo struct {
	Provider string `json:"provider"`
	Model    string `json:"model,omitempty"`
	// PromptHash changes whenever one of Prompts does. For formulas it is the
	// version.
	PromptHash string `json:"prompt_hash,omitempty"`
	// Prompts has the version of each prompt by its name: "sha256:" and the hash
	// of its words in all languages, its schema and how its replies are read. nil
	// for formulas, and in headers written before prompts were recorded one by
	// one.
	Prompts map[string]string `json:"prompts,omitempty"`
	// Passes is the maximum number of times that each ruling is requested.
	Passes int `json:"passes,omitempty"`
	// Parameters are the model parameters that can affect a ruling, such as
	// "temperature".
	Parameters map[string]string `json:"parameters,omitempty"`
	// Panel lists the judges when there are several. The fields above then
	// summarize them.
	Panel []JudgeInfo `json:"panel,omitempty"`
	// Tasks has the judges that answer some questions in place of this one, by the name of
	// the question: an entailment judge rules on "support" and on nothing else.
	Tasks map[string]JudgeInfo `json:"tasks,omitempty"`
	// Estimate is set when formulas replace the judging model.
	Estimate bool `json:"estimate,omitempty"`
}

// For returns the judge that answers a question.
func (j JudgeInfo) For(question string) JudgeInfo {
	if one, ok := j.Tasks[question]; ok {
		return one
	}
	j.Tasks = nil
	return j
}

// ParameterThreshold is the parameter with the degree from which a judge that gives one
// says yes; with "." and a language after it, that of the language.
const ParameterThreshold = "threshold"

// Delegates lists the questions that another model answers in place of this judge, sorted. One
// that it answers itself with parameters of its own, such as the threshold of a certificate, is
// not among them.
func (j JudgeInfo) Delegates() []string {
	var out []string
	for question, one := range j.Tasks {
		if !sameModels(j, one) {
			out = append(out, question)
		}
	}
	slices.Sort(out)
	return out
}

// RecheckDoubtful is the value of the parameter "recheck" of a judge that decides rulings that
// it is sure of in one pass. The parameter is absent if every ruling is put to a vote.
const RecheckDoubtful = "doubtful"

// SparesSure reports whether the judge, or one of the panel, decides rulings that it is sure of
// in one pass.
func (j *JudgeInfo) SparesSure() bool {
	if j == nil {
		return false
	}
	return j.Parameters["recheck"] == RecheckDoubtful || slices.ContainsFunc(j.Panel, func(one JudgeInfo) bool { return one.SparesSure() })
}

// About leaves out the prompts that are not among those named, and sets
// PromptHash to the hash of the others; without names it keeps all. An info that
// does not know its prompts one by one keeps its PromptHash.
func (j JudgeInfo) About(prompts []string) JudgeInfo {
	if j.Prompts != nil {
		j.Prompts = maps.Clone(j.Prompts)
		maps.DeleteFunc(j.Prompts, func(name, _ string) bool { return len(prompts) > 0 && !slices.Contains(prompts, name) })
		h := sha256.New()
		for _, name := range slices.Sorted(maps.Keys(j.Prompts)) {
			fmt.Fprintf(h, "%s %s\n", name, j.Prompts[name])
		}
		j.PromptHash = "sha256:" + hex.EncodeToString(h.Sum(nil))
	}
	if len(j.Parameters) == 0 {
		j.Parameters = nil
	}
	j.Panel = slices.Clone(j.Panel)
	for i := range j.Panel {
		j.Panel[i] = j.Panel[i].About(prompts)
	}
	j.Tasks = maps.Clone(j.Tasks)
	maps.DeleteFunc(j.Tasks, func(name string, _ JudgeInfo) bool { return len(prompts) > 0 && !slices.Contains(prompts, name) })
	for name, one := range j.Tasks {
		j.Tasks[name] = one.About([]string{name})
	}
	if len(j.Tasks) == 0 {
		j.Tasks = nil
	}
	return j
}

// SameJudge reports whether judgements that rest on the named prompts are
// comparable: provider, model, parameters, passes and these prompts are the
// same. Without names all prompts count. Two that are nil are the same.
func SameJudge(a, b *JudgeInfo, prompts []string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return reflect.DeepEqual(a.About(prompts), b.About(prompts))
}

// PromptsOf lists the prompts that the metrics rest on, each once, sorted.
func PromptsOf(metrics []MetricInfo) []string {
	var out []string
	for _, m := range metrics {
		out = append(out, m.Prompts...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
