package catalog_test

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/catalog"
)

// TestCapped: a metric of documents that a perfect ranking does not bring to its best value says so.
func TestCapped(t *testing.T) {
	t.Parallel()
	in := metric.Input{Case: &assay.Case{ID: "c", Question: "?", Want: assay.Want{Documents: map[string]int{"a": 1}, Passages: []string{passageTexts["a"]}}},
		Response: &assay.Response{Passages: []assay.Passage{{ID: "a", Document: "a", Source: "a", Text: passageTexts["a"]}}}, MaxGrade: 1}
	capped := 0
	for _, d := range catalog.All().Defs() {
		if d.Group != metric.Retrieval && d.Group != metric.Source && d.Group != metric.Passage {
			continue
		}
		name := d.Name
		if d.Cutoff == metric.RequiredCutoff {
			name += "@5"
		}
		m, err := catalog.All().Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		best := d.Range[1]
		if d.Better == metric.Lower {
			best = d.Range[0]
		}
		if s := m.Score(t.Context(), in); s.State == assay.Scored && s.Value != best {
			capped++
			if !d.Capped {
				t.Errorf("%s of a perfect ranking is %v, and the definition is not marked as capped", name, s.Value)
			}
		}
	}
	if capped < 5 {
		t.Errorf("%d metrics are capped: the input is wrong", capped)
	}
}

// TestLabelQuestions: people are asked about what the metric reads.
func TestLabelQuestions(t *testing.T) {
	t.Parallel()
	of := map[assay.LabelQuestion]metric.Part{
		assay.LabelRelevant: metric.ReadPassages, assay.LabelOrdered: metric.ReadPassages, assay.LabelSufficient: metric.ReadPassages,
		assay.LabelSupported: metric.ReadAnswer | metric.ReadPassages, assay.LabelFounded: metric.ReadAnswer | metric.ReadPassages,
		assay.LabelUncontradicted: metric.ReadAnswer | metric.ReadPassages, assay.LabelCited: metric.ReadAnswer | metric.ReadPassages,
		assay.LabelOnTopic: metric.ReadAnswer, assay.LabelRight: metric.ReadAnswer, assay.LabelComplete: metric.ReadAnswer,
		assay.LabelAnswered: metric.ReadAnswer, assay.LabelHarmless: metric.ReadAnswer,
	}
	seen := map[assay.LabelQuestion]bool{}
	for _, d := range catalog.All().Defs() {
		q := d.LabelQuestion
		if q == "" {
			continue
		}
		seen[q] = true
		if of[q]&^d.Reads != 0 {
			t.Errorf("%s asks people whether a case is %q, and reads only %q", d.Name, q, d.Reads.Names())
		}
	}
	if len(seen) != len(of) {
		t.Errorf("%d questions are asked, want %d: %v", len(seen), len(of), seen)
	}
}
