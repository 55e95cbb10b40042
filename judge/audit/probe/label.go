package probe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/stats"
)

// A Label is an answer of some other system, with what is known about it.
type Label struct {
	ID         string   `json:"id"`
	Question   string   `json:"question"`
	Answer     string   `json:"answer"`
	References []string `json:"references,omitempty"`
	Passages   []string `json:"passages,omitempty"`
	// Human is the human mark, 0 to 1; nil if there is none.
	Human *float64 `json:"human,omitempty"`
	// Family is the model family that wrote the answer.
	Family string `json:"family,omitempty"`
}

// check returns what is wrong with a label.
func (l Label) check() error {
	switch {
	case strings.TrimSpace(l.Question) == "" || strings.TrimSpace(l.Answer) == "":
		return errors.New("want a question and an answer")
	case len(l.References) == 0 && len(l.Passages) == 0:
		return errors.New("want references or passages to judge the answer by")
	case l.Human != nil && (math.IsNaN(*l.Human) || *l.Human < 0 || *l.Human > 1):
		return fmt.Errorf("human mark %v: want a number from 0 to 1", *l.Human)
	}
	return nil
}

// labelled is a label with the scores of the judge and of the second one.
type labelled struct {
	Label
	score, second *float64
}

func (b *biased) label() error {
	for i, l := range b.o.Labels {
		if err := l.check(); err != nil {
			return fmt.Errorf("label %d %q: %w", i+1, l.ID, err)
		}
		k := &labelled{Label: l}
		b.labelled = append(b.labelled, k)
		for _, of := range []struct {
			judge judge.Judge
			score **float64
		}{{b.judge, &k.score}, {b.o.Second, &k.second}} {
			if of.judge == nil && of.score == &k.second {
				continue
			}
			b.steps = append(b.steps, func(ctx context.Context) error {
				var err error
				*of.score, err = l.judged(ctx, of.judge)
				return err
			})
		}
	}
	return nil
}

func (l Label) asks() judge.Asks {
	var asks judge.Asks
	if len(l.Passages) > 0 {
		asks = append(asks, question.AnswerPassages)
	}
	if len(l.References) > 0 {
		asks = append(asks, question.Equivalence)
	}
	return asks
}

// judged scores the answer: the mean of the share of its claims that the passages
// support and of whether it is equivalent to a reference, as far as the label has them.
func (l Label) judged(ctx context.Context, j judge.Judge) (*float64, error) {
	c := assay.Case{ID: l.ID, Question: l.Question, Want: assay.Want{Answers: l.References}}
	r := assay.Response{Answer: l.Answer}
	for _, p := range l.Passages {
		r.Passages = append(r.Passages, assay.Passage{Text: p})
	}
	a, err := judge.Assess(ctx, j, judge.Plan{Asks: l.asks()}, &c, &r)
	if err != nil {
		return nil, err
	}
	sum, n := 0.0, 0
	for _, part := range []struct {
		asked judge.AnyQuestion
		score func(*judge.Assessment) *float64
	}{{question.AnswerPassages, supported}, {question.Equivalence, equivalent}} {
		if !l.asks().Has(part.asked.ID()) {
			continue
		}
		v := part.score(a)
		if v == nil {
			return nil, nil
		}
		sum, n = sum+*v, n+1
	}
	return value(sum / float64(n)), nil
}

// minLabels is the least number of answers for a slope or a difference.
const minLabels = 20

// length tests whether the judge prefers long answers more than people do: the slope
// of its score minus theirs on the logarithm of the number of words, times the
// interquartile range of that logarithm.
func (b *biased) length() Test {
	t := Test{Name: "length", Doc: "change of judge minus human from a short answer to a long one (quartiles)",
		Limit: fmt.Sprintf("no slope, or within ±%.2g", tolerance), Outcome: NotMeasured}
	var x, y []float64
	for _, l := range b.labelled {
		words := len(text.Tokens(l.Answer))
		switch {
		case l.Human == nil || words == 0:
		case l.score == nil:
			t.Unread++
		default:
			x, y = append(x, math.Log(float64(words))), append(y, *l.score-*l.Human)
		}
	}
	sorted := slices.Sorted(slices.Values(x))
	q1, _ := stats.Quantile(sorted, 0.25)
	q3, _ := stats.Quantile(sorted, 0.75)
	slope, ci, ok := regress(x, y, b.o.Level)
	if len(x) < minLabels || !ok || q3 == q1 {
		t.Note = fmt.Sprintf("needs at least %d answers of different lengths with human marks (--labels); there are %d", minLabels, len(x))
		return t
	}
	spread := q3 - q1
	t.Effect, t.N = slope*spread, len(x)
	t.Interval = &stats.Interval{Lo: ci.Lo * spread, Hi: ci.Hi * spread}
	t.Outcome = Pass
	if !ci.Contains(0) && math.Abs(t.Effect) > tolerance || tooManyUnread(t.N, t.Unread) {
		t.Outcome = Fail
	}
	return t
}

