// Package spans reads traces that systems recorded about themselves, and makes cases with
// responses of them: the question, the answer, and the stages between with their passages,
// times and tokens.
//
// A trace is a tree of spans. [Read] reads spans from the files of several tools: what a span
// says is in its attributes, by the names of whoever recorded it. A convention (one file each:
// OpenInference, the GenAI conventions of OpenTelemetry, OpenLLMetry, and the forms of MLflow,
// LangSmith, Langfuse and the AI SDK) reads attributes as a [Step]: what the span did, with
// what, and what came of it. [Exchanges] finds the questions of a trace among its steps.
//
//	file ──Read──► Span ──Collector──► the spans of a trace ──Exchanges──► case and response
package spans
