package dataset

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/checks"
	"github.com/assay-eval/assay/internal/pattern"
)

// An assertion says what becomes of an assertion of promptfoo, also of its opposite.
type assertion struct {
	// Check is the kind of the check that it becomes; "" if it becomes none.
	Check      string
	IgnoreCase bool `yaml:"ignore_case"`
	// List is set if a text is a list of values, separated by commas.
	List bool
	// Label is what its value also is: answers, keyword, keywords, alternatives of one keyword,
	// or refusal, the label of whether the question can be answered.
	Label string
	// Metric measures the same as an assertion that becomes no check.
	Metric string
}

// assertionOf returns what becomes of an assertion of promptfoo.
func assertionOf(name string) assertion {
	return formatOf("promptfoo").Assertions[strings.TrimPrefix(name, "not-")]
}

// checks reads the assertions of the default test and of the test. Promptfoo scores those
// of the default test first. With a threshold they are one set.
func (t *promptfooTest) checks(c *assay.Case, base *node) {
	var all []assay.Check
	threshold := t.get("threshold")
	if base != nil {
		all = t.asserts(c, base.get("assert"))
		if threshold == nil {
			threshold = present(base, "threshold")
		}
	}
	all = append(all, t.asserts(c, t.get("assert"))...)
	if !slices.ContainsFunc(all, func(c assay.Check) bool { return !undecidable(c) }) {
		all = nil // the other labels decide
	}
	if limit := t.amount(threshold, "threshold"); limit != nil && all != nil {
		all = []assay.Check{{Kind: assay.CheckSet, Threshold: limit, Checks: all}}
	}
	for _, check := range all {
		if err := checks.Valid(check); err != nil {
			t.fail(nil, "assert", err.Error(), "an assertion with a value that its type allows")
			return
		}
	}
	c.Want.Checks = all
}

// amount reads a number that is not negative; nil if there is none.
func (t *promptfooTest) amount(n *node, field string) *float64 {
	if n.absent() {
		return nil
	}
	x, ok := n.float()
	if !ok || x < 0 {
		t.fail(n, field, n.what(), "a number from 0")
		return nil
	}
	return &x
}

// asserts reads a list of assertions.
func (t *promptfooTest) asserts(c *assay.Case, n *node) (out []assay.Check) {
	if n.absent() {
		return nil
	}
	if n.kind != list {
		t.fail(n, "assert", n.what(), "a list of assertions")
		return nil
	}
	for _, a := range n.items {
		kind := present(a, "type")
		if a.kind != object || kind == nil || kind.kind != str {
			t.fail(a, "assert", a.what(), `an object with a "type"`)
			continue
		}
		into := c
		if w := present(a, "weight"); w != nil && w.text == "0" {
			into = new(assay.Case) // what decides nothing is no label
		}
		check, why := t.check(into, a, kind.text)
		if check == nil && kind.text != "not-is-refusal" { // an answer that is no refusal need not be right
			check = t.undecided(a, kind.text)
		}
		if check != nil {
			check.Weight = t.amount(a.get("weight"), "assert.weight")
			if m := present(a, "metric"); m != nil && m.kind == str {
				check.Name = t.fill(m.text)
			}
			out = append(out, *check)
		}
		t.label(into, a, kind.text, why)
	}
	return out
}

// noResult is an expression without a result, for any answer.
const noResult = `answer == "" ? nil : nil`

// undecidable reports whether a check has no result for any answer.
func undecidable(c assay.Check) bool {
	return c.Value == noResult || c.Kind == assay.CheckSet && !slices.ContainsFunc(c.Checks, func(c assay.Check) bool { return !undecidable(c) })
}

