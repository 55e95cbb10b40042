package columns

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/assay-eval/assay"
)

// something stands for a text that is not empty.
const something = "…"

// A shape is what many records have in common. Records have few different ones: the cases
// of a dataset have the same kinds of labels, and answers are lost in few ways.
type shape struct {
	Tags        []string           `json:"tags,omitempty"`
	Audio       string             `json:"audio,omitempty"`
	Want        assay.Want         `json:"want,omitzero"`
	Failure     *assay.Failure     `json:"failure,omitempty"`
	Attribution *assay.Attribution `json:"attribution,omitempty"`
	Retrieved   *assay.Retrieved   `json:"retrieved,omitempty"`
	// Shows has a bit for each of the stages of [assay.LossStages].
	Shows uint16 `json:"shows,omitempty"`
}

// addShape adds the shape of a record.
func (b *Builder) addShape(r *assay.Record) {
	s := shape{Want: shortWant(r.Case.Want), Attribution: shortAttribution(r.Attribution, r.Case.Want), Retrieved: r.Retrieved}
	if r.Case.Audio != "" {
		s.Audio = something
	}
	if r.Failure != nil {
		s.Failure = &assay.Failure{Kind: r.Failure.Kind}
	}
	s.Tags = r.Case.Tags
	for i, stage := range lossStages {
		if r.Response.ShowsStage(stage) {
			s.Shows |= 1 << i
		}
	}
	b.ShapeOf = append(b.ShapeOf, b.putShape(s))
}

// putShape returns the index of a shape among the distinct ones. The shape may be another
// table's, which others read.
func (b *Builder) putShape(s shape) uint32 {
	body, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("columns: %v", err)) // the types have a JSON form
	}
	key := string(body)
	at, ok := b.known.shapes[key]
	if !ok {
		at = uint32(len(b.Shapes))
		s.Tags = slices.Clone(s.Tags)
		b.Shapes, b.known.shapes[key] = append(b.Shapes, s), at
	}
	return at
}

// shortWant returns how many labels of each kind there are, and the grades of the
// documents under names that mean nothing.
func shortWant(w assay.Want) assay.Want {
	blank := func(texts []string) []string {
		if texts == nil {
			return nil
		}
		return make([]string, len(texts))
	}
	out := assay.Want{Answers: blank(w.Answers), Passages: blank(w.Passages), Keywords: blank(w.Keywords), Answerable: w.Answerable}
	if w.Documents != nil {
		out.Documents = make(map[string]int, len(w.Documents))
		for i, grade := range slices.Sorted(maps.Values(w.Documents)) {
			out.Documents[strconv.Itoa(i)] = grade
		}
	}
	if w.Ideal != nil {
		out.Ideal = &assay.Ideal{Points: make([]assay.Point, len(w.Ideal.Points))}
	}
	return out
}

// shortAttribution returns an attribution without texts. Only facts that got further than the retriever by the text of a
// reference answer or a keyword keep how they matched, unless stages were replaced.
func shortAttribution(a *assay.Attribution, w assay.Want) *assay.Attribution {
	if a == nil {
		return nil
	}
	out := &assay.Attribution{Failed: a.Failed, Stage: a.Stage, Unknown: a.Unknown, Merged: a.Merged}
	for _, f := range a.Facts {
		short := assay.Fact{Lost: f.Lost, SelfKnowledge: f.SelfKnowledge}
		if f.Text != "" {
			short.Text = something
		}
		if f.Match == "text" && a.Ladder == nil && (f.Text == "" || slices.Contains(w.Keywords, f.Text) || slices.Contains(w.Answers, f.Text)) {
			short.Match = f.Match
		}
		out.Facts = append(out.Facts, short)
	}
	if l := a.Ladder; l != nil {
		out.Ladder = &assay.Ladder{NonMonotone: l.NonMonotone}
		if l.Error != "" {
			out.Ladder.Error = something
		}
		for _, r := range l.Rungs {
			out.Ladder.Rungs = append(out.Ladder.Rungs, assay.Rung{Stage: r.Stage, Right: r.Right})
		}
	}
	return out
}
