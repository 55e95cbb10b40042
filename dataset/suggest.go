package dataset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/text"
)

// meant maps field names of other tools to the native field with the same
// meaning.
var meant = map[string]string{
	"answer": "ground_truth", "expected_answer": "ground_truth", "reference": "ground_truth", "reference_answer": "ground_truth",
	"ideal_answer": "ground_truth", "relevant_docs": "expected_contexts",
	"expected_sources": "expected_contexts", "sources": "expected_contexts", "documents": "expected_contexts",
	"ground_truth_contexts": "reference_contexts", "contexts": "reference_contexts", "passages": "reference_contexts",
	"expected_answer_contains": "expected_keywords", "keywords": "expected_keywords",
	"query": "question", "input": "question", "user_input": "question", "text": "question",
	"transcript": "reference_transcript", "_id": "id", "case_id": "id",
}

// suggest returns ": did you mean …" with the known name that is nearest to a
// wrong one, or "" if none is near.
func suggest(wrong string, known []string) string {
	if name := nearest(wrong, known); name != "" {
		return fmt.Sprintf(": did you mean %q?", name)
	}
	return ""
}

func nearest(wrong string, known []string) string {
	if name := meant[strings.ToLower(wrong)]; name != "" && slices.Contains(known, name) {
		return name
	}
	return text.Nearest(wrong, known)
}
