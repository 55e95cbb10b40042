package spans

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/target/reply"
)

// An Exchange is a question that a system was asked, with its response.
type Exchange struct {
	Case     assay.Case
	Response assay.Response
	// Failure says why there is no response; "" if there is one.
	Failure string
	// Incomplete is set if the first span has a parent that is not in the trace: the trace
	// may go on, or begin in a system whose spans are elsewhere.
	Incomplete bool
	// Conventions are those by which the spans were read.
	Conventions []string
	// Checks counts evaluators and guardrails, which are passed over with what is below them.
	Checks int
	// Cut counts spans whose texts the exporter may have cut.
	Cut int
	// Unread are the forms of what retrievers and rerankers put out and that is not read,
	// one for each step.
	Unread []string
}

// Exchanges finds the questions of a trace. A trace is usually one: the topmost step is the
// pipeline, its input the question, and its output the answer. If the topmost span was
// recorded by no convention, as that of a web server, each pipeline below it is a question;
// without a pipeline, the retrievals and model calls below it are one. Topmost searches belong to the model call that follows
// them, see [joined]. Where no question is
// recorded, or neither answer, passages nor a failure, nothing can be scored: unread counts
// such topmost spans.
func Exchanges(trace []Span) (found []Exchange, unread int) {
	roots := joined(tree(trace))
	var asked []*node
	incomplete, above := map[*node]bool{}, map[*node]*node{}
	for _, root := range roots {
		entries := entriesOf(root)
		if len(entries) == 0 {
			unread++
		}
		for _, n := range entries {
			incomplete[n] = root.missing || root.Parent != "" && !root.circle
			above[n] = n
			if len(entries) == 1 {
				above[n] = root
			}
		}
		asked = append(asked, entries...)
	}
	for _, n := range asked {
		e, ok := exchange(n)
		if !ok {
			unread++
			continue
		}
		e.Incomplete = incomplete[n]
		if root := above[n]; root.Failed && e.Failure == "" {
			e.Failure = root.failure() // a web server gave no reply
		}
		e.Case.ID = n.Trace
		if len(asked) > 1 {
			e.Case.ID = n.Trace + "/" + n.ID
		}
		found = append(found, e)
	}
	return found, unread
}

// An assembly gathers the steps of one question.
type assembly struct {
	entry                       *node
	retrieved, reranked, models []*node
	stages                      []*node
	inTool                      map[*node]bool
	conventions                 []string
	question, session           string
	unread                      []string
	// unknown is set if what the last filter kept is not read.
	unknown     bool
	checks, cut int
	tags        []string
}

// exchange makes a case and a response of the steps below an entry. ok is false if nothing
// can be scored.
func exchange(entry *node) (Exchange, bool) {
	a := &assembly{entry: entry, inTool: map[*node]bool{}}
	entry.markSearches()
	a.gather(entry, nil)
	question := a.asked()
	if question == "" {
		return Exchange{}, false
	}
	a.question = question
	span := entry
	if entry.missing {
		span = entry.children[0] // a tool that is given scores must have the span
	}
	e := Exchange{Conventions: a.conventions, Unread: a.unread, Checks: a.checks, Cut: a.cut, Case: assay.Case{
		Question: question, Tags: a.tags, Group: a.session, Metadata: map[string]any{"trace": entry.Trace, "span": span.ID},
	}}
	generate := a.generator()
	r := &e.Response
	r.Answer, r.NoAnswer = a.answer(generate)
	inner, exact, _ := reply.Structured(r.Answer)
	if exact {
		r.Answer, r.Warnings = inner.Answer, []string{reply.StructuredNote}
	}
	_ = reply.Clean(r) // a call stays, for the target that returns it to report
	if a.cut > 0 {
		r.Warnings = append(r.Warnings, "texts of spans may have been cut, or attributes dropped, by the exporter (OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT, OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT)")
	}
	r.Trace = &assay.Trace{Stages: a.list(generate)}
	if !a.unknown {
		r.Passages = a.passages()
	}
	if exact && r.Passages == nil {
		r.Passages = inner.Passages
	}
	for _, m := range a.models {
		u := a.usage(m)
		r.Usage.InputTokens += u.InputTokens
		r.Usage.OutputTokens += u.OutputTokens
	}
	if d := entry.End.Sub(entry.Start); !entry.Start.IsZero() && !entry.End.IsZero() && d > 0 {
		r.Latency = d
	}
	if len(r.Trace.Stages) == 0 {
		r.Trace = nil
	}
	for _, name := range slices.Sorted(maps.Keys(entry.Attributes)) {
		if o, ok := decoded(entry.Attributes[name]).(map[string]any); ok && strings.Contains(strings.ToLower(name), "output") {
			_, failure := reply.Failed(o)
			if r.Answer == "" {
				failure = reply.Also(o)
			}
			e.Failure = cmp.Or(e.Failure, failure)
		}
	}
	ended := entry
	if last := len(a.models) - 1; last >= 0 && !entry.hasOutput() && (a.models[last].Failed || r.Answer != "") {
		// What failed after a reply is no part of it; what failed around it is.
		ended = cmp.Or(entry.first(a.models[last]), a.models[last])
	}
	if generate != nil && generate.Failed {
		ended = generate
	}
	e.Failure = cmp.Or(ended.failure(), e.Failure)
	return e, !r.NoAnswer || r.Passages != nil || e.Failure != ""
}

