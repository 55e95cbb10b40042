package wire

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/llm"
)

// related warns of a judge that may favour what it judges: one that is of the same family of
// models as the generator, one that wrote the reference, and a panel of one family. Models
// prefer answers of their own. Source: Panickssery, Bowman and Feng, LLM Evaluators Recognize
// and Favor Their Own Generations, NeurIPS 2024.
func (p *Prepared) related(h *assay.Header) []string {
	if h.Judge == nil || h.Judge.Estimate {
		return nil
	}
	judges := h.Judge.Panel
	if len(judges) == 0 {
		judges = []assay.JudgeInfo{*h.Judge}
	}
	var out []string
	family := llm.Family(judges[0].Model)
	differs := func(j assay.JudgeInfo) bool { return llm.Family(j.Model) != family }
	if len(judges) > 1 && family != "" && !slices.ContainsFunc(judges, differs) {
		out = append(out, fmt.Sprintf("all %d judges of the panel are of one family of models, %s: a vote does not find the mistakes that they "+
			"share; add a judge of another family", len(judges), family))
	}
	generator := p.generator(h)
	for _, j := range judges {
		if family := llm.Family(j.Model); family != "" && family == llm.Family(generator) {
			out = append(out, fmt.Sprintf("the judge %s and the generator %s are of one family of models, %s: models tend to prefer answers of their "+
				"own: compare with a judge of another family, or with labels of people (assay judge calibrate)", j.Model, generator, family))
		}
		if n := p.cases.Count(func(c *assay.Case) bool {
			return slices.ContainsFunc(writers(c), func(w string) bool { return wrote(w, j) })
		}); n > 0 {
			out = append(out, fmt.Sprintf("the judge %s wrote the question, the reference or the ideal answer of %d of %d cases: it judges by a text "+
				"of its own; use another judge, or have people check these texts", j.Model, n, p.cases.Len()))
		}
	}
	return out
}

// generator returns the name of the model that writes the answers; "" if it is not known.
func (p *Prepared) generator(h *assay.Header) string {
	if p.target.Rehearsed && config.IsModel(p.cfg.Generator) {
		return p.cfg.Generator[strings.IndexByte(p.cfg.Generator, ':')+1:]
	}
	return h.Target.Settings["model"]
}

// writers returns the models that wrote texts of a case, each as "model" or "provider model".
func writers(c *assay.Case) []string {
	var out []string
	if c.Want.Ideal != nil && c.Want.Ideal.Model != "" {
		out = append(out, c.Want.Ideal.Model)
	}
	written, _ := c.Metadata["written"].(map[string]any)
	for _, by := range written {
		if by, ok := by.(map[string]any); ok {
			provider, _ := by["provider"].(string)
			if model, _ := by["model"].(string); model != "" {
				out = append(out, strings.TrimSpace(provider+" "+model))
			}
		}
	}
	return out
}

// wrote reports whether the model that wrote a text is the judge. A reseller's name of a
// model is that of its maker, such as "openai/gpt-4.1".
func wrote(writer string, j assay.JudgeInfo) bool {
	bare := func(name string) string { return name[strings.LastIndexAny(name, " /:")+1:] }
	return j.Model != "" && strings.EqualFold(bare(writer), bare(j.Model))
}
