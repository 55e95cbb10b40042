package words

// times are the words about how long a target took.
type times interface {
	TimeTitle() string
	TimeHeads() TimeHeads
	MeanTime(mean string) string
	LatencyCaption(responses int, line string) string
	LatencyLabel(responses int, line string) string
}

// TimeHeads are the headings of the table of stages.
type TimeHeads struct{ Latency, Stage, Mean, Plot string }
