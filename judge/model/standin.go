package model

import (
	"encoding/json"
	"errors"
	"fmt"
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
	for _, t := range question.Tasks() {
		if t.Operation() == r.Operation && t.TakesElements() {
			return playElements(t, r)
		}
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
	if m.Task == "" {
		return nil, errors.New("material: no task")
	}
	for _, t := range question.Tasks() {
		if t.Operation() == m.Task {
			return t.Play(material)
		}
	}
	if play := s[m.Task]; play != nil {
		return play(material)
	}
	return nil, fmt.Errorf("material: unsupported task %q", m.Task)
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
