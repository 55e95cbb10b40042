package judge

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
)

// A Task is a closed question to a judge: its input, how a model is asked, how the reply is
// read, and how the answers of several passes or judges combine. A [Question] says when a
// task is asked, and about what; several questions may share a task.
type Task[In, Out any] struct {
	// Name is the operation of requests and errors, and the name of the prompt in
	// [assay.JudgeInfo]: "support".
	Name string
	// Prompts holds NAME.VERSION.schema.json and, for each language,
	// NAME.VERSION.LANGUAGE.md.
	Prompts fs.FS
	// Version is that of the prompt files: "v1".
	Version string
	// Reading counts the changes of Model that can change the answer for an unchanged
	// reply. Like the files, it is part of the prompt's version.
	Reading int
	// Combine combines the answers of several passes or judges.
	Combine Rule[In, Out]
	// Model asks a language model. A list that it returns has one entry for each given
	// item, in the same order; items that the model did not answer are unknown.
	Model func(ctx context.Context, m Asker, s Subject, in In) (Out, error)
	// SaysSure is set if Model sets [Votes.Sure] on a ruling that nothing speaks against.
	// Of other tasks all passes are put to a vote.
	SaysSure bool
	// Elements is set if the material is XML elements and the reply is read
	// without a nonce: a prompt of package llm/prompt, asked by
	// [Asker.PutElements]. The stand-in then gets the elements.
	Elements bool
	// StandIn returns the reply of a stand-in for a model to the material of a prompt, as
	// a value that marshals to a JSON object. It is for tests, demonstrations and cost
	// estimates; its rulings are meaningless.
	StandIn func(material []byte) (any, error)
}

// AnyTask is a [Task] of any types.
type AnyTask interface {
	// Operation is the name of the task.
	Operation() string
	// Files returns the prompt files, their version, and how often the reading of
	// their replies was changed.
	Files() (files fs.FS, version string, reading int)
	// Extracts reports whether the answer is taken from the first pass alone,
	// however many there are.
	Extracts() bool
	// Rules reports whether the answers are rulings, which people can make too, and not
	// what is extracted from a text.
	Rules() bool
	// Play returns the stand-in's reply.
	Play(material []byte) (any, error)
	// TakesElements reports whether the material is XML elements.
	TakesElements() bool
	// AskModel asks a model; given is the task's In, the answer its Out.
	AskModel(ctx context.Context, m Model, s Subject, given any) (any, error)

	decide(ctx context.Context, by voters, s Subject, given any) (any, error)
}

// Ask asks a judge. A list that it returns has an entry for each given item.
func (t *Task[In, Out]) Ask(ctx context.Context, j Judge, s Subject, in In) (Out, error) {
	said, err := j.Ask(ctx, t, s, in)
	out, ok := said.(Out)
	if err == nil && !ok {
		err = &Error{Operation: t.Name, Message: fmt.Sprintf("the judge answered with %T: want %T", said, out)}
	}
	if err != nil {
		return out, err
	}
	if got, want := t.Combine.entries(in, out); got != want {
		return out, &Error{Operation: t.Name, Message: fmt.Sprintf("%d rulings for %d items: want one for each", got, want)}
	}
	return out, nil
}

// Operation is the name of the task.
func (t *Task[In, Out]) Operation() string { return t.Name }

// Files returns the prompt files, their version, and how often the reading of
// their replies was changed.
func (t *Task[In, Out]) Files() (files fs.FS, version string, reading int) {
	return t.Prompts, t.Version, t.Reading
}

// Extracts reports whether the answer is taken from the first pass alone.
func (t *Task[In, Out]) Extracts() bool {
	_, first := t.Combine.(First[In, Out])
	return first
}

// Rules reports whether the answers are rulings.
func (t *Task[In, Out]) Rules() bool {
	_, extracted := t.Combine.(Extracted[In, Out])
	return !extracted && !t.Extracts()
}

// Play returns the stand-in's reply.
func (t *Task[In, Out]) Play(material []byte) (any, error) { return t.StandIn(material) }

// TakesElements reports whether the material is XML elements.
func (t *Task[In, Out]) TakesElements() bool { return t.Elements }

// AskModel asks a model.
func (t *Task[In, Out]) AskModel(ctx context.Context, m Model, s Subject, given any) (any, error) {
	return typed(t, given, func(in In) (Out, error) { return t.Model(ctx, Asker{m, t}, s, in) })
}

// full reports whether all rulings are put to a vote of the passes, the sure ones too.
func (t *Task[In, Out]) full(by voters, s Subject, in In) bool {
	v, passes := by.(*voting)
	return !t.SaysSure || passes && v.full(t.Name, s, in)
}