// undecided returns the check in place of an assertion that is none: it has the verdict that
// promptfoo recorded on the same answer, unless a label says the same, and else no result.
func (t *promptfooTest) undecided(a *node, name string) *assay.Check {
	out := &assay.Check{Kind: assay.CheckExpression, Name: clip(name) + " (not run)", Value: noResult}
	passed, known := true, false
	for _, g := range t.graded {
		of := g.get("assertion")
		if p := g.get("pass"); assertionOf(name).Label == "" && p != nil && p.kind == boolean && of != nil &&
			reflect.DeepEqual(of.get("type").value(), name) && reflect.DeepEqual(of.get("value").value(), a.get("value").value()) {
			passed, known = passed && p.yes, true
		}
	}
	if known && t.output != nil {
		said, _ := json.Marshal(t.output.Answer)
		if of := (assay.Check{Kind: out.Kind, Name: clip(name) + " (promptfoo's verdict)", Value: fmt.Sprintf("answer == %s ? %t : nil", said, passed)}); checks.Valid(of) == nil {
			if !passed {
				t.note("assert "+clip(name), "promptfoo recorded that it fails")
			}
			return &of
		}
	}
	return out
}

// check returns the check that an assertion becomes, or nil with the reason why it becomes
// none; the reason is empty for an assertion that is not a check.
func (t *promptfooTest) check(c *assay.Case, a *node, name string) (check *assay.Check, why string) {
	k := assertionOf(name)
	if k.Check == "" {
		return nil, ""
	}
	if present(a, "transform") != nil {
		return nil, "its transform is code"
	}
	out := &assay.Check{Kind: k.Check, Not: strings.HasPrefix(name, "not-"), IgnoreCase: k.IgnoreCase}
	switch k.Check {
	case assay.CheckLength:
		return t.wordCount(out, a.get("value"))
	case assay.CheckSet, assay.CheckLatency, assay.CheckCost, assay.CheckLevenshtein:
		out.Threshold = t.amount(a.get("threshold"), "assert.threshold")
	}
	switch k.Check {
	case assay.CheckSet:
		if out.Checks = t.asserts(c, a.get("assert")); out.Checks == nil {
			return nil, "none of its assertions is a check"
		}
		return out, ""
	case assay.CheckLatency, assay.CheckCost:
		if out.Threshold == nil {
			return nil, "it has no threshold"
		}
		if k.Check == assay.CheckLatency {
			*out.Threshold /= 1000 // milliseconds
		}
		return out, ""
	}
	out.Value, why = t.checkValue(k, a.get("value"))
	if why != "" {
		return nil, why
	}
	if err := checks.Valid(*out); err != nil {
		return nil, err.Error()
	}
	return out, ""
}

// wordCount reads how many words an answer may have: a number, or min and max.
func (t *promptfooTest) wordCount(out *assay.Check, n *node) (check *assay.Check, why string) {
	const want = "its value is neither a number of words nor min and max"
	if n.absent() {
		return nil, want
	}
	least, most := n, n
	if n.kind == object {
		least, most = present(n, "min"), present(n, "max")
	}
	for _, bound := range []struct {
		of *node
		to **float64
	}{{least, &out.Min}, {most, &out.Max}} {
		if bound.of == nil {
			continue
		}
		x, ok := bound.of.float()
		if bound.of.kind == str {
			var err error
			x, err = strconv.ParseFloat(strings.TrimSpace(t.fill(bound.of.text)), 64)
			ok = err == nil
		}
		if !ok {
			return nil, want
		}
		*bound.to = &x
	}
	if err := checks.Valid(*out); err != nil {
		return nil, err.Error()
	}
	return out, ""
}

// checkValue returns the value of a check, or the reason why it has none.
func (t *promptfooTest) checkValue(k assertion, n *node) (value any, why string) {
	if n.absent() {
		return nil, "" // the check tells whether it needs one
	}
	if n.kind != str {
		return t.plainValue(k, n)
	}
	s := t.fill(n.text)
	switch {
	case strings.Contains(s, "{{") || strings.Contains(s, "{%"):
		return nil, "it contains a template without a matching variable"
	case strings.HasPrefix(s, fileScheme):
		return nil, "it refers to a file"
	case k.Check == assay.CheckRegex:
		re, err := pattern.FromJavaScript(s)
		if err != nil {
			return nil, err.Error()
		}
		return re, ""
	case k.Check == assay.CheckIsJSON || k.Check == assay.CheckContainsJSON:
		schema, err := parseYAML([]byte(s), t.l.src.name)
		if err != nil {
			return nil, "its schema is neither JSON nor YAML"
		}
		return schema.value(), ""
	case k.List:
		all, err := commaList(s)
		if err != nil {
			return nil, err.Error()
		}
		return all, ""
	}
	return s, ""
}

