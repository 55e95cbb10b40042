package words

func (w Words) By(spread string) string { return w.Say("By", v{"spread": spread}) }

// DrawHeads are the headings of the table of draws.
type DrawHeads struct{ Metric, Changed, SD, Floor, Furthest string }
