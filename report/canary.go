package report

import (
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/words"
)

// canaryWarnings are the warnings about canaries, in a language.
func canaryWarnings(w words.Words, h assay.Header) []string {
	var out []string
	for _, c := range h.Canaries {
		if text := w.Say("CanaryWarning", c); text != "" {
			out = append(out, line(text))
		}
	}
	return out
}

// told are the warnings of the run, those about canaries in the language of the report.
func (c *content) told() []string {
	out := slices.Clone(c.r.Summary.Warnings)
	own := canaryWarnings(c.w, c.r.Header)
	for i, english := range canaryWarnings(words.English, c.r.Header) {
		if at := slices.Index(out, english); at >= 0 {
			out[at] = own[i]
		}
	}
	return out
}

// canaries tells in a line each what the canaries of the judges have shown; with the names of
// the models if there are several.
func (c *content) canaries() []string {
	var out []string
	for _, one := range c.r.Header.Canaries {
		text := line(c.w.Canary(one))
		if len(c.r.Header.Canaries) > 1 {
			text = line(one.Provider+" "+one.Model) + c.w.Names().Colon + text
		}
		out = append(out, text)
	}
	return out
}

// doubtJudge adds a caution about each model that changed between the first run and another.
func (c *Comparison) doubtJudge(first, r *Report, name string) {
	for _, x := range assay.CanariesBetween(first.Header.Canaries, r.Header.Canaries) {
		c.Cautions = append(c.Cautions, words.Caution{Kind: words.ChangedJudge, Run: c.Runs[0], Other: name, Canary: &x})
	}
}
