package words

import (
	"cmp"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/summary"
)

// Lost says to which stages the wrong answers are attributed or, if there are none, where
// facts were lost. Its numbers are those of the table below it; wrong is the number of responses with a
// wrong outcome, also for other reasons than the answer. Followed says what became of the
// facts; it is "" if Lost has said it.
func (l Words) Lost(w *summary.Waterfall, wrong int) string {
	other := max(0, wrong-w.Failed)
	if w.Failed == 0 || w.Retrieval && w.Facts > 0 {
		name := "Lost.None"
		if w.Retrieval && w.Facts > 0 {
			name = "Lost.OnlyFacts"
		}
		return l.Say(name, v{"w": w, "facts": l.facts(w), "other": other})
	}
	lost := w.Worst()
	var parts, again []string
	for i, one := range lost {
		data := v{"n": one.Cases, "to": l.at("Lost.To", one.Stage), "share": summary.Percent(one.Share), "level": fmt.Sprintf("%.4g", 100*w.Level), "ci": ""}
		if one.ShareCI != nil {
			data["ci"] = summary.Percents(*one.ShareCI)
		}
		var or []string
		for _, m := range w.Merged {
			if m.Into == one.Stage && m.Stage != assay.LostNotInIndex {
				or = append(or, l.Stage(m.Stage))
			}
		}
		name := "other"
		switch data["or"] = or; {
		case !one.Located():
			name = cmp.Or(one.Stage, noStage)
		case i == 0:
			name = "first"
		}
		parts = append(parts, l.Say("Lost.Part."+name, data))
	}
	data := v{"w": w, "parts": parts, "unresolved": "", "mend": "", "most": 0, "again": again, "other": other}
	if n := len(lost) - 1; n > 0 && !lost[n].Located() {
		data["parts"], data["unresolved"] = parts[:n], parts[n]
	}
	if first := lost[0]; first.Located() {
		for i, a := range first.Again {
			name := "Lost.Again"
			if i == 0 {
				name = "Lost.AgainFirst"
			}
			again = append(again, l.Say(name, v{"n": a.Cases, "at": l.at("Lost.AgainAt", a.Stage)}))
		}
		data["mend"], data["most"], data["again"] = l.at("Lost.Mend", first.Stage), first.Cases, again
	}
	return l.Say("Lost.Sentence", data)
}

// noStage names the messages about a stage that is unknown; no target can call a stage of its own so.
const noStage = "?"

// at says a message of a group about a stage.
func (l Words) at(group, stage string) string {
	return l.told(group, cmp.Or(stage, noStage), v{"stage": l.Stage(stage)})
}

// facts says how many facts were found or reached the answer, and where the others were lost; "" if there are none.
func (l Words) facts(w *summary.Waterfall) string {
	if w.Facts == 0 {
		return ""
	}
	var lost []string
	for _, at := range w.Stages {
		l.add(&lost, at.Lost > 0, "Lost.Fact", v{"n": at.Lost, "first": lost == nil, "at": l.at("Lost.At", at.Stage)})
	}
	open := 0
	for _, u := range w.Unclear {
		switch u.Reason {
		case assay.UnknownEnough, "response", "label": // the facts are known, or there are none
		default:
			open += u.Cases
		}
	}
	return l.Say("Lost.Facts", v{"w": w, "share": summary.Percent(w.Survival), "lost": lost, "open": open})
}

func (l Words) Followed(w *summary.Waterfall) string {
	if w.Failed == 0 || w.Facts == 0 {
		return ""
	}
	return l.Say("Lost.OnlyFacts", v{"facts": l.facts(w)})
}

func (l Words) LostNotes(w *summary.Waterfall) (out []string) {
	for _, m := range w.Merged {
		l.add(&out, true, "LostNote.Merged", v{"stage": l.Stage(m.Stage), "into": l.Stage(m.Into), "n": m.Cases, "of": w.Cases})
	}
	l.add(&out, w.Short > 0, "LostNote.Short", v{"n": w.Short})
	l.add(&out, w.SelfKnowledge > 0, "LostNote.SelfKnowledge", v{"n": w.SelfKnowledge})
	out = append(out, l.Unclear(w)...)
	if g := w.Ladder; g != nil {
		l.add(&out, g.Broken > 0, "LostNote.Broken", v{"n": g.Broken})
		l.add(&out, g.NonMonotone > 0, "LostNote.NonMonotone", v{"n": g.NonMonotone})
	}
	return out
}

// Unclear says in how many cases the stage is unknown, and which setting would show it.
func (l Words) Unclear(w *summary.Waterfall) (out []string) {
	for _, u := range w.Unclear {
		l.add(&out, true, "LostNote.Unclear", v{"n": u.Cases, "reason": l.Say("LostUnknown", v{"reason": u.Reason})})
	}
	return out
}

// Again says how many cases fail again at other stages: "7 at generate".
func (w Words) Again(list []summary.Again) string {
	var out []string
	for _, a := range list {
		w.add(&out, true, "Lost.Again", v{"n": a.Cases, "at": w.at("Lost.AgainAt", a.Stage)})
	}
	return w.Say("Lost.AgainAll", v{"list": out})
}
func (w Words) LostHeads(evidenceOf string) (out LostHeads) {
	w.Fill("LostHeads", v{"evidenceOf": evidenceOf}, &out)
	return out
}

// Stage names a stage of [assay.LossStages] or a target's own.
func (w Words) Stage(stage string) string {
	return w.told("Stage", cmp.Or(stage, noStage), v{"stage": document.Clip(document.Line(stage), 24)})
}
func (w Words) Reached(retrieval bool) string { return w.Say("Reached", v{"retrieval": retrieval}) }

// LostAt names the stage that a wrong answer is attributed to.
func (w Words) LostAt(stage string) string {
	return document.Clip(document.Line(w.told("LostAt", stage, v{"stage": w.Stage(stage)})), 48)
}

// LostHeads are the headings of the tables about where answers are lost.
type LostHeads struct {
	Stage, Evidence, Left, Lost, ShareOfAll, Share, OfWhatCame string
	WrongAnswers, FailAgain, Which, RightWith, Right, Gain     string
}