// plainValue returns the value of a check that is not text.
func (t *promptfooTest) plainValue(k assertion, n *node) (value any, why string) {
	switch n.kind {
	case number, boolean:
		text := n.text
		if n.kind == boolean {
			text = n.what()
		}
		return text, ""
	case list:
		if k.Check == assay.CheckContains || k.Check == assay.CheckContainsAny {
			var all []string
			for _, item := range n.items {
				one, why := t.checkValue(assertion{Check: k.Check}, item)
				s, ok := one.(string)
				if !ok {
					return nil, cmp.Or(why, "an entry is "+item.what())
				}
				all = append(all, s)
			}
			return all, ""
		}
	}
	return n.value(), ""
}

// commaList splits a text at commas. An entry may be quoted as in CSV.
func commaList(s string) ([]string, error) {
	in := csv.NewReader(strings.NewReader(s))
	in.TrimLeadingSpace = true
	out, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("%q is not a list separated by commas", clip(s))
	}
	for i := range out {
		out[i] = strings.TrimSpace(out[i])
	}
	return out, nil
}

// label makes what an assertion tells of the case its label: a reference answer, keywords,
// or whether it can be answered. why is the reason why it is not a check.
func (t *promptfooTest) label(c *assay.Case, a *node, kind, why string) {
	at, as, isOpposite := "assert "+clip(kind), assertionOf(kind), strings.HasPrefix(kind, "not-")
	known := []string{"type", "value", "assert", "metric", "weight"}
	if slices.Contains([]string{assay.CheckLatency, assay.CheckCost, assay.CheckLevenshtein, assay.CheckSet}, as.Check) {
		known = append(known, "threshold")
	}
	for _, f := range a.fields {
		if !slices.Contains(known, f.name) && why == "" {
			t.note("assert."+clip(f.name), notCarried)
		}
	}
	value := present(a, "value")
	if why != "" {
		t.note(at, notCarried+": "+why)
		return
	}
	if value != nil && value.kind == str && value.text == "" {
		return // a check of an empty text labels nothing
	}
	if isOpposite && as.Label != "refusal" {
		as.Label = ""
	}
	switch as.Label {
	case "answers":
		if kind == "equals" && value != nil && (value.kind == object || value.kind == list) {
			return
		}
		for _, text := range t.values(at, value) {
			t.answer(c, text)
		}
	case "keyword":
		for _, word := range t.values(at, value) {
			t.keyword(c, at, []string{word})
		}
	case "keywords":
		for _, word := range t.listed(at, value) {
			t.keyword(c, at, []string{word})
		}
	case "alternatives":
		t.keyword(c, at, t.listed(at, value))
	case "refusal":
		c.Want.Answerable = &isOpposite
	default:
		if as.Check != "" {
			return
		}
		text := notCarried
		if as.Metric != "" {
			text += "; the metric " + as.Metric + " measures this"
		}
		t.note(at, text)
	}
}

// listed reads texts that may be one text, separated by commas.
func (t *promptfooTest) listed(at string, n *node) []string {
	all := t.values(at, n)
	if n != nil && n.kind == str && len(all) == 1 {
		if parts, err := commaList(all[0]); err == nil {
			return parts
		}
	}
	return all
}

func (t *promptfooTest) answer(c *assay.Case, text string) {
	if !slices.Contains(c.Want.Answers, text) {
		c.Want.Answers = append(c.Want.Answers, text)
	}
}

// keyword adds a keyword with its alternatives.
func (t *promptfooTest) keyword(c *assay.Case, at string, alternatives []string) {
	for _, word := range alternatives {
		if strings.Contains(word, "|") {
			t.note(at, notCarried+`: a keyword cannot hold "|"`)
			return
		}
	}
	if word := strings.Join(alternatives, "|"); word != "" && !slices.Contains(c.Want.Keywords, word) {
		c.Want.Keywords = append(c.Want.Keywords, word)
	}
}
