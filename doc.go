// Package assay is the vocabulary of a tool that evaluates systems for
// retrieval-augmented generation: cases, responses, scores and the records
// that a run leaves behind. It imports the standard library only and does no
// input or output; the packages below it turn files into cases (dataset), ask
// targets (target, rag), score what came back (metric) and report it.
//
// Three properties hold throughout:
//
//   - A number that is not known is a [State], never NaN, an infinity or a
//     silent 0.
//   - A failure never raises a score and never leaves a denominator silently.
//   - The same inputs and seed give the same bytes, whatever the concurrency.
package assay
