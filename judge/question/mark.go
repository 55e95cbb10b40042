package question

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/standin"
)

// MarkInput is work, and the rubric by which it is marked.
type MarkInput struct {
	Rubric judge.Rubric
	Work   judge.Work
}

// Mark marks work by the dimensions of a rubric. A dimension that is missing in
// the reply is an error, not a 0.
var Mark = task(judge.Task[MarkInput, []judge.Mark]{
	Name: "mark", Model: mark,
	Combine: judge.Sheet[MarkInput]{
		Ballot: markBallot,
		Rubric: func(in MarkInput) judge.Rubric { return in.Rubric },
	},
	StandIn: played(playMark),
})

// Marks has an entry for each dimension of the run's own rubric.
var Marks = about(judge.Question[[]judge.Mark]{
	Name: "marks", Title: "marks by the rubric", Tasks: []judge.AnyTask{Mark},
	When: func(h *judge.Hearing) bool { return len(h.Plan.Rubric.Dimensions) > 0 },
	Find: func(ctx context.Context, h *judge.Hearing) ([]judge.Mark, error) {
		work := judge.Work{Answer: h.Response.Answer, References: h.Case.Want.Answers, Passages: h.Sources}
		return Mark.Ask(ctx, h.Judge, h.Subject, MarkInput{h.Plan.Rubric, work})
	},
})

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

// mark makes one call. A dimension that is missing, marked twice and not alike, or
// beyond its levels fails the task. A quote that the answer does not hold is left
// out.
func mark(ctx context.Context, m judge.Asker, s judge.Subject, in MarkInput) ([]judge.Mark, error) {
	r := in.Rubric
	d := markData{
		Question: s.Question, Answer: in.Work.Answer, References: turn(in.Work.References, m.Draw()),
		Rubric: rubricData{Task: r.Task},
	}
	for _, p := range in.Work.Passages {
		d.Passages = append(d.Passages, p.Text)
	}
	for _, dim := range r.Dimensions {
		if strings.TrimSpace(dim.Name) == "" || dim.Max() < 1 {
			return nil, m.Fails("rubric %q: dimension %q with %d anchors: want a name and at least 2", r.Name, dim.Name, len(dim.Anchors))
		}
		d.Rubric.Dimensions = append(d.Rubric.Dimensions, dimensionData{dim.Name, dim.Doc, dim.Anchors})
	}
	if len(r.Dimensions) == 0 {
		return nil, m.Fails("rubric %q: no dimensions: want at least one", r.Name)
	}
	d.Rubric.Dimensions = turn(d.Rubric.Dimensions, m.Draw())
	var out []judge.Mark
	_, err := askObject(ctx, m, s, d, func(reply itemsOf[markItem]) (err error) {
		out, err = marks(reply.Items, r, newQuotable(in.Work.Answer))
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// marks reads a reply, one mark for each dimension of the rubric, in its order.
func marks(items []markItem, r judge.Rubric, answer quotable) ([]judge.Mark, error) {
	out := make([]judge.Mark, len(r.Dimensions))
	for i, dim := range r.Dimensions {
		found := false
		for _, item := range items {
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

// playMark returns every dimension the level that matches the share of the first
// reference's words, or the question's where there is none, that the answer has.
func playMark(r markData) object {
	want := standin.Read(r.Question)
	if len(r.References) > 0 {
		want = standin.Read(r.References[0])
	}
	share, quote := want.Share(standin.Read(r.Answer)), ""
	if s, _ := standin.Best(want, standin.Sentences(r.Answer)); s.Text != "" {
		quote = s.Text
	}
	items := []object{}
	for _, d := range r.Rubric.Dimensions {
		level := int(math.Round(share * float64(max(len(d.Anchors)-1, 0))))
		items = append(items, object{"dimension": d.Name, "level": level, "quote": quote, "why": "by the words of the reference"})
	}
	return object{"items": items}
}
