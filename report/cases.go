package report

import (
	"iter"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/summary"
)

// How many failed cases and how many of the lowest other cases a glance and a text
// show.
const (
	glanceFailed, glanceLow   = 8, 5
	readingFailed, readingLow = 50, 20
)

// cases shows the failed cases, then those that lost most: one line each at a glance,
// in full in a text. On a page they are in the table of cases.
func (c *content) cases() []document.Section {
	failed, low := split(c.r.low())
	out := c.lookup()
	add := func(s document.Section, most int, list []lowCase) {
		if most > 0 {
			list = list[:most]
			if s.Views == document.Glance {
				s.Blocks = []document.Block{document.Lines{Lines: c.caseLines(list)}}
			} else {
				s.Blocks = append([]document.Block{document.Cases{All: c.each(list)}}, s.Blocks...)
			}
			out = append(out, s)
		}
	}
	f, l := c.o.bounded(len(failed), len(low), glanceFailed, glanceLow)
	add(document.Section{ID: "failed", Title: c.w.FailedCases(f, len(failed)), Views: document.Glance}, f, failed)
	add(document.Section{ID: "lowest", Title: c.w.LowestCases(l, len(low), wrong(low)), Views: document.Glance}, l, low)
	f, l = c.o.bounded(len(failed), len(low), readingFailed, readingLow)
	s := document.Section{ID: "failed", Title: c.w.FailedCases(f, len(failed)), Views: document.Reading}
	if n := len(failed) - f; n > 0 {
		s.Blocks = []document.Block{document.Paragraph{Text: document.T(c.w.MoreFailed(n))}}
	}
	add(s, f, failed)
	add(document.Section{ID: "lowest", Title: c.w.LowestCases(l, len(low), wrong(low)), Views: document.Reading}, l, low)
	return out
}

// caseLines returns a line for each case, and a second line for a failure.
func (c *content) caseLines(cases []lowCase) []string {
	var out []string
	for _, x := range cases {
		out = append(out, " "+line(x.Case.ID)+"  "+c.result(x, false)+"  "+line(x.Case.Question))
		if x.Failure != nil {
			out = append(out, "   "+line(x.Failure.Message))
		}
	}
	return out
}

// each yields the documents of the cases, built one at a time.
func (c *content) each(cases []lowCase) iter.Seq[document.Case] {
	return func(yield func(document.Case) bool) {
		for _, x := range cases {
			if !yield(c.one(x)) {
				return
			}
		}
	}
}

// failedCritical returns why each critical case that failed did so.
func (c *content) failedCritical() []string {
	var out []string
	metrics := c.r.Header.Metrics
	for _, rec := range c.r.Records {
		if w := c.why(rec); rec.Case.Critical && w != "" {
			out = append(out, clip(line(rec.Case.ID), 40)+" "+c.w.Status(summary.Status(metrics, rec))+": "+w)
		}
	}
	const most = 5
	if n := len(out) - most; n > 0 {
		out = append(out[:most:most], c.w.More(n))
	}
	return out
}

// criticalItem returns the result of a critical case.
func (c *content) criticalItem(rec assay.Record) document.Item {
	metrics := c.r.Header.Metrics
	word, reason := document.Span{Text: c.w.Passed()}, ""
	if status := summary.Status(metrics, rec); status != assay.StatusOK {
		word = document.Span{Text: strings.ToUpper(c.w.Status(status)), Style: document.Strong}
		reason = " – " + c.why(rec)
	}
	return document.Item{Text: document.Text{word, {Text: " "}, {Text: rec.Case.ID, Style: document.Code}, {Text: ": " +
		clip(line(rec.Case.Question), 160) + reason}}}
}
