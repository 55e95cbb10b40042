package assay

import (
	"encoding/json"
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
// best rank, with the texts from the response. Passages at rank 1 for any
// sub-question precede those at rank 2, and so on. ok is false if there is no
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
	return r.passageLists(name, func(s Stage) json.RawMessage { return s.Output })
}

// Given returns the passages in the prompt of the generate stage. ok is false if
// the target does not report them.
func (r *Response) Given() (passages []Passage, ok bool) {
	lists, ok := r.passageLists(StageGenerate, func(s Stage) json.RawMessage { return s.Input })
	if !ok {
		return nil, false
	}
	return Interleave(lists), true
}

// passageLists decodes the output of every stage with that name, and adds the
// texts from the response's passages.
func (r *Response) passageLists(name string, part func(Stage) json.RawMessage) (lists [][]Passage, ok bool) {
	var known passageSet
	for n, s := range r.Stages(name) {
		if n == 0 {
			for _, p := range r.passages() {
				known.add(p)
			}
		}
		var ps []Passage
		if json.Unmarshal(part(s), &ps) != nil || ps == nil {
			continue
		}
		for i, p := range ps {
			if p.Text != "" {
				continue
			}
			if full, ok := known.find(p); ok {
				full.Score = p.Score
				ps[i] = full
			}
		}
		lists = append(lists, ps)
	}
	return lists, lists != nil
}

func (r *Response) passages() []Passage {
	if r == nil {
		return nil
	}
	return r.Passages
}

// Same reports whether two passages are the same chunk: they are compared by id,
// or else by document and index, or else by text.
func (p Passage) Same(q Passage) bool {
	switch {
	case p.ID != "" && q.ID != "":
		return p.ID == q.ID
	case p.Document != "" && q.Document != "":
		return p.Document == q.Document && p.Index == q.Index
	}
	return p.Text != "" && strings.TrimSpace(p.Text) == strings.TrimSpace(q.Text)
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
