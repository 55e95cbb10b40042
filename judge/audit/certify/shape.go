package certify

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay/internal/text"
)

// A Shape brings rows of data sets that name their fields otherwise to the common form.
type Shape struct {
	// Datasets are the beginnings of the names of the data sets.
	Datasets []string
	// Doc says how their fields are read.
	Doc string
	// fit returns the rows in the common form, or why the row fits no question.
	fit func(x row) (parts []row, unfit string)
}

// Shapes lists the data sets with fields of their own.
var Shapes = []Shape{
	{[]string{"kqa_nuggets", "summhay_coverage"}, "claim is a point, context the answer that may make it", func(x row) ([]row, string) {
		x.point, x.claim, x.answer = x.claim, "", strings.Join(x.contexts, "\n")
		return []row{x}, ""
	}},
	{[]string{"feedbackqa"}, "context is a passage", func(x row) ([]row, string) {
		x.passage = strings.Join(x.contexts, "\n")
		return []row{x}, ""
	}},
	{[]string{"sas_equivalence"}, "context is the reference", func(x row) ([]row, string) {
		x.references = x.contexts
		return []row{x}, ""
	}},
	{[]string{"finegrained_qa"}, "answer is a claim if it is one sentence", func(x row) ([]row, string) { return asClaim(x) }},
	{[]string{"begin"}, "answer is a claim if it is one sentence; labels.begin is the label", func(x row) ([]row, string) {
		switch said := strings.Join(x.within("labels", "begin"), ""); said {
		case "Fully attributable":
			x.label = "supported"
		case "Not fully attributable":
			x.label = "not_supported"
		default:
			return nil, fmt.Sprintf("labelled %q, which is neither supported nor not", said)
		}
		return asClaim(x)
	}},
	{[]string{"nq301"}, "labels.acceptable is the label, labels.annotators are those of people", func(x row) ([]row, string) {
		labels, _ := x.value("labels").(map[string]any)
		x.label, x.people = strings.Join(strs(labels["acceptable"]), ""), people("labels.annotators", labels[annotators])
		return []row{x}, ""
	}},
	{[]string{"clapnq"}, "contexts is one passage, relevant if labels.answerable", func(x row) ([]row, string) {
		if len(x.contexts) != 1 {
			return nil, "several passages under one label"
		}
		x.passage, x.answer, x.references = x.contexts[0], "", nil
		x.label = strings.Join(x.within("labels", "answerable"), "")
		return []row{x}, ""
	}},
	{[]string{"nomiracl"}, "each of contexts is not relevant if labels.answerable is false", func(x row) ([]row, string) {
		if strings.Join(x.within("labels", "answerable"), "") != "false" {
			return nil, "one of several passages is relevant, but not said which"
		}
		var out []row
		for i, c := range x.contexts {
			p := x
			p.id, p.passage, p.label = fmt.Sprintf("%s %d", x.id, i+1), c, "not_relevant"
			out = append(out, p)
		}
		return out, ""
	}},
	{[]string{"mtrag"}, "not read", unread("grades of a whole answer, not of a claim")},
	{[]string{"ragchecker"}, "not read", unread("a comparison of two answers")},
	{[]string{"refchecker"}, "not read", unread("claims whose sources are not in the file")},
}

func unread(why string) func(row) ([]row, string) {
	return func(row) ([]row, string) { return nil, why }
}

// asClaim takes an answer of one sentence as a claim: a run asks about the claims of longer
// answers one by one.
func asClaim(x row) ([]row, string) {
	if n := len(text.Sentences(x.answer)); n != 1 {
		return nil, "an answer of several sentences, whose label is not that of one claim"
	}
	x.claim, x.answer = x.answer, ""
	return []row{x}, ""
}

// fit brings a row to the common form. unfit is the data set and why the row fits no question.
func fit(x row) (parts []row, unfit string) {
	parts = []row{x}
	for _, s := range Shapes {
		for _, name := range s.Datasets {
			if x.dataset == name || strings.HasPrefix(x.dataset, name+"-") {
				if parts, unfit = s.fit(x); unfit != "" {
					return nil, name + ": " + unfit
				}
			}
		}
	}
	for _, p := range parts {
		if unfit = p.lacks(); unfit != "" {
			return nil, x.dataset + ": " + unfit
		}
	}
	return parts, ""
}

// lacks says what a row in the common form lacks to be asked about.
func (x row) lacks() string {
	blank := func(s string) bool { return strings.TrimSpace(s) == "" }
	switch {
	case !blank(x.point):
		if blank(x.answer) {
			return "a point without an answer that may make it"
		}
	case !blank(x.passage):
		if blank(x.question) {
			return "a passage without a question"
		}
	case !blank(x.claim):
		if len(x.contexts) == 0 {
			return "a claim without a context"
		}
	case !blank(x.answer):
		if len(x.references) == 0 {
			return "an answer without a reference"
		}
	default:
		return "no claim, answer, passage or point"
	}
	return ""
}
