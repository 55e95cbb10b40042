package model

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/assay-eval/assay/judge"
)

type markData struct {
	Question   string     `json:"question"`
	Answer     string     `json:"answer"`
	References []string   `json:"references,omitempty"`
	Passages   []string   `json:"passages,omitempty"`
	Rubric     rubricData `json:"rubric"`
}

type rubricData struct {
	Task       string          `json:"task,omitempty"`
	Dimensions []dimensionData `json:"dimensions"`
}

// dimensionData leaves the weight out: how much a dimension counts is no reason
// to mark it otherwise.
type dimensionData struct {
	Name    string   `json:"name"`
	Doc     string   `json:"doc,omitempty"`
	Anchors []string `json:"anchors"`
}

type markItem struct {
	Dimension string `json:"dimension"`
	Quote     string `json:"quote"`
	Why       string `json:"why"`
	Level     int    `json:"level"`
}

// Mark marks an answer by every dimension of the rubric in one call. A dimension
// that is missing, marked twice and not alike, or beyond its levels fails the
// question. A quote that the answer does not hold is left out.
func (j *Judge) Mark(ctx context.Context, s judge.Subject, r judge.Rubric, w judge.Work) ([]judge.Mark, error) {
	const task = "mark"
	d := markData{Question: s.Question, Answer: w.Answer, References: turn(w.References, j.config.Draw), Rubric: rubricData{Task: r.Task}}
	for _, p := range w.Passages {
		d.Passages = append(d.Passages, p.Text)
	}
	for _, dim := range r.Dimensions {
		if strings.TrimSpace(dim.Name) == "" || dim.Max() < 1 {
			return nil, &judge.Error{Operation: task, Message: fmt.Sprintf("rubric %q: dimension %q with %d anchors: want a name and at least 2", r.Name, dim.Name, len(dim.Anchors))}
		}
		d.Rubric.Dimensions = append(d.Rubric.Dimensions, dimensionData{dim.Name, dim.Doc, dim.Anchors})
	}
	if len(r.Dimensions) == 0 {
		return nil, &judge.Error{Operation: task, Message: fmt.Sprintf("rubric %q: no dimensions: want at least one", r.Name)}
	}
	d.Rubric.Dimensions = turn(d.Rubric.Dimensions, j.config.Draw)
	var out []judge.Mark
	_, err := j.ask(ctx, task, s, d, func(raw json.RawMessage) (err error) {
		out, err = marks(raw, r, newQuotable(w.Answer))
		return err
	})
	if err != nil {
		return nil, give(ctx, task, err)
	}
	return out, nil
}

// marks reads a reply, one mark for each dimension of the rubric, in its order.
func marks(raw json.RawMessage, r judge.Rubric, answer quotable) ([]judge.Mark, error) {
	var reply struct {
		Items []markItem `json:"items"`
	}
	if err := json.Unmarshal(raw, &reply); err != nil {
		return nil, err
	}
	out := make([]judge.Mark, len(r.Dimensions))
	for i, dim := range r.Dimensions {
		found := false
		for _, item := range reply.Items {
			switch {
			case !strings.EqualFold(strings.TrimSpace(item.Dimension), strings.TrimSpace(dim.Name)):
				continue
			case item.Level < 0 || item.Level > dim.Max():
				return nil, fmt.Errorf("dimension %q: level %d: want 0 to %d", dim.Name, item.Level, dim.Max())
			case found && out[i].Level != float64(item.Level):
				return nil, fmt.Errorf("dimension %q is marked twice, and not alike: want one mark", dim.Name)
			case found:
				continue
			}
			found = true
			out[i] = judge.Mark{Level: float64(item.Level), Why: item.Why}
			if answer.has(item.Quote) {
				out[i].Quote = item.Quote
			}
		}
		if !found {
			return nil, fmt.Errorf("dimension %q is missing: want every dimension of the rubric", dim.Name)
		}
	}
	return out, nil
}
