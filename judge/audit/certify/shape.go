package certify

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay/internal/text"
)

// shapes bring rows of data sets that name their fields otherwise to the common form, by the
// beginnings of the names of the data sets. unfit is why the row fits no question.
var shapes = map[string]func(x *row) (unfit string){
	"kqa_nuggets":      asPoint,
	"summhay_coverage": asPoint,
	"feedbackqa":       func(x *row) string { x.passage = strings.Join(x.contexts, "\n"); return "" },
	"sas_equivalence":  func(x *row) string { x.references = x.contexts; return "" },
	"finegrained_qa":   asClaim,
	"begin": func(x *row) string {
		switch said := strings.Join(x.within("labels", "begin"), ""); said {
		case "Fully attributable":
			x.label = "supported"
		case "Not fully attributable":
			x.label = "not_supported"
		default:
			return fmt.Sprintf("labelled %q, which is neither supported nor not", said)
		}
		return asClaim(x)
	},
	"nq301": func(x *row) string {
		labels, _ := x.value("labels").(map[string]any)
		x.label, x.people = strings.Join(strs(labels["acceptable"]), ""), people("labels.annotators", labels[annotators])
		return ""
	},
	"clapnq": func(x *row) string {
		if len(x.contexts) != 1 {
			return "several passages under one label"
		}
		x.passage, x.answer, x.references = x.contexts[0], "", nil
		x.label = strings.Join(x.within("labels", "answerable"), "")
		return ""
	},
	"nomiracl": func(x *row) string {
		if strings.Join(x.within("labels", "answerable"), "") != "false" {
			return "one of several passages is relevant, but not said which"
		}
		x.passages, x.label = x.contexts, "not_relevant"
		return ""
	},
	"mtrag":      func(*row) string { return "grades of a whole answer, not of a claim" },
	"ragchecker": func(*row) string { return "a comparison of two answers" },
	"refchecker": func(*row) string { return "claims whose sources are not in the file" },
}

// asPoint takes a claim as a point that the context makes or not.
func asPoint(x *row) string {
	x.point, x.claim, x.answer = x.claim, "", strings.Join(x.contexts, "\n")
	return ""
}

// asClaim takes an answer of one sentence as a claim: a run asks about the claims of longer
// answers one by one.
func asClaim(x *row) string {
	if n := len(text.Sentences(x.answer)); n != 1 {
		return "an answer of several sentences, whose label is not that of one claim"
	}
	x.claim, x.answer = x.answer, ""
	return ""
}

// fit brings a row to the common form, one for each of several passages. unfit is the data set
// and why the row fits no question.
func fit(x row) (parts []row, unfit string) {
	for name, shape := range shapes {
		if x.dataset == name || strings.HasPrefix(x.dataset, name+"-") {
			if unfit = shape(&x); unfit != "" {
				return nil, name + ": " + unfit
			}
		}
	}
	for i, passage := range x.passages {
		p := x
		p.id, p.passage = fmt.Sprintf("%s %d", x.id, i+1), passage
		parts = append(parts, p)
	}
	if x.passages == nil {
		parts = []row{x}
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
