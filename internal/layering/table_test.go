// Package layering_test holds the import rules of the module as a table and checks it:
// data flows one way, and no package imports a later one.
package layering_test

// module is the path of this module.
const module = "github.com/assay-eval/assay"

// allowedImports lists, for each package, the packages of this module that it may
// import, both as paths below the module; "." is the root. A path that ends in
// "/..." stands for the package and everything below it. Tests and files that
// only tests use may import anything. A package that is missing here fails the
// test, and so does an entry whose package is gone.
//
// The reasons, from the left of the pipeline to the right:
//
//   - the root is vocabulary: no input or output, standard library only;
//   - a judge answers closed questions, which are values in judge/question;
//     it knows no provider;
//   - a metric sees a case, a response and, when it is judged, an assessment;
//     an embedder is handed to it, and it knows no provider, no file and no
//     engine;
//   - the engine writes through an interface that it declares, so that it
//     knows no store;
//   - a report is made from records, not from an engine; the catalog describes the
//     metrics of records from before they described themselves.
var allowedImports = map[string][]string{
	".":                    {},
	"stats":                {},
	"internal/text":        {"internal/lazyregexp", "internal/simd"},
	"internal/simd":        {},
	"internal/servertest":  {},
	"internal/requiretest": {"internal/lazyregexp", "internal/servertest"},
	"internal/layering":    {},
	"internal/lazyregexp":  {},
	"internal/browsertest": {"internal/requiretest"},
	"internal/doctest":     {"internal/lazyregexp", "internal/requiretest"},
	"internal/reporttest":  {},
	"internal/atomic":      {},
	"internal/build":       {},
	"internal/filelock":    {},
	"internal/oserror":     {},
	"internal/backoff":     {},
	"internal/callkey":     {"."},
	"internal/yaml":        {},
	"internal/secret":      {"internal/lazyregexp"},
	"internal/checksum":    {},
	"internal/schema":      {},
	"internal/scan":        {},
	"internal/message":     {"."},
	"internal/jsonschema":  {"internal/text"},
	"internal/pattern":     {},
	"internal/rows":        {"internal/text"},
	"internal/checks":      {".", "internal/jsonschema", "internal/lazyregexp", "internal/process", "internal/text"},
	"internal/process":     {"internal/secret"},

	"dataset/trec":  {".", "internal/text"},
	"dataset":       {".", "dataset/trec", "target/reply", "internal/checks", "internal/lazyregexp", "internal/pattern", "internal/text", "internal/yaml", "internal/atomic"},
	"dataset/check": {".", "judge/offline", "internal/simd", "internal/text"},

	"spans":                      {".", "dataset/trec", "target/reply", "internal/lazyregexp", "internal/text"},
	"internal/redact":            {"spans", "internal/lazyregexp", "internal/yaml"},
	"internal/redact/redacttest": {},

	"llm":            {".", "target/reply", "internal/backoff", "internal/callkey", "internal/checksum", "internal/secret", "internal/lazyregexp", "internal/text", "internal/yaml"},
	"llm/reach":      {"llm"},
	"llm/prompt":     {".", "llm", "target/reply", "internal/jsonschema", "internal/lazyregexp", "internal/text"},
	"llm/llmtest":    {"llm", "internal/requiretest", "internal/secret"},
	"judge":          {".", "stats", "internal/rows", "internal/text", "internal/yaml"},
	"judge/question": {"judge", "judge/standin", "target/reply", "internal/checks", "internal/lazyregexp", "internal/text"},
	"judge/standin":  {"internal/text"},
	"judge/model":    {".", "judge", "judge/question", "llm", "llm/prompt", "internal/lazyregexp"},
	"judge/entail": {
		".", "judge", "judge/question", "judge/standin", "llm", "llm/reach", "target", "target/reply", "internal/lazyregexp", "internal/process",
		"internal/text",
	},
	"judge/entail/entailtest": {"judge/entail"},
	"judge/offline":           {".", "judge", "judge/question", "metric/text", "internal/lazyregexp", "internal/text", "internal/yaml"},
	"judge/audit/attack":      {".", "internal/lazyregexp", "internal/text", "internal/yaml"},
	"judge/pairwise":          {".", "judge", "judge/question", "judge/audit/attack", "internal/text"},
	"judge/audit/canary":      {".", "judge", "judge/question", "judge/audit/suite", "internal/text"},
	"judge/audit/certify":     {".", "judge", "judge/question", "stats", "internal/rows", "internal/schema", "internal/text"},
	"judge/audit/suite":       {".", "judge", "judge/question", "judge/audit/attack", "stats", "internal/text", "internal/yaml"},
	"dataset/generate":        {".", "judge", "judge/question", "judge/standin", "llm", "llm/prompt", "internal/lazyregexp", "internal/text"},

	"metric":            {".", "judge", "internal/text"},
	"metric/metrictest": {".", "metric", "judge", "judge/question", "internal/checks"},
	"metric/retrieval":  {".", "metric", "internal/lazyregexp", "internal/text"},
	"metric/text":       {".", "metric", "internal/lazyregexp", "internal/text"},
	"metric/judged":     {".", "metric", "metric/stage", "metric/text", "judge", "judge/question", "internal/checks", "internal/lazyregexp", "internal/text"},
	"metric/speech":     {".", "metric", "internal/lazyregexp", "internal/text"},
	"metric/stage": {
		".", "judge", "judge/offline", "judge/question", "metric", "metric/retrieval", "metric/speech",
		"metric/text", "rag/index", "internal/lazyregexp", "internal/text",
	},
	"metric/catalog":  {"metric", "metric/retrieval", "metric/text", "metric/judged", "metric/speech", "metric/stage"},
	"metric/treceval": {".", "dataset/trec", "stats", "metric", "metric/retrieval"},

	"rag/embed":           {".", "llm", "llm/reach", "internal/process", "internal/simd", "internal/text"},
	"rag/embed/embedtest": {".", "llm", "llm/reach", "rag/embed", "internal/requiretest"},

	"rag/rerank":          {".", "llm", "llm/reach"},
	"rag/extract":         {".", "internal/lazyregexp", "internal/process", "internal/text"},
	"rag/chunk":           {".", "internal/text"},
	"rag/index":           {"internal/text", "internal/simd", "internal/atomic"},
	"rag/index/indextest": {},
	"rag/profile":         {"llm/prompt", "internal/text", "internal/yaml"},
	"rag": {
		".", "llm", "llm/prompt", "rag/chunk", "rag/index", "rag/profile", "target/reply", "internal/lazyregexp", "internal/text", "internal/atomic",
	},
	"rag/transcribe":                {".", "llm", "internal/process", "internal/secret", "internal/lazyregexp", "internal/text", "internal/yaml"},
	"rag/transcribe/transcribetest": {".", "llm"},

	"internal/accuracy": {
		".", "llm", "llm/prompt", "judge", "judge/audit/attack", "judge/model", "judge/question", "metric/catalog", "metric/speech",
		"metric/stage", "run", "stats", "internal/lazyregexp", "internal/text",
	},

	"target": {
		".", "dataset/trec", "llm", "target/reply", "target/template", "internal/backoff", "internal/oserror", "internal/process", "internal/secret",
		"internal/lazyregexp", "internal/text",
	},
	"target/reply":    {".", "internal/lazyregexp", "internal/text", "internal/yaml"},
	"target/template": {"internal/text"},
	"target/preset":   {"target", "target/reply", "target/template", "internal/secret", "internal/yaml", "internal/text"},
	"target/adapter": {
		".", "dataset", "llm", "metric", "target", "target/preset", "target/reply", "target/template", "internal/process", "internal/secret",
		"internal/lazyregexp",
	},
	"target/preset/chromatest": {".", "internal/servertest"},
	"target/targettest":        {"."},
	"target/mcptest":           {"internal/servertest"},
	"target/upload": {
		".", "target", "target/reply", "target/template", "internal/backoff", "internal/filelock", "internal/secret", "internal/lazyregexp",
		"internal/text",
	},
	"target/upload/nextcloudtest": {},
	"run":                         {".", "llm", "metric", "metric/retrieval", "metric/stage", "judge", "internal/backoff"},
	"run/queue":                   {".", "judge", "llm", "run", "store"},
	"store":                       {".", "internal/callkey", "internal/checksum", "internal/filelock", "internal/lazyregexp"},
	"internal/query":              {".", "internal/message", "internal/scan", "internal/text"},
	"store/storetest":             {".", "store"},
	"store/postgrestest":          {"store", "internal/servertest", "internal/requiretest"},

	"columns":         {"."},
	"summary":         {".", "columns", "metric/retrieval", "stats", "internal/lazyregexp", "internal/text"},
	"summary/explore": {".", "columns", "stats", "summary", "internal/query", "internal/text"},
	"gate":            {".", "columns", "metric/stage", "stats", "summary", "internal/message", "internal/scan", "internal/schema", "internal/text"},
	"report": {
		".", "columns", "metric", "metric/catalog", "metric/retrieval", "metric/stage", "summary", "gate", "stats", "report/document", "report/draw", "report/words", "report/terminal",
		"report/markdown", "report/html", "internal/atomic", "internal/checks", "internal/schema", "internal/lazyregexp",
		"internal/text",
	},
	"report/draw":     {},
	"report/document": {"report/draw", "internal/text"},
	"report/words":    {".", "gate", "internal/message", "stats", "summary", "report/document"},
	"report/terminal": {"report/document", "report/draw"},
	"report/markdown": {"report/document", "report/draw", "internal/text"},
	"report/html":     {"report/document", "internal/lazyregexp", "internal/text"},

	"internal/config": {
		".", "dataset", "judge/entail", "llm", "rag", "rag/chunk", "rag/embed", "rag/transcribe", "report",
		"store", "target/adapter", "internal/checks", "internal/scan", "internal/secret", "internal/yaml", "internal/lazyregexp", "internal/text",
	},
	"internal/progress":   {},
	"internal/quickstart": {"internal/atomic"},
	"internal/wire": {
		".", "columns", "dataset", "dataset/generate", "rag/embed", "metric", "metric/catalog", "metric/judged", "metric/retrieval", "rag", "rag/chunk",
		"rag/extract", "rag/index", "internal/checks", "rag/rerank", "rag/transcribe", "metric/stage", "rag/profile",
		"target/upload", "llm", "llm/reach", "judge", "judge/...", "target", "target/adapter",
		"run", "run/queue", "stats", "store", "summary", "summary/explore", "gate", "report", "internal/config", "internal/progress", "internal/query",
		"internal/message", "internal/secret", "internal/text", "report/words",
	},
	"assaytest": {".", "llm", "gate", "report", "report/words", "store", "internal/config", "internal/wire"},
	"internal/web": {
		".", "dataset", "dataset/check", "gate", "judge", "internal/progress", "internal/query", "internal/scan", "internal/text", "internal/wire",
		"report", "report/document",
		"report/draw", "report/html",
		"report/words", "stats", "store", "summary", "summary/explore",
	},
	"internal/server": {"..."},
	"internal/cli":    {"..."},
	"cmd/assay":       {"internal/build", "internal/cli"},
}
