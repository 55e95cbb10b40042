package spans

import (
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
)

// filtered adds a step that ordered or selected passages.
func (a *assembly) filtered(n *node) {
	a.noteUnread(n)
	a.unknown = n.step.Passages == nil && (a.unknown || !n.Failed)
	a.reranked, a.stages = append(a.reranked, n), append(a.stages, n)
}

// isID matches what is rather an id than the text of a passage.
var isID = lazyregexp.New(`^[!-~]{1,200}$`)

// isNamed reports whether a text is the id of a passage, or the name of its document.
func isNamed(p assay.Passage, s string) bool {
	return s != "" && (s == p.ID || s == p.Document || s == p.Source)
}

// keptOf returns the passages that were found before and then named by their ids, or printed, as "Document(id=k1, …)";
// nil if one is not known.
func (a *assembly) keptOf(texts []string) (kept []assay.Passage) {
	before := a.passages()
	for _, s := range texts {
		byID := func(p assay.Passage) bool {
			return isNamed(p, s) || p.ID != "" && (strings.Contains(s, "id_="+p.ID+")") || strings.Contains(s, "id="+p.ID+","))
		}
		at := slices.IndexFunc(before, byID)
		if at >= 0 && s != before[at].ID && slices.ContainsFunc(before[at+1:], byID) {
			return nil // several have the document
		}
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
