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
	// Estimate is set when formulas replace the judging model.
	Estimate bool `json:"estimate,omitempty"`
}

// combined has the prompts behind the combined hash that headers held before
// prompts were recorded one by one.
var combined = map[string]map[string]string{
	"sha256:628af005a26fef6b78e25bab7457d90cb1cfbe167758c5e87d865492a855cef7": {
		"assign":      "sha256:d0e36c11a22fa14e0165c7bde0e32af7c543b59eee8254a8a8b59c09313da4ef",
		"claims":      "sha256:e2a3bbe0d72dee2a7cea771a2a61621f7cc8cb2465ace87b0257fc963e529ce9",
		"equivalence": "sha256:df9c67b33f1526f3b13544d9f98f3b0f865c60a86581fb44d03a1dbcea4b30d3",
		"mark":        "sha256:365c9013f08f20099be37f769f8050206478837eb61db826a6be40ad252be9d8",
		"points":      "sha256:3dfb2e1ed3953273161c7f8fa7bace244b2b6211886ddd33b625474c1b7eb6fc",
		"questions":   "sha256:258ac02c760cab64b80623030b4bb2580665f9b9e9bc7c3dc23931e26ba5466f",
		"relevance":   "sha256:c6454512816917eba5f029117bd160511f8898b1d4790b585a10973d7cfc4d77",
		"support":     "sha256:5a4506a2b6d329d83e2798c2ee6a5449a4ee0dea9030f49bd4c457e0d4fcdc4b",
	},
}

// About leaves out the prompts that are not among those named, and sets
// PromptHash to the hash of the others; without names it keeps all. An info that
// does not know its prompts one by one keeps its PromptHash.
func (j JudgeInfo) About(prompts []string) JudgeInfo {
	if j.Prompts == nil {
		j.Prompts = combined[j.PromptHash]
	}
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
