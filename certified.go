package assay

import (
	"cmp"
	"maps"
	"slices"
)

// A Measured is what is known of a run's judge on one question in one language.
type Measured struct {
	Question, Language string
	// Cases is the number of the run's cases in the language.
	Cases int
	// Certificate is nil if none fits the judge.
	Certificate *Certificate
}

// RulingsOf lists the questions whose rulings the metrics rest on, each once, sorted.
func RulingsOf(metrics []MetricInfo) []string {
	var out []string
	for _, m := range metrics {
		out = append(out, m.Rulings...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Measured returns what is known of the run's judge on the questions whose rulings the
// metrics rest on: by question, and for each by language, that of the most cases first. A
// header without languages has one entry a question, without a language. It returns nil if
// the run has no judge.
func (h Header) Measured(metrics []MetricInfo) []Measured {
	if h.Judge == nil {
		return nil
	}
	languages := slices.SortedFunc(maps.Keys(h.Languages), func(a, b string) int {
		return cmp.Or(h.Languages[b]-h.Languages[a], cmp.Compare(a, b))
	})
	if languages == nil {
		languages = []string{""}
	}
	var out []Measured
	for _, question := range RulingsOf(metrics) {
		for _, language := range languages {
			m := Measured{Question: question, Language: language, Cases: h.Languages[language]}
			if c, ok := h.Certificate(question, language); ok {
				m.Certificate = &c
			}
			out = append(out, m)
		}
	}
	return out
}

// ByQuestion divides entries that are in the order of their questions by question.
func ByQuestion(all []Measured) [][]Measured {
	var out [][]Measured
	for from, i := 0, 1; i <= len(all); i++ {
		if i == len(all) || all[i].Question != all[from].Question {
			out, from = append(out, all[from:i]), i
		}
	}
	return out
}

// Void lists what of a judge differs from that of the certificate: "prompt", "parameters"
// and "passes". It is nil if the certificate fits. ok is false if the certificate is of
// another judge, of which it says nothing.
func (c Certificate) Void(j *JudgeInfo) (differs []string, ok bool) {
	if j == nil {
		return nil, false
	}
	was, is := withoutCertified(c.Judge).About([]string{c.Question}), withoutCertified(j.For(c.Question)).About([]string{c.Question})
	if !sameModels(was, is) {
		return nil, false
	}
	add := func(was, is JudgeInfo) {
		if was.PromptHash != is.PromptHash {
			differs = append(differs, "prompt")
		}
		if !maps.Equal(was.Parameters, is.Parameters) {
			differs = append(differs, "parameters")
		}
		if was.Passes != is.Passes {
			differs = append(differs, "passes")
		}
	}
	add(was, is)
	for i := range was.Panel {
		add(was.Panel[i], is.Panel[i])
	}
	slices.Sort(differs)
	return slices.Compact(differs), true
}

// sameModels reports whether two judges are the same models.
func sameModels(a, b JudgeInfo) bool {
	return a.Provider == b.Provider && a.Model == b.Model && a.Estimate == b.Estimate && slices.EqualFunc(a.Panel, b.Panel, sameModels)
}
