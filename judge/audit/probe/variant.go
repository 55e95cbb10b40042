package probe

import (
	"strings"

	"github.com/assay-eval/assay/judge"
)

// A variant is a form of an answer. All forms have the same content.
type variant int

const (
	plain variant = iota
	padded
	markdown
	bullets

	variants
)

// names and docs are those of the tests of each form; the plain one has none.
var names = [variants]string{"", "verbosity", "style: markdown", "style: bullets"}

var docs = [variants]string{
	padded:   "change of the mean score when padding without content is added",
	markdown: "change of the mean score when prose becomes headings and bold type",
	bullets:  "change of the mean score when prose becomes a list",
}

// padding has no content.
var padding = map[judge.Language][2]string{
	judge.English: {
		"Thank you for the question; I have looked at it with care and will answer it as well as I can. ",
		" I hope that this is of use. If any part of it is unclear, or if a different form would be more convenient, " +
			"please do not hesitate to ask again.",
	},
	judge.Chinese: {
		"感谢您的提问，我已仔细阅读，并将尽力作答。",
		"希望以上内容对您有所帮助。如果有任何不清楚的地方，或者希望换一种形式说明，请随时再次提问。",
	},
}

var headings = map[judge.Language]string{judge.English: "## Answer", judge.Chinese: "## 回答"}

// write returns the answer in the form, with the statement at the index corrupted; -1
// for none.
func (v variant) write(it Item, corrupted int) string {
	parts := it.statements(corrupted)
	switch v {
	case padded:
		return padding[it.Language][0] + it.Answer(corrupted) + padding[it.Language][1]
	case markdown:
		out := []string{headings[it.Language]}
		for _, s := range parts {
			out = append(out, "**"+s+"**")
		}
		return strings.Join(out, "\n\n")
	case bullets:
		return "- " + strings.Join(parts[:], "\n- ")
	}
	return it.Answer(corrupted)
}
