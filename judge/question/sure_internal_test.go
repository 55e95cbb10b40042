package question

import (
	"bytes"
	"errors"
	"io/fs"
	"testing"

	"github.com/assay-eval/assay/judge"
)

func TestConfident(t *testing.T) {
	t.Parallel()
	for percent, want := range map[int]bool{-95: false, 0: false, 1: false, 89: false, 90: true, 100: true, 101: false} {
		if confident(percent) != want {
			t.Errorf("%d percent: want %v", percent, want)
		}
	}
}

// A task says that its rulings may be sure if its schema asks for the confidence.
func TestSchemasOfSureTasks(t *testing.T) {
	t.Parallel()
	says := map[string]bool{
		Support.Name: Support.SaysSure, Assign.Name: Assign.SaysSure, Grade.Name: Grade.SaysSure, Compare.Name: Compare.SaysSure,
		Weigh.Name: Weigh.SaysSure,
	}
	for _, task := range Tasks() {
		files, version, _ := task.Files()
		schema, err := fs.ReadFile(files, task.Operation()+"."+version+".schema.json")
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if asks := bytes.Contains(schema, []byte(`"confidence"`)); asks != says[task.Operation()] {
			t.Errorf("%s: its schema asks for the confidence: %v; its rulings say that they are sure: %v", task.Operation(), asks,
				says[task.Operation()])
		}
	}
}

func TestNumbersFitTheVerdict(t *testing.T) {
	t.Parallel()
	sources := []judge.Source{{Text: "The pier is 330 m long."}, {Text: "It opened in 1957."}}
	for _, c := range []struct {
		name, claim string
		within      []int
		verdict     judge.Verdict
		quotes      []string
		want        bool
	}{
		{"no number", "The pier is long.", nil, judge.Supported, []string{"The pier is"}, true},
		{"supported by a quote with it", "The pier is 330 m long.", nil, judge.Supported, []string{"330 m long"}, true},
		{"supported by a quote without it", "The pier is 330 m long.", nil, judge.Supported, []string{"The pier is"}, false},
		{"supported by two quotes", "A pier of 330 m of 1957.", nil, judge.Supported, []string{"330 m long", "opened in 1957"}, true},
		{"supported by one of them", "A pier of 330 m of 1957.", nil, judge.Supported, []string{"330 m long"}, false},
		{"contradicted by another number", "The pier is 324 m long.", nil, judge.Contradicted, []string{"330 m long"}, true},
		{"contradicted by the same number", "The pier is 330 m long.", nil, judge.Contradicted, []string{"330 m long"}, false},
		{"not found, nor its number", "It cost 5 dollars.", nil, judge.NotFound, nil, true},
		{"not found, but its number", "It closed in 1957.", nil, judge.NotFound, nil, false},
		{"not found where its number is not", "It closed in 1957.", []int{0}, judge.NotFound, nil, true},
	} {
		h := newMatter([]judge.Claim{{Text: c.claim, Within: c.within}}, sources)
		f := judge.Finding{Verdict: c.verdict}
		for _, q := range c.quotes {
			f.Quotes = append(f.Quotes, judge.Quote{Text: q})
		}
		if got := h.fits(1, f); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestNumbersFitTheComparison(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, answer string
		references   []string
		equivalent   bool
		want         bool
	}{
		{"equal, no number", "the pier", []string{"a pier"}, true, true},
		{"not equal, no number", "the pier", []string{"a tower"}, false, true},
		{"equal, the number of a reference", "in 1957", []string{"1889", "1957"}, true, true},
		{"equal, another number", "in 1958", []string{"1957"}, true, false},
		{"not equal, another number", "in 1958", []string{"1957"}, false, true},
		{"not equal, the same number", "15 May 1957", []string{"15 May 1957, at noon"}, false, false},
	} {
		if got := (CompareInput{c.answer, c.references}).fits(c.equivalent); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
