package stage_test

import (
	"context"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/metrictest"
	"github.com/assay-eval/assay/metric/stage"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	for _, def := range stage.Defs() {
		t.Run(def.Name, func(t *testing.T) {
			t.Parallel()
			metrictest.Run(t, def)
		})
	}
}

// Every place where evidence can be lost has its metric, and the shares of all
// of them with what survives are 1.
func TestLostAt(t *testing.T) {
	t.Parallel()
	in := metric.Input{
		Case: &assay.Case{ID: "a", Question: "Who?"}, Response: &assay.Response{Answer: "x", Passages: []assay.Passage{}},
		Attribution: &assay.Attribution{
			Facts: []assay.Fact{{ID: "d1"}, {ID: "d2", Lost: "filter"}, {ID: "d3", Lost: "filter"}, {ID: "d4", Lost: "generate"},
				{ID: "d5", Lost: "retrieve", SelfKnowledge: true}},
		},
	}
	sum := score(t, "evidence_survival", in).Value
	for _, s := range assay.LossStages() {
		sum += score(t, "lost_at."+s, in).Value
	}
	near(t, "the sum of all shares", sum, 1)
	s := score(t, "lost_at.filter", in)
	if s.Num != 2 || s.Den != 5 || len(s.Evidence) != 2 || s.Evidence[0].Text != "d2" {
		t.Errorf("lost_at.filter: %+v", s)
	}
	near(t, "self-knowledge", score(t, "evidence_self_knowledge", in).Value, 0.2)
	// What a stage that no response shows may have lost is what the next one lost.
	in.Attribution.Facts[3].Lost = "pack"
	in.Response.Trace = &assay.Trace{Stages: []assay.Stage{{Name: "generate", Prompt: "p"}}}
	if s := score(t, "lost_at.filter", in); s.Reason != "filter cannot be told from pack, which answers for both" || s.Upper != 0.6 {
		t.Errorf("no filter is shown: %+v", s)
	}
	in.Response.Trace.Stages = append(in.Response.Trace.Stages, assay.Stage{Name: "filter", Output: []byte(`[{"id": "d1"}]`)})
	if s := score(t, "lost_at.filter", in); s.Reason != "" || s.Upper != s.Value && s.Upper != 0 {
		t.Errorf("a filter is shown: %+v", s)
	}
	in.Attribution.Facts[3].Lost = "generate"
	in.Attribution.Merged = map[string]string{"filter": "generate"}
	if s := score(t, "lost_at.filter", in); s.Reason != "filter cannot be told from generate, which answers for both" || s.Upper <= s.Value {
		t.Errorf("a stage that is merged: %+v", s)
	}
	in.Response.NoAnswer = true
	if s := score(t, "lost_at.generate", in); s.State != assay.NotApplicable {
		t.Errorf("a target without answers: %+v", s)
	}
}

// The filter gets a, b, c, d of which a and c are relevant, and keeps a and b.
func TestFilterAndChunks(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]float64{
		"filter_kept_recall": 1. / 2, "filter_drop_rate": 1. / 2,
		"chunk_precision": 2. / 4, "chunk_precision(filter)": 1. / 2,
		// e is relevant too, and was not retrieved.
		"chunk_recall": 2. / 3, "chunk_recall(filter)": 1. / 3,
		"chunk_f1": 2 * (1. / 2) * (2. / 3) / (1./2 + 2./3), "chunk_f1(filter)": 2 * (1. / 2) * (1. / 3) / (1./2 + 1./3),
	} {
		near(t, name, score(t, name, filtered()).Value, want)
	}
	// By text: a holds the one labelled passage.
	in := filtered()
	in.Case.Want = assay.Want{Passages: []string{"text a is about aaaa, long enough"}}
	for name, want := range map[string]float64{"chunk_recall": 1, "chunk_precision": 1. / 4, "filter_kept_recall": 1,
		"filter_drop_rate": 2. / 3} {
		near(t, name, score(t, name, in).Value, want)
	}
	// A chunk that covers half of it will do, one that covers less will not.
	in.Case.Want.Passages = []string{"is about bbbb, long enough to match. And so on for"}
	near(t, "half a passage", score(t, "chunk_precision", in).Value, 1./4)
	in.Case.Want.Passages[0] += " so long that what the chunk has of it is less than a half"
	near(t, "less than half a passage", score(t, "chunk_recall", in).Value, 0)
	in.Case.Want.Documents, in.Case.Want.Passages = map[string]int{"a": 1}, nil
	in.Response.Trace = &assay.Trace{}
	if s := score(t, "filter_drop_rate", in); s.State != assay.NotApplicable {
		t.Errorf("without a filter: %+v", s)
	}
	if s := score(t, "chunk_recall(filter)", in); s.State != assay.NotApplicable {
		t.Errorf("without a filter: %+v", s)
	}
	near(t, "precision of the response's passages", score(t, "chunk_precision", in).Value, 1./2)
}

func filtered() metric.Input {
	var found, kept []assay.Passage
	for i, id := range []string{"a", "b", "c", "d"} {
		p := assay.Passage{ID: id, Document: id, Text: "Text " + id + " is about " + id + id + id + id + ", long enough to match."}
		found = append(found, p)
		if i < 2 {
			kept = append(kept, p)
		}
	}
	return metric.Input{
		Case: &assay.Case{ID: "x", Question: "What?", Want: assay.Want{Documents: map[string]int{"a": 1, "c": 2, "d": 0, "e": 1}}},
		Response: &assay.Response{Passages: kept, Trace: &assay.Trace{Stages: []assay.Stage{
			{Name: assay.StageRetrieve, Output: raw(found)}, {Name: assay.StageFilter, Output: raw(kept)},
		}}},
	}
}

func TestSubQuestionRecall(t *testing.T) {
	t.Parallel()
	in := metric.Input{
		Case: &assay.Case{ID: "x", Question: "What?",
			Want: assay.Want{SubQuestions: []string{"Who built the tower?", "How high is it?", "塔有多高？"}}},
		Response: &assay.Response{Trace: &assay.Trace{Stages: []assay.Stage{{Name: assay.StageDecompose,
			Output: raw([]string{"who built the tower", "塔有多高"})}}}},
		Embedder: metrictest.Embedder(),
	}
	s := score(t, "sub_question_recall(tau=0.95)", in)
	near(t, "recall", s.Value, 2./3)
	if len(s.Evidence) != 1 || s.Evidence[0].Text != "How high is it?" {
		t.Errorf("missing: %+v", s.Evidence)
	}
	in.Response.Trace.Stages[0].Output = raw([]string{})
	near(t, "recall of nothing", score(t, "sub_question_recall(tau=0)", in).Value, 0)
}

func score(t *testing.T, name string, in metric.Input) assay.Score {
	t.Helper()
	m, err := metric.NewCatalog(stage.Defs()...).Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return m.Score(context.Background(), in)
}

// What a mishearing costs is a share of facts as the recall that it is taken from:
// with a unit it would be shown to a tenth.
func TestRetrievalDeltaIsARatio(t *testing.T) {
	t.Parallel()
	if stage.RetrievalDelta.Unit != "" || stage.RetrievalDelta.Range != [2]float64{-1, 1} {
		t.Errorf("%q, %v: want no unit, from -1 to 1", stage.RetrievalDelta.Unit, stage.RetrievalDelta.Range)
	}
}
