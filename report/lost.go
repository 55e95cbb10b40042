package report

import (
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/draw"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// lost shows where answers are lost: a sentence about the wrong answers, their table, how
// many of them right outputs would correct, and then the waterfall of the facts below its
// own sentence.
func (c *content) lost() []document.Section {
	w, sum := c.r.Summary.Waterfall, c.r.Summary
	if w == nil || w.Facts == 0 && w.Failed == 0 {
		return nil
	}
	s := document.Section{ID: "lost", Title: c.w.Names().LostTitle}
	s.Blocks = append(s.Blocks, document.Paragraph{Kind: document.Finding, Text: document.T(c.w.Lost(w, sum.Answers.Wrong-sum.Errors))})
	var pair document.Beside
	var after []document.Block
	if len(w.Verdicts) > 0 {
		pair.Blocks = append(pair.Blocks, c.verdictTable(w))
	}
	if g := w.Ladder; g != nil && g.Cases > 0 {
		pair.Blocks = append(pair.Blocks, c.ladderTable(w))
		after = []document.Block{document.Paragraph{Kind: document.Note, Text: document.T(c.w.Say("LadderNote", words.V{"cases": g.Cases}))}}
	}
	if pair.Blocks != nil {
		s.Blocks = append(append(s.Blocks, pair), after...)
	}
	for _, line := range []string{c.w.Say("Unknown", w), c.w.Followed(w)} {
		if line != "" {
			s.Blocks = append(s.Blocks, document.Paragraph{Kind: document.Note, Text: document.T(line)})
		}
	}
	if w.Facts > 0 {
		t := c.fallTable(w)
		if w.Failed == 0 && w.Answered == w.Facts {
			// If nothing was lost, the sentence already says it.
			t.Views = document.Reading | document.Page
		}
		s.Blocks = append(s.Blocks, document.Paragraph{Kind: document.Note, Text: document.T(c.w.Names().FallNote), Views: document.Page}, t)
	}
	if notes := c.w.LostNotes(w); notes != nil {
		s.Blocks = append(s.Blocks, document.List{Items: document.Items(notes...), Label: c.w.Names().NoteLabel, Kind: document.Note})
	}
	return []document.Section{s}
}

// fallTable is the waterfall: the facts that came in, the stages, the facts in the
// answers.
func (c *content) fallTable(w *summary.Waterfall) document.Table {
	h := c.w.LostHeads(c.w.Cases(w.Cases))
	t := document.Table{
		ID: "fall", NameMost: 20,
		Columns: []document.Column{
			{ID: "stage", Head: h.Stage, Words: true}, {ID: "bar", Head: h.Evidence, Short: " ", Plot: 48, PlotLeast: 10},
			{ID: "left", Head: h.Left}, {ID: "lost", Head: h.Lost}, {ID: "share", Head: h.ShareOfAll, Short: document.LowerFirst(h.Share)},
			{ID: "ci", Head: c.w.Interval(percent(w.Level)), Role: "ci"}, {ID: "rate", Head: h.OfWhatCame, Role: "rate"},
		},
		Steps: []document.Step{{Drop: []string{"rate"}}, {Stack: [][2]string{{"share", "ci"}}}},
	}
	add := func(name string, kept, lost int, rank document.Rank, share, ci, rate string) {
		plot := draw.Bar{Full: float64(kept), Rest: float64(lost), Of: float64(w.Facts), Width: 480,
			FullTitle: c.w.Say("BarLabels.full", words.V{"n": kept}), RestTitle: c.w.Say("BarLabels.rest", words.V{"n": lost}),
			Label: c.w.Say("BarLabels.label", words.V{"name": name, "kept": kept, "lost": lost, "all": w.Facts})}
		gone := document.Cell{}
		if rank == document.Part {
			gone.Text = document.T(itoa(lost))
		}
		if lost > 0 {
			gone.Mark = document.Bad
		}
		t.Rows = append(t.Rows, document.Row{Rank: rank, Cells: document.Cells(name, plot, kept, gone, share, ci, rate)})
	}
	add(c.w.Names().FactsWord, w.Facts, 0, document.End, "", "", "")
	for _, s := range w.Stages {
		add(c.w.Stage(s.Stage), s.Entering-s.Lost, s.Lost, document.Part, summary.Percent(s.Share), shares(s.ShareCI), summary.Percent(s.Hazard))
	}
	add(c.w.Reached(w.Retrieval), w.Answered, 0, document.End, summary.Percent(w.Survival), shares(w.SurvivalCI), "")
	return intervalsOver(t, w.Cases)
}

// intervalsOver returns the table without its intervals if they are over too few cases.
func intervalsOver(t document.Table, cases int) document.Table {
	if cases < stats.Readable {
		return t.Without("ci")
	}
	return t
}

// verdictTable lists the wrong answers by stage, with their ids.
func (c *content) verdictTable(w *summary.Waterfall) document.Table {
	h := c.w.LostHeads("")
	t := document.Table{
		ID: "verdicts", NameMost: 18,
		Columns: []document.Column{
			{ID: "stage", Head: h.WrongAnswers, Words: true}, {ID: "n", Head: "n"}, {ID: "share", Head: h.Share},
			{ID: "ci", Head: c.w.Interval(percent(w.Level))}, {ID: "again", Head: h.FailAgain, Words: true}, {ID: "which", Head: h.Which, Words: true},
		},
		Steps: []document.Step{{Stack: [][2]string{{"share", "ci"}}}},
	}
	for _, v := range w.Verdicts {
		n := document.Cell{Text: document.T(itoa(v.Cases))}
		if v.Stage != "" {
			n.Query = "stage:" + v.Stage
		}
		t.Add(c.w.Stage(v.Stage), n, summary.Percent(v.Share), shares(v.ShareCI), c.w.Again(v.Again),
			document.Cell{Cases: append([]string{}, v.IDs...), FoldTitle: c.w.Cases(v.Cases)})
	}
	return intervalsOver(t.Filled("again"), w.Failed)
}

// ladderTable shows how many answers are right with more and more stages replaced.
func (c *content) ladderTable(w *summary.Waterfall) document.Table {
	h, g := c.w.LostHeads(""), w.Ladder
	t := document.Table{
		ID: "stages ladder", NameMost: 20,
		Columns: []document.Column{
			{ID: "with", Head: h.RightWith, Words: true}, {ID: "bar", Head: "", Plot: 24, PlotLeast: 4}, {ID: "right", Head: h.Right},
			{ID: "gain", Head: h.Gain}, {ID: "ci", Head: c.w.Interval(percent(w.Level))},
		},
	}
	add := func(name string, share float64, wrong bool, gain, ci string) {
		bar := draw.Bar{Full: share, Of: 1, Axis: true, FullTitle: summary.Percent(share), Label: name + ": " + summary.Percent(share)}
		if wrong {
			bar.Full, bar.Rest, bar.FullTitle, bar.RestTitle = 0, share, "", summary.Percent(share)
		}
		t.Add(name, bar, summary.Percent(share), gain, ci)
	}
	add(c.w.Names().AsItIs, g.Actual, false, "", "")
	for _, s := range g.Stages {
		add(c.w.Say("WithRight", words.V{"stage": c.w.Stage(s.Stage)}), s.Right, false, points(s.Gain), pointsOf(s.CI))
	}
	add(c.w.Names().StillWrong, g.Residual, true, "", "")
	return intervalsOver(t, g.Cases)
}

// lostCard returns the stage that loses most of the wrong answers; ok is false if
// there is none.
func (c *content) lostCard() (card document.Card, ok bool) {
	w := c.r.Summary.Waterfall
	if w == nil {
		return card, false
	}
	best := -1
	for i, v := range w.Verdicts {
		if v.Stage != "" && v.Stage != assay.LostUnresolved && (best < 0 || v.Cases > w.Verdicts[best].Cases) {
			best = i
		}
	}
	if best < 0 {
		return card, false
	}
	v := w.Verdicts[best]
	return document.Card{Name: c.w.Say("LostCard.name", nil), Value: c.w.Stage(v.Stage),
		Note: c.w.Say("LostCard.note", words.V{"cases": v.Cases, "of": w.Failed})}, true
}

// shares returns an interval of shares, or "?" if it is not known.
func shares(ci *stats.Interval) string {
	if ci == nil {
		return "?"
	}
	return summary.Percents(*ci)
}

// points returns a difference of shares: "+16 %".
func points(v float64) string {
	s := summary.Percent(max(v, -v))
	switch {
	case strings.Trim(s, "0. %") == "":
		return "±0 %"
	case v < 0:
		return "−" + s
	}
	return "+" + s
}

func pointsOf(ci *stats.Interval) string {
	if ci == nil {
		return "?"
	}
	end := func(v float64) string { return strings.TrimSuffix(strings.TrimPrefix(points(v), "±"), " %") }
	return summary.Beside(ci.Lo > 0, ">", end(ci.Lo)) + "…" + summary.Beside(ci.Hi < 0, "<", end(ci.Hi)) + " %"
}

// lostAt returns the stage that a wrong answer is attributed to, as the table of wrong
// answers has it; ok is false if the answer is not wrong or the stage is not known.
func lostAt(r assay.Record) (stage string, ok bool) {
	stage, ok = summary.PutDown(r)
	return stage, ok && stage != ""
}
