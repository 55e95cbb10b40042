package metrictest

import (
	"encoding/json"
	"reflect"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// traced returns the trace of a pipeline with every stage, whose filter drops one
// passage more than the response has. For a single passage the trace is empty.
func traced(answer string, passages []assay.Passage) *assay.Trace {
	if len(passages) == 1 {
		return &assay.Trace{}
	}
	kept := slices.Clone(passages)
	for i := range kept {
		kept[i].Text, kept[i].Score = "", float64(i%11)
	}
	found := append(slices.Clone(kept), assay.Passage{ID: "c9", Document: "d9", Text: "The tower was built in 1889 by Eiffel.", Index: 1})
	stage := func(name string, in, out any) assay.Stage {
		// Marshalling strings and passages with finite scores cannot fail.
		i, _ := json.Marshal(in)
		o, _ := json.Marshal(out)
		return assay.Stage{Name: name, Input: i, Output: o}
	}
	const heard = "who build what and when"
	return &assay.Trace{Stages: []assay.Stage{
		stage(assay.StageTranscribe, "question.wav", heard),
		stage(assay.StageDecompose, heard, []string{"Who built the tower?", "How high is it?"}),
		stage(assay.StageRetrieve, heard, found),
		stage(assay.StageFilter, heard, kept),
		stage(assay.StageGenerate, kept, answer),
	}}
}

// attributed returns an attribution that says for some facts at which stage they
// were lost, or nil if nothing was retrieved.
func attributed(passages []assay.Passage) *assay.Attribution {
	if len(passages) == 0 {
		return nil
	}
	delta := 0.25
	a := &assay.Attribution{Facts: []assay.Fact{{ID: "d1"}, {Text: "built in 1889", SelfKnowledge: true}}, RetrievalDelta: &delta}
	for i, s := range assay.LossStages() {
		if i < len(passages) {
			a.Facts = append(a.Facts, assay.Fact{Text: "fact of " + s, Lost: s})
		}
	}
	return a
}

// checkFollows removes the attribution. A metric that reads it must then not
// apply; the score of any other metric must not change.
func checkFollows(report reporter, variants []metric.Metric) {
	for _, m := range variants {
		in := labelled()
		want := score(m, in)
		in.Attribution = nil
		switch s := score(m, in); {
		case m.Def.Follows && (s.State != assay.NotApplicable || s.Reason == ""):
			report("%s without an attribution: %+v: want %s with a reason", m.Name, s, assay.NotApplicable)
		case !m.Def.Follows && !reflect.DeepEqual(s, want):
			report("%s does not say that it follows the evidence: %+v with, %+v without", m.Name, want, s)
		}
	}
}
