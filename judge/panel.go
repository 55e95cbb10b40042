package judge

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
)

// A PanelConfig configures a panel.
type PanelConfig struct {
	// Judges are one or more judges, preferably of different model families, because the
	// errors of one family correlate.
	Judges []Judge
	// RequireAll requires a ruling of every judge. Without it the available rulings
	// decide, and the case has a warning.
	RequireAll bool
	// Third is asked if the judges disagree; nil if there is none.
	Third Judge
}

// Check returns what is wrong with the configuration.
func (c PanelConfig) Check() error {
	if len(c.Judges) == 0 {
		return fmt.Errorf("a panel of no judges: expected at least one")
	}
	judges := c.Judges
	if c.Third != nil {
		judges = append(judges[:len(judges):len(judges)], c.Third)
	}
	first := judges[0].Info()
	for _, j := range judges[1:] {
		if info := j.Info(); info.Estimate != first.Estimate {
			return fmt.Errorf("a panel of %s and %s: expected either estimates or judgements", title(first), title(info))
		}
	}
	return nil
}

// NewPanel combines several judges into one. It panics on a configuration that
// [PanelConfig.Check] refuses; a single judge without a third is returned unchanged.
//
//   - Rulings without an order are decided by more than half of the judges that
//     ruled; the third judge breaks a tie, which is unknown without one.
//   - Levels and credits, which have an order, are the median of the judges: what
//     [Ballot.Merge] makes of the two middle ones. The third judge is asked where
//     two judges are more than one level apart.
//   - Marks are averaged by dimension. The third judge is asked where the scores
//     of two judges are more than 0.25 apart, or their levels of a dimension
//     more than one; then each dimension has the median of the three
//     . Without a third judge the mean is used, with a warning.
//   - What is extracted from a text ([First]) comes from the first judge, so that all
//     rule on the same claims; from the next one, with a warning, when it fails
//     and not all are required.
//
// A fatal error of one judge is one of the panel. The votes show disagreement.
func NewPanel(c PanelConfig) Judge {
	if err := c.Check(); err != nil {
		panic("judge: " + err.Error())
	}
	if len(c.Judges) == 1 && c.Third == nil {
		return c.Judges[0]
	}
	return &panel{judges: c.Judges, all: c.RequireAll, third: c.Third}
}

type panel struct {
	judges []Judge
	all    bool
	third  Judge
}

// Info summarises the panel: the models in their order, the hash of the prompts
// if all have the same, the most passes of any. Panel has them one by one, the
// third judge last.
func (p *panel) Info() assay.JudgeInfo {
	info := assay.JudgeInfo{Provider: "panel"}
	var models []string
	for _, j := range p.judges {
		i := j.Info()
		info.Panel = append(info.Panel, i)
		models = append(models, title(i))
	}
	info.Parameters = map[string]string{"require_all": strconv.FormatBool(p.all)}
	if p.third != nil {
		i := p.third.Info()
		info.Panel = append(info.Panel, i)
		info.Parameters["third_judge"] = title(i)
	}
	info.Model = strings.Join(models, " + ")
	info.PromptHash, info.Prompts = info.Panel[0].PromptHash, info.Panel[0].Prompts
	for _, i := range info.Panel {
		if i.PromptHash != info.PromptHash {
			info.PromptHash, info.Prompts = "", nil
		}
		info.Passes = max(info.Passes, i.Passes)
		info.Estimate = info.Estimate || i.Estimate
	}
	return info
}

// title names a judge as provider:model.
func title(i assay.JudgeInfo) string {
	if i.Model == "" {
		return i.Provider
	}
	return i.Provider + ":" + i.Model
}

func (p *panel) Ask(ctx context.Context, t AnyTask, s Subject, given any) (any, error) {
	return t.decide(ctx, p, s, given)
}

// first returns the answer of the first judge that has one.
func first[T any](ctx context.Context, p *panel, operation string, ask func(Judge) (T, error)) (T, error) {
	v, err := ask(p.judges[0])
	if p.all {
		return v, err
	}
	for _, j := range p.judges[1:] {
		if err == nil || Fatal(err) || ctx.Err() != nil {
			break
		}
		Warn(ctx, fmt.Sprintf("%s: %s failed, %s was asked instead: %s", operation, title(p.judges[0].Info()), title(j.Info()), Reason(err)))
		v, err = ask(j)
	}
	return v, err
}

// known reports whether there is a ruling.
func (b election[T]) known(ruling T) bool {
	_, _, ok := b.Label(ruling)
	return ok
}

