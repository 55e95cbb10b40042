package spans

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
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

// A node is a span in the tree of its trace, with its step.
type node struct {
	*Span
	step       Step
	convention string
	children   []*node
	// missing is set if the span itself is not in the trace, but some that name it as their
	// parent.
	missing bool
	// circle is set if the span is its own ancestor.
	circle bool
}

// Exchanges finds the questions of a trace. A trace is usually one: the topmost step is the
// pipeline, its input the question, and its output the answer. If the topmost span was
// recorded by no convention, as that of a web server, each pipeline below it is a question;
// without a pipeline, the retrievals and model calls below it are one. Where no question is
// recorded, or neither answer, passages nor a failure, nothing can be scored: unread counts
// such topmost spans.
func Exchanges(trace []Span) (found []Exchange, unread int) {
	roots := tree(trace)
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

// tree links the spans of a trace and returns those whose parent is not in it, by their start.
// Several with the same missing parent are below one node in its place: a parent ends, and is
// exported, after its children. A span that is its own ancestor is a root, so that no span is
// lost and none is met twice.
func tree(trace []Span) []*node {
	nodes := make([]*node, 0, len(trace))
	byID := map[string]*node{}
	for i := range trace {
		s := &trace[i]
		if byID[s.ID] != nil {
			continue // exported twice
		}
		n := &node{Span: s}
		n.step, n.convention = read(s)
		byID[s.ID] = n
		nodes = append(nodes, n)
	}
	slices.SortStableFunc(nodes, func(a, b *node) int { return a.Start.Compare(b.Start) })
	var roots []*node
	orphans := map[string][]*node{}
	for _, n := range nodes {
		parent := byID[n.Parent]
		n.circle = parent != nil && inCircle(n, byID)
		switch {
		case n.Parent == "" || n.circle:
			roots = append(roots, n)
		case parent == nil:
			if orphans[n.Parent] == nil {
				roots = append(roots, n) // in the order of the first
			}
			orphans[n.Parent] = append(orphans[n.Parent], n)
		default:
			parent.children = append(parent.children, n)
		}
	}
	for i, n := range roots {
		if siblings := orphans[n.Parent]; len(siblings) > 1 && !n.circle {
			roots[i] = standIn(siblings)
		}
	}
	return roots
}

// standIn returns a node in the place of the missing parent of some.
func standIn(children []*node) *node {
	first := children[0]
	s := &Span{Trace: first.Trace, ID: first.Parent, Start: first.Start}
	for _, c := range children {
		if c.End.After(s.End) {
			s.End = c.End
		}
	}
	return &node{Span: s, children: children, missing: true}
}

// inCircle reports whether following the parents of a span leads back to it.
func inCircle(n *node, byID map[string]*node) bool {
	at := n
	for range byID {
		if at = byID[at.Parent]; at == nil {
			return false
		}
		if at == n {
			return true
		}
	}
	return false
}

// entriesOf returns the steps below a root that each answer a question.
func entriesOf(root *node) []*node {
	if root.convention != "" {
		if root.step.Kind == Embed || root.step.Kind == Other || root.step.Kind == Check {
			return nil
		}
		return []*node{root}
	}
	var top []*node
	var walk func(n *node)
	walk = func(n *node) {
		if n.convention != "" {
			top = append(top, n)
			return
		}
		for _, c := range n.children {
			walk(c)
		}
	}
	walk(root)
	var chains []*node
	parts := false
	for _, n := range top {
		switch n.step.Kind {
		case Chain:
			chains = append(chains, n)
		case Retrieve, Rerank, Model, Tool:
			parts = true
		}
	}
	switch {
	case parts: // the root is the pipeline, of which only parts were instrumented
		return []*node{root}
	case chains != nil:
		return chains
	}
	return nil
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
	reply.Clean(r)
	if a.cut > 0 {
		r.Warnings = append(r.Warnings, "texts of spans may have been cut by the exporter (OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT)")
	}
	r.Trace = &assay.Trace{Stages: a.list(generate)}
	if !a.unknown {
		r.Passages = a.passages()
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
			e.Failure = cmp.Or(e.Failure, failure)
		}
	}
	ended := entry
	if last := len(a.models) - 1; last >= 0 && !entry.hasOutput() && (a.models[last].Failed || r.Answer != "") {
		ended = a.models[last] // what failed after a reply is no part of it
	}
	e.Failure = cmp.Or(ended.failure(), e.Failure)
	return e, !r.NoAnswer || r.Passages != nil || e.Failure != ""
}

// failure says why a step failed, or, without an output, the last step below it, from which
// nothing recovered.
func (n *node) failure() string {
	if n.Failed {
		return cmp.Or(n.Failure, "the span "+n.Name+" failed")
	}
	if last := n.last(); last != nil && !n.hasOutput() {
		return last.failure()
	}
	return ""
}

// hasOutput reports whether a span failed, or put something out.
func (n *node) hasOutput() bool {
	return n.Failed || n.step.Answer != "" || n.step.Passages != nil || n.step.printed
}

