package spans

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
)

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
		if lost := s.incomplete(); lost != "" && n.step.Passages != nil {
			n.step.Passages, n.step.Unread = nil, lost
		}
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
	for _, n := range nodes {
		if n.step.Kind == Chain && searchName().MatchString(n.Name) && !filterName().MatchString(n.Name) && !below(n, Retrieve, Rerank, Model, Tool, Chain) {
			n.isSearch()
		}
	}
	for i, n := range roots {
		if siblings := orphans[n.Parent]; len(siblings) > 1 && !n.circle {
			roots[i] = standIn(siblings)
		}
	}
	return roots
}

// searchName matches the names of steps that search.
var searchName = lazyregexp.New(`(?i)retriev|(?:^|[^a-z])search`)

// isSearch makes a retrieval of a chain that returns passages or texts and no answer, or only text to the step above it.
func (n *node) isSearch() {
	s := &n.step
	list, answers := s.Passages != nil || s.empty || s.texts != nil, s.Answer != "" && (s.texts == nil || s.Answer[0] != '[')
	switch {
	case list && !answers:
		if s.Passages == nil {
			s.Passages = []assay.Passage{}
			for _, text := range s.texts {
				s.Passages = append(s.Passages, assay.Passage{Text: text})
			}
		}
		s.Kind, s.Answer = Retrieve, ""
	case !list && n.Parent != "" && (answers || s.printed):
		s.Kind, s.Answer, s.Unread = Retrieve, "", "text"
	}
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

// joined puts topmost searches below one node with the topmost model call that follows and whose prompt has their query, or
// else with the next: they are parts of a pipeline that records no span.
func joined(roots []*node) (out []*node) {
	parts, taken := map[*node][]*node{}, map[*node]bool{}
	for i, n := range roots {
		if !n.searches() {
			continue
		}
		calls := slices.DeleteFunc(slices.Clone(roots[i+1:]), func(m *node) bool { return !m.generates() })
		query := text.Squeeze(n.step.Question)
		at := slices.IndexFunc(calls, func(m *node) bool { return query != "" && strings.Contains(text.Squeeze(sent(m).step.Prompt), query) })
		if len(calls) > 0 {
			call := calls[max(at, 0)]
			parts[call], taken[n] = append(parts[call], n), true
		}
	}
	for _, n := range roots {
		if parts[n] != nil {
			whole := standIn(append(parts[n], n))
			whole.ID, whole.missing, whole.step.Answer = n.ID, n.Parent != "", n.step.Answer
			out = append(out, whole)
		} else if !taken[n] {
			out = append(out, n)
		}
	}
	return out
}

// searches reports whether a span finds, orders or computes something and answers nothing; generates whether a model answers
// without a search of its own.
func (n *node) searches() bool {
	parts := []Kind{Retrieve, Rerank, Tool}
	return !n.missing && (slices.Contains(parts, n.step.Kind) || n.step.Kind == Chain && n.step.Answer == "" && below(n, parts...)) && !below(n, Model)
}

func (n *node) generates() bool {
	return !n.missing && (n.step.Kind == Model || below(n, Model)) && !below(n, Retrieve, Rerank)
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

// failure says why a step failed, or, without an output, the last step below it, from which
// nothing recovered.
func (n *node) failure() string {
	if n.Failed {
		why := "the span " + n.Name + " failed"
		if kind := n.text("error.type"); kind != "" && kind != "_OTHER" {
			why += ": " + kind
		}
		return cmp.Or(n.Failure, why)
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

// first returns the topmost span on the way to one below that failed or put something out; nil if there is none.
func (n *node) first(below *node) *node {
	for _, c := range n.children {
		on := c.first(below)
		if c == below || on != nil && c.hasOutput() {
			on = c
		}
		if on != nil {
			return on
		}
	}
	return nil
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

// markSearches makes a retrieval of each tool below a span that returned documents, unless a
// retrieval is within it or it is within one.
func (n *node) markSearches() {
	for _, c := range n.children {
		switch {
		case c.step.Kind == Tool && len(c.step.Passages) > 0 && !below(c, Retrieve, Rerank):
			c.step.Kind, c.step.Tool = Retrieve, cmp.Or(c.step.Tool, c.Name)
		case c.step.Kind != Retrieve && c.step.Kind != Rerank && c.step.Kind != Check:
			c.markSearches()
		}
	}
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
