// Package question holds the questions that judges are asked, one a file: the
// task that a judge is given, with its prompts in the folder prompts, and the
// questions about a case that are put as this task. A file defines them with task
// and about, and that is all: votes, panels, the stand-in, estimates of cost, the
// conformance kit of metrics and the documentation read the lists here.
package question

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/judge"
)

//go:embed prompts
var files embed.FS

var tasks []judge.AnyTask

// All lists the questions about a case.
var All judge.Asks

// Tasks lists what judges are given to do.
func Tasks() []judge.AnyTask { return tasks }

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
	All = append(All, &q)
	return &q
}

// askElements asks a model about elements, and returns what read makes of the reply.
func askElements[T any](
	ctx context.Context, m judge.Asker, s judge.Subject, elements []judge.Element, read func(reply []byte) (T, error),
) (out T, err error) {
	_, err = m.PutElements(ctx, s, elements, func(reply []byte) (err error) {
		out, err = read(reply)
		return err
	})
	if err != nil {
		var none T
		return none, judge.GivesUp(ctx, err)
	}
	return out, nil
}

// askObject makes one call whose reply is an object of a type. check may be nil; its error is
// shown to the model.
func askObject[R any](ctx context.Context, m judge.Asker, s judge.Subject, material any, check func(R) error) (R, error) {
	var reply R
	_, err := m.Put(ctx, s, material, decoded(func(r R) error {
		reply = r
		if check == nil {
			return nil
		}
		return check(r)
	}))
	if err != nil {
		var none R
		return none, judge.GivesUp(ctx, err)
	}
	return reply, nil
}

// decoded checks a reply that is an object of a type.
func decoded[R any](check func(R) error) func(json.RawMessage) error {
	return func(raw json.RawMessage) error {
		var r R
		if err := json.Unmarshal(raw, &r); err != nil {
			return err
		}
		return check(r)
	}
}

// itemsOf is a reply with a list.
type itemsOf[T any] struct {
	Items []T `json:"items"`
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

// textsIn returns the texts of the elements of a name in the material of a stand-in, at least
// one. Material is escaped, so that no text holds a tag.
func textsIn(material []byte, name string) (texts []string) {
	for _, m := range element().FindAllSubmatch(material, -1) {
		if string(m[1]) == name {
			texts = append(texts, string(m[2]))
		}
	}
	if texts == nil {
		return []string{""}
	}
	return texts
}

var element = lazyregexp.New(`(?s)<(\w+)>\n(.*?)\n</`)
