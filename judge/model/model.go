// Package model is a judge that asks a language model. Its questions are files,
// in English and Chinese, whose hash is part of the judge's identity. It
// believes no verdict whose quotes are not found, word for word, in the text
// that they are said to come from.
package model

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/prompt"
)

//go:embed prompts
var promptFiles embed.FS

const (
	// batchSize is how many claims, sentences or points are asked about at
	// once: models begin to leave out or mix up items in longer lists.
	batchSize = 20
	// passageBatch is how many passages are graded at once.
	passageBatch = 10
	// atOnce is how many calls one question may make at the same time.
	atOnce = 10
)

// Config says which model judges, and how it is called.
type Config struct {
	// Provider makes the calls: an llm.Client, which keeps them in a ledger.
	Provider llm.Provider
	Model    string
	// Temperature is 0 when nil, or not sent when the model thinks, for
	// providers then refuse any but their own. Below 0 it is not sent.
	Temperature *float64
	// Seed is sent where the provider takes one; further draws add their
	// number, so that they can differ.
	Seed *int64
	// MaxTokens bounds a reply; 0 means [llm.DefaultMaxTokens]
	// and the budget for thinking.
	MaxTokens int
	// Thinking is the budget for reasoning in tokens; 0 does not ask for it.
	Thinking int
	// Extra are further fields of the request's body.
	Extra map[string]any
	// Window is the length of the model's window in tokens; 0 means
	// [prompt.DefaultWindow]. Longer texts are cut, with a warning.
	Window int
	// Draw tells repeated draws apart; see [Judge.At].
	Draw int
}

// A Judge is one model at one draw. It is immutable and safe for concurrent
// use.
type Judge struct {
	config  Config
	prompts map[string]*prompt.Prompt
	// versions are those of the prompts, by their names.
	versions map[string]string
}

var _ judge.Judge = (*Judge)(nil)

// versions names the prompt of each task.
var versions = map[string]string{
	"claims": "v1", "support": "v1", "relevance": "v1", "equivalence": "v1",
	"questions": "v1", "points": "v1", "assign": "v1", "mark": "v1",
}

// New makes a judge. The error is about the configuration.
func New(c Config) (*Judge, error) {
	switch {
	case c.Provider == nil:
		return nil, errors.New("judge model: no provider: want one that makes the calls")
	case strings.TrimSpace(c.Model) == "":
		return nil, fmt.Errorf("judge %s: no model: want the name of one", c.Provider.Name())
	case c.MaxTokens < 0 || c.Thinking < 0 || c.Window < 0 || c.Draw < 0:
		return nil, fmt.Errorf("judge %s %s: max tokens %d, thinking %d, window %d, draw %d: want none below 0",
			c.Provider.Name(), c.Model, c.MaxTokens, c.Thinking, c.Window, c.Draw)
	}
	prompts, err := prompt.LoadAll(promptFiles, "prompts", versions, c.Window)
	if err != nil {
		return nil, fmt.Errorf("judge model: %w", err)
	}
	j := &Judge{config: c, prompts: prompts, versions: map[string]string{}}
	for task, p := range prompts {
		j.versions[task] = p.Hash()
	}
	return j, nil
}

// At returns the judge for another draw, counted from 0. Draws have calls, and
// so keys in the ledger, of their own. Each shows lists in an order of its own,
// turned by its number: the same question put the same way to a model at
// temperature 0 has the same answer, and says nothing about how sure it is.
func (j *Judge) At(draw int) *Judge {
	k := *j
	k.config.Draw = draw
	return &k
}

// Info gives the provider, the model, the version of each prompt and the
// parameters that can move a ruling.
func (j *Judge) Info() assay.JudgeInfo {
	r := j.request()
	p := map[string]string{"max_tokens": strconv.Itoa(r.MaxTokens)}
	if r.Temperature != nil {
		p["temperature"] = strconv.FormatFloat(*r.Temperature, 'g', -1, 64)
	}
	if j.config.Seed != nil {
		p["seed"] = strconv.FormatInt(*j.config.Seed, 10)
	}
	if r.Thinking > 0 {
		p["thinking"] = strconv.Itoa(r.Thinking)
	}
	if w := j.config.Window; w > 0 && w != prompt.DefaultWindow {
		p["window"] = strconv.Itoa(w)
	}
	for name, v := range r.Extra {
		raw, err := json.Marshal(v)
		if err != nil {
			raw = []byte(fmt.Sprint(v))
		}
		p["extra."+name] = string(raw)
	}
	info := assay.JudgeInfo{Provider: j.config.Provider.Name(), Model: j.config.Model, Prompts: j.versions, Passes: 1, Parameters: p}
	return info.About(nil)
}

// request gives what all requests of the judge share.
func (j *Judge) request() llm.Request {
	c := j.config
	r := llm.Request{Model: c.Model, MaxTokens: c.MaxTokens, Thinking: c.Thinking, Extra: c.Extra, Draw: c.Draw}
	if r.MaxTokens == 0 {
		r.MaxTokens = llm.DefaultMaxTokens + c.Thinking
	}
	switch {
	case c.Temperature == nil && c.Thinking == 0:
		r.Temperature = new(float64)
	case c.Temperature != nil && *c.Temperature >= 0:
		r.Temperature = c.Temperature
	}
	if c.Seed != nil {
		seed := *c.Seed + int64(c.Draw)
		r.Seed = &seed
	}
	return r
}

// ask puts one question, and counts what it took.
func (j *Judge) ask(ctx context.Context, task string, s judge.Subject, data any, check func(json.RawMessage) error) (prompt.Answer, error) {
	lang := s.Language
	if lang == "" {
		lang = judge.LanguageOf(s.Question)
	}
	a, err := j.prompts[task].Ask(ctx, j.config.Provider, j.request(), string(lang), data, check)
	judge.Count(ctx, a.Spent())
	for _, w := range a.Warnings {
		judge.Warn(ctx, w)
	}
	return a, err
}

// give gives a question up: it says so to the meter, unless the run is ending
// anyway, and puts the error into the judge's terms.
func give(ctx context.Context, task string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if prompt.Fatal(err) {
		return &judge.FatalError{Err: err}
	}
	judge.Count(ctx, assay.Spending{Failed: 1})
	out := &judge.Error{Operation: task, Message: err.Error(), Err: err}
	var unread *prompt.Error
	if errors.As(err, &unread) {
		out.Message, out.Raw = unread.Message, unread.Raw
	}
	return out
}

// turn begins the list at another place for each draw.
func turn[T any](list []T, draw int) []T {
	if len(list) == 0 {
		return list
	}
	at := draw % len(list)
	return slices.Concat(list[at:], list[:at])
}
