package rag

import (
	"iter"
	"slices"
	"strconv"

	"github.com/assay-eval/assay"
)

// HasStage reports whether the pipeline has a stage with that name.
func (p *Pipeline) HasStage(name string) bool {
	switch name {
	case assay.StageTranscribe:
		return p.config.Transcriber != nil
	case assay.StageDecompose:
		return p.config.Decomposer != nil
	case assay.StageFilter:
		return p.config.Filter != nil
	case assay.StageGenerate:
		return p.config.Generator != NoGenerator
	}
	return name == assay.StageRetrieve
}

// Chunks returns the passages of a document in order, by its id or, if no document has
// that id, its source; none if there is no such document.
func (p *Pipeline) Chunks(document string) []assay.Passage {
	docs := p.config.Documents
	doc := slices.IndexFunc(docs, func(d assay.Document) bool { return d.ID == document })
	if doc < 0 && document != "" {
		doc = slices.IndexFunc(docs, func(d assay.Document) bool { return d.Source == document })
	}
	if doc < 0 {
		return nil
	}
	// Passages are in the order of the documents.
	first, _ := slices.BinarySearchFunc(p.passages, doc, func(s passage, doc int) int { return s.doc - doc })
	var out []assay.Passage
	for i := first; i < len(p.passages) && p.passages[i].doc == doc; i++ {
		out = append(out, p.passage(i, 0))
	}
	return out
}

// All yields every passage, in the order of the documents.
func (p *Pipeline) All() iter.Seq[assay.Passage] {
	return func(yield func(assay.Passage) bool) {
		for i := range p.passages {
			if !yield(p.passage(i, 0)) {
				return
			}
		}
	}
}

// placesByID maps the ids of passages to their positions.
func (p *Pipeline) placesByID() map[string]int {
	out := make(map[string]int, len(p.passages))
	for i, s := range p.passages {
		out[p.config.Documents[s.doc].ID+"#"+strconv.Itoa(s.index)] = i
	}
	return out
}

// placeOf returns the position of a given passage; -1 if the index does not have it.
func (p *Pipeline) placeOf(a assay.Passage) int {
	id := a.ID
	if id == "" && a.Document != "" {
		id = a.Document + "#" + strconv.Itoa(a.Index)
	}
	if i, ok := p.places()[id]; ok {
		return i
	}
	return -1
}
