// Package simulate plays a judge for the fake provider: it answers the requests
// of llm/prompt by counting words. It is a stand-in, for tests and demos that
// must cost nothing and give the same every time. It is no judge: it knows
// nothing of meaning, its rulings agree with nobody's, and no score that came of
// it says anything about a system. The judge that works without a model is
// judge/offline.
package simulate

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/assay-eval/assay/llm"
)

// block finds the data and the nonce of a message. What is quoted in the data
// is on one line and cannot hold the mark that ends it.
var block = regexp.MustCompile(`(?m)^<data nonce="([^"\n]+)">\n(.*)\n</data nonce="([^"\n]+)">$`)

// Answer gives the text of the reply that a model might have given. It depends
// on nothing but the data of the request, an item's ruling on nothing but the
// item and what it is held against: the same item gets the same ruling in
// another company. In a conversation the first question is answered again. An
// error means that the request has no data that can be read, or a task that
// nobody plays.
func Answer(r llm.Request) (string, error) {
	for _, m := range r.Messages {
		found := block.FindStringSubmatch(m.Text)
		if m.Role != "user" || found == nil || found[1] != found[3] {
			continue
		}
		reply, err := play([]byte(found[2]))
		if err != nil {
			return "", fmt.Errorf("simulate: %w", err)
		}
		return write(found[1], reply)
	}
	return "", fmt.Errorf("simulate: operation %q: no block of data in the messages: want one between <data nonce=…> and </data nonce=…>", r.Operation)
}

// object is a value of JSON.
type object = map[string]any

// write puts the nonce in front, as a model does that follows its examples: a
// reply that breaks off then still has it.
func write(nonce string, reply object) (string, error) {
	first, err := json.Marshal(nonce)
	if err != nil {
		return "", err
	}
	rest, err := json.Marshal(reply)
	return `{"nonce":` + string(first) + "," + strings.TrimPrefix(string(rest), "{"), err
}

// request has the fields of all tasks.
type request struct {
	Task       string   `json:"task"`
	Kind       string   `json:"kind"`
	Question   string   `json:"question"`
	Answer     string   `json:"answer"`
	Count      int      `json:"count"`
	References []string `json:"references"`
	Sentences  []item   `json:"sentences"`
	Sources    []item   `json:"sources"`
	Passages   []item   `json:"passages"`
	Documents  []item   `json:"documents"`
	Claims     []claim  `json:"claims"`
	Points     []point  `json:"points"`
	Rubric     struct {
		Dimensions []struct {
			Name    string   `json:"name"`
			Anchors []string `json:"anchors"`
		} `json:"dimensions"`
	} `json:"rubric"`
}

// item is a text with an id, which is a number or a word, and given back as it
// came.
type item struct {
	ID   json.RawMessage `json:"id"`
	Text string          `json:"text"`
}

// UnmarshalJSON reads a text alone too: some tasks number nothing.
func (i *item) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &i.Text)
	}
	type plain item
	return json.Unmarshal(b, (*plain)(i))
}

type claim struct {
	ID      json.RawMessage   `json:"id"`
	Claim   string            `json:"claim"`
	Sources []json.RawMessage `json:"sources"`
}

type point struct {
	ID    json.RawMessage `json:"id"`
	Point string          `json:"point"`
}

func play(data []byte) (object, error) {
	var r request
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	switch r.Task {
	case "claims":
		return r.claims(), nil
	case "support":
		return r.support(), nil
	case "relevance":
		return r.relevance(), nil
	case "equivalence":
		return r.equivalence(), nil
	case "questions":
		return r.questions(), nil
	case "points":
		return r.points(), nil
	case "assign":
		return r.assign(), nil
	case "mark":
		return r.mark(), nil
	case "reference_answer":
		return r.referenceAnswer(), nil
	case "new_questions":
		return r.newQuestions(), nil
	case "ideal":
		return r.ideal(), nil
	case "":
		return nil, errors.New("data: no task")
	}
	return nil, fmt.Errorf("data: task %q: nobody plays it", r.Task)
}