// last returns the last of the topmost steps below a span; nil if there is none.
func (n *node) last() *node {
	for _, c := range slices.Backward(n.children) {
		switch {
		case c.step.Kind == Check || c.step.Kind == Other:
		case c.convention != "":
			return c
		default:
			if last := c.last(); last != nil {
				return last
			}
		}
	}
	return nil
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
		a.inTool[n] = a.inTool[n] || outer.step.Kind == Tool
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
			if n.step.Passages == nil {
				n.step.Passages = a.keptOf(n.step.texts)
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

// filtered adds a step that ordered or selected passages.
func (a *assembly) filtered(n *node) {
	a.noteUnread(n)
	a.unknown = n.step.Passages == nil && (a.unknown || !n.Failed)
	a.reranked, a.stages = append(a.reranked, n), append(a.stages, n)
}

// keptOf returns the passages that were found before and then printed, as "Document(id=k1, …)";
// nil if one is not known.
func (a *assembly) keptOf(texts []string) (kept []assay.Passage) {
	before := a.passages()
	for _, s := range texts {
		byID := func(p assay.Passage) bool {
			return p.ID != "" && (strings.Contains(s, "id_="+p.ID+")") || strings.Contains(s, "id="+p.ID+","))
		}
		at := slices.IndexFunc(before, byID)
		whole := text.Squeeze(strings.ReplaceAll(s, `\n`, "\n"))
		for i, p := range before {
			if has := p.Text != "" && strings.Contains(whole, text.Squeeze(p.Text)); has && !slices.ContainsFunc(before, byID) {
				if at >= 0 {
					return nil // two may be meant
				}
				at = i
			}
		}
		if at < 0 {
			return nil
		}
		kept = append(kept, before[at])
	}
	return kept
}

// narrows reports whether a retriever returns some of what those below it found: it
// compresses, or merges, their passages. One whose name says so may change their texts.
func narrows(n *node) bool {
	found, kept := foundBelow(n), n.step.Passages
	if found != nil && kept != nil && filterName().MatchString(n.Name) {
		return !slices.EqualFunc(found, kept, func(p, q assay.Passage) bool { return p.ID == q.ID && p.Text == q.Text })
	}
	less := func(p assay.Passage) bool {
		return !slices.ContainsFunc(kept, func(q assay.Passage) bool { return q.Same(p) && (q.Text == "" || strings.Contains(q.Text, p.Text)) })
	}
	return kept != nil && slices.ContainsFunc(found, less) &&
		!slices.ContainsFunc(kept, func(p assay.Passage) bool { return !slices.ContainsFunc(found, p.Same) })
}

// foundBelow returns what the retrievers below a span found.
func foundBelow(n *node) (found []assay.Passage) {
	for _, c := range n.children {
		if c.step.Kind == Retrieve {
			found = append(found, c.step.Passages...)
		}
		found = append(found, foundBelow(c)...)
	}
	return found
}

// noteUnread keeps the form of an output that is not read as passages.
func (a *assembly) noteUnread(n *node) {
	if s := n.step; s.Unread != "" && !n.Failed && (s.Passages == nil || strings.HasPrefix(s.Unread, "texts by id")) {
		a.unread = append(a.unread, n.convention+": "+s.Unread)
	}
}

// filterName matches the names of steps that order or select passages.
var filterName = lazyregexp.New(`(?i)rerank|ranker|grade|filter|compress|postprocess`)

// filters reports whether a chain orders or selects the passages that were retrieved before:
// its name says so, or it returns some of them, or all in another order.
func (a *assembly) filters(n *node) bool {
	if len(a.retrieved) == 0 || n.step.Passages == nil && !n.step.empty && n.step.texts == nil || below(n, Retrieve, Rerank) {
		return false
	}
	named := filterName().MatchString(n.Name)
	if named && n.step.Passages == nil {
		if n.step.Passages = a.keptOf(n.step.texts); n.step.texts == nil {
			n.step.Passages = []assay.Passage{}
		} else if n.step.Passages == nil {
			n.step.Unread = n.Name + ", a list of texts"
			return true
		}
	}
	before := a.passages()
	for _, p := range n.step.Passages {
		if !slices.ContainsFunc(before, p.Same) {
			return false
		}
	}
	return n.step.Passages != nil && (named || !slices.EqualFunc(before, n.step.Passages, assay.Passage.Same))
}

// below reports whether a step of one of the kinds is below a span.
func below(n *node, kinds ...Kind) bool {
	return slices.ContainsFunc(n.children, func(c *node) bool { return slices.Contains(kinds, c.step.Kind) || below(c, kinds...) })
}

// passagesBelow returns the passages of the first step of a kind below a span that has some.
func passagesBelow(n *node, kind Kind) []assay.Passage {
	for _, c := range n.children {
		if c.step.Kind == kind && c.step.Passages != nil {
			return c.step.Passages
		}
		if p := passagesBelow(c, kind); p != nil {
			return p
		}
	}
	return nil
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

// sent returns the model call below a span that has its tokens, or the span itself: what a
// library wraps around a call has a template for a prompt, or an object as text.
func sent(n *node) *node {
	if n.step.Usage != (assay.Usage{}) {
		return n
	}
	for _, c := range n.children {
		if s := sent(c); s.step.Kind == Model && s.step.Usage != (assay.Usage{}) {
			return s
		}
	}
	return n
}

// asked returns the question: that of the entry, of the first chain in it, of the first
// retrieval, or of the first model call.
func (a *assembly) asked() string {
	if q := a.entry.step.Question; q != "" && a.entry.step.Kind != Model {
		return q
	}
	var chains func(n *node) string
	chains = func(n *node) string {
		for _, c := range n.children {
			if c.step.Kind == Check {
				continue
			}
			if c.step.Kind == Chain && c.step.Question != "" {
				return c.step.Question
			}
			if q := chains(c); q != "" {
				return q
			}
		}
		return ""
	}
	if q := chains(a.entry); q != "" {
		return q
	}
	for _, n := range slices.Concat(a.retrieved, a.reranked) {
		if n.step.Question != "" {
			return n.step.Question
		}
	}
	for _, n := range a.models {
		if n.step.Question != "" {
			return questionIn(n.step.Question)
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

// generator returns the model call that wrote the answer: the last whose reply is in the
// answer of the pipeline, or holds it; else the last outside of a tool that concerns the
// question. nil if there is none.
func (a *assembly) generator() *node {
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
		return generate.step.Answer, false
	}
	unread := slices.ContainsFunc(a.models, func(n *node) bool { return n.step.printed })
	return "", len(a.models) == 0 || a.entry.step.printed || unread
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
			s.Input = jsonOf(n.step.Question)
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
			}
			call := sent(n)
			s.Prompt, s.Model = call.step.Prompt, cmp.Or(s.Model, call.step.Model)
		case Tool:
			s.Name = "tool " + cmp.Or(n.step.Tool, n.Name)
			s.Input, s.Output = jsonOf(n.step.Input), jsonOf(n.step.Answer)
		}
		out = append(out, s)
	}
	return out
}

var stageNames = []string{assay.StageTranscribe, assay.StageDecompose, assay.StageRetrieve, assay.StageFilter, assay.StageGenerate}

// passages returns the passages of the response: those that a reranker kept, or else those
// that the retrievals found, or else those that the pipeline returned. nil if none are
// recorded.
func (a *assembly) passages() []assay.Passage {
	r := assay.Response{Trace: &assay.Trace{}}
	queries := a.queries()
	for _, n := range a.stages {
		if n.step.Kind == Retrieve || slices.Contains(a.reranked, n) {
			s := assay.Stage{Name: nameOf(n), SubQuestion: numberOf(n, queries), Output: jsonOf(n.step.Passages)}
			r.Trace.Stages = append(r.Trace.Stages, s)
		}
	}
	for _, name := range []string{assay.StageFilter, assay.StageRetrieve} {
		if kept, ok := r.StagePassages(name); ok {
			return kept
		}
	}
	for _, n := range a.stages {
		if n.step.Kind == Tool && n.step.Passages != nil {
			return n.step.Passages
		}
	}
	return a.entry.step.Passages
}

// given returns the retrieved passages whose texts are in a prompt, in the order in which the
// prompt has them. It is nil if no passage has a text.
func (a *assembly) given(prompt string) []assay.Passage {
	type found struct {
		at int
		p  assay.Passage
	}
	in := text.Squeeze(prompt)
	if in == "" {
		return nil
	}
	var list []found
	some := false
	for _, n := range slices.Concat(a.reranked, a.retrieved) {
		for _, p := range n.step.Passages {
			s := text.Squeeze(p.Text)
			if s == "" || slices.ContainsFunc(list, func(f found) bool { return f.p.Same(p) }) {
				continue
			}
			some = true
			if at := strings.Index(in, s); at >= 0 {
				list = append(list, found{at, p})
			}
		}
	}
	if !some {
		return nil
	}
	slices.SortStableFunc(list, func(a, b found) int { return a.at - b.at })
	out := []assay.Passage{}
	for _, f := range list {
		out = append(out, f.p)
	}
	return out
}

// bare returns passages without the texts that the response has.
func (a *assembly) bare(list []assay.Passage) []assay.Passage {
	var all []assay.Passage
	if !a.unknown {
		all = a.passages()
	}
	out := slices.Clone(list)
	for i, p := range out {
		if p.ID == "" && p.Document == "" {
			continue
		}
		if slices.ContainsFunc(all, func(q assay.Passage) bool { return q.Same(p) && q.Text == p.Text }) {
			out[i].Text = ""
		}
	}
	return out
}

// jsonOf encodes a text, a list of texts or passages, which cannot fail. Numbers of passages
// are finite, since they were read from JSON.
func jsonOf(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage(fmt.Sprintf("%q", err.Error()))
	}
	return b
}
