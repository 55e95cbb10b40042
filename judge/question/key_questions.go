package question

import (
	"context"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/judge"
)

// MarkKeyQuestions marks the key questions that a system drew from a question, by
// the dimensions of [KeyQuestionsRubric]. The subject's question is the original.
var MarkKeyQuestions = task(judge.Task[[]string, []judge.Mark]{
	Name: "evaluate_key_questions", Elements: true, Model: markKeyQuestions,
	Combine: judge.Sheet[[]string]{
		Ballot: markBallot,
		Rubric: func([]string) judge.Rubric { return KeyQuestionsRubric() },
	},
	StandIn: func([]byte) (any, error) {
		reply := object{"total_score": 100, "comments": "the stand-in takes no points off"}
		for _, d := range scheme {
			reply[d.key] = d.points
		}
		return reply, nil
	},
})

// KeyQuestions has an entry for each dimension of [KeyQuestionsRubric]: how well
// the response's sub-questions stand for the question.
var KeyQuestions = about(judge.Question[[]judge.Mark]{
	Name: "key_questions", Title: "marks of the key questions", Tasks: []judge.AnyTask{MarkKeyQuestions},
	When: func(h *judge.Hearing) bool {
		_, ok := h.Response.SubQuestions()
		return ok
	},
	Find: func(ctx context.Context, h *judge.Hearing) ([]judge.Mark, error) {
		parts, _ := h.Response.SubQuestions()
		return MarkKeyQuestions.Ask(ctx, h.Judge, h.Subject, parts)
	},
})

// scheme is the marking scheme of the key questions: 100 points in four
// dimensions, each with its name and its field in a reply.
var scheme = []struct {
	name, key string
	points    int
}{
	{"fidelity", "dimension_1_準確性", 40},
	{"completeness", "dimension_2_完整性", 25},
	{"clarity", "dimension_3_清晰度", 20},
	{"conciseness", "dimension_4_簡潔性", 15},
}

// KeyQuestionsRubric is the marking scheme of the key questions: 40 points for
// fidelity, 25 for completeness, 20 for clarity and 15 for conciseness. Its words
// are in the prompt.
func KeyQuestionsRubric() judge.Rubric {
	r := judge.Rubric{Name: "key questions"}
	for _, d := range scheme {
		r.Dimensions = append(r.Dimensions, judge.Dimension{Name: d.name, Weight: float64(d.points), Points: d.points})
	}
	return r
}

func markKeyQuestions(ctx context.Context, m judge.Asker, s judge.Subject, questions []string) ([]judge.Mark, error) {
	elements := []judge.Element{{Name: "original", Text: s.Question}}
	for i, q := range questions {
		elements = append(elements, judge.Element{Name: "key_question_" + strconv.Itoa(i+1), Text: q})
	}
	var marks []judge.Mark
	said, err := m.PutElements(ctx, s, elements, func(reply []byte) (err error) {
		marks, err = readMarks(reply)
		return err
	})
	if err != nil {
		return nil, judge.GivesUp(ctx, err)
	}
	marks[0].Thinking = said.Thinking
	return marks, nil
}

// readMarks reads the points of every dimension. The comments are the reason of
// the first mark. Whatever the reply says the total is, it is not read.
func readMarks(reply []byte) ([]judge.Mark, error) {
	object, err := fields(reply)
	if err != nil {
		return nil, err
	}
	comments, err := textField(object, "comments")
	if err != nil {
		return nil, err
	}
	// Models may nest the points in a field "scores".
	if inner, ok := object["scores"]; ok && strings.HasPrefix(strings.TrimSpace(string(inner)), "{") {
		if object, err = fields(inner); err != nil {
			return nil, err
		}
	}
	marks := make([]judge.Mark, len(scheme))
	for i, d := range scheme {
		if marks[i].Level, err = scoreField(object, d.key, float64(d.points)); err != nil {
			return nil, err
		}
	}
	marks[0].Why = comments
	return marks, nil
}
