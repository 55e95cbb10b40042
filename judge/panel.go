package judge

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
)

// A PanelConfig says who sits on a panel.
type PanelConfig struct {
	// Judges are one or more, best of different model families: judges of one
	// family err together.
	Judges []Judge
	// RequireAll takes no ruling unless every judge gave one. Without it those
	// that did decide, and the case carries a warning.
	RequireAll bool
	// Third is asked where the judges of a panel are divided; nil when there is
	// none.
	Third Judge
}

// Check reports what is wrong with a panel.
func (c PanelConfig) Check() error {
	if len(c.Judges) == 0 {
		return fmt.Errorf("a panel of no judges: want at least one")
	}
	judges := c.Judges
	if c.Third != nil {
		judges = append(judges[:len(judges):len(judges)], c.Third)
	}
	first := judges[0].Info()
	for _, j := range judges[1:] {
		if info := j.Info(); info.Estimate != first.Estimate {
			return fmt.Errorf("a panel of %s and %s: want no estimate beside a judgement", title(first), title(info))
		}
	}
	return nil
}

// NewPanel makes one judge of several. It panics on a configuration that
// [PanelConfig.Check] refuses; one judge without a third is returned itself.
//
//   - Closed rulings (Support, Equivalent) are decided by more than half of the
//     judges that ruled; a tie is put to the third judge, and is unknown without
//     one.
//   - Levels and credits (Relevance, Assign) are the median of the judges: the
//     mean of the two middle ones where that is a value of the scale's type,
//     else the lower of them. The third judge is asked where two judges are more
//     than one level apart.
//   - Marks are averaged by dimension. The third judge is asked where the scores
//     of two judges are more than 0.25 apart, or their levels of a dimension
//     more than one; then each dimension has the median of the three
//     (metrics.md §2.9). Without a third judge the mean stands, with a warning.
//   - What is read out of a text (Read, Questions, Points) comes from the first
//     judge, so that all rule on the same claims; from the next one, with a
//     warning, when it fails and not all are required.
//
// A fatal error of one judge is one of the panel. Wherever judges differ, the
// votes say so.
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

// title names a judge as users do.
func title(i assay.JudgeInfo) string {
	if i.Model == "" {
		return i.Provider
	}
	return i.Provider + ":" + i.Model
}

func (p *panel) Read(ctx context.Context, s Subject, text string) (Reading, error) {
	return first(ctx, p, "read", func(j Judge) (Reading, error) { return j.Read(ctx, s, text) })
}

func (p *panel) Questions(ctx context.Context, s Subject, answer string, n int) ([]Reversed, error) {
	return first(ctx, p, "questions", func(j Judge) ([]Reversed, error) { return j.Questions(ctx, s, answer, n) })
}

func (p *panel) Points(ctx context.Context, s Subject, sources []Source) ([]Point, error) {
	return first(ctx, p, "points", func(j Judge) ([]Point, error) { return j.Points(ctx, s, sources) })
}

// first gives the answer of the first judge that has one.
func first[T any](ctx context.Context, p *panel, operation string, ask func(Judge) (T, error)) (T, error) {
	v, err := ask(p.judges[0])
	if p.all {
		return v, err
	}
	for _, j := range p.judges[1:] {
		if err == nil || Fatal(err) || ctx.Err() != nil {
			break
		}
		Warn(ctx, fmt.Sprintf("%s: %s failed, %s was asked instead: %s", operation, title(p.judges[0].Info()), title(j.Info()), reason(err)))
		v, err = ask(j)
	}
	return v, err
}

func (p *panel) Support(ctx context.Context, s Subject, claims []Claim, sources []Source) ([]Finding, error) {
	return bench[Finding]{supportBallot, majority(supportBallot), func(ctx context.Context, j Judge, items []int) ([]Finding, error) {
		return j.Support(ctx, s, pick(claims, items), sources)
	}}.list(ctx, p, len(claims))
}

func (p *panel) Equivalent(ctx context.Context, s Subject, answer string, references []string) (Ruling, error) {
	b := bench[Ruling]{equivalenceBallot, majority(equivalenceBallot), func(ctx context.Context, j Judge, _ []int) ([]Ruling, error) {
		r, err := j.Equivalent(ctx, s, answer, references)
		return []Ruling{r}, err
	}}
	out, err := b.sit(ctx, p, 1)
	if err != nil {
		return Ruling{}, err
	}
	if !out[0].known {
		return Ruling{}, undecided(b.operation, out[0].why, nil)
	}
	return b.rulings(out)[0], nil
}

func (p *panel) Relevance(ctx context.Context, s Subject, passages []Source) ([]Grade, error) {
	return bench[Grade]{relevanceBallot, median(relevanceBallot, 1, middleGrade), func(ctx context.Context, j Judge, items []int) ([]Grade, error) {
		return j.Relevance(ctx, s, pick(passages, items))
	}}.list(ctx, p, len(passages))
}

func (p *panel) Assign(ctx context.Context, s Subject, points []string, answer string) ([]Assignment, error) {
	// Credits are 0, 0.5 and 1: a level is 0.5.
	return bench[Assignment]{assignBallot, median(assignBallot, 0.5, middleAssignment), func(ctx context.Context, j Judge, items []int) ([]Assignment, error) {
		return j.Assign(ctx, s, pick(points, items), answer)
	}}.list(ctx, p, len(points))
}
