package report

import (
	"io"

	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/report/words"
)

// GateJSON writes the outcome of the gate: the member "gate" of the JSON report, or
// null.
func GateJSON(w io.Writer, r *Report, _ Options) error { return encode(w, newGateJSON(r.Gate)) }

// gateJSON is the outcome of a gate, with its findings in English.
type gateJSON struct {
	Verdict  gate.Verdict `json:"verdict"`
	Results  []resultJSON `json:"rules"`
	Refused  []string     `json:"refused,omitempty"`
	Tracked  []resultJSON `json:"tracked,omitempty"`
	Warnings []string     `json:"warnings,omitempty"`
}

type resultJSON struct {
	gate.Result
	Reason string `json:"reason,omitempty"`
}

// newGateJSON returns nil without a gate. Its list of rules is never nil.
func newGateJSON(o *gate.Outcome) *gateJSON {
	if o == nil {
		return nil
	}
	results := func(in []gate.Result) []resultJSON {
		out := make([]resultJSON, len(in))
		for i, r := range in {
			out[i] = resultJSON{r, r.Reason.In(words.English)}
		}
		return out
	}
	return &gateJSON{
		o.Verdict, results(o.Results), words.Findings(words.English, o.Refused), results(o.Tracked),
		words.Findings(words.English, o.Warnings),
	}
}

// outcome returns the outcome. Its findings are the English texts that were written.
func (g *gateJSON) outcome() *gate.Outcome {
	if g == nil {
		return nil
	}
	texts := func(in []string) (out []gate.Finding) {
		for _, s := range in {
			out = append(out, gate.Text(s))
		}
		return out
	}
	results := func(in []resultJSON) (out []gate.Result) {
		for _, r := range in {
			if r.Reason != "" {
				r.Result.Reason = gate.Text(r.Reason)
			}
			out = append(out, r.Result)
		}
		return out
	}
	return &gate.Outcome{
		Verdict: g.Verdict, Results: results(g.Results), Refused: texts(g.Refused), Tracked: results(g.Tracked), Warnings: texts(g.Warnings),
	}
}
