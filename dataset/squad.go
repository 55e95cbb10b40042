package dataset

import "bytes"

var squad = code{
	hint: func(s *excerpt) error {
		if !s.has("data") || !bytes.Contains(s.head, []byte(`"paragraphs"`)) {
			return nil
		}
		return &Error{File: s.name, Index: -1, Problem: "SQuAD's own JSON, whose questions are in paragraphs",
			Want: "a line for each question: jq -c '.data[].paragraphs[] | .context as $c | .qas[] | " +
				"{id, question, answers: [.answers[].text], context: $c}' " + s.name + " > cases.jsonl"}
	},
}
