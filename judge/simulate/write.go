package simulate

import (
	"encoding/json"
	"strings"
)

// most bounds the items that are written at once.
const most = 20

// points takes every sentence of the sources for one, the first of each source
// for a vital one.
func (r request) points() object {
	items := []object{}
	for _, s := range r.Sources {
		for k, one := range sentences(s.Text) {
			if len(items) == most {
				return object{"items": items}
			}
			items = append(items, object{"id": len(items) + 1, "point": one.text, "vital": k == 0, "source": s.ID, "quote": one.text})
		}
	}
	return object{"items": items}
}

// ideal lists the points.
func (r request) ideal() object {
	var said []string
	for _, p := range r.Points {
		said = append(said, p.Point)
	}
	return object{"answer": strings.Join(said, " ")}
}

// referenceAnswer takes from each document the sentence with most words of the
// question.
func (r request) referenceAnswer() object {
	q := read(r.Question)
	var said []string
	used := []json.RawMessage{}
	for _, d := range r.Documents {
		if s, share := best(q, sentences(d.Text)); share > 0 {
			said = append(said, s.text)
			used = append(used, d.ID)
		}
	}
	if said == nil {
		said = []string{"I do not know."}
	}
	return object{"answer": strings.Join(said, " "), "documents": used}
}

// newQuestions asks about one passage after the other; of several hops, about
// two neighbours; unanswerable ones about the year 1066, which is not told.
func (r request) newQuestions() object {
	items := []object{}
	for i := 0; i < min(r.Count, most) && len(r.Passages) > 0; i++ {
		at := i % len(r.Passages)
		p := r.Passages[at]
		all := sentences(p.Text)
		if len(all) == 0 {
			continue
		}
		// The second round asks after the second sentence.
		one := all[(i/len(r.Passages))%len(all)].text
		question, answer, from := questionAbout(0, one), one, []json.RawMessage{p.ID}
		switch r.Kind {
		case "multi_hop":
			next := r.Passages[(at+1)%len(r.Passages)]
			if more := sentences(next.Text); len(more) > 0 && len(r.Passages) > 1 {
				question = strings.TrimSuffix(question, "?") + " and " + strings.TrimPrefix(questionAbout(0, more[0].text), "What about ")
				answer, from = one+" "+more[0].text, append(from, next.ID)
			}
		case "unanswerable":
			question, answer = strings.TrimSuffix(question, "?")+" in the year 1066?", ""
		}
		items = append(items, object{"id": len(items) + 1, "question": question, "answer": answer, "passages": from})
	}
	return object{"items": items}
}
