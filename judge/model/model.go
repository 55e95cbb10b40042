// Package model is a judge that asks a language model. It puts the tasks of
// judge/question, whose prompts are files in English and Chinese, and each of
// whose versions is a part of the judge's identity.
package model

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/prompt"
)

// Config says which model judges, and how it is called.
type Config struct {
	// Provider makes the calls: an llm.Client, which keeps them in a ledger.
	Provider llm.Provider
	// Request is what all requests are like. Its Temperature is 0 if nil, or not sent when the
	// model thinks, for providers then refuse any but their own; below 0 it is not sent. Its
	// MaxTokens of 0 mean [llm.DefaultMaxTokens] and the budget for thinking. Its Draw tells
	// repeated draws apart; see [Judge.At].
	llm.Request
	// Window is the length of the model's window in tokens; 0 means
	// [prompt.DefaultWindow]. Longer texts are cut, with a warning.
	Window int
	// Retry says what is asked again and when; see [prompt.Retry].
	Retry prompt.Retry
}

// A Judge is one model at one draw. It is immutable and safe for concurrent
// use.
type Judge struct {
	config  Config
	prompts map[string]*prompt.Prompt
	// versions are those of the prompts, by their names.
	versions map[string]string
}

var (
	_ judge.Judge = (*Judge)(nil)
	_ judge.Model = (*Judge)(nil)
)

// New makes a judge. The error is about the configuration.
func New(c Config) (*Judge, error) {
	switch {
	case c.Provider == nil:
		return nil, errors.New("judge model: no provider: expected one that makes the calls")
	case strings.TrimSpace(c.Model) == "":
		return nil, fmt.Errorf("judge %s: no model: expected the name of one", c.Provider.Name())
	case c.MaxTokens < 0 || c.Thinking < llm.NoThinking || c.Window < 0 || c.Draw < 0:
		return nil, fmt.Errorf("judge %s %s: max tokens %d, thinking %d, window %d, draw %d: must not be below 0",
			c.Provider.Name(), c.Model, c.MaxTokens, c.Thinking, c.Window, c.Draw)
	}
	if c.MaxTokens == 0 {
		c.MaxTokens = llm.DefaultMaxTokens + max(0, c.Thinking)
	}
	if c.Temperature == nil && c.Thinking <= 0 {
		c.Temperature = new(float64)
	} else if c.Temperature != nil && *c.Temperature < 0 {
		c.Temperature = nil
	}
	j := &Judge{config: c, prompts: map[string]*prompt.Prompt{}, versions: map[string]string{}}
	for _, t := range question.Tasks() {
		files, version, reading := t.Files()
		load := prompt.Load
		if t.TakesElements() {
			load = prompt.LoadElements
		}
		p, err := load(files, t.Operation()+"."+version)
		if err != nil {
			return nil, fmt.Errorf("judge model: %w", err)
		}
		j.prompts[t.Operation()] = p.Within(c.Window).Retrying(c.Retry)
		j.versions[t.Operation()] = versionOf(p.Hash(), reading)
	}
	return j, nil
}

// versionOf is that of a prompt with what reads its replies. As long as reading is
// 0, it is the hash of the prompt.
func versionOf(hash string, reading int) string {
	if reading == 0 {
		return hash
	}
	return fmt.Sprintf("sha256:%x", sha256.Sum256(fmt.Appendf(nil, "%s reading %d", hash, reading)))
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

// Info returns the provider, the model, the version of each prompt and the
// parameters that can move a ruling.
func (j *Judge) Info() assay.JudgeInfo {
	r := j.config.Request
	p := map[string]string{"max_tokens": strconv.Itoa(r.MaxTokens)}
	if r.Temperature != nil {
		p["temperature"] = strconv.FormatFloat(*r.Temperature, 'g', -1, 64)
	}
	if r.Thinking < 0 {
		p["thinking"] = "off"
	} else if r.Thinking > 0 {
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

// Ask puts a task to the model.
func (j *Judge) Ask(ctx context.Context, t judge.AnyTask, s judge.Subject, given any) (any, error) {
	return t.AskModel(ctx, j, s, given)
}

// Draw counts repeated draws from 0.
func (j *Judge) Draw() int { return j.config.Draw }

// Put puts one prompt, and counts what it took.
func (j *Judge) Put(
	ctx context.Context, t judge.AnyTask, s judge.Subject, material any, check func(json.RawMessage) error,
) (judge.Reply, error) {
	return j.put(ctx, t, s, func(p *prompt.Prompt, lang string) (prompt.Answer, error) {
		return p.Ask(ctx, j.config.Provider, j.config.Request, lang, material, check)
	})
}

// PutElements puts one prompt whose material is XML elements.
func (j *Judge) PutElements(
	ctx context.Context, t judge.AnyTask, s judge.Subject, elements []judge.Element, read func(reply []byte) error,
) (judge.Reply, error) {
	material := make([]string, len(elements))
	for i, e := range elements {
		material[i] = prompt.Element(e.Name, prompt.Escape(e.Text), e.Attributes...)
	}
	return j.put(ctx, t, s, func(p *prompt.Prompt, lang string) (prompt.Answer, error) {
		return p.AskElements(ctx, j.config.Provider, j.config.Request, lang, material, read)
	})
}

// put finds the prompt of a task, asks, and counts what it took.
func (j *Judge) put(
	ctx context.Context, t judge.AnyTask, s judge.Subject, ask func(p *prompt.Prompt, lang string) (prompt.Answer, error),
) (judge.Reply, error) {
	task := t.Operation()
	p := j.prompts[task]
	if p == nil {
		return judge.Reply{}, &judge.Error{Operation: task, Message: "no prompt: expected a task of judge/question"}
	}
	lang := s.Language
	if lang == "" {
		lang = judge.LanguageOf(s.Question)
	}
	a, err := ask(p, string(lang))
	judge.Count(ctx, a.Spent())
	judge.Called(ctx, a.Keys()...)
	for _, w := range a.Warnings {
		judge.Warn(ctx, w)
	}
	out := judge.Reply{Object: a.JSON, Partial: a.Partial, Items: a.Items, Whole: a.Whole}
	if n := len(a.Replies); n > 0 {
		out.Thinking = a.Replies[n-1].Thinking
	}
	return out, inTerms(task, err)
}

// inTerms puts an error into the terms of judges.
func inTerms(task string, err error) error {
	switch {
	case err == nil:
		return nil
	case prompt.Fatal(err):
		return &judge.FatalError{Err: err}
	}
	out := &judge.Error{Operation: task, Message: err.Error(), Err: err}
	var unread *prompt.Error
	if errors.As(err, &unread) {
		out.Message, out.Raw = unread.Message, unread.Raw
	}
	return out
}
