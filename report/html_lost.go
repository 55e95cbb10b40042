package report

import "github.com/assay-eval/assay"

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
