package dataset

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
)

// A Warning is a remark that stops nothing. It is made once, however many
// cases it is about.
type Warning struct {
	// File and Line say where it first applies; Line 0 means the whole file.
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
	// Field is the name of the field that it is about, if any.
	Field string `json:"field,omitempty"`
	Text  string `json:"text"`
	// Count is the number of cases that it is about, of Of; both are 0 when
	// it is about the data set.
	Count int `json:"count,omitempty"`
	Of    int `json:"of,omitempty"`
}

// String gives the warning, as in
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
	return oneLine(b.String())
}

// notes gathers warnings: the first place of each, and how often.
type notes struct {
	order  []string
	byText map[string]*Warning
}

// remark adds a warning that is about the data set, or about something else
// than cases.
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

// listed gives the warnings in the order in which they first came up.
func (l *loader) listed() []Warning {
	var out []Warning
	for _, key := range l.order {
		w := *l.byText[key]
		if w.Count > 0 {
			w.Of = len(l.cases)
		}
		out = append(out, w)
	}
	return out
}

// An optional is a label that a format's cases may have.
type optional struct {
	field string
	// has tells by a case and its recorded response, which may be nil.
	has func(c *assay.Case, r *assay.Response) bool
	// expected labels are missed when no case has them; the others only when
	// some cases have them and some do not.
	expected bool
}

// noteMissing counts the cases that lack a label. A question that has no answer
// lacks none.
func (l *loader) noteMissing(labels []optional) {
	for _, o := range labels {
		var lacking []*assay.Case
		have := 0
		for i := range l.cases {
			c := &l.cases[i]
			var resp *assay.Response
			if r, ok := l.recorded[i]; ok {
				resp = &r
			}
			switch {
			case o.has(c, resp):
				have++
			case c.Want.Answerable == nil || *c.Want.Answerable:
				lacking = append(lacking, c)
			}
		}
		if have == 0 && !o.expected {
			continue
		}
		for _, c := range lacking {
			l.warn(c.Origin, o.field, "missing")
		}
	}
}

func hasAnswers(c *assay.Case, _ *assay.Response) bool   { return c.Want.Answers != nil }
func hasDocuments(c *assay.Case, _ *assay.Response) bool { return c.Want.Documents != nil }
func hasPassages(c *assay.Case, _ *assay.Response) bool  { return c.Want.Passages != nil }
func hasKeywords(c *assay.Case, _ *assay.Response) bool  { return c.Want.Keywords != nil }

func hasResponse(_ *assay.Case, r *assay.Response) bool  { return r != nil }
func hasRetrieved(_ *assay.Case, r *assay.Response) bool { return r != nil && r.Passages != nil }
