package generate

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/assay-eval/assay/judge/standin"
)

// StandIns returns functions that stand in for a model, by the task of a
// [Writer]. They reply from the material in the prompt, for tests and cost
// estimates.
func StandIns() map[string]func(material []byte) (any, error) {
	return map[string]func([]byte) (any, error){
		taskAnswer: played(playAnswer), taskQuestions: played(playQuestions), taskIdeal: played(playIdeal),
	}
}

func played(reply func(material) object) func([]byte) (any, error) {
	return func(data []byte) (any, error) {
		var m material
		if err := json.Unmarshal(data, &m); err != nil {
			return nil, fmt.Errorf("material: %w", err)
		}
		return reply(m), nil
	}
}

type object = map[string]any

// material has the fields of all tasks. Ids are returned unchanged.
type material struct {
	Kind      string `json:"kind"`
	Question  string `json:"question"`
	Count     int    `json:"count"`
	Passages  []item `json:"passages"`
	Documents []item `json:"documents"`
	Points    []struct {
		Point string `json:"point"`
	} `json:"points"`
}

type item struct {
	ID   json.RawMessage `json:"id"`
	Text string          `json:"text"`
}

// most bounds the items written at once.
const most = 20

// playIdeal lists the points.
func playIdeal(r material) object {
	var said []string
	for _, p := range r.Points {
		said = append(said, p.Point)
	}
	return object{"answer": strings.Join(said, " ")}
}

// playAnswer takes from each document the sentence that shares most words with
// the question.
func playAnswer(r material) object {
	q := standin.Read(r.Question)
	var said []string
	used := []json.RawMessage{}
	for _, d := range r.Documents {
		if s, share := standin.Best(q, standin.Sentences(d.Text)); share > 0 {
			said = append(said, s.Text)
			used = append(used, d.ID)
		}
	}
	if said == nil {
		said = []string{"I do not know."}
	}
	return object{"answer": strings.Join(said, " "), "documents": used}
}

// playQuestions asks about one passage after the other; multi-hop questions ask
// about two neighbours, and unanswerable ones about the year 1066, which no
// passage mentions.
func playQuestions(r material) object {
	items := []object{}
	for i := 0; i < min(r.Count, most) && len(r.Passages) > 0; i++ {
		at := i % len(r.Passages)
		p := r.Passages[at]
		all := standin.Sentences(p.Text)
		if len(all) == 0 {
			continue
		}
		// The second round asks about the second sentence.
		one := all[(i/len(r.Passages))%len(all)].Text
		question, answer, from := standin.QuestionAbout(0, one), one, []json.RawMessage{p.ID}
		switch r.Kind {
		case "multi_hop":
			next := r.Passages[(at+1)%len(r.Passages)]
			if more := standin.Sentences(next.Text); len(more) > 0 && len(r.Passages) > 1 {
				question = strings.TrimSuffix(question, "?") + " and " + strings.TrimPrefix(standin.QuestionAbout(0, more[0].Text), "What about ")
				answer, from = one+" "+more[0].Text, append(from, next.ID)
			}
		case "unanswerable":
			question, answer = strings.TrimSuffix(question, "?")+" in the year 1066?", ""
		}
		items = append(items, object{"id": len(items) + 1, "question": question, "answer": answer, "passages": from})
	}
	return object{"items": items}
}
