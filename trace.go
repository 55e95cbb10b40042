package assay

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// Stages returns the stages with that name in execution order: one, or one for
// each sub-question; none if the target does not report the stage.
func (r *Response) Stages(name string) []Stage {
	if r == nil || r.Trace == nil {
		return nil
	}
	var out []Stage
	for _, s := range r.Trace.Stages {
		if s.Name == name {
			out = append(out, s)
		}
	}
	return out
}

// Transcript returns the output of the transcribe stage. ok is false if there is
// no such stage, or its output is not text.
func (r *Response) Transcript() (text string, ok bool) {
	for _, s := range r.Stages(StageTranscribe) {
		if json.Unmarshal(s.Output, &text) == nil {
			return text, true
		}
	}
	return "", false
}

// SubQuestions returns the output of the decompose stage, in order. ok is false
// if there is no such stage, or its output is not a list of texts.
func (r *Response) SubQuestions() (questions []string, ok bool) {
	for _, s := range r.Stages(StageDecompose) {
		if json.Unmarshal(s.Output, &questions) == nil && questions != nil {
			return questions, true
		}
		questions = nil
	}
	return nil, false
}

// StagePassages returns the distinct passages in a stage's output, each at its
// best rank, with their texts (see [Response.PassagesAt]). Passages at rank 1 for
// any sub-question precede those at rank 2, and so on. ok is false if there is no
// such stage, or its output is not a list of passages; an empty list means that
// the stage returned nothing.
func (r *Response) StagePassages(name string) (passages []Passage, ok bool) {
	lists, ok := r.StagePassagesEach(name)
	if !ok {
		return nil, false
	}
	return Interleave(lists), true
}

// StagePassagesEach is [Response.StagePassages] with a separate list for each
// stage of that name, in order, so one for each sub-question.
func (r *Response) StagePassagesEach(name string) (lists [][]Passage, ok bool) {
	return r.passageLists(name, false)
}

// Given returns the passages in the prompt of the generate stage. ok is false if
// the target does not report them.
func (r *Response) Given() (passages []Passage, ok bool) {
	lists, ok := r.passageLists(StageGenerate, true)
	if !ok {
		return nil, false
	}
	return Interleave(lists), true
}

// passageLists returns the passages of every stage with that name.
func (r *Response) passageLists(name string, input bool) (lists [][]Passage, ok bool) {
	if r == nil || r.Trace == nil {
		return nil, false
	}
	for i, s := range r.Trace.Stages {
		if s.Name != name || !input && r.filteredAgain(i) {
			continue
		}
		if ps := r.PassagesAt(i, input); ps != nil {
			lists = append(lists, ps)
		}
	}
	return lists, lists != nil
}

// filteredAgain reports whether the stage at index i is a filter whose output a later one
// filters: one of the same sub-question, or of all. Of filters without numbers after several
// retrievals, one that keeps other passages may be of another sub-question.
func (r *Response) filteredAgain(i int) bool {
	s, stages := r.Trace.Stages[i], r.Trace.Stages
	for j, next := range stages[i+1:] {
		switch {
		case s.Name != StageFilter, next.Name == StageRetrieve && s.SubQuestion == 0:
			return false
		case next.Name != StageFilter || next.passages(false) == nil:
		case next.SubQuestion > 0 && next.SubQuestion == s.SubQuestion, next.SubQuestion == 0 && s.SubQuestion > 0,
			next.SubQuestion == 0 && (len(r.Stages(StageRetrieve)) < 2 || keptFrom(r.PassagesAt(i+1+j, false), r.PassagesAt(i, false))):
			return true
		}
	}
	return false
}

// keptFrom reports whether all passages of one list are in another.
func keptFrom(some, all []Passage) bool {
	return !slices.ContainsFunc(some, func(p Passage) bool { return !slices.ContainsFunc(all, p.Same) })
}

// PassagesAt returns the passages in the input or output of the stage at index i of
// the trace; nil if it is not a list of passages. What a passage lacks, its text or its
// document, comes from the nearest earlier stage that has it, else from the response, else
// from a later stage. In a prompt the response comes first, because the answer was made
// from it. The texts of a prompt may be cut and complete no other stage.
func (r *Response) PassagesAt(i int, input bool) []Passage {
	s := r.Trace.Stages[i]
	ps := s.passages(input)
	if input && s.Name == StageGenerate {
		complete(ps, r.Passages)
	}
	return r.completed(ps, i)
}

