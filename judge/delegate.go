package judge

import (
	"context"
	"maps"

	"github.com/assay-eval/assay"
)

// Delegating returns a judge that leaves some tasks to other judges, by the name of the
// task, and all others to base. The votes and the panel of base have no part in what is left
// to others.
func Delegating(base Judge, by map[string]Judge) Judge {
	if len(by) == 0 {
		return base
	}
	return delegating{base, maps.Clone(by)}
}

type delegating struct {
	base Judge
	by   map[string]Judge
}

// Info is that of base without the prompts of the tasks that it does not answer, and with
// the infos of the judges that do in Tasks.
func (d delegating) Info() assay.JudgeInfo {
	info := d.without(d.base.Info())
	if info.Tasks = maps.Clone(info.Tasks); info.Tasks == nil {
		info.Tasks = map[string]assay.JudgeInfo{}
	}
	for task, j := range d.by {
		info.Tasks[task] = j.Info()
	}
	return info.About(nil)
}

// without removes the prompts of the delegated tasks.
func (d delegating) without(info assay.JudgeInfo) assay.JudgeInfo {
	info.Prompts = maps.Clone(info.Prompts)
	for task := range d.by {
		delete(info.Prompts, task)
	}
	panel := make([]assay.JudgeInfo, len(info.Panel))
	for i, one := range info.Panel {
		panel[i] = d.without(one)
	}
	if info.Panel != nil {
		info.Panel = panel
	}
	return info
}

// Answers reports whether base, or the judge that it leaves the task to, answers it.
func (d delegating) Answers(t AnyTask) bool {
	if j, ok := d.by[t.Operation()]; ok {
		return Able(j, t)
	}
	return Able(d.base, t)
}

func (d delegating) Ask(ctx context.Context, t AnyTask, s Subject, given any) (any, error) {
	if j, ok := d.by[t.Operation()]; ok {
		return j.Ask(ctx, t, s, given)
	}
	return d.base.Ask(ctx, t, s, given)
}
