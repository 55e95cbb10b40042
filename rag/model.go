package rag

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/prompt"
	"github.com/assay-eval/assay/rag/profile"
)

// DefaultWindow is the default size of a prompt in tokens.
const DefaultWindow = 100_000

// A Model is the language model of a stage.
type Model struct {
	Provider llm.Provider
	// Base carries the model's name and parameters.
	Base llm.Request
	// Window is the maximum number of tokens of a prompt and its reply; 0 means
	// [DefaultWindow].
	Window int
}

// Identity returns the model's name with its parameters.
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

// room returns how many tokens a prompt may have: the window minus the space for the
// reply, at most a quarter of the window, and minus a tenth, because all counts are
// estimates.
func (m Model) room() int {
	window := cmp.Or(m.Window, DefaultWindow)
	reply := cmp.Or(m.Base.MaxTokens, llm.DefaultMaxTokens)
	return window - min(reply, window/4) - window/10
}

// request builds a request to the model.
func (m Model) request(operation string, t Turn, p profile.Prompt, schema json.RawMessage) llm.Request {
	r := m.Base
	r.Operation, r.System, r.Schema = operation, p.System, schema
	r.Messages = []llm.Message{{Role: "user", Text: p.User}}
	r.Draw += t.Draw
	return r
}

// shown returns a prompt as one text.
func shown(p profile.Prompt) string {
	if p.System == "" {
		return p.User
	}
	return "system: " + p.System + "\n\nuser: " + p.User
}

// ask asks the model and parses the reply. An unusable reply is sent back once with the
// problem; a refusal is a reply only of the generator. The step includes what was spent even if there is an error.
func (m Model) ask(ctx context.Context, r llm.Request, read func(llm.Reply) error) (Step, error) {
	step := Step{Prompt: shown(profile.Prompt{System: r.System, User: r.Messages[0].Text})}
	e := prompt.Exchange{Provider: m.Provider, Request: r, AllowRefusal: r.Operation == opGenerate, Read: read}
	did, err := e.Do(ctx)
	for i, reply := range did.Replies {
		m.account(reply, &step)
		if i < len(did.Problems) {
			step.note("the first reply was unusable and was corrected: " + did.Problems[i].Error())
		}
	}
	var unusable *prompt.Unusable
	if errors.As(err, &unusable) {
		return step, lasting("%s: %w", m.name(), unusable)
	}
	return step, err
}

func (m Model) name() string { return m.Provider.Name() + ":" + m.Base.Model }

// account adds the usage of a reply, and remarks about it, to the step.
func (m Model) account(reply llm.Reply, step *Step) {
	step.Usage = step.Usage.Plus(reply.Total())
	if reply.Model != "" && reply.Model != m.Base.Model {
		step.note("the server names the model " + reply.Model)
	}
	if reply.Stop == "length" {
		step.note("the reply reached the token limit")
	}
	for _, w := range reply.Warnings {
		step.note(w)
	}
}

// note adds a remark unless it is there already.
func (s *Step) note(remark string) {
	switch {
	case s.Note == "":
		s.Note = remark
	case !strings.Contains(s.Note, remark):
		s.Note += "; " + remark
	}
}

// then adds another call to the same stage.
func (s *Step) then(next Step) {
	if s.Prompt != "" && next.Prompt != "" {
		s.Prompt += "\n\n"
	}
	s.Prompt += next.Prompt
	if next.Note != "" {
		s.note(next.Note)
	}
	s.Usage = s.Usage.Plus(next.Usage)
}

// readObject reads the one JSON object of a reply into v, which has to have all
// of its fields.
func readObject(reply string, v any) error {
	object, err := prompt.Object(reply)
	if err != nil {
		return err
	}
	strict := json.NewDecoder(bytes.NewReader(object))
	strict.DisallowUnknownFields()
	if err := strict.Decode(v); err != nil {
		return fmt.Errorf("its JSON is another than was asked for: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}
