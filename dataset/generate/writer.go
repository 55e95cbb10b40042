// Package generate uses a language model to write ground truth: reference answers
// from relevant documents, new questions from a corpus, and frozen ideal answers.
// This happens once, before any system is tested, and the provenance of every
// text is recorded.
//
// A model's text is a draft until a person has read some of it. Only what can be
// checked automatically is checked: that a passage supports each point, and that
// a question does not give away its answer.
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

// versions maps tasks to prompt names.
var versions = map[string]string{taskAnswer: "v1", taskQuestions: "v1", taskIdeal: "v1"}

// MaxAnswer is the maximum length of a reference answer, in tokens. The rest of the
// reply, the nonce and the numbers of the documents, takes at most replyFrame.
const (
	MaxAnswer  = 500
	replyFrame = 100
)

// Config configures a [Writer].
type Config struct {
	// Provider makes the calls: an llm.Client, which keeps them in a ledger.
	Provider llm.Provider
	// Base is the common part of all requests: the model and its parameters.
	Base llm.Request
	// Window is the model's context window in tokens; 0 means
	// [prompt.DefaultWindow]. Longer texts are truncated with a warning.
	Window int
	// Language is that of generated questions; "" means that of their passages.
	Language judge.Language
	// Now returns the time for provenance.
	Now func() time.Time
}

// A Writer writes ground truth. It is safe for concurrent use.
type Writer struct {
	config  Config
	prompts map[string]*prompt.Prompt
}

// New returns a writer, or an error in the configuration.
func New(c Config) (*Writer, error) {
	switch {
	case c.Provider == nil || c.Now == nil:
		return nil, errors.New("generate: no provider or clock")
	case strings.TrimSpace(c.Base.Model) == "":
		return nil, fmt.Errorf("generate: %s: no model: want the name of one", c.Provider.Name())
	}
	prompts, err := prompt.LoadAll(promptFiles, "prompts", versions, c.Window)
	if err != nil {
		return nil, fmt.Errorf("generate: %w", err)
	}
	return &Writer{config: c, prompts: prompts}, nil
}

// Provenance records who wrote a text, from what, and when. Cases store it in
// their metadata, under "written" and the kind of text.
type Provenance struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
	// PromptHash changes whenever the prompt or its schema changes.
	PromptHash string    `json:"prompt_hash"`
	Made       time.Time `json:"made"`
	// Documents are the ids of the source documents, Shown those of other
	// documents that the model saw.
	Documents []string `json:"documents,omitempty"`
	Shown     []string `json:"shown,omitempty"`
	// Warnings say what was truncated or not checked.
	Warnings []string `json:"warnings,omitempty"`
}

// Model returns the provider and the model, as in "openai gpt-4.1-mini".
func (w *Writer) Model() string { return w.config.Provider.Name() + " " + w.config.Base.Model }

// Hash returns the hash of the writer's prompts.
func (w *Writer) Hash() string {
	return prompt.HashAll(w.prompts[taskAnswer], w.prompts[taskQuestions], w.prompts[taskIdeal])
}

func (w *Writer) provenance(task string, a prompt.Answer) Provenance {
	return Provenance{
		Provider: w.config.Provider.Name(), Model: w.config.Base.Model, PromptHash: w.prompts[task].Hash(),
		Made: w.config.Now().UTC().Truncate(time.Second), Warnings: a.Warnings,
	}
}

// ask asks the model one task, adds the usage to the meter of ctx, decodes the
// reply into out, and calls check.
func (w *Writer) ask(ctx context.Context, task, language string, data, out any, check func() error) (prompt.Answer, error) {
	base := w.config.Base
	if task == taskAnswer && (base.MaxTokens == 0 || base.MaxTokens > MaxAnswer+replyFrame+base.Thinking) {
		// Reasoning counts against the limit of the reply.
		base.MaxTokens = MaxAnswer + replyFrame + base.Thinking
	}
	a, err := w.prompts[task].Ask(ctx, w.config.Provider, base, language, data, func(raw json.RawMessage) error {
		if err := json.Unmarshal(raw, out); err != nil {
			return err
		}
		return check()
	})
	judge.Count(ctx, a.Spent())
	if err != nil && ctx.Err() == nil && !Fatal(err) {
		judge.Count(ctx, assay.Spending{Failed: 1})
	}
	return a, err
}

// Fatal reports whether further calls are useless after err: the key is rejected,
// the budget is spent, or the ledger lacks the call.
func Fatal(err error) bool { return judge.Fatal(err) || prompt.Fatal(err) }

// tooLong describes the length of an answer that is longer than [MaxAnswer].
func tooLong(answer string) error {
	if n := llm.EstimateTokens(answer); n > MaxAnswer {
		return fmt.Errorf("the answer has about %d tokens: want %d at most", n, MaxAnswer)
	}
	return nil
}

// mark records the provenance of a part of a case in its metadata. It does not
// modify metadata shared with other cases.
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
