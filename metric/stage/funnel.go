package stage

// A Loss is what one stage of a funnel lost.
type Loss struct {
	// Entering counts what came in, Lost what did not come out.
	Entering, Lost int
	// Hazard is Lost/Entering, 0 when nothing came in.
	Hazard float64
}

// Funnel tells what each stage lost of what came into it. counts begin with
// what went into the first stage, and go on with what came out of each: n + 1
// counts give n losses. survival is the last count by the first, 0 when the
// first is 0; it is the product of 1 - Hazard. A count that is larger than the
// one before it, or below 0, is taken as the nearest that can be. Worked case:
// nugget_funnel (metrics.md, 6.1).
func Funnel(counts []int) (losses []Loss, survival float64) {
	if len(counts) == 0 {
		return nil, 0
	}
	in := max(counts[0], 0)
	first := in
	for _, c := range counts[1:] {
		out := min(max(c, 0), in)
		losses = append(losses, Loss{Entering: in, Lost: in - out, Hazard: share(in-out, in)})
		in = out
	}
	return losses, share(in, first)
}

// share is part/whole, 0 when there is no whole.
func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
