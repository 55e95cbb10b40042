package model

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/llm"
)

// block finds the material and the nonce of a message. What is quoted in the
// material is on one line and cannot hold the mark that ends it.
var block = lazyregexp.New(`(?m)^<data nonce="([^"\n]+)">\n(.*)\n</data nonce="([^"\n]+)">$`)

// A StandIn makes up the replies to tasks beyond those of judges, by the name of
// the task, from the material of their prompts.
type StandIn map[string]func(material []byte) (any, error)

// Answer returns the text of a reply that a model might have given to a request of
// llm/prompt. It depends on the material of the request alone, and the ruling on
// an item on nothing but that item and what it is compared with. In a conversation
// the first request is answered again. An error means that the request has no
// material that can be read, or that the task is unknown.
func (s StandIn) Answer(r llm.Request) (string, error) {
	if t := taskOf(r.Operation); t != nil && t.TakesElements() {
		return playElements(t, r)
	}
	for _, m := range r.Messages {
		found := block().FindStringSubmatch(m.Text)
		if m.Role != "user" || found == nil || found[1] != found[3] {
			continue
		}
		reply, err := s.play([]byte(found[2]))
		if err != nil {
			return "", fmt.Errorf("stand-in: %w", err)
		}
		return withNonce(found[1], reply)
	}
	return "", fmt.Errorf(
		"stand-in: operation %q: no block of data in the messages: expected one between <data nonce=…> and </data nonce=…>",
		r.Operation,
	)
}

// taskOf returns the task of a name, nil if no judge is given it.
func taskOf(name string) judge.AnyTask {
	tasks := question.Tasks()
	if i := slices.IndexFunc(tasks, func(t judge.AnyTask) bool { return t.Operation() == name }); i >= 0 {
		return tasks[i]
	}
	return nil
}

// elements finds the material of a message that is XML.
var elements = lazyregexp.New(`(?s)<data nonce="[^"\n]+">\n(.*)\n</data nonce="[^"\n]+">`)

// playElements replies to a task whose material is XML: with a text, or JSON
// without a nonce.
func playElements(t judge.AnyTask, r llm.Request) (string, error) {
	found := elements().FindStringSubmatch(r.Messages[0].Text)
	if found == nil {
		return "", fmt.Errorf("stand-in: operation %q: no block of data in the first message", r.Operation)
	}
	reply, err := t.Play([]byte(found[1]))
	if err != nil {
		return "", fmt.Errorf("stand-in: %w", err)
	}
	if text, ok := reply.(string); ok {
		return text, nil
	}
	text, err := json.Marshal(reply)
	return string(text), err
}

func (s StandIn) play(material []byte) (any, error) {
	var m struct {
		Task string `json:"task"`
	}
	if err := json.Unmarshal(material, &m); err != nil {
		return nil, fmt.Errorf("material: %w", err)
	}
	play := s[m.Task]
	if t := taskOf(m.Task); t != nil {
		play = t.Play
	}
	if play == nil {
		return nil, fmt.Errorf("material: unsupported task %q", m.Task)
	}
	return play(material)
}

// withNonce puts the nonce in front, as a model does that follows its examples: a
// reply that breaks off then still has it.
func withNonce(nonce string, reply any) (string, error) {
	first, err := json.Marshal(nonce)
	if err != nil {
		return "", err
	}
	rest, err := json.Marshal(reply)
	return `{"nonce":` + string(first) + "," + strings.TrimPrefix(string(rest), "{"), err
}
