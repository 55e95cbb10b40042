package metrictest

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// hugeText is much longer than any real answer or passage, so that a metric with
// quadratic running time is noticed.
const hugeText = 50_000

// A maker builds a new input at each call, so that a change to one input shows in
// a comparison with the next.
type maker func() metric.Input

// inputs returns named inputs: the combinations of all answers, passage lists
// and labels, and a few huge inputs. Of the combinations it yields every step-th,
// offset by start.
func inputs(start, step int) iter.Seq2[string, maker] {
	return func(yield func(string, maker) bool) {
		n := start
		for _, a := range slices.Sorted(maps.Keys(answers)) {
			for _, p := range slices.Sorted(maps.Keys(passageLists)) {
				for _, l := range slices.Sorted(maps.Keys(wants)) {
					if n++; n%step != 0 {
						continue
					}
					// Vary the shape with every kind of answer, passages and labels.
					shape := shapes[n*7%len(shapes)]
					name := fmt.Sprintf("answer %s, passages %s, labels %s, judge %s", a, p, l, shape.name)
					if !yield(name, judged(newMaker(answers[a], passageLists[p], wants[l]), shape)) {
						return
					}
				}
			}
		}
		for _, s := range shapes {
			if !yield("ordinary, judge "+s.name, judged(labelled, s)) {
				return
			}
		}
		if step > 1 {
			return
		}
		for name, build := range hugeInputs {
			if !yield(name, build) {
				return
			}
		}
	}
}

func newMaker(answer string, passages func() []assay.Passage, want func() assay.Want) maker {
	return func() metric.Input {
		in := metric.Input{
			Case:     &assay.Case{ID: "case", Question: "Who built what, and when?", Want: want()},
			Response: &assay.Response{Answer: answer, Passages: passages(), Trace: traced(answer, passages())},
			Embedder: hashing{},
			MaxGrade: 1,
		}
		for _, g := range in.Case.Want.Documents {
			in.MaxGrade = max(in.MaxGrade, g)
		}
		in.Assessment = assess(in)
		in.Attribution = attributed(passages())
		return in
	}
}

// unfit marks an assessment for which a metric may have no score.
const unfit = "unfit"

// judged returns a maker whose inputs have an assessment of the given shape.
func judged(build maker, s shape) maker {
	return func() metric.Input {
		in := build()
		s.change(in.Assessment)
		if s.fails {
			in.Assessment.Warnings = append(in.Assessment.Warnings, unfit)
		}
		return in
	}
}

// labelled returns an ordinary input with every label and every part.
func labelled() metric.Input {
	return newMaker(answers["plain"], passageLists["plain"], wants["plain"])()
}

var answers = map[string]string{
	"empty":       "",
	"blank":       " \n\t",
	"one word":    "1889",
	"plain":       "The tower was built in 1889. It is 330 m tall, and not of wood [1].",
	"quotes":      "They say “it was built in 1889”, and \"by Gustave … and his sons\" [1][7]. 【2】\n\n「高330米」",
	"CJK":         "巴黎鐵塔於一八八九年落成，高330米。",
	"punctuation": "?!… — «»",
	"not UTF-8":   "\xff\xfe tower \xc3",
	"odd":         "a\x00b \u200d\u0301 👩‍💻 \u202e 9e99 -0 1/0 NaN " + strings.Repeat("ha", 50),
}

