package offline

import (
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

// Ruling returns a judge that rules by thresholds from the labels of people, by task, where j
// would give its estimate: a claim is supported or not, an answer equivalent or not. Tasks with
// more levels than two keep their estimates, because a threshold tells two apart; so does a
// task in a language without a threshold.
func (j *Judge) Ruling(thresholds map[string]judge.Thresholds) judge.Judge {
	by := map[string]judge.Judge{}
	for task, from := range map[string]float64{question.Support.Name: supportedFrom, question.Compare.Name: equivalentFrom} {
		t := thresholds[task]
		if len(t) == 0 {
			continue
		}
		one := &Judge{embedder: j.embedder, info: j.info, support: j.support, thresholds: t}
		one.answers = judge.NewAnswers(question.Support.By(one.rule), question.Compare.By(one.compare))
		one.info.Parameters = map[string]string{}
		t.Describe(one.info.Parameters, from)
		by[task] = one
	}
	return judge.Delegating(j, by)
}
