package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
)

// A Conclusion is what a run comes to as a whole, as exit codes tell it.
type Conclusion struct {
	// Word is "PASS", "FAIL", "ERROR", "INCOMPLETE" or, when nothing holds the
	// run to anything, "DONE".
	Word string
	// Why says why it is not PASS; "" when nothing is to be said.
	Why string
}

// OK reports whether nothing is wrong.
func (s Conclusion) OK() bool { return s.Word == "PASS" || s.Word == "DONE" }

// Conclusion says what the run comes to. With strict a rule that too few cases
// leave open fails.
func (r *Report) Conclusion(strict bool) Conclusion {
	s := r.Summary
	switch {
	case s.Cases == 0:
		return Conclusion{"ERROR", "no case was evaluated"}
	case s.Errors == s.Cases:
		return Conclusion{"ERROR", "the target failed " + plural(s.Errors, "case of 1", "cases of "+strconv.Itoa(s.Cases))}
	case len(r.Records) < r.Header.Asked() || r.Header.State == "interrupted":
		return Conclusion{"INCOMPLETE", fmt.Sprintf("%d of %d cases were evaluated", len(r.Records), r.Header.Asked())}
	case s.CriticalFailed > 0:
		return Conclusion{"FAIL", fmt.Sprintf("%d of %d critical cases failed", s.CriticalFailed, s.Critical)}
	case r.Gate == nil:
		return Conclusion{Word: "DONE"}
	case len(r.Gate.Refused) > 0:
		return Conclusion{"FAIL", "the baseline was not compared with"}
	}
	failed, left := 0, 0
	for _, res := range r.Gate.Results {
		switch res.Final(strict) {
		case gate.Fail:
			failed++
		case gate.Inconclusive:
			left++
		}
	}
	switch {
	case failed > 0:
		return Conclusion{"FAIL", fmt.Sprintf("%d of %s", failed, plural(len(r.Gate.Results), "rule is not met", "rules are not met"))}
	case !r.Gate.Passed(strict):
		return Conclusion{"FAIL", "the gate does not let the run through"}
	case left > 0:
		return Conclusion{"PASS", fmt.Sprintf("too few cases leave %d of %s", left, plural(len(r.Gate.Results), "rule open", "rules open"))}
	}
	return Conclusion{Word: "PASS"}
}

// namedCases is how many cases are named where a list must stay short.
const namedCases = 10

// Explain says what a rule came to, in a line, and names the cases that lost
// most, a line each.
func (r *Report) Explain(res gate.Result) string {
	return strings.Join(append([]string{r.finding(res)}, r.worst(res, namedCases)...), "\n")
}

// finding is what a rule came to without the cases that lost most.
func (r *Report) finding(res gate.Result) string {
	res.Cases = nil
	return r.ruleLine(res)
}

// worst lists the cases that a rule names, with their questions.
func (r *Report) worst(res gate.Result, most int) []string {
	var out []string
	for i, named := range res.Cases {
		if i == most {
			out = append(out, fmt.Sprintf("and %d more", len(res.Cases)-most))
			break
		}
		text := line(named)
		for _, rec := range r.Records {
			// What a case lost may stand behind its id: "q7 (1 → 0)".
			if id := rec.Case.Base(); named == id || strings.HasPrefix(named, id+" (") {
				text += ": " + clip(line(rec.Case.Question), questionChars)
				break
			}
		}
		out = append(out, text)
	}
	return out
}

// Why says of a case that is not right what was asked and why it is not:
// "tc_001: Where is it? – faithfulness 0.500 misses 0.85".
func (r *Report) Why(rec assay.Record) string {
	text := line(rec.Case.ID) + ": " + clip(line(rec.Case.Question), questionChars)
	if reason := why(r.Header.Metrics, rec); reason != "" {
		text += " – " + reason
	}
	return text
}
