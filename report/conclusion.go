package report

import (
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/report/words"
)

// A conclusion is the result of a whole run, as exit codes express it.
type conclusion struct {
	// Word is "PASS", "FAIL", "ERROR", "INCOMPLETE" or, for a run without a gate,
	// "DONE".
	Word string
	// Why is the reason if it is not simply PASS or DONE, else "".
	Why string
}

// OK reports whether the run ended well.
func (s conclusion) OK() bool { return s.Word == "PASS" || s.Word == "DONE" }

// conclusion returns the result of the run. With [Options.Strict], a rule that has too
// few cases to decide it fails.
func (c *content) conclusion() conclusion {
	r, s := c.r, c.r.Summary
	switch {
	case s.Cases == 0:
		return conclusion{"ERROR", c.w.Say("Ending.NoCase", nil)}
	case s.Errors == s.Cases:
		return conclusion{"ERROR", c.w.Say("Ending.AllFailed", words.V{"answers": c.answers(c.r.Summary.Cases), "of": s.Cases})}
	case r.Cases.Len() < r.Header.Asked() || r.Header.State == "interrupted" && !r.Header.Deferred:
		return conclusion{"INCOMPLETE", c.w.Say("Ending.Unfinished", c.asked())}
	case s.CriticalFailed > 0:
		return conclusion{"FAIL", c.w.Say("Ending.CriticalFailed", words.V{"n": s.CriticalFailed, "of": s.Critical})}
	case r.Gate == nil:
		return conclusion{Word: "DONE"}
	case len(r.Gate.Refused) > 0:
		return conclusion{"FAIL", c.w.Say("Ending.BaselineDropped", nil)}
	}
	count := map[gate.Verdict]int{}
	for _, res := range r.Gate.Results {
		count[res.Final(c.o.Strict)]++
	}
	switch {
	case count[gate.Fail] > 0:
		return conclusion{"FAIL", c.w.Say("Ending.RulesNotMet", words.V{"n": count[gate.Fail], "of": len(r.Gate.Results)})}
	case !r.Gate.Passed(c.o.Strict):
		return conclusion{"FAIL", c.w.Say("Ending.GateClosed", nil)}
	case count[gate.Inconclusive] > 0:
		return conclusion{"PASS", c.w.Say("Ending.RulesOpen", words.V{"n": count[gate.Inconclusive], "of": len(r.Gate.Results)})}
	}
	return conclusion{Word: "PASS"}
}

// namedCases is how many cases a short list names.
const namedCases = 10

// Explain returns, in English, a line about how a rule ended and a line for each of
// the cases that lost most.
func (r *Report) Explain(res gate.Result) string { return newContent(r, Options{}).explain(res) }

func (c *content) explain(res gate.Result) string {
	return strings.Join(append([]string{c.finding(res)}, c.worst(res)...), "\n")
}

// finding returns how a rule ended, without the cases that lost most.
func (c *content) finding(res gate.Result) string {
	res.Cases = nil
	return c.ruleLine(res)
}

// worst returns the first cases that a rule names, with their questions.
func (c *content) worst(res gate.Result) []string {
	var out []string
	for i, named := range res.Cases {
		if i == namedCases {
			return append(out, c.w.More(len(res.Cases)-i))
		}
		text := line(named)
		for i := range c.r.Cases.Len() {
			// The id may be followed by what the case lost: "q7 (1 → 0)".
			if id := c.r.Cases.Base(i); named == id || strings.HasPrefix(named, id+" (") {
				text += ": " + clip(line(c.whole(i).Case.Question), questionChars)
				break
			}
		}
		out = append(out, text)
	}
	return out
}

// Why returns, in English, the question of a case that is not ok and the reason:
// "tc_001: Where is it? – faithfulness 0.500 misses 0.85".
func (r *Report) Why(rec assay.Record) string {
	text := line(rec.Case.ID) + ": " + clip(line(rec.Case.Question), questionChars)
	if reason := newContent(r, Options{}).why(rec); reason != "" {
		text += " – " + reason
	}
	return text
}