var passageLists = map[string]func() []assay.Passage{
	"empty": func() []assay.Passage { return []assay.Passage{} },
	"one": func() []assay.Passage {
		return []assay.Passage{{ID: "c1", Document: "d1", Text: "The tower was built in 1889."}}
	},
	"plain": func() []assay.Passage {
		return []assay.Passage{
			{ID: "c1", Document: "d1", Source: "d1.txt", Text: "The tower was built in 1889 by Eiffel. It is 330 m tall.", Score: 3},
			{ID: "c2", Document: "d1", Source: "d1.txt", Text: "It is made of iron, not of wood.", Index: 1, Score: 2},
			{ID: "c3", Document: "d3", Source: "d3.txt", Text: "巴黎鐵塔於一八八九年落成。", Score: 1},
			{ID: "c4", Document: "d2", Source: "d2.txt", Text: "Cats sleep for sixteen hours a day.", Score: 0.5},
		}
	},
	"ties and no scores": func() []assay.Passage {
		return []assay.Passage{{ID: "c1", Document: "d2", Text: "x"}, {ID: "c2", Document: "d1", Text: "x"},
			{ID: "c3", Document: "d3", Text: "x"}}
	},
	"duplicates": func() []assay.Passage {
		p := assay.Passage{ID: "c1", Document: "d1", Text: "The tower was built in 1889.", Score: math.Inf(1)}
		return []assay.Passage{p, p, p}
	},
	"without ids": func() []assay.Passage {
		return []assay.Passage{{Text: "The tower was built in 1889."}, {Text: "Cats sleep."}, {Score: math.NaN()}}
	},
	"without text": func() []assay.Passage { return []assay.Passage{{ID: "c1", Document: "d1"}, {ID: "d2", Text: " \n"}} },
	"not UTF-8":    func() []assay.Passage { return []assay.Passage{{ID: "\xff", Document: "d1", Text: "\xff tower \xc3"}} },
}

var wants = map[string]func() assay.Want{
	"none": func() assay.Want { return assay.Want{} },
	"empty": func() assay.Want {
		return assay.Want{
			Answers: []string{}, Documents: map[string]int{}, Passages: []string{}, Keywords: []string{}, SubQuestions: []string{},
			Transcript: new(string), Answerable: new(bool), Ideal: &assay.Ideal{}, Checks: []assay.Check{},
		}
	},
	"plain": func() assay.Want {
		transcript, answerable := "who built what of iron, and when, in 1889", true
		return assay.Want{
			Answers:      []string{"It was built in 1889 by Gustave Eiffel.", "巴黎鐵塔於1889年落成"},
			Documents:    map[string]int{"d1": 3, "d3": 1, "d2": 0, "d9": 2, "d8": -1, "d1.txt": 3},
			Subtopics:    map[string][]string{"d1": {"who", "when"}, "d3": {"when"}, "d9": {"why"}},
			Passages:     []string{"The tower was built in 1889 by Eiffel.", "It is made of iron, not of wood. And it is painted."},
			Keywords:     []string{"Eiffel|艾菲爾", "1889", "iron"},
			SubQuestions: []string{"Who built it?", "When was it built?"},
			Transcript:   &transcript, Answerable: &answerable,
			Ideal: &assay.Ideal{
				Answer: "Gustave Eiffel built it in 1889, of iron.",
				Points: []assay.Point{{Text: "Eiffel built it", Vital: true}, {Text: "1889", Vital: true, Passage: "c1"}, {Text: "of iron"},
					{Text: "painted"}},
			},
			Checks: []assay.Check{
				{Kind: assay.CheckContains, Value: "1889"}, {Kind: assay.CheckRegex, Value: "[Ee]iffel", Not: true},
				{Kind: assay.CheckSet, Checks: []assay.Check{{Kind: assay.CheckIsJSON}, {Kind: assay.CheckLevenshtein, Value: "tower"}}},
			},
		}
	},
	"one of each": func() assay.Want {
		transcript, answerable := "who", false
		return assay.Want{
			Answers: []string{"1889"}, Documents: map[string]int{"d1": 1}, Passages: []string{"The tower was built in 1889."},
			Keywords: []string{"tower"}, SubQuestions: []string{"Who?"}, Transcript: &transcript, Answerable: &answerable,
			Ideal: &assay.Ideal{Points: []assay.Point{{Text: "1889"}}}, Checks: []assay.Check{{Kind: assay.CheckContains, Value: "1889"}},
		}
	},
	"blank": func() assay.Want {
		transcript := " "
		return assay.Want{
			Answers: []string{"", " \n", "…"}, Documents: map[string]int{"": 1, " ": 2}, Passages: []string{"", "\u00ad"},
			Keywords: []string{"", "|", " | "}, SubQuestions: []string{""}, Transcript: &transcript,
		}
	},
	"nothing relevant": func() assay.Want {
		return assay.Want{
			Answers: []string{"\xff"}, Documents: map[string]int{"d1": 0, "d2": -1}, Passages: []string{"short"}, Keywords: []string{"absent"},
			SubQuestions: []string{"?"},
		}
	},
	"large grades": func() assay.Want {
		return assay.Want{
			Answers: []string{"tower"}, Documents: map[string]int{"d1": 1000, "d2": 1, "d7": 2000}, Passages: []string{"tower"},
			Keywords:     []string{"tower"},
			SubQuestions: []string{"?"},
		}
	},
}

