package stage

// Kept counts the relevant and the irrelevant passages that went into a filter
// and came out of it.
type Kept struct{ RelevantIn, RelevantOut, IrrelevantIn, IrrelevantOut int }

// Filter tells how well a filter told relevant passages from others: the share
// of the relevant ones that it kept, the share of the irrelevant ones that it
// dropped, and the share of relevant ones among what came in and what came out.
// A share of nothing is 0; the counts tell. Worked case: filter_stage
// (metrics.md, 6.1).
func Filter(k Kept) (recall, dropRate, before, after float64) {
	return share(k.RelevantOut, k.RelevantIn), share(k.IrrelevantIn-k.IrrelevantOut, k.IrrelevantIn),
		share(k.RelevantIn, k.RelevantIn+k.IrrelevantIn), share(k.RelevantOut, k.RelevantOut+k.IrrelevantOut)
}
