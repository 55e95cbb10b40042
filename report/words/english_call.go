package words

import (
	"fmt"
	"strings"
)

func (English) CallNames() CallNames {
	return CallNames{
		Instruction: "Instruction", Reply: "Reply", Thinking: "Reasoning", RequestJSON: "Request as JSON", ReplyJSON: "Reply as JSON",
		Absent:    "The ledger no longer has this call.",
		Altered:   "The ledger has this call, but not as it was stored: its checksum differs.",
		Later:     "This reply was made after the run ended: another run asked again. The case was judged with an earlier one.",
		NoneAsked: "No model was asked about this case.",
		NoneNamed: "The record does not name its calls: it was written by an earlier version, or without a ledger.",
	}
}

func (English) CallsOfCase(n int) string { return fmt.Sprintf("Calls to the judge (%d)", n) }

func (English) CallRole(role string) string {
	switch role {
	case "user":
		return "Question to the model"
	case "assistant":
		return "Earlier reply of the model"
	}
	return role
}

func (English) CallTold(c CallTold) string {
	out := []string{plural(c.Input, "input token", "input tokens") + ", " + plural(c.Output, "output token", "output tokens")}
	for _, s := range []string{c.Cost, c.Took, c.Made} {
		if s != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, " · ")
}

func (English) Unusable(why string) string { return "This reply could not be used: " + why }

func (English) PaidBy(run string) string { return "paid by " + run }
