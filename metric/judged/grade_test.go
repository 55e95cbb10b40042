package judged_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

// A name that these metrics no longer have leads to the one that they have.
func TestFormerNames(t *testing.T) {
	t.Parallel()
	for was, is := range map[string]string{
		"umbrela_mrr@5": "graded_mrr@5", "umbrela_precision": "graded_precision", "ideal_f1": "grounded_f1",
	} {
		if _, err := catalog.Parse(was); err == nil || !strings.Contains(err.Error(), `did you mean "`+is+`"?`) {
			t.Errorf("%s: %v: want %s to be named", was, err, is)
		}
	}
}

// The grades of UMBRELA and those of the batches are two questions: a metric reads its own.
func TestUMBRELA(t *testing.T) {
	t.Parallel()
	grades := func(levels ...int) judge.Part[[]judge.Grade] {
		var out []judge.Grade
		for _, l := range levels {
			out = append(out, judge.Grade{Known: true, Level: l, Degree: float64(l) / 3})
		}
		return judge.Known(out)
	}
	x := asked(3)
	question.Relevance.Set(x.Assessment, grades(0, 0, 0))
	question.UMBRELA.Set(x.Assessment, grades(3, 1, 2))
	for name, want := range map[string]float64{
		"umbrela": 2. / 3, "umbrela@1": 1, "umbrela_share": 2. / 3, "umbrela_share@2": 0.5, "context_relevance": 0,
	} {
		value(t, name, scored(t, name, x), want)
	}
}
