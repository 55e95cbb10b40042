package accuracy

import (
	"fmt"
	"math"
	"testing"
)

func number(v float64) *float64 { return &v }

// evaluated is an evaluation of a question with one number of each dimension that has one.
func evaluated(question string, status string, recall, complete *float64, errs ...DimensionError) Member {
	e := Evaluation{EvaluationID: "e", ResultID: "r-" + question, Status: status, Errors: errs}
	if recall != nil {
		e.ChunkEvaluation = &ChunkEvaluation{OverallFiltered: AverageAccuracy{AvgRecall: recall}}
	}
	if complete != nil {
		e.ResponseEvaluation = &ResponseEvaluation{OverallCompleteness: complete}
	}
	return MemberOf(&e, &Result{Input: Input{Text: question}})
}

func metricOf(t *testing.T, b Batch, name string) Mean {
	t.Helper()
	for _, m := range b.Metrics {
		if n := m.N + m.Failed + m.NotApplicable; n != b.Results {
			t.Errorf("%s counts %d of %d members", m.Metric, n, b.Results)
		}
		if m.Metric == name {
			return m
		}
	}
	t.Fatalf("no metric %q", name)
	return Mean{}
}

const recallName, completeName = "chunk_evaluation.overall_filtered.avg_recall", "response_evaluation.overall_completeness"

// TestSummarise summarises eight members: recalls 1, 1, 0, 1, 0.5, one that is not applicable,
// one that failed and one without an evaluation.
func TestSummarise(t *testing.T) {
	t.Parallel()
	members := []Member{
		evaluated("a", Completed, number(1), number(0.5)), evaluated("b", Completed, number(1), number(0.5)),
		evaluated("c", Completed, number(0), number(0.5)), evaluated("d", Completed, number(1), nil),
		evaluated("e", Partial, number(0.5), nil, DimensionError{Response, "down"}, DimensionError{Response, "down"}),
		evaluated("f", Completed, nil, nil), evaluated("g", Partial, nil, nil, DimensionError{Chunks, "no corpus"}),
		Missed("r-h", "no such result"),
	}
	b := Summarise(members, []Dimension{Chunks, Response})
	if b.Results != 8 || b.Completed != 5 || b.Partial != 2 || b.NotEvaluated != 1 || b.Failed != 0 || len(b.Metrics) != 8 {
		t.Errorf("%+v", b)
	}
	m := metricOf(t, b, recallName)
	if m.N != 5 || m.Failed != 2 || m.NotApplicable != 1 || math.Abs(*m.Mean-0.7) > 1e-12 || m.Interval == nil ||
		m.Interval[0] < 0 || m.Interval[0] > 0.7 || m.Interval[1] < 0.7 || m.Interval[1] > 1 {
		t.Errorf("%+v: want 3.5 of 5 with an interval", m)
	}
	// Two failed: 3.5 of 7, or 5.5 of 7.
	if m.Bounds == nil || math.Abs(m.Bounds[0]-0.5) > 1e-12 || math.Abs(m.Bounds[1]-5.5/7) > 1e-12 {
		t.Errorf("bounds %v", m.Bounds)
	}
	// Fewer than five values have no interval. Without the chunks there is no response.
	m = metricOf(t, b, completeName)
	if m.N != 3 || m.Failed != 3 || m.NotApplicable != 2 || m.Interval != nil {
		t.Errorf("%+v: want three values without an interval", m)
	}
	want := "[{response down 1 [r-e]} {chunks no corpus 1 [r-g]} { no such result 1 [r-h]}]"
	if got := fmt.Sprint(b.Failures); got != want || b.OtherFailures != 0 {
		t.Errorf("failures %s, want %s", got, want)
	}
	if audio := Summarise(members, nil).Metrics[0]; audio.N != 0 || audio.Mean != nil || audio.Failed != 1 || audio.NotApplicable != 7 {
		t.Errorf("%+v: want no mean", audio)
	}
}

// TestSameQuestionsAreOneCluster: ten evaluations of five questions say as much as five.
func TestSameQuestionsAreOneCluster(t *testing.T) {
	t.Parallel()
	width := func(questions int) float64 {
		var members []Member
		for i := range 20 {
			members = append(members, evaluated(fmt.Sprint(i%questions), Completed, number(float64(i%5)/4), nil))
		}
		m := metricOf(t, Summarise(members, []Dimension{Chunks}), recallName)
		return m.Interval[1] - m.Interval[0]
	}
	if apart, together := width(20), width(5); together < 1.5*apart {
		t.Errorf("interval %g wide over clusters, %g over independent values: want it wider", together, apart)
	}
}

// TestReasonsAreBounded: the most frequent are named.
func TestReasonsAreBounded(t *testing.T) {
	t.Parallel()
	var members []Member
	for i := range 60 {
		members = append(members, Missed("r", fmt.Sprint("reason ", i)), Missed("r", "often"))
	}
	b := Summarise(members, nil)
	if len(b.Failures) != maxReasons || b.OtherFailures != 11 || b.Failures[0].Reason != "often" || b.Failures[0].Count != 60 ||
		len(b.Failures[0].ResultIDs) != maxExamples {
		t.Errorf("%d reasons, %d others, %+v", len(b.Failures), b.OtherFailures, b.Failures[0])
	}
}
