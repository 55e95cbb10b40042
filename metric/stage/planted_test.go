package stage_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric/stage"
)

// A house is a small system that answers questions about the places of a town. Each
// document is about one place, in chunks of one fact each. Everything follows from a seed.
type house struct {
	chunks []assay.Passage
	asked  []inquiry
}

// An inquiry is a question with its answer, the chunk that has it, and the same answer and
// chunk in other words.
type inquiry struct {
	question, garbled   string
	answer, otherAnswer string
	sentence, other     string
	id, document        string
}

var (
	placeNames = strings.Fields("Larkhill Harrow Bexley Inver Ormond Quill Dunmere Jarrow Coldwell Selby Thorne Amble Brack Corrin Dell Eskdale " +
		"Fenwick Garrow Hollin Ives")
	placeKinds = []string{"Library", "Theatre", "Greenhouse", "Ferry Terminal", "Swimming Hall", "Clinic"}
	firstNames = strings.Fields("Ada Viktor Stefan Mira Jonas Petra Oskar Lena Tomas Greta")
	lastNames  = strings.Fields("Brandt Castell Orsini Lindqvist Varga Holloway Marchetti Novotny Abelson Kessler")
	monthNames = strings.Fields("January February March April June September October November")
	fillers    = []string{"The staff meets each Monday in the hall.", "Tea is served in the afternoon.",
		"Bicycles may be left at the racks beside the gate.", "Dogs must wait outside.", "A map hangs next to the door."}
	tens = strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety")
)

// places opens a house of some places.
func places(n int, seed uint64) *house {
	rng := rand.New(rand.NewPCG(seed, 36))
	h := &house{}
	one := func(list []string) string { return list[rng.IntN(len(list))] }
	for d := range n {
		name, kind := placeNames[d%len(placeNames)], placeKinds[(d/len(placeNames)+d)%len(placeKinds)]
		place := name + " " + kind
		ten, unit := rng.IntN(len(tens)), 1+rng.IntN(9)
		cost := 10*(ten+2) + unit
		day, month := 1+rng.IntN(28), one(monthNames)
		people := 101 + rng.IntN(1800)
		first, last := one(firstNames), one(lastNames)
		year := 1850 + rng.IntN(150)
		garbled := string(name[0]) + "a" + name[len(name)-2:] + "e hill"
		for i, f := range []inquiry{
			{question: "What does a yearly pass for the %s cost?", answer: fmt.Sprintf("%d dollars", cost),
				otherAnswer: fmt.Sprintf("%s-%s dollars", tens[ten], spelled(unit)),
				sentence:    "A yearly pass for the %s costs %s.", other: "Whoever visits the %s all year long pays %s for it."},
			{question: "When does the %s close for the annual repairs?", answer: fmt.Sprintf("%d %s", day, month),
				otherAnswer: fmt.Sprintf("%s %d", month, day),
				sentence:    "The %s closes for the annual repairs on %s.", other: "Craftsmen have the %s to themselves from %s on, when its doors are shut."},
			{question: "How many people may be inside the %s at once?", answer: fmt.Sprintf("%d people", people),
				otherAnswer: thousands(people) + " people",
				sentence:    "No more than %[2]s may be inside the %[1]s at once.", other: "The fire brigade limits the %s to %s."},
			{question: "Who designed the %s?", answer: first + " " + last, otherAnswer: first[:1] + ". " + last,
				sentence: "The %s was designed by %s.", other: "The plans of the %s are the work of %s."},
			{question: "In which year was the %s opened?", answer: fmt.Sprint(year), otherAnswer: fmt.Sprintf("the year %d", year),
				sentence: "The %s was opened in %s.", other: "Visitors have come to the %s since %s."},
		} {
			q := f
			q.question, q.garbled = fmt.Sprintf(f.question, place), fmt.Sprintf(f.question, garbled)
			q.sentence, q.other = fmt.Sprintf(f.sentence, place, f.answer), fmt.Sprintf(f.other, place, f.otherAnswer)
			q.document, q.id = fmt.Sprintf("d%03d", d), fmt.Sprintf("d%03d#%d", d, i)
			h.asked = append(h.asked, q)
			h.chunks = append(h.chunks, assay.Passage{ID: q.id, Document: q.document, Index: i,
				Text: one(fillers) + " " + q.sentence + " " + one(fillers)})
		}
	}
	rng.Shuffle(len(h.asked), func(i, j int) { h.asked[i], h.asked[j] = h.asked[j], h.asked[i] })
	return h
}

func spelled(n int) string {
	return strings.Fields("zero one two three four five six seven eight nine")[n]
}

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