// Used returns the passages of the response, with what they lack from the stages.
func (r *Response) Used() []Passage {
	if r.Trace == nil || !slices.ContainsFunc(r.Passages, Passage.lacks) {
		return r.Passages
	}
	return r.completed(slices.Clone(r.Passages), len(r.Trace.Stages))
}

// completed completes passages of the stage at index i.
func (r *Response) completed(ps []Passage, i int) []Passage {
	stages := r.Trace.Stages
	from := func(j int) {
		if stages[j].Name != StageGenerate && slices.ContainsFunc(ps, Passage.lacks) {
			complete(ps, stages[j].passages(false))
			complete(ps, stages[j].passages(true))
		}
	}
	for j := i - 1; j >= 0; j-- {
		from(j)
	}
	complete(ps, r.Passages)
	for j := i; j < len(stages); j++ {
		from(j)
	}
	return ps
}

// passages decodes the passages in the input or output of a stage.
func (s Stage) passages(input bool) (ps []Passage) {
	raw := s.Output
	if input {
		raw = s.Input
	}
	if json.Unmarshal(raw, &ps) != nil {
		return nil
	}
	return ps
}

// lacks reports whether a passage has no text, or does not name its document.
func (p Passage) lacks() bool { return p.Text == "" || p.Document == "" && p.Source == "" }

// complete fills what passages lack from the same passages of another list.
func complete(ps, from []Passage) {
	if len(from) == 0 || !slices.ContainsFunc(ps, Passage.lacks) {
		return
	}
	var known passageSet
	for _, q := range from {
		known.add(q)
	}
	for i := range ps {
		p := &ps[i]
		q, ok := known.find(*p)
		if !p.lacks() || !ok || p.ID == "" && p.Text == "" &&
			slices.ContainsFunc(from, func(x Passage) bool { return x.Same(*p) && !x.Same(q) }) {
			continue // nothing, or several chunks, have what the passage names
		}
		if p.Document == "" {
			p.Document, p.Index = q.Document, q.Index
		}
		p.ID, p.Source, p.Title = cmp.Or(p.ID, q.ID), cmp.Or(p.Source, q.Source), cmp.Or(p.Title, q.Title)
		p.Text, p.Details = cmp.Or(p.Text, q.Text), cmp.Or(p.Details, q.Details)
	}
}

// Same reports whether two passages are the same chunk: they are compared by id,
// or else by document and index, or else by text. Index 0 may be unknown: then one text
// must begin or contain the other, where both are known.
func (p Passage) Same(q Passage) bool {
	switch {
	case p.ID != "" && q.ID != "":
		return p.ID == q.ID
	case p.Document != "" && q.Document != "":
		return p.Document == q.Document && p.Index == q.Index && (p.Index > 0 || related(p.Text, q.Text))
	}
	return p.Text != "" && strings.TrimSpace(p.Text) == strings.TrimSpace(q.Text)
}

// related reports whether two texts may be of one chunk, of which one may be cut.
func related(a, b string) bool {
	cut := func(s string) string { return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(s), ".…")) }
	return strings.Contains(a, cut(b)) || strings.Contains(b, cut(a))
}

// A passageSet holds distinct passages. It uses a map for those with ids, because
// rankings may be a thousand passages long.
type passageSet struct {
	byID map[string]int
	all  []Passage
}

func (s *passageSet) add(p Passage) {
	if p.ID != "" {
		if s.byID == nil {
			s.byID = map[string]int{}
		}
		if _, ok := s.byID[p.ID]; !ok {
			s.byID[p.ID] = len(s.all)
		}
	}
	s.all = append(s.all, p)
}

func (s *passageSet) find(p Passage) (Passage, bool) {
	if i, ok := s.byID[p.ID]; ok && p.ID != "" {
		return s.all[i], true
	}
	if p.ID != "" && len(s.byID) == len(s.all) {
		return Passage{}, false
	}
	for _, q := range s.all {
		if q.Same(p) {
			return q, true
		}
	}
	return Passage{}, false
}

// Interleave merges lists of passages, best first: the first of every list, then
// the second, and so on. Each passage appears once, where it first occurs. The
// result is never nil.
func Interleave(lists [][]Passage) []Passage {
	var out passageSet
	for rank, more := 0, true; more; rank++ {
		more = false
		for _, l := range lists {
			if rank >= len(l) {
				continue
			}
			more = true
			if _, there := out.find(l[rank]); !there {
				out.add(l[rank])
			}
		}
	}
	if out.all == nil {
		return []Passage{}
	}
	return out.all
}
