package words

// RulingWord is the ruling on a claim in words: "supported", "contradicted",
// "unsupported" or "unknown".
func (w Words) RulingWord(ruling string) string { return w.Say("RulingWord", v{"ruling": ruling}) }

// ClaimLabel names a claim with its ruling, which is in words, and the ranks of the
// passages that it rests on.
func (w Words) ClaimLabel(n int, ruling string, passages []int) string {
	var by []string
	for _, p := range passages {
		by = append(by, w.Say("PassageRank", v{"n": p}))
	}
	return w.Say("ClaimLabel", v{"n": n, "ruling": ruling, "by": by})
}

// ClaimCounts counts claims by ruling.
func (w Words) ClaimCounts(by map[string]int) string {
	var out []string
	for _, r := range []string{"supported", "unsupported", "contradicted", "unknown"} {
		w.add(&out, by[r] > 0, "ClaimCount", v{"n": by[r], "ruling": w.RulingWord(r)})
	}
	return w.Say("ClaimCounts", v{"counts": out})
}

// ClaimNames are the words of the list of claims.
type ClaimNames struct {
	Title string
	// NotSaid says that the answer does not have the claim in these words, NoWords that no
	// words of a passage are known, Estimated that a formula ruled.
	NotSaid, NoWords, Estimated string
}
