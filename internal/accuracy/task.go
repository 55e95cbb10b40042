package accuracy

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/model"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/prompt"
)

// PromptHash changes whenever a word of the evaluation's prompts does.
var PromptHash = sync.OnceValue(func() string {
	var prompts []*prompt.Prompt
	for _, t := range []judge.AnyTask{
		question.MarkKeyQuestions, question.ChunkRelevance, question.IdealResponse, question.CompareResponses,
	} {
		files, version, _ := t.Files()
		p, err := prompt.LoadElements(files, t.Operation()+"."+version)
		if err != nil {
			panic(err) // the files are part of the program and a test reads them
		}
		prompts = append(prompts, p)
	}
	return prompt.HashAll(prompts...)
})

// A Model is one that evaluates.
type Model struct {
	// Name is its name in the evaluation.
	Name     string
	Provider llm.Provider
	// Base carries the model's name and parameters.
	Base llm.Request
}

// The waits before each further try: of the marks, and of everything else.
var (
	markWaits  = []time.Duration{2 * time.Second, 4 * time.Second, 8 * time.Second}
	batchWaits = []time.Duration{2 * time.Second, 2 * time.Second}
)

// identity names the model and its provider.
func (m Model) identity() string {
	if m.Provider == nil {
		return ""
	}
	return m.Provider.Name() + ":" + m.Base.Model
}

// judge is the model as a judge that is asked again after each of the waits.
func (e *evaluator) judge(m Model, waits []time.Duration) (*model.Judge, error) {
	return model.New(model.Config{
		Provider: m.Provider, Request: m.Base, Retry: prompt.Retry{Waits: waits, Sleep: e.Sleep, Timeout: e.Timeout},
	})
}

// assess puts questions of the judges' table about a question and a response.
func (e *evaluator) assess(
	ctx context.Context, m Model, waits []time.Duration, p judge.Plan, about string, r assay.Response,
) (*judge.Assessment, error) {
	j, err := e.judge(m, waits)
	if err != nil {
		return nil, err
	}
	p.Language = e.Language
	return judge.Assess(ctx, j, p, &assay.Case{Question: about}, &r)
}

// explained gives the message of a judge's error, with the name of the model.
func (m Model) explained(err error) error {
	var asked *prompt.Error
	switch {
	case !errors.As(err, &asked):
		return err
	case asked.Err != nil: // names the provider
		return errors.New(asked.Message)
	}
	return fmt.Errorf("%s: %s", m.identity(), asked.Message)
}
