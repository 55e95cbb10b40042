// Package assay defines the vocabulary of an evaluation of retrieval-augmented
// generation (RAG) systems: cases, responses, scores, and the records of a run.
// It imports only the standard library and does no input or output. Other
// packages turn files into cases (dataset), ask targets (target, rag), score
// responses (metric) and report the results.
//
// Three properties hold throughout:
//
//   - An unknown number is a [State], never NaN, an infinity or a silent 0.
//   - A failure never raises a score and never silently leaves a denominator.
//   - The same inputs and seed give the same bytes, whatever the concurrency.
package assay
