// Package generate has a language model write what cases are judged by:
// reference answers from the documents that people found relevant, new questions
// from a corpus, and frozen ideal answers. It is done once, before any system is
// asked, and what is written says by whom, from what and when.
//
// A model's text is a draft until a person has read some of it: nothing here
// makes it true. What can be checked without a person is checked: that points
// stand in their passage, that a question does not give itself away.
package generate

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/prompt"
)

//go:embed prompts
var promptFiles embed.FS

// The tasks, by the names of their prompts.
const (
	taskAnswer    = "reference_answer"
	taskQuestions = "new_questions"
	taskIdeal     = "ideal"
)

// versions names the prompt of each task.
var versions = map[string]string{taskAnswer: "v1", taskQuestions: "v1", taskIdeal: "v1"}

// MaxAnswer is the length of a reference answer, in tokens, above which it is
// no answer but an essay.
const MaxAnswer = 500

// Config says which model writes.
type Config struct {
	// Provider makes the calls: an llm.Client, which keeps them in a ledger.
	Provider llm.Provider
	// Base is what every request begins with: the model and its parameters.
	Base llm.Request
	// Window is the length of the model's window in tokens; 0 means
	// [prompt.DefaultWindow]. Longer texts are cut, with a warning.
	Window int
	// Now tells the time that provenance says.
	Now func() time.Time
}

// A Writer writes ground truth. It is safe for concurrent use.
type Writer struct {
	config  Config
	prompts map[string]*prompt.Prompt
}

// New makes a writer. The error is about the configuration.
func New(c Config) (*Writer, error) {
	switch {
	case c.Provider == nil || c.Now == nil:
		return nil, errors.New("generate: want a provider and a clock")
	case strings.TrimSpace(c.Base.Model) == "":
		return nil, fmt.Errorf("generate: %s: no model: want the name of one", c.Provider.Name())
	}
	prompts, err := prompt.LoadAll(promptFiles, "prompts", versions, c.Window)
	if err != nil {
		return nil, fmt.Errorf("generate: %w", err)
	}
	return &Writer{config: c, prompts: prompts}, nil
}

// Provenance tells who wrote something, from what, and when. Cases carry it in
// their metadata, under "written" and the name of what was written.
type Provenance struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
	// PromptHash changes whenever the words of the prompt or its schema do.
	PromptHash string    `json:"prompt_hash"`
	Made       time.Time `json:"made"`
	// Documents are the ids of those that it was written from, Shown those
	// that the model saw beside them.
	Documents []string `json:"documents,omitempty"`
	Shown     []string `json:"shown,omitempty"`
	// Warnings tell what was cut, or not checked.
	Warnings []string `json:"warnings,omitempty"`
}

// Model gives the provider and the model, as in "openai gpt-4.1-mini".
func (w *Writer) Model() string { return w.config.Provider.Name() + " " + w.config.Base.Model }

// Hash gives the hash of the prompts that the writer has.
func (w *Writer) Hash() string {
	return prompt.HashAll(w.prompts[taskAnswer], w.prompts[taskQuestions], w.prompts[taskIdeal])
}

func (w *Writer) provenance(task string, a prompt.Answer) Provenance {
	return Provenance{
		Provider: w.config.Provider.Name(), Model: w.config.Base.Model, PromptHash: w.prompts[task].Hash(),
		Made: w.config.Now().UTC().Truncate(time.Second), Warnings: a.Warnings,
	}
}

// ask puts one task to the model, counts what it took for the meter of ctx, and
// reads the reply into out, which check then looks at.
func (w *Writer) ask(ctx context.Context, task, language string, data, out any, check func() error) (prompt.Answer, error) {
	a, err := w.prompts[task].Ask(ctx, w.config.Provider, w.config.Base, language, data, func(raw json.RawMessage) error {
		if err := json.Unmarshal(raw, out); err != nil {
			return err
		}
		return check()
	})
	judge.Count(ctx, a.Spent())
	if err != nil && ctx.Err() == nil {
		judge.Count(ctx, assay.Spending{Failed: 1})
	}
	return a, err
}

// Fatal reports whether asking on is useless after err: the key is refused, the
// budget is spent, the ledger lacks the call.
func Fatal(err error) bool { return judge.Fatal(err) || prompt.Fatal(err) }

// tooLong says how long an answer is when it is longer than [MaxAnswer].
func tooLong(answer string) error {
	if n := llm.EstimateTokens(answer); n > MaxAnswer {
		return fmt.Errorf("the answer has about %d tokens: want %d at most", n, MaxAnswer)
	}
	return nil
}

// mark notes in a case's metadata how a part of it was written. The metadata
// that the case shares with others are not touched.
func mark(c *assay.Case, what string, p any) {
	metadata, written := map[string]any{}, map[string]any{}
	for k, v := range c.Metadata {
		metadata[k] = v
	}
	if was, ok := metadata["written"].(map[string]any); ok {
		for k, v := range was {
			written[k] = v
		}
	}
	written[what] = p
	metadata["written"] = written
	c.Metadata = metadata
}
