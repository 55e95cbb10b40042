package report

import (
	"fmt"
	"html/template"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// A lostView is the waterfall as the page shows it.
type lostView struct {
	*lostFall
	Bars   []template.HTML // one for each of Rows
	Ladder []lostStep
	Note   string
	Level  float64
	Cases  string
	Ids    []lostIDs
}

// A lostStep is a rung with its bar.
type lostStep struct {
	lostRung
	Word string
	Bar  template.HTML
}

// lostIDs are the cases of one verdict; More counts those that are left out.
type lostIDs struct {
	lostVerdict
	Shown []string
	More  int
}

// mostLinks is how many wrong answers of a stage are linked to.
const mostLinks = 20

func newLostView(w *summary.Waterfall) *lostView {
	f := newLostFall(w)
	if f == nil {
		return nil
	}
	v := &lostView{lostFall: f, Level: w.Level, Cases: plural(w.Cases, "case", "cases")}
	for _, r := range f.Rows {
		v.Bars = append(v.Bars, fallPlot(r))
	}
	for i, r := range f.Rungs {
		v.Ladder = append(v.Ladder, lostStep{r, rungWord(i, len(f.Rungs), r.Name), rungPlot(r, i == len(f.Rungs)-1)})
	}
	if f.Rungs != nil {
		v.Note = ladderNote(w)
	}
	for _, x := range f.Failed {
		shown := x.IDs[:min(mostLinks, len(x.IDs))]
		v.Ids = append(v.Ids, lostIDs{x, shown, len(x.IDs) - len(shown)})
	}
	return v
}

const lostWidth, lostHeight = 480, 16

// fallPlot draws what is left of the facts after a stage, and behind it what the
// stage lost.
func fallPlot(r lostRow) template.HTML {
	d := &drawing{width: lostWidth, height: lostHeight}
	x := scale{0, float64(r.All), 1, lostWidth - 1}
	d.rect("bar", 1, 2, x.at(float64(r.Kept))-1, 12, plural(r.Kept, "fact", "facts")+" left")
	label := fmt.Sprintf("%s: %d of %d left", r.Name, r.Kept, r.All)
	if r.Lost > 0 {
		d.rect("err", x.at(float64(r.Kept)), 2, max(x.at(float64(r.Kept+r.Lost))-x.at(float64(r.Kept)), 2), 12, plural(r.Lost, "fact", "facts")+" lost")
		label += fmt.Sprintf(", %d lost here", r.Lost)
	}
	return d.svg(label)
}

// rungPlot draws the share of the wrong answers that are right on a rung, or that
// stay wrong.
func rungPlot(r lostRung, wrong bool) template.HTML {
	d := &drawing{width: 240, height: lostHeight}
	x := scale{0, 1, 1, 239}
	class := "bar"
	if wrong {
		class = "err"
	}
	if w := x.at(r.Share) - 1; w > 0 {
		d.rect(class, 1, 2, w, 12, r.Right)
	}
	d.line("axis", 1, 14.5, 239, 14.5)
	return d.svg(r.Name + ": " + r.Right)
}

// lostCard names the stage that loses most of the wrong answers; ok is false when
// there is none.
func lostCard(w *summary.Waterfall) (c card, ok bool) {
	if w == nil {
		return c, false
	}
	best := -1
	for i, v := range w.Verdicts {
		if v.Stage != "" && v.Stage != assay.LostUnresolved && (best < 0 || v.Cases > w.Verdicts[best].Cases) {
			best = i
		}
	}
	if best < 0 {
		return c, false
	}
	v := w.Verdicts[best]
	return card{Name: "most are lost at", Value: stageWord(v.Stage), Note: fmt.Sprintf("%d of %s", v.Cases, plural(w.Failed, "wrong answer", "wrong answers"))}, true
}

// A pageLost is what became of a case at the stages.
type pageLost struct {
	Verdict string     `json:"verdict,omitempty"`
	Facts   []pageFact `json:"facts,omitempty"`
	More    int        `json:"more,omitempty"`
	Rungs   []string   `json:"rungs,omitempty"`
	Notes   []string   `json:"notes,omitempty"`
}

type pageFact struct {
	Outcome string `json:"outcome"`
	Lost    bool   `json:"lost,omitempty"`
	Text    string `json:"text"`
}

type pageTranscript struct {
	Note   string      `json:"note"`
	Pieces []pageHeard `json:"pieces"`
}

// A pageHeard is a stretch of a transcript: Hyp alone where it is right.
type pageHeard struct {
	Wrong bool   `json:"wrong,omitempty"`
	Ref   string `json:"ref,omitempty"`
	Hyp   string `json:"hyp,omitempty"`
}

type pagePart struct {
	Question string        `json:"question,omitempty"`
	Counts   string        `json:"counts"`
	Passages []pagePassage `json:"passages,omitempty"`
	Dropped  []pagePassage `json:"dropped,omitempty"`
	More     int           `json:"more,omitempty"`
}

// lost fills in what became of a case at the stages.
func (p *packer) lost(c *pageCase, r assay.Record) {
	if a := r.Attribution; a != nil {
		l := &pageLost{Verdict: p.cut(lostVerdictLine(a)), Notes: mergedLines(a)}
		for i, f := range a.Facts {
			if i == 2*pageEvidence {
				l.More = len(a.Facts) - i
				break
			}
			outcome, text := factLine(f)
			l.Facts = append(l.Facts, pageFact{outcome, f.Lost != "", p.cut(text)})
		}
		for _, s := range ladderLines(a.Ladder) {
			l.Rungs = append(l.Rungs, p.cut(s))
		}
		c.Lost = l
	}
	if pieces, edits, tokens := transcriptOf(r); pieces != nil {
		c.Transcript = &pageTranscript{Note: heardLine(r, edits, tokens)}
		for _, x := range pieces {
			if x.Same {
				x.Ref = ""
			}
			c.Transcript.Pieces = append(c.Transcript.Pieces, pageHeard{!x.Same, p.cut(x.Ref), p.cut(x.Hyp)})
		}
	}
	if r.Response == nil || !staged(r) {
		return
	}
	for _, x := range partsOf(r.Response) {
		shown := x.Found
		if x.Kept != nil {
			shown = x.Kept
		}
		q := pagePart{Question: p.cut(x.Question), Counts: p.cut(partCounts(x))}
		if x.Question != "" {
			q.Passages = p.passages(r.Case.Want, shown[:min(len(shown), pagePassages)])
		}
		q.Dropped = p.passages(r.Case.Want, x.Dropped[:min(len(x.Dropped), pagePassages)])
		q.More = max(len(x.Dropped)-pagePassages, 0)
		c.Parts = append(c.Parts, q)
	}
}
