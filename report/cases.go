package report

import (
	"iter"

	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
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
	failed, low := split(c.r.lowest())
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
	mostFailed := glanceFailed
	if c.o.Short {
		mostFailed = shortCases
	}
	f, l := c.o.bounded(len(failed), len(low), mostFailed, glanceLow)
	add(document.Section{ID: "failed", Title: c.w.Say("FailedCases", words.V{"shown": f, "of": len(failed)}), Views: document.Glance}, f, failed)
	add(document.Section{ID: "lowest", Title: c.w.Say("LowestCases", words.V{"shown": l, "of": len(low), "by": c.sortedBy(low)}), Views: document.Glance}, l, low)
	f, l = c.o.bounded(len(failed), len(low), readingFailed, readingLow)
	s := document.Section{ID: "failed", Title: c.w.Say("FailedCases", words.V{"shown": f, "of": len(failed)}), Views: document.Reading}
	if n := len(failed) - f; n > 0 {
		s.Blocks = []document.Block{document.Paragraph{Text: document.T(c.w.Say("MoreFailed", words.V{"n": n}))}}
	}
	add(s, f, failed)
	add(document.Section{ID: "lowest", Title: c.w.Say("LowestCases", words.V{"shown": l, "of": len(low), "by": c.sortedBy(low)}), Views: document.Reading}, l, low)
	return out
}

// caseLines returns a line for each case, and a second line for a failure.
func (c *content) caseLines(cases []lowCase) []string {
	var out []string
	for _, x := range cases {
		x := c.shown(x)
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
			if !yield(c.one(c.shown(x))) {
				return
			}
		}
	}
}