// search ranks the chunks by the words that they share with a question, rare ones first.
func (h *house) search(question string, k int, without func(assay.Passage) bool) []assay.Passage {
	of := func(s string) map[string]bool {
		out := map[string]bool{}
		for _, w := range text.Tokens(text.MatchForm(s)) {
			out[strings.Trim(w, ".,?")] = true
		}
		return out
	}
	words := make([]map[string]bool, len(h.chunks))
	count := map[string]int{}
	for i, c := range h.chunks {
		words[i] = of(c.Text)
		for w := range words[i] {
			count[w]++
		}
	}
	type hit struct {
		i     int
		score float64
	}
	var hits []hit
	for i, c := range h.chunks {
		if without != nil && without(c) {
			continue
		}
		score := 0.0
		for _, w := range slices.Sorted(maps.Keys(of(question))) { // sums depend on their order
			if words[i][w] {
				score += 1 / float64(count[w])
			}
		}
		hits = append(hits, hit{i, score})
	}
	slices.SortStableFunc(hits, func(a, b hit) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	var out []assay.Passage
	for _, x := range hits[:min(k, len(hits))] {
		p := h.chunks[x.i]
		p.Score = x.score
		out = append(out, p)
	}
	return out
}

// A planting is a fault, and the stages that may be named for it: the one that is at fault,
// or the one that answers for it where the trace cannot show it.
type planting struct {
	name   string
	truth  []string
	broken func(i int) string
}

func always(s string) func(int) string { return func(int) string { return s } }

var plantings = []planting{
	{"low k", []string{assay.StageRetrieve}, always("low k")},
	{"dropped from the index", []string{assay.StageRetrieve, assay.LostNotInIndex}, always("index")},
	{"reranker inverted", []string{assay.StageFilter}, always("filter")},
	{"prompt cut", []string{assay.LostPack}, always("pack")},
	{"passage cut inside the prompt", []string{assay.LostPack}, always("cut")},
	{"generator ignores context", []string{assay.StageGenerate}, always("generate")},
	{"two at once", []string{assay.StageFilter, assay.StageGenerate}, always("filter+generate")},
	{"30 % partial", []string{assay.StageFilter}, func(i int) string {
		if i%10 < 3 {
			return "filter"
		}
		return ""
	}},
	{"paraphrased passages", []string{assay.StageGenerate}, always("paraphrase+generate")},
	{"paraphrased passages, low k", []string{assay.StageRetrieve}, always("paraphrase+low k")},
	{"garbled transcript", []string{assay.StageTranscribe}, always("transcribe")},
}

// ask asks the house, with a fault; right reports whether the answer is.
func (h *house) ask(q inquiry, fault string) (r assay.Response, right bool) {
	breaks := func(s string) bool { return slices.Contains(strings.Split(fault, "+"), s) }
	heard := q.question
	if breaks("transcribe") {
		heard = q.garbled
	}
	gold := func(p assay.Passage) bool { return p.ID == q.id }
	var without func(assay.Passage) bool
	switch {
	case breaks("low k"):
		without = gold
	case breaks("index"):
		without = func(p assay.Passage) bool { return p.Document == q.document }
	}
	retrieved := h.search(heard, 8, without)
	if breaks("paraphrase") {
		for i, p := range retrieved {
			j := slices.IndexFunc(h.asked, func(o inquiry) bool { return o.id == p.ID })
			retrieved[i].Text = strings.Replace(p.Text, h.asked[j].sentence, h.asked[j].other, 1)
		}
	}
	kept := slices.Clone(retrieved[:4])
	if breaks("filter") {
		kept = slices.DeleteFunc(slices.Clone(retrieved), gold)[:4]
	}
	prompt := slices.Clone(kept[:3])
	if breaks("pack") {
		prompt = slices.DeleteFunc(prompt, gold)
	}
	if breaks("cut") {
		for i, p := range prompt {
			if gold(p) {
				prompt[i].Text = p.Text[:strings.Index(p.Text, q.answer)]
			}
		}
	}
	r.Answer = "It is not that."
	for _, p := range prompt {
		if gold(p) && !breaks("generate") && (strings.Contains(p.Text, q.sentence) || strings.Contains(p.Text, q.other)) {
			r.Answer, right = "The answer is "+q.answer+".", true
		}
	}
	r.Passages = kept
	r.Trace = &assay.Trace{Stages: []assay.Stage{
		{Name: assay.StageTranscribe, Input: raw("q.wav"), Output: raw(heard)},
		{Name: assay.StageRetrieve, Output: raw(retrieved)}, {Name: assay.StageFilter, Output: raw(kept)},
		{Name: assay.StageGenerate, Input: raw(prompt), Output: raw(r.Answer)},
	}}
	return r, right
}

// labelings are the labels of a case, by name.
var labelings = []struct {
	name string
	add  func(*assay.Want, inquiry)
}{
	{"chunk ids", func(w *assay.Want, q inquiry) { w.Documents = map[string]int{q.id: 1} }},
	{"passages", func(w *assay.Want, q inquiry) { w.Passages = []string{q.sentence} }},
	{"keywords", func(w *assay.Want, q inquiry) { w.Keywords = []string{q.answer} }},
	{"answer", func(w *assay.Want, q inquiry) { w.Answers = []string{q.answer} }},
	{"document", func(w *assay.Want, q inquiry) {
		if w.Documents == nil {
			w.Documents = map[string]int{q.document: 1}
		}
	}},
}

// labelled is a case with the labels of a set of bits.
func labelled(q inquiry, set int) *assay.Case {
	c := &assay.Case{ID: q.id, Question: q.question, Audio: "q.wav", Want: assay.Want{Transcript: &q.question}}
	for i, l := range labelings {
		if set&(1<<i) != 0 {
			l.add(&c.Want, q)
		}
	}
	return c
}

// details are what traces tell of passages.
var details = []string{"texts", "ids only", "mixed"}

// told leaves out of a response what a trace of some detail does not tell: mixed ones have
// the texts where they were retrieved.
func told(r assay.Response, detail string) *assay.Response {
	if detail == "texts" {
		return &r
	}
	stages := slices.Clone(r.Trace.Stages)
	bare := withoutTexts(r)
	if detail == "mixed" {
		bare.Trace.Stages[1] = stages[1]
	}
	return &bare
}

// A verdictKind is how good a verdict is, worst first.
type verdictKind int

func (k verdictKind) String() string { return []string{"wrong", "unknown", "right"}[k] }

const (
	wrongly verdictKind = iota
	undecided
	rightly
)

// named judges what a wrong answer is attributed to.
func (p planting) named(t *testing.T, c *assay.Case, r *assay.Response) (verdictKind, *assay.Attribution) {
	t.Helper()
	at := explained(t, c, r, stage.Options{}, judgedWrong)
	if at == nil || at.Stage == "" {
		return undecided, at
	}
	for s := range slices.Values(p.truth) {
		if at.Stage == s || at.Merged[s] == at.Stage {
			return rightly, at
		}
	}
	return wrongly, at
}

// More labels never make a verdict worse, whatever the fault and the trace; and no verdict
// is wrong in more than 2 of 100 cases.
func TestMoreLabelsAreNeverWorse(t *testing.T) {
	t.Parallel()
	h := places(24, 1)
	for _, p := range plantings {
		for _, detail := range details {
			var wrong, all, worse int
			for i, q := range h.asked[:6] {
				r, right := h.ask(q, p.broken(i))
				if right {
					continue
				}
				kinds := map[int]verdictKind{}
				for set := 1; set < 1<<len(labelings); set++ {
					kind, at := p.named(t, labelled(q, set), told(r, detail))
					kinds[set] = kind
					if all++; kind == wrongly {
						wrong++
					}
					for l := range labelings {
						less, ok := kinds[set&^(1<<l)]
						// A chunk id replaces the id of its document.
						if ok && set&(1<<l) != 0 && kind < less {
							if worse++; worse == 1 {
								t.Errorf("%s, %s, %s: with %s too the verdict is %v after %v: %+v", p.name, detail, q.id, labelings[l].name, kind, less, at)
							}
						}
					}
				}
			}
			if 50*wrong > all {
				t.Errorf("%s, %s: %d of %d verdicts are wrong", p.name, detail, wrong, all)
			}
		}
	}
}

// withoutTexts leaves ids alone in a response.
func withoutTexts(r assay.Response) assay.Response {
	bare := func(passages []assay.Passage) []assay.Passage {
		out := slices.Clone(passages)
		for i := range out {
			out[i].Text = ""
		}
		return out
	}
	r.Passages = bare(r.Passages)
	t := *r.Trace
	t.Stages = slices.Clone(t.Stages)
	for i, s := range t.Stages {
		for _, raw := range []*json.RawMessage{&t.Stages[i].Input, &t.Stages[i].Output} {
			var list []assay.Passage
			if json.Unmarshal(*raw, &list) == nil && (s.Name == assay.StageRetrieve || s.Name == assay.StageFilter ||
				s.Name == assay.StageGenerate && raw == &t.Stages[i].Input) {
				*raw, _ = json.Marshal(bare(list))
			}
		}
		t.Stages[i].Prompt = ""
	}
	r.Trace = &t
	return r
}
