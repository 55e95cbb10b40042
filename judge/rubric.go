package judge

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
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
