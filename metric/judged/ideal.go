package judged

import (
	"fmt"
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

const (
	idealEdge  = "Scores against different versions of an ideal answer are not comparable. "
	idealOwn   = "own definition: claims against a frozen ideal answer and the passages that it was written from"
	pointsEdge = "An ideal answer without a point gives no value. An empty answer makes none and scores 0. "
)

// ofTruth gives a share of the answer's claims, held against the ideal answer and
// the passages that it was written from; why tells that the whole is empty.
func ofTruth(why string, of func(truth) (part, whole float64)) formula {
	return func(in metric.Input) (assay.Score, error) {
		s, err := answerClaims(in, question.Truth.Of(in.Assessment))
		if err != nil || s.instead != nil {
			return s.score(), err
		}
		t := s.truth()
		part, whole := of(t)
		out := t.share(part, whole, len(s.claims), why)
		out.Evidence = s.unsupported()
		return out, nil
	}
}

// A truth tells how many claims the ground truth supports, contradicts, and
// does not speak of.
type truth struct{ supported, contradicted, extra, unknown float64 }

// known counts the claims with a ruling.
func (t truth) known() float64 { return t.supported + t.contradicted + t.extra }

func (s said) truth() truth {
	var t truth
	for _, f := range s.findings {
		v, known := credit(f)
		switch {
		case !known:
			t.unknown++
			continue
		case f.Verdict == judge.Contradicted:
			t.contradicted += 1 - v
		default:
			t.extra += 1 - v
		}
		t.supported += v
	}
	return t
}

// share is part/whole with the bounds that unknown claims leave when each may
// be a part or not; where the whole is empty, why tells that there is no value.
func (t truth) share(part, whole float64, n int, why string) assay.Score {
	if whole == 0 && t.unknown*mostMissing <= float64(n) {
		return assay.None(why)
	}
	all := whole + t.unknown
	return bounded(part/whole, part/all, (part+t.unknown)/all, int(t.unknown), n)
}

// An assigned point is one of the ideal answer's with what the answer made of it.
type assigned struct {
	assay.Point
	credit float64
	known  bool
	as     judge.Assignment
}

// points gives the points of the ideal answer; none where it has none.
func points(in metric.Input) ([]assigned, error) {
	given, err := question.Points.Of(in.Assessment).Get()
	if err != nil {
		return nil, err
	}
	want := in.Case.Want.Ideal.Points
	if len(given) != len(want) {
		return nil, fmt.Errorf("the judge gave %d rulings on %d points", len(given), len(want))
	}
	out := make([]assigned, len(want))
	for i, a := range given {
		out[i] = assigned{Point: want[i], known: a.Known && !math.IsNaN(a.Credit), as: a}
		if out[i].known {
			out[i].credit = clip(a.Credit)
		}
	}
	return out, nil
}

// missed lists the points that the answer makes in part or not at all.
func missed(points []assigned) []assay.Evidence {
	var out []assay.Evidence
	for _, p := range points {
		e := assay.Evidence{Kind: "missing", Text: reasoned(p.Text, p.as.Why)}
		switch {
		case !p.known:
			e.Kind = "unknown"
		case p.credit > 0.25 && p.credit < fully:
			e.Kind = "in part"
		case p.credit >= fully && p.as.Split():
			e.Kind = "split"
		case p.credit >= fully:
			continue
		}
		if p.Vital {
			e.Where = "vital"
		}
		if v := votesOf(p.as.Votes); v != "" {
			if e.Where != "" {
				e.Where += ", "
			}
			e.Where += v
		}
		out = append(out, e)
	}
	return out
}

// fully is the credit from which a point is made and not made in part: nearer
// to a whole than to a half.
const fully = 0.75

const noPoints = "the ideal answer has no point"
