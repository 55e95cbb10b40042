package rag

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag/profile"
)

// DefaultWindow is how many tokens a prompt may have when nothing else is said.
const DefaultWindow = 100_000

// A Model is a language model that a stage asks.
type Model struct {
	Provider llm.Provider
	// Base carries the model's name and parameters.
	Base llm.Request
	// Window is the most tokens of a prompt and its reply; 0 is
	// [DefaultWindow].
	Window int
}

// Identity names the model with its parameters.
func (m Model) Identity() string {
	b := m.Base
	parts := []string{}
	add := func(name string, v any) { parts = append(parts, fmt.Sprintf("%s=%v", name, v)) }
	if b.Temperature != nil {
		add("temperature", number(*b.Temperature))
	}
	if b.MaxTokens != 0 {
		add("max_tokens", b.MaxTokens)
	}
	if b.Thinking != 0 {
		add("thinking", b.Thinking)
	}
	if b.Seed != nil {
		add("seed", *b.Seed)
	}
	for _, name := range slices.Sorted(maps.Keys(b.Extra)) {
		add(name, string(raw(b.Extra[name])))
	}
	if m.Window != 0 && m.Window != DefaultWindow {
		add("window", m.Window)
	}
	name := m.Provider.Name() + ":" + b.Model
	if len(parts) > 0 {
		name += "(" + strings.Join(parts, ",") + ")"
	}
	return name
}

// room is how many tokens of the window a prompt may have: what the reply may
// take, a quarter of the window at most, is kept for it, and a tenth because all
// counts are estimates.
func (m Model) room() int {
	window := cmp.Or(m.Window, DefaultWindow)
	reply := cmp.Or(m.Base.MaxTokens, llm.DefaultMaxTokens)
	return window - min(reply, window/4) - window/10
}

// request builds a question to the model.
func (m Model) request(operation string, t Turn, p profile.Prompt, schema json.RawMessage) llm.Request {
	r := m.Base
	r.Operation, r.System, r.Schema = operation, p.System, schema
	r.Messages = []llm.Message{{Role: "user", Text: p.User}}
	r.Draw += t.Draw
	return r
}

// shown is a prompt as one text.
func shown(p profile.Prompt) string {
	if p.System == "" {
		return p.User
	}
	return "system: " + p.System + "\n\nuser: " + p.User
}

// ask asks and has the reply read. A reply that cannot be read is sent back once
// with what is wrong with it. What was spent is in the step even when there is
// an error.
func (m Model) ask(ctx context.Context, r llm.Request, read func(reply string) error) (Step, error) {
	step := Step{Prompt: shown(profile.Prompt{System: r.System, User: r.Messages[0].Text})}
	reply, err := m.complete(ctx, r, &step)
	if err != nil {
		return step, err
	}
	problem := read(reply.Text)
	if problem == nil {
		return step, nil
	}
	step.note("the first reply could not be used and was mended: " + problem.Error())
	const longest = 6000
	if said := text.Visible(text.Shorten(reply.Text, longest)); strings.TrimSpace(said) != "" {
		r.Messages = []llm.Message{r.Messages[0], {Role: "assistant", Text: said}, {Role: "user", Text: repair(problem)}}
	} else {
		// Servers refuse an empty turn, and some two of one role in a row.
		r.Messages = []llm.Message{{Role: "user", Text: r.Messages[0].Text + "\n\n" + repair(problem)}}
	}
	if reply, err = m.complete(ctx, r, &step); err != nil {
		return step, err
	}
	if problem = read(reply.Text); problem != nil {
		return step, lasting("%s: the reply cannot be used: %w", m.name(), problem)
	}
	return step, nil
}

func (m Model) name() string { return m.Provider.Name() + ":" + m.Base.Model }

// repair is what a model is told of a reply that cannot be used.
func repair(problem error) string {
	return "This reply cannot be used: " + text.Visible(text.Shorten(problem.Error(), 600)) + ". Reply again, in the form that was asked for and with nothing else."
}

// complete makes one call and accounts for it.
func (m Model) complete(ctx context.Context, r llm.Request, step *Step) (llm.Reply, error) {
	reply, err := m.Provider.Complete(ctx, r)
	if err != nil {
		return reply, err
	}
	step.Usage = plus(step.Usage, reply.Total())
	if reply.Model != "" && reply.Model != r.Model {
		step.note("the model calls itself " + reply.Model)
	}
	if reply.Stop == "length" {
		step.note("the reply ran into the limit of tokens")
	}
	for _, w := range reply.Warnings {
		step.note(w)
	}
	return reply, nil
}

// note adds a remark, once.
func (s *Step) note(remark string) {
	switch {
	case s.Note == "":
		s.Note = remark
	case !strings.Contains(s.Note, remark):
		s.Note += "; " + remark
	}
}

// then adds a further step to the same stage.
func (s *Step) then(next Step) {
	if s.Prompt != "" && next.Prompt != "" {
		s.Prompt += "\n\n"
	}
	s.Prompt += next.Prompt
	if next.Note != "" {
		s.note(next.Note)
	}
	s.Usage = plus(s.Usage, next.Usage)
}

func plus(a, b assay.Usage) assay.Usage {
	return assay.Usage{InputTokens: a.InputTokens + b.InputTokens, OutputTokens: a.OutputTokens + b.OutputTokens, Cost: a.Cost + b.Cost}
}

// readObject reads the one JSON object of a reply into v. Reasoning, prose and a
// code fence may stand around it; another object, a field that v has not, and a
// field that is there twice may not.
func readObject(reply string, v any) error {
	s := strings.TrimPrefix(strings.TrimSpace(reply), "\ufeff")
	if i := strings.LastIndex(s, "</think>"); i >= 0 {
		s = s[i+len("</think>"):]
	}
	if strings.TrimSpace(s) == "" {
		return errors.New("it is empty: want one JSON object")
	}
	for begin := strings.IndexByte(s, '{'); begin >= 0; {
		s = s[begin:]
		var object json.RawMessage
		d := json.NewDecoder(strings.NewReader(s))
		err := d.Decode(&object)
		if err != nil {
			// Prose may have a brace; what follows it may be the object.
			if next := strings.IndexByte(s[1:], '{'); next >= 0 && !errors.Is(err, io.ErrUnexpectedEOF) {
				begin = next + 1
				continue
			}
			return fmt.Errorf("its JSON cannot be read: %w", err)
		}
		if rest := s[d.InputOffset():]; strings.IndexByte(rest, '{') >= 0 {
			return errors.New("it holds more than one object: want one")
		}
		strict := json.NewDecoder(strings.NewReader(string(object)))
		strict.DisallowUnknownFields()
		if err := strict.Decode(v); err != nil {
			return fmt.Errorf("its JSON is another than was asked for: %s", strings.TrimPrefix(err.Error(), "json: "))
		}
		return nil
	}
	return errors.New("it holds no JSON object: want one")
}
