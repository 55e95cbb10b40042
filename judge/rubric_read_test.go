package judge_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay/judge"
)

func TestReadRubric(t *testing.T) {
	t.Parallel()
	r, err := judge.ReadRubric("r.yaml", []byte(`
name: helpdesk
task: Mark an answer of the help desk.
dimensions:
  - name: accuracy
    weight: 3
    anchors: [wrong, partly right, right]
  - name: tone
    anchors: [rude, friendly]
`))
	if err != nil {
		t.Fatal(err)
	}
	if d := r.Dimensions; len(d) != 2 || d[0].Max() != 2 || d[0].Weight != 3 || d[1].Weight != 1 {
		t.Errorf("got %+v", r)
	}
	for text, want := range map[string]string{
		"dimensions: ! ":                        "r.yaml",
		"name: x":                               "no dimensions",
		"dimension: []":                         "dimension",
		"dimensions: [{name: a, anchors: [x]}]": "at least two",
		"dimensions: [{anchors: [x, y]}]":       "no name",
		"dimensions: [{name: a, anchors: [x, y]}, {name: a, anchors: [x, y]}]": "twice",
		"dimensions: [{name: a, weight: -1, anchors: [x, y]}]":                 "above 0",
		"dimensions: [{name: a, weight: .nan, anchors: [x, y]}]":               "above 0",
		"dimensions: [{name: a, anchors: [x, ' ']}]":                           "level 1 is empty",
		"dimensions: [{name: a, anchors: [x, y], levels: 3}]":                  "levels",
	} {
		if _, err := judge.ReadRubric("r.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "r.yaml") {
			t.Errorf("%s: %v: want an error with %q", text, err, want)
		}
	}
}

func FuzzReadRubric(f *testing.F) {
	f.Add("dimensions: [{name: a, weight: 2, anchors: [x, y]}]")
	f.Fuzz(func(t *testing.T, s string) {
		r, err := judge.ReadRubric("r.yaml", []byte(s))
		if err != nil {
			return
		}
		for _, d := range r.Dimensions {
			if d.Name == "" || d.Max() < 1 || !(d.Weight > 0) {
				t.Errorf("accepted %+v", d)
			}
		}
	})
}
