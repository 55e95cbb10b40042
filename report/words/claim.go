package words

// claims are the words of the claims of an answer.
type claims interface {
	ClaimNames() ClaimNames
	// RulingWord is the ruling on a claim in words: "supported", "contradicted",
	// "unsupported" or "unknown".
	RulingWord(ruling string) string
	// ClaimLabel names a claim with its ruling, which is in words, and the ranks of the
	// passages that it rests on.
	ClaimLabel(n int, ruling string, passages []int) string
	// PassageRank names a passage by its rank.
	PassageRank(n int) string
	// ClaimCounts counts claims by ruling.
	ClaimCounts(by map[string]int) string
	// SomeClaims says that only the claims that a metric lists are known.
	SomeClaims(metric string) string
}

// ClaimNames are the words of the list of claims.
type ClaimNames struct {
	Title string
	// NotSaid says that the answer does not have the claim in these words, NoWords that no
	// words of a passage are known, Estimated that a formula ruled.
	NotSaid, NoWords, Estimated string
}

// rulings lists the rulings in the order of counts.
var rulings = []string{"supported", "unsupported", "contradicted", "unknown"}
