package words

func (w Words) MeanTime(mean string) string { return w.Say("MeanTime", v{"mean": mean}) }
func (w Words) LatencyCaption(responses int, line string) string {
	return w.Say("LatencyCaption", v{"responses": responses, "line": line})
}
func (w Words) LatencyLabel(responses int, line string) string {
	return w.Say("LatencyLabel", v{"responses": responses, "line": line})
}

// TimeHeads are the headings of the table of stages.
type TimeHeads struct{ Latency, Stage, Mean, Plot string }
