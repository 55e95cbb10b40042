package report

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
)

// factLine says what became of one fact.
func factLine(f assay.Fact) (outcome, text string) {
	outcome = "answered"
	switch {
	case f.Lost != "" && f.SelfKnowledge:
		outcome = "lost at " + stageWord(f.Lost) + ", answered without it"
	case f.Lost == assay.LostNotInIndex:
		outcome = stageWord(f.Lost)
	case f.Lost == assay.LostPresent:
		outcome = "answered, not shown"
	case f.Lost != "":
		outcome = "lost at " + stageWord(f.Lost)
	}
	text = line(f.Text)
	if text == "" {
		text = line(f.ID)
	} else if id := line(f.ID); id != "" && id != text {
		text += " (" + id + ")"
	}
	return outcome, text
}

// lostVerdictLine says where a failed case was lost and what that rests on; "" when it did
// not fail.
func lostVerdictLine(a *assay.Attribution) string {
	if a == nil || !a.Failed {
		return ""
	}
	s := stageWord(a.Stage)
	if e := line(a.Evidence); e != "" {
		s += ": " + e
	}
	if o := line(a.Outcome); o != "" {
		s += fmt.Sprintf(" (failed by %s)", o)
	}
	return s
}

// ladderLines lists the rungs of a case's ladder: "+ right filter: 3 of 3 right".
func ladderLines(l *assay.Ladder) []string {
	if l == nil {
		return nil
	}
	var out []string
	for _, r := range l.Rungs {
		name := "as it is"
		if r.Stage != "" {
			name = "+ right " + stageWord(r.Stage)
		}
		right := "wrong"
		switch runs := max(r.Runs, 1); {
		case runs > 1:
			right = fmt.Sprintf("%.0f of %d right", r.Right*float64(runs), runs)
		case r.Right >= 0.5:
			right = "right"
		}
		s := name + ": " + right
		if answer := line(r.Answer); answer != "" {
			s += " – " + excerpt(answer, 200)
		}
		out = append(out, s)
	}
	if l.NonMonotone {
		out = append(out, "a later rung failed after an earlier one had succeeded")
	}
	if e := line(l.Error); e != "" {
		out = append(out, "not climbed to the end: "+e)
	}
	return out
}

// mergedLines says which stages of a case could not be told apart.
func mergedLines(a *assay.Attribution) []string {
	var out []string
	for _, stage := range append(assay.LossStages(), assay.LostUnresolved) {
		if into := a.Merged[stage]; into != "" {
			out = append(out, fmt.Sprintf("%s cannot be told from %s, which answers for both", stageWord(stage), stageWord(into)))
		}
	}
	return out
}

// A part is one sub-question's way through the stages, or the whole question's
// where it was not taken apart.
type part struct {
	Question string
	// Found are the passages that were retrieved, Kept those that the filter let
	// through; nil when the trace does not tell. Dropped are those that it did not, with
	// the scores that it gave them where it tells.
	Found, Kept, Dropped []assay.Passage
}

// shown are the passages that the stages after the filter saw.
func (p part) shown() []assay.Passage {
	if p.Kept != nil {
		return p.Kept
	}
	return p.Found
}

// partsOf gives the ways of the sub-questions of a response, in order. There are
// none when the trace tells neither of sub-questions nor of a filter.
func partsOf(r *assay.Response) []part {
	questions, asked := r.SubQuestions()
	filtered := len(r.Stages(assay.StageFilter)) > 0
	if !asked && !filtered {
		return nil
	}
	if len(questions) == 0 {
		questions = []string{""}
	}
	var out []part
	for i, q := range questions {
		p := part{Question: q}
		in, kept := []assay.Passage(nil), []assay.Passage(nil)
		for _, s := range r.Trace.Stages {
			// A stage that worked on all sub-questions is told of once.
			if s.SubQuestion != i+1 && !(s.SubQuestion == 0 && i == 0) {
				continue
			}
			switch s.Name {
			case assay.StageRetrieve:
				p.Found = append(p.Found, passagesIn(r, s.Output)...)
			case assay.StageFilter:
				in = append(in, passagesIn(r, s.Input)...)
				if list := passagesIn(r, s.Output); list != nil {
					kept = append(append([]assay.Passage{}, kept...), list...)
				}
			}
		}
		if in == nil {
			in = p.Found
		}
		if p.Kept = kept; kept != nil {
			for _, x := range in {
				if !slices.ContainsFunc(kept, x.Same) {
					p.Dropped = append(p.Dropped, x)
				}
			}
		}
		out = append(out, p)
	}
	return out
}

// passagesIn reads the passages of a stage, with the texts and names that the
// response or another stage has; nil when it is no list of passages.
func passagesIn(r *assay.Response, raw json.RawMessage) []assay.Passage {
	var list []assay.Passage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	for i, x := range list {
		if x.Text != "" {
			continue
		}
		if j := slices.IndexFunc(r.Passages, x.Same); j >= 0 {
			list[i] = r.Passages[j]
			list[i].Score = x.Score
		}
	}
	return list
}

// stageOf names a stage of a trace, and the sub-question that it worked on.
func stageOf(s assay.Stage) string {
	if s.SubQuestion > 0 {
		return fmt.Sprintf("%s %d", s.Name, s.SubQuestion)
	}
	return s.Name
}
