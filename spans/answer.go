package spans

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
)

// asked returns the question: that of the entry, of the first chain in it, of the first
// retrieval, or of the first model call; of those in a tool, which an agent asks in its own words, only if there is no other.
func (a *assembly) asked() string {
	if q := a.entry.step.Question; q != "" && a.entry.step.Kind != Model {
		return q
	}
	var chains func(n *node, tools bool) string
	chains = func(n *node, tools bool) string {
		for _, c := range n.children {
			if c.step.Kind == Check || c.step.Kind == Tool && !tools {
				continue
			}
			if c.step.Kind == Chain && c.step.Question != "" {
				return c.step.Question
			}
			if q := chains(c, tools); q != "" {
				return q
			}
		}
		return ""
	}
	for _, tools := range []bool{false, true} {
		if q := chains(a.entry, tools); q != "" {
			return q
		}
		for _, n := range slices.Concat(a.retrieved, a.reranked, a.models) {
			if q := n.step.Question; q != "" && (tools || !a.inTool[n]) {
				if n.step.Kind == Model {
					q = questionIn(q)
				}
				return q
			}
		}
	}
	return ""
}

// labelled matches a line of a prompt that says where the question is.
var labelled = lazyregexp.New(`(?im)^[\s#*]*(?:(?:user(?:'s)? )?(?:question|query)|问题|問題)[\s*]*[:：][\s*]*(\S.*)$`)

// questionIn returns the question in the message of a user who is a program: what stands
// after the last "Question:" at the beginning of a line, or else all of it.
func questionIn(message string) string {
	if all := labelled().FindAllStringSubmatch(message, -1); all != nil {
		return strings.TrimSpace(all[len(all)-1][1])
	}
	return message
}

// generator returns the model call that ended the pipeline: that of the writer, or the one that
// followed a tool and wrote nothing after it, or failed. nil if there is none.
func (a *assembly) generator() *node {
	wrote := a.writer()
	for _, n := range slices.Backward(a.models) {
		if n == wrote {
			break
		}
		tool := func(t *node) bool {
			return (t.step.Kind == Tool || t.step.Tool != "") && !n.Start.Before(t.Start) && (wrote == nil || !t.Start.Before(wrote.Start))
		}
		if n.step.Answer == "" && sent(n).step.Prompt != "" && !n.step.printed && !a.inTool[n] && slices.ContainsFunc(a.stages, tool) &&
			(n.Failed || a.entry.step.Answer == "") {
			return n
		}
	}
	return wrote
}

// writer returns the model call that wrote the answer: the last whose reply is in the
// answer of the pipeline, or holds it; else the last outside of a tool that concerns the
// question. nil if there is none.
func (a *assembly) writer() *node {
	answer := text.Squeeze(a.entry.step.Answer)
	for _, n := range slices.Backward(a.models) {
		said := text.Squeeze(n.step.Answer)
		if answer != "" && said != "" && (strings.Contains(answer, said) || strings.Contains(said, answer)) {
			return n
		}
	}
	var last *node
	for _, n := range slices.Backward(a.models) {
		if !a.inTool[n] && n.step.Answer != "" {
			if last = cmp.Or(last, n); a.concerns(n) {
				return n
			}
		}
	}
	return last
}

// concerns reports whether the prompt of a model has the question, a passage, or the reply
// of an earlier model: one that has none of them suggests something else.
func (a *assembly) concerns(n *node) bool {
	prompt := text.Squeeze(sent(n).step.Prompt)
	in := func(s string) bool { return s != "" && strings.Contains(prompt, text.Squeeze(s)) }
	return prompt == "" || in(a.question) || slices.ContainsFunc(a.passages(), func(p assay.Passage) bool { return in(p.Text) }) ||
		slices.ContainsFunc(a.models, func(m *node) bool { return m.Start.Before(n.Start) && in(m.step.Answer) })
}

// answer returns the answer of the pipeline, or of the model that wrote it. none is set if
// nothing writes answers.
func (a *assembly) answer(generate *node) (answer string, none bool) {
	if s := a.entry.step.Answer; s != "" && a.entry.step.Kind != Retrieve && a.entry.step.Kind != Rerank {
		return s, false
	}
	if generate != nil {
		said := generate.step.Answer
		if a.entry.step.printed {
			said = cmp.Or(endIn(a.entry, said), said)
		}
		return said, false
	}
	unread := slices.ContainsFunc(a.models, func(n *node) bool { return n.step.printed })
	return "", len(a.models) == 0 || a.entry.step.printed || unread
}

// endIn returns what a chain below a span took from the end of a reply, such as the answer after a thought; "" if none did.
func endIn(n *node, reply string) (end string) {
	for _, c := range n.children {
		if s := c.step.Answer; c.step.Kind == Chain && s != "" && s != reply && strings.HasSuffix(reply, s) {
			end = s
		}
		end = cmp.Or(endIn(c, reply), end)
	}
	return end
}