// sit asks the judges about n items and decides each.
func (b election[T]) sit(ctx context.Context, p *panel, n int) ([]outcome[T], error) {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	if n == 0 {
		return nil, nil
	}
	replies, err := hear(ctx, p, b.operation, func(ctx context.Context, j Judge) ([]T, error) { return b.ask(ctx, j, all) })
	if err != nil {
		return nil, err
	}
	out := make([]outcome[T], n)
	rulings := make([][]T, n)
	var divided []int
	for i := range out {
		for _, r := range replies {
			if r != nil && b.known(r[i]) {
				rulings[i] = append(rulings[i], r[i])
			}
		}
		if b.judged(p, &out[i], rulings[i]) {
			divided = append(divided, i)
		}
	}
	return out, b.askThird(ctx, p, out, rulings, divided)
}

// judged decides one item and reports whether the third judge is needed.
func (b election[T]) judged(p *panel, o *outcome[T], rulings []T) (third bool) {
	judges := len(p.judges)
	if n := len(rulings); n == 0 || p.all && n < judges {
		o.known, o.why = false, fmt.Sprintf("%d of %d judges gave a ruling", n, judges)
		return false
	}
	decide := b.majority
	if b.Ordered {
		decide = b.median
	}
	o.ruling, o.Votes, o.known, third = decide(rulings)
	if !o.known {
		o.why = "the judges are divided"
	}
	return third
}

func (b election[T]) askThird(ctx context.Context, p *panel, out []outcome[T], rulings [][]T, divided []int) error {
	if len(divided) == 0 {
		return nil
	}
	if p.third == nil {
		says := "the judges are divided"
		if len(p.judges) == 2 {
			says += ", and there is no third judge"
		}
		Warn(ctx, b.operation+": "+says)
		return nil
	}
	more, err := b.ask(ctx, p.third, divided)
	if Over(ctx, err) {
		return cmp.Or(ctx.Err(), err)
	}
	if err != nil {
		Warn(ctx, fmt.Sprintf("%s: the judges are divided, and the third judge failed: %s", b.operation, Reason(err)))
		return nil
	}
	for k, i := range divided {
		if b.known(more[k]) {
			b.judged(p, &out[i], append(rulings[i], more[k]))
		}
	}
	return nil
}

// hear asks all judges at once. The reply of a failed judge is the zero value, with a
// warning; it is an error if all must answer, or none did.
func hear[T any](ctx context.Context, p *panel, operation string, ask func(context.Context, Judge) ([]T, error)) ([][]T, error) {
	replies, errs, err := askAll(ctx, p.judges, ask)
	if err != nil {
		return nil, err
	}
	var failed []string
	var last error
	for i, err := range errs {
		if err != nil {
			failed = append(failed, title(p.judges[i].Info()))
			last = err
		}
	}
	switch {
	case last == nil:
	case p.all || len(failed) == len(p.judges):
		return nil, undecided(operation, fmt.Sprintf("%s failed: %s", strings.Join(failed, " and "), Reason(last)), last)
	default:
		Warn(ctx, fmt.Sprintf("%s: %s failed, the other judges decided: %s", operation, strings.Join(failed, " and "), Reason(last)))
	}
	return replies, nil
}

// tally counts the rulings with the same label as one, and the others.
func (b Ballot[T]) tally(rulings []T, like T) (v Votes) {
	want, _, _ := b.Label(like)
	for _, r := range rulings {
		if label, _, _ := b.Label(r); label == want {
			v.For++
		} else {
			v.Against++
		}
	}
	return v
}

// majority decides by more than half of the rulings, and returns the first ruling of the
// majority.
func (b Ballot[T]) majority(rulings []T) (decision T, votes Votes, known, third bool) {
	for _, r := range rulings {
		if v := b.tally(rulings, r); v.For > v.Against {
			return r, v, true, false
		}
	}
	return decision, Votes{Against: len(rulings)}, false, true
}

// median decides by the middle ruling, or merges the middle two. It needs the third judge
// if two judges are more than a level apart.
func (b Ballot[T]) median(rulings []T) (decision T, votes Votes, known, third bool) {
	label := func(r T) float64 {
		l, _, _ := b.Label(r)
		return l
	}
	sorted := slices.Clone(rulings)
	slices.SortStableFunc(sorted, func(x, y T) int { return cmp.Compare(label(x), label(y)) })
	low, high := sorted[(len(sorted)-1)/2], sorted[len(sorted)/2]
	decision, voted := b.Merge(low, high)
	return decision, b.tally(rulings, voted), true, len(rulings) == 2 && label(high)-label(low) > b.Level
}
