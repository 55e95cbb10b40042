package dataset

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
)

// A Warning is a problem that does not prevent a run. It is reported once for all
// cases that it affects.
type Warning struct {
	// File and Line are where it first applies; Line 0 means the whole file.
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
	// Field is the name of the affected field, if any.
	Field string `json:"field,omitempty"`
	Text  string `json:"text"`
	// Count is the number of affected cases, out of Of; both are 0 if the warning
	// is about the dataset.
	Count int `json:"count,omitempty"`
	Of    int `json:"of,omitempty"`
	// Skipped is the number of judgments that were skipped.
	Skipped int `json:"skipped,omitempty"`
}

// String formats the warning, as in
//
//	support.json:17: ground_truth: missing (12 of 45 cases)
func (w Warning) String() string {
	var b strings.Builder
	b.WriteString(assay.Origin{File: w.File, Line: w.Line}.String())
	if w.Field != "" {
		b.WriteString(": " + w.Field)
	}
	b.WriteString(": " + w.Text)
	if w.Count > 0 {
		fmt.Fprintf(&b, " (%d of %s)", w.Count, countCases(w.Of))
	}
	if w.Skipped > 0 {
		fmt.Fprintf(&b, " (judgments: %d)", w.Skipped)
	}
	return oneLine(b.String())
}

// notes collects warnings: the first position of each, and its count.
type notes struct {
	order  []string
	byText map[string]*Warning
}

// remark adds a warning that is not about a case.
func (n *notes) remark(w Warning) *Warning {
	key := w.File + "\x00" + w.Field + "\x00" + w.Text
	if have := n.byText[key]; have != nil {
		return have
	}
	if n.byText == nil {
		n.byText = map[string]*Warning{}
	}
	n.order = append(n.order, key)
	n.byText[key] = &w
	return &w
}

// warn adds a case to a warning.
func (n *notes) warn(at assay.Origin, field, text string) {
	n.remark(Warning{File: at.File, Line: at.Line, Field: field, Text: text}).Count++
}

// addAll adds the warnings of others.
func (n *notes) addAll(others *notes) {
	for _, key := range others.order {
		w := *others.byText[key]
		w.Count = 0
		n.remark(w).Count += others.byText[key].Count
	}
}

// listed returns the warnings in the order of their first occurrence.
func (l *loader) listed() []Warning {
	var out []Warning
	for _, key := range l.order {
		w := *l.byText[key]
		if w.Count > 0 {
			w.Of = l.cases.Len()
		}
		out = append(out, w)
	}
	return out
}

// An optional is a label that cases of a format may have.
type optional struct {
	// Field is its name in the format, Label is "response", "retrieved", "contexts", or a name
	// of [lossy].
	Field, Label string
	// Expected labels are also reported when no case has them; others only when
	// some cases have them and some do not.
	Expected bool
}

// noteMissing counts the cases without a label. Unanswerable questions need none.
func (l *loader) noteMissing(labels []optional) {
	have, lacking := make([]bool, len(labels)), make([]notes, len(labels))
	for i, c := range l.cases.All() {
		var resp *assay.Response
		if r, ok := l.recorded[i]; ok {
			resp = &r
		}
		for k, o := range labels {
			switch {
			case labelled(o.Label, &c, resp):
				have[k] = true
			case c.Want.Answerable == nil || *c.Want.Answerable:
				lacking[k].warn(c.Origin, o.Field, "missing")
			}
		}
	}
	for k, o := range labels {
		if have[k] || o.Expected {
			l.addAll(&lacking[k])
		}
	}
}
