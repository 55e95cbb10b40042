package words

func (English) TimeTitle() string { return "Time" }
func (English) TimeHeads() TimeHeads {
	return TimeHeads{Latency: "Latency", Stage: "Stage", Mean: "Mean", Plot: "Mean, and p95 as a mark"}
}
func (English) MeanTime(mean string) string { return "mean " + mean }
func (English) LatencyCaption(_ int, line string) string {
	return "How long the target took, on a logarithmic axis: " + line + "."
}
func (English) LatencyLabel(responses int, line string) string {
	return "latency of " + plural(responses, "response", "responses") + ": " + line
}
