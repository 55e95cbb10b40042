package words

func (w Words) By(spread string) string { return w.Say("By", v{"spread": spread}) }

// CasesDiffer counts the cases whose draws differ. which has their names.
func (w Words) CasesDiffer(n, of int, which string) string {
	return w.Say("CasesDiffer", v{"n": n, "of": of, "which": which})
}
func (w Words) Flaky(f Flaky) string { return w.Say("Flaky", f) }

// Flaky describes how the draws of a case differ: Passed of Draws pass, Metric varies
// by Spread, or Metrics do not have a score in every draw. Several of these may apply
// or, if the case fails differently each time, none.
type Flaky struct {
	Passed, Draws  int
	Metric, Spread string
	Metrics        []string
}

// DrawHeads are the headings of the table of draws.
type DrawHeads struct{ Metric, Changed, SD, Floor, Furthest string }
