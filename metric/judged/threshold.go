package judged

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
)

// bothEnds returns a function that scores a case with bounds: where the threshold of the judge has
// an interval, they hold the scores at both ends of it.
func bothEnds(asks judge.Asks, score metric.Func) metric.Func {
	return func(ctx context.Context, in metric.Input) (assay.Score, error) {
		s, err := score(ctx, in)
		if err != nil || s.State != assay.Scored || in.Assessment == nil {
			return s, err
		}
		low, high := s.Value, s.Value
		for end := range 2 {
			there, open := atEnd(in, asks, end)
			if !open {
				return s, nil
			}
			if other, err := score(ctx, there); err == nil && other.State == assay.Scored {
				low, high = min(low, other.Value), max(high, other.Value)
				s.Lower, s.Upper = min(s.Lower, other.Lower), max(s.Upper, other.Upper)
			}
		}
		if low < high {
			s.Reason = strings.TrimPrefix(fmt.Sprintf("%s; the threshold of the judge has an interval: at its ends the score is from %.3g to %.3g",
				s.Reason, low, high), "; ")
		}
		return s, nil
	}
}

// atEnd returns an input with the rulings at an end, 0 or 1, of the interval of the judge's
// threshold. open is false if it has none.
func atEnd(in metric.Input, asks judge.Asks, end int) (out metric.Input, open bool) {
	in.Assessment = in.Assessment.Clone()
	turn := func(f *judge.Finding) {
		open = open || f.Ends != nil
		*f = f.AtEnd(end)
	}
	for _, q := range asks {
		q.Change(in.Assessment, func(answer any) {
			switch v := answer.(type) {
			case *[]judge.Finding:
				*v = slices.Clone(*v)
				for i := range *v {
					turn(&(*v)[i])
				}
			case *[]judge.Cited:
				*v = slices.Clone(*v)
				for i := range *v {
					turn(&(*v)[i].Finding)
				}
			case *judge.Ruling:
				if v.Ends != nil {
					*v, open = v.Ends[end], true
				}
			}
		})
	}
	return in, open
}
