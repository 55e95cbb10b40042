package accuracy

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/prompt"
)

//go:embed prompts
var promptFiles embed.FS

// The tasks that models are given. They are the operations of the requests.
const (
	taskKeyQuestions = "evaluate_key_questions"
	taskRelevance    = "evaluate_chunk_relevance"
	taskIdeal        = "evaluate_ideal_response"
	taskCompare      = "evaluate_response_comparison"
)

// tasks reads the prompt files, which are part of the program.
var tasks = sync.OnceValue(func() map[string]*prompt.Prompt {
	files, err := fs.Sub(promptFiles, "prompts")
	out := map[string]*prompt.Prompt{}
	for _, name := range []string{taskKeyQuestions, taskRelevance, taskIdeal, taskCompare} {
		p, failed := prompt.LoadElements(files, name+".v1")
		out[name], err = p, errors.Join(err, failed)
	}
	if err != nil {
		// The files are part of the program and a test reads them.
		panic(err)
	}
	return out
})

// PromptHash changes whenever a word of the evaluation's prompts does.
func PromptHash() string {
	t := tasks()
	return prompt.HashAll(t[taskKeyQuestions], t[taskRelevance], t[taskIdeal], t[taskCompare])
}

// A Model is one that evaluates.
type Model struct {
	// Name is what the evaluation calls it.
	Name     string
	Provider llm.Provider
	// Base carries the model's name and parameters.
	Base llm.Request
}

// identity names the model and its provider.
func (m Model) identity() string {
	if m.Provider == nil {
		return ""
	}
	return m.Provider.Name() + ":" + m.Base.Model
}

// A caller puts the tasks to models.
type caller struct {
	lang    judge.Language
	sleep   func(ctx context.Context, d time.Duration) error
	timeout time.Duration
}

// ask asks until read takes the reply, once more after each of waits. The reply
// is the one that was taken.
func (c caller) ask(
	ctx context.Context, m Model, task string, waits []time.Duration, read func(reply string) error, elements ...string,
) (llm.Reply, error) {
	p := tasks()[task].Retrying(prompt.Retry{Waits: waits, Sleep: c.sleep, Timeout: c.timeout})
	a, err := p.AskElements(ctx, m.Provider, m.Base, string(c.lang), elements, read)
	if err == nil {
		return a.Replies[len(a.Replies)-1], nil
	}
	var unusable *prompt.Error
	switch {
	case !errors.As(err, &unusable):
	case unusable.Err != nil:
		err = unusable.Err
	default:
		err = fmt.Errorf("%s: %s", m.identity(), unusable.Message)
	}
	if a.Tries > 1 && ctx.Err() == nil {
		err = fmt.Errorf("%w (after %d tries)", err, a.Tries)
	}
	return llm.Reply{}, err
}
