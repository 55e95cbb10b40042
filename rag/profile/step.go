package profile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/text"
)

// The steps.
const (
	Decompose       = "decompose"
	DecomposeFormat = "decompose_format"
	Filter          = "filter"
	FilterIntro     = "filter_intro"
	FilterSection   = "filter_section"
	FilterOutro     = "filter_outro"
	Generate        = "generate"
	GeneratePerSubq = "generate_per_subq"
)

// A Step says what one of the templates is for.
type Step struct {
	Name         string        `json:"name"`
	Doc          string        `json:"doc"`
	Placeholders []Placeholder `json:"placeholders"`
}

// A Placeholder is what a template may have filled in.
type Placeholder struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
	// Required says that the step is of no use without it.
	Required bool `json:"required,omitempty"`
}

// The placeholders.
const (
	phQuestion     = "question"
	phSubQuestion  = "sub_question"
	phSubQuestions = "sub_questions"
	phSections     = "sections"
	phChunks       = "chunks"
	phLanguage     = "language"
	phNumber       = "n"
	phMax          = "max"
)

func needs(name string) Placeholder { return Placeholder{name, placeholderDocs[name], true} }
func may(name string) Placeholder   { return Placeholder{name, placeholderDocs[name], false} }

var placeholderDocs = map[string]string{
	phQuestion:     "the question as it was asked or transcribed",
	phSubQuestion:  "the sub-question; the question itself when nothing is decomposed",
	phSubQuestions: "all sub-questions, one a line, numbered from 1",
	phSections:     "generate_per_subq for each sub-question",
	phChunks:       "the passages for the sub-question, each as <chunk_N doc=… page=…>, where N is its number",
	phLanguage:     "the name of the question's language, or \"the language of the question\"",
	phNumber:       "the number of the sub-question, from 1",
	phMax:          "the most sub-questions that are wanted",
}

var steps = []Step{
	{Decompose, "asks for the key questions that a question is made of", []Placeholder{needs(phQuestion), may(phMax), may(phLanguage)}},
	{DecomposeFormat, "follows decompose and says how to reply: {\"questions\": [\"…\"]}", []Placeholder{may(phMax), may(phLanguage)}},
	{Filter, "is the filter's system text: what relevance from 0 to 10 means", []Placeholder{may(phLanguage)}},
	{FilterIntro, "begins the filter's message", []Placeholder{may(phQuestion), may(phSubQuestions), may(phLanguage)}},
	{
		FilterSection, "stands in the filter's message once for each sub-question, with its passages",
		[]Placeholder{needs(phSubQuestion), needs(phChunks), may(phNumber), may(phQuestion), may(phLanguage)},
	},
	{
		FilterOutro, "ends the filter's message and says how to reply: {\"scores\": [{\"chunk\": 1, \"score\": 7.5}]}",
		[]Placeholder{may(phQuestion), may(phSubQuestions), may(phLanguage)},
	},
	{
		Generate, "asks for the answer from the passages, cited as [1]",
		[]Placeholder{needs(phSections), may(phQuestion), may(phSubQuestions), may(phLanguage)},
	},
	{
		GeneratePerSubq, "stands in generate, in the place of {{sections}}, once for each sub-question, with its passages",
		[]Placeholder{needs(phSubQuestion), needs(phChunks), may(phNumber), may(phQuestion), may(phLanguage)},
	},
}

// Steps lists the steps in the order of the pipeline.
func Steps() []Step {
	out := slices.Clone(steps)
	for i := range out {
		out[i].Placeholders = slices.Clone(out[i].Placeholders)
	}
	return out
}

// Find gives a step by its name; the error suggests the nearest.
func Find(name string) (Step, error) {
	var names []string
	for _, s := range steps {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return Step{}, fmt.Errorf("unknown step %q%s  (all: %s)", text.Shorten(name, maxName), text.DidYouMean(name, names), strings.Join(names, ", "))
}

// placeholder gives one of the step's.
func (s Step) placeholder(name string) (Placeholder, bool) {
	i := slices.IndexFunc(s.Placeholders, func(p Placeholder) bool { return p.Name == name })
	if i < 0 {
		return Placeholder{}, false
	}
	return s.Placeholders[i], true
}
