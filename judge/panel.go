package judge

import (
	"context"
	"fmt"
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
