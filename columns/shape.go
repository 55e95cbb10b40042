package columns

import (
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
	s := shape{Want: shortWant(r.Case.Want), Attribution: shortAttribution(r.Attribution), Retrieved: r.Retrieved}
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
	b.ShapeOf = append(b.ShapeOf, b.putShape(&s))
}

// putShape returns the index of a shape among the distinct ones.
func (b *Builder) putShape(s *shape) uint32 {
	b.key = s.key(b.key[:0])
	at, ok := b.known.shapes[string(b.key)]
	if !ok {
		at = uint32(len(b.Shapes))
		s.Tags = slices.Clone(s.Tags)
		b.Shapes, b.known.shapes[string(b.key)] = append(b.Shapes, *s), at
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

// shortAttribution returns an attribution without texts.
func shortAttribution(a *assay.Attribution) *assay.Attribution {
	if a == nil {
		return nil
	}
	out := &assay.Attribution{Failed: a.Failed, Stage: a.Stage, Unknown: a.Unknown, Merged: a.Merged}
	for _, f := range a.Facts {
		short := assay.Fact{Lost: f.Lost, SelfKnowledge: f.SelfKnowledge}
		if f.Text != "" {
			short.Text = something
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

// key appends a text that only equal shapes have.
func (s *shape) key(b []byte) []byte {
	texts := func(list []string) {
		b = strconv.AppendInt(b, int64(len(list)), 10)
		for _, t := range list {
			b = strconv.AppendQuote(b, t)
		}
		b = append(b, ';')
	}
	number := func(n int) { b = append(strconv.AppendInt(b, int64(n), 10), ';') }
	// length tells a list that is empty from none.
	length := func(n int, none bool) {
		if none {
			n = -1
		}
		number(n)
	}
	truth := func(v bool) { b = strconv.AppendBool(b, v) }
	texts(s.Tags)
	texts([]string{s.Audio})
	number(int(s.Shows))
	w := &s.Want
	length(len(w.Answers), w.Answers == nil)
	length(len(w.Passages), w.Passages == nil)
	length(len(w.Keywords), w.Keywords == nil)
	length(len(w.Documents), w.Documents == nil)
	for i := range len(w.Documents) {
		number(w.Documents[strconv.Itoa(i)])
	}
	switch {
	case w.Answerable == nil:
		b = append(b, '-')
	default:
		truth(*w.Answerable)
	}
	if w.Ideal != nil {
		number(len(w.Ideal.Points))
	}
	b = append(b, ';')
	if s.Failure != nil {
		texts([]string{s.Failure.Kind})
	}
	b = append(b, ';')
	if e := s.Retrieved; e != nil {
		number(e.K)
		number(e.Found)
		number(e.Of)
		number(e.Missed)
	}
	b = append(b, ';')
	a := s.Attribution
	if a == nil {
		return b
	}
	truth(a.Failed)
	texts([]string{a.Stage, a.Unknown})
	for _, f := range a.Facts {
		texts([]string{f.Lost, f.Text})
		truth(f.SelfKnowledge)
	}
	for _, stage := range slices.Sorted(maps.Keys(a.Merged)) {
		texts([]string{stage, a.Merged[stage]})
	}
	if l := a.Ladder; l != nil {
		truth(l.NonMonotone)
		texts([]string{l.Error})
		for _, r := range l.Rungs {
			texts([]string{r.Stage})
			b = strconv.AppendFloat(b, r.Right, 'g', -1, 64)
		}
	}
	return b
}
