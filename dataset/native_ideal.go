package dataset

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/assay-eval/assay"
)

var (
	idealFields   = []string{"answer", "points", "passages", "model", "prompt_hash", "made", "hash"}
	pointFields   = []string{"text", "vital", "passage", "by"}
	passageFields = []string{"id", "document", "source", "title", "text", "index", "score"}
)

// ideal reads a frozen ideal answer: its text, its points, or both.
func (r *record) ideal(n *node) *assay.Ideal {
	const name = "ideal"
	if n == nil {
		return nil
	}
	if n.kind != object {
		r.fail(n, name, n.what(), "an object with answer and points")
		return nil
	}
	out := &assay.Ideal{
		Answer:     r.text(present(n, "answer"), "ideal.answer", "an answer, or no field"),
		Model:      r.text(present(n, "model"), "ideal.model", "a name, or no field"),
		PromptHash: r.text(present(n, "prompt_hash"), "ideal.prompt_hash", "a hash, or no field"),
		Hash:       r.text(present(n, "hash"), "ideal.hash", "a hash, or no field"),
		Passages:   r.passages(present(n, "passages"), "ideal.passages"),
	}
	out.Points = r.points(present(n, "points"), "ideal.points", out.Passages)
	if made := present(n, "made"); made != nil {
		when, err := parseDate(made.text)
		if made.kind != str || err != nil {
			r.fail(made, "ideal.made", made.what(), "a date such as \"2026-01-15\"")
		}
		out.Made = when
	}
	if present(n, "answer") == nil && present(n, "points") == nil {
		r.fail(n, name, "neither answer nor points", "at least one of them")
	}
	r.ignoreOthers(n, "ideal.", idealFields)
	if out.Hash != "" && out.Hash != out.Digest() {
		r.l.warn(r.origin(), "ideal.hash", "the ideal answer was changed since it was frozen: its scores are not comparable with earlier ones")
	}
	return out
}

// present returns a member that exists and is not null.
func present(n *node, name string) *node {
	if v := n.get(name); !v.absent() {
		return v
	}
	return nil
}

// points reads the points of an ideal answer. If there are passages, a point may
// only refer to one of them.
func (r *record) points(n *node, name string, passages []assay.Passage) []assay.Point {
	items := r.objects(n, name, "a point with its text")
	if items == nil {
		return nil
	}
	out := make([]assay.Point, 0, len(items))
	for i, item := range items {
		if item.kind != object {
			continue
		}
		at := fmt.Sprintf("%s[%d]", name, i)
		p := assay.Point{Text: r.needed(item, "text", at, "what the answer should say")}
		if vital := r.truth(present(item, "vital"), at+".vital"); vital != nil {
			p.Vital = *vital
		}
		if id := present(item, "passage"); id != nil {
			p.Passage = r.name(id, at+".passage", "the id of a passage, or no field")
			known := slices.ContainsFunc(passages, func(x assay.Passage) bool { return x.ID == p.Passage })
			if p.Passage != "" && len(passages) > 0 && !known {
				r.fail(id, at+".passage", fmt.Sprintf("%q is not one of the passages", clip(p.Passage)), "the id of one in ideal.passages")
			}
		}
		p.By = r.text(present(item, "by"), at+".by", "the name of a person, or no field")
		r.ignoreOthers(item, name+"[].", pointFields)
		out = append(out, p)
	}
	return out
}

// passages reads the sources of an ideal answer.
func (r *record) passages(n *node, name string) []assay.Passage {
	var out []assay.Passage
	for i, item := range r.objects(n, name, "a passage with its text") {
		if item.kind != object {
			continue
		}
		at := fmt.Sprintf("%s[%d]", name, i)
		p := assay.Passage{Text: r.needed(item, "text", at, "the text of the passage")}
		for _, f := range []struct {
			name string
			to   *string
		}{{"id", &p.ID}, {"document", &p.Document}, {"source", &p.Source}, {"title", &p.Title}} {
			if v := present(item, f.name); v != nil {
				*f.to = r.name(v, at+"."+f.name, "a name, or no field")
			}
		}
		if v := present(item, "index"); v != nil {
			index, ok := v.whole()
			if !ok || index < 0 {
				r.fail(v, at+".index", v.what(), "a whole number from 0")
			}
			p.Index = index
		}
		if v := present(item, "score"); v != nil {
			score, err := strconv.ParseFloat(v.text, 64)
			if v.kind != number || err != nil {
				r.fail(v, at+".score", v.what(), "a number")
			}
			p.Score = score
		}
		if p.ID != "" && slices.ContainsFunc(out, func(o assay.Passage) bool { return o.ID == p.ID }) {
			r.fail(item, at+".id", fmt.Sprintf("duplicate id %q", clip(p.ID)), "a unique id")
		}
		r.ignoreOthers(item, name+"[].", passageFields)
		out = append(out, p)
	}
	return out
}

// objects reads a list of objects. It returns nil if there is no list, and an
// empty slice if the list is empty. An entry that is not an object is reported
// and keeps its place.
func (r *record) objects(n *node, name, want string) []*node {
	if n == nil {
		return nil
	}
	if n.kind != list {
		r.fail(n, name, n.what(), "a list, each entry "+want)
		return nil
	}
	for i, item := range n.items {
		if item.kind != object {
			r.fail(item, fmt.Sprintf("%s[%d]", name, i), item.what(), want)
		}
	}
	return append([]*node{}, n.items...)
}

// needed reads a required text of an object.
func (r *record) needed(n *node, field, at, want string) string {
	v := present(n, field)
	if v == nil {
		r.fail(n, at+"."+field, "missing", want)
		return ""
	}
	return r.text(v, at+"."+field, want)
}

// name reads a text that is not blank, or a whole number as written.
func (r *record) name(n *node, at, want string) string {
	s, ok := idOf(n)
	if !ok {
		r.fail(n, at, n.what(), want)
		return ""
	}
	return s
}

// ignoreOthers warns of unknown members of an object.
func (r *record) ignoreOthers(n *node, prefix string, known []string) {
	for _, f := range n.fields {
		if !slices.Contains(known, f.name) {
			r.l.warn(r.origin(), prefix+clip(f.name), "unknown field, ignored"+suggest(f.name, known))
		}
	}
}