// hugeInputs are too slow to combine with all the others.
var hugeInputs = map[string]maker{
	"huge, different words": hugeInput(func(i int) string { return fmt.Sprintf("word%d ", i) }),
	"huge, one word":        hugeInput(func(int) string { return "ha " }),
	"huge, no space":        hugeInput(func(int) string { return "x" }),
	"huge, sentences":       hugeInput(func(i int) string { return fmt.Sprintf("The year %d was no. %d in 香港. ", 1000+i%1000, i) }),
	"huge, CJK":             hugeInput(func(i int) string { return string(rune(0x4E00 + i%5000)) }),
	"a thousand passages": func() metric.Input {
		in := labelled()
		for i := range 1000 {
			in.Response.Passages = append(in.Response.Passages,
				assay.Passage{ID: fmt.Sprint("p", i), Document: fmt.Sprint("e", i%300), Text: fmt.Sprintf("Passage %d of many.", i)})
			in.Case.Want.Documents[fmt.Sprint("e", i)] = i%4 - 1
		}
		in.Assessment = assess(in)
		return in
	},
}

func hugeInput(unit func(i int) string) maker {
	var b strings.Builder
	for i := 0; b.Len() < hugeText; i++ {
		b.WriteString(unit(i))
	}
	s := b.String()
	half := strings.ToValidUTF8(s[len(s)/2:], "")
	return func() metric.Input {
		in := labelled()
		in.Response.Answer = s
		in.Response.Passages = append(in.Response.Passages, assay.Passage{ID: "h", Document: "d9", Text: half + s})
		in.Case.Want.Answers = []string{half, s}
		in.Case.Want.Passages = append(in.Case.Want.Passages, half)
		in.Case.Want.Keywords = append(in.Case.Want.Keywords, half)
		return in
	}
}

// labels maps each label to a function that removes it.
var labels = map[metric.Need]func(*assay.Want){
	metric.NeedAnswers:      func(w *assay.Want) { w.Answers = nil },
	metric.NeedDocuments:    func(w *assay.Want) { w.Documents = nil },
	metric.NeedPassages:     func(w *assay.Want) { w.Passages = nil },
	metric.NeedKeywords:     func(w *assay.Want) { w.Keywords = nil },
	metric.NeedSubQuestions: func(w *assay.Want) { w.SubQuestions = nil },
	metric.NeedTranscript:   func(w *assay.Want) { w.Transcript = nil },
	metric.NeedAnswerable:   func(w *assay.Want) { w.Answerable = nil },
	metric.NeedIdeal:        func(w *assay.Want) { w.Ideal = nil },
	metric.NeedChecks:       func(w *assay.Want) { w.Checks = nil },
}

// same reports whether two inputs are equal, where NaN scores of passages equal
// each other.
func same(a, b metric.Input) bool {
	for _, in := range []*metric.Input{&a, &b} {
		response := *in.Response
		response.Passages = slices.Clone(response.Passages)
		for i := range response.Passages {
			if p := &response.Passages[i]; math.IsNaN(p.Score) {
				p.Score = math.Inf(-1)
			}
		}
		in.Response = &response
	}
	said, again := a.Assessment, b.Assessment
	a.Assessment, b.Assessment = nil, nil
	return reflect.DeepEqual(a, b) && (reflect.DeepEqual(said, again) || fmt.Sprintf("%+v", said) == fmt.Sprintf("%+v", again))
}