// regress returns the slope of the least squares line with its interval by Student's t;
// ok is false with fewer than three points or if all x are equal.
func regress(x, y []float64, level float64) (slope float64, ci stats.Interval, ok bool) {
	n := float64(len(x))
	if n < 3 {
		return 0, ci, false
	}
	mx, my := mean(x), mean(y)
	var sxx, sxy float64
	for i := range x {
		sxx += (x[i] - mx) * (x[i] - mx)
		sxy += (x[i] - mx) * (y[i] - my)
	}
	if sxx == 0 {
		return 0, ci, false
	}
	slope = sxy / sxx
	var rest float64
	for i := range x {
		e := y[i] - my - slope*(x[i]-mx)
		rest += e * e
	}
	h := math.Sqrt(rest/(n-2)/sxx) * quantile(level, n-2)
	return slope, stats.Interval{Lo: slope - h, Hi: slope + h}, true
}

// selfPreference tests whether the judge favours answers of its own family: how much
// higher than people it scores them, minus the same for other families. Without human
// marks, a second judge takes their place.
func (b *biased) selfPreference() Test {
	t := Test{Name: "self-preference", Doc: "how much higher than people, or a second judge, it scores its own family",
		Limit: fmt.Sprintf("no difference, or within ±%.2g", tolerance), Outcome: NotMeasured}
	var own, others []float64
	for _, l := range b.labelled {
		var base *float64
		if l.Human != nil {
			base = l.Human
		} else if b.o.Second != nil {
			base = l.second
		}
		switch {
		case l.Family == "" || l.Human == nil && b.o.Second == nil:
		case l.score == nil || base == nil:
			t.Unread++
		case strings.EqualFold(l.Family, b.o.Own):
			own = append(own, *l.score-*base)
		default:
			others = append(others, *l.score-*base)
		}
	}
	if b.o.Own == "" || len(own) < minLabels || len(others) < minLabels {
		t.Note = fmt.Sprintf("needs at least %d answers of the judge's own family (--family) and as many of others, with human marks or a "+
			"second judge (--labels, --second); there are %d and %d",
			minLabels, len(own), len(others))
		return t
	}
	effect, ci := welch(own, others, b.o.Level)
	t.Effect, t.Interval, t.N, t.Outcome = effect, &ci, len(own)+len(others), Pass
	if !ci.Contains(0) && math.Abs(effect) > tolerance || tooManyUnread(t.N, t.Unread) {
		t.Outcome = Fail
	}
	return t
}

// welch returns the difference of two means with its interval by Welch's t. Both samples
// must have at least two values.
func welch(a, b []float64, level float64) (float64, stats.Interval) {
	va, vb := variance(a)/float64(len(a)), variance(b)/float64(len(b))
	d := mean(a) - mean(b)
	if va+vb == 0 {
		return d, stats.Interval{Lo: d, Hi: d}
	}
	df := (va + vb) * (va + vb) / (va*va/float64(len(a)-1) + vb*vb/float64(len(b)-1))
	h := math.Sqrt(va+vb) * quantile(level, df)
	return d, stats.Interval{Lo: d - h, Hi: d + h}
}

func quantile(level, df float64) float64 {
	return stats.TQuantile((1+level)/2, df)
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

func variance(v []float64) float64 {
	m, sum := mean(v), 0.0
	for _, x := range v {
		sum += (x - m) * (x - m)
	}
	return sum / float64(max(len(v)-1, 1))
}

// Families lists the families of labels by name, with the number of answers of each.
func Families(labels []Label) (names []string, counts []int) {
	for _, l := range labels {
		if l.Family == "" {
			continue
		}
		i, found := slices.BinarySearchFunc(names, l.Family, cmp.Compare[string])
		if !found {
			names, counts = slices.Insert(names, i, l.Family), slices.Insert(counts, i, 0)
		}
		counts[i]++
	}
	return names, counts
}
