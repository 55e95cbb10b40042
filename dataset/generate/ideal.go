package generate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

// An Ideal is a frozen ideal answer with its provenance.
type Ideal struct {
	assay.Ideal
	// Dropped are the points that no passage supports, Spare those beyond the most that an
	// ideal answer has.
	Dropped, Spare []string
	Written        Provenance
}

// ErrNoPoints means that no passage supports any of the points.
var ErrNoPoints = errors.New("no passage supports any of the points")

// mostIdeal is how many points an ideal answer has at most, as in AutoNuggetizer (Pradeep
// et al., arXiv 2411.09607).
const mostIdeal = 20

// Ideal writes the ideal answer to a question from ground-truth passages: first
// its key points, then an answer that states them. A point that the judge does
// not find supported by a single passage is dropped. The vital points come first, and
// the twenty first are kept. The judge must be backed by a model.
//
// It returns [ErrNoPoints], or why it failed; see [Fatal].
func (w *Writer) Ideal(ctx context.Context, j judge.Judge, s judge.Subject, passages []assay.Passage) (Ideal, error) {
	s.Language = languageOf(s)
	sources := make([]judge.Source, len(passages))
	for i, p := range passages {
		sources[i] = judge.Source{Name: fmt.Sprintf("passage %d", i+1), Text: strings.TrimSpace(p.Title + "\n" + p.Text)}
	}
	points, err := question.Extract.Ask(ctx, j, s, sources)
	if err != nil {
		return Ideal{}, err
	}
	out := Ideal{}
	if out.Points, out.Dropped, err = entailed(ctx, j, s, points, passages, sources); err != nil {
		return Ideal{}, err
	}
	if len(out.Points) == 0 {
		return out, ErrNoPoints
	}
	if err := weigh(ctx, j, s, out.Points); err != nil {
		return Ideal{}, err
	}
	for len(out.Points) > mostIdeal {
		last := len(out.Points) - 1
		out.Spare = append(out.Spare, out.Points[last].Text)
		out.Points = out.Points[:last]
	}
	a, err := w.compose(ctx, s, &out, sources)
	if err != nil {
		return Ideal{}, err
	}
	out.Passages = passages
	for _, p := range passages {
		a.Documents = append(a.Documents, p.ID)
	}
	out.Written = a
	out.Model, out.PromptHash, out.Made = w.Model(), a.PromptHash, a.Made
	out.Hash = out.Digest()
	return out, nil
}

// entailed keeps the points that a single passage supports.
func entailed(
	ctx context.Context, j judge.Judge, s judge.Subject, points []judge.Point, passages []assay.Passage, sources []judge.Source,
) (kept []assay.Point, dropped []string, err error) {
	if len(points) == 0 {
		return nil, nil, nil
	}
	claims := make([]judge.Claim, len(points))
	for i, p := range points {
		claims[i] = judge.Claim{Text: p.Text}
	}
	in := question.SupportInput{Claims: claims, Sources: sources}
	findings, err := question.Support.Ask(ctx, j, s, in)
	if err != nil {
		return nil, nil, err
	}
	if findings, err = question.Alone(ctx, j, s, in, findings); err != nil {
		return nil, nil, err
	}
	for i, f := range findings {
		at := -1
		for _, q := range f.Quotes {
			if q.Alone && (at < 0 || q.Source == points[i].Source) {
				at = q.Source
			}
		}
		if f.Verdict != judge.Supported || at < 0 {
			dropped = append(dropped, points[i].Text)
			continue
		}
		kept = append(kept, assay.Point{Text: points[i].Text, Passage: passages[at].ID})
	}
	return kept, dropped, nil
}

// weigh asks which points are vital, and puts these first. One without a ruling is not.
func weigh(ctx context.Context, j judge.Judge, s judge.Subject, points []assay.Point) error {
	texts := make([]string, len(points))
	for i, p := range points {
		texts[i] = p.Text
	}
	weights, err := question.Weigh.Ask(ctx, j, s, texts)
	if err != nil {
		return err
	}
	unknown := 0
	for i, w := range weights {
		points[i].Vital = w.Known && w.Vital
		if !w.Known {
			unknown++
		}
	}
	if unknown > 0 {
		judge.Warn(ctx, fmt.Sprintf("the judge did not rule on the importance of %d points, which count as not vital", unknown))
	}
	slices.SortStableFunc(points, func(a, b assay.Point) int {
		switch {
		case a.Vital == b.Vital:
			return 0
		case a.Vital:
			return -1
		}
		return 1
	})
	return nil
}

// compose writes the answer that states the points.
func (w *Writer) compose(ctx context.Context, s judge.Subject, out *Ideal, sources []judge.Source) (Provenance, error) {
	type point struct {
		ID    int    `json:"id"`
		Point string `json:"point"`
		Vital bool   `json:"vital"`
	}
	data := struct {
		Question string         `json:"question"`
		Points   []point        `json:"points"`
		Sources  []documentData `json:"sources"`
	}{Question: s.Question}
	for i, p := range out.Points {
		data.Points = append(data.Points, point{i + 1, p.Text, p.Vital})
	}
	for i, p := range sources {
		data.Sources = append(data.Sources, documentData{i + 1, p.Text})
	}
	var reply struct{ Answer string }
	a, err := w.ask(ctx, taskIdeal, string(s.Language), data, &reply, func() error {
		if strings.TrimSpace(reply.Answer) == "" {
			return errors.New("the answer is blank: want one that states the points")
		}
		return tooLong(reply.Answer)
	})
	out.Answer = strings.TrimSpace(reply.Answer)
	return w.provenance(taskIdeal, a), err
}

// Apply freezes the ideal answer into the case, and records its provenance and
// the number of dropped points in the metadata.
func (i Ideal) Apply(c *assay.Case) {
	ideal := i.Ideal
	c.Want.Ideal = &ideal
	mark(c, "ideal", struct {
		Provenance
		Hash    string   `json:"hash"`
		Dropped []string `json:"dropped,omitempty"`
		Spare   []string `json:"spare,omitempty"`
	}{i.Written, i.Hash, i.Dropped, i.Spare})
}
