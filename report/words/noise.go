package words

func (w Words) By(spread string) string { return w.Say("By", v{"spread": spread}) }

// CasesDiffer counts the cases whose draws differ. which has their names.
func (w Words) CasesDiffer(n, of int, which string) string {
	return w.Say("CasesDiffer", v{"n": n, "of": of, "which": which})
}

// DrawHeads are the headings of the table of draws.
type DrawHeads struct{ Metric, Changed, SD, Floor, Furthest string }
