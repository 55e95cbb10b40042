package words

// TimeHeads are the headings of the table of stages.
type TimeHeads struct{ Latency, Stage, Mean, Plot string }