// gather visits the steps in the order of their start. What is within a step of the same kind
// is a part of it: a retriever that calls another, a model that two libraries instrumented.
func (a *assembly) gather(n *node, within []*node) {
	if n.Span != nil && n.cut() {
		a.cut++
	}
	if n.convention != "" && !slices.Contains(a.conventions, n.convention) {
		a.conventions = append(a.conventions, n.convention)
	}
	a.session = cmp.Or(a.session, n.step.Session)
	for _, t := range n.step.Tags {
		if !slices.Contains(a.tags, t) {
			a.tags = append(a.tags, t)
		}
	}
	for _, outer := range within {
		a.inTool[n] = a.inTool[n] || outer.step.Kind == Tool || outer.step.Tool != ""
	}
	part := slices.ContainsFunc(within, func(outer *node) bool { return outer.step.Kind == n.step.Kind })
	narrowed := n.step.Kind == Retrieve && !part && narrows(n)
	if narrowed {
		n.step.Kind = Rerank
	}
	switch n.step.Kind {
	case Retrieve:
		if !part {
			if n.step.Passages == nil {
				n.step.Passages = passagesBelow(n, Retrieve)
			}
			a.noteUnread(n)
			a.retrieved, a.stages = append(a.retrieved, n), append(a.stages, n)
		}
	case Rerank:
		if !part && !narrowed {
			ids := n.step.texts != nil && !slices.ContainsFunc(n.step.texts, func(s string) bool { return !isID().MatchString(s) })
			if ids {
				n.step.Unread = "a list of ids that no search returned"
			}
			kept := a.keptOf(n.step.texts)
			if n.step.Passages == nil || ids || kept != nil && slices.EqualFunc(kept, n.step.texts, isNamed) {
				n.step.Passages = kept
			}
			a.filtered(n)
		}
	case Model:
		if !part {
			a.models, a.stages = append(a.models, n), append(a.stages, n)
		}
	case Tool:
		// A reranker that is a model may have its reply as the arguments of a tool.
		inner := slices.ContainsFunc(within, func(outer *node) bool {
			return outer.step.Kind == Retrieve || outer.step.Kind == Rerank || outer.step.Kind == Tool && outer.step.Tool == n.step.Tool
		})
		if n != a.entry && !inner {
			a.stages = append(a.stages, n)
		}
	case Chain:
		if n != a.entry && a.filters(n) {
			a.filtered(n)
		}
	}
	if n.convention != "" && n.step.Kind != Chain && n.step.Kind != Other {
		within = append(within[:len(within):len(within)], n)
	}
	for _, c := range n.children {
		if c.step.Kind == Check {
			a.checks++
			continue
		}
		a.gather(c, within)
	}
	if narrowed {
		a.filtered(n)
	}
}

