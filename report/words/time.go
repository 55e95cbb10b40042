package words

func (w Words) MeanTime(mean string) string { return w.Say("MeanTime", v{"mean": mean}) }

// TimeHeads are the headings of the table of stages.
type TimeHeads struct{ Latency, Stage, Mean, Plot string }
