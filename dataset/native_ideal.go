package dataset

import (
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
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
	out := &assay.Ideal{}
	r.fill(n, name, "ideal.", []member{
		{"answer", &out.Answer, "an answer, or no field", false},
		{"model", &out.Model, "a name, or no field", false},
		{"prompt_hash", &out.PromptHash, "a hash, or no field", false},
		{"hash", &out.Hash, "a hash, or no field", false},
		{"passages", func(v *node) { out.Passages = r.passages(v, "ideal.passages") }, "", false},
		{"points", func(v *node) { out.Points = r.points(v, "ideal.points", out.Passages) }, "", false},
		{"made", func(v *node) {
			when, err := parseDate(v.text)
			if v.kind != str || err != nil {
				r.fail(v, "ideal.made", v.what(), "a date such as \"2026-01-15\"")
			}
			out.Made = when
		}, "", false},
	})
	if present(n, "answer") == nil && present(n, "points") == nil {
		r.fail(n, name, "neither answer nor points", "at least one of them")
	}
	if out.Hash != "" && out.Hash != out.Digest() {
		r.l.warn(r.origin(), "ideal.hash", "the ideal answer was changed since it was frozen: its scores are not comparable with earlier ones")
	}
	return out
}

// points reads the points of an ideal answer. If there are passages, a point may
// only refer to one of them.
func (r *record) points(n *node, name string, passages []assay.Passage) []assay.Point {
	out := []assay.Point{}
	is := r.objects(n, name, "a point with its text", func(item *node, at string) {
		var p assay.Point
		r.fill(item, at, name+"[].", []member{
			{"text", &p.Text, "what the answer should say", true},
			{"vital", &p.Vital, "", false},
			{"passage", nameOf{&p.Passage}, "the id of a passage, or no field", false},
			{"by", &p.By, "the name of a person, or no field", false},
		})
		known := slices.ContainsFunc(passages, func(x assay.Passage) bool { return x.ID == p.Passage })
		if p.Passage != "" && len(passages) > 0 && !known {
			r.fail(item.get("passage"), at+".passage", fmt.Sprintf("%q is not one of the passages", clip(p.Passage)), "the id of one in ideal.passages")
		}
		out = append(out, p)
	})
	if !is {
		return nil
	}
	return out
}

// passages reads the sources of an ideal answer.
func (r *record) passages(n *node, name string) (out []assay.Passage) {
	const aName = "a name, or no field"
	r.objects(n, name, "a passage with its text", func(item *node, at string) {
		var p assay.Passage
		r.fill(item, at, name+"[].", []member{
			{"text", &p.Text, "the text of the passage", true},
			{"id", nameOf{&p.ID}, aName, false},
			{"document", nameOf{&p.Document}, aName, false},
			{"source", nameOf{&p.Source}, aName, false},
			{"title", nameOf{&p.Title}, aName, false},
			{"index", &p.Index, "a whole number from 0", false},
			{"score", &p.Score, "a number", false},
		})
		if p.ID != "" && slices.ContainsFunc(out, func(o assay.Passage) bool { return o.ID == p.ID }) {
			r.fail(item, at+".id", fmt.Sprintf("duplicate id %q", clip(p.ID)), "a unique id")
		}
		out = append(out, p)
	})
	return out
}