// usage returns the tokens of a call of a model, or those of the calls within it if it has
// none of its own.
func (a *assembly) usage(n *node) assay.Usage {
	if n.step.Kind == Model && n.step.Usage != (assay.Usage{}) {
		return n.step.Usage
	}
	var u assay.Usage
	for _, c := range n.children {
		below := a.usage(c)
		u.InputTokens += below.InputTokens
		u.OutputTokens += below.OutputTokens
	}
	return u
}

// nameOf returns the stage of a retrieval or of what follows it.
func nameOf(n *node) string {
	if n.step.Kind == Retrieve {
		return assay.StageRetrieve
	}
	return assay.StageFilter
}

// numberOf returns the number of the sub-question of a step; 0 if it is of none.
func numberOf(n *node, queries []string) int {
	return slices.Index(queries, text.Squeeze(n.step.Question)) + 1
}

// queries returns the distinct queries of the retrievals in their order; nil if there is one.
func (a *assembly) queries() []string {
	var out []string
	for _, n := range a.retrieved {
		if q := text.Squeeze(n.step.Question); q != "" && !slices.Contains(out, q) {
			out = append(out, q)
		}
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// list makes the stages of the response, in the order in which they began. Several queries
// count as sub-questions, which a decomposition made.
func (a *assembly) list(generate *node) []assay.Stage {
	queries := a.queries()
	var out []assay.Stage
	decomposed := false
	for _, n := range a.stages {
		s := assay.Stage{Model: n.step.Model, Usage: n.step.Usage}
		if d := n.End.Sub(n.Start); !n.Start.IsZero() && d > 0 {
			s.Latency = d
		}
		if from := n.Start.Sub(a.entry.Start); !a.entry.Start.IsZero() && from >= 0 {
			s.Start = &from
		}
		if n.Failed {
			s.Note = "failed: " + cmp.Or(n.Failure, "no reason is recorded")
		}
		switch n.step.Kind {
		case Retrieve, Rerank, Chain:
			if queries != nil && !decomposed {
				out = append(out, assay.Stage{
					Name: assay.StageDecompose, Input: jsonOf(a.question), Output: jsonOf(queries), Start: s.Start,
					Note: "made of the queries of the retrievals",
				})
				decomposed = true
			}
			s.Name, s.SubQuestion = nameOf(n), numberOf(n, queries)
			s.Input = jsonOf(cmp.Or(n.step.Question, n.step.Input))
			if n.step.Tool != "" {
				s.Note = "tool " + n.step.Tool
			}
			if n.step.Passages != nil && (n.step.Kind == Retrieve || !a.unknown) {
				s.Output = jsonOf(a.bare(n.step.Passages))
			}
		case Model:
			s.Usage = a.usage(n)
			s.Output = jsonOf(n.step.Answer)
			if s.Name = n.Name; n == generate {
				s.Name = assay.StageGenerate
				if given := a.given(sent(n).step.Prompt); given != nil {
					s.Input = jsonOf(a.bare(given))
				}
			} else if slices.Contains(stageNames, s.Name) {
				s.Name += " (a model)" // a span's name is not a stage of ours
			} else if n.Failed {
				s.Name += " (failed)" // another call wrote the answer, from another prompt
			}
			call := sent(n)
			s.Prompt, s.Model = call.step.Prompt, cmp.Or(s.Model, call.step.Model)
			if s.Prompt != "" && call.Span != nil && call.cut() {
				s.Prompt += " [truncated]" // by the exporter, not by the system
			}
		case Tool:
			s.Name = "tool " + cmp.Or(n.step.Tool, n.Name)
			s.Input, s.Output = jsonOf(n.step.Input), jsonOf(n.step.Answer)
		}
		out = append(out, s)
	}
	return out
}

var stageNames = []string{assay.StageTranscribe, assay.StageDecompose, assay.StageRetrieve, assay.StageFilter, assay.StageGenerate}

// jsonOf encodes a text, a list of texts or passages, which cannot fail. Numbers of passages
// are finite, since they were read from JSON.
func jsonOf(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage(fmt.Sprintf("%q", err.Error()))
	}
	return b
}
