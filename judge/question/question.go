// Package question holds the questions that judges are asked, one a file: the
// task that a judge is given, with its prompts in the folder prompts, and the
// questions about a case that are put as this task. A file defines them with task
// and about, and that is all: votes, panels, the stand-in, estimates of cost, the
// conformance kit of metrics and the documentation read the lists here.
package question

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"

	"github.com/assay-eval/assay/judge"
)

//go:embed prompts
var files embed.FS

var (
	tasks     []judge.AnyTask
	questions judge.Asks
)

// Tasks lists what judges are given to do.
func Tasks() []judge.AnyTask { return tasks }

// All lists the questions about a case.
func All() judge.Asks { return questions }

// task adds a task to the list.
func task[In, Out any](t judge.Task[In, Out]) *judge.Task[In, Out] {
	var err error
	if t.Prompts, err = fs.Sub(files, "prompts"); err != nil { // the name is valid
		panic("question: " + err.Error())
	}
	if t.Version == "" {
		t.Version = "v1"
	}
	tasks = append(tasks, &t)
	return &t
}

// about adds a question to the list.
func about[Out any](q judge.Question[Out]) *judge.Question[Out] {
	questions = append(questions, &q)
	return &q
}

// object is a value of JSON, as the stand-in replies.
type object = map[string]any

// played makes the stand-in of a task from a function of the prompt's material.
func played[M any](reply func(m M) object) func([]byte) (any, error) {
	return func(material []byte) (any, error) {
		var m M
		if err := json.Unmarshal(material, &m); err != nil {
			return nil, fmt.Errorf("material: %w", err)
		}
		return reply(m), nil
	}
}

// playConfidence is the confidence of the stand-in whose measure is that far from where it
// would have ruled otherwise.
func playConfidence(margin float64) int { return min(99, 80+int(100*margin)) }

// hasAnswers reports whether the case has a reference answer.
func hasAnswers(h *judge.Hearing) bool { return len(h.Case.Want.Answers) > 0 }

// hasPassages reports whether the target reports passages.
func hasPassages(h *judge.Hearing) bool { return h.Response.Passages != nil }

// hasIdeal reports whether the case has an ideal answer.
func hasIdeal(h *judge.Hearing) bool { return h.Case.Want.Ideal != nil }
