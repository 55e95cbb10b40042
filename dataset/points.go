package dataset

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

const (
	// MaxPoints is the largest number of points that a person may give an ideal answer, and MaxPoint the
	// largest length of one in bytes.
	MaxPoints = 100
	MaxPoint  = 4000
)

// A PointError is what is wrong with a point that a person wrote.
type PointError struct {
	// At is the index of the point, Field what is wrong of it: "text" or "passage".
	At    int
	Field string
	// Problem says what is wrong, Want what would be right, and Value is what is there.
	Problem, Want, Value string
	// Same is the index of an earlier point with the same text; -1 if there is none.
	Same int
}

// Error implements error.
func (e *PointError) Error() string {
	return fmt.Sprintf("point %d: %s: expected %s", e.At+1, e.Problem, e.Want)
}

// EditPoints returns an ideal answer with other points, as a person named by edited them. A point that was there before with
// the same text, importance and passage keeps who made it; any other is that person's. The texts of points are trimmed. The
// frozen answer gets the digest of its new content. was is nil for a case without an ideal answer, and the result is nil if
// nothing is left of it: no point, no answer and no passage. The error joins a [*PointError] for each mistake.
func EditPoints(was *assay.Ideal, points []assay.Point, by string) (*assay.Ideal, error) {
	var out assay.Ideal
	if was != nil {
		out = *was
	}
	old := slices.Clone(out.Points)
	out.Points = make([]assay.Point, 0, len(points))
	var problems []error
	for i, p := range points {
		p.Text, p.By = strings.TrimSpace(p.Text), by
		if bad := wrongPoint(out, i, p); bad != nil {
			problems = append(problems, bad)
		}
		same := func(o assay.Point) bool { return o.Text == p.Text && o.Vital == p.Vital && o.Passage == p.Passage }
		if k := slices.IndexFunc(old, same); k >= 0 {
			p = old[k]
			old = slices.Delete(old, k, k+1)
		}
		out.Points = append(out.Points, p)
	}
	if problems != nil {
		return nil, errors.Join(problems...)
	}
	if len(out.Points) == 0 && out.Answer == "" && out.Passages == nil {
		return nil, nil
	}
	out.Hash = out.Digest()
	return &out, nil
}

// wrongPoint returns what is wrong with a point that is to follow those of an ideal answer; nil if nothing is.
func wrongPoint(ideal assay.Ideal, at int, p assay.Point) error {
	e := &PointError{At: at, Field: "text", Value: p.Text, Same: -1}
	switch {
	case p.Text == "":
		e.Problem, e.Want = "no text", "what the answer should say"
		return e
	case len(p.Text) > MaxPoint:
		e.Problem, e.Want, e.Value = "too long", fmt.Sprintf("at most %d bytes", MaxPoint), ""
		return e
	}
	if e.Same = slices.IndexFunc(ideal.Points, func(o assay.Point) bool { return o.Text == p.Text }); e.Same >= 0 {
		e.Problem, e.Want = fmt.Sprintf("says the same as point %d", e.Same+1), "each point once"
		return e
	}
	known := slices.ContainsFunc(ideal.Passages, func(x assay.Passage) bool { return x.ID == p.Passage })
	if p.Passage != "" && len(ideal.Passages) > 0 && !known {
		e.Field, e.Value = "passage", p.Passage
		e.Problem, e.Want = fmt.Sprintf("%q is not one of the passages", p.Passage), "the id of a passage of the ideal answer, or none"
		return e
	}
	return nil
}
