package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// judgeName says who judged, in a few words; "" when nobody did.
func judgeName(j *assay.JudgeInfo) string {
	switch {
	case j == nil:
		return ""
	case j.Estimate:
		return "offline: estimates, no model judged"
	case len(j.Panel) > 0:
		names := make([]string, len(j.Panel))
		for i := range j.Panel {
			names[i] = modelName(j.Panel[i])
		}
		return "panel of " + strings.Join(names, ", ")
	}
	return modelName(*j)
}

func modelName(j assay.JudgeInfo) string { return line(strings.TrimSpace(j.Provider + " " + j.Model)) }

// judgingLine says who judged, how much was asked and what it cost; "" when
// nothing was judged.
func judgingLine(h assay.Header, s summary.Summary) string {
	parts := []string{judgeName(h.Judge)}
	if h.Judge != nil && !h.Judge.Estimate && h.Judge.Passes > 1 {
		parts = append(parts, fmt.Sprintf("%d passes", h.Judge.Passes))
	}
	if d := s.Judging; d.Calls > 0 || d.Failed > 0 {
		calls := fmt.Sprintf("%s, %.1f a case", plural(d.Calls, "call", "calls"), float64(d.Calls)/float64(s.Judged))
		var saved []string
		if d.Cached > 0 {
			saved = append(saved, fmt.Sprintf("%d paid for earlier", d.Cached))
		}
		if n := shared(h, d); n > 0 {
			saved = append(saved, fmt.Sprintf("%d asked for another case already", n))
		}
		if saved != nil {
			calls += " (" + strings.Join(saved, ", ") + ")"
		}
		parts = append(parts, calls)
		if d.Failed > 0 {
			parts = append(parts, plural(d.Failed, "question without an answer", "questions without an answer"))
		}
		if u := usageLine(assay.Usage{InputTokens: d.Usage.InputTokens, OutputTokens: d.Usage.OutputTokens}); u != "" {
			parts = append(parts, u)
		}
		// Nothing, or unknown: then a warning of the run says so.
		if paid := billOf(h, s).Judging; paid != 0 {
			parts = append(parts, assay.Dollars(paid))
		}
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}

// shared counts the calls that cases of the run have in common, which were made
// once; 0 when the ledger does not tell.
func shared(h assay.Header, d assay.Spending) int {
	if h.Spending == nil {
		return 0
	}
	return d.Calls - d.Cached - h.Spending.Calls
}

func newJudgingJSON(s assay.Spending) *judgingJSON {
	j := &judgingJSON{Calls: s.Calls, Cached: s.Cached, Failed: s.Failed, InputTokens: s.Usage.InputTokens,
		OutputTokens: s.Usage.OutputTokens}
	j.Cost, _, _ = usageJSON(s.Usage)
	return j
}

func (j *judgingJSON) spending() assay.Spending {
	return assay.Spending{Calls: j.Calls, Cached: j.Cached, Failed: j.Failed, Usage: usage(j.Cost, &j.InputTokens, &j.OutputTokens)}
}

// judgeFacts lists what moves a ruling.
func judgeFacts(n words.Provenance, j *assay.JudgeInfo) []fact {
	if j == nil {
		return nil
	}
	judges := j.Panel
	if len(judges) == 0 {
		judges = []assay.JudgeInfo{*j}
	}
	var facts []fact
	for _, one := range judges {
		parts := []string{one.Provider, one.Model}
		if one.PromptHash != "" {
			parts = append(parts, "prompts "+one.PromptHash)
		}
		for _, k := range slices.Sorted(maps.Keys(one.Parameters)) {
			parts = append(parts, k+" "+one.Parameters[k])
		}
		facts = append(facts, fact{n.Judge, strings.Join(strings.Fields(strings.Join(parts, " ")), " ")})
	}
	if j.Passes > 0 {
		facts = append(facts, fact{n.Passes, strconv.Itoa(j.Passes)})
	}
	return facts
}

// judgeVersion tells judges apart, down to the named prompts; all without names.
func judgeVersion(j *assay.JudgeInfo, prompts []string) string {
	if j != nil {
		about := j.About(prompts)
		j = &about
	}
	facts := judgeFacts(words.English{}.Provenance(), j)
	if len(facts) == 0 {
		return "none"
	}
	values := make([]string, len(facts))
	for i, f := range facts {
		values[i] = f.value
		if f.name != "Judge" {
			values[i] = strings.TrimPrefix(f.name, "Judge ") + " " + f.value
		}
	}
	return strings.Join(values, ", ")
}
