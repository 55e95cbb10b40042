package assay

import (
	"encoding/json"
	"strings"
)

// Stages gives the stages of that name in the order they ran: one, or one for
// each sub-question; none when the target does not tell of it.
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

// Transcript gives what the transcribe stage put out. It is not ok when there
// is no such stage, or its output is no text.
func (r *Response) Transcript() (text string, ok bool) {
	for _, s := range r.Stages(StageTranscribe) {
		if json.Unmarshal(s.Output, &text) == nil {
			return text, true
		}
	}
	return "", false
}

// SubQuestions gives what the decompose stage put out, in order. It is not ok
// when there is no such stage, or its output is no list of texts.
func (r *Response) SubQuestions() (questions []string, ok bool) {
	for _, s := range r.Stages(StageDecompose) {
		if json.Unmarshal(s.Output, &questions) == nil && questions != nil {
			return questions, true
		}
		questions = nil
	}
	return nil, false
}

// StagePassages gives the passages that a stage put out, each once at its best
// rank, with the texts that the response has: those of the first ranks of all
// sub-questions before those of the second. It is not ok when there is no such
// stage, or its output is no list of passages; empty means that it let nothing
// through.
func (r *Response) StagePassages(name string) (passages []Passage, ok bool) {
	lists, ok := r.StagePassagesEach(name)
	if !ok {
		return nil, false
	}
	return Interleave(lists), true
}

// StagePassagesEach is [Response.StagePassages] with a list for each stage of
// that name, in order: for each sub-question its own.
func (r *Response) StagePassagesEach(name string) (lists [][]Passage, ok bool) {
	return r.passageLists(name, func(s Stage) json.RawMessage { return s.Output })
}

// Given gives the passages that the generate stage was given: those that stood
// in the prompt. It is not ok when the target does not tell.
func (r *Response) Given() (passages []Passage, ok bool) {
	lists, ok := r.passageLists(StageGenerate, func(s Stage) json.RawMessage { return s.Input })
	if !ok {
		return nil, false
	}
	return Interleave(lists), true
}

// passageLists reads the passages of all stages of a name, and lends them the
// texts of the response's.
func (r *Response) passageLists(name string, part func(Stage) json.RawMessage) (lists [][]Passage, ok bool) {
	var known shelf
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

// Same reports whether two passages are the same chunk: by their ids, else by
// document and index, else by their texts.
func (p Passage) Same(q Passage) bool {
	switch {
	case p.ID != "" && q.ID != "":
		return p.ID == q.ID
	case p.Document != "" && q.Document != "":
		return p.Document == q.Document && p.Index == q.Index
	}
	return p.Text != "" && strings.TrimSpace(p.Text) == strings.TrimSpace(q.Text)
}

// A shelf finds passages that are the same, those with ids at once: rankings
// may be a thousand deep.
type shelf struct {
	byID map[string]int
	all  []Passage
}

func (s *shelf) add(p Passage) {
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

func (s *shelf) find(p Passage) (Passage, bool) {
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

// Interleave merges lists of passages, best first: the first of every list,
// then the second, and so on, each passage once, where it first comes. The
// result is never nil.
func Interleave(lists [][]Passage) []Passage {
	var out shelf
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