func (t *Task[In, Out]) decide(ctx context.Context, by voters, s Subject, given any) (any, error) {
	return typed(t, given, func(in In) (Out, error) { return t.Combine.decide(ctx, t, by, s, in) })
}

// typed calls f with the given input if it has the task's type.
func typed[In, Out any](t *Task[In, Out], given any, f func(In) (Out, error)) (any, error) {
	in, ok := given.(In)
	if !ok {
		return nil, &Error{Operation: t.Name, Message: fmt.Sprintf("given %T: want %T", given, in)}
	}
	return f(in)
}

// A Model sends a prompt to a language model.
type Model interface {
	// Put asks once, and asks once more to repair an unusable reply. check may be nil; its
	// error is shown to the model. An error is an [*Error], a [*FatalError] or that of
	// ctx; the reply may have items nevertheless.
	Put(ctx context.Context, t AnyTask, s Subject, material any, check func(json.RawMessage) error) (Reply, error)
	// PutElements asks about elements and has read take the reply: its JSON
	// object, or the answer of a task whose prompt has no schema.
	PutElements(ctx context.Context, t AnyTask, s Subject, elements []Element, read func(reply []byte) error) (Reply, error)
	// Draw counts repeated draws from 0. Each shows lists in another order.
	Draw() int
}

// A Reply is the reply of a model.
type Reply struct {
	// Object follows the schema and passed the check; nil with an error.
	Object json.RawMessage
	// Partial is the readable part of the last reply, with an error.
	Partial json.RawMessage
	// Thinking is the reasoning that the provider shows.
	Thinking string
	// Items are the elements of the field "items" that follow the schema, also of
	// a partial reply.
	Items []json.RawMessage
	// Whole is set if Items is the complete list. Of a list that breaks off nobody knows
	// what is missing.
	Whole bool
}

// Listed returns the error of a reply whose list is incomplete, nil if the list can be used.
func (r Reply) Listed(err error) error {
	if err != nil && (!r.Whole || len(r.Items) == 0) {
		return err
	}
	return nil
}

// An Element is a named text of the material, with attributes: names and values
// alternating.
type Element struct {
	Name, Text string
	Attributes []string
}

// An Asker asks a model one task.
type Asker struct {
	model Model
	task  AnyTask
}

// Put asks the model: see [Model].
func (a Asker) Put(ctx context.Context, s Subject, material any, check func(json.RawMessage) error) (Reply, error) {
	return a.model.Put(ctx, a.task, s, material, check)
}

// PutElements asks the model: see [Model].
func (a Asker) PutElements(ctx context.Context, s Subject, elements []Element, read func(reply []byte) error) (Reply, error) {
	return a.model.PutElements(ctx, a.task, s, elements, read)
}

// Draw counts repeated draws from 0.
func (a Asker) Draw() int { return a.model.Draw() }

// Fails returns the error of a task that cannot be asked.
func (a Asker) Fails(format string, args ...any) error {
	return &Error{Operation: a.task.Operation(), Message: fmt.Sprintf(format, args...)}
}

// Answers holds functions that answer tasks, by the name of the task, for judges without a
// model and for tests.
type Answers map[string]func(ctx context.Context, s Subject, given any) (any, error)

// An Answer is a function that answers one task.
type Answer struct {
	task string
	give func(ctx context.Context, s Subject, given any) (any, error)
}

// By returns a function as the answer to the task.
func (t *Task[In, Out]) By(give func(ctx context.Context, s Subject, in In) (Out, error)) Answer {
	return Answer{t.Name, func(ctx context.Context, s Subject, given any) (any, error) {
		return typed(t, given, func(in In) (Out, error) { return give(ctx, s, in) })
	}}
}

// NewAnswers makes a table of answers.
func NewAnswers(list ...Answer) Answers {
	out := Answers{}
	for _, a := range list {
		out[a.task] = a.give
	}
	return out
}

// Has reports whether the table has an answer to a task.
func (a Answers) Has(t AnyTask) bool { return a[t.Operation()] != nil }

// Unable is the error of a judge that is not [Able] to answer a task.
func Unable(t AnyTask) *Error {
	return &Error{Operation: t.Operation(), Message: "this judge does not support the task: use a model (--judge PROVIDER:MODEL)"}
}

// Ask answers a task. The error is that of [Unable] if the table has no answer to it.
func (a Answers) Ask(ctx context.Context, t AnyTask, s Subject, given any) (any, error) {
	if give := a[t.Operation()]; give != nil {
		return give(ctx, s, given)
	}
	return nil, Unable(t)
}
