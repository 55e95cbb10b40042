package judge

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/yaml"
)

// A Rubric is a set of dimensions with described levels.
type Rubric struct {
	Name string `json:"name" yaml:"name"`
	// Task says in a sentence or two what is marked and for whom.
	Task       string      `json:"task,omitempty" yaml:"task"`
	Dimensions []Dimension `json:"dimensions" yaml:"dimensions"`
	// AllowSingleJudge allows a score if one of two judges failed, and marks it.
	AllowSingleJudge bool `json:"allow_single_judge,omitempty" yaml:"allow_single_judge"`
}

// A Dimension is one thing that a rubric marks.
type Dimension struct {
	Name string `json:"name" yaml:"name"`
	// Doc says what the dimension is about.
	Doc string `json:"doc,omitempty" yaml:"doc"`
	// Weight is relative to the other dimensions; above 0.
	Weight float64 `json:"weight" yaml:"weight"`
	// Anchors describe the levels, from 0 upwards; at least two.
	Anchors []string `json:"anchors" yaml:"anchors"`
	// Points, when above 0, is the highest mark of a dimension that is marked in
	// points, without anchors.
	Points int `json:"points,omitempty" yaml:"-"`
}

// Hash is "sha256:" and the hash of the rubric in hexadecimal digits: marks by rubrics with
// different hashes are not comparable.
func (r Rubric) Hash() string {
	data, err := json.Marshal(r)
	if err != nil {
		// A weight that is no number, which ReadRubric refuses.
		data = fmt.Appendf(nil, "%+v", r)
	}
	return fmt.Sprintf("sha256:%x", sha256.Sum256(data))
}

// Max is the highest level, or the most points.
func (d Dimension) Max() int {
	if d.Points > 0 {
		return d.Points
	}
	return len(d.Anchors) - 1
}

// A Mark is the level of one dimension.
type Mark struct {
	// Level is 0 to the dimension's highest: a whole number from one judge, a
	// mean or a median from a panel.
	Level float64
	// Levels are those of each judge of a panel, in its order; [NoLevel] for
	// one that gave none.
	Levels []int
	// Quote is the words of the answer that justify the level, Why the reason.
	Quote string
	Why   string
	// Thinking is the reasoning that the provider shows, with the first mark.
	Thinking string
	Votes
}

// ReadRubric reads a rubric from YAML. Unknown keys are errors, and all other problems are
// listed; name is that of the file, for messages. A missing weight is 1.
func ReadRubric(name string, data []byte) (Rubric, error) {
	var r Rubric
	file, err := yaml.Read(name, data, &r)
	if err != nil {
		return Rubric{}, fmt.Errorf("rubric %w", err)
	}
	var problems []error
	wrong := func(field, format string, args ...any) {
		problems = append(problems, fmt.Errorf("rubric %s: %s", file.At(field), fmt.Sprintf(format, args...)))
	}
	if len(r.Dimensions) == 0 {
		wrong("dimensions", "no dimensions: expected a list, each with a name and anchors")
	}
	var names []string
	for i := range r.Dimensions {
		d, at := &r.Dimensions[i], fmt.Sprintf("dimensions[%d]", i)
		d.Name = strings.TrimSpace(d.Name)
		switch {
		case d.Name == "":
			wrong(at, "dimensions[%d]: no name", i)
		case slices.Contains(names, d.Name):
			wrong(at+".name", "dimensions[%d]: %q is there twice", i, d.Name)
		}
		names = append(names, d.Name)
		if d.Weight == 0 {
			d.Weight = 1
		}
		if d.Weight < 0 || math.IsNaN(d.Weight) || math.IsInf(d.Weight, 0) {
			wrong(at+".weight", "dimension %q: weight %v: expected a number above 0", d.Name, d.Weight)
		}
		if len(d.Anchors) < 2 {
			wrong(at+".anchors", "dimension %q: %d anchors: expected one for each level from 0, at least two", d.Name, len(d.Anchors))
		}
		for level, a := range d.Anchors {
			if strings.TrimSpace(a) == "" {
				wrong(fmt.Sprintf("%s.anchors[%d]", at, level), "dimension %q: the anchor of level %d is empty", d.Name, level)
			}
		}
	}
	return r, errors.Join(problems...)
}
