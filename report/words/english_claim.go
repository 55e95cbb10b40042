package words

import (
	"fmt"
	"strings"
)

func (English) ClaimNames() ClaimNames {
	return ClaimNames{
		Title: "Claims of the answer", NotSaid: "The place of this claim in the answer is not known.",
		NoWords: "The words of a passage that this ruling rests on are not known.", Estimated: "Formulas ruled, not a model.",
	}
}

func (English) RulingWord(ruling string) string {
	switch ruling {
	case "supported":
		return "supported"
	case "contradicted":
		return "contradicted"
	case "unsupported":
		return "not supported"
	}
	return "no ruling"
}

func (e English) ClaimLabel(n int, ruling string, passages []int) string {
	s := fmt.Sprintf("Claim %d: %s", n, ruling)
	for i, p := range passages {
		if i == 0 {
			s += " by "
		} else {
			s += ", "
		}
		s += e.PassageRank(p)
	}
	return s
}

func (English) PassageRank(n int) string { return fmt.Sprintf("passage %d", n) }

func (e English) ClaimCounts(by map[string]int) string {
	var out []string
	for _, r := range rulings {
		if n := by[r]; n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, e.RulingWord(r)))
		}
	}
	return strings.Join(out, ", ")
}

func (English) SomeClaims(metric string) string {
	return "These are the claims that " + metric + " lists. The answer may make more; supported ones are not recorded."
}
