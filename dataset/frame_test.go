package dataset_test

import (
	"bytes"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
)

// A data frame keeps integers as floats where one is missing.
func TestWholeNumbersOfFrames(t *testing.T) {
	t.Parallel()
	want := assay.Want{Answers: []string{"24"}, Documents: map[string]int{"1234567": 1}}
	type row struct {
		ID    float64 `parquet:"id"`
		Asked string  `parquet:"question"`
		Truth float64 `parquet:"ground_truth"`
	}
	var b bytes.Buffer
	if err := parquet.Write(&b, []row{{1000000, "x", 1234567}}); err != nil {
		t.Fatal(err)
	}
	c := load(t, "x.parquet", b.String(), dataset.Options{}).Cases.At(0)
	diff(t, "parquet", []string{c.ID, c.Want.Answers[0]}, []string{"1000000", "1234567"})
	// One number in the place of a list of ids, and the columns of labels as in csv.
	type labels struct {
		Asked string  `parquet:"question"`
		Truth string  `parquet:"answer"`
		File  float64 `parquet:"source"`
	}
	b.Reset()
	if err := parquet.Write(&b, []labels{{"x", "24", 1234567}}); err != nil {
		t.Fatal(err)
	}
	of := load(t, "x.parquet", b.String(), dataset.Options{})
	diff(t, "parquet, labels", []any{of.Cases.At(0).Want, len(of.Warnings)}, []any{want, 3})
	for name, in := range map[string]string{
		"x.csv":   "id,question,ground_truth,expected_contexts\n1.0,x,24.0,1234567.0\n,y,,\n",
		"x.jsonl": `{"id": 1.0, "question": "x", "ground_truth": "24", "expected_contexts": [1234567.0]}`,
	} {
		c := load(t, name, in, dataset.Options{}).Cases.At(0)
		diff(t, name, c.Want, want)
		diff(t, name, c.ID, "1")
	}
	d := load(t, "x.csv", "question,ground_truth,n\nx,24.0,1.0\ny,-3.0,\n", dataset.Options{})
	diff(t, "no gap", d.Cases.At(0).Want.Answers, []string{"24.0"})
	diff(t, "a number in metadata", d.Cases.At(0).Metadata, map[string]any{"n": "1.0"})
	diff(t, "warned", d.Warnings[0].Text, `every number ends in ".0", as data frames write whole ones: "7.0" does not match "7"`)
	d = load(t, "x.csv", "question,ground_truth\nx,24.0\ny,24.5\nz,\n", dataset.Options{})
	diff(t, "numbers with a fraction", d.Cases.At(0).Want.Answers, []string{"24.0"})
	diff(t, "said", len(d.Warnings), 1)
}
