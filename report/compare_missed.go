package report

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
)

// missed holds the cases that no run solves: all have them, and get them wrong ([Class]).
type missed struct {
	// ids are in the order of the baseline; of is the number of cases that all runs
	// asked.
	ids []string
	of  int
}

func (c *Comparison) missed() missed {
	m := c.Matrix()
	var out missed
	for k, id := range m.Cases {
		asked, wrong := true, true
		for i := range c.Reports {
			asked, wrong = asked && m.Has(i, k), wrong && m.Outcome(i, k) == assay.AnswerWrong
		}
		if !asked {
			continue
		}
		out.of++
		if wrong {
			out.ids = append(out.ids, id)
		}
	}
	return out
}

// remembered reports whether the record holds only scores, like the records of a
// baseline file. Such a record has no response even if the target gave one.
func remembered(r *assay.Record) bool {
	return r.Response == nil && r.Failure == nil && r.Attempts == 0
}

// missed lists the cases that no run solves.
func (x *compared) missed() []document.Section {
	m := x.c.missed()
	if len(m.ids) == 0 {
		return nil
	}
	s := document.Section{ID: "missed", Title: x.w.Say("MissedTitle", words.V{"n": len(m.ids), "of": m.of}), Sub: true, Bare: document.Glance}
	for _, v := range []struct {
		view document.Views
		most int
	}{{document.Glance, x.o.cases(8)}, {document.Reading, x.o.cases(20)}, {document.Page, 30}} {
		names := ""
		if shown := m.ids[:min(v.most, len(m.ids))]; len(shown) > 0 {
			names = x.w.List(mapped(shown, clipped), len(m.ids)-len(shown))
		}
		text := x.w.Say("Missed", words.V{"runs": len(x.c.Runs), "n": len(m.ids), "of": m.of, "names": names})
		s.Blocks = append(s.Blocks, document.Paragraph{Text: document.T(text), Views: v.view})
	}
	return []document.Section{s}
}
