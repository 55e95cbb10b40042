// Package labels brings the labelled data sets of the published figures, whose fields have names of
// their own, to the form that assay judge certify reads.
package labels

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/text"
)

// A row is a row of a data set by the names of its fields.
type row map[string]any

// shapes bring rows to the common form, by the beginnings of the names of the data sets. unfit is
// why the row fits no question.
var shapes = map[string]func(x row) (unfit string){
	"kqa_nuggets":      asPoint,
	"summhay_coverage": asPoint,
	"feedbackqa":       func(x row) string { x["passage"] = strings.Join(x.contexts(), "\n"); return "" },
	"sas_equivalence":  func(x row) string { x["references"] = x.contexts(); return "" },
	"finegrained_qa":   asClaim,
	"begin": func(x row) string {
		switch said := x.in("labels", "begin"); said {
		case "Fully attributable":
			x["label"] = "supported"
		case "Not fully attributable":
			x["label"] = "not_supported"
		default:
			return fmt.Sprintf("labelled %q, which is neither supported nor not", said)
		}
		return asClaim(x)
	},
	"nq301": func(x row) string {
		x["label"], x["annotators"] = x.in("labels", "acceptable"), x.in("labels", "annotators")
		return ""
	},
	"clapnq": func(x row) string {
		if len(x.contexts()) != 1 {
			return "several passages under one label"
		}
		x["passage"], x["label"] = x.contexts()[0], x.in("labels", "answerable")
		return ""
	},
	"nomiracl": func(x row) string {
		if x.in("labels", "answerable") != false {
			return "one of several passages is relevant, but not said which"
		}
		x["label"] = "not_relevant"
		return ""
	},
	"mtrag":      func(row) string { return "grades of a whole answer, not of a claim" },
	"ragchecker": func(row) string { return "a comparison of two answers" },
	"refchecker": func(row) string { return "claims whose sources are not in the file" },
}

// asPoint takes a claim as a point that the context makes or not.
func asPoint(x row) string {
	x["point"], x["answer"] = x["claim"], strings.Join(x.contexts(), "\n")
	return ""
}

// asClaim takes an answer of one sentence as a claim: a run asks about the claims of longer
// answers one by one.
func asClaim(x row) string {
	answer, _ := x["answer"].(string)
	if len(text.Sentences(answer)) != 1 {
		return "an answer of several sentences, whose label is not that of one claim"
	}
	x["claim"] = answer
	return ""
}

func (x row) in(object, field string) any {
	m, _ := x[object].(map[string]any)
	return m[field]
}

func (x row) contexts() []string {
	if out := texts(x["contexts"]); out != nil {
		return out
	}
	return texts(x["context"])
}

// texts reads a list of texts, or one text.
func texts(v any) (out []string) {
	switch v := v.(type) {
	case string:
		if v != "" {
			out = []string{v}
		}
	case []string:
		out = v
	case []any:
		for _, e := range v {
			out = append(out, texts(e)...)
		}
	}
	return out
}

// parts are the words in phenomena of data sets that name a part of the items.
var parts = map[string][]string{
	"negation":                  {"negation"},
	"role swap":                 {"object_swap", "passive"},
	"modality":                  {"under_verb", "if_clause", "under_if", "since", "adverb", "conditionals"},
	"quantifiers":               {"_monotone"},
	"numbers":                   {"cardinal", "ordinal", "Num-mod"},
	"names":                     {"countries", "nationalities", "planets", "entity_modification"},
	"words of opposite meaning": {"antonym"},
	"conjunction":               {"conjunction", "disjunction"},
}

// phenomena lists the parts of the items that a row belongs to.
func (x row) phenomena() (out []string) {
	all := slices.Concat(texts(x["phenomenon"]), texts(x.in("meta", "phenomenon")), texts(x.in("meta", "edit_types")), texts(x.in("meta", "removed_type")))
	for _, p := range all {
		if strings.HasSuffix(p, "no_negation") {
			continue
		}
		known := false
		for part, words := range parts {
			if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(p, w) }) {
				out, known = append(out, part), true
			}
		}
		if !known {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// prepared returns a row in the common form, one for each passage of several.
func prepared(x row) (out []row, unfit string) {
	dataset, _ := x["dataset"].(string)
	shaped := ""
	for name, shape := range shapes {
		if dataset == name || strings.HasPrefix(dataset, name+"-") {
			shaped = name
			if unfit = shape(x); unfit != "" {
				return nil, name + ": " + unfit
			}
		}
	}
	one := row{"phenomenon": x.phenomena(), "group": x.in("meta", "group")}
	for _, field := range []string{"id", "dataset", "language", "question", "label", "annotators"} {
		one[field] = x[field]
	}
	switch {
	case x["point"] != nil:
		one["point"], one["answer"] = x["point"], x["answer"]
	case shaped == "nomiracl":
		for i, p := range x.contexts() {
			part := row{}
			for k, v := range one {
				part[k] = v
			}
			part["id"], part["passage"] = fmt.Sprintf("%v %d", x["id"], i+1), p
			out = append(out, part)
		}
		return out, ""
	case x["passage"] != nil:
		one["passage"] = x["passage"]
	case x["claim"] != nil:
		one["claim"], one["contexts"] = x["claim"], x.contexts()
	default:
		one["answer"], one["references"] = x["answer"], x["references"]
	}
	return []row{one}, ""
}

// Prepare writes the rows of the files of folders into a folder, under the names of both. It
// counts the rows that fit no question, by reason.
func Prepare(into string, folders ...string) (unfit map[string]int, err error) {
	unfit = map[string]int{}
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
		if err != nil {
			return nil, err
		}
		out := filepath.Join(into, filepath.Base(folder))
		if err := os.MkdirAll(out, 0o777); err != nil {
			return nil, err
		}
		for _, f := range files {
			if err := prepare(f, filepath.Join(out, filepath.Base(f)), unfit); err != nil {
				return nil, err
			}
		}
	}
	return unfit, nil
}

func prepare(from, into string, unfit map[string]int) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for n := 1; lines.Scan(); n++ {
		var x row
		if err := json.Unmarshal(lines.Bytes(), &x); err != nil {
			return fmt.Errorf("%s:%d: %w", from, n, err)
		}
		rows, why := prepared(x)
		if why != "" {
			unfit[why]++
		}
		for _, r := range rows {
			if err := e.Encode(r); err != nil {
				return err
			}
		}
	}
	if err := lines.Err(); err != nil || out.Len() == 0 {
		return err
	}
	return os.WriteFile(into, out.Bytes(), 0o644)
}
