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
	"ideal_answer": "ground_truth", "correct_answer": "ground_truth", "gold_answer": "ground_truth",
	"expected_context": "expected_contexts", "relevant_docs": "expected_contexts", "relevant_doc": "expected_contexts",
	"relevant_document": "expected_contexts", "relevant_documents": "expected_contexts", "expected_document": "expected_contexts",
	"expected_documents": "expected_contexts", "expected_source": "expected_contexts", "expected_sources": "expected_contexts",
	"source": "expected_contexts", "sources": "expected_contexts", "source_file": "expected_contexts",
	"source_document": "expected_contexts", "document": "expected_contexts", "documents": "expected_contexts",
	"doc": "expected_contexts", "doc_id": "expected_contexts", "document_id": "expected_contexts",
	"file": "expected_contexts", "file_name": "expected_contexts", "filename": "expected_contexts",
	"ground_truth_contexts": "reference_contexts", "contexts": "reference_contexts", "passages": "reference_contexts",
	"expected_answer_contains": "expected_keywords", "keywords": "expected_keywords",
	"query": "question", "questions": "question", "input": "question", "user_input": "question", "text": "question",
	"transcript": "reference_transcript", "_id": "id", "case_id": "id",
}

// vague are the names of meant that often have another meaning in a table: a text may be a
// passage, and contexts may be what a system retrieved. They are suggested, and not taken.
var vague = map[string]bool{"input": true, "user_input": true, "text": true, "contexts": true, "passages": true, "transcript": true}

// fieldOf returns the native field that a column of a table is read as if no column has the
// name of that field, "" for none. White space and hyphens are read as underscores.
func fieldOf(column string, known func(field string) bool) string {
	name := strings.NewReplacer(" ", "_", "-", "_").Replace(columnName(column))
	if known(name) {
		return name
	}
	if field := meant[name]; !vague[name] && known(field) {
		return field
	}
	return ""
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
