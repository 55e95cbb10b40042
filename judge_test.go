package assay_test

import (
	"maps"
	"testing"

	"github.com/assay-eval/assay"
)

// What is comparable depends on the prompts that a metric rests on, and on no
// other.
func TestSameJudge(t *testing.T) {
	t.Parallel()
	info := func(change func(*assay.JudgeInfo)) *assay.JudgeInfo {
		j := assay.JudgeInfo{Provider: "p", Model: "m", Passes: 1, Prompts: map[string]string{"claims": "1", "support": "1", "mark": "1"}}
		change(&j)
		return &j
	}
	same := func(*assay.JudgeInfo) {}
	prompt := func(name, version string) func(*assay.JudgeInfo) {
		return func(j *assay.JudgeInfo) {
			j.Prompts = maps.Clone(j.Prompts)
			j.Prompts[name] = version
		}
	}
	hashed := func(hash string) func(*assay.JudgeInfo) {
		return func(j *assay.JudgeInfo) { j.Prompts, j.PromptHash = nil, hash }
	}
	reads := []string{"claims", "support"}
	routed := func(version string) func(*assay.JudgeInfo) {
		return func(j *assay.JudgeInfo) {
			one := assay.JudgeInfo{Provider: "nli", Model: "small", Prompts: map[string]string{"support": version}}
			j.Tasks = map[string]assay.JudgeInfo{"support": one}
		}
	}
	panel := func(change func(*assay.JudgeInfo)) func(*assay.JudgeInfo) {
		return func(j *assay.JudgeInfo) { j.Panel = []assay.JudgeInfo{*info(change)} }
	}
	for name, c := range map[string]struct {
		a, b    func(*assay.JudgeInfo)
		prompts []string
		want    bool
	}{
		"the same":                                    {same, same, reads, true},
		"no parameters and an empty list":             {same, func(j *assay.JudgeInfo) { j.Parameters = map[string]string{} }, reads, true},
		"a prompt that is not read":                   {same, prompt("mark", "2"), reads, true},
		"a prompt that is not read is new":            {same, prompt("toxicity", "1"), reads, true},
		"a prompt that is read":                       {same, prompt("support", "2"), reads, false},
		"any prompt, when none is named":              {same, prompt("mark", "2"), nil, false},
		"another model":                               {same, func(j *assay.JudgeInfo) { j.Model = "n" }, reads, false},
		"a judge of a panel":                          {panel(same), panel(prompt("mark", "2")), reads, true},
		"a prompt of a judge of a panel":              {panel(same), panel(prompt("claims", "2")), reads, false},
		"a judge of its own for a question":           {routed("1"), routed("1"), reads, true},
		"another judge for a question":                {routed("1"), routed("2"), reads, false},
		"a judge of a question, beside none":          {routed("1"), same, reads, false},
		"another judge for a question that is unread": {routed("1"), routed("2"), []string{"claims"}, true},
		"combined hashes":                             {hashed("x"), hashed("x"), reads, true},
		"other combined hashes":                       {hashed("x"), hashed("y"), reads, false},
		"a combined hash of unknown prompts":          {hashed("x"), same, reads, false},
	} {
		a, b := info(c.a), info(c.b)
		if got := assay.SameJudge(a, b, c.prompts); got != c.want {
			t.Errorf("%s: %v: %+v and %+v", name, got, *a, *b)
		}
	}
	if !assay.SameJudge(nil, nil, nil) || assay.SameJudge(info(same), nil, nil) {
		t.Error("want no judge to be the same as none, and as no other")
	}
}
