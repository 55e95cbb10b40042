package judge

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
)

// A Task is one closed question to a judge: what it is given, how a model is
// asked, how the reply is read, and how the answers of several passes or judges
// become one. What a task is about, and when it is put, is a [Question]; several
// questions may be put as one task.
type Task[In, Out any] struct {
	// Name is the operation of requests and errors, and the name of the prompt in
	// [assay.JudgeInfo]: "support".
	Name string
	// Prompts holds NAME.VERSION.schema.json and, for each language,
	// NAME.VERSION.LANGUAGE.md.
	Prompts fs.FS
	// Version is that of the prompt files: "v1".
	Version string
	// Reading counts the changes of Model that can move an answer to an unchanged
	// reply. It is a part of the prompt's version, as the files are; 0 is none.
	Reading int
	// Combine makes one answer of those of several passes or judges.
	Combine Rule[In, Out]
	// Model puts the task to a language model. A list that it returns has one
	// entry for each item that was given, in the same order; what the model left
	// unanswered is there as unknown.
	Model func(ctx context.Context, m Asker, s Subject, in In) (Out, error)
	// Elements is set if the material is XML elements and the reply is read
	// without a nonce: a prompt of package llm/prompt, asked by
	// [Asker.PutElements]. The stand-in then gets the elements.
	Elements bool
	// StandIn returns the reply of a stand-in for a model to the material of a
	// prompt, as what JSON writes as an object. It serves tests, demonstrations
	// and estimates of cost; its rulings mean nothing.
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
	// Play returns the stand-in's reply.
	Play(material []byte) (any, error)
	// TakesElements reports whether the material is XML elements.
	TakesElements() bool
	// AskModel puts the task to a model; given is the task's In, the answer its
	// Out.
	AskModel(ctx context.Context, m Model, s Subject, given any) (any, error)

	vote(ctx context.Context, v *voting, s Subject, given any) (any, error)
	sit(ctx context.Context, p *panel, s Subject, given any) (any, error)
}

// Ask puts the task to a judge.
func (t *Task[In, Out]) Ask(ctx context.Context, j Judge, s Subject, in In) (Out, error) {
	said, err := j.Ask(ctx, t, s, in)
	out, ok := said.(Out)
	if err == nil && !ok {
		err = &Error{Operation: t.Name, Message: fmt.Sprintf("the judge answered with %T: want %T", said, out)}
	}
	return out, err
}

// Operation is the name of the task.
func (t *Task[In, Out]) Operation() string { return t.Name }

// Files returns the prompt files, their version, and how often the reading of
// their replies was changed.
func (t *Task[In, Out]) Files() (files fs.FS, version string, reading int) {
	return t.Prompts, t.Version, t.Reading
}

// Extracts reports whether the answer is taken from the first pass alone.
func (t *Task[In, Out]) Extracts() bool { return t.Combine.extracts() }

// Play returns the stand-in's reply.
func (t *Task[In, Out]) Play(material []byte) (any, error) { return t.StandIn(material) }

// TakesElements reports whether the material is XML elements.
func (t *Task[In, Out]) TakesElements() bool { return t.Elements }

// AskModel puts the task to a model.
func (t *Task[In, Out]) AskModel(ctx context.Context, m Model, s Subject, given any) (any, error) {
	return typed(t, given, func(in In) (Out, error) { return t.Model(ctx, Asker{m, t}, s, in) })
}

func (t *Task[In, Out]) vote(ctx context.Context, v *voting, s Subject, given any) (any, error) {
	return typed(t, given, func(in In) (Out, error) { return t.Combine.vote(ctx, t, v, s, in) })
}

func (t *Task[In, Out]) sit(ctx context.Context, p *panel, s Subject, given any) (any, error) {
	return typed(t, given, func(in In) (Out, error) { return t.Combine.sit(ctx, t, p, s, in) })
}

// typed calls f with what was given, when it is of the task's type.
func typed[In, Out any](t *Task[In, Out], given any, f func(In) (Out, error)) (any, error) {
	in, ok := given.(In)
	if !ok {
		return nil, &Error{Operation: t.Name, Message: fmt.Sprintf("given %T: want %T", given, in)}
	}
	return f(in)
}

// A Model puts a prompt to a language model.
type Model interface {
	// Put asks once, and has a reply that cannot be used mended once. check may be
	// nil; its error is shown to the model. An error is an [*Error] or a
	// [*FatalError], or that of ctx; beside it the reply may still have items.
	Put(ctx context.Context, t AnyTask, s Subject, material any, check func(json.RawMessage) error) (Reply, error)
	// PutElements asks about elements and has read take the reply: its JSON
	// object, or the answer of a task whose prompt has no schema.
	PutElements(ctx context.Context, t AnyTask, s Subject, elements []Element, read func(reply []byte) error) (Reply, error)
	// Draw counts repeated draws from 0. Lists are shown in another order in each.
	Draw() int
}

// A Reply is what a model said.
type Reply struct {
	// Object follows the schema and passed the check; nil with an error.
	Object json.RawMessage
	// Partial is, with an error, what could be read of the last reply.
	Partial json.RawMessage
	// Thinking is the reasoning that the provider shows.
	Thinking string
	// Items are the elements of the field "items" that follow the schema, also of
	// a partial reply.
	Items []json.RawMessage
}

// An Element is a text of the material under a name, with attributes: names and
// values in turn.
type Element struct {
	Name, Text string
	Attributes []string
}

// An Asker puts one task to a model.
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

// Fails is the error of a task that cannot be put.
func (a Asker) Fails(format string, args ...any) error {
	return &Error{Operation: a.task.Operation(), Message: fmt.Sprintf(format, args...)}
}

// Answers holds functions that answer tasks, by the name of the task: a judge
// without a model, or one that a test wrote.
type Answers map[string]func(ctx context.Context, s Subject, given any) (any, error)

// An Answer is a function that answers one task.
type Answer struct {
	task string
	give func(ctx context.Context, s Subject, given any) (any, error)
}

// By makes an answer to the task of a function.
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

// Ask answers a task. It is an [*Error] when the table has no answer to it.
func (a Answers) Ask(ctx context.Context, t AnyTask, s Subject, given any) (any, error) {
	if give := a[t.Operation()]; give != nil {
		return give(ctx, s, given)
	}
	return nil, &Error{Operation: t.Operation(), Message: "this judge has no answer to it: want a model as the judge (--judge PROVIDER:MODEL)"}
}
