package accuracy

import (
	"strconv"

	"github.com/assay-eval/assay/llm/prompt"
)

// element is a text of the material under a name.
func element(name, text string) string { return prompt.Element(name, prompt.Escape(text)) }

// questionElement is the question that all tasks but the marking of key
// questions are about.
func questionElement(question string) string { return element("sub_question", question) }

// chunkElements writes chunks, numbered from 1 as elements, and with an index
// from 0 by which the reply names them.
func chunkElements(chunks []labelled) []string {
	var out []string
	for i, c := range chunks {
		out = append(out, prompt.Element(
			"chunk_"+strconv.Itoa(i+1), prompt.Escape(c.text),
			"doc", c.ref.DocumentID, "page", c.page, "index", strconv.Itoa(i),
		))
	}
	return out
}
