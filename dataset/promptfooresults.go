package dataset

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
)

func loadPromptfooResults(l *loader) error {
	var results []*record
	collect := func(r *record) { results = append(results, r) }
	if err := l.promptfooResults(collect); err != nil {
		return err
	}
	chosen, err := chooseOutput(l, results)
	if err != nil {
		return err
	}
	p, seen := &promptfooReader{}, map[string]bool{}
	for _, r := range chosen {
		if test := r.get("testIdx"); test != nil {
			if seen[test.text] {
				r.l.warn(r.origin(), "testIdx", "results of a repeated test are "+notCarried)
				continue
			}
			seen[test.text] = true
		}
		p.result(r)
		if len(l.errs) > maxErrors {
			return nil
		}
	}
	return nil
}

// promptfooResults calls fn with every result of a file.
func (l *loader) promptfooResults(fn func(*record)) error {
	if !l.excerpt.has("results") {
		return l.records(fn, nil)
	}
	root, err := l.inside(l.format.Inside, fn)
	if err != nil {
		return err
	}
	if about := root.get("config"); about != nil && !about.get("description").isEmpty() {
		l.metadata = map[string]any{"description": about.get("description").value()}
	}
	return nil
}

// maker names what made the output of a result: the provider, or the prompt.
func (r *record) maker(of string, names ...string) string {
	n := r.get(of)
	if n != nil && n.kind == object {
		_, n = newRecord(r.l, n, r.index).first(names)
	}
	if n == nil || n.kind != str {
		return ""
	}
	return clip(strings.Join(strings.Fields(n.text), " "))
}

// outputNames names the outputs of results: by the provider, by the prompt if there are
// several, or by both.
func outputNames(results []*record) []string {
	providers, prompts := make([]string, len(results)), make([]string, len(results))
	for i, r := range results {
		providers[i], prompts[i] = r.maker("provider", "label", "id"), r.maker("prompt", "label", "raw")
	}
	several := func(names []string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return name != names[0] })
	}
	switch {
	case !several(prompts):
		return providers
	case !several(providers):
		return prompts
	}
	for i := range providers {
		providers[i] += ", " + prompts[i]
	}
	return providers
}

// chooseOutput returns the results of one prompt and provider.
func chooseOutput(l *loader, results []*record) ([]*record, error) {
	var names []string
	byName := map[string][]*record{}
	made := outputNames(results)
	for i, r := range results {
		name := made[i]
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		byName[name] = append(byName[name], r)
	}
	if l.opts.Split == "" && len(names) <= 1 {
		return results, nil
	}
	if chosen, ok := byName[l.opts.Split]; ok {
		return chosen, nil
	}
	problem := fmt.Sprintf("results of %d outputs: %s", len(names), quoted(names))
	if l.opts.Split != "" {
		problem = fmt.Sprintf("no output %q%s", l.opts.Split, suggest(l.opts.Split, names))
	}
	return nil, &Error{File: l.src.name, Index: -1, Problem: problem, Want: "--split with one of " + quoted(names)}
}

// result reads a result as the test it was made of, and its output.
func (p *promptfooReader) result(r *record) {
	test := &node{kind: object, line: r.n.line}
	add := func(name string, n *node) {
		if !n.absent() {
			test.fields = append(test.fields, field{name, n})
		}
	}
	of := r.get("testCase")
	if of == nil {
		of = &node{kind: object}
	}
	// The variables of the result are those with which the prompt was written.
	if vars := r.get("vars"); vars != nil {
		add("vars", vars)
	} else {
		add("vars", of.get("vars"))
	}
	for _, name := range []string{"assert", "description", "threshold", "assertScoringFunction"} {
		add(name, of.get(name))
	}
	meta := &node{kind: object, line: r.n.line}
	if m := of.get("metadata"); !m.absent() && m.kind == object {
		meta.fields = slices.Clone(m.fields)
	}
	scores := &node{kind: object, line: r.n.line}
	for _, name := range []string{"success", "score", "namedScores"} {
		if n := r.get(name); n != nil && !n.isEmpty() {
			scores.fields = append(scores.fields, field{name, n})
		}
	}
	meta.fields = append(meta.fields, field{"promptfoo", scores})
	add("metadata", meta)
	p.graded = nil
	if reason := r.get("failureReason"); reason == nil || reason.text != "2" { // 2 is an error of grading
		if g := r.get("gradingResult"); g != nil && g.get("componentResults") != nil {
			p.graded = g.get("componentResults").items
		}
	}
	p.test(newRecord(r.l, test, r.index), r.promptfooOutput())
}

// promptfooOutput reads the response of a result; nil if it is an error.
func (r *record) promptfooOutput() *assay.Response {
	response := r.get("response")
	if response == nil || response.kind != object {
		response = &node{kind: object, line: r.n.line}
	}
	output := response.get("output")
	if output.absent() {
		r.l.failures[r.l.cases.Len()] = cmp.Or(r.text(r.get("error"), "error", "text, or no field"), "promptfoo reports an error without a message")
		return nil
	}
	out := &assay.Response{Answer: output.text, Usage: assay.Usage{Cost: r.dollars("cost")}}
	if output.kind != str {
		var b bytes.Buffer
		if err := encode(&b, output.value(), ""); err != nil {
			r.fail(output, "response.output", err.Error(), "text")
		}
		out.Answer = strings.TrimSpace(b.String())
	}
	if usage := response.get("tokenUsage"); usage != nil {
		for _, of := range []struct {
			name string
			to   *int
		}{{"prompt", &out.Usage.InputTokens}, {"completion", &out.Usage.OutputTokens}} {
			if n := usage.get(of.name); !n.absent() {
				if v, ok := n.whole(); ok && v >= 0 {
					*of.to = v
				}
			}
		}
	}
	if cached := response.get("cached"); cached != nil && cached.yes {
		r.l.warn(r.origin(), "latencyMs", "the latency of a cached response is "+notCarried)
	} else if n := r.get("latencyMs"); n != nil {
		ms, ok := n.float()
		if !ok || ms < 0 || ms > 1e12 {
			r.fail(n, "latencyMs", n.what(), "a number of milliseconds")
		}
		out.Latency = time.Duration(ms * float64(time.Millisecond))
	}
	return out
}
