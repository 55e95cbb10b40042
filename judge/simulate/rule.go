package simulate

import (
	"math"
	"strings"
)

// relevance grades by the share of the question's words that a passage has:
// 3 from three quarters, 2 from a half, 1 from a quarter.
func (r request) relevance() object {
	q := read(r.Question)
	items := []object{}
	for _, p := range r.Passages {
		score := min(3, int(q.share(read(p.Text))*4))
		quote := ""
		if s, _ := best(q, sentences(p.Text)); score > 1 {
			quote = s.text
		}
		items = append(items, object{"id": p.ID, "score": score, "quote": quote, "why": "by the words of the question"})
	}
	return object{"items": items}
}

// equivalence wants the numbers and negations of a reference, and more than
// half of its words.
func (r request) equivalence() object {
	a := read(r.Answer)
	for _, ref := range r.References {
		if w := read(ref); !declines(r.Answer) && a.agrees(w) && w.share(a) > 0.5 {
			return object{"equivalent": true, "why": "the answer has the words of a reference"}
		}
	}
	return object{"equivalent": false, "why": "the answer lacks words of the references"}
}

// questions asks for what the sentences of the answer are about.
func (r request) questions() object {
	all := sentences(r.Answer)
	evades := declines(r.Answer)
	items := []object{}
	for i := range min(r.Count, most) {
		about := r.Answer
		if len(all) > 0 {
			about = all[i%len(all)].text
		}
		items = append(items, object{"id": i + 1, "question": questionAbout(i, about), "noncommittal": evades})
	}
	return object{"items": items}
}

// questionAbout asks after the first words of a text.
func questionAbout(i int, s string) string {
	w := words(s)
	subject := strings.Join(w[:min(len(w), 8)], " ")
	return []string{"What about " + subject + "?", "What is known of " + subject + "?", "Tell me: " + subject + "?"}[i%3]
}

// assign gives credit for the share of a point's words that one sentence of the
// answer has, or the whole answer for a part.
func (r request) assign() object {
	all, whole := sentences(r.Answer), read(r.Answer)
	items := []object{}
	for _, p := range r.Points {
		c := read(p.Point)
		s, share := best(c, all)
		verdict, quote := "not_support", ""
		switch {
		case share >= supports && s.agrees(c):
			verdict, quote = "support", s.text
		case c.share(whole) >= 0.4:
			verdict, quote = "partial_support", s.text
		}
		items = append(items, object{"id": p.ID, "verdict": verdict, "quote": quote, "why": "by the words of the point"})
	}
	return object{"items": items}
}

// mark gives every dimension the level that matches the share of the first
// reference's words, or the question's where there is none, that the answer has.
func (r request) mark() object {
	want := read(r.Question)
	if len(r.References) > 0 {
		want = read(r.References[0])
	}
	share, quote := want.share(read(r.Answer)), ""
	if s, _ := best(want, sentences(r.Answer)); s.text != "" {
		quote = s.text
	}
	items := []object{}
	for _, d := range r.Rubric.Dimensions {
		level := int(math.Round(share * float64(max(len(d.Anchors)-1, 0))))
		items = append(items, object{"dimension": d.Name, "level": level, "quote": quote, "why": "by the words of the reference"})
	}
	return object{"items": items}
}
